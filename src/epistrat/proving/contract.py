"""What proof search gives: traces, or the knowledge that there are none.

A *question* is a list of conditions on one state, which may mention free variables that are no part of the state.  `Reachability.reaches`
looks for a reachable state (and values of the free variables) that satisfies all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from epistrat.encoding.transitions import Transitions
from epistrat.records import dataclass
from epistrat.solvers.budget import OutOfBudget
from epistrat.terms import Expr, Key, Value

Valuation = Mapping[Key, Value]


@dataclass(frozen=True)
class Trace:
    """A path from an initial state, over all variables.  ``free`` are the values of free variables at its end."""

    states: tuple[Valuation, ...]
    inputs: tuple[Valuation, ...]
    free: Valuation

    @property
    def last(self) -> Valuation:
        """The state where it ends."""
        return self.states[-1]


class Undecided(OutOfBudget):
    """The search ended without an answer; the message says why, in a user's words."""


class Partly(Undecided):
    """The search ended without an answer, and the message says what was reached."""


class NotARun(Undecided):
    """What a prover found is no run of the model, though it should be: a mistake in the program, which must not become a verdict."""

    def __init__(self, wrong: str) -> None:
        super().__init__(f"a run that was found does not follow the model ({wrong}); please report this")


class Reachability(Protocol):
    """Reachability of conditions in one transition system."""

    system: Transitions

    def reaches(self, question: Sequence[Expr]) -> Trace | None:
        """A trace to a state that satisfies all conditions, or None if there is none.  Raises `Undecided`."""

    def refuted_by(self, facts: Sequence[Expr], condition: Expr) -> list[Expr] | None:
        """Some of the facts that, in all reachable states, exclude the condition; None if what is known does not show it."""

    def also_refuted(self, cases: Sequence[Sequence[Expr]], condition: Expr) -> list[Sequence[Expr]]:
        """Those of some lists of facts that, in all reachable states, exclude the condition, as far as that is found out soon."""

    def surely(self, keys: Sequence[Key], denied: Expr) -> Expr | None:
        """Where, by the invariants found so far, the values of some variables exclude a condition; None if that is not known."""
        return None

    def valid(self, condition: Expr) -> bool:
        """Whether the condition is true in every state, or, if it mentions next values or inputs, in every step; reachable or not.

        False also where that is not found out.
        """

    def always_initially(self, condition: Expr) -> bool:
        """Whether the condition is true in every initial state (False also where that is not found out)."""

    def closest(self, trace: Trace, question: Sequence[Expr], state: Valuation, keys: Iterable[Key]) -> Trace | None:
        """A trace as long as the given one that satisfies the question and ends in a state that differs in few of the variables."""

    def alike(
        self, keys: Sequence[Key], bad: Expr, denied: Expr, begun: tuple[Trace, Trace, int] | None = None
    ) -> tuple[Trace, Trace] | None:
        """A run to a bad state and one to a state that satisfies ``denied`` which look the same all the time, in these variables.

        With two runs that were begun, in so many steps after them.  None also where no such pair is found soon.
        """
        return None

    def project(self, trace: Trace, question: Sequence[Expr], keys: Iterable[Key]) -> Expr | None:
        """A condition on the variables, true at the trace's end, such that each of their values that satisfies it can be met by
        some trace to a state that satisfies the question; None if there is nothing better than the values themselves.
        """
        return None

    def invariant(self) -> tuple[Expr, ...]:
        """Conditions that were found to hold in all reachable states."""

    def statistics(self) -> Mapping[str, int]:
        """What was done so far."""
