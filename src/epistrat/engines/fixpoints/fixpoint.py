"""Fixpoints over a predecessor operator, which may be "some step leads into" (CTL) or "the others can force a step into" (ATL).

Every operator is monotone.  Some are *additive* too: ``pre(A or B) = pre(A) or pre(B)``, and from the empty set they give nothing that is
not in the target already.  "Some step leads into" is additive.  What a group can enforce is not: two outcomes of one choice may need
both sets, and a choice without any outcome (its assignment leaves its range) enforces even the empty set.

``stop`` ends a fixpoint early once what is known suffices for the question at hand; the result is then only a bound: from below for
least, from above for greatest fixpoints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from epistrat.engines.fixpoints.evaluator import never
from epistrat.solvers.bdd import Algebra, Bdd

Pre = Callable[[Bdd], Bdd]
Stop = Callable[[Bdd], bool]
Step = Callable[[Bdd], None]


def quiet(_: Bdd) -> None:
    """Nobody counts the iterations."""


def closure(algebra: Algebra, post: Pre, start: Bdd, tick: Callable[[], object] = lambda: None) -> Bdd:
    """Everything that steps lead to from the start, which is part of it."""
    found = new = start
    while new != algebra.false:
        tick()
        new = post(new) & ~found
        found = found | new
    return found


def until(
    algebra: Algebra, pre: Pre, through: Bdd, target: Bdd, additive: bool, stop: Stop = never, step: Step = quiet
) -> Bdd:
    """Least Z with Z = target or (through and pre(Z)).

    An ``additive`` operator is applied to the new states only, and not at all if there are none.
    """
    assert not additive or algebra.implies(pre(algebra.false) & through, target), "not an additive operator"
    found = new = target
    while not (additive and new == algebra.false) and not stop(found):
        new = pre(new if additive else found) & through & ~found
        if new == algebra.false:
            break
        found = found | new
        step(found)
    return found


def always(
    algebra: Algebra,
    pre: Pre,
    inside: Bdd,
    fairness: Sequence[Bdd],
    additive: bool,
    stop: Stop = never,
    step: Step = quiet,
) -> Bdd:
    """Greatest Z within ``inside`` from which pre can be repeated for ever, visiting every fairness set again and again.

    Without fairness: Z = inside and pre(Z).  With it, after Emerson and Lei: Z = inside and, for every set F, pre of
    "through Z to Z and F".
    """
    current = inside
    while True:
        before = current
        if not fairness:
            current = current & pre(current)
            step(current)
        for fair in fairness:
            towards = until(algebra, pre, current, current & fair, additive, step=step)
            current = current & pre(towards)
            step(current)
        if current == before or stop(current):
            return current
