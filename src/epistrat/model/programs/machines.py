"""What agents need to keep in mind: a clock, or a memory, each with as few values as are found.

Where a view never occurs with a value it makes no difference what is done there, so values are joined that agree wherever both occur,
and go on to values that are joined.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, TypeAlias, TypeVar

from epistrat.model.programs.unfolding import NOTHING, Allowed, Found, Kept, View
from epistrat.records import dataclass

S = TypeVar("S", bound=Hashable)
MOST_TO_JOIN = 200
"""Of more values than these, only those that agree everywhere are joined."""
_MOST_TO_SHORTEN = 60

Tables: TypeAlias = Sequence[Mapping[tuple[str, View], Allowed]]
"""For each moment what agents do in which view."""


@dataclass(frozen=True)
class Clock:
    """Counts 0, 1, ..., ``last`` and goes on at ``back``; ``allowed[value]`` says which lines of which agent apply in which view."""

    last: int
    back: int
    allowed: tuple[Mapping[tuple[str, View], Allowed], ...]


@dataclass(frozen=True)
class Memory:
    """``rows[value]`` says for a view which lines apply and which value comes next; it begins with 0."""

    rows: tuple[Mapping[View, tuple[Allowed, int]], ...]


def clock_of(found: Found) -> Clock | None:
    """The clock of all agents that count; None where there is none of these."""
    if not found.by_clock:
        return None
    tables = [
        {(name, view): allowed for name, moments in found.by_clock.items() for view, allowed in moments[moment].items()}
        for moment in range(found.count)
    ]
    long = found.count > _MOST_TO_SHORTEN
    for last in [0, found.count - 1] if long else range(found.count):
        for back in [found.back] if long and last else range(last, -1, -1):
            folded = _folded(tables, found.back, last, back)
            if folded is not None:
                return Clock(last, back, tuple(folded))
    raise AssertionError("the moments themselves are a clock")


def _folded(tables: Tables, repeats: int, last: int, back: int) -> list[dict[tuple[str, View], Allowed]] | None:
    """What is done at each value of such a clock; None where two moments do not agree."""
    folded: list[dict[tuple[str, View], Allowed]] = [{} for _ in range(last + 1)]
    moment, value, seen = 0, 0, set[tuple[int, int]]()
    while (moment, value) not in seen:
        seen.add((moment, value))
        for key, allowed in tables[moment].items():
            if folded[value].setdefault(key, allowed) != allowed:
                return None
        moment = moment + 1 if moment + 1 < len(tables) else repeats
        value = value + 1 if value < last else back
    return folded


def memory_of(rows: Mapping[Kept, Mapping[View, tuple[Allowed, Kept]]]) -> Memory:
    """The memory of one agent."""
    reached = _reached(rows)
    blocks = _agreeing(reached, rows) if len(reached) > MOST_TO_JOIN else _Joining(reached, rows).blocks()
    merged: dict[int, dict[View, tuple[Allowed, int]]] = {}
    order: dict[int, int] = {}
    for kept in reached:
        order.setdefault(blocks[kept], len(order))
    for kept in reached:
        row = merged.setdefault(order[blocks[kept]], {})
        for view, (allowed, after) in rows.get(kept, {}).items():
            row[view] = allowed, order[blocks[after]]
    return Memory(tuple([merged[value] for value in sorted(merged)]))


def _reached(rows: Mapping[Kept, Mapping[View, tuple[Allowed, Kept]]]) -> list[Kept]:
    """What can be in mind, from the beginning on."""
    found = {NOTHING: None}
    pending = [NOTHING]
    for kept in pending:
        for _, after in rows.get(kept, {}).values():
            if after not in found:
                found[after] = None
                pending.append(after)
    return list(found)


def _agreeing(reached: Sequence[Kept], rows: Mapping[Kept, Mapping[View, tuple[Allowed, Kept]]]) -> dict[Kept, int]:
    """The coarsest partition whose blocks have the same views, do the same, and go on to the same blocks."""
    block = dict.fromkeys(reached, 0)
    while True:
        numbers: dict[object, int] = {}
        new = {}
        for kept in reached:
            row = rows.get(kept, {})
            signature = frozenset((view, allowed, block[after]) for view, (allowed, after) in row.items())
            new[kept] = numbers.setdefault((block[kept], signature), len(numbers))
        if len(numbers) == len(set(block.values())):
            return new
        block = new


class _Joining(Generic[S]):
    """Values are joined one after the other, with all that follows from it, unless two of them do not agree."""

    def __init__(self, reached: Sequence[S], rows: Mapping[S, Mapping[View, tuple[Allowed, S]]]) -> None:
        self._reached = list(reached)
        self._of = {one: number for number, one in enumerate(self._reached)}
        self._rows = [
            {view: (allowed, self._of[after]) for view, (allowed, after) in rows.get(one, {}).items()}
            for one in self._reached
        ]

    def blocks(self) -> dict[S, int]:
        """The number of the block of each value."""
        leader = list(range(len(self._reached)))
        rows = self._rows
        chosen: list[int] = []
        for number in range(len(self._reached)):
            if leader[number] != number:
                continue
            for earlier in chosen:
                joined = self._joined(leader, rows, earlier, number)
                if joined is not None:
                    leader, rows = joined
                    break
            else:
                chosen.append(number)
        return {one: _leading(leader, number) for number, one in enumerate(self._reached)}

    def _joined(
        self, leader: list[int], rows: list[dict[View, tuple[Allowed, int]]], one: int, other: int
    ) -> tuple[list[int], list[dict[View, tuple[Allowed, int]]]] | None:
        leader, rows = list(leader), list(rows)
        pending = [(one, other)]
        while pending:
            left, right = (_leading(leader, number) for number in pending.pop())
            if left == right:
                continue
            left, right = min(left, right), max(left, right)
            leader[right] = left
            row = dict(rows[left])
            for view, (allowed, after) in rows[right].items():
                same = row.setdefault(view, (allowed, after))
                if same[0] != allowed:
                    return None
                pending.append((same[1], after))
            rows[left] = row
        return leader, rows


def _leading(leader: Sequence[int], number: int) -> int:
    while leader[number] != number:
        number = leader[number]
    return number
