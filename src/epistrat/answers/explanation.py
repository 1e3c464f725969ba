"""An explanation before it is laid out: a summary in one sentence, and blocks of sentences, runs, comparisons, rules and details."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from epistrat.answers.advice import Setting
from epistrat.evidence import Lasso
from epistrat.logic.formula import Formula
from epistrat.model.state import Act, Joint, State
from epistrat.records import dataclass, field
from epistrat.source import Position
from epistrat.terms import Expr, Value


@dataclass(frozen=True, slots=True)
class Focus:
    """What the reader wants to see: everything (``full``) or what matters; all agents or some; details how deep."""

    full: bool = False
    agents: tuple[str, ...] | None = None
    depth: int = 2


@dataclass(frozen=True, slots=True)
class Moment:
    """One point of a run: what was done to get here, what is shown of the state, and who notices the change.

    ``acts`` and ``facts`` are phrases; ``changed`` says whether the facts are changes since the last moment (or the start).  ``place`` is
    where in the model's text stands what was done, if that is known.
    """

    index: int
    state: State
    joint: Joint | None
    acts: tuple[str, ...]
    facts: tuple[str, ...]
    changed: bool
    noticed: str = ""
    place: Position | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Scene:
    """A run under a title.  ``loop`` is the moment to which it returns, None for a run that ends; ``omitted`` counts hidden changes."""

    title: str
    moments: tuple[Moment, ...]
    loop: int | None = None
    omitted: int = 0


@dataclass(frozen=True, slots=True)
class Truth:
    """The formula is true (``holds``) or false in the state, or, if there is a ``run``, on this run.

    ``lasting``: that is not due to runs that end (`epistrat.logic.lasting`).
    """

    formula: Formula
    holds: bool
    state: State
    run: Lasso | None = None
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class Extent:
    """Of the states that formulae range over, exactly ``count`` satisfy the formula.

    With ``alike``, only states count that these agents together cannot tell from ``state``.
    """

    formula: Formula
    count: int
    alike: tuple[str, ...] | None = None
    state: State | None = None


Assertion: TypeAlias = "Truth | Extent"
"""What a sentence says, in a form that can be checked; tests hold every sentence to it."""


@dataclass(frozen=True, slots=True)
class Say:
    """A sentence, a few, or a part of one, with what it asserts; ``more`` is what shows the rest, where something was left out."""

    text: str
    asserts: tuple[Assertion, ...] = ()
    more: Setting | None = None

    def within(self, before: str, after: str = "") -> Say:
        """The same inside a longer text."""
        return Say(f"{before}{self.text}{after}", self.asserts, self.more)


@dataclass(frozen=True, slots=True)
class Compare:
    """Two runs whose last states look the same to somebody; ``shared`` is what is seen in both."""

    left: Scene
    right: Scene
    agents: tuple[str, ...]
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Test:
    """The variable at a position has one of these values."""

    __test__ = False  # not a test case, whatever pytest thinks of the name
    position: int
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """When all the tests succeed (and ``condition``, if there is one, is true), do the action.  No tests: otherwise."""

    tests: tuple[Test, ...]
    action: Act
    condition: Expr | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of one agent; ``uniform`` if they read only what the agent sees."""

    agent: str
    rules: tuple[Rule, ...]
    uniform: bool = True

    def decide(self, state: Sequence[Value]) -> Act | None:
        """The action in a state, by the first rule that applies."""
        for rule in self.rules:
            if all(state[test.position] in test.values for test in rule.tests):
                return rule.action
        return None


@dataclass(frozen=True, slots=True)
class Rules:
    """What agents do when, as short rules."""

    policies: tuple[Policy, ...]


@dataclass(frozen=True, slots=True)
class Detail:
    """An explanation of something inside, which may be folded."""

    title: str
    blocks: tuple[Block, ...]


Block: TypeAlias = "Say | Scene | Compare | Rules | Detail"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a formula holds or fails: a phrase, what it asserts, and the whole story as far as ``focus`` asks for it."""

    formula: str
    holds: bool
    summary: str
    blocks: tuple[Block, ...] = field(default=())
    focus: Focus = Focus()
    asserts: tuple[Assertion, ...] = field(default=(), repr=False)

    @property
    def sentence(self) -> str:
        """The summary as a sentence."""
        return f"{self.summary[:1].upper()}{self.summary[1:]}."
