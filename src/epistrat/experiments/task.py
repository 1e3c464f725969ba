"""One check as a value: which model, with which parameters, which formulae, within which limits."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epistrat.answers import Misuse, Report, Setting
from epistrat.render.wording import Wording
from epistrat.service import CheckRequest, File, Text, ask_child, asking
from epistrat.service.flags import settings_of

if TYPE_CHECKING:
    from epistrat.children.child import Child, Usage

COMMAND = (sys.executable, "-c", "from epistrat.cli.main import run; run()")
"""The command ``epistrat`` of this installation, whatever the PATH says."""


@dataclass(frozen=True)
class Task:
    """A check of one model; ``text`` is its source, so that a machine without the file can do it too.

    ``only`` names the formulae (all, if empty); ``options`` are passed to ``epistrat check`` as they are.
    """

    model: str
    text: str
    parameters: tuple[tuple[str, str], ...] = ()
    only: str = ""
    options: tuple[str, ...] = ()
    seconds: float = 60.0
    memory: str = ""

    @property
    def key(self) -> str:
        """What identifies the task: equal keys ask the same question under the same limits."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()

    @property
    def question(self) -> str:
        """What is asked, whatever the limits: an answer under smaller limits is an answer under larger ones."""
        return replace(self, seconds=0.0, memory="").key

    @property
    def name(self) -> str:
        """The task in a few words."""
        return " ".join(
            [Path(self.model).stem, *(f"{name}={value}" for name, value in self.parameters), self.only]
        ).strip()

    def request(self) -> CheckRequest:
        """What is asked; where the file is not there, or another one by now, of the text."""
        given: dict[str, Any] = {**settings_of(self.options), "time": self.seconds}
        if given.get("proof") is not None:
            raise Misuse("{} keeps the proofs of one check; a sweep makes many", Setting("proof"))
        given |= {"only": self.only} if self.only else {}
        given |= {"memory": self.memory} if self.memory else {}
        parameters = {name: int(value) for name, value in self.parameters}
        path = Path(self.model)
        there = path.is_file() and path.read_text(encoding="utf-8", errors="replace") == self.text
        model = File(self.model, parameters) if there else Text(self.text, path.name, parameters)
        return asking.request(CheckRequest, model, given)


@dataclass(frozen=True)
class Said:
    """The answer to one formula, and the CPU seconds that it took; None where they were not measured."""

    formula: str
    label: str
    verdict: str
    reason: str | None = None
    cpu: float | None = None

    @property
    def decided(self) -> bool:
        """Whether this is an answer."""
        return self.verdict in ("holds", "fails")


@dataclass(frozen=True)
class Measured:
    """What came of a task: the verdicts, and what they took.  Without verdicts, ``complaint`` says what went wrong."""

    verdicts: tuple[Said, ...]
    cpu: float
    wall: float
    peak_mb: float
    states: str | None = None
    complaint: str = ""

    @property
    def decided(self) -> bool:
        """Whether there is an answer to every formula."""
        return bool(self.verdicts) and all(one.decided for one in self.verdicts)

    @classmethod
    def of(cls, report: Report, usage: Usage) -> Measured:
        """What a report says.

        The states are those reachable or, where an engine looked at fewer and says so, or did not count all, those it looked at.
        Numbers of them are kept as text: they are larger than databases and tables can hold.
        """
        verdicts = tuple(
            Said(one.text, str(one.name or one.index), one.verdict.value, one.reason, round(one.cpu, 6))
            for one in report.results
        )
        work = [one.statistics for one in report.results]
        explored = max((one["states"] for one in work if one.get("states")), default=None)
        fewer = report.facts.states is None or (bool(work) and all(one.get("reduced") for one in work))
        states = explored if fewer else report.facts.states
        return cls(
            verdicts,
            round(usage.cpu, 3),
            round(usage.wall, 3),
            round(usage.peak_mb, 1),
            None if states is None else str(states),
            "" if verdicts else _complaint(report),
        )

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Measured:
        """The value that `dataclasses.asdict` made plain data of."""
        return cls(**{**data, "verdicts": tuple(Said(**one) for one in data["verdicts"])})


def _complaint(report: Report) -> str:
    """Why there is no verdict, in words: what is wrong with the model comes first."""
    wrong = [one.message for one in report.diagnostics if one.is_error]
    ending = report.ending
    return "; ".join(wrong) or Wording.SHELL.text(ending.reason or "there are no formulae", ending.settings)


def measure(task: Task, begun: Callable[[Child], None] = lambda child: None) -> Measured:
    """Do the task in a process of its own, which is killed if it overruns its limit; ``begun`` may keep the process, to end it."""
    try:
        request = task.request()
    except (Misuse, TypeError) as wrong:
        return Measured((), 0.0, 0.0, 0.0, None, str(wrong))
    report, _, usage = ask_child(request, begun=begun)
    return Measured.of(report, usage)
