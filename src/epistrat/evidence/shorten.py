"""Proofs in few words: what an invariant or a region says beyond what the claim needs is left out, and that it is not needed is proved.

Engines find conditions that describe all states they know of, disjunct by disjunct.  Mostly much less shows the claim: what was asked, a
part of the initial condition that stays true, a bound that all disjuncts share.  Such conditions are put together, and then dropped one
by one as long as the prover says that what is left still shows the claim.  So what is printed is what is re-checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from epistrat.evidence import tree as e
from epistrat.evidence.proofs import Proofs
from epistrat.evidence.prover import Prover
from epistrat.evidence.shapes import positive
from epistrat.evidence.tree import Tree
from epistrat.logic import formula as logic
from epistrat.model.conditions import as_condition, is_condition
from epistrat.model.evaluate import Evaluator
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.terms import TRUE, And, Compare, Comparison, Const, Expr, Not, Or, Sort, Terms, subterms
from epistrat.terms.linear import balanced, linear_form

_MOST_TRIALS = 60  # conditions without one part that the prover is asked about
_MOST_LITERALS = 40  # of a long condition that are looked at


class Shortener:
    """Shortens the proofs in trees about one system."""

    def __init__(
        self, system: System, proofs: Proofs, prover: Prover, pause: Callable[[], None] = lambda: None
    ) -> None:
        """``pause`` is called between two questions to the prover, and may raise."""
        self._system = system
        self._pause = pause
        self._proofs = proofs
        self._prover = prover
        self._terms = Terms()
        self._evaluator = Evaluator(system)

    def tree(self, tree: Tree) -> Tree:
        """The tree with shorter proofs of the same claims."""
        return e.mapped(tree, self._claim)

    def _claim(self, tree: Tree) -> Tree:
        return replace(tree, because=tuple(self._reason(tree, one) for one in tree.because))

    def _reason(self, tree: Tree, reason: e.Reason) -> e.Reason:
        """A shorter reason of the same kind, or the reason itself."""
        match reason:
            case e.Invariant() | e.Region():

                def good(parts: list[Expr]) -> bool:
                    return self._shows(tree, replace(reason, condition=self._together(parts)))

                return replace(reason, condition=self._condition(tree, reason, good))
            case e.Derivation():
                return self._derivation(tree, reason)
            case _:
                return reason

    def _shows(self, tree: Tree, reason: e.Invariant | e.Region | e.Derivation) -> bool:
        self._pause()
        return self._proofs.shows(tree, reason) is True

    def _derivation(self, tree: Tree, reason: e.Derivation) -> e.Derivation:
        """Without facts that are not needed, with facts that are true everywhere, then with a shorter invariant."""
        for fact in reason.facts:
            without = replace(reason, facts=tuple(one for one in reason.facts if one is not fact))
            if self._shows(tree, without):
                reason = without
        for place, fact in enumerate(reason.facts):
            if isinstance(fact.reason, e.Region) and fact.where != TRUE:
                everywhere = replace(fact, where=TRUE, reason=replace(fact.reason, condition=TRUE))
                wider = replace(reason, facts=(*reason.facts[:place], everywhere, *reason.facts[place + 1 :]))
                reason = wider if self._shows(tree, wider) else reason
        found = reason

        def good(parts: list[Expr]) -> bool:
            return self._shows(tree, replace(found, invariant=self._together(parts)))

        if good([]):
            return replace(found, invariant=TRUE)
        return replace(found, invariant=self._condition(tree, e.Invariant(found.invariant), good))

    def _condition(self, tree: Tree, reason: e.Invariant | e.Region, good: Callable[[list[Expr]], bool]) -> Expr:
        """A condition that is as good as the reason's."""
        best = reason.condition
        for parts in self._attempts(tree, reason):
            if good(parts):
                best = self._shortest(best, self._together(fewer(parts, good)))
                break
        else:
            own = _conjuncts(best)
            if len(own) > 1 and good(own):
                best = self._together(fewer(own, good))
            elif isinstance(best, Or):
                best = self._fewer_cases(best, good)
        return self._written(best)

    def _written(self, condition: Expr) -> Expr:
        """The condition with its comparisons as a person would write them."""
        terms = self._terms
        match condition:
            case And(args):
                return terms.conjunction(map(self._written, _as_equations(terms, args)))
            case Or(args):
                return terms.disjunction(map(self._written, args))
            case Not(arg):
                return terms.negate(self._written(arg))
            case Compare(left=left) if left.sort is Sort.NUMBER:
                return balanced(terms, condition)
            case _:
                return condition

    def _fewer_cases(self, condition: Or, good: Callable[[list[Expr]], bool]) -> Expr:
        """The condition with cases that say less, so that some cover others, and without those that are covered or not needed."""
        cases = [_conjuncts(case) for case in condition.args]
        trials = _MOST_TRIALS

        def still_good() -> bool:
            nonlocal trials
            trials -= 1
            return good([self._terms.disjunction(map(self._together, cases))])

        place = 0
        while place < len(cases) and trials > 0:
            for literal in list(cases[place]):
                before = cases
                left = [one for one in cases[place] if one is not literal]
                others = [case for case in cases[place + 1 :] if not set(left) <= set(case)]
                cases = [case for case in cases[:place] if not set(left) <= set(case)] + [left, *others]
                if not left or trials <= 0 or not still_good():
                    cases = before
                else:
                    place = cases.index(left)
            place += 1
        return self._terms.disjunction(map(self._together, cases))

    def _together(self, parts: Iterable[Expr]) -> Expr:
        return self._terms.conjunction(parts)

    @staticmethod
    def _shortest(one: Expr, other: Expr) -> Expr:
        return min(one, other, key=lambda condition: len(list(subterms(condition))))

    # What may do instead

    def _attempts(self, tree: Tree, reason: e.Invariant | e.Region) -> Iterator[list[Expr]]:
        """Conditions that may show the claim together, the shorter first."""
        goal = self._goal(tree)
        if goal:
            yield goal
        start = [one for one in _conjuncts(self._system.initial) if self._evaluator.holds(one, tree.state)]
        yield self._lasting([*goal, *start], tree, reason)
        yield self._lasting([*goal, *start, *self._shared(tree, reason)], tree, reason)

    def _goal(self, tree: Tree) -> list[Expr]:
        """What must always be true for the claim."""
        match positive(tree.claim, tree.holds):
            case logic.ForAll(logic.Globally(hold)) | logic.Exists(logic.Globally(hold)) if is_condition(hold):
                return _conjuncts(as_condition(self._system, hold))
            case logic.Coalition(_, logic.Globally(hold)) if is_condition(hold):
                return _conjuncts(as_condition(self._system, hold))
            case _:
                return []

    def _shared(self, tree: Tree, reason: e.Invariant | e.Region) -> list[Expr]:
        """Literals of the condition that are true wherever it is; for a region, that are true in the state."""
        found: dict[Expr, None] = {}
        for literal in _literals(reason.condition):
            found.update(dict.fromkeys([literal, *_weaker(self._terms, literal)]))
        true = [one for one in found if self._evaluator.holds(one, tree.state)]
        if isinstance(reason, e.Region):
            return true[:_MOST_LITERALS]
        kept = true[:_MOST_LITERALS]
        return [one for one in kept if self._prover.entails(self._system, reason.condition, one)]

    def _lasting(self, parts: list[Expr], tree: Tree, reason: e.Invariant | e.Region) -> list[Expr]:
        """Those of the parts that no step makes false while all of them are true; where a step of one's choice is enough, all."""
        kept = list(dict.fromkeys(parts))
        if isinstance(reason, e.Invariant):
            kept = [one for one in kept if self._prover.entails(self._system, self._system.initial, one)]
        elif not isinstance(positive(tree.claim, tree.holds), logic.ForAll):
            return kept
        while True:
            self._pause()
            source = self._together(kept)
            still = [one for one in kept if self._prover.every_step(self._system, source, one)]
            if len(still) == len(kept):
                return kept
            kept = still


