"""Which marks a run must see again and again, and the tree that turns such a condition into a parity condition.

The tree is Zielonka's: its root has all marks; the children of a node are the largest sets of marks below its own for which the
condition is the other way round.  Its leaves are the states of an automaton: to read a mark, go up to the first set that has it, and
down again by the next child there.  The highest node that is passed again and again says whether the condition holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from epistrat.records import dataclass, field

MOST_LEAVES = 10_000


@dataclass(frozen=True, slots=True)
class Recurs:
    """The mark is seen again and again; or, where not ``often``, it is not."""

    mark: int
    often: bool = True


@dataclass(frozen=True, slots=True)
class Every:
    """All conditions hold; none of them: true."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """One of the conditions holds; none of them: false."""

    parts: tuple[Condition, ...]


Condition: TypeAlias = Recurs | Every | Some


def value(condition: Condition, sure: int, possible: int) -> bool | None:
    """The truth where the marks seen again and again contain ``sure`` and lie within ``possible``; None if that leaves it open."""
    match condition:
        case Recurs(mark, often):
            if sure >> mark & 1:
                return often
            return None if possible >> mark & 1 else not often
        case Every(parts) | Some(parts):
            neutral = isinstance(condition, Every)
            found: bool | None = neutral
            for part in parts:
                inner = value(part, sure, possible)
                if inner is (not neutral):
                    return inner
                found = found if inner is neutral else None
            return found


@dataclass(eq=False)
class Node:
    """A set of marks, as bits, and whether seeing exactly these again and again fulfils the condition."""

    marks: int
    depth: int
    parent: Node | None = None
    place: int = 0
    children: list[Node] = field(default_factory=list)


class TooManyLeaves(Exception):
    """The tree is too large."""


class Zielonka:
    """The tree of a condition over marks 0 .. count - 1.  A depth that is even is good."""

    def __init__(self, condition: Condition, count: int, tick: Callable[[], None] = lambda: None) -> None:
        self._condition, self._count, self._tick = condition, count, tick
        everything = (1 << count) - 1
        self.leaves: list[Node] = []
        wins = value(condition, everything, everything) is True
        self.root = Node(everything, 0 if wins else 1)
        self._grow()
        self._number = {id(leaf): number for number, leaf in enumerate(self.leaves)}
        self.start = self._number[id(_first(self.root))]

    def depth(self, leaf: int) -> int:
        """What a step counts that shows no mark."""
        return self.leaves[leaf].depth

    def read(self, leaf: int, mark: int) -> tuple[int, int]:
        """The leaf after a mark, and the depth of the highest node that was passed."""
        node = self.leaves[leaf]
        if node.marks >> mark & 1:
            return leaf, node.depth
        while not node.marks >> mark & 1:
            below = node
            assert node.parent is not None, "no such mark"
            node = node.parent
        after = node.children[(below.place + 1) % len(node.children)]
        return self._number[id(_first(after))], node.depth

    def _grow(self) -> None:
        work = [self.root]
        while work:
            node = work.pop()
            smaller = self._opposed(node.marks, node.depth % 2 == 0)
            if not smaller:
                self.leaves.append(node)
            if len(self.leaves) + len(work) > MOST_LEAVES:
                raise TooManyLeaves
            for place, marks in enumerate(smaller):
                child = Node(marks, node.depth + 1, node, place)
                node.children.append(child)
                work.append(child)

    def _opposed(self, within: int, wins: bool) -> list[int]:
        """The largest sets within these marks for which the condition is the other way round."""
        found: list[int] = []
        stack = [(0, within, 0)]  # marks that are in, marks that may be in, the next to decide
        while stack:
            self._tick()
            sure, possible, mark = stack.pop()
            if any(possible & ~known == 0 for known in found):
                continue
            truth = value(self._condition, sure, possible)
            if truth is (not wins):
                found = [known for known in found if known & ~possible] + [possible]
            elif truth is None:
                while not (possible & ~sure) >> mark & 1:
                    mark += 1
                stack += [(sure, possible & ~(1 << mark), mark + 1), (sure | 1 << mark, possible, mark + 1)]
        return sorted(found, reverse=True)


def _first(node: Node) -> Node:
    while node.children:
        node = node.children[0]
    return node
