"""Parity games on listed positions, with the strategies that win them (Zielonka's recursion).

The smallest priority that is passed again and again decides: even is good for the side that is called True.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count

from epistrat.records import dataclass


@dataclass
class ParityGame:
    """For each position whose turn it is, its priority and where it leads; every position leads somewhere."""

    owner: list[bool]
    priority: list[int]
    targets: list[list[int]]

    def before(self) -> list[list[int]]:
        """For each position those that lead to it."""
        found: list[list[int]] = [[] for _ in self.owner]
        for position, targets in enumerate(self.targets):
            for target in targets:
                found[target].append(position)
        return found


@dataclass
class Solution:
    """Whether True wins from each position; and where the winner goes from the positions at which it is its turn."""

    wins: list[bool]
    move: dict[int, int]


def solved(game: ParityGame, tick: Callable[[], None] = lambda: None) -> Solution:
    """Who wins from where, and how."""
    return _Solver(game, tick).solve()


class _Solver:
    def __init__(self, game: ParityGame, tick: Callable[[], None]) -> None:
        self._game, self._tick = game, tick
        self._before = game.before()
        self._move: dict[int, int] = {}
        self._calls = count()

    def solve(self) -> Solution:
        won = self._won(set(range(len(self._game.owner))))
        return Solution([position in won for position in range(len(self._game.owner))], self._move)

    def _won(self, inside: set[int]) -> set[int]:
        """The positions that True wins in a part of the game; moves are noted for both sides."""
        lost_to: dict[bool, set[int]] = {True: set(), False: set()}
        inside = set(inside)
        while inside:
            self._tick()
            lowest = min(self._game.priority[position] for position in inside)
            side = lowest % 2 == 0
            top = {position for position in inside if self._game.priority[position] == lowest}
            near = self._attracted(top, inside, side)
            won = self._won(inside - near)
            others = inside - near - won if side else won
            if not others:
                for position in top:
                    if self._game.owner[position] is side:
                        self._move[position] = next(one for one in self._game.targets[position] if one in inside)
                lost_to[side] |= inside
                break
            taken = self._attracted(others, inside, not side)
            lost_to[not side] |= taken
            inside -= taken
        return lost_to[True]

    def _attracted(self, goal: Iterable[int], inside: set[int], side: bool) -> set[int]:
        """Where a side can force the play into the goal without leaving the part."""
        game = self._game
        found = set(goal)
        work = list(found)
        left: dict[int, int] = {}
        while work:
            target = work.pop()
            for position in self._before[target]:
                if position not in inside or position in found:
                    continue
                if game.owner[position] is side:
                    self._move[position] = target
                else:
                    if position not in left:
                        left[position] = sum(one in inside for one in game.targets[position])
                    left[position] -= 1
                    if left[position]:
                        continue
                found.add(position)
                work.append(position)
        return found


def reached(game: ParityGame, start: Sequence[int], side: bool, move: dict[int, int]) -> list[int]:
    """The positions that plays visit in which one side moves like this, the first ones first."""
    order = list(dict.fromkeys(start))
    seen = set(order)
    for position in order:
        for target in [move[position]] if game.owner[position] is side else game.targets[position]:
            if target not in seen:
                seen.add(target)
                order.append(target)
    return order
