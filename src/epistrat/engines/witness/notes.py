"""Remarks on a verdict that is true for a trivial reason."""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.engines.witness.space import S, WitnessSpace
from epistrat.logic.formula import PAST, And, ForAll, Formula, Globally, Implies, Not, Or, is_state, subformulae
from epistrat.logic.show import show


def vacuity(space: WitnessSpace[S], formula: Formula) -> tuple[str, ...]:
    """For a formula that holds: which premises of its ``AG(a -> b)`` never happen, so that nothing was asked of b."""
    never = [show(premise) for premise in dict.fromkeys(_premises(formula)) if _never(space, premise)]
    return tuple(f"`{premise}` is never true, so the formula holds vacuously." for premise in never)


def _never(space: WitnessSpace[S], premise: Formula) -> bool:
    """Whether no state of W satisfies the premise; what speaks of the past is left alone."""
    if not is_state(premise) or any(isinstance(part, PAST) for part in subformulae(premise)):
        return False
    return space.is_empty(space.satisfying(premise))


def _premises(formula: Formula) -> Iterator[Formula]:
    """The a of every ``AG(a -> b)`` (and ``AG(!a or b)``) that is asked at the top, through conjunctions and nested AG."""
    match formula:
        case And(args):
            for arg in args:
                yield from _premises(arg)
        case ForAll(Globally(arg)):
            yield from _implications(arg)


def _implications(formula: Formula) -> Iterator[Formula]:
    match formula:
        case Implies(left, right):
            yield left
            yield from _implications(right)
        case And(args):
            for arg in args:
                yield from _implications(arg)
        case Or((Not(left), _)):
            yield left
        case _:
            yield from _premises(formula)
