"""Agents: variables, what they observe, actions, protocol, evolution.

Conditions and right-hand sides are expressions whose variables carry their owner's name, so an agent's own ``x`` is
``Var(agent, "x")`` and an environment variable it sees is ``Var("Environment", "x")``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from epistrat.logic.formula import Formula
from epistrat.logic.show import show
from epistrat.records import dataclass
from epistrat.terms import Domain, Expr, Sort, Var

ENVIRONMENT = "Environment"

ActionSet: TypeAlias = tuple[str, ...]
ChoiceList: TypeAlias = tuple[ActionSet, ...]


@dataclass(frozen=True, slots=True)
class Variable:
    """A typed variable of an agent.  ``public`` marks the Environment's Obsvars, which everybody sees."""

    owner: str
    name: str
    domain: Domain
    public: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """The variable's identity within its system."""
        return self.owner, self.name

    @property
    def reference(self) -> Var:
        """An expression that denotes the variable's value."""
        return Var(self.owner, self.name, self.domain.sort)

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}"


@dataclass(frozen=True, slots=True)
class ProtocolLine:
    """Where ``condition`` holds of what the agent sees, it may do any of ``actions``.

    ``choices`` says what a strategy can choose there: sets of actions, each in the order of declaration.  It is empty where every action
    is a choice of its own (see `choices_among`); only lines of interleaved systems have others.
    """

    condition: Expr
    actions: tuple[str, ...]
    choices: ChoiceList = ()


@dataclass(frozen=True, slots=True)
class Assignment:
    """The agent's variable ``target`` becomes the value of ``value`` in the old state."""

    target: str
    value: Expr


@dataclass(frozen=True, slots=True)
class EvolutionLine:
    """The assignments are made together when ``guard`` holds of the old state and the joint action."""

    assignments: tuple[Assignment, ...]
    guard: Expr


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent.

    ``observes`` names the Environment's private variables that this agent sees (Lobsvars); the public ones every agent
    sees without saying so.  ``other`` holds the actions of the protocol's Other line, None where there is none, and ``other_choices``
    its choices as in `ProtocolLine`.  ``red`` is None where the agent has no red states.

    ``knows`` is what conditions of the protocol ask of the agent's knowledge: in them `asked` stands for each.  Where there is any, the
    agent is a knowledge-based program, which engines do not read: `epistrat.model.programs` makes an ordinary agent of it.
    """

    name: str
    variables: tuple[Variable, ...] = ()
    observes: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    protocol: tuple[ProtocolLine, ...] = ()
    other: tuple[str, ...] | None = None
    evolution: tuple[EvolutionLine, ...] = ()
    red: Expr | None = None
    other_choices: ChoiceList = ()
    knows: tuple[Formula, ...] = ()

    @property
    def is_environment(self) -> bool:
        """Whether this is the Environment."""
        return self.name == ENVIRONMENT

    @property
    def free(self) -> bool:
        """Whether any action may be done anywhere: an Environment that lists no protocol at all."""
        return self.is_environment and not self.protocol and self.other is None


def asked(agent: str, formula: Formula) -> Var:
    """What stands in a condition of the agent's protocol for a formula about its knowledge; no variable has such a name."""
    return Var(agent, f"?{show(formula, written_out=True)}", Sort.BOOLEAN)


def choices_among(declared: Sequence[str], sets: Iterable[Iterable[str]]) -> ChoiceList:
    """Sets of actions as `ProtocolLine` keeps them: in the order of declaration, none twice; empty if each is a single action."""
    wanted = [frozenset(one) for one in sets]
    found = tuple(dict.fromkeys(tuple(action for action in declared if action in one) for one in wanted))
    return found if any(len(one) > 1 for one in found) else ()
