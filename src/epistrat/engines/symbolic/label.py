"""The set of states in which a formula holds, operator by operator.

A `Labelling` belongs to a universe: the reachable states, or with fairness those from which a fair path starts.  Labels are kept, so
that subformulae which several formulae share are computed once.  A label is right within its universe and says nothing outside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from epistrat.encoding.part import Part
from epistrat.engines.symbolic.condition import condition
from epistrat.engines.symbolic.fixpoint import Stop, never
from epistrat.engines.symbolic.knowledge import Knowledge
from epistrat.engines.symbolic.space import Space
from epistrat.engines.symbolic.strategic import Strategic
from epistrat.engines.symbolic.temporal import Temporal
from epistrat.logic.formula import (
    And,
    Coalition,
    Colour,
    Common,
    Correct,
    Distributed,
    Everybody,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Group,
    Iff,
    Implies,
    Knows,
    Next,
    Not,
    Or,
    Prop,
    Release,
    Test,
    Truth,
    Until,
    WeakUntil,
    Xor,
    is_state,
    operands,
)
from epistrat.solvers.bdd import Bdd

PathLabel = Callable[["Labelling", Formula], Bdd]
"""Labels what this module cannot: quantifiers and knowledge over path formulae that are not of CTL's shape."""


class Labelling:
    """Labels of formulae over one universe."""

    def __init__(
        self, space: Space, universe: Bdd, fairness: Sequence[Bdd] = (), paths: PathLabel | None = None
    ) -> None:
        self.space = space
        self.algebra = space.algebra
        self.universe = universe
        self.fairness = tuple(fairness)
        self.temporal = Temporal(space, universe, fairness)
        self.knowledge = Knowledge(space, universe)
        self.strategic = Strategic(space, fairness)
        self._paths = paths
        self._labels: dict[Formula, Bdd] = {}
        self._endless: Temporal | None = None

    def label(self, formula: Formula) -> Bdd:
        """The states of the universe in which the formula holds."""
        found = self._labels.get(formula)
        if found is None:
            found = self._labels[formula] = self._compute(formula, never)
        return found

    def bound(self, formula: Formula, stop: Stop) -> Bdd:
        """As `label`, but the outermost fixpoint may end early; see `epistrat.engines.symbolic.fixpoint`."""
        found = self._labels.get(formula)
        return self._compute(formula, stop) if found is None else found

    def condition(self, formula: Formula) -> Part | None:
        """The label of a formula without modal operators, with what it depends on; None for others."""
        return condition(self.space.encoding, formula)

    def _compute(self, formula: Formula, stop: Stop) -> Bdd:
        match formula:
            case Truth() | Prop() | Test() | Colour():
                part = self.condition(formula)
                assert part is not None
                return part.function
            case Not() | And() | Or() | Implies() | Iff() | Xor():
                return self._boolean(formula)
            case ForAll(arg, star) | Exists(arg, star):
                return self._quantified(formula, arg, star, stop)
            case Coalition(group, arg):
                return self._coalition(group, arg, stop)
            case Knows(_, arg) | Everybody(_, arg) | Distributed(_, arg) | Common(_, arg) | Correct(_, arg) if (
                not is_state(arg)
            ):
                return self._path_label(formula)
            case Knows() | Everybody() | Distributed() | Common() | Correct():
                return self._knowledge(formula)
        raise TypeError(f"not a state formula: {type(formula).__name__}")

    def _boolean(self, formula: Formula) -> Bdd:
        part = self.condition(formula)
        if part is not None:
            return part.function
        labels = [self.label(operand) for operand in operands(formula)]
        match formula:
            case Not():
                return ~labels[0]
            case And():
                result = self.algebra.true
                for label in labels:
                    result = result & label
                return result
            case Or():
                result = self.algebra.false
                for label in labels:
                    result = result | label
                return result
            case Implies():
                return ~labels[0] | labels[1]
            case Iff():
                return ~self.algebra.xor(labels[0], labels[1])
            case _:
                return self.algebra.xor(labels[0], labels[1])

    # -- time --------------------------------------------------------------------------------------------------------

    def _quantified(self, formula: Formula, arg: Formula, star: bool, stop: Stop) -> Bdd:
        universal = isinstance(formula, ForAll)
        if not star:
            return self.for_all(self.temporal, arg, stop) if universal else self.exists(self.temporal, arg, stop)
        if is_state(arg):
            return self._on_endless_paths(universal, self.label(arg))
        if ctl_shape(arg):
            temporal = self.endless
            return ~self._star_exists(temporal, dual(arg)) if universal else self._star_exists(temporal, arg)
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

    def _star_exists(self, temporal: Temporal, arg: Formula) -> Bdd:
        return self.exists(temporal, arg, never) & temporal.universe

    def exists(self, temporal: Temporal, arg: Formula, stop: Stop = never) -> Bdd:
        """``E arg`` for an argument of CTL's shape."""
        match arg:
            case Next(inner):
                return temporal.ex(self.label(inner))
            case Finally(inner):
                return temporal.eu(self.algebra.true, self.label(inner), stop)
            case Globally(inner):
                return temporal.eg(self.label(inner), stop)
            case Until(left, right):
                return temporal.eu(self.label(left), self.label(right), stop)
            case WeakUntil(left, right):
                one, other = self.label(left), self.label(right)
                return temporal.eu(one, other | temporal.eg(one & ~other), stop)
            case Release(left, right):
                one, other = self.label(left), self.label(right)
                return temporal.eu(other, (one & other) | temporal.eg(other & ~one), stop)
        raise TypeError(f"not of CTL's shape: {type(arg).__name__}")

    def for_all(self, temporal: Temporal, arg: Formula, stop: Stop = never) -> Bdd:
        """``A arg`` for an argument of CTL's shape, by the dual of E."""

        def refuted(states: Bdd) -> bool:
            return stop(~states)

        match arg:
            case Next(inner):
                return ~temporal.ex(~self.label(inner))
            case Finally(inner):
                return ~temporal.eg(~self.label(inner), refuted)
            case Globally(inner):
                return ~temporal.eu(self.algebra.true, ~self.label(inner), refuted)
            case Until(left, right):
                one, other = self.label(left), self.label(right)
                return ~(temporal.eu(~other, ~one & ~other) | temporal.eg(~other))
            case WeakUntil(left, right):
                one, other = self.label(left), self.label(right)
                return ~temporal.eu(~other, ~one & ~other, refuted)
            case Release(left, right):
                one, other = self.label(left), self.label(right)
                both = one & other
                return ~temporal.eu(~both, ~other & ~both, refuted)
        raise TypeError(f"not of CTL's shape: {type(arg).__name__}")

    def _path_label(self, formula: Formula) -> Bdd:
        if self._paths is None:
            raise TypeError("path formulae need a labelling of paths")
        return self._paths(self, formula)

    # -- strategies and knowledge ------------------------------------------------------------------------------------

    def _coalition(self, group: Group, arg: Formula, stop: Stop) -> Bdd:
        strategic = self.strategic
        match arg:
            case Next(inner):
                return strategic.next(group, self.label(inner))
            case Finally(inner):
                return strategic.until(group, self.algebra.true, self.label(inner), stop)
            case Globally(inner):
                return strategic.globally(group, self.label(inner), stop)
            case Until(left, right):
                return strategic.until(group, self.label(left), self.label(right), stop)
        raise TypeError(f"a coalition cannot enforce {type(arg).__name__}")

    def _knowledge(self, formula: Formula) -> Bdd:
        system, knowledge = self.space.system, self.knowledge
        match formula:
            case Knows(agent, arg):
                part = self.condition(arg)
                if part is not None:
                    return knowledge.knows(system.views[agent], part.function, part.support)
                return knowledge.knows(system.views[agent], self.label(arg))
            case Everybody(group, arg):
                part = self.condition(arg)
                if part is not None:
                    return knowledge.everybody(group, part.function, part.support)
                return knowledge.everybody(group, self.label(arg))
            case Distributed(group, arg):
                return knowledge.distributed(group, self.label(arg))
            case Common(group, arg):
                return knowledge.common(group, self.label(arg))
            case Correct(agent, arg):
                return knowledge.correct(self.label(Colour(agent, True)), self.label(arg))
        raise TypeError(type(formula).__name__)


def ctl_shape(arg: Formula) -> bool:
    """Whether a path formula is one future operator over state formulae."""
    return isinstance(arg, (Next, Finally, Globally, Until, WeakUntil, Release)) and all(map(is_state, operands(arg)))


def dual(arg: Formula) -> Formula:
    """The negation of a path formula of CTL's shape, again of that shape."""
    match arg:
        case Next(inner):
            return Next(Not(inner))
        case Finally(inner):
            return Globally(Not(inner))
        case Globally(inner):
            return Finally(Not(inner))
        case Until(left, right):
            return Release(Not(left), Not(right))
        case Release(left, right):
            return Until(Not(left), Not(right))
        case WeakUntil(left, right):
            return Until(Not(right), And((Not(left), Not(right))))
    raise TypeError(f"not of CTL's shape: {type(arg).__name__}")
