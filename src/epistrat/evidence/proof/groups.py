"""What a group can enforce with perfect information, as sets of states.

Without fairness by fixpoints of ``<g>X``.  With fairness it is what the others cannot prevent: they would have to force a fair path that
violates it.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.evidence.proof.bits import NotProvable
from epistrat.evidence.proof.sets import (
    Again,
    Before,
    Greatest,
    Kind,
    Least,
    Outside,
    Set,
    Through,
    Uniform,
    both,
    outside,
)
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula

OTHER_GOAL = "a group that enforces something else than one of X, F, G, U, W and R"


def enforced(group: tuple[str, ...], shape: Formula, sets: Sequence[Set], everything: Set) -> Set:
    """Where the group enforces the operator over these sets."""
    through, nothing = Through(Kind.ENFORCED, group), Outside(everything)
    match shape:
        case logic.Next():
            return Before(through, sets[0])
        case logic.Finally():
            return Least(through, everything, sets[0])
        case logic.Globally():
            return Greatest(through, sets[0], nothing)
        case logic.Until():
            return Least(through, sets[0], sets[1])
        case logic.WeakUntil():
            return Greatest(through, sets[0], sets[1])
        case logic.Release():
            return Greatest(through, sets[1], both(sets[0], sets[1]))
    raise NotProvable(OTHER_GOAL)


def played(one: Uniform, sets: Sequence[Set], fair: Sequence[Set], everything: Set) -> Set:
    """Where the group of a uniform strategy enforces its operator, in a world in which it follows the strategy."""
    if fair:
        return under_fairness(one.group, one.shape, sets, everything, fair)
    return enforced(one.group, one.shape, sets, everything)


def under_fairness(
    group: tuple[str, ...],
    shape: Formula,
    sets: Sequence[Set],
    everything: Set,
    fair: Sequence[Set],
) -> Set:
    """Where the others cannot force a fair path that violates the operator.

    ``fair`` are the states where play counts, and the conditions that a fair path meets again and again.
    """
    met, *conditions = fair
    through, nothing = Through(Kind.ANSWERED, group), Outside(everything)

    def forced(hold: Set, goal: Set) -> Set:
        """Where the others can force a fair path through states that hold, or come to the goal."""
        return Again(through, both(hold, met), goal, tuple(conditions))

    somehow = forced(everything, nothing)

    def until(f: Set, g: Set) -> Set:
        return forced(both(outside(g), f), both(somehow, outside(f), outside(g)))

    def weak(f: Set, g: Set) -> Set:
        return Least(through, both(outside(g), met), both(somehow, outside(f), outside(g)))

    match shape:
        case logic.Next():
            return outside(Before(through, both(somehow, outside(sets[0]))))
        case logic.Finally():
            return outside(until(everything, sets[0]))
        case logic.Globally():
            return outside(weak(sets[0], nothing))
        case logic.Until():
            return outside(until(sets[0], sets[1]))
        case logic.WeakUntil():
            return outside(weak(sets[0], sets[1]))
        case logic.Release():
            return outside(weak(sets[1], both(sets[0], sets[1])))
    raise NotProvable(OTHER_GOAL)
