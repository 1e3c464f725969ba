"""Quantifiers and knowledge over path formulae: LTL, CTL* and past, over the labels of a universe of states.

What laws of CTL* do not bring to fixpoints (`epistrat.engines.fixpoints.path_laws`) goes to the tableau of f.  The states of ``E f`` are
those with a point of the product that has value true and from which a fair path starts.  ``A f`` is ``!E !f``.

Past operators whose operands look at the past only are leaves here: their values are sets of states that remember, see
`epistrat.engines.symbolic.linear.history`.  Other past operators are guessed by the tableau, which is sound at time 0 and at the points of
knowledge operators, where all runs count; nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping

from epistrat.encoding.part import variables_of
from epistrat.engines.fixpoints.fixpoint import always, closure
from epistrat.engines.fixpoints.label import Labelling, Player
from epistrat.engines.fixpoints.path_laws import PathLaws
from epistrat.engines.symbolic.linear.history import HistoryLabelling
from epistrat.engines.symbolic.linear.tableau import SpareBits, SymbolicTableau
from epistrat.engines.symbolic.walk import PointWalks
from epistrat.logic import formula as logic
from epistrat.logic.body import Body, split
from epistrat.logic.formula import Formula, is_state, subformulae
from epistrat.solvers.bdd import Bdd


class Paths:
    """Labels quantifiers and knowledge over path formulae, for the labellings of one space."""

    def __init__(self, spare: SpareBits) -> None:
        self._spare = spare

    def quantified(self, labelling: Labelling, formula: logic.ForAll | logic.Exists) -> Bdd:
        """The states of the labelling's universe in which a quantified path formula holds."""
        if isinstance(formula, logic.ForAll):
            return ~self._exists(labelling, formula.arg, negated=True)
        return self._exists(labelling, formula.arg, negated=False)

    def _exists(self, labelling: Labelling, arg: Formula, negated: bool) -> Bdd:
        body, leaves = self._prepare(labelling, arg, negated)
        return _Search(labelling, leaves, self._spare).exists(body.formula)

    def shown(self, labelling: Labelling, arg: Formula, negated: bool, start: Bdd) -> Bdd:
        """The states of one lasso from a state in which ``E arg`` (or ``E !arg``) holds, on which the body is true."""
        body, leaves = self._prepare(labelling, arg, negated)
        return _Search(labelling, leaves, self._spare).lasso(body.formula, start)

    def throughout(self, labelling: Labelling, arg: Formula) -> Bdd:
        """The states at which no run, at any point of time, violates the path formula."""
        body, leaves = self._prepare(labelling, arg, negated=True)
        search = _Search(labelling, leaves, self._spare)
        if any(isinstance(part, logic.PAST) for part in subformulae(body.formula)):
            return ~search.somewhere(body.formula)
        return ~search.exists(body.formula)

    def _prepare(self, labelling: Labelling, arg: Formula, negated: bool) -> tuple[Body, Mapping[logic.Prop, Bdd]]:
        past = labelling.past if isinstance(labelling, HistoryLabelling) else {}
        body = split(arg, lambda part: is_state(part) or part in past, negated)
        return body, {leaf: past[part] if part in past else labelling.label(part) for leaf, part in body.leaves.items()}


class _Search(PathLaws[Bdd, Player]):
    """E over bodies with the same leaves, by tableaux where laws do not tell."""

    def __init__(self, labelling: Labelling, leaves: Mapping[logic.Prop, Bdd], spare: SpareBits) -> None:
        super().__init__(labelling, leaves, self._by_tableau)
        self._labelling = labelling
        self._spare = spare

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
        walk = PointWalks(self._labelling.algebra, tableau.pre, tableau.post, bits)
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
        return tableau, always(labelling.algebra, tableau.pre, self._labelling.endless, sets, True, step=step)
