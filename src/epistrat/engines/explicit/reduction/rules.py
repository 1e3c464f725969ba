"""Which steps of a state are enough: rules S, S+ and M, one function each.

Let E be the set of labels chosen in a state.  The theory asks for:

    C1   whatever happens without E commutes with every member of E, and keeps it possible, until a member happens
    C2   on every cycle of the reduced graph some state is expanded fully (see `proviso`)
    C3   no member of E changes a proposition that the formula sees
    CJ   no member of E changes the local state of an agent under a knowledge operator
    C4   E has one member

C1, C2, C3 and CJ keep all traces, with what the agents in J see, up to stuttering: enough for linear time with knowledge.  C4 in
addition keeps the branching: enough for CTL*K without next.

Sets of labels are integers with one bit per label; a state is given by the numbers of its agents' local states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from epistrat.engines.explicit.reduction.automata import Automata
from epistrat.engines.explicit.reduction.tables import Tables, sticky_labels

Set: TypeAlias = int
Locals: TypeAlias = Sequence[int]


class Rules:
    """The rules for one system and one choice of what is visible.

    ``linear`` allows sets with several members (rule M), which keep traces but not branching.  ``closures`` allows rules other than S.
    """

    def __init__(self, automata: Automata, visible: frozenset[int], linear: bool, closures: bool = True) -> None:
        self.automata, self.visible, self.linear, self.closures = automata, visible, linear, closures
        self.tables = Tables(automata)
        self.sticky = sticky_labels(automata, visible)
        self.agents = [automata.participants(label) for label in automata.labels]
        self._all = (1 << len(self.agents)) - 1
        self._visible = _set(visible)
        self._sticky = _set(self.sticky)

    @cached_property
    def _allowed(self) -> list[list[Set]]:
        """By agent and local state: the labels it does not stand in the way of."""
        found: list[list[Set]] = []
        for agent, size in enumerate(self.automata.sizes):
            steps = self.automata.next[agent]
            rows = [self._all & ~_set(steps)] * size
            for label, after in steps.items():
                for local in (after >= 0).nonzero()[0].tolist():
                    rows[local] |= 1 << label
            found.append(rows)
        return found

    @cached_property
    def _commuting(self) -> list[list[Set]]:
        """By agent and local state: the invisible labels that commute with the rest of what the agent does, if it takes part."""
        found: list[list[Set]] = []
        for agent, size in enumerate(self.automata.sizes):
            steps = self.automata.next[agent]
            rows = [self._all & ~self._visible & ~_set(steps)] * size
            for label in steps:
                if label not in self.visible:
                    for local in self.tables.commutes(agent, label).nonzero()[0].tolist():
                        rows[local] |= 1 << label
            found.append(rows)
        return found

    def enabled(self, locals_: Locals) -> Set:
        """The labels that can happen in a state: all participants allow them."""
        found = self._all
        for rows, local in zip(self._allowed, locals_, strict=True):
            found &= rows[local]
        return found

    def rule_s(self, locals_: Locals) -> Set:
        """The labels that may be chosen alone because they commute locally.

        Establishes C1, C3, CJ and C4: the label is invisible, and in the automaton of each participant it is allowed and commutes with
        whatever that agent can do before it (`Tables.commutes`).  Other agents cannot touch it.
        """
        found = self._all & ~self._visible
        for rows, local in zip(self._commuting, locals_, strict=True):
            found &= rows[local]
        return found

    def closure(self, seed: int, locals_: Locals, enabled: Set, single: bool) -> Set | None:
        """The labels that must come along if the seed, enabled and invisible, is chosen: a stubborn set; None if it is of no use.

        An enabled member adds, for each participant, the labels with which it fails to commute (`Tables.conflicts`).  A disabled
        member adds, for one participant that blocks it, the labels that may lead to its being allowed (`Tables.enabling`);
        of several such participants the one with the fewest.  Then nothing outside the set can enable or disturb a member before
        a member happens: C1.  Of no use if an enabled member is visible (C3, CJ) or, with ``single``, is not the seed (C4).
        """
        members = 1 << seed
        useless = enabled & (~members if single else self._visible)
        todo = [seed]
        while todo:
            label = todo.pop()
            if enabled >> label & 1:
                needed = 0
                for agent in self.agents[label]:
                    needed |= self.tables.conflicts(agent, label)[locals_[agent]]
            else:
                needed = self._enabling(label, locals_)
            new = needed & ~members
            if new & useless:
                return None
            members |= new
            todo.extend(labels(new))
        return members

    def _enabling(self, label: int, locals_: Locals) -> Set:
        """The smallest set of labels of one blocking participant without which the label stays disabled."""
        sets = [
            self.tables.enabling(agent, label)[locals_[agent]]
            for agent in self.agents[label]
            if not self._allowed[agent][locals_[agent]] >> label & 1
        ]
        return min(sets, key=int.bit_count)

    def rule_s_plus(self, locals_: Locals, enabled: Set) -> Iterator[Set]:
        """Single labels whose stubborn set has no other enabled member.

        Establishes C1, C3, CJ and C4.  Finds what rule S misses where a label conflicts with steps that cannot happen yet.
        """
        for seed in labels(enabled & ~self._visible):
            if self.closure(seed, locals_, enabled, single=True) is not None:
                yield 1 << seed

    def rule_m(self, locals_: Locals, enabled: Set) -> Iterator[Set]:
        """The enabled members of stubborn sets, smallest first.

        Establishes C1, C3 and CJ, not C4: for linear formulae only.
        """
        found: dict[Set, None] = {}
        for seed in labels(enabled & ~self._visible):
            members = self.closure(seed, locals_, enabled, single=False)
            if members is not None:
                found[members & enabled] = None
        yield from sorted(found, key=int.bit_count)

    @cached_property
    def _other_rules(self) -> tuple[Callable[[Locals, Set], Iterator[Set]], ...]:
        if not self.closures:
            return ()
        return (self.rule_s_plus, self.rule_m) if self.linear else (self.rule_s_plus,)

    @property
    def names(self) -> str:
        """The rules in use."""
        return ("S, S+, M" if self.linear else "S, S+") if self.closures else "S"

    def choose(self, locals_: Locals, enabled: Set) -> Set | None:
        """A set smaller than ``enabled`` that some rule allows, or None.

        Sets without sticky labels come first, for they need no attention to cycles; among them rule S, then S+, then M.
        """
        if enabled & enabled - 1 == 0:
            return None
        single = self.rule_s(locals_)
        if free := single & ~self._sticky:
            return free & -free
        fallback = single & -single or None
        for rule in self._other_rules:
            for found in rule(locals_, enabled):
                if found == enabled:
                    continue
                if not found & self._sticky:
                    return found
                fallback = fallback or found
        return fallback

    def takes_sticky(self, chosen: Set) -> bool:
        """Whether a sticky label is among those chosen."""
        return chosen & self._sticky != 0


def labels(members: Set) -> Iterator[int]:
    """The labels in a set, in their order."""
    while members:
        low = members & -members
        yield low.bit_length() - 1
        members ^= low


def _set(members: Iterable[int]) -> Set:
    found = 0
    for label in members:
        found |= 1 << label
    return found
