"""Pictures, runs, explanations and answers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from epistrat.studio.shapes.texts import Joint, Run, State, Verdict

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
