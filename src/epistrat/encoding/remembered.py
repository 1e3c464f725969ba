"""Variables that only remember: what bounded recall adds to a system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from epistrat.encoding.transitions import Transitions
from epistrat.terms import TRUE, Compare, Comparison, Key, Value, Var, variables

Remembered = Mapping[Key, tuple[Key, int]]


def remembered(system: Transitions) -> dict[Key, tuple[Key, int]]:
    """Variables that always have the value that another one had some steps ago, or initially: which one, and how many steps.

    Assumption: along a chain of copies *every* variable between starts with the value of the chain's end; what stands between and
    starts differently ends the chain.  A circle of copies is walked once.
    """
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
    own = {one.key for one in system.variables}
    found: dict[Key, tuple[Key, int]] = {}
    sources: set[Key] = set()
    for key in copies:
        chain = _chain(key, copies)
        for place in range(len(chain) - 2, -1, -1):
            one, before = chain[place], chain[place + 1]
            source, age = found.get(before, (before, 0))
            if one in found or one in sources or source not in own or source == one or tied[one] != 1:
                continue
            if frozenset((one, source)) in equal or (age and frozenset((one, before)) in equal):
                found[one] = source, age + 1
                sources.add(source)
    return found


def ages(system: Transitions) -> dict[Key, int]:
    """How many copies lie between a variable and what it copies now and then, 0 where it copies nothing.

    No more than a hint about which variables are memory, and of what age: when they copy, and how they start, is not looked at.
    """
    copies: dict[Key, Key] = {}
    for part in system.parts:
        if part.writes is None or len(part.defines) != 1:
            continue
        values = [value for _, value in part.writes]
        others = {value.key for value in values if isinstance(value, Var)} - {part.defines[0]}
        if len(others) == 1 and all(isinstance(value, Var) for value in values):
            copies[part.defines[0]] = others.pop()
    return {one.key: len(_chain(one.key, copies)) - 1 for one in system.variables}


def _chain(key: Key, copies: Mapping[Key, Key]) -> list[Key]:
    """A variable, the one it copies, the one that this copies, and so on, until one that copies nothing or has come already."""
    chain = [key]
    while chain[-1] in copies and copies[chain[-1]] not in chain:
        chain.append(copies[chain[-1]])
    return chain


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
