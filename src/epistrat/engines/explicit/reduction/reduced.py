"""The reduced steps: a wrapper around all steps that leaves some out where the rules allow it.

What is left out depends on the state alone (and on the states that `proviso` later asks to expand fully), so the reduced graph does
not depend on the order of exploration.  Rule S is a table look-up, done for whole blocks; the other rules are tried state by state, and
only where an invisible step exists that rule S does not allow.  ``tried`` and ``found`` count how often, and with what success.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from epistrat.engines.explicit.explore import Piece
from epistrat.engines.explicit.interleaved import InterleavedSuccessors
from epistrat.engines.explicit.layout import Block, Codes, Mask, Numbers
from epistrat.engines.explicit.reduction.rules import Rules, labels
from epistrat.engines.explicit.store import states_of
from epistrat.records import dataclass


@dataclass(slots=True)
class Plan:
    """What is done in the states of a block: which rows each label is taken in, and which rows are reduced.

    ``reduced`` are the rows where a rule was applied; ``sticky`` those of them where a sticky label is taken.
    """

    taken: list[tuple[int, Codes]]
    reduced: Mask
    sticky: Mask


class ReducedSuccessors:
    """Enough steps of an interleaved system."""

    few = 100
    row_work = 0.5

    def __init__(self, successors: InterleavedSuccessors, rules: Rules) -> None:
        self.full = successors
        self.rules = rules
        self._labels = rules.automata.labels
        self._hidden = [label for label in range(len(self._labels)) if label not in rules.visible]
        self._free = [label for label in self._hidden if label not in rules.sticky]
        self._expanded = states_of(successors.layout, successors.layout.empty())
        self._expanded_set: set[int] = set()
        self.sticky_taken = False
        self.tried = 0
        self.found = 0

    def expand_fully(self, block: Block) -> None:
        """Leave nothing out in these states from now on."""
        self._expanded.insert(block)
        self._expanded_set.update(self.full.layout.integers(block))

    def expand(self, block: Block) -> Iterator[Piece]:
        """The chosen steps from the states of a block, labelled with 1 + the number of the action."""
        locals_ = self.full.locals(block)
        for label, rows in self.plan(block, locals_).taken:
            if len(rows):
                targets = self.full.apply(self._labels[label], block, locals_, rows)
                yield rows, targets, 1 + self._labels[label].action

    def plan(self, block: Block, locals_: list[Numbers]) -> Plan:
        """Which labels are taken in which rows."""
        count = len(block)
        plan = Plan([], np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_))
        rest = ~self._expanded.contains(block) if len(self._expanded) else np.ones(count, dtype=np.bool_)
        full = ~rest
        for label in self._free:
            rows = self._commuting(label, locals_, rest)
            rest[rows] = False
            plan.reduced[rows] = True
            plan.taken.append((label, rows))
        self._plan_rest(plan, locals_, rest)
        full |= rest & ~plan.reduced
        everywhere = np.flatnonzero(full)
        if len(everywhere):
            for label in range(len(self._labels)):
                rows = self.full.fire(self._labels[label], locals_, everywhere)
                plan.taken.append((label, rows))
        return plan

    def leaves_out(self, plan: Plan, locals_: list[Numbers]) -> Mask:
        """The rows in which some label that can happen is not taken."""
        left = np.zeros(len(plan.reduced), dtype=np.int32)
        for label in self._labels:
            left[self.full.fire(label, locals_)] += 1
        for _, rows in plan.taken:
            left[rows] -= 1
        result: Mask = left > 0
        return result

    def _commuting(self, label: int, locals_: list[Numbers], where: Mask) -> Codes:
        """The rows, of those given, in which rule S allows the label."""
        rows: Codes | None = None
        for agent in self.rules.agents[label]:
            commutes = self.rules.tables.commutes(agent, label)
            if rows is None:
                rows = np.flatnonzero(where & commutes[locals_[agent]])
            else:
                rows = rows[commutes[locals_[agent][rows]]]
            if not len(rows):
                break
        assert rows is not None
        return rows

    def _plan_rest(self, plan: Plan, locals_: list[Numbers], rest: Mask) -> None:
        """Try the other rules in the rows that are left and have an invisible step."""
        open_rows = np.zeros(len(rest), dtype=np.bool_)
        left = np.flatnonzero(rest)
        if not len(left):
            return
        for label in self._hidden:
            open_rows[self.full.fire(self._labels[label], locals_, left)] = True
        taken: dict[int, list[int]] = {}
        candidates = np.flatnonzero(open_rows)
        self.tried += len(candidates)
        for row, local in zip(candidates.tolist(), _rows(locals_, candidates), strict=True):
            chosen = self.rules.choose(local, self.rules.enabled(local))
            if chosen is None:
                continue
            self.found += 1
            plan.reduced[row] = True
            plan.sticky[row] = self._note(chosen)
            for label in labels(chosen):
                taken.setdefault(label, []).append(row)
        plan.taken += [(label, np.array(rows, dtype=np.int64)) for label, rows in taken.items()]

    def _note(self, chosen: int) -> bool:
        """Whether a sticky label is among those taken; also remembered for the whole exploration."""
        sticky = self.rules.takes_sticky(chosen)
        self.sticky_taken |= sticky
        return sticky

    def step(self, packed: int) -> list[int]:
        """The chosen steps from one state."""
        locals_ = [agent.number(packed) for agent in self.full.agents]
        chosen = enabled = self.rules.enabled(locals_)
        if packed not in self._expanded_set:
            found = self.rules.choose(locals_, enabled)
            self.tried += 1
            if found is not None:
                self.found += 1
                self._note(found)
                chosen = found
        return [self._target(label, packed, locals_) for label in labels(chosen)]

    def _target(self, label: int, packed: int, locals_: Sequence[int]) -> int:
        action, choices = self._labels[label].action, self._labels[label].choices
        for agent, choice in zip(self.rules.agents[label], choices, strict=True):
            packed ^= self.full.agents[agent].moves[locals_[agent]][action][choice]
        return packed


def _rows(locals_: list[Numbers], rows: Codes) -> list[list[int]]:
    """The local states of some rows, row by row."""
    chosen: list[list[int]] = np.stack([numbers[rows] for numbers in locals_], axis=1).tolist()
    return chosen
