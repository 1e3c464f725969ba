"""The cone of influence: the parts of a transition system that a question depends on.

What is left out can neither change the variables that are kept nor prevent a step: a part that may block is always kept.  So a
condition on kept variables is reachable in the cone iff it is in the whole system (which has an initial state at all).  Initial equations
that only say where a copy of a kept variable starts do not bring the copy into the cone.
"""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.encoding.transitions import PRIME, Transitions
from epistrat.terms import FALSE, Compare, Comparison, Key, Var, variables


class Cones:
    """The cones of one system."""

    def __init__(self, system: Transitions) -> None:
        self._system = system
        self._reads = [
            frozenset((owner, name.removesuffix(PRIME)) for owner, name in variables(part.relation, part.blocks))
            | frozenset(part.defines)
            for part in system.parts
        ]
        self._starts = [variables(condition) for condition in system.initial]
        self._defining: dict[Key, list[int]] = {}
        self._starting: dict[Key, list[int]] = {}
        for number, part in enumerate(system.parts):
            for key in part.defines:
                self._defining.setdefault(key, []).append(number)
        for number, keys in enumerate(self._starts):
            for key in keys:
                self._starting.setdefault(key, []).append(number)
        self._gives = self._copies()

    def _copies(self) -> dict[int, Key]:
        """Initial equations that only say where a copy starts (remembered values): their numbers, and the copies.

        A copy occurs in no other condition but those that say where copies of it start.  So it can always be given a value.
        """
        domains = {one.key: one.domain for one in self._system.variables}
        left = {key: set(numbers) for key, numbers in self._starting.items()}
        found: dict[int, Key] = {}
        pending = [key for key, numbers in left.items() if len(numbers) == 1]
        while pending:
            key = pending.pop()
            if len(left[key]) != 1:
                continue
            (number,) = left[key]
            match self._system.initial[number]:
                case Compare(Comparison.EQUAL, Var() as one, Var() as two) if domains[one.key] == domains[two.key]:
                    other = two.key if one.key == key else one.key
                    if other == key:
                        continue
                    found[number] = key
                    left[key].clear()
                    left[other].discard(number)
                    pending.append(other)
        return found

    def around(self, keys: Iterable[Key]) -> Transitions:
        """The system reduced to what the variables depend on."""
        system = self._system
        parts = {number for number, part in enumerate(system.parts) if part.blocks != FALSE}
        starts = {number for number, read in enumerate(self._starts) if not read}
        kept: set[Key] = set()
        pending = [*keys, *(key for number in parts for key in self._reads[number])]
        while pending:
            key = pending.pop()
            if key in kept:
                continue
            kept.add(key)
            for number in self._defining.get(key, ()):
                parts.add(number)
                pending.extend(self._reads[number])
            for number in self._starting.get(key, ()):
                if self._gives.get(number, key) != key:
                    continue
                starts.add(number)
                pending.extend(self._starts[number])
        return Transitions(
            tuple(one for one in system.variables if one.key in kept),
            tuple(one for one in system.inputs if one.key in kept),
            tuple(one for number, one in enumerate(system.initial) if number in starts),
            tuple(one for number, one in enumerate(system.parts) if number in parts),
            system.terms,
        )
