"""One encoding of a system, and the questions about it.

The verdict on a formula is about initial states alone, so `Checker.decide` looks for the cheapest way to it before it labels all states:
an ``AG`` is a question about the reachable set, a fixpoint may stop when the initial states are decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from epistrat.encoding.lazily import lazy
from epistrat.engines.fixpoints.evaluator import ctl_shape
from epistrat.engines.fixpoints.label import Labelling, PathLabels
from epistrat.engines.symbolic.accepted import ACCEPTED
from epistrat.engines.symbolic.candidates import Candidate
from epistrat.engines.symbolic.space import SymbolicSpace
from epistrat.engines.symbolic.work import Work
from epistrat.logic import formula as logic
from epistrat.logic.body import past_inside
from epistrat.logic.formula import Formula, operands, subformulae
from epistrat.logic.fragment import OF_HISTORIES, OF_NAMES, fragment
from epistrat.solvers.bdd import Bdd

if TYPE_CHECKING:
    from epistrat.engines.symbolic.linear.paths import Paths
    from epistrat.engines.symbolic.linear.tableau import SpareBits
    from epistrat.engines.symbolic.remembering import Remembering


class Checker:
    """A system, encoded in one order, with everything computed about it so far."""

    def __init__(self, candidate: Candidate, work: Work, search: str, spare: SpareBits | None = None) -> None:
        encoding = candidate.encoding
        self.system = encoding.system
        self.work = work
        self.order = candidate.order
        self.space = SymbolicSpace(encoding, work, search, candidate.found)
        self._spare = spare

    # -- linear time: its modules are loaded where a formula needs them ----------------------------------------------

    @lazy
    def spare(self) -> SpareBits:
        """Bits for tableaux."""
        from epistrat.engines.symbolic.linear.tableau import SpareBits

        return self._spare or SpareBits(self.space.algebra)

    @lazy
    def paths(self) -> Paths:
        """Labels what CTL's fixpoints do not."""
        from epistrat.engines.symbolic.linear.paths import Paths

        return Paths(self.spare)

    @lazy
    def label_paths(self) -> PathLabels:
        """As `paths`."""
        return PathLabels(
            lambda *asked: self.paths.quantified(*asked),
            lambda *asked: self.paths.throughout(*asked),
            lambda *asked: self.remembering.coalition(*asked),
            lambda *asked: self.remembering.sentence(*asked),
        )

    @lazy
    def remembering(self) -> Remembering:
        """Strategies with memory."""
        from epistrat.engines.symbolic.remembering import Remembering

        return Remembering(self.space, self.spare)

    # -- universes ---------------------------------------------------------------------------------------------------

    @lazy
    def plain(self) -> Labelling:
        """Labels over all reachable states, without fairness."""
        return Labelling(self.space, self.space.reachable, paths=self.label_paths)

    @lazy
    def fairness(self) -> tuple[Bdd, ...]:
        """The fairness sets, computed on the full model."""
        return tuple(self.plain.label(formula) & self.space.reachable for formula in self.system.fairness)

    @lazy
    def labels(self) -> Labelling:
        """Labels as formulae are read: with fairness, over the states from which a fair path starts."""
        if not self.system.fairness:
            labelling = self.plain
        else:
            with self.work.doing("fair states"):
                fair = Labelling(self.space, self.space.reachable, self.fairness)
                universe = fair.temporal.eg(self.space.reachable)
                labelling = Labelling(self.space, universe, self.fairness, self.label_paths)
        self._announce_knowledge(labelling)
        return labelling

    def _announce_knowledge(self, labelling: Labelling) -> None:
        for part in subformulae(*self.system.formulae):
            if isinstance(part, (logic.Knows, logic.Everybody)):
                condition = labelling.condition(part.arg)
                if condition is not None:
                    members = (part.agent,) if isinstance(part, logic.Knows) else part.group.members
                    for member in members:
                        labelling.knowledge.expect(member, condition.support)

    @property
    def asked(self) -> Bdd:
        """The states the verdict is about: initial ones, within the universe."""
        return self.space.initial & self.labels.universe

    @lazy
    def unrestricted(self) -> Labelling:
        """Labels under fairness without knowing the fair states: right for coalitions over conditions.

        Where a coalition fails, the others keep a fair path open, so such a state has one; elsewhere it succeeds for nothing.
        """
        return Labelling(self.space, self.space.reachable, self.fairness)

    # -- verdicts ----------------------------------------------------------------------------------------------------

    def decide(self, formula: Formula) -> bool:
        """Whether the formula holds in all initial states of the universe."""
        assert fragment(formula).features <= ACCEPTED, formula
        with self.space.algebra.guard(), self.work.doing("formulae"):
            if fragment(formula).features & OF_NAMES:
                return self._holds_by_labels(formula.arg if isinstance(formula, logic.Tagged) else formula)
            if fragment(formula).features & OF_HISTORIES:
                from epistrat.engines.symbolic.histories.layered import holds as holds_of_histories

                return holds_of_histories(self, formula)
            if past_inside(formula):
                return self._looking_back(formula)
            holds = self._holds(formula)
            assert not self.space.self_checks or holds is self._holds_by_labels(formula), "a short cut"
            return holds

    def _holds_by_labels(self, formula: Formula) -> bool:
        """As `_holds`, by the definition: the initial states of the universe are among those with the label."""
        return self.space.algebra.implies(self.asked, self.labels.label(formula))

    def _looking_back(self, formula: Formula) -> bool:
        """As `_holds`, over states that remember what the formula asks of the past."""
        from epistrat.engines.symbolic.linear.history import remembering

        labels = remembering(self.labels, formula, self.spare, self.label_paths)
        return self.space.algebra.implies(labels.space.initial & labels.universe, labels.label(formula))

    def _holds(self, formula: Formula) -> bool:
        """Whether all initial states of the universe satisfy a formula that does not look back.

        ``AG`` is about the universe as a whole: every state of it is reached from an initial state of it, for what leads to a state with
        a fair path has one.
        """
        assert not past_inside(formula), "states must remember"
        simply = self._holds_simply(formula)
        if simply is not None:
            return simply
        match formula:
            case logic.And(args):
                return all(self._holds(arg) for arg in args)
            case logic.ForAll(logic.Globally(logic.And(args)), False):
                return all(self._holds(logic.ForAll(logic.Globally(arg))) for arg in args)
            case logic.ForAll(logic.Globally(logic.Implies(left, right)), False) if self._worth_a_closure(right):
                return self._holds_after(left, right)
            case logic.ForAll(logic.Globally(arg), False):
                return self.space.algebra.implies(self.labels.universe, self.labels.label(arg))
            case logic.Not(logic.Exists(logic.Finally(arg), False)):
                return self._holds(logic.ForAll(logic.Globally(logic.Not(arg))))
            case logic.Not(logic.Not(arg)):
                return self._holds(arg)
            case logic.ForAll(arg, True) | logic.Exists(arg, True) if ctl_shape(arg) and self.endless:
                return self._holds(type(formula)(arg))
            case logic.Coalition(_, arg) if self.system.fairness and self._of_conditions(arg):
                return self.space.algebra.implies(self.space.initial, self.unrestricted.label(formula))
        return self._holds_at_start(formula)

    def _holds_simply(self, formula: Formula) -> bool | None:
        """The verdict on questions that the search for reachable states answers by itself, perhaps before its end.

        Assumes no fairness (a state that is reached may lie on no fair path) and, for ``EF``, one initial state (each would have to reach
        the goal).
        """
        if self.system.fairness:
            return None
        match formula:
            case logic.ForAll(logic.Globally(arg), False):
                wanted = self._condition(arg)
                return None if wanted is None else not self.space.reaches(~wanted)
            case logic.Exists(logic.Finally(arg), False) if self.space.single_initial:
                wanted = self._condition(arg)
                return None if wanted is None else self.space.reaches(wanted)
        holds = self._condition(formula)
        return None if holds is None else self.space.algebra.implies(self.space.initial, holds)

    def _condition(self, formula: Formula) -> Bdd | None:
        part = self.space.condition(formula)
        return None if part is None else part.function

    @lazy
    def endless(self) -> bool:
        """Whether from every state of the universe an infinite (fair) path starts, so that CTL and CTL* read shapes alike."""
        return bool(self.system.fairness) or self.space.dead_ends == self.space.algebra.false

    def _holds_at_start(self, formula: Formula) -> bool:
        """Label the states, but stop as soon as the initial ones are decided."""
        labels, algebra = self.labels, self.space.algebra
        asked = self.asked

        def all_in(states: Bdd) -> bool:
            return algebra.implies(asked, states)

        match formula:
            case logic.Exists(logic.Finally(arg), False) if self.space.single_initial and not self.system.fairness:
                return labels.universe & labels.label(arg) != algebra.false
            case (
                logic.Exists(logic.Finally() | logic.Until(), False)
                | logic.ForAll(logic.Finally(), False)
                | logic.Coalition(_, logic.Finally() | logic.Until())
            ):
                return all_in(labels.bound(formula, all_in))
            case logic.Exists(logic.Globally(), False) | logic.Coalition(_, logic.Globally()):
                return all_in(labels.bound(formula, lambda states: not all_in(states)))
        return all_in(labels.label(formula))

    def _of_conditions(self, arg: Formula) -> bool:
        """Whether all operands are conditions on the state."""
        return all(self._condition(operand) is not None for operand in operands(arg))

    def _worth_a_closure(self, formula: Formula) -> bool:
        """Whether the formula needs fixpoints over states that can be reached from here, and nothing else.

        Knowledge and correct behaviour look at all reachable states, fairness at the universe; coalitions are labelled over all states.
        """
        parts = subformulae(formula)
        if self.system.fairness or any(isinstance(part, (*logic.KNOWING, logic.Coalition)) for part in parts):
            return False
        return any(
            isinstance(part, (logic.ForAll, logic.Exists)) and not isinstance(part.arg, logic.Next) for part in parts
        )

    def _holds_after(self, left: Formula, right: Formula) -> bool:
        """``AG(left -> right)``: the right side is looked at only in states that can be reached from where the left one holds."""
        space = self.space
        assert not self.system.fairness
        assert not any(isinstance(part, logic.KNOWING) for part in subformulae(right))
        start = space.reachable & self.labels.label(left)
        labels = Labelling(space, space.closure(start), paths=self.label_paths)
        return space.algebra.implies(start, labels.label(right))

    def statistics(self) -> dict[str, Any]:
        """Sizes of what was built."""
        encoding = self.space.encoding
        return {
            "variables": encoding.used_variables,
            "order": self.order,
            "library": self.space.algebra.library,
            "nodes": self.space.algebra.nodes(),
            "relation nodes": encoding.relation.size(),
            "clusters": encoding.relation.clusters(),
            "branches": encoding.relation.branches,
        }
