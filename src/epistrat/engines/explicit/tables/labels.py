"""What formulae below quantified strategies mean: for each state, under which decisions they hold.

Only what depends on strategies is evaluated here; every other formula is asked of the labels of plain states.  Path formulae below
bindings are goals: they hold if they do on every run that the strategies of all agents leave.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from epistrat.engines.explicit.knowledge import common_views
from epistrat.engines.explicit.layout import Mask, Numbers
from epistrat.engines.explicit.tables.decisions import Strategy, Vector
from epistrat.engines.fixpoints.assignment import Assignment
from epistrat.engines.fixpoints.evaluator import Asked, Evaluator
from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans
from epistrat.logic.formula import Formula, Group, is_state
from epistrat.logic.sentences import given, sharing

if TYPE_CHECKING:
    from epistrat.engines.explicit.tables.tables import Tables


_AGENT, _NAME = "agent ", "name "


def _all(parts: Any) -> Vector:
    return np.bitwise_and.reduce(list(parts))  # type: ignore[no-any-return]  # arrays of objects


def _any(parts: Any) -> Vector:
    return np.bitwise_or.reduce(list(parts))  # type: ignore[no-any-return]  # arrays of objects


def _differ(one: Vector, other: Vector) -> Vector:
    result: Vector = (one & ~other) | (other & ~one)
    return result


VECTORS: Booleans[Vector] = Booleans(lambda one: ~one, _all, _any, _differ)
"""Connectives of vectors of diagrams."""


def bound_to(given: Assignment, part: Formula) -> Assignment:
    """The assignment below a quantifier, which its name then stands for, or below a binding."""
    key: str
    quantifier: Hashable
    match part:
        case logic.SomeStrategy(variable) | logic.EveryStrategy(variable):
            key, quantifier = _NAME + variable, part
        case logic.Bound(agent, variable):
            known = dict(given).get(_NAME + variable)
            if known is None:  # a binding on which nothing depends
                return given
            key, quantifier = _AGENT + agent, known
        case _:
            return given
    others = [one for one in given if one[0] != key]
    return tuple(sorted((*others, (key, quantifier)), key=lambda one: one[0]))


class DecisionLabels(Evaluator[Vector, None]):
    """Labels under an assignment: "name x" and "agent a" stand for quantified strategies."""

    def __init__(self, tables: Tables, given: Assignment, labels: dict[Asked, Vector] | None = None) -> None:
        super().__init__(VECTORS, given, labels)
        self._tables = tables
        self._depends: dict[Formula, frozenset[tuple[str, str]]] = {}

    def tick(self) -> None:
        """Raises if a limit is reached."""
        self._tables.tick()

    def at_once(self, formula: Formula) -> Vector | None:
        """What depends on no strategy, and what quantifies or binds one."""
        if formula not in self._depends:
            self._depends[formula] = given(formula, self._tables.plays.acting)
        inside = bool(self.given) and not isinstance(formula, logic.Bound)
        if not self._depends[formula] and (inside or not isinstance(formula, logic.NAMING)):
            return self._tables.plain(formula)
        match formula:
            case logic.SomeStrategy() | logic.EveryStrategy():
                return self._for_strategies(formula)
            case logic.Bound(_, _, arg):
                return self.below(formula).value(arg)
            case logic.Coalition():
                return self._tables.enforced(self, formula)
            case _:
                return None

    def _for_strategies(self, formula: logic.SomeStrategy | logic.EveryStrategy) -> Vector:
        decisions = self._tables.decisions
        strategy = decisions.strategy(formula, sharing(formula.variable, formula.arg), self._tables.tag)
        if not strategy.exists:
            return decisions.false if isinstance(formula, logic.SomeStrategy) else decisions.true
        value = self.below(formula).value(formula.arg)
        by = decisions.some if isinstance(formula, logic.SomeStrategy) else decisions.every
        return by(strategy, value)

    def below(self, part: Formula) -> DecisionLabels:
        """Labels of what stands below a quantifier or a binding."""
        return DecisionLabels(self._tables, bound_to(self.given, part), self.labels)

    def value(self, formula: Formula) -> Vector:
        """Where a state formula holds, or a goal on all runs."""
        return self.label(formula) if is_state(formula) else self.throughout(formula)

    @cached_property
    def following(self) -> dict[str, Strategy]:
        """Who follows which strategy."""
        decisions, tag = self._tables.decisions, self._tables.tag
        found: dict[str, Strategy] = {}
        for key, quantifier in self.given:
            if key.startswith(_AGENT):
                found[key.removeprefix(_AGENT)] = decisions.strategy(quantifier, (), tag)  # made when it was quantified
        return found

    # what the evaluator asks for

    @property
    def everything(self) -> Vector:
        """All states under all strategies."""
        return self._tables.decisions.true

    @property
    def nothing(self) -> Vector:
        """Nowhere."""
        return self._tables.decisions.false

    @property
    def endless(self) -> Vector:
        """Where an agent cannot act there is no strategy for it, and goals are asked about nothing."""
        return self.everything

    def atom(self, formula: Formula) -> Vector:
        """Conditions depend on no strategy."""
        return self._tables.plain(formula)

    def player(self, formula: logic.ForAll | logic.Exists | logic.Coalition) -> None:
        """A and E are about the whole system."""

    def next(self, player: None, goal: Vector) -> Vector:
        """EX."""
        return self._tables.whole.before(goal)

    def until(self, player: None, stay: Vector, goal: Vector, stop: Callable[[Vector], bool]) -> Vector:
        """E U."""
        found = goal
        while True:
            self.tick()
            more: Vector = found | (stay & self.next(None, found))
            if self._tables.decisions.same(more, found):
                return found
            found = more

    def unless(self, player: None, stay: Vector, goal: Vector, stop: Callable[[Vector], bool]) -> Vector:
        """E W and EG."""
        found: Vector = stay | goal
        while True:
            self.tick()
            less: Vector = goal | (stay & self.next(None, found))
            if self._tables.decisions.same(less, found):
                return found
            found = less

    def along(self, formula: logic.ForAll | logic.Exists) -> Vector:
        """All, or some, runs of the whole system."""
        universal = isinstance(formula, logic.ForAll)
        found = self._tables.some_run(self._tables.whole, formula.arg, self.label, negated=universal)
        return ~found if universal else found

    def throughout(self, arg: Formula) -> Vector:
        """A goal: no run that the strategies leave violates it."""
        edges = self._tables.edges(self.following)
        return ~self._tables.some_run(edges, arg, self.label, negated=True)

    def knows(self, agents: tuple[str, ...], fact: Vector, about: Formula) -> Vector:
        """The fact in all states that look the same."""
        return self.alike(self._tables.views(agents), fact)

    def alike(self, views: Numbers, fact: Vector, worlds: Mask | None = None) -> Vector:
        """In all states with the same number."""
        known = [self._tables.decisions.algebra.true] * (int(views.max(initial=-1)) + 1)
        for node, view in enumerate(views.tolist()):
            if worlds is None or worlds[node]:
                known[view] = known[view] & fact[node]
        return self._tables.decisions.vector([known[view] for view in views.tolist()])

    def common(self, group: Group, fact: Vector) -> Vector:
        """Chains of states that look the same to members."""
        if not group.members:
            return fact
        seen = [self._tables.views((member,)) for member in group.members]
        return self.alike(common_views(seen, None), fact)

    def correct(self, green: Vector, fact: Vector) -> Vector:
        """Everywhere or nowhere, for each choice of strategies."""
        value = self._tables.decisions.algebra.true
        for one in ~green | fact:
            value = value & one
        return self._tables.decisions.vector([value] * len(green))
