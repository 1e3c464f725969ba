"""Formulae and their parts: types from `epistrat.logic.nodes`, and what their rows in `epistrat.logic.operators` say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from epistrat.logic.nodes import (
    ATOMS as ATOMS,
    CONNECTIVES as CONNECTIVES,
    EQUILIBRIA as EQUILIBRIA,
    FUTURE as FUTURE,
    KNOWING as KNOWING,
    KNOWLEDGE as KNOWLEDGE,
    NAMING as NAMING,
    PAST as PAST,
    REMEMBERING as REMEMBERING,
    TEMPORAL as TEMPORAL,
    And as And,
    Announced as Announced,
    Bound as Bound,
    Coalition as Coalition,
    Colour as Colour,
    Common as Common,
    Connective as Connective,
    Correct as Correct,
    Distributed as Distributed,
    Everybody as Everybody,
    EveryEquilibrium as EveryEquilibrium,
    EveryStrategy as EveryStrategy,
    Exists as Exists,
    Finally as Finally,
    ForAll as ForAll,
    Formula as Formula,
    Globally as Globally,
    Group as Group,
    Historically as Historically,
    Iff as Iff,
    Implies as Implies,
    Knowing as Knowing,
    Knows as Knows,
    KnowsWhether as KnowsWhether,
    Naming as Naming,
    Next as Next,
    Not as Not,
    Once as Once,
    Or as Or,
    Prop as Prop,
    Reading as Reading,
    Release as Release,
    Remembers as Remembers,
    Since as Since,
    SomeEquilibrium as SomeEquilibrium,
    SomeStrategy as SomeStrategy,
    Tag as Tag,
    Tagged as Tagged,
    Test as Test,
    Truth as Truth,
    Until as Until,
    WeakUntil as WeakUntil,
    Xor as Xor,
    Yesterday as Yesterday,
)
from epistrat.logic.operators import by_kind, operand_getters

_ROWS = by_kind()
_OPERANDS = operand_getters()
_TEMPORAL = tuple(row.kind for row in _ROWS.values() if row.time is not None)


def knows_whether(formula: Formula) -> tuple[str, Formula] | None:
    """The agent and f where the formula is ``KW(agent, f)``, which stands for ``K(agent, f) or K(agent, !f)``; else None."""
    match formula:
        case Or((Knows(agent, fact), Knows(same, Not(denied)))) if agent == same and fact == denied:
            return agent, fact
        case _:
            return None


def operands(formula: Formula) -> tuple[Formula, ...]:
    """The direct subformulae, left to right."""
    getter = _OPERANDS.get(type(formula))
    return () if getter is None else getter(formula)


def subformulae(*roots: Formula, below: Callable[[Formula], tuple[Formula, ...]] = operands) -> list[Formula]:
    """Every distinct subformula once, operands (``below``) before what they are operands of."""
    order: list[Formula] = []
    seen: set[Formula] = set()
    stack: list[tuple[Formula, bool]] = [(root, False) for root in reversed(roots)]
    while stack:
        formula, ready = stack.pop()
        if ready:
            order.append(formula)
        elif formula not in seen:
            seen.add(formula)
            stack.append((formula, True))
            stack.extend([(operand, False) for operand in reversed(below(formula))])
    return order


def is_state(formula: Formula) -> bool:
    """Whether truth depends on the state alone: no temporal operator stands outside A, E, ``<g>``, K and its kin.

    Knowledge over a path formula is a state formula (see `Knows`), and so is everything below a quantifier.
    """
    stack = [formula]
    while stack:
        current = stack.pop()
        if isinstance(current, _TEMPORAL):
            return False
        if isinstance(current, CONNECTIVES):
            stack.extend(operands(current))
        elif isinstance(current, Announced):
            stack.append(current.arg)
    return True


def members(formula: Formula) -> tuple[str, ...]:
    """The agents that the outermost operator names, one or a group; nobody where it names none."""
    if isinstance(formula, (Knows, KnowsWhether, Correct, Colour, Bound)):
        return (formula.agent,)
    if isinstance(formula, (Everybody, Distributed, Common, Remembers, Coalition)):
        return formula.group.members
    return ()


def knowers(formulae: Iterable[Formula], *, players: bool = False) -> set[str]:
    """The agents whose knowledge the formulae speak about; with ``players`` also those whose strategies."""
    kinds = (*KNOWLEDGE, KnowsWhether, Remembers, *((Coalition,) if players else ()))
    return {name for part in subformulae(*formulae) if isinstance(part, kinds) for name in members(part)}
