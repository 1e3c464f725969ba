"""Agents: variables, what they observe, actions, protocol, evolution.

Conditions and right-hand sides are expressions whose variables carry their owner's name, so an agent's own ``x`` is
``Var(agent, "x")`` and an environment variable it sees is ``Var("Environment", "x")``.
"""

from __future__ import annotations

from dataclasses import dataclass

from epistrat.terms import Domain, Expr, Var

ENVIRONMENT = "Environment"


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
    """Where ``condition`` holds of what the agent sees, it may do any of ``actions``."""

    condition: Expr
    actions: tuple[str, ...]


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
    sees without saying so.  ``other`` holds the actions of the protocol's Other line, None where there is none.  ``red`` is
    None where the agent has no red states.
    """

    name: str
    variables: tuple[Variable, ...] = ()
    observes: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    protocol: tuple[ProtocolLine, ...] = ()
    other: tuple[str, ...] | None = None
    evolution: tuple[EvolutionLine, ...] = ()
    red: Expr | None = None

    @property
    def is_environment(self) -> bool:
        """Whether this is the Environment."""
        return self.name == ENVIRONMENT

    @property
    def free(self) -> bool:
        """Whether any action may be done anywhere: an Environment that lists no protocol at all."""
        return self.is_environment and not self.protocol and self.other is None
