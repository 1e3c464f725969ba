"""Three truth values: for every state formula the states where it is surely true and those where it is surely false.

Each fixpoint is computed twice, once for the player that wants the formula true and once for the one that wants it false; the second is
the exact negation of the first, so that nothing is lost where nothing is unknown.  What a state is, what a player can force and what
observers can tell apart is said by subclasses: `epistrat.engines.abstraction.label` and `epistrat.engines.abstraction.prefix`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from epistrat.engines.fixpoints.evaluator import Evaluator
from epistrat.logic.connect import Booleans
from epistrat.logic.formula import Formula, Group
from epistrat.model.conditions import as_condition
from epistrat.model.system import System
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr


class Sets(Protocol):
    """Sets of states."""

    def __and__(self, other: Any, /) -> Any: ...
    def __or__(self, other: Any, /) -> Any: ...


S = TypeVar("S", bound=Sets)
P = TypeVar("P")


class Label(NamedTuple, Generic[S]):
    """Where a formula is surely true, and where surely false."""

    yes: S
    no: S


class ThreeValued(Evaluator[Label[S], tuple[P, P]], Generic[S, P]):
    """The labels of formulae.  ``S`` are sets of states, ``P`` are players: who wants a formula true, and the opponent."""

    def __init__(self, system: System, budget: Budget, everything: S, nothing: S) -> None:
        super().__init__(Booleans(_negated, _both, _either, _differing))
        self._system = system
        self._budget = budget
        self._everything: Label[S] = Label(everything, nothing)
        self._nothing: Label[S] = Label(nothing, everything)

    @property
    def everything(self) -> Label[S]:
        """True everywhere."""
        return self._everything

    @property
    def nothing(self) -> Label[S]:
        """False everywhere."""
        return self._nothing

    @property
    def endless(self) -> Label[S]:
        """Not asked for: paths that are infinite are told from others where formulae are prepared."""
        raise TypeError("a quantifier over no temporal operator")

    def tick(self) -> None:
        """Raises if a limit is reached."""
        self._budget.check()

    def atom(self, formula: Formula) -> Label[S]:
        """Where a condition holds."""
        return self.where(as_condition(self._system, formula))

    def next(self, player: tuple[P, P], goal: Label[S]) -> Label[S]:
        """One step of each player."""
        return Label(self._step(player[0], goal.yes), self._step(player[1], goal.no))

    def until(self, player: tuple[P, P], stay: Label[S], goal: Label[S], stop: Callable[[Label[S]], bool]) -> Label[S]:
        """The player comes to the goal; the opponent keeps away from it, or leaves ``stay`` before."""
        return Label(self._soon(player[0], stay.yes, goal.yes), self._ever(player[1], goal.no, stay.no & goal.no))

    def unless(self, player: tuple[P, P], stay: Label[S], goal: Label[S], stop: Callable[[Label[S]], bool]) -> Label[S]:
        """The player stays, or comes to the goal; the opponent leaves before."""
        return Label(self._ever(player[0], stay.yes, goal.yes), self._soon(player[1], goal.no, stay.no & goal.no))

    def knows(self, agents: tuple[str, ...], fact: Label[S], about: Formula) -> Label[S]:
        """What observers of the same positions are sure of."""
        return self._certain(self._system.pooled_view(Group(agents)), fact)

    def common(self, group: Group, fact: Label[S]) -> Label[S]:
        """Common knowledge of observers who see these positions."""
        return self._common([self._system.views[member] for member in group.members], fact)

    def correct(self, green: Label[S], fact: Label[S]) -> Label[S]:
        """That the fact holds in all green states that are reached; a colour is a condition, and never unknown."""
        return self._correct(green.yes, fact)

    @abstractmethod
    def where(self, condition: Expr) -> Label[S]:
        """Where a condition of the model holds."""

    @abstractmethod
    def _step(self, player: P, goal: S) -> S:
        """Where the player forces the next state into the goal."""

    @abstractmethod
    def _soon(self, player: P, before: S, goal: S) -> S:
        """Where the player forces the goal, through states in ``before``."""

    @abstractmethod
    def _ever(self, player: P, stay: S, leave: S) -> S:
        """Where the player can stay in a set for ever, or come to ``leave`` through it."""

    @abstractmethod
    def _certain(self, positions: Sequence[int], body: Label[S]) -> Label[S]:
        """Knowledge of whoever sees the positions."""

    @abstractmethod
    def _common(self, views: Sequence[Sequence[int]], body: Label[S]) -> Label[S]:
        """Common knowledge of observers who see these positions."""

    @abstractmethod
    def _correct(self, green: S, body: Label[S]) -> Label[S]:
        """That the body holds in all green states that are reached."""


def _both(args: Sequence[Label[S]]) -> Label[S]:
    return Label(reduce(and_, (arg.yes for arg in args)), reduce(or_, (arg.no for arg in args)))


def _either(args: Sequence[Label[S]]) -> Label[S]:
    return _negated(_both([_negated(arg) for arg in args]))


def _negated(label: Label[S]) -> Label[S]:
    return Label(label.no, label.yes)


def _differing(one: Label[S], two: Label[S]) -> Label[S]:
    return Label((one.yes & two.no) | (one.no & two.yes), (one.yes & two.yes) | (one.no & two.no))
