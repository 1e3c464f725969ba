"""What is told while a question is answered."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from epistrat.studio.shapes.answers import Facts, Picture, Plan, Result
from epistrat.studio.shapes.texts import Message, System

# What is told of work that takes time


class Stage(TypedDict):
    """Where the work stands; ``over`` is the last event of all."""

    event: Literal["waiting", "started", "over"]


class Paged(TypedDict):
    """There is a page with all answers; the server keeps it."""

    event: Literal["report"]
    html: NotRequired[str]
    address: NotRequired[str]


class Question(TypedDict):
    """A formula that will be answered."""

    index: int
    text: str
    name: str


class Loaded(TypedDict):
    """The text was read, with this version of what it includes; nothing is said of that where it changed meanwhile."""

    event: Literal["loaded"]
    system: System
    questions: list[Question]
    parts: str | None


class Progress(TypedDict):
    """What is being done: the how many-th of how many."""

    event: Literal["progress"]
    text: str
    number: int
    of: int


class Answered(TypedDict):
    """A formula was answered."""

    event: Literal["answered"]
    result: Result


class Warned(TypedDict):
    """There is something to say about the model."""

    event: Literal["warned"]
    diagnostic: Message


class Withdrawn(TypedDict):
    """Of what was said about the model only this is still so."""

    event: Literal["withdrawn"]
    left: list[Message]


class Remark(TypedDict):
    """Something to say about the work."""

    event: Literal["remark"]
    text: str


class StrategyTold(TypedDict):
    """What was found out about a goal, and strategies for it."""

    event: Literal["strategy"]
    system: System
    parts: str | None
    result: Result
    plans: list[Plan]


class Drawn(TypedDict):
    """The graph of all states."""

    event: Literal["graph"]
    system: System
    parts: str | None
    picture: Picture


class Differing(TypedDict):
    """A verdict that is not what the text expects; ``index`` is the number of the formula, where it is about one."""

    words: str
    index: int | None


class Finished(TypedDict):
    """How the work ended, and, where that was asked for, what is not as expected."""

    event: Literal["finished"]
    how: str
    reason: str
    facts: NotRequired[Facts]
    seconds: NotRequired[float]
    differing: NotRequired[list[Differing]]


Event: TypeAlias = (
    Stage | Paged | Loaded | Progress | Answered | Warned | Withdrawn | Remark | StrategyTold | Drawn | Finished
)
