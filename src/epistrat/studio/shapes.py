"""What the page and the server say to each other, as types: what a call carries, what is answered, what is told meanwhile.

The page's own types (``studio/src/types.ts``) are made from these by `typescript`; a test compares them.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Value: TypeAlias = bool | int | str
State: TypeAlias = dict[str, Value]
Joint: TypeAlias = dict[str, str]
Verdict: TypeAlias = Literal["holds", "fails", "unknown"]


# Systems and runs


class Run(TypedDict):
    """States, and the joint actions between them."""

    states: list[State]
    actions: list[Joint]


class Agent(TypedDict):
    """An agent: what it can do, has and sees."""

    name: str
    actions: list[str]
    variables: list[str]
    sees: list[str]


class Variable(TypedDict):
    """A variable; its label is short where that is clear."""

    key: str
    agent: str
    name: str
    label: str
    domain: str


class System(TypedDict):
    """Names: who there is, what each sees and can do."""

    agents: list[Agent]
    variables: list[Variable]
    groups: dict[str, list[str]]
    propositions: list[str]
    interleaved: bool


# What is said while a person types


class Place(TypedDict("Place", {"from": int, "to": int})):
    """A range of the text, in UTF-16 units."""


class Edit(Place):
    """What to write in place of a range."""

    insert: str


class Fix(TypedDict):
    """A way to mend the text."""

    title: str
    edits: list[Edit]


class Message(TypedDict):
    """A message about the model."""

    code: str
    severity: Literal["error", "warning"]
    message: str
    label: str | None
    notes: list[str]
    line: int | None
    column: int | None


class Diagnostic(Message, Place):
    """A message with its range in the text and ways to mend it."""

    fixes: list[Fix]


class Formula(Place):
    """A formula to check."""

    index: int
    text: str
    name: str


class OutlineEntry(Place):
    """A line of the outline; the range is that of its name."""

    name: str
    kind: str
    detail: str
    children: list[OutlineEntry]


class Parameter(TypedDict):
    """A parameter: its usual value and its range; null where that has no end."""

    name: str
    value: int
    least: int | None
    most: int | None


class Token(Place):
    """A word whose kind the page cannot tell by itself."""

    kind: str


class Analysis(TypedDict):
    """Everything that is shown while a person types."""

    diagnostics: list[Diagnostic]
    formulae: list[Formula]
    outline: list[OutlineEntry]
    parameters: list[Parameter]
    tokens: list[Token]
    ok: bool


class Offer(Place):
    """What could stand at a place: what is shown, and what is written in place of the range, perhaps with fields to fill in."""

    label: str
    kind: str
    detail: str
    insert: str
    snippet: bool


class Hover(Place):
    """What is known of a word, in Markdown."""

    text: str


class LaidOut(TypedDict):
    """The text in its canonical layout."""

    text: str


# Pictures and explanations


class Node(TypedDict):
    """A state that is drawn, or, put together by the page, so many alike."""

    id: str
    lines: list[str]
    marks: list[str]
    state: State
    many: NotRequired[int]


Edge = TypedDict(
    "Edge", {"from": str, "to": str, "label": str, "kind": Literal["step", "alike"], "joint": Joint | None}
)


class Picture(TypedDict):
    """States as nodes, steps and look-alikes as edges."""

    nodes: list[Node]
    edges: list[Edge]


class Moment(TypedDict):
    """A state of a run, what was done to get to it, and what is worth saying of it."""

    index: int
    state: State
    joint: Joint | None
    acts: list[str]
    facts: list[str]
    changed: bool
    noticed: str


class Scene(TypedDict):
    """Moments of a run; from the last it goes on at ``loop``."""

    title: str
    moments: list[Moment]
    loop: int | None
    omitted: int


class Rule(TypedDict):
    """When an agent does what."""

    when: str
    do: str


class Policy(TypedDict):
    """The rules of one agent, in words."""

    agent: str
    uniform: bool
    rules: list[Rule]


class SayBlock(TypedDict):
    """A paragraph."""

    kind: Literal["say"]
    text: str


class SceneBlock(Scene):
    """A run."""

    kind: Literal["scene"]


class CompareBlock(TypedDict):
    """Two runs that look the same to some agents."""

    kind: Literal["compare"]
    left: Scene
    right: Scene
    agents: list[str]
    shared: list[str]


class RulesBlock(TypedDict):
    """A strategy."""

    kind: Literal["rules"]
    policies: list[Policy]


class DetailBlock(TypedDict):
    """What is shown on demand."""

    kind: Literal["detail"]
    title: str
    blocks: list[Block]


Block: TypeAlias = SayBlock | SceneBlock | CompareBlock | RulesBlock | DetailBlock


class Explanation(TypedDict):
    """Why a formula holds or fails: a sentence, details, and the states it speaks of."""

    sentence: str
    blocks: list[Block]
    picture: Picture


# Answers


class Result(TypedDict):
    """An answer with its explanations."""

    index: int
    text: str
    name: str
    verdict: Verdict
    engine: str | None
    seconds: float
    why: str
    reason: str | None
    advice: str
    notes: list[str]
    trivial: str | None
    property: str | None
    rechecked: list[str]
    complete: bool
    explanations: list[Explanation]
    path: Run | None


class Facts(TypedDict):
    """What is known of the states; a number too large for the page is a text."""

    states: int | str | None
    dead_ends: str | None
    reason: str | None


class Plan(TypedDict):
    """A strategy: its rules, what can happen under it, where it starts, and how it was checked."""

    strategy: Any
    complete: bool
    policies: list[Policy]
    picture: Picture
    starts: list[State]
    everywhere: bool
    verified: Verdict | None
    entangled: str | None


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

    ``initially``: it begins in an initial state.
    """

    system: System
    initial: list[State]
    more_initial: bool
    run: Run
    initially: bool
    acts: list[list[str]]
    steps: list[Step]
    more_steps: bool
    true: list[str]
    why: list[Fired]
    remark: str


