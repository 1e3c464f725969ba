"""What a group can enforce: attractors on the explored graph, with perfect information.

In a state, the members choose allowed actions together; then everybody else chooses, and free choices inside evolutions fall against
the group.  A *choice* of the group in a state has the outcomes of all joint actions that agree with it.

    Pre(Z)  states with some choice all of whose outcomes are in Z
    Opp(Z)  states where every choice has some outcome in Z; the complement of Pre of the complement

In an interleaved system a choice leaves events (`epistrat.engines.explicit.event_games`).  Where plays that end do not count, D are the
states from which the group can bring every play to an end, and coming to D is as good as coming to the goal.

Where the protocols allow no joint action there is no choice, so nothing can be enforced; a choice without any outcome is good for
everything.

With fairness the group has to succeed on fair paths only.  FairOpp is the largest set in which the others can force a fair path:
the greatest Z such that for each constraint c the others can force, from Z, to reach Z and c in at least one step.  Outside it the group
can avoid all fair paths and has won.
"""

from __future__ import annotations

import numpy as np

from epistrat.engines.explicit.edges import Ids, Index, Rows, arriving, occurrences
from epistrat.engines.explicit.event_games import choice_table
from epistrat.engines.explicit.graph import distinct, take_away
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.structure import Explored, Structure
from epistrat.engines.explicit.synchronous import SynchronousSuccessors
from epistrat.logic.formula import Finally, Formula, Globally, Group, Next, Until
from epistrat.model.system import Blocking

_BLOCK = 1 << 15  # states looked at together


