"""Knowledge subformulae as atoms with placeholders."""

from __future__ import annotations

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands
from epistrat.logic.rewrite import rebuild
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.terms import Expr, Key, Var

OWNER = "?known"


@dataclass(frozen=True)
class Atom:
    """``node`` says that who observes ``keys`` knows ``body``.

    ``truth`` is the body as a condition on a state ``delay`` steps later, where the body's X are past.  ``variable`` is the placeholder.
    """

    node: Formula
    agents: tuple[str, ...]
    keys: tuple[Key, ...]
    body: Formula
    variable: Var
    truth: Expr
    delay: int = 0


def split(formula: Formula) -> Formula:
    """The same with GK written as K of each member, and K of a conjunction of state formulae as conjunction of K's."""
    return rebuild(formula, _split_one)


def _split_one(formula: Formula) -> Formula:
    match formula:
        case logic.Everybody(group, arg):
            return _conjunction([_split_one(logic.Knows(member, arg)) for member in group.members])
        case logic.Knows(agent, logic.And(args)) if all(map(is_state, args)):
            return _conjunction([_split_one(logic.Knows(agent, arg)) for arg in args])
        case _:
            return formula


def _conjunction(parts: list[Formula]) -> Formula:
    unique = list(dict.fromkeys(parts))
    return unique[0] if len(unique) == 1 else logic.And(tuple(unique)) if unique else logic.Truth(True)


def observers(system: System, node: Formula) -> tuple[tuple[str, ...], tuple[int, ...], Formula]:
    """Who knows, what they observe (positions in a state), and what is known.

    O(i, f), correct behaviour, is knowledge of "green for i implies f" by somebody who sees nothing.
    """
    match node:
        case logic.Knows(agent, body):
            return (agent,), system.views[agent], body
        case logic.Distributed(group, body):
            return group.members, system.pooled_view(group), body
        case logic.Correct(agent, body):
            return (), (), logic.Implies(logic.Colour(agent, green=True), body)
    raise TypeError(f"nobody knows by himself what {type(node).__name__} says")


def outermost(formula: Formula) -> list[Formula]:
    """The knowledge subformulae that stand below no other."""
    found: dict[Formula, None] = {}
    seen: set[Formula] = set()
    stack = [formula]
    while stack:
        part = stack.pop()
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, logic.KNOWING):
            found[part] = None
        else:
            stack.extend(reversed(operands(part)))
    return list(found)
