"""Which formulae this engine answers: those of users, and those it makes itself on the way to a verdict."""

from __future__ import annotations

from epistrat.engines.symbolic.linear.body import past_inside
from epistrat.engines.symbolic.linear.body import refuses as refuses_paths
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.model.system import System


def refuses_formula(system: System, formula: Formula) -> str | None:
    """None if the engine answers the formula for the system, else why not."""
    if not is_state(formula):
        return "a path formula needs a quantifier in front"
    if any(map(past_inside, system.fairness)):
        return "fairness constraints that look back are not implemented here"
    for part in subformulae(formula, *system.fairness):
        refusal = _refuses_part(part, system)
        if refusal is not None:
            return refusal
    return refuses_paths(formula)


def _refuses_part(part: Formula, system: System) -> str | None:
    if isinstance(part, logic.Coalition):
        if system.interleaved:
            return "strategies are not defined for interleaved systems"
        if not isinstance(part.arg, (logic.Next, logic.Finally, logic.Globally, logic.Until)) or not all(
            map(is_state, operands(part.arg))
        ):
            return "a coalition can enforce X, F, G and U of state formulae only"
    return None
