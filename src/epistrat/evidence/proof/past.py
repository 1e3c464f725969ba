"""Past operators as bits beside the state, which every step brings up to date.

``Y f``: the bit is f's truth a step ago, false at time 0.  ``Once f``, ``Hist f`` and ``f S g`` keep their own truth a step ago:
``Once f = f or bit``, ``Hist f = f and bit`` (true at time 0), ``f S g = g or (f and bit)``.
"""

from __future__ import annotations

from epistrat.evidence.proof.relation import Extra, Pairs
from epistrat.evidence.proof.world import World
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd


@dataclass(frozen=True, slots=True)
class Memory:
    """A bit that remembers: where the operator is true now, how the bit begins and how a step changes it."""

    true: Bdd
    initial: Bdd
    kept: Extra
    pairs: Pairs


def past_operators(formula: Formula) -> list[Formula]:
    """The past operators of a formula, each after those inside it."""
    return [part for part in subformulae(formula) if isinstance(part, logic.PAST)]


def memory(world: World, operator: Formula, args: list[Bdd]) -> Memory:
    """The memory of one operator whose operands hold in these states."""
    algebra = world.algebra
    now, later = algebra.grow(2)
    bit = algebra.var[now]
    match operator:
        case logic.Yesterday():
            true, kept, initial = bit, args[0], ~bit
        case logic.Once():
            true = kept = args[0] | bit
            initial = ~bit
        case logic.Historically():
            true = kept = args[0] & bit
            initial = bit
        case _:
            true = kept = args[1] | args[0] & bit
            initial = ~bit
    return Memory(true, initial, Extra(later, kept), ((now, later),))
