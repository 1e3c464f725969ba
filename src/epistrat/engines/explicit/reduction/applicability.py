"""Which formulae may be checked on a reduced graph, and which kind of reduction they bear."""

from __future__ import annotations

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, operands, subformulae
from epistrat.model.conditions import is_condition
from epistrat.model.system import Blocking, Scheduling, System


def obstacle(system: System, formula: Formula) -> str | None:
    """Why the formula must be checked without reduction; None if it need not."""
    if not system.interleaved:
        return "the model is synchronous: there are no interleavings to leave out"
    parts = subformulae(formula, *system.fairness)
    if any(isinstance(part, logic.Next | logic.Yesterday) for part in parts):
        return "the formula counts steps (X or Y), and reduction keeps runs only up to repetition of states"
    if any(isinstance(part, logic.Coalition) for part in parts):
        if system.blocking is not Blocking.WAIT:
            return f"with blocking `{system.blocking.value}` strategies are read on all states"
        if system.scheduling is not Scheduling.ANY:
            return "with fair scheduling strategies are read on all states"
    nested = subformulae(*_below_quantifiers(formula))
    if any(isinstance(part, logic.PAST) for part in nested) and not is_linear(system, formula):
        return "a nested quantifier looks back, and reduction keeps no histories apart"
    return None


def _below_quantifiers(formula: Formula) -> list[Formula]:
    """The quantified subformulae that stand below another quantifier."""
    found: list[Formula] = []
    for part in subformulae(formula):
        if isinstance(part, logic.ForAll | logic.Exists):
            found += [inner for inner in subformulae(part.arg) if isinstance(inner, logic.ForAll | logic.Exists)]
    return found


def is_linear(system: System, formula: Formula, uniform: bool = False) -> bool:
    """Whether traces decide the formula: quantifiers stand only at the top, or as a single A directly under knowledge.

    With ``uniform`` strategies a coalition may stand at the top, too, if it is about conditions: every uniform strategy prunes the
    reduced graph as it prunes the full one, traces with traces.  With perfect information a strategy could see what traces do not show.

    Then any reduction that keeps the traces from each initial state keeps the verdict; otherwise the branching must be kept too.
    """
    if any(isinstance(part, logic.ForAll | logic.Exists) for part in subformulae(*system.fairness)):
        return False
    stack = [formula]
    bodies: list[Formula] = []
    while stack:
        part = stack.pop()
        if isinstance(part, logic.CONNECTIVES):
            stack.extend(operands(part))
        elif isinstance(part, logic.Coalition):
            if not uniform or not all(map(is_condition, operands(part.arg))):
                return False
        else:
            bodies.append(part.arg if isinstance(part, logic.ForAll | logic.Exists) else part)
    while bodies:
        part = bodies.pop()
        if isinstance(part, logic.ForAll | logic.Exists | logic.Coalition):
            return False
        if isinstance(part, logic.KNOWING) and isinstance(part.arg, logic.ForAll):
            bodies.append(part.arg.arg)
        else:
            bodies.extend(operands(part))
    return True
