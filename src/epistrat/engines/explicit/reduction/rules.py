"""Which steps of a state are enough: rules S, S+ and M, one function each.

Let E be the set of labels chosen in a state.  The theory asks for:

    C1   whatever happens without E commutes with every member of E, and keeps it possible, until a member happens
    C2   on every cycle of the reduced graph some state is expanded fully (see `proviso`)
    C3   no member of E changes a proposition that the formula sees
    CJ   no member of E changes the local state of an agent under a knowledge operator
    C4   E has one member

C1, C2, C3 and CJ keep all traces, with what the agents in J see, up to stuttering: enough for linear time with knowledge.  C4 in
addition keeps the branching: enough for CTL*K without next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from epistrat.engines.explicit.reduction.automata import Automata
from epistrat.engines.explicit.reduction.tables import Tables, sticky_labels


@dataclass
class Rules:
    """The rules for one system and one choice of what is visible.

    ``linear`` allows sets with several members (rule M), which keep traces but not branching.
    """

    automata: Automata
    visible: frozenset[int]
    linear: bool
    tables: Tables = field(init=False)
    sticky: frozenset[int] = field(init=False)
    agents: list[tuple[int, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.tables = Tables(self.automata)
        self.sticky = sticky_labels(self.automata, self.visible)
        self.agents = [self.automata.participants(label) for label in self.automata.labels]

    def enabled(self, locals_: Sequence[int]) -> list[int]:
        """The labels that can happen in a state, in their fixed order."""
        return [label for label in range(len(self.agents)) if self.is_enabled(label, locals_)]

    def is_enabled(self, label: int, locals_: Sequence[int]) -> bool:
        """Whether all participants allow the label."""
        return all(self.automata.next[agent][label][locals_[agent]] >= 0 for agent in self.agents[label])

    def rule_s(self, label: int, locals_: Sequence[int]) -> bool:
        """Whether {label}, enabled, may be chosen alone because it commutes locally.

        Establishes C1, C3, CJ and C4: the label is invisible, and in the automaton of each participant it commutes with whatever that agent
        can do before it (`Tables.commutes`).  Other agents cannot touch it.  Depends on the participants' local states only.
        """
        return label not in self.visible and all(
            bool(self.tables.commutes(agent, label)[locals_[agent]]) for agent in self.agents[label]
        )

    def closure(self, seed: int, locals_: Sequence[int], enabled: frozenset[int], single: bool) -> int | None:
        """The labels that must come along if the seed is chosen, as bits: a stubborn set; None if it is of no use.

        An enabled member adds, for each participant, the labels with which it fails to commute (`Tables.conflicts`).  A disabled
        member adds, for one participant that blocks it, the labels that may lead to its being allowed (`Tables.enabling`);
        of several such participants the one with the fewest.  Then nothing outside the set can enable or disturb a member before
        a member happens: C1.  Of no use if an enabled member is visible (C3, CJ) or, with ``single``, is not the seed (C4).
        """
        members = 1 << seed
        todo = [seed]
        while todo:
            label = todo.pop()
            if label in enabled:
                if label in self.visible or (single and label != seed):
                    return None
                needed = 0
                for agent in self.agents[label]:
                    needed |= self.tables.conflicts(agent, label)[locals_[agent]]
            else:
                needed = self._enabling(label, locals_)
            new = needed & ~members
            members |= new
            todo.extend(_bits(new))
        return members

    def _enabling(self, label: int, locals_: Sequence[int]) -> int:
        """The smallest set of labels of one blocking participant without which the label stays disabled."""
        sets = [
            self.tables.enabling(agent, label)[locals_[agent]]
            for agent in self.agents[label]
            if self.automata.next[agent][label][locals_[agent]] < 0
        ]
        return min(sets, key=int.bit_count)

    def rule_s_plus(self, locals_: Sequence[int], enabled: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Single labels whose stubborn set has no other enabled member.

        Establishes C1, C3, CJ and C4.  Finds what rule S misses where a label conflicts with steps that cannot happen yet.
        """
        known = frozenset(enabled)
        for seed in enabled:
            if seed not in self.visible and self.closure(seed, locals_, known, single=True) is not None:
                yield (seed,)

    def rule_m(self, locals_: Sequence[int], enabled: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """The enabled members of stubborn sets, smallest first.

        Establishes C1, C3 and CJ, not C4: for linear formulae only.
        """
        known = frozenset(enabled)
        found: dict[tuple[int, ...], None] = {}
        for seed in enabled:
            members = None if seed in self.visible else self.closure(seed, locals_, known, single=False)
            if members is not None:
                found[tuple(label for label in enabled if members >> label & 1)] = None
        yield from sorted(found, key=len)

    def choose(self, locals_: Sequence[int], enabled: Sequence[int]) -> tuple[int, ...] | None:
        """A set smaller than ``enabled`` that some rule allows, or None.

        Sets without sticky labels come first, for they need no attention to cycles; among them rule S, then S+, then M.
        """
        if len(enabled) < 2:
            return None
        single = [label for label in enabled if self.rule_s(label, locals_)]
        for label in single:
            if label not in self.sticky:
                return (label,)
        return self.choose_without_s(locals_, enabled, single)

    def choose_without_s(
        self, locals_: Sequence[int], enabled: Sequence[int], single: Sequence[int]
    ) -> tuple[int, ...] | None:
        """As `choose`, where rule S allows only sticky labels, namely ``single``."""
        fallback: tuple[int, ...] | None = (single[0],) if single else None
        for rule in (self.rule_s_plus, self.rule_m) if self.linear else (self.rule_s_plus,):
            for found in rule(locals_, enabled):
                if len(found) == len(enabled):
                    continue
                if not self.sticky.intersection(found):
                    return found
                fallback = fallback or found
        return fallback


def _bits(members: int) -> Iterator[int]:
    """The positions of the ones."""
    while members:
        low = members & -members
        yield low.bit_length() - 1
        members ^= low
