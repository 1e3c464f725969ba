"""Refinement: one abstraction after the other, each with more to tell states apart by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property

from epistrat.encoding.transitions import NotEncodable, transitions
from epistrat.engines.abstraction.cone import Cone
from epistrat.engines.abstraction.enumerate import Enumerator, Rank
from epistrat.engines.abstraction.exact import KnowledgeAsConditions, reaches_all
from epistrat.engines.abstraction.fair import FairLabels
from epistrat.engines.abstraction.invariants import Guesses
from epistrat.engines.abstraction.label import AbstractLabels
from epistrat.engines.abstraction.point import Points
from epistrat.engines.abstraction.predicates import Predicate, predicates_in
from epistrat.engines.abstraction.prefix import Prefix
from epistrat.engines.abstraction.safety import excluding_invariants
from epistrat.engines.abstraction.space import AbstractSpace, Basis, Diagrams
from epistrat.engines.abstraction.tuning import AbstractionTuning
from epistrat.engines.abstraction.vocabulary import earlier_predicates, first_predicates, rank_candidates
from epistrat.engines.contract import Progress, Watcher
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.proving.induction import Inductor
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr, Key, Terms

_MOST_PREDICATES = 60  # refinement ends here: each may double the combinations
_MOST_FRESH = 8  # predicates added in one round
_EXAMPLES = 600  # states explored to guess invariants from


@dataclass
class Refinement:
    """The search for an abstraction that decides one formula, or another that is true in the same reachable states."""

    system: System
    stepper: Stepper
    cone: Cone
    enumerator: Enumerator
    diagrams: Diagrams
    prefix: Prefix
    formula: Formula
    tuning: AbstractionTuning
    budget: Budget
    watch: Watcher
    round: int = 0

    @cached_property
    def _inductor(self) -> Inductor | None:
        """What proves invariants; None where the steps cannot be written for a solver."""
        with suppress(NotEncodable):
            return Inductor(transitions(self.system), self.budget)
        return None

    def rounds(self) -> Iterator[AbstractLabels]:
        """Labels on better and better abstractions."""
        exact = self.tuning.exact_range
        predicates = first_predicates(self.cone, [self.formula, *self.system.fairness], self.enumerator.grid, exact)
        yield self._labels(Basis(tuple(predicates)), 0)
        ranks = self._ranks(predicates)
        if ranks:
            yield self._labels(Basis(tuple(predicates), ranks), 1)
        invariants = tuple(self._invariants())
        if invariants:
            predicates.update(predicates_in(invariants, self.enumerator.grid))
            ranks = self._ranks(predicates)
            yield self._labels(Basis(tuple(predicates), (), invariants), 0)
            yield self._labels(Basis(tuple(predicates), ranks, invariants), 1)
        if self._without_knowledge():
            predicates.update(
                first_predicates(self.cone, [self.formula, *self.system.fairness], self.enumerator.grid, exact)
            )
            ranks = self._ranks(predicates)
            yield self._labels(Basis(tuple(predicates), (), invariants), 0)
            yield self._labels(Basis(tuple(predicates), ranks, invariants), 1)
        labels = self._labels(Basis(tuple(predicates), ranks, invariants), 2)
        yield labels
        excluding = self._excluding(labels)
        if excluding:
            invariants = (*invariants, *excluding)
            predicates.update(predicates_in(excluding, self.enumerator.grid))
            ranks = self._ranks(predicates)
            yield self._labels(Basis(tuple(predicates), (), invariants), 0)
            yield self._labels(Basis(tuple(predicates), ranks, invariants), 2)
        most = self.budget.patience.most
        while len(predicates) < most(_MOST_PREDICATES):
            fresh = earlier_predicates(predicates, self.cone.units, self.enumerator.grid)
            if not fresh:
                return
            predicates.update(dict.fromkeys(fresh[: most(_MOST_FRESH)]))
            self.prefix.expand(2 * len(self.prefix.moves))
            yield self._labels(Basis(tuple(predicates), self._ranks(predicates), invariants), 1)

    def _ranks(self, predicates: Iterable[Predicate]) -> tuple[Rank, ...]:
        return tuple(rank_candidates(predicates, self.cone.units)) if self.tuning.ranks else ()

    def _invariants(self) -> list[Expr]:
        if not self.tuning.invariants:
            return []
        self.prefix.expand(self.budget.patience.most(_EXAMPLES))
        return self._inductive(self.cone.keys)

    def _inductive(self, keys: frozenset[Key]) -> list[Expr]:
        """Invariants about these variables."""
        if self._inductor is None:
            return []
        self._inductor.houdini(Guesses(self.system, keys, self.prefix.states, self.budget.patience).all())
        return self._inductor.pool

    def _excluding(self, labels: AbstractLabels) -> list[Expr]:
        """Invariants that Spacer finds where the abstraction leaves the formula open."""
        return [] if self._inductor is None else excluding_invariants(self._inductor, labels, self.formula, self.budget)

    def _without_knowledge(self) -> bool:
        """Replace knowledge by conditions where invariants describe the reachable states exactly; False if nothing was replaced."""
        knows = any(isinstance(one, logic.KNOWLEDGE) for one in subformulae(self.formula))
        if not self.tuning.invariants or self.system.fairness or not knows:
            return False
        reached = Terms().conjunction(self._inductive(frozenset(self.system.position)))
        if self._inductor is None or not reaches_all(self._inductor.system, reached, self.budget):
            return False
        rewritten = KnowledgeAsConditions(self.system, reached, self.budget).rewritten(self.formula)
        self.formula = rewritten or self.formula
        return rewritten is not None

    def _labels(self, basis: Basis, depth: int) -> AbstractLabels:
        self.round += 1
        self.watch(Progress("abstracting", {"round": self.round, "predicates": len(basis.predicates)}))
        space = AbstractSpace(self.cone, basis, self.enumerator, self.diagrams, self.budget)
        sure = self._surely_reached(space)
        if self.system.fairness:
            return FairLabels(space, sure, self.system.fairness, basis.ranks, depth)
        return AbstractLabels(space, sure, basis.ranks, depth)

    def _surely_reached(self, space: AbstractSpace) -> Bdd:
        points = Points(space, self.stepper.evaluator)
        found = space.algebra.false if space.incomplete else space.initial
        here: dict[Bdd, None] = {}
        for place, state in enumerate(self.prefix.states):
            if place % 64 == 0:
                self.budget.check()
            here[points.of(state)] = None
        for point in here:
            found = found | point
        return space.surely_reached(found)
