"""Uniform strategies under fair scheduling: plays in which an event is passed over for ever do not count.

Given a strategy, a play counts iff there is no event e and no moment from which on e is always left and no event happens that shares an
agent with e.  A set of states that is strongly connected under the strategy has a cycle that counts iff for each event e some state of the
set does not leave e, or some step inside the set shares an agent with e; otherwise no part of it has one either.  Every beginning of a play
can be continued to one that counts, by letting happen what has been left for the longest time; with fairness constraints, that is another
question about cycles.

Decisions are made one by one.  A play that loses by what is decided already refutes all completions.
"""

from __future__ import annotations

from itertools import count

import numpy as np

from epistrat.engines.explicit.decisions import Deciding, Decisions, Left, phases
from epistrat.engines.explicit.edges import Index
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.structure import Explored
from epistrat.evidence import UniformStrategy
from epistrat.logic.formula import Finally, Formula, Group, Next, Until


class ScheduledGames:
    """The search for uniform strategies of one group, under fair scheduling."""

    def __init__(self, structure: Explored, group: Group, constraints: list[Mask]) -> None:
        self._deciding = Deciding(structure, group)
        self._budget, self.count = structure.budget, structure.count
        self._constraints = constraints
        agents = structure.system.agents
        parts = [{a.name for a in agents if name in a.actions} for name in self._deciding.event_names]
        shares = [[not one.isdisjoint(other) for other in parts] for one in parts]
        self._shares = np.array(shares, dtype=np.bool_).reshape(len(parts), len(parts))

    def objective(self, goal: Formula, parts: list[Mask], care: Mask) -> Mask:
        """The states of ``care`` from each of which some uniform strategy succeeds."""
        result: Mask = np.zeros(self.count, dtype=np.bool_)
        pending = care.copy()
        while pending.any():
            one = np.zeros(self.count, dtype=np.bool_)
            one[np.argmax(pending)] = True
            found = self.strategy(goal, parts, one)
            if found is not None:
                left = self._deciding.left(self._deciding.completed(found))
                one |= ~self._losing(left, goal, parts)
                result |= one
            pending &= ~one
        return result & care

    def strategy(self, goal: Formula, parts: list[Mask], starts: Mask, trials: int | None = None) -> Decisions | None:
        """Decisions with which the group succeeds from all the given states, whatever else it chooses; found in so many ``trials``."""
        stack: list[dict[tuple[int, int], int]] = [{}]
        for _ in count() if trials is None else range(trials):
            if not stack:
                break
            self._budget.check()
            decisions = stack.pop()
            left = self._deciding.left(decisions)
            if (starts & self._losing(left, goal, parts)).any():
                continue
            found = self._deciding.open_in(self._met(left, goal, parts, starts) & ~left.decided, decisions)
            if found is None:
                return decisions
            situation, acts = found
            stack.extend({**decisions, situation: act} for act in reversed(acts))
        return None

    def as_strategy(self, group: Group, decisions: Decisions) -> UniformStrategy:
        """The decisions as a strategy that says what to choose in every local state that was met."""
        return self._deciding.as_strategy(decisions)

    def _losing(self, left: Left, goal: Formula, parts: list[Mask]) -> Mask:
        """The states from which a play that counts violates the operator, passing decided states only."""
        over, violated = phases(goal, parts)
        through = ~over & ~violated
        if self._constraints:
            violated = violated & left.graph.until(left.decided, self._cycles(left, left.decided))
        if isinstance(goal, Next):
            return left.graph.before(violated)
        if isinstance(goal, (Finally, Until)):
            violated = violated | self._cycles(left, through & left.decided)
        return left.graph.until(through, violated)

    def _met(self, left: Left, goal: Formula, parts: list[Mask], starts: Mask) -> Mask:
        """The states whose choices matter to plays from the given ones: with constraints also after a violation."""
        over, violated = phases(goal, parts)
        if isinstance(goal, Next):
            met, ended = starts, left.reach(starts, starts) & violated
        else:
            met = left.reach(starts, ~over & ~violated)
            ended = met & violated
            met = met & ~over & ~violated
        everything = np.ones(self.count, dtype=np.bool_)
        return met | left.reach(ended, everything) if self._constraints else met

    def _cycles(self, left: Left, within: Mask) -> Mask:
        """The states of sets that are strongly connected inside ``within`` and have a cycle that counts."""
        inner = within[left.sources] & within[left.targets]
        if not inner.any():
            return np.zeros(self.count, dtype=np.bool_)
        count, component = left.graph.components(within)
        inner &= component[left.sources] == component[left.targets]
        good: Mask = np.zeros(count, dtype=np.bool_)
        good[component[left.sources[inner]]] = True
        for constraint in self._constraints:
            good &= self._some(count, component[within & constraint])
        happens = inner & (left.events >= 0)
        inside, events = component[left.sources[happens]], left.events[happens]
        for event, sharing in enumerate(self._shares):
            ready = np.zeros(self.count, dtype=np.bool_)
            ready[left.sources[left.events == event]] = True
            if ready.any():
                good &= self._some(count, component[within & ~ready]) | self._some(count, inside[sharing[events]])
        result: Mask = within & good[component]
        return result

    def _some(self, count: int, numbers: Index) -> Mask:
        found: Mask = np.zeros(count, dtype=np.bool_)
        found[numbers] = True
        return found
