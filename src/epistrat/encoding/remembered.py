"""Variables that only remember: what bounded recall adds to a system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from epistrat.encoding.transitions import Transitions
from epistrat.terms import TRUE, Compare, Comparison, Key, Value, Var, variables

Remembered = Mapping[Key, tuple[Key, int]]


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


def forgetful(system: Transitions, memory: Remembered) -> Transitions:
    """The system without variables that only remember; its other variables change as before."""
    if not memory:
        return system
    return Transitions(
        tuple(one for one in system.variables if one.key not in memory),
        system.inputs,
        tuple(one for one in system.initial if not memory.keys() & variables(one)),
        tuple(part for part in system.parts if not memory.keys() & set(part.defines)),
        system.terms,
    )


def with_memories(memory: Remembered, states: Iterable[Mapping[Key, Value]]) -> tuple[Mapping[Key, Value], ...]:
    """The states of a run, from the initial one on, with what is remembered in them."""
    run = list(states)
    return tuple(
        {**state, **{key: run[max(0, time - age)][source] for key, (source, age) in memory.items()}}
        for time, state in enumerate(run)
    )
