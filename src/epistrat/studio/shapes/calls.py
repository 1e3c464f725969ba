"""What the page asks, and which question has which answer."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from epistrat.studio.shapes.texts import Analysis, Edit, Hover, LaidOut, Offer, Parts, Place, Run, Said, State
from epistrat.studio.shapes.walks import Explored, Film, Here, Knowledge, Kripke, PlayHere, Truth

# Calls: the text with its sizes, and what is wanted


class Call(TypedDict):
    """The text that a call is about, and which of the desk's texts it is: what it includes lies beside the file of that.

    ``parts``: which version of what it includes is meant; where there is another one now, questions about runs are refused.
    """

    text: str
    name: str
    paper: NotRequired[str]
    parts: NotRequired[str]
    parameters: NotRequired[dict[str, int]]


class AtOffset(Call):
    """A place in the text."""

    offset: int


class Renaming(AtOffset):
    """A place in the text, and another name for what it names."""

    to: str


class OnRun(Call):
    """A run so far, and what was announced on it; ``asked`` names the question, so that it can be given up."""

    asked: NotRequired[str]
    run: NotRequired[Run | None]
    said: NotRequired[list[Said]]


class Walk(OnRun):
    """How to go on."""

    start: NotRequired[int]
    take: NotRequired[int]
    back: NotRequired[int]
    random: NotRequired[int]
    seek: NotRequired[str]
    say: NotRequired[str]


class Know(OnRun):
    """Whose knowledge is asked for."""

    agent: str


class Whether(OnRun):
    """Which formula is asked about."""

    formula: str


class Watched(OnRun):
    """Which formulae are watched along a run."""

    formulae: list[str]


class Play(OnRun):
    """A strategy, and the others' choice."""

    strategy: Any
    take: NotRequired[int]


class Explore(Call):
    """Which states to look into, or from which initial state on, and who looks; ``asked`` names the question."""

    asked: NotRequired[str]
    states: NotRequired[list[State]]
    begin: NotRequired[int]
    agent: NotRequired[str]


class Graph(Call):
    """The graph of all states, within so many seconds."""

    time: NotRequired[float]


class Asked(Graph):
    """Settings of a request; one that is not given is as usual."""

    engine: NotRequired[str]
    strategies: NotRequired[str]
    choices: NotRequired[str]
    blocking: NotRequired[str]
    scheduling: NotRequired[str]


class Check(Asked):
    """Which formulae to check: all, those with these numbers, or others; up to how many pieces of evidence are wanted for each.

    ``expect``: the verdicts are compared with those that the text expects.
    """

    only: NotRequired[list[int]]
    formulae: NotRequired[list[str]]
    expect: NotRequired[bool]
    examples: NotRequired[int]
    deadlock: NotRequired[bool]


class Seek(Asked):
    """The formula that a strategy is sought for."""

    formula: str


class Questions(TypedDict):
    """What is answered at once: what each question carries."""

    analyse: Call
    complete: AtOffset
    hover: AtOffset
    define: AtOffset
    occurrences: AtOffset
    rename: Renaming
    layout: Call
    parts: Call
    walk: Walk
    knows: Know
    truth: Whether
    film: Watched
    play: Play
    explore: Explore
    worlds: OnRun


class Answers(TypedDict):
    """What is answered to each question."""

    analyse: Analysis
    complete: list[Offer]
    hover: Hover | None
    define: Place | None
    occurrences: list[Place]
    rename: list[Edit]
    layout: LaidOut
    parts: Parts
    walk: Here
    knows: Knowledge
    truth: Truth
    film: Film
    play: PlayHere
    explore: Explored
    worlds: Kripke


class Errands(TypedDict):
    """What takes time: what each errand carries."""

    check: Check
    strategy: Seek
    graph: Graph
