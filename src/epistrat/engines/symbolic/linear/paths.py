"""Quantifiers and knowledge over path formulae: LTL, CTL* and past, over the labels of a universe of states.

``E f`` is brought to CTL's fixpoints as far as laws of CTL* allow it (``E F f = EF E f``, ``E (p & f) = p & E f`` for a state formula
p, and so on); what remains goes to the tableau of f.  The states of ``E f`` are those with a point of the product that has value true and
from which a fair path starts.  ``A f`` is ``!E !f``.

Past operators whose operands look at the past only are leaves here: their values are sets of states that remember, see
`epistrat.engines.symbolic.linear.history`.  Other past operators are guessed by the tableau, which is sound at time 0 and at the points of
knowledge operators, where all runs count; nowhere else, see `epistrat.engines.symbolic.linear.body.refuses`.
"""

from __future__ import annotations

from collections.abc import Mapping

from epistrat.encoding.part import variables_of
from epistrat.engines.fixpoints.fixpoint import always, closure
from epistrat.engines.fixpoints.label import Labelling
from epistrat.engines.symbolic.linear.body import Body, split
from epistrat.engines.symbolic.linear.history import HistoryLabelling
from epistrat.engines.symbolic.linear.tableau import SpareBits, SymbolicTableau
from epistrat.engines.symbolic.walk import Walk
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, subformulae
from epistrat.logic.rewrite import conjunction
from epistrat.solvers.bdd import Bdd


class Paths:
    """Labels quantifiers and knowledge over path formulae, for the labellings of one space."""

    def __init__(self, spare: SpareBits) -> None:
        self._spare = spare

    def __call__(self, labelling: Labelling, formula: Formula) -> Bdd:
        """The states of the labelling's universe in which a quantified or known path formula holds."""
        match formula:
            case logic.Exists(arg):
                return self._exists(labelling, arg, negated=False)
            case logic.ForAll(arg):
                return ~self._exists(labelling, arg, negated=True)
            case (
                logic.Knows(_, arg)
                | logic.Everybody(_, arg)
                | logic.Distributed(_, arg)
                | logic.Common(_, arg)
                | logic.Correct(_, arg)
            ):
                return labelling.known(formula, ~self._violated(labelling, arg))
        raise TypeError(f"not about paths: {type(formula).__name__}")

    def _exists(self, labelling: Labelling, arg: Formula, negated: bool) -> Bdd:
        body, leaves = self._prepare(labelling, arg, negated)
        return _Search(labelling, leaves, self._spare).exists(body.formula)

    def shown(self, labelling: Labelling, arg: Formula, negated: bool, start: Bdd) -> Bdd:
        """The states of one lasso from a state in which ``E arg`` (or ``E !arg``) holds, on which the body is true."""
        body, leaves = self._prepare(labelling, arg, negated)
        return _Search(labelling, leaves, self._spare).lasso(body.formula, start)

    def _violated(self, labelling: Labelling, arg: Formula) -> Bdd:
        """The states at which some run, at some point of time, violates the path formula."""
        body, leaves = self._prepare(labelling, arg, negated=True)
        search = _Search(labelling, leaves, self._spare)
        if any(isinstance(part, logic.PAST) for part in subformulae(body.formula)):
            return search.somewhere(body.formula)
        return search.exists(body.formula)

    def _prepare(self, labelling: Labelling, arg: Formula, negated: bool) -> tuple[Body, Mapping[logic.Prop, Bdd]]:
        past = labelling.past if isinstance(labelling, HistoryLabelling) else {}
        body = split(arg, lambda part: is_state(part) or part in past, negated)
        return body, {leaf: past[part] if part in past else labelling.label(part) for leaf, part in body.leaves.items()}