class PlayHere(Here):
    """Where a run under a strategy has led to, and what the strategy does there."""

    choice: Joint | None
    members: list[str]


class Knowledge(TypedDict):
    """What an agent sees and knows, and the states that look like this one to it."""

    agent: str
    sees: State
    count: int | None
    knows: list[str]
    knows_not: list[str]
    unsure: list[str]
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
    """A state that agents consider possible, and from which world of the moment before it came, if from any."""

    state: State
    origin: int | None


class WorldsOfMoment(TypedDict):
    """The worlds of a moment, the actual one first; there may be ``more``."""

    worlds: list[World]
    more: bool


class Kripke(TypedDict):
    """What agents consider possible at each moment of a run."""

    system: System
    observers: list[str]
    moments: list[WorldsOfMoment]


# Calls: the text with its sizes, and what is wanted


class Call(TypedDict):
    """The text that a call is about, and which of the desk's texts it is: what it includes lies beside the file of that."""

    text: str
    name: str
    paper: NotRequired[str]
    parameters: NotRequired[dict[str, int]]


class AtOffset(Call):
    """A place in the text."""

    offset: int


class OnRun(Call):
    """A run so far; ``asked`` names the question, so that it can be given up."""

    asked: NotRequired[str]
    run: NotRequired[Run | None]


class Walk(OnRun):
    """How to go on."""

    start: NotRequired[int]
    take: NotRequired[int]
    back: NotRequired[int]
    random: NotRequired[int]
    seek: NotRequired[str]


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
    """Which formulae to check: all, or those with these numbers."""

    only: NotRequired[list[int]]
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
    layout: Call
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
    layout: LaidOut
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
    """The text was read."""

    event: Literal["loaded"]
    system: System
    questions: list[Question]


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
    result: Result
    plans: list[Plan]


class Drawn(TypedDict):
    """The graph of all states."""

    event: Literal["graph"]
    system: System
    picture: Picture


class Finished(TypedDict):
    """How the work ended."""

    event: Literal["finished"]
    how: str
    reason: str
    facts: NotRequired[Facts]
    seconds: NotRequired[float]


Event: TypeAlias = (
    Stage | Paged | Loaded | Progress | Answered | Warned | Withdrawn | Remark | StrategyTold | Drawn | Finished
)


# The desk


class PaperData(TypedDict):
    """A text on the desk; ``saved`` is what its file held when it was read, ``draft``: it is kept, but not in its file.

    Versions are names of texts: of this one, of the file's, and of the file's from which this one was made (``base``).  ``by`` is the page
    that wrote it.
    """

    id: str
    name: str
    text: str
    file: str | None
    saved: str | None
    touched: float
    encoding: str
    version: str
    saved_version: str
    base: str
    draft: bool
    by: str


class Closed(TypedDict):
    """A text that was closed and can be opened again."""

    id: str
    name: str


class Example(TypedDict):
    """A model to begin with."""

    name: str
    title: str
    story: str


class Choice(TypedDict):
    """What the form offers for a setting: its words and its values."""

    words: str
    values: list[str]


class Settings(TypedDict):
    """What the form offers; without a value a setting is as usual."""

    engine: Choice
    strategies: Choice
    choices: Choice
    blocking: Choice
    scheduling: Choice


class DeskData(TypedDict):
    """What lies on the desk, and what else there is."""

    version: str
    papers: list[PaperData]
    examples: list[Example]
    settings: Settings
    operators: list[str]
    closed: list[Closed]
