"""Uniform strategies on explored states of an interleaved system: one choice for each local state of each member.

Decisions are made one by one, only for local states that play meets.  With the decisions made so far, what the group can enforce with
perfect information is an upper bound: where it fails, no completion succeeds; where play meets no open decision, it is exact.
"""

from __future__ import annotations

from itertools import count

import numpy as np

from epistrat.engines.explicit.decisions import Decisions, phases, strategy_of
from epistrat.engines.explicit.edges import rows_of
from epistrat.engines.explicit.event_games import Table, choice_table
from epistrat.engines.explicit.games import Games
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.structure import Explored
from epistrat.evidence import UniformStrategy
from epistrat.logic.formula import Formula, Group, Next
from epistrat.model.system import Blocking
from epistrat.records import dataclass


@dataclass(frozen=True)
class _Open:
    """A local state of a member that play meets, and what it can still choose there, the most promising first."""

    member: int
    local: int
    acts: list[int]


class UniformGames:
    """The search for uniform strategies of one group."""

    def __init__(self, structure: Explored, group: Group, constraints: list[Mask]) -> None:
        self._structure, self._budget = structure, structure.budget
        self._constraints = constraints
        self.table: Table = choice_table(structure, group)
        ignoring = structure.system.blocking is Blocking.IGNORE
        self._follows_on = bool(constraints) or ignoring
        self.count = structure.count
        self._here = [numbers[self.table.owners] for numbers in self.table.locals]

    def objective(self, goal: Formula, parts: list[Mask], care: Mask) -> Mask:
        """The states of ``care`` from each of which some uniform strategy succeeds."""
        result: Mask = np.zeros(self.count, dtype=np.bool_)
        left = care & self._games({}).enforce(goal, parts)
        while left.any():
            one = np.zeros(self.count, dtype=np.bool_)
            one[np.argmax(left)] = True
            found = self.strategy(goal, parts, one)
            if found is not None:
                one |= self._games(self._completed(found)).enforce(goal, parts)
                result |= one
            left &= ~one
        return result & care

    def strategy(self, goal: Formula, parts: list[Mask], starts: Mask, trials: int | None = None) -> Decisions | None:
        """Decisions with which the group succeeds from all the given states, whatever else it chooses; found in so many ``trials``."""
        stack: list[dict[tuple[int, int], int]] = [{}]
        for _ in count() if trials is None else range(trials):
            if not stack:
                break
            self._budget.check()
            decisions = stack.pop()
            permitted = self._permitted(decisions)
            games = self._games(decisions, permitted)
            value = games.enforce(goal, parts)
            if (starts & ~value).any():
                continue
            found = self._undecided(goal, parts, starts, value, permitted)
            if found is None:
                return decisions
            stack.extend({**decisions, (found.member, found.local): act} for act in reversed(found.acts))
        return None

    def as_strategy(self, group: Group, decisions: Decisions) -> UniformStrategy:
        """The decisions as a strategy that says what to choose in every local state that was met."""
        complete = self._completed(decisions)
        return strategy_of(
            self._structure,
            group,
            self.table.locals,
            lambda member, local: self.table.names[member][complete[member, local]],
        )

    def _permitted(self, decisions: Decisions) -> Mask:
        """The choices that agree with the decisions."""
        result: Mask = np.ones(len(self.table.owners), dtype=np.bool_)
        for (member, local), act in decisions.items():
            result &= (self._here[member] != local) | (self.table.acts[member] == act)
        return result

    def _completed(self, decisions: Decisions) -> Decisions:
        """The decisions, and the first choice wherever nothing is decided."""
        found = dict(decisions)
        for member, here in enumerate(self._here):
            locals_, first = np.unique(here, return_index=True)
            for local, place in zip(locals_.tolist(), first.tolist(), strict=True):
                found.setdefault((member, local), int(self.table.acts[member][place]))
        return found

    def _games(self, decisions: Decisions, permitted: Mask | None = None) -> Games:
        if permitted is None:
            permitted = self._permitted(decisions)
        table = self.table
        number = np.cumsum(permitted) - 1
        edges = permitted[table.sources]
        owners, choices = table.owners[permitted], number[table.sources[edges]]
        outcomes = rows_of(len(owners), choices, table.targets[edges].astype(np.int32))
        return Games(self._structure, self._constraints, owners, choices, outcomes)

    def _undecided(self, goal: Formula, parts: list[Mask], starts: Mask, value: Mask, permitted: Mask) -> _Open | None:
        """The first open decision that play from the given states meets.

        Without fairness a play that has reached its goal needs no further decisions, and X looks one step ahead; with it, and where plays
        that end do not count, everything that can still happen matters.
        """
        table = self.table
        over = np.zeros(self.count, dtype=np.bool_) if self._follows_on else phases(goal, parts)[0]
        seen = starts & ~over
        frontier = seen.copy()
        edges = permitted[table.sources]
        before, after = table.owners[table.sources[edges]], table.targets[edges]
        while frontier.any():
            self._budget.check()
            found = self._open_in(frontier, permitted, value)
            if found is not None:
                return found
            if isinstance(goal, Next) and not self._follows_on:
                return None
            fresh = np.zeros(self.count, dtype=np.bool_)
            fresh[after[frontier[before]]] = True
            frontier = fresh & ~seen & ~over
            seen |= frontier
        return None

    def _open_in(self, states: Mask, permitted: Mask, value: Mask) -> _Open | None:
        table = self.table
        here = permitted & states[table.owners]
        for member, acts in enumerate(table.acts):
            local = self._here[member][here]
            if not len(local):
                continue
            pairs = np.unique(np.stack((local.astype(np.int64), acts[here]), axis=1), axis=0)
            several = pairs[:-1, 0][pairs[1:, 0] == pairs[:-1, 0]]
            if len(several):
                first = int(several[0])
                options = pairs[pairs[:, 0] == first, 1].tolist()
                return _Open(member, first, self._promising(member, first, options, permitted, value))
        return None

    def _promising(self, member: int, local: int, options: list[int], permitted: Mask, value: Mask) -> list[int]:
        """The options in the order of how few of their outcomes lead out of what can still be won."""
        table = self.table
        edges = permitted[table.sources] & ~value[table.targets]
        bad = np.bincount(table.sources[edges], minlength=len(table.owners)) > 0
        here = permitted & (self._here[member] == local)
        lost = {act: int((bad & here & (table.acts[member] == act)).sum()) for act in options}
        return sorted(options, key=lambda act: (lost[act], act))
