"""One check as a value: which model, with which parameters, which formulae, within which limits."""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from epistrat.experiments.process import GRACE, Run, execute

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

    def arguments(self, path: str) -> list[str]:
        """What follows ``epistrat check`` on the command line, for the model at that path."""
        said = [path, "--json", "--stats", "--time", f"{self.seconds:g}", *self.options]
        for name, value in self.parameters:
            said += ["--set", f"{name}={value}"]
        if self.only:
            said += ["--only", self.only]
        return said + (["--memory", self.memory] if self.memory else [])


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
    def of(cls, run: Run, seconds: float) -> Measured:
        """What a run said.

        The states are those reachable or, where an engine looked at fewer and says so, or did not count all, those it looked at.
        Numbers of them are kept as text: they are larger than databases and tables can hold.
        """
        results: Sequence[Mapping[str, Any]] = run.report["results"] if run.report else ()
        verdicts = tuple(
            Said(
                one["formula"],
                str(one.get("name") or one.get("index", place)),
                one["verdict"],
                one.get("reason"),
                one.get("cpu"),
            )
            for place, one in enumerate(results, start=1)
        )
        complaint = "" if verdicts else _complaint(run, seconds)
        work = [one.get("statistics", {}) for one in results]
        explored = max((one["states"] for one in work if one.get("states")), default=None)
        fewer = run.states is None or (bool(work) and all(one.get("reduced") for one in work))
        states = explored if fewer else run.states
        return cls(
            verdicts,
            round(run.cpu, 3),
            round(run.wall, 3),
            round(run.peak_mb, 1),
            None if states is None else str(states),
            complaint,
        )

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Measured:
        """The value that `dataclasses.asdict` made plain data of."""
        return cls(**{**data, "verdicts": tuple(Said(**one) for one in data["verdicts"])})


def _complaint(run: Run, seconds: float) -> str:
    """Why a run gave no verdict, in words: what its report says is wrong with the model comes first."""
    if not run.finished:
        return f"killed after {seconds:g} s"
    wrong = [one["message"] for one in (run.report or {}).get("diagnostics", ()) if one["severity"] == "error"]
    return "; ".join(wrong) or run.complaint or f"exit status {run.status}"


def measure(task: Task, started_as: Callable[[int], None] = lambda group: None) -> Measured:
    """Do the task in a process of its own, which is killed if it overruns its limit."""
    path = Path(task.model)
    if path.is_file() and path.read_text(encoding="utf-8", errors="replace") == task.text:
        return _run(task, str(path), started_as)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / f"{path.stem}.ispl"
        copy.write_text(task.text, encoding="utf-8")
        return _run(task, str(copy), started_as)


def _run(task: Task, path: str, started_as: Callable[[int], None]) -> Measured:
    run = execute([*COMMAND, "check", *task.arguments(path)], task.seconds + GRACE, started_as)
    return Measured.of(run, task.seconds)