class Games:
    """The choices of one group in all states."""

    def __init__(
        self, structure: Structure, constraints: list[Mask], owners: Index, choices: Index, outcomes: Rows
    ) -> None:
        """Given the state of each choice, and edges to their outcomes with the choice that each belongs to."""
        self._budget = structure.budget
        self._constraints = constraints
        self._ends_do_not_count = structure.system.blocking is Blocking.IGNORE
        self.count = structure.count
        self.owners = owners
        self._choice_count = len(owners)
        self.outcomes = occurrences(choices, len(owners))
        self._offered = occurrences(owners, self.count)
        self.leading_here = arriving(self.count, outcomes, choices)

    def enforce(self, goal: Formula, parts: list[Mask]) -> Mask:
        """Where the group enforces X, F, G or U of the given sets."""
        if self._constraints:
            return self._enforce_fairly(goal, parts)
        everything = np.ones(self.count, dtype=np.bool_)
        if self._ends_do_not_count:
            ended = self.attract(everything, ~everything)
            if isinstance(goal, Globally):
                return ~self.attract_opposed(~ended, ~parts[0] & ~ended)
            parts = [*parts[:-1], parts[-1] | ended]
        match goal:
            case Next():
                return ~self.opposed(~parts[0])
            case Finally():
                return self.attract(everything, parts[0])
            case Globally():
                return ~self.attract_opposed(everything, ~parts[0])
            case Until():
                return self.attract(parts[0], parts[1])
            case _:
                raise AssertionError(f"not an objective: {goal}")

    def opposed(self, goal: Mask) -> Mask:
        """Opp: every choice has some outcome in the goal."""
        hit = np.zeros(self._choice_count, dtype=np.bool_)
        for choices in self.leading_here.pieces(np.flatnonzero(goal)):
            hit[choices] = True
        bad = occurrences(self.owners[hit], self.count)
        result: Mask = bad == self._offered
        return result

    def attract(self, through: Mask, goal: Mask) -> Mask:
        """The least Z that contains the goal and every state of ``through`` in Pre(Z)."""
        result = goal.copy()
        left = self.outcomes.copy()
        empty = self.owners[left == 0]
        frontier: Index = np.flatnonzero(goal)
        joining = distinct(empty[through[empty] & ~result[empty]], self.count)
        result[joining] = True
        frontier = np.concatenate((frontier, joining))
        while len(frontier):
            self._budget.check()
            found: list[Index] = []
            for choices in self.leading_here.pieces(frontier):
                take_away(left, choices)
                ready = self.owners[choices[left[choices] == 0]]
                found.append(distinct(ready[through[ready] & ~result[ready]], self.count))
                result[found[-1]] = True
            frontier = np.concatenate(found)
        return result

    def attract_opposed(self, through: Mask, goal: Mask) -> Mask:
        """The least Z that contains the goal and every state of ``through`` in Opp(Z).

        A state without any choice is in Opp of every set.
        """
        result = goal.copy()
        left = self._offered.copy()
        spoilt = np.zeros(self._choice_count, dtype=np.bool_)
        stuck = np.flatnonzero((left == 0) & through & ~result)
        result[stuck] = True
        frontier: Index = np.flatnonzero(result)
        while len(frontier):
            self._budget.check()
            found: list[Index] = []
            for leading in self.leading_here.pieces(frontier):
                choices = distinct(leading[~spoilt[leading]], self._choice_count)
                spoilt[choices] = True
                owners = self.owners[choices]
                take_away(left, owners)
                ready = owners[left[owners] == 0]
                found.append(distinct(ready[through[ready] & ~result[ready]], self.count))
                result[found[-1]] = True
            frontier = np.concatenate(found)
        return result

    def _enforce_fairly(self, goal: Formula, parts: list[Mask]) -> Mask:
        fair = self.forced_fair(np.ones(self.count, dtype=np.bool_))
        match goal:
            case Next():
                return ~self.opposed(~parts[0] & fair)
            case Globally():
                return ~self.attract_opposed(self._offered > 0, ~parts[0] & fair)
            case Finally():
                return ~self.forced_fair(~parts[0])
            case Until(_, _):
                waiting = parts[0] & ~parts[1]
                broken = ~parts[0] & ~parts[1] & fair
                return ~self._forced_to_break(waiting, broken)
            case _:
                raise AssertionError(f"not an objective: {goal}")

    def forced_fair(self, within: Mask) -> Mask:
        """The largest set inside ``within`` in which the others can force a fair path to stay."""
        return self._forced_to_break(within, np.zeros(self.count, dtype=np.bool_))

    def _forced_to_break(self, within: Mask, broken: Mask) -> Mask:
        """Where the others can force: either a fair path that stays within, or a path within that reaches ``broken``."""
        alive = self._offered > 0
        result = (within & alive) | broken
        while True:
            self._budget.check()
            before = int(result.sum())
            for constraint in self._constraints:
                near = self.attract_opposed(within & alive, (result & constraint) | broken)
                result &= (self.opposed(near) & within & alive) | broken
            if int(result.sum()) == before:
                return result


def games_of(structure: Explored, group: Group, constraints: list[Mask]) -> Games:
    """The choices of a group; their outcomes are the edges of the graph."""
    if structure.system.interleaved:
        table = choice_table(structure, group)
        return Games(structure, constraints, table.owners, table.sources, table.outcomes())
    successors, steps = structure.successors, structure.steps
    assert isinstance(successors, SynchronousSuccessors)
    assert steps.labels is not None
    members = [i for i, agent in enumerate(structure.system.agents) if agent.name in group.members]
    offered = np.zeros(structure.count, dtype=np.int64)
    choices: Ids = np.empty(len(steps.targets), dtype=np.int32)
    total = 0
    most = structure.budget.patience.block(_BLOCK)
    for start in range(0, structure.count, most):
        structure.budget.check()
        stop = min(structure.count, start + most)
        counts, begins, agreeing = successors.choices_in(structure.states.block[start:stop], members)
        offered[start:stop] = counts
        firsts = total + np.cumsum(counts) - counts
        total += int(counts.sum())
        ends = steps.starts[start : stop + 1]
        rows = np.repeat(np.arange(stop - start), np.diff(ends))
        here = slice(ends[0], ends[-1])
        choices[here] = firsts[rows] + agreeing[begins[rows] + steps.labels[here]]
    owners = np.repeat(np.arange(structure.count, dtype=np.int32), offered)
    return Games(structure, constraints, owners, choices, steps)