def fewer(parts: list[Expr], good: Callable[[list[Expr]], bool]) -> list[Expr]:
    """The parts without some that are not needed: large shares are tried first, then one at a time."""
    trials, size = _MOST_TRIALS, len(parts) // 2
    while size:
        place = 0
        while place < len(parts) and trials:
            left = parts[:place] + parts[place + size :]
            trials -= 1
            if left and good(left):
                parts = left
            else:
                place += size
        size //= 2
    return parts


def _as_equations(terms: Terms, parts: Sequence[Expr]) -> list[Expr]:
    """The parts with an equation in the place of two bounds of one number that meet: ``x = 16`` for ``16 <= x`` and ``x <= 16``."""
    kept: list[Expr] = []
    for part in parts:
        opposite = next((one for one in kept if _meet(terms, one, part)), None)
        if opposite is None:
            kept.append(part)
        else:
            bound = opposite if isinstance(part, Compare) and isinstance(part.left, Const) else part
            assert isinstance(bound, Compare)
            kept[kept.index(opposite)] = terms.compare("=", bound.left, bound.right)
    return kept


def _meet(terms: Terms, one: Expr, other: Expr) -> bool:
    """Whether both are bounds and the difference that one of them bounds from below the other bounds from above by the same number."""
    match one, other:
        case Compare(Comparison.LESS_EQUAL, a, b), Compare(Comparison.LESS_EQUAL, c, d):
            sums = [linear_form(terms.arith("-", left, right)) for left, right in ((a, b), (d, c))]
            return None not in sums and sums[0] == sums[1]
        case _:
            return False


def _conjuncts(condition: Expr) -> list[Expr]:
    return list(condition.args) if isinstance(condition, And) else [condition]


def _literals(condition: Expr) -> Iterator[Expr]:
    """The conditions that a condition is made of, as they occur in it: negated or not."""
    stack = [condition]
    while stack:
        part = stack.pop()
        match part:
            case And(args) | Or(args):
                stack.extend(args)
            case Not(And(args)) | Not(Or(args)):
                stack.extend(args)
            case _:
                yield part


def _weaker(terms: Terms, literal: Expr) -> list[Expr]:
    """What follows from a literal and may be shared by others."""
    match literal:
        case Compare(Comparison.EQUAL, left, right) if left.sort is Sort.NUMBER:
            return [terms.compare("<=", left, right), terms.compare("<=", right, left)]
        case _:
            return []
