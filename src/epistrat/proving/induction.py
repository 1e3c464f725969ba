"""Invariants by induction: candidates that hold initially and survive every step, together (Houdini) or one by one.

An `Inductor` owns a session with one step of the system.  The conditions in its pool hold in all reachable states: each was shown to
hold initially and to be kept by every step from states in which all of the pool hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any

import z3

from epistrat.encoding.smt.build import disjunction, negation
from epistrat.encoding.smt.read import Reader, Unreadable
from epistrat.encoding.transitions import PRIME, Transitions
from epistrat.proving.contract import Undecided
from epistrat.proving.unrolling import Unrolling
from epistrat.solvers.budget import Budget
from epistrat.solvers.smt.horn import SafetyProblem
from epistrat.terms import And, Compare, Comparison, Const, Expr, Sort, Terms, Var, subterms, variables

_WORK = 1_000_000  # for one question to the solver
_MOST_CANDIDATES = 800  # that are tried together: each costs a query at least
_MOST_FACTS = 24  # of a question, where all claims with few of them are tried


class Inductor:
    """See the module's description."""

    def __init__(self, system: Transitions, budget: Budget, beside: Unrolling | None = None) -> None:
        self.system = system
        self._terms = system.terms
        self._start = Unrolling(system, budget, beside=beside)
        self._here = Unrolling(system, budget, from_start=False, beside=self._start)
        self._step = Unrolling(system, budget, from_start=False, beside=self._start)
        self._step.extend(1)
        self._budget = budget
        self.pool: list[Expr] = []
        self._implied: set[Expr] = set()

    # Questions about all states, and about initial ones

    def excluded(self, conditions: Sequence[Expr]) -> bool:
        """Whether no state that satisfies the pool satisfies the conditions."""
        return self._unsolvable(self._here, [self._here.at(one) for one in conditions])

    def core(self, facts: Sequence[Expr], condition: Expr) -> list[Expr] | None:
        """Few of the facts that, with the pool, exclude the condition; None if they do not."""
        terms = [self._here.at(fact) for fact in facts]
        pairs = {term.get_id(): fact for term, fact in zip(terms, facts, strict=True)}
        goal = self._here.at(condition)
        if not self._unsolvable(self._here, [goal, *terms]):
            return None
        kept = {asked.get_id() for asked in self._here.core()}
        few = [term for term in terms if term.get_id() in kept]
        for term in list(few):
            fewer = [other for other in few if other is not term]
            if len(few) > 1 and self._unsolvable(self._here, [goal, *fewer]):
                few = fewer
        return [pairs[term.get_id()] for term in few]

    def valid(self, condition: Expr) -> bool:
        """Whether a condition on state, inputs and next state is true in every step from a state of the pool."""
        return self._unsolvable(self._step, [self._step.at(self._terms.negate(condition))], 1)

    def valid_initially(self, condition: Expr) -> bool:
        """Whether a condition is true in every initial state."""
        return self._unsolvable(self._start, [self._start.at(self._terms.negate(condition))])

    @staticmethod
    def _unsolvable(unrolling: Unrolling, assumptions: Sequence[Any], steps: int = 0) -> bool:
        """Whether the assumptions were shown to be contradictory on paths of so many steps."""
        with suppress(Undecided):
            return not unrolling.solve(assumptions, _WORK, steps=steps)
        return False

    # Growing the pool

    def accept(self, condition: Expr) -> None:
        """The condition holds in all reachable states, as was shown elsewhere."""
        if condition not in self.pool:
            self.pool.append(condition)
            self._step.session.add(self._step.at(condition))
            self._here.session.add(self._here.at(condition))
            self._start.session.add(self._start.at(condition))

    def inductive(self, condition: Expr) -> bool:
        """Whether the condition holds initially and, relative to the pool, is kept by every step."""
        if not self.valid_initially(condition):
            return False
        here, there = self._step.at(condition), self._step.at(condition, 1)
        return self._unsolvable(self._step, [here, _negated(there)], 1)

    def inductive_after(self, bad: Expr, steps: int) -> bool:
        """Whether so many steps in a row without ``bad`` are never followed by a state with it (shorter runs are not looked at)."""
        self._step.extend(steps)
        good = [_negated(self._step.at(bad, frame)) for frame in range(steps)]
        known = [self._step.at(one, frame) for one in self.pool for frame in range(1, steps + 1)]
        return self._unsolvable(self._step, [*known, *good, self._step.at(bad, steps)], steps)

    def exclude(self, facts: Sequence[Expr], condition: Expr) -> bool:
        """Try to show by induction that states with the condition and the facts are unreachable; few facts, if possible.

        What is shown joins the pool.
        """
        terms = self._terms

        def claim(some: Sequence[Expr]) -> Expr:
            return terms.negate(terms.conjunction((*some, condition)))

        if not self.inductive(claim(facts)):
            return False
        few = list(facts)
        for fact in facts:
            fewer = [other for other in few if other is not fact]
            if self.inductive(claim(fewer)):
                few = fewer
        self.accept(claim(few))
        return True

    def exclude_by_few(self, facts: Sequence[Expr], condition: Expr) -> bool:
        """The same with at most two of the facts: where none of these claims is inductive alone, some may be together."""
        if len(facts) > _MOST_FACTS:
            return False
        terms = self._terms
        few = [some for count in range(3) for some in combinations(facts, count)]
        self.houdini(terms.negate(terms.conjunction((*some, condition))) for some in few)
        return self.excluded([*facts, condition])

    def houdini(self, candidates: Iterable[Expr]) -> None:
        """Add the largest set of candidates that is inductive together."""
        known = {*self.pool, *self._implied}
        alive = [one for one in dict.fromkeys(candidates) if one not in known]
        alive = alive[: self._budget.patience.most(_MOST_CANDIDATES)]
        with suppress(Undecided):
            self._join(self._kept(self._step, self._initially(alive), 1))

    def _join(self, proved: Iterable[Expr]) -> None:
        """What was shown together joins the pool, but for what the pool implies."""
        for one in proved:
            if self.excluded([self._terms.negate(one)]):
                self._implied.add(one)
            else:
                self.accept(one)

    def _initially(self, alive: Sequence[Expr]) -> Sequence[Expr]:
        """Those of some conditions that are true in every initial state."""
        try:
            return self._kept(self._start, alive, 0)
        except Undecided:
            return [one for one in alive if self.valid_initially(one)]

    @staticmethod
    def _kept(frames: Unrolling, alive: Sequence[Expr], steps: int) -> Sequence[Expr]:
        """The largest part of some conditions that is true after so many steps from where all of it was true.  Raises `Undecided`."""
        then = {one: frames.named(frames.at(one, steps)) for one in alive}
        while alive:
            here = [frames.at(one) for one in alive] if steps else []
            lost = disjunction([negation(then[one]) for one in alive])
            if not frames.solve([*here, lost], _WORK, steps=steps):
                break
            values = frames.session.booleans([then[one] for one in alive])
            alive = [one for one, value in zip(alive, values, strict=True) if value]
        return alive

    # What another solver is asked

    def safety_problem(self, question: Sequence[Expr]) -> SafetyProblem:
        """Can a state that satisfies the question be reached?  As text for a solver in another process, with the pool as what is known."""
        frames, terms = self._step, self._step.terms
        always = [frames.at(one) for one in self.pool]
        inside = [terms.within(one.key, 0) for one in self.system.variables]
        after = [terms.within(one.key, 1) for one in self.system.variables]
        script = z3.Solver(ctx=terms.context)
        script.add(terms.all([*inside, *[frames.at(one) for one in self.system.initial]]))
        script.add(terms.all([*always, *after, *frames.step_terms(0)]))
        script.add(terms.all([*always, *[frames.at(one) for one in question]]))
        pairs = [
            (str(now), str(then))
            for one in self.system.variables
            for now, then in zip(terms.constants(one.key, 0), terms.constants(one.key, 1), strict=True)
        ]
        return SafetyProblem(script.to_smt2(), tuple(pairs))

    def believed(self, script: str) -> Expr | None:
        """An invariant that another solver told, if it can be proved again here; then it joins the pool."""
        try:
            condition = Reader(self._step.terms, self._terms).script(script)
        except Unreadable:
            return None
        if not self.inductive(condition):
            return None
        self.accept(condition)
        return condition


