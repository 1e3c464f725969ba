"""What is told while a request is served, as frozen values that pickle.  `epistrat.service.gather` makes a report of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from epistrat.answers import DONE, NOTHING_KNOWN, Difference, Ending, Facts, Question, Result
from epistrat.explain.words import number
from epistrat.model.system import System
from epistrat.model.transform.recall import Recalling
from epistrat.records import dataclass, field
from epistrat.source import Diagnostic, Span


@dataclass(frozen=True, slots=True)
class Loaded:
    """The text is a model; these questions will be answered.  ``recall`` and ``program``: see `epistrat.answers.Report`."""

    system: System = field(repr=False)
    questions: tuple[Question, ...] = ()
    recall: Recalling | None = None
    program: System | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done, with counts that grow; ``number`` says for which question of how many (``of``)."""

    phase: str
    counts: Mapping[str, int | float | str] = field(default_factory=dict)
    number: int = 0
    of: int = 0

    def __str__(self) -> str:
        """The phase, then the counts, large ones rounded."""
        counts = [f"{name.replace('_', ' ')} {_short(value)}" for name, value in self.counts.items()]
        return "   ".join([self.phase, *counts])


@dataclass(frozen=True, slots=True)
class Answered:
    """A question is answered."""

    result: Result


@dataclass(frozen=True, slots=True)
class Warned:
    """There is a message about the model."""

    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The states show that messages with this code were unfounded: all of them, or those about these places."""

    code: str
    places: tuple[Span, ...] | None = None

    def concerns(self, diagnostic: Diagnostic) -> bool:
        """Whether this message is withdrawn."""
        return diagnostic.code == self.code and (self.places is None or diagnostic.span in self.places)


@dataclass(frozen=True, slots=True)
class Produced:
    """What was asked for is here: a description, a strategy, a graph, a run."""

    value: object = field(repr=False)


@dataclass(frozen=True, slots=True)
class Finished:
    """Nothing more will be told.  ``differences``: see `epistrat.answers.Report`."""

    ending: Ending = DONE
    facts: Facts = NOTHING_KNOWN
    statistics: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, compare=False, repr=False)
    differences: tuple[Difference, ...] | None = None


Event: TypeAlias = Loaded | Progress | Answered | Warned | Withdrawn | Produced | Finished
Send: TypeAlias = Callable[[Event], None]
_PACE = 0.1
"""Seconds between two progress events of one phase."""


def _short(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, int) and abs(value) < 10**7:
        return number(value)
    digits = str(int(value))
    return f"{digits[0]}.{digits[1]}e{len(digits) - 1}" if abs(value) >= 10**7 else f"{value:.3g}"


def paced(send: Send) -> Send:
    """Passes on a few progress events a second, those of a new phase always, and everything else."""
    last = Progress("")
    at = 0.0

    def pass_on(event: Event) -> None:
        nonlocal last, at
        if isinstance(event, Progress):
            now = time.monotonic()
            if (event.phase, event.number) == (last.phase, last.number) and now - at < _PACE:
                return
            last, at = event, now
        send(event)

    return pass_on


def ignore(_: Event) -> None:
    """A listener that needs nothing but the report."""
