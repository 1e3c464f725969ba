"""Values, systems and what an editor is told about a text."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

Value: TypeAlias = bool | int | str
State: TypeAlias = dict[str, Value]
Joint: TypeAlias = dict[str, str]
Verdict: TypeAlias = Literal["holds", "fails", "unknown"]


# Systems and runs


class Run(TypedDict):
    """States, and the joint actions between them."""

    states: list[State]
    actions: list[Joint]


class Said(TypedDict):
    """What was announced on a run, and at which of its moments."""

    moment: int
    formula: str


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
    parts: str


class Parts(TypedDict):
    """Which version of the files that a text includes there is; empty where it includes none."""

    parts: str


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