def _negated(term: Any) -> Any:
    return z3.Not(term)


def candidates(system: Transitions, questions: Iterable[Expr]) -> list[Expr]:
    """Conditions that often are invariants: parts of the initial condition, bounds by initial values, conditions that steps test."""
    terms = system.terms
    found: dict[Expr, None] = {}
    own = {one.key for one in system.variables}
    for condition in system.initial:
        found[condition] = None
        for bound in _bounds(terms, condition):
            found[bound] = None
    for atom in _atoms([*(part.relation for part in system.parts), *questions]):
        if variables(atom) <= own:
            for one in (atom, terms.negate(atom)):
                found[one] = None
    return list(found)


def _bounds(terms: Terms, condition: Expr) -> list[Expr]:
    match condition:
        case Compare(Comparison.EQUAL, left, right) if left.sort is Sort.NUMBER:
            return [terms.compare("<=", left, right), terms.compare("<=", right, left)]
        case And(args):
            return [bound for arg in args for bound in _bounds(terms, arg)]
        case _:
            return []


def _atoms(conditions: Iterable[Expr]) -> list[Expr]:
    """Comparisons of numbers that mention no next value."""
    found: dict[Expr, None] = {}
    for term in subterms(*conditions):
        if isinstance(term, Compare) and term.left.sort is Sort.NUMBER:
            names = [one.name for one in subterms(term) if isinstance(one, Var)]
            if names and not any(name.endswith(PRIME) for name in names) and not isinstance(term.left, Const):
                found[term] = None
    return list(found)
