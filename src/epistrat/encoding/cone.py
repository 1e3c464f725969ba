"""The cone of influence: the parts of a transition system that a question depends on.

What is left out can neither change the variables that are kept nor prevent a step: a part that may block is always kept.  So a
condition on kept variables is reachable in the cone iff it is in the whole system (which has an initial state at all).
"""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.encoding.transitions import PRIME, Key, Transitions
from epistrat.terms import FALSE, variables


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
                starts.add(number)
                pending.extend(self._starts[number])
        return Transitions(
            tuple(one for one in system.variables if one.key in kept),
            tuple(one for one in system.inputs if one.key in kept),
            tuple(one for number, one in enumerate(system.initial) if number in starts),
            tuple(one for number, one in enumerate(system.parts) if number in parts),
            system.terms,
        )
