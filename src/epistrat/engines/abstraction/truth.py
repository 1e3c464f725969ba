"""Three truth values: for every state formula the states where it is surely true and those where it is surely false.

Each operator is computed twice, once for the player that wants it true and once for the one that wants it false; the second is the exact
negation of the first, so that nothing is lost where nothing is unknown.  What a state is, what a player can force and what observers can
tell apart is said by subclasses: `epistrat.engines.abstraction.label` and `epistrat.engines.abstraction.prefix`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import reduce
from operator import and_, or_
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import Formula, is_state, operands, subformulae
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


class ThreeValued(ABC, Generic[S, P]):
    """The labels of formulae.  ``S`` are sets of states, ``P`` are players."""

    def __init__(self, system: System, budget: Budget, everything: S, nothing: S) -> None:
        self._system = system
        self._budget = budget
        self._everything, self._nothing = everything, nothing
        self._known: dict[Formula, Label[S]] = {}

    def of(self, formula: Formula) -> Label[S]:
        """The label of a state formula."""
        for part in subformulae(formula):
            if part not in self._known and is_state(part):
                self._budget.check()
                self._known[part] = self._kept(part, self._one(part))
        return self._known[formula]

    def _one(self, formula: Formula) -> Label[S]:
        views, known = self._system.views, self._known
        match formula:
            case logic.ForAll(arg) | logic.Exists(arg) | logic.Coalition(_, arg):
                return self._temporal(arg, *self._players(formula))
            case logic.Knows(agent, arg):
                return self._certain(views[agent], known[arg])
            case logic.Everybody(group, arg):
                return self._both([self._certain(views[member], known[arg]) for member in group.members])
            case logic.Distributed(group, arg):
                return self._certain(self._system.pooled_view(group), known[arg])
            case logic.Common(group, arg):
                return self._common([views[member] for member in group.members], known[arg])
            case logic.Correct(agent, arg):
                return self._correct(self._one(logic.Colour(agent, green=True)).yes, known[arg])
            case _ if isinstance(formula, logic.CONNECTIVES):
                of = Booleans(_negated, self._both, self._either, _differing)
                return connect(formula, [known[operand] for operand in operands(formula)], of)
            case _:
                return self._where(as_condition(self._system, formula))

    def _both(self, args: Sequence[Label[S]]) -> Label[S]:
        return Label(
            reduce(and_, (arg.yes for arg in args), self._everything),
            reduce(or_, (arg.no for arg in args), self._nothing),
        )

    def _either(self, args: Sequence[Label[S]]) -> Label[S]:
        return _negated(self._both([_negated(arg) for arg in args]))

    def _temporal(self, shape: Formula, player: P, opponent: P) -> Label[S]:
        args = [self._known[operand] for operand in operands(shape)]
        nothing, everything = self._nothing, self._everything
        f, g = args[0], args[-1]
        match shape:
            case logic.Next():
                return Label(self._step(player, f.yes), self._step(opponent, f.no))
            case logic.Finally():
                return Label(self._soon(player, everything, f.yes), self._ever(opponent, f.no, nothing))
            case logic.Globally():
                return Label(self._ever(player, f.yes, nothing), self._soon(opponent, everything, f.no))
            case logic.Until():
                return Label(self._soon(player, f.yes, g.yes), self._ever(opponent, g.no, f.no & g.no))
            case logic.WeakUntil():
                return Label(self._ever(player, f.yes, g.yes), self._soon(opponent, g.no, f.no & g.no))
            case logic.Release():
                return Label(self._ever(player, g.yes, f.yes & g.yes), self._soon(opponent, f.no, g.no))
            case _:
                raise TypeError(f"no temporal operator: {shape}")

    @abstractmethod
    def _kept(self, formula: Formula, found: Label[S]) -> Label[S]:
        """The label with what is known from elsewhere, and without what does not matter."""

    @abstractmethod
    def _where(self, condition: Expr) -> Label[S]:
        """Where a condition holds."""

    @abstractmethod
    def _players(self, formula: Formula) -> tuple[P, P]:
        """The player who wants a quantifier or coalition to be true, and its opponent."""

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


def _negated(label: Label[S]) -> Label[S]:
    return Label(label.no, label.yes)


def _differing(one: Label[S], two: Label[S]) -> Label[S]:
    return Label((one.yes & two.no) | (one.no & two.yes), (one.yes & two.yes) | (one.no & two.no))