class _Search:
    """E over bodies in negation normal form with the same leaves."""

    def __init__(self, labelling: Labelling, leaves: Mapping[logic.Prop, Bdd], spare: SpareBits) -> None:
        self._labelling = labelling
        self._leaves = leaves
        self._spare = spare
        self._endless = labelling.endless
        self._known: dict[Formula, Bdd] = {}

    def exists(self, body: Formula) -> Bdd:
        """The states from which some infinite (fair) path satisfies the body."""
        found = self._known.get(body)
        if found is None:
            found = self._known[body] = self._compute(body) & self._endless.universe
        return found

    def _compute(self, body: Formula) -> Bdd:
        state = self._state(body)
        if state is not None:
            return state
        match body:
            case logic.Or(args):
                result = self._labelling.algebra.false
                for arg in args:
                    result = result | self.exists(arg)
                return result
            case logic.And(args):
                return self._conjunction(args)
            case logic.Next(arg) if _looks_forward(arg):
                return self._endless.ex(self.exists(arg))
            case logic.Finally(arg) if _looks_forward(arg):
                return self._endless.eu(self._labelling.algebra.true, self.exists(arg))
            case logic.Globally(arg):
                inside = self._state(arg)
                return self._by_tableau(body) if inside is None else self._endless.eg(inside)
            case logic.Until(left, right) | logic.WeakUntil(left, right) if _looks_forward(right):
                return self._until(body, left, right)
            case logic.Release(left, right) if _looks_forward(left):
                return self._until(body, right, conjunction((left, right)))
        return self._by_tableau(body)

    def _state(self, body: Formula) -> Bdd | None:
        """The set of a body that is about the present state alone."""
        match body:
            case logic.Prop():
                return self._leaves[body]
            case logic.Truth(value):
                return self._labelling.algebra.true if value else self._labelling.algebra.false
            case logic.Not(logic.Prop() as leaf):
                return ~self._leaves[leaf]
            case logic.And(args) | logic.Or(args):
                result = self._labelling.algebra.true if isinstance(body, logic.And) else self._labelling.algebra.false
                for arg in args:
                    part = self._state(arg)
                    if part is None:
                        return None
                    result = result & part if isinstance(body, logic.And) else result | part
                return result
        return None

    def _conjunction(self, args: tuple[Formula, ...]) -> Bdd:
        """State formulae are split off; what is left over must hold on one and the same path."""
        here, rest = self._labelling.algebra.true, []
        for arg in args:
            part = self._state(arg)
            if part is None:
                rest.append(arg)
            else:
                here = here & part
        if len(rest) < len(args):
            return here & self.exists(conjunction(rest))
        return self._by_tableau(logic.And(args))

    def _until(self, body: Formula, through: Formula, target: Formula) -> Bdd:
        """``E (p U f) = E (p U E f)`` where p is about states; with W or R the path may also stay in p for ever."""
        inside = self._state(through)
        if inside is None:
            return self._by_tableau(body)
        goal = self.exists(target)
        if not isinstance(body, logic.Until):
            goal = goal | self._endless.eg(inside)
        return self._endless.eu(inside, goal)

    def _by_tableau(self, body: Formula) -> Bdd:
        tableau, fair = self._product(body)
        result = tableau.project(fair & tableau.holds & tableau.first)
        tableau.close()
        return result

    def somewhere(self, body: Formula) -> Bdd:
        """The states at which some run from an initial state, at some point of time, satisfies the body."""
        tableau, fair = self._product(body)
        space, start = self._labelling.space, self._labelling.space.initial & tableau.first & fair
        found = closure(space.algebra, lambda points: tableau.post(points) & fair, start, space.tick)
        result = tableau.project(found & tableau.holds)
        tableau.close()
        return result

    def lasso(self, body: Formula, start: Bdd) -> Bdd:
        """The states of a lasso from the given state that satisfies the body."""
        space, fairness = self._labelling.space, self._labelling.fairness
        tableau, fair = self._product(body)
        bits = [*variables_of(space.state_bits), *(twin.now for twin in tableau.bits.values())]
        walk = Walk(self._labelling.algebra, tableau.pre, tableau.post, bits)
        first = walk.pick(start & fair & tableau.holds & tableau.first)
        stem, cycle = walk.lasso([first], fair, [*fairness, *tableau.justice])
        points = self._labelling.algebra.false
        for point in (*stem, *cycle):
            points = points | point
        result = tableau.project(points)
        tableau.close()
        return result

    def _product(self, body: Formula) -> tuple[SymbolicTableau, Bdd]:
        """The tableau, and the points from which a path starts that is fair and puts nothing off for ever."""
        labelling = self._labelling
        tableau = SymbolicTableau(labelling.space, body, self._leaves, self._spare)
        sets = [*labelling.fairness, *tableau.justice]
        step = labelling.space.iteration("tableau")
        return tableau, always(labelling.algebra, tableau.pre, self._endless.universe, sets, True, step=step)


def _looks_forward(body: Formula) -> bool:
    """Whether no past operator is left in the body, so that any path from a state will do, however the state was reached."""
    return not any(isinstance(part, logic.PAST) for part in subformulae(body))
