"""The set of states in which a formula holds, operator by operator.

A `Labelling` belongs to a universe: the reachable states, or with fairness those from which a fair path starts.  Labels are kept, so
that subformulae which several formulae share are computed once.  A label is right within its universe and says nothing outside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_, invert, or_
from typing import TYPE_CHECKING, cast

from epistrat.encoding.lazily import lazy
from epistrat.encoding.part import Part
from epistrat.engines.fixpoints.fixpoint import Stop, never
from epistrat.engines.fixpoints.graph import GameGraph, StateGraph
from epistrat.engines.fixpoints.knowledge import Knowledge
from epistrat.engines.fixpoints.temporal import Temporal
from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import Formula, is_state, operands
from epistrat.logic.rewrite import opposite
from epistrat.solvers.bdd import Algebra, Bdd

if TYPE_CHECKING:
    from epistrat.engines.fixpoints.strategic import Strategic

PathLabel = Callable[["Labelling", Formula], Bdd]
"""Labels what this module cannot: quantifiers and knowledge over path formulae that are not of CTL's shape."""


class Labelling:
    """Labels of formulae over one universe."""

    def __init__(
        self, space: StateGraph, universe: Bdd, fairness: Sequence[Bdd] = (), paths: PathLabel | None = None
    ) -> None:
        self.space = space
        self.algebra = space.algebra
        self.universe = universe
        self.fairness = tuple(fairness)
        self.temporal = Temporal(space, universe, fairness)
        self.knowledge = Knowledge(space, universe, wider=bool(fairness))
        self._paths = paths
        self._labels: dict[Formula, Bdd] = {}
        self._bounds: dict[Formula, Bdd] = {}
        self._endless: Temporal | None = None

    def label(self, formula: Formula) -> Bdd:
        """The states of the universe in which the formula holds."""
        found = self._labels.get(formula)
        if found is None:
            found = self._labels[formula] = self._compute(formula, never)
        return found

    def bound(self, formula: Formula, stop: Stop) -> Bdd:
        """As `label`, but the outermost fixpoint may end early; see `epistrat.engines.fixpoints.fixpoint`."""
        found = self._labels.get(formula)
        if found is None:
            found = self._bounds[formula] = self._compute(formula, stop)
        return found

    def condition(self, formula: Formula) -> Part | None:
        """The label of a formula without modal operators, with what it depends on; None for others."""
        return self.space.condition(formula)

    def _compute(self, formula: Formula, stop: Stop) -> Bdd:
        match formula:
            case logic.Truth() | logic.Prop() | logic.Test() | logic.Colour():
                part = self.condition(formula)
                assert part is not None
                return part.function
            case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
                return self._boolean(formula)
            case logic.ForAll(arg, star) | logic.Exists(arg, star):
                return self._quantified(formula, arg, star, stop)
            case logic.Coalition():
                return self._coalition(formula, stop)
            case (
                logic.Knows(_, arg)
                | logic.Everybody(_, arg)
                | logic.Distributed(_, arg)
                | logic.Common(_, arg)
                | logic.Correct(_, arg)
            ):
                if not is_state(arg):
                    return self._path_label(formula)
                part = self.condition(arg)
                if part is None:
                    return self.known(formula, self.label(arg), None)
                return self.known(formula, part.function, part.support)
        raise TypeError(f"not a state formula: {type(formula).__name__}")

    def _boolean(self, formula: logic.Connective) -> Bdd:
        part = self.condition(formula)
        if part is not None:
            return part.function
        return connect(formula, [self.label(operand) for operand in operands(formula)], booleans(self.algebra))

    # -- time --------------------------------------------------------------------------------------------------------

    def _quantified(self, formula: Formula, arg: Formula, star: bool, stop: Stop) -> Bdd:
        universal = isinstance(formula, logic.ForAll)
        if not star:
            return self.for_all(self.temporal, arg, stop) if universal else self.exists(self.temporal, arg, stop)
        if is_state(arg):
            return self._on_endless_paths(universal, self.label(arg))
        if ctl_shape(arg):
            temporal = self.endless
            return ~self.exists(temporal, opposite(arg)) if universal else self.exists(temporal, arg)
        return self._path_label(formula)

    @property
    def endless(self) -> Temporal:
        """CTL over the states from which an infinite (fair) path starts: what the quantifiers of CTL* range over."""
        if self._endless is None:
            universe = self.universe if self.fairness else self.temporal.eg(self.universe)
            self._endless = Temporal(self.space, universe, self.fairness)
        return self._endless

    def _on_endless_paths(self, universal: bool, label: Bdd) -> Bdd:
        """A path formula without temporal operator: looks at the state, but only if a path starts there."""
        exists = self.endless.universe
        return ~exists | label if universal else exists & label

    def exists(self, temporal: Temporal, arg: Formula, stop: Stop = never) -> Bdd:
        """``E arg`` for an argument of CTL's shape."""
        match arg:
            case logic.Next(inner):
                return temporal.ex(self.label(inner))
            case logic.Finally(inner):
                return temporal.eu(self.algebra.true, self.label(inner), stop)
            case logic.Globally(inner):
                return temporal.eg(self.label(inner), stop)
            case logic.Until(left, right):
                return temporal.eu(self.label(left), self.label(right), stop)
            case logic.WeakUntil(left, right):
                one, other = self.label(left), self.label(right)
                return temporal.eu(one, other | temporal.eg(one & ~other), stop)
            case logic.Release(left, right):
                one, other = self.label(left), self.label(right)
                return temporal.eu(other, (one & other) | temporal.eg(other & ~one), stop)
        raise TypeError(f"not of CTL's shape: {type(arg).__name__}")

    def for_all(self, temporal: Temporal, arg: Formula, stop: Stop = never) -> Bdd:
        """``A arg`` for an argument of CTL's shape, by the dual of E."""

        def refuted(states: Bdd) -> bool:
            return stop(~states)

        match arg:
            case logic.Next(inner):
                return ~temporal.ex(~self.label(inner))
            case logic.Finally(inner):
                return ~temporal.eg(~self.label(inner), refuted)
            case logic.Globally(inner):
                return ~temporal.eu(self.algebra.true, ~self.label(inner), refuted)
            case logic.Until(left, right):
                one, other = self.label(left), self.label(right)
                return ~(temporal.eu(~other, ~one & ~other) | temporal.eg(~other))
            case logic.WeakUntil(left, right):
                one, other = self.label(left), self.label(right)
                return ~temporal.eu(~other, ~one & ~other, refuted)
            case logic.Release(left, right):
                one, other = self.label(left), self.label(right)
                both = one & other
                return ~temporal.eu(~both, ~other & ~both, refuted)
        raise TypeError(f"not of CTL's shape: {type(arg).__name__}")

    def _path_label(self, formula: Formula) -> Bdd:
        if self._paths is None:
            raise TypeError("path formulae need a labelling of paths")
        return self._paths(self, formula)

    # -- strategies and knowledge ------------------------------------------------------------------------------------

    @lazy
    def strategic(self) -> Strategic:
        """What coalitions can enforce; the graph must be a `GameGraph`."""
        assert hasattr(self.space, "choices"), "what a coalition enforces must not depend on the past"
        from epistrat.engines.fixpoints.strategic import Strategic

        return Strategic(cast(GameGraph, self.space), self.fairness)

    def _coalition(self, formula: logic.Coalition, stop: Stop) -> Bdd:
        strategic, group = self.strategic, formula.group
        match formula.arg:
            case logic.Next(inner):
                return strategic.next(group, self.label(inner))
            case logic.Finally(inner):
                return strategic.until(group, self.algebra.true, self.label(inner), stop)
            case logic.Globally(
                inner
            ):  # taken up where a bound was left, from above (robots 16: a remark took 21 s after 10)
                inside = self.label(inner) & self._bounds.get(formula, self.algebra.true)
                return strategic.globally(group, inside, stop)
            case logic.Until(left, right):
                return strategic.until(group, self.label(left), self.label(right), stop)
        raise TypeError(f"a coalition cannot enforce {type(formula.arg).__name__}")

    def known(self, formula: Formula, fact: Bdd, support: int | None = None) -> Bdd:
        """The states in which the knowledge (or O) that the formula asks for is about this fact; ``support`` bounds what it depends on."""
        knowledge = self.knowledge
        match formula:
            case logic.Knows(agent):
                return knowledge.knows((agent,), fact, support)
            case logic.Everybody(group):
                return knowledge.everybody(group, fact, support)
            case logic.Distributed(group):
                return knowledge.knows(group.members, fact)
            case logic.Common(group):
                return knowledge.common(group, fact)
            case logic.Correct(agent):
                return knowledge.correct(self.label(logic.Colour(agent, True)), fact)
        raise TypeError(f"not knowledge: {type(formula).__name__}")


def booleans(algebra: Algebra) -> Booleans[Bdd]:
    """Connectives of diagrams."""

    def every(sets: Sequence[Bdd]) -> Bdd:
        return reduce(and_, sets, algebra.true)

    def some(sets: Sequence[Bdd]) -> Bdd:
        return reduce(or_, sets, algebra.false)

    return Booleans(invert, every, some, algebra.xor)


def ctl_shape(arg: Formula) -> bool:
    """Whether a path formula is one future operator over state formulae."""
    return isinstance(
        arg, (logic.Next, logic.Finally, logic.Globally, logic.Until, logic.WeakUntil, logic.Release)
    ) and all(map(is_state, operands(arg)))
