"""Which formulae may be checked on a reduced graph, and which kind of reduction they bear."""

from __future__ import annotations

from epistrat.logic.formula import (
    KNOWLEDGE,
    PAST,
    And,
    Correct,
    Exists,
    ForAll,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Xor,
    Yesterday,
    operands,
    subformulae,
)
from epistrat.model.system import System


def obstacle(system: System, formula: Formula) -> str | None:
    """Why the formula must be checked without reduction; None if it need not."""
    if not system.interleaved:
        return "the model is synchronous: there are no interleavings to leave out"
    parts = subformulae(formula, *system.fairness)
    if any(isinstance(part, Next | Yesterday) for part in parts):
        return "the formula counts steps (X or Y), and reduction keeps runs only up to repetition of states"
    nested = subformulae(*_below_quantifiers(formula))
    if any(isinstance(part, PAST) for part in nested) and not is_linear(system, formula):
        return "a nested quantifier looks back, and reduction keeps no histories apart"
    return None


def _below_quantifiers(formula: Formula) -> list[Formula]:
    """The quantified subformulae that stand below another quantifier."""
    found: list[Formula] = []
    for part in subformulae(formula):
        if isinstance(part, ForAll | Exists):
            found += [inner for inner in subformulae(part.arg) if isinstance(inner, ForAll | Exists)]
    return found


def is_linear(system: System, formula: Formula) -> bool:
    """Whether traces decide the formula: quantifiers stand only at the top, or as a single A directly under knowledge.

    Then any reduction that keeps the traces from each initial state keeps the verdict; otherwise the branching must be kept too.
    """
    if any(isinstance(part, ForAll | Exists) for part in subformulae(*system.fairness)):
        return False
    stack = [formula]
    bodies: list[Formula] = []
    while stack:
        part = stack.pop()
        if isinstance(part, (Not, And, Or, Implies, Iff, Xor)):
            stack.extend(operands(part))
        else:
            bodies.append(part.arg if isinstance(part, ForAll | Exists) else part)
    while bodies:
        part = bodies.pop()
        if isinstance(part, ForAll | Exists):
            return False
        if isinstance(part, (*KNOWLEDGE, Correct)) and isinstance(part.arg, ForAll):
            bodies.append(part.arg.arg)
        else:
            bodies.extend(operands(part))
    return True
