"""Variables that only remember: what bounded recall adds to a system."""

from __future__ import annotations

from collections import Counter

from epistrat.encoding.transitions import Key, Transitions
from epistrat.terms import TRUE, Compare, Comparison, Var, variables


def remembered(system: Transitions) -> dict[Key, tuple[Key, int]]:
    """Variables that always have the value that another one had some steps ago, or initially: which one, and how many steps."""
    domains = system.domains
    copies = {
        part.defines[0]: value.key
        for part in system.parts
        if part.writes is not None and len(part.writes) == 1 and part.writes[0][0] == TRUE
        if isinstance(value := part.writes[0][1], Var)
        if domains[value.key] == domains[part.defines[0]]
    }
    equal = {
        frozenset(variables(one))
        for one in system.initial
        if isinstance(one, Compare) and isinstance(one.left, Var) and isinstance(one.right, Var)
        if one.op is Comparison.EQUAL
    }
    tied = Counter(key for condition in system.initial for key in variables(condition))
    found: dict[Key, tuple[Key, int]] = {}
    for key in copies:
        source, age = copies[key], 1
        while source in copies and source != key:
            source, age = copies[source], age + 1
        if source != key and tied[key] == 1 and frozenset((key, source)) in equal:
            found[key] = source, age
    return found
