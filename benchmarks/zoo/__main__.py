"""How well the default chooses: ``python -m benchmarks.zoo [--only SHAPE] [--half looked|kept] [--seeds N] [--peer mcmas]``.

For every model, all fixed settings (engine, order, search) are tried within a limit; the fastest that decides everything is the *virtual
best*.  **Regret** is the CPU time of the whole command with default settings over that of the virtual best.  Sizes grow until
the virtual best takes long enough to tell settings apart.  The report gives the geometric mean, how many models are within 1.5, 2 and 3,
and the worst ten; a verdict on which two settings differ ends the run with status 1.

With ``--peer`` another program is measured beside the default instead (`benchmarks.zoo.beside`).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.zoo import SHAPES, beside, kept_out, text

from benchmarks import measure
from epistrat.experiments.peers import PEERS

SETTINGS: dict[str, tuple[str, ...]] = {
    "breadth": ("--engine", "symbolic", "--order", "breadth"),
    "breadth-top": ("--engine", "symbolic", "--order", "breadth-top"),
    "breadth-interleaved": ("--engine", "symbolic", "--order", "breadth-interleaved"),
    "declared": ("--engine", "symbolic", "--order", "declared"),
    "declared-top": ("--engine", "symbolic", "--order", "declared-top"),
    "declared-interleaved": ("--engine", "symbolic", "--order", "declared-interleaved"),
    "chaining": ("--engine", "symbolic", "--order", "declared", "--reach", "chaining"),
    "explicit": ("--engine", "explicit"),
}
SMALLEST, ENOUGH, LONGEST = 0.5, 1.5, 20.0
FURTHER = 6


@dataclass(frozen=True)
class Choice:
    """One model: what the default took, and which fixed setting would have been best."""

    shape: str
    n: int
    seed: int
    kept_out: bool
    default: float | None
    best: float
    setting: str
    memory: float

    @property
    def regret(self) -> float:
        """How many times the best the default took; infinite if it did not finish."""
        return math.inf if self.default is None else self.default / self.best


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.zoo", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", metavar="SHAPE", help="only this shape (repeatable)")
    parser.add_argument(
        "--half", choices=("looked", "kept"), help="only the half to look at, or only the half kept out"
    )
    parser.add_argument("--seeds", type=int, default=1, help="how many models of each shape and size")
    parser.add_argument("--limit", type=float, default=LONGEST, help="seconds for a fixed setting")
    parser.add_argument("--results", type=Path, help="a file to which every model's line is added, as JSON")
    parser.add_argument("--peer", choices=PEERS, help="measure this program beside epistrat instead, on the same text")
    parser.add_argument("--with", dest="extra", default="", metavar="OPTIONS", help="options of epistrat, with --peer")
    options = parser.parse_args(arguments)
    if options.peer:
        return _beside(options)
    choices: list[Choice] = []
    wrong: list[str] = []
    for name in options.only or SHAPES:
        for seed in range(1, options.seeds + 1):
            if options.half is None or kept_out(name, seed) == (options.half == "kept"):
                found = _shape(name, seed, options.limit, wrong)
                choices += found
                if options.results:
                    with options.results.open("a", encoding="utf-8") as file:
                        file.writelines(json.dumps(asdict(one)) + "\n" for one in found)
    report(choices)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


def _beside(options: argparse.Namespace) -> int:
    """Another program on the same models."""
    found: list[beside.Pair] = []
    for name in options.only or SHAPES:
        for seed in range(1, options.seeds + 1):
            if options.half is None or kept_out(name, seed) == (options.half == "kept"):
                for pair in beside.pairs(PEERS[options.peer], name, _sizes(name), seed, options.extra.split()):
                    print(beside.line(pair), flush=True)
                    beside.write([pair], options.results)
                    found.append(pair)
    return beside.report(found)


def _shape(name: str, seed: int, limit: float, wrong: list[str]) -> list[Choice]:
    """Go up in size until the best setting takes long enough to tell settings apart; the last size that is decided counts."""
    found: list[Choice] = []
    for n in _sizes(name):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{name}.ispl"
            path.write_text(text(name, n, seed), encoding="utf-8")
            choice = _choose(name, n, seed, path, limit, wrong)
        if choice is None:
            break
        found = [choice] if choice.best >= SMALLEST else []
        if choice.best >= ENOUGH:
            break
    for choice in found:
        print(_line(choice), flush=True)
    return found


def _sizes(name: str) -> Iterator[int]:
    """The shape's sizes, and half as large again a few times."""
    n = 0
    for n in SHAPES[name].sizes:
        yield n
    for _ in range(FURTHER):
        n = n * 3 // 2
        yield n


def _choose(name: str, n: int, seed: int, path: Path, limit: float, wrong: list[str]) -> Choice | None:
    """Try every setting with what the best one so far took as limit; None if no setting decides the model in time."""
    verdicts: dict[str, list[str]] = {}
    best, setting, within = math.inf, "", limit
    for label, options in SETTINGS.items():
        run = measure.check(path, within, (*options, "--cores", "1"))
        if run.decided:
            verdicts[label] = run.verdicts
            if run.cpu < best:
                best, setting, within = run.cpu, label, max(1.0, 1.5 * run.cpu)
    if not verdicts:
        return None
    default = measure.check(path, max(3 * limit, 4 * best), ("--cores", "1"))
    if default.decided:
        verdicts["default"] = default.verdicts
    if len({tuple(one) for one in verdicts.values()}) > 1:
        wrong.append(f"{name}, n = {n}, seed {seed}: verdicts differ: {verdicts}")
    return Choice(
        name, n, seed, kept_out(name, seed), default.cpu if default.decided else None, best, setting, default.peak_mb
    )


def _line(choice: Choice) -> str:
    default = "unfinished" if choice.default is None else f"{choice.default:.2f} s"
    return (
        f"{choice.shape:22} n={choice.n:<4} seed {choice.seed}  best {choice.best:6.2f} s ({choice.setting}), "
        f"default {default}, regret {choice.regret:.2f}, {choice.memory:.0f} MB"
    )


def report(choices: Sequence[Choice]) -> None:
    """The distribution of regret, worst first."""
    if not choices:
        print("no model took long enough to count")
        return
    finished = [one.regret for one in choices if one.regret < math.inf]
    mean = math.exp(sum(map(math.log, finished)) / len(finished)) if finished else math.inf
    within = {bound: sum(one.regret <= bound for one in choices) / len(choices) for bound in (1.5, 2.0, 3.0)}
    print(
        f"\n{len(choices)} models, {len(choices) - len(finished)} unfinished; regret {mean:.2f} in the geometric mean"
    )
    print(", ".join(f"{share:.0%} within {bound:g}" for bound, share in within.items()))
    for one in sorted(choices, key=lambda one: -one.regret)[:10]:
        print("  " + _line(one))


if __name__ == "__main__":
    sys.exit(main())
