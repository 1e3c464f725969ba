"""Running a suite: every case several times, each in a process of its own, and the peers beside it."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from epistrat.experiments import peers
from epistrat.experiments.peers import Peer
from epistrat.experiments.suite import Case, Suite
from epistrat.experiments.task import Measured, measure


@dataclass(frozen=True)
class Row:
    """A case and its runs; ``beside`` are the peers' runs in the same minute on the same machine."""

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
        """The number of reachable states, where it was found."""
        return self.runs[0].states

    @property
    def verdicts(self) -> tuple[str, ...]:
        """What the first run said, formula by formula."""
        return tuple(one.verdict for one in self.runs[0].verdicts)

    @property
    def decided(self) -> bool:
        """Whether all formulae were decided in all runs."""
        return all(run.verdicts and all(one.verdict in ("holds", "fails") for one in run.verdicts) for run in self.runs)

    @property
    def problem(self) -> str:
        """What is wrong with the answers; empty if they are as expected, the same in all runs and the same as the peers'."""
        if not self.runs[0].verdicts:
            return f"no verdict: {self.runs[0].complaint}"
        if any(tuple(one.verdict for one in run.verdicts) != self.verdicts for run in self.runs):
            return "WRONG: two runs differ"
        if self.case.expected and self.verdicts != self.case.expected:
            return f"WRONG: {', '.join(self.verdicts)} instead of {', '.join(self.case.expected)}"
        for name, run in self.beside:
            said = tuple(one.verdict for one in run.verdicts)
            if self.decided and len(said) == len(self.verdicts) and said != self.verdicts:
                return f"WRONG: {name} says {', '.join(said)}"
        return "" if self.decided else "not decided within the limit"

    def ratio(self, peer: str) -> float | None:
        """How many times slower the peer is; a lower bound if it did not finish."""
        run = dict(self.beside).get(peer)
        return None if run is None or not self.decided else run.cpu / self.cpu


def run(suite: Suite, *, repeats: int | None = None, beside: Sequence[Peer] = ()) -> Iterator[Row]:
    """Measure the cases one after the other, never two at a time."""
    for case in suite.cases:
        runs = tuple(measure(case.task) for _ in range(repeats or suite.repeats))
        plain = peers.plain_ispl(case.task) if beside else None
        others = (
            () if plain is None else tuple((one.name, peers.measure(one, plain, case.task.seconds)) for one in beside)
        )
        yield Row(case, runs, others)
