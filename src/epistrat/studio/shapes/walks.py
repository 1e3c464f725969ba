"""What is shown of a state, a run and the worlds that look alike."""

from __future__ import annotations

from typing import TypedDict

from epistrat.studio.shapes.answers import Picture
from epistrat.studio.shapes.texts import Joint, Message, Run, Said, State, System

# The simulator


class Step(TypedDict):
    """A step that is possible here."""

    joint: Joint
    acts: list[str]
    target: State
    changes: list[str]


class Fired(TypedDict):
    """The lines of an agent that the last step executed."""

    agent: str
    lines: list[str]


class Here(TypedDict):
    """Where a run has led to, what is possible and what is true there, and which lines the last step executed.

    ``initially``: it begins in an initial state; ``said``: what was announced on it; ``parts``: which version of what the text
    includes it is about.
    """

    system: System
    initial: list[State]
    more_initial: bool
    run: Run
    said: list[Said]
    initially: bool
    acts: list[list[str]]
    steps: list[Step]
    more_steps: bool
    true: list[str]
    why: list[Fired]
    remark: str
    parts: str


class PlayHere(Here):
    """Where a run under a strategy has led to, and what the strategy does there."""

    choice: Joint | None
    members: list[str]


class Knowledge(TypedDict):
    """What an agent sees and knows, and the states that look like this one to it; ``reading`` says what it compares.

    ``undecided``: what was not found out in time.
    """

    agent: str
    reading: str
    sees: State
    count: int | None
    knows: list[str]
    knows_not: list[str]
    unsure: list[str]
    undecided: list[str]
    states: list[State]


class Truth(TypedDict):
    """Whether a formula is true here; null where no engine could tell."""

    true: bool | None
    diagnostics: list[Message]


class Explored(TypedDict):
    """A part of the graph of states; those in ``open`` may have more steps, and there may be more initial states."""

    system: System
    picture: Picture
    open: list[str]
    more_initial: bool


class FilmRow(TypedDict):
    """A formula, whether it is true at each moment (null where that was not found out), or why it cannot be asked."""

    formula: str
    cells: list[bool | None]
    problem: str


class Film(TypedDict):
    """What is true at each moment of a run: formulae that are watched, and the names of propositions."""

    rows: list[FilmRow]
    true: list[list[str]]


class World(TypedDict):
    """A state that agents consider possible, and from which world of the moment before it came, if from any.

    ``marks``: for each observer a number that worlds share which look the same to it; ``out``: what was said at this moment rules it out.
    """

    state: State
    origin: int | None
    marks: list[int]
    out: bool


class WorldsOfMoment(TypedDict):
    """The worlds of a moment, the actual one first; there may be ``more``."""

    worlds: list[World]
    more: bool


class Kripke(TypedDict):
    """What agents consider possible at each moment of a run."""

    system: System
    observers: list[str]
    moments: list[WorldsOfMoment]
