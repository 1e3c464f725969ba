"""The zoo beside another program: both read the same text, one after the other, CPU seconds of all processes.

Sizes grow as long as the other program is quick; what counts is every size at which it takes 0.05 to 30 s.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from benchmarks.families.text import render
from benchmarks.zoo import kept_out, model

from benchmarks import measure
from epistrat.experiments.peers import Peer, measure as measure_peer

SHORTEST, LONGEST = 0.05, 30.0
ENOUGH = 2.0  # seconds of the other program after which larger models are not looked at
MUCH_SLOWER = 0.4  # seconds: start-up and remarks
MOST_MEMORY = 150  # MB that any model may take
COUNTED = 2.0  # seconds of the other program from which rows count for the mean


@dataclass(frozen=True)
class Pair:
    """One model: what both took; None where a program did not answer everything."""

    shape: str
    n: int
    seed: int
    kept_out: bool
    ours: float | None
    theirs: float | None
    our_memory: float
    their_memory: float
    same: bool

    @property
    def behind(self) -> float:
        """How many seconds ours is slower; infinite where only the other program answers."""
        if self.theirs is None:
            return -math.inf
        return math.inf if self.ours is None else self.ours - self.theirs


def pairs(peer: Peer, name: str, sizes: Iterable[int], seed: int, options: Sequence[str]) -> Iterator[Pair]:
    """The shape's models that the other program reads and that take it long enough, up to the first that takes it ``ENOUGH``.

    Each is measured from a new process: what a command is started from counts as its memory, and texts may be large.
    """
    for n in sizes:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as new:
            pair, last = new.submit(_pair, peer, name, n, seed, options).result()
        if pair is not None:
            yield pair
        if last:
            return


def _pair(peer: Peer, name: str, n: int, seed: int, options: Sequence[str]) -> tuple[Pair | None, bool]:
    """The row, if it counts, and whether larger ones are not looked at."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.ispl"
        written, questions = _common(name, n, seed)
        path.write_text(written, encoding="utf-8")
        theirs = measure_peer(peer, written, LONGEST)
        said = [one.verdict for one in theirs.verdicts]
        if not said and not theirs.complaint:
            return None, True  # it does not read this shape
        answered = len(said) == questions and not theirs.complaint
        if answered and theirs.cpu < SHORTEST:
            return None, False
        ours = measure.check(path, LONGEST, options)
    pair = Pair(
        name,
        n,
        seed,
        kept_out(name, seed),
        ours.cpu if ours.decided else None,
        theirs.cpu if answered else None,
        ours.peak_mb,
        theirs.peak_mb,
        all(one in ("unknown", other) for one, other in zip(ours.verdicts, said, strict=False)),
    )
    return pair, not answered or theirs.cpu >= ENOUGH


def _common(name: str, n: int, seed: int) -> tuple[str, int]:
    """The model without formulae in which a group enforces an until, where MCMAS ends with an error; how many are left."""
    pieces = model(name, n, seed)
    (label, spec), *_ = pieces.specs.items()
    asked = tuple(one for one in spec.questions if not re.search(r"<\w+>\s*\(.* U ", one.formula))
    return render(replace(pieces, specs={label: replace(spec, questions=asked)}), label), len(asked)


def line(pair: Pair) -> str:
    """One row."""
    ours, theirs = ("   -  " if one is None else f"{one:6.2f}" for one in (pair.ours, pair.theirs))
    return (
        f"{pair.shape:22} n={pair.n:<4} seed {pair.seed}  epistrat {ours} s {pair.our_memory:5.0f} MB   other {theirs} s"
        f" {pair.their_memory:5.0f} MB{'' if pair.same else '   VERDICTS DIFFER'}"
    )


def write(found: Sequence[Pair], path: Path | None) -> None:
    """Add the rows to a file, as JSON."""
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(one)) + "\n" for one in found)


def report(found: Sequence[Pair]) -> int:
    """What they come to; 1 where verdicts differ."""
    both = [one for one in found if one.ours is not None and one.theirs is not None]
    late = sorted((one for one in found if one.behind > MUCH_SLOWER), key=lambda one: -one.behind)
    long = [one.theirs / one.ours for one in both if one.ours and one.theirs and one.theirs > COUNTED]
    print(f"\n{len(found)} models, {len(both)} answered by both")
    print(f"slower by more than {MUCH_SLOWER} s: {len(late)}")
    for one in late:
        print("  " + line(one))
    if long:
        mean = math.exp(sum(map(math.log, long)) / len(long))
        print(
            f"{len(long)} that take the other more than {COUNTED:g} s: it takes {mean:.1f} times as long (geometric mean)"
        )
    alone = sum(one.theirs is None and one.ours is not None for one in found)
    print(f"answered by epistrat alone, within {LONGEST:g} s: {alone}")
    over = [one for one in both if one.our_memory > max(MOST_MEMORY, 3 * one.their_memory)]
    print(f"more than {MOST_MEMORY} MB and than three times the other's memory: {len(over)}")
    for one in over:
        print("  " + line(one))
    wrong = [one for one in found if not one.same]
    print(f"verdicts that differ: {len(wrong)}")
    return 1 if wrong else 0
