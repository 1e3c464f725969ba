"""What fixpoints need of a transition system: where it begins, steps both ways, who sees what, who chooses what, and atoms.

Bits of variables may stand behind it, bits that remember the past, or predicates.  A set of states is a `Bdd` over the bits of a state.
What it says of bits that are no state, or of states that are not reachable, does not matter anywhere; operators cut to reachable states
where that keeps diagrams small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from epistrat.encoding.part import Part
from epistrat.encoding.protocol import Choices
from epistrat.logic.formula import Formula
from epistrat.solvers.bdd import Algebra, Bdd


class StateGraph(Protocol):
    """States, the steps between them, and who can tell them apart: all that time and knowledge need."""

    @property
    def algebra(self) -> Algebra:
        """Where sets of states live."""

    @property
    def initial(self) -> Bdd:
        """The initial states."""

    @property
    def reachable(self) -> Bdd:
        """All states that can be reached."""

    @property
    def state_bits(self) -> int:
        """The mask of the bits that make up a state."""

    def pre(self, target: Bdd, within: Bdd | None = None) -> Bdd:
        """The states with a step into ``target``, both within a set of reachable states (by default all of them)."""

    def post(self, source: Bdd) -> Bdd:
        """The states that steps from the source lead to."""

    def sees(self, agents: tuple[str, ...]) -> int:
        """The mask of the bits that the agents see together."""

    def condition(self, formula: Formula) -> Part | None:
        """The states in which a formula without modal operators holds, with what that depends on; None for other formulae."""

    def tick(self) -> None:
        """Called between operations; raises if a limit is reached."""

    @property
    def self_checks(self) -> bool:
        """Whether short cuts are to be compared with the long way."""
        return False

    def iteration(self, what: str) -> Callable[[Bdd], None]:
        """What a fixpoint of this operator calls at each iteration."""


class GameGraph(StateGraph, Protocol):
    """States in which agents choose actions: what coalitions need besides."""

    @property
    def choices(self) -> Mapping[str, Choices]:
        """What each agent may do."""

    @property
    def blocked(self) -> bool:
        """Whether some allowed joint action in some reachable state leads nowhere."""

    @property
    def single_valued(self) -> bool:
        """Whether nothing but actions is ever chosen."""

    def arrivals(self, source: Bdd) -> Bdd:
        """The states that choices of some group can lead to from the source."""
        return self.post(source)

    def moves_into(self, target: Bdd, kept: int) -> Bdd:
        """The states, with values of the action bits in the mask ``kept``, from which some step leads into the target."""
