"""Remarks on a verdict that is due to a part of the formula.

A premise may never happen; and a subformula does not matter if the formula holds whatever stands in its place: with ``false`` where that
makes the formula stronger, with ``true`` under a negation (vacuity as Beer et al. and Kupferman and Vardi define it, by occurrences).  In
a formula that fails it does not matter if the formula fails whatever stands there: the same with ``true`` and ``false`` exchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Generic

from epistrat.engines.witness.space import S, WitnessSpace
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.logic.rewrite import with_operands
from epistrat.logic.show import show

MOST_TRIED = 40
"""Subformulae of one formula that are tried."""
MOST_SAID = 3  # remarks on one formula
FEW_STATES = 2_000
"""States up to which it costs little to label them so many times."""


def vacuity(space: WitnessSpace[S], formula: Formula, holds: bool, *, thorough: bool | None = None) -> Iterator[str]:
    """Which premises ``a`` of ``AG(a -> b)`` never happen, if the formula holds, and which subformulae do not matter.

    The latter only if ``thorough``; where nothing is said about that, if there are few states.
    """
    never = [premise for premise in dict.fromkeys(_premises(formula)) if holds and _never(space, premise)]
    yield from (f"`{show(premise)}` is never true, so the formula holds vacuously." for premise in never)
    if thorough is None:
        thorough = space.size(space.worlds) <= FEW_STATES
    if thorough and not any(isinstance(part, logic.PAST) for part in logic.subformulae(formula)):
        yield from Indifference(space, frozenset(never), holds).notes(formula)


class Indifference(Generic[S]):
    """Looks for the outermost subformulae that do not matter."""

    def __init__(self, space: WitnessSpace[S], never: frozenset[Formula], holds: bool) -> None:
        self._space = space
        self._verdict = holds
        self._never = never
        self._tried = 0
        self._asked: frozenset[Formula] = frozenset()

    def notes(self, formula: Formula) -> Iterator[str]:
        """A sentence for each of the first ones."""
        does = "holds" if self._verdict else "fails"
        for part, constant, _ in islice(self.replaced(formula), MOST_SAID):
            yield f"`{show(part)}` does not matter: the formula {does} with `{show(constant)}` in its place."

    def replaced(self, formula: Formula) -> Iterator[tuple[Formula, logic.Truth, Formula]]:
        """Each with the constant that may stand in its place, and the formula where it does.

        A conjunction that fails is looked at by those of its members that fail: of course the others do not matter.
        """
        # Their sets serve all trials: computed for each of them they would take most of the time.
        self._asked = frozenset(logic.subformulae(formula))
        demands = [formula] if self._verdict else list(_demands(formula))
        for demand in demands:
            self._tried += len(demands) > 1
            if len(demands) == 1 or (self._tried < MOST_TRIED and not _holds(self._space, demand)):
                yield from self._within(demand, lambda new: new, True)

    def _within(
        self, formula: Formula, whole: Callable[[Formula], Formula], positive: bool
    ) -> Iterator[tuple[Formula, logic.Truth, Formula]]:
        """Parts of a formula that stands in a larger one; ``positive`` unless under an odd number of negations."""
        if isinstance(formula, (logic.Iff, logic.Xor)) or not self._never.isdisjoint(_implied_from(formula)):
            return
        parts = logic.operands(formula)
        for at, part in enumerate(parts):
            wanted = positive is not (
                isinstance(formula, logic.Not) or (isinstance(formula, logic.Implies) and at == 0)
            )

            def put(new: Formula, at: int = at) -> Formula:
                return whole(with_operands(formula, (*parts[:at], new, *parts[at + 1 :])))

            if self._tried >= MOST_TRIED:
                return
            if logic.is_state(part) and not isinstance(part, (logic.Truth, logic.Not)):
                self._tried += 1
                constant = logic.Truth(wanted is not self._verdict)
                with self._space.tentatively(self._asked):
                    same = _holds(self._space, put(constant)) is self._verdict
                if same:
                    yield part, constant, put(constant)
                    continue
            yield from self._within(part, put, wanted)


def _demands(formula: Formula) -> Iterator[Formula]:
    """Formulae that together say the same: the members of a conjunction, also below ``AG``, ``K`` and premises."""
    match formula:
        case logic.And(args):
            for arg in args:
                yield from _demands(arg)
        case logic.ForAll(logic.Globally(arg), star):
            yield from (logic.ForAll(logic.Globally(one), star) for one in _demands(arg))
        case logic.Implies(left, right):
            yield from (logic.Implies(left, one) for one in _demands(right))
        case logic.Knows(agent, arg):
            yield from (logic.Knows(agent, one) for one in _demands(arg))
        case _:
            yield formula


def _holds(space: WitnessSpace[S], formula: Formula) -> bool:
    """Whether all initial states in W satisfy a state formula.  W is what AG looks at from there, so a body true in W needs no fixpoint."""
    match formula:
        case logic.And(args):
            return all(_holds(space, arg) for arg in args)
        case logic.ForAll(logic.Globally(body), False):
            return space.is_empty(space.minus(space.worlds, space.satisfying(body)))
        case _:
            return space.is_empty(space.minus(space.initial, space.satisfying(formula)))


def _implied_from(formula: Formula) -> tuple[Formula, ...]:
    """The premise of an implication, also of one written with `or`."""
    match formula:
        case logic.Implies(left, _) | logic.Or((logic.Not(left), _)):
            return (left,)
        case _:
            return ()


def _never(space: WitnessSpace[S], premise: Formula) -> bool:
    """Whether no state of W satisfies the premise; what speaks of the past is left alone."""
    if not logic.is_state(premise) or any(isinstance(part, logic.PAST) for part in logic.subformulae(premise)):
        return False
    return space.is_empty(space.satisfying(premise))


def _premises(formula: Formula) -> Iterator[Formula]:
    """The a of every ``AG(a -> b)`` (and ``AG(!a or b)``) that is asked at the top, through conjunctions and nested AG."""
    match formula:
        case logic.And(args):
            for arg in args:
                yield from _premises(arg)
        case logic.ForAll(logic.Globally(arg)):
            yield from _implications(arg)


def _implications(formula: Formula) -> Iterator[Formula]:
    match formula:
        case logic.Implies(left, right):
            yield left
            yield from _implications(right)
        case logic.And(args):
            for arg in args:
                yield from _implications(arg)
        case logic.Or((logic.Not(left), _)):
            yield left
        case _:
            yield from _premises(formula)
