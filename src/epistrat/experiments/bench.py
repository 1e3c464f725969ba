"""Running a suite: every case several times, each in a process of its own; variants and peers beside it."""

from __future__ import annotations

import compileall
import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from epistrat.experiments import peers
from epistrat.experiments.peers import Peer
from epistrat.experiments.suite import Case, Suite
from epistrat.experiments.task import Measured, Task, measure

PATIENCE = 3
"""A variant or a peer gets at least so many times what the case took: less would not tell who is faster."""

SLOWER, NOISE = 1.1, 0.1
"""A case has become slower if it takes so many times what it took, and so many seconds more."""

_ONE_STATE = """
Agent Only
    Actions = {rest};
    Protocol:
        Other : {rest};
    end Protocol
end Agent
InitStates
    true;
end InitStates
Formulae
    AG true;
end Formulae
"""


@dataclass(frozen=True)
class Row:
    """A case and its runs; ``beside`` are the runs of variants and peers in the same minute on the same machine."""

    case: Case
    runs: tuple[Measured, ...]
    beside: tuple[tuple[str, Measured], ...] = ()

    @property
    def cpu(self) -> float:
        """The median of CPU seconds."""
        return statistics.median(run.cpu for run in self.runs)

    @property
    def spread(self) -> float:
        """The largest over the smallest time."""
        return max(run.cpu for run in self.runs) / max(min(run.cpu for run in self.runs), 0.001)

    @property
    def peak_mb(self) -> float:
        """The most memory of all runs."""
        return max(run.peak_mb for run in self.runs)

    @property
    def states(self) -> str | None:
        """The number of states, where it was found: of those reachable, or of those that had to be looked at."""
        return self.runs[0].states

    @property
    def verdicts(self) -> tuple[str, ...]:
        """What the first run said, formula by formula."""
        return tuple(one.verdict for one in self.runs[0].verdicts)

    @property
    def decided(self) -> bool:
        """Whether all formulae were decided in all runs."""
        return all(run.decided for run in self.runs)

    @property
    def problem(self) -> str:
        """What is wrong with the answers; empty if they are as expected, the same in all runs and the same as others'."""
        if not self.runs[0].verdicts:
            return f"no verdict: {self.runs[0].complaint}"
        if any(tuple(one.verdict for one in run.verdicts) != self.verdicts for run in self.runs):
            return "WRONG: two runs differ"
        known = [pair for pair in zip(self.verdicts, self.case.expected, strict=False) if pair[0] in ("holds", "fails")]
        if any(said != meant for said, meant in known):
            return f"WRONG: {', '.join(self.verdicts)} instead of {', '.join(self.case.expected)}"
        for name, run in self.beside:
            said = tuple(one.verdict for one in run.verdicts)
            if self.decided and run.decided and len(said) == len(self.verdicts) and said != self.verdicts:
                return f"WRONG: {name} says {', '.join(said)}"
        reasons = [one.reason for run in self.runs for one in run.verdicts if one.reason]
        return "" if self.decided else f"not decided: {reasons[0]}" if reasons else "not decided within the limit"

    def ratio(self, other: str) -> float | None:
        """How many times slower the variant or peer is; a lower bound if it did not finish."""
        run = dict(self.beside).get(other)
        return None if run is None or not self.decided else run.cpu / self.cpu


def run(
    suite: Suite, *, repeats: int | None = None, beside: Sequence[Peer] = (), variants: bool = True
) -> Iterator[Row]:
    """Measure the cases one after the other, never two at a time."""
    for case in suite.cases:
        runs = tuple(measure(case.task) for _ in range(repeats or suite.repeats))
        patience = PATIENCE * max(one.cpu for one in runs)
        others: list[tuple[str, Measured]] = []
        for name, options in suite.variants if variants and case.compared else ():
            seconds = max(suite.variant_limit, patience)
            others.append((name, measure(replace(case.task, options=options, seconds=seconds))))
        for peer in beside:
            model = peers.written(peer, case.task)
            if model is not None:
                others.append((peer.name, peers.measure(peer, model, max(case.task.seconds, patience))))
        yield Row(case, runs, tuple(others))


def compile_program() -> None:
    """Compile the program as an installer does: in a folder of sources that Python may not write to, half of a start is compiling."""
    compileall.compile_dir(Path(__file__).parents[1], quiet=2)


def startup() -> float:
    """CPU seconds for a model of one state: what every figure contains."""
    return min(measure(Task("one_state.ispl", _ONE_STATE, seconds=30.0)).cpu for _ in range(3))


def misses(rows: Iterable[Row]) -> list[str]:
    """The cases that missed their figure; where cases differ in other parameters only (seeds), their median counts.

    A run without an answer counts as infinitely long.
    """
    groups = by_size(row for row in rows if row.case.figure is not None)
    return [
        f"{table}, {size}"
        for (table, size), group in groups.items()
        if statistics.median(row.cpu if row.decided else math.inf for row in group) > (group[0].case.figure or 0)
    ]


def by_size(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """The rows by their table and the value of the first parameter: several where cases differ in a seed."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.case.table, row.case.size), []).append(row)
    return groups


def slower(rows: Iterable[Row], before: Mapping[str, float]) -> list[str]:
    """The cases that take more than a tenth and a tenth of a second longer than CPU seconds measured before, by their names."""
    pairs = [(row, before[row.case.name]) for row in rows if row.case.name in before]
    return [
        f"{row.case.name}: {row.cpu:.2f} s instead of {old:.2f} s"
        for row, old in pairs
        if row.cpu > max(old * SLOWER, old + NOISE)
    ]
