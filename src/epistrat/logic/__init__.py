"""Formulae: one type for time, knowledge, strategies and correct behaviour.

The nodes are in `epistrat.logic.formula`; here is what one does with them.
"""

from epistrat.logic.formula import Formula, Group, is_state, operands, subformulae
from epistrat.logic.fragment import Family, Fragment, fragment
from epistrat.logic.rewrite import negation, negation_normal_form
from epistrat.logic.show import show

__all__ = [
    "Family",
    "Formula",
    "Fragment",
    "Group",
    "fragment",
    "is_state",
    "negation",
    "negation_normal_form",
    "operands",
    "show",
    "subformulae",
]
