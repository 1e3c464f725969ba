"""A random sample of generated bugs: each is planted in a copy of the tree and the tests that run its statement are run.

Every kind of bug is drawn as often as every other, so that rare kinds (a memo key) count as much as frequent ones (a negated
condition).  The same seed and source give the same sample.
"""

from __future__ import annotations

import hashlib
import json
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.catalogue import SOURCE
from tests.mutants.generated.candidates import Candidate, compiles
from tests.mutants.generated.recording import Recording
from tests.mutants.tree import PASSED, Tree

FIRST, OWN, MOST = 6.0, 30.0, 60.0
"""Seconds of processor time, as recorded: for the cheapest tests of all, then for those of the bug's own part, then altogether."""

_TWICE_AND = (2.5, 15)
"""A run may take so many times the recorded time and so many seconds more; then the clock has seen the bug."""

_PARTS = {
    "engines/abstraction": ("abstraction", "engines"),
    "engines/explicit": ("explicit", "asynchronous", "engines"),
    "engines/lazy": ("lazy", "proving", "engines"),
    "engines/reference": ("reference", "engines"),
    "engines/symbolic/uniform": ("uniform", "engines"),
    "engines/symbolic/linear": ("symbolic_linear", "engines"),
    "engines": ("engines", "symbolic", "evidence"),
    "proving": ("proving", "lazy", "engines"),
    "encoding/smt": ("smt", "encoding", "lazy"),
    "encoding": ("encoding", "symbolic", "engines"),
    "evidence": ("evidence",),
    "jobs": ("jobs", "pipeline"),
    "service": ("service", "pipeline"),
    "lang/families": ("lang",),
}
"""Which folders of tests are a part's own; the longest beginning of a file's name counts."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a bug: killed (by which test), killed by the clock, survived, crashed, or not run by any test."""

    bug: Candidate
    word: str
    by: str = ""
    tests: int = 0
    seconds: float = 0.0

    @property
    def killed(self) -> bool:
        """Whether the tests saw it."""
        return self.word in ("killed", "clock")


def drawn(found: Iterable[Candidate], count: int, seed: int, source: Path) -> list[Candidate]:
    """A sample: a kind of bug at random, then one of that kind, again and again."""
    rng = random.Random(seed)
    kinds: dict[str, list[Candidate]] = defaultdict(list)
    for one in found:
        kinds[one.operator].append(one)
    for (
        members
    ) in kinds.values():  # by what each is: a change elsewhere in the source leaves most of the sample as it was
        members.sort(key=lambda one: hashlib.sha256(f"{seed} {one.name}".encode()).digest())
    result: list[Candidate] = []
    while len(result) < count and any(kinds.values()):
        members = kinds[rng.choice(sorted(kinds))]
        while members and not compiles(members[-1], source):
            members.pop()
        if members:
            result.append(members.pop())
    return result


def chosen_tests(bug: Candidate, recorded: Recording) -> list[tuple[str, float]]:
    """The tests that run the bug's statement, with their times: a few of the cheapest, the part's own, and then the others.

    What is no function's statement runs when the file is imported: all tests that run something of the file count.  A
    statement that is new since the recording has the tests of its function.
    """
    keys = [bug.statement]
    if not bug.function or bug.statement not in recorded.numbers:
        keys = [key for key in recorded.numbers if key.startswith(f"{bug.file}|{bug.function}")]
    waiting = sorted(recorded.running(keys).items(), key=lambda pair: (pair[1], pair[0]))
    own = tuple(f"tests/{folder}/" for folder in _own_folders(bug.file))
    chosen = _as_long_as(waiting, FIRST)
    chosen |= _as_long_as([pair for pair in waiting if pair[0].startswith(own) and pair[0] not in chosen], OWN)
    rest = MOST - sum(chosen.values())
    return list((chosen | _as_long_as([pair for pair in waiting if pair[0] not in chosen], rest)).items())


def _own_folders(file: str) -> tuple[str, ...]:
    return next((_PARTS[part] for part in sorted(_PARTS, key=len, reverse=True) if file.startswith(part)), ())


def _as_long_as(tests: Iterable[tuple[str, float]], seconds: float) -> dict[str, float]:
    result: dict[str, float] = {}
    for test, took in tests:
        seconds -= took
        if seconds < 0:
            break
        result[test] = took
    return result


def attempt(tree: Tree, bug: Candidate, recorded: Recording) -> Fate:
    """Plant the bug, run its tests in growing portions until one fails, and take it out again."""
    tests = chosen_tests(bug, recorded)
    if not tests:
        return Fate(bug, "not run")
    text = bug.planted(tree.text(SOURCE / bug.file))
    started = time.monotonic()
    for portion in _portions(tests):
        word, by = _seen(tree, portion, (SOURCE / bug.file, text))
        if word != "survived":
            return Fate(bug, word, by, len(tests), time.monotonic() - started)
    return Fate(bug, "survived", "", len(tests), time.monotonic() - started)


def _seen(tree: Tree, tests: list[tuple[str, float]], change: tuple[Path, str]) -> tuple[str, str]:
    """Whether some of the tests see a bug, and which.

    A process that ends without saying which test failed has seen nothing yet: memory may have run out, or a library may have failed.
    It counts if it does so twice, and not without the bug.
    """
    for again in (False, True):
        status, said = run(tree, tests, change)
        if status is None:
            return "clock", ""
        if status == PASSED:
            return "survived", ""
        by = next((line.split(" ")[1] for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))), "")
        if by:
            return "killed", by
        if again and run(tree, tests)[0] == PASSED:
            return "killed", f"the process ended twice: {said[-200:]}"
    return "crashed", said[-200:]


def run(tree: Tree, tests: list[tuple[str, float]], change: tuple[Path, str] | None = None) -> tuple[int | None, str]:
    """Run some tests in a tree, perhaps with another text in one file."""
    limit = _TWICE_AND[0] * sum(seconds for _, seconds in tests) + _TWICE_AND[1]
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as chosen:
        json.dump([test for test, _ in tests], chosen)
        chosen.flush()
        files = dict.fromkeys(test.partition("::")[0] for test, _ in tests)
        arguments = ["-p", "tests.mutants.generated.selection", "--chosen", chosen.name, *files]
        return tree.test(arguments, limit) if change is None else tree.test_with(*change, arguments, limit)


def _portions(tests: list[tuple[str, float]]) -> Iterator[list[tuple[str, float]]]:
    """The tests in order, each portion taking three times as long as the one before."""
    size, portion, took = 2.0, [], 0.0
    for test, seconds in tests:
        portion.append((test, seconds))
        took += seconds + 0.01
        if took > size:
            yield portion
            size, portion, took = 3 * size, [], 0.0
    if portion:
        yield portion
