"""Games with one goal and memory, without determinisation: one side keeps the other's runs from being accepted too often.

Let A be a nondeterministic automaton of "the goal fails".  The side that wants the goal wins iff, for some k, it can play such that
no run of A on the play takes more than k accepting transitions: that is a game of safety with counters.  The other side wins iff it can
do so with an automaton of the goal.  One of the two is true for some k, so both are tried for k = 0, 1, 2, ... side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from epistrat.engines.reference.graph import Nodes
from epistrat.logic.automaton import automaton
from epistrat.logic.body import split
from epistrat.logic.formula import Formula
from epistrat.records import dataclass, field
from epistrat.solvers.budget import Budget, OutOfBudget

if TYPE_CHECKING:
    from epistrat.engines.reference.judge import JudgeLabels

MOST_POSITIONS = 400_000  # a minute's work of the judge


@dataclass(frozen=True)
class Move:
    """A choice of the side that wants the goal (``some``), or of the other one: among further choices, or next states."""

    some: bool
    options: tuple[Move | int, ...]


Counts: TypeAlias = tuple[tuple[int, int], ...]
"""States of the automaton that runs can be in, each with the most accepting transitions that one of them has taken."""


@dataclass
class Buchi:
    """A nondeterministic Büchi automaton over the labels of nodes: transitions (literals, target, accepting) of every state."""

    steps: list[list[tuple[list[tuple[Nodes, bool]], int, bool]]] = field(default_factory=list)

    @staticmethod
    def of(body: Formula, labels: JudgeLabels, negated: bool, budget: Budget) -> Buchi:
        """The automaton of a path formula over labels, or of its negation; many acceptance sets become one by a counter."""
        over = split(body, negated=negated)
        found = automaton(over.formula, tick=budget.check)
        sets: dict[Formula, Nodes] = {leaf: labels.of(meant) for leaf, meant in over.leaves.items()}
        sets |= {atom: labels.of(atom) for atom in found.atoms if atom not in sets}
        many = max(found.acceptance, 1)
        steps: list[list[tuple[list[tuple[Nodes, bool]], int, bool]]] = [[] for _ in range(found.states * many)]
        for one in found.transitions:
            literals = [(sets[atom], value) for atom, value in one.literals]
            for place in range(many):
                reached = place
                while reached < found.acceptance and reached in one.sets:
                    reached += 1
                accepting = reached >= found.acceptance
                steps[one.source * many + place].append(
                    (literals, one.target * many + (0 if accepting else reached), accepting)
                )
        return Buchi(steps)

    def read(self, node: int, counts: Counts, most: int) -> Counts | None:
        """Where runs are after a node; None if one of them has taken too many accepting transitions."""
        after: dict[int, int] = {}
        for state, taken in counts:
            for literals, target, accepting in self.steps[state]:
                if all((node in nodes) is value for nodes, value in literals):
                    now = taken + accepting
                    if now > most:
                        return None
                    after[target] = max(after.get(target, -1), now)
        return tuple(sorted(after.items()))


START: Counts = ((0, 0),)


class Games:
    """Games on the nodes of one system, whose moves are given."""

    def __init__(self, moves: Mapping[int, Move], labels: JudgeLabels, budget: Budget) -> None:
        self._moves, self._labels, self._budget = moves, labels, budget

    def won(self, body: Formula) -> Nodes:
        """The nodes from which the side that wants the goal wins."""
        wrong = Buchi.of(body, self._labels, True, self._budget)
        right = Buchi.of(body, self._labels, False, self._budget)
        starts = [(node, START, START) for node in self._moves]
        return frozenset(start[0] for start in self.decided(starts, wrong, right))

    def decided(
        self, starts: Iterable[tuple[int, Counts, Counts]], wrong: Buchi, right: Buchi
    ) -> set[tuple[int, Counts, Counts]]:
        """Of positions (node, where runs of ``wrong`` are, where those of ``right`` are), those from which the goal can be enforced."""
        won: set[tuple[int, Counts, Counts]] = set()
        open_ones = set(starts)
        most = 0
        while open_ones:
            yes = self._kept({(node, counts) for node, counts, _ in open_ones}, wrong, True, most)
            no = self._kept({(node, counts) for node, _, counts in open_ones}, right, False, most)
            for start in list(open_ones):
                node, bad, good = start
                if (node, bad) in yes:
                    won.add(start)
                    open_ones.discard(start)
                elif (node, good) in no:
                    open_ones.discard(start)
            most += 1
        return won

    def _kept(self, starts: set[tuple[int, Counts]], runs: Buchi, side: bool, most: int) -> set[tuple[int, Counts]]:
        """The positions from which a side keeps every run below so many accepting transitions."""
        later: dict[tuple[int, Counts], Counts | None] = {}
        work = list(starts)
        while work:
            self._budget.check()
            position = work.pop()
            if position in later:
                continue
            if len(later) > MOST_POSITIONS:
                raise OutOfBudget(f"the game has more than {MOST_POSITIONS:,} positions")
            node, counts = position
            after = later[position] = runs.read(node, counts, most)
            if after is not None:
                work.extend((target, after) for target in _leaves(self._moves[node]))
        alive = {position for position, after in later.items() if after is not None}
        while True:
            kept = {
                position
                for position in alive
                if self._can(self._moves[position[0]], side, later[position] or (), alive)
            }
            if kept == alive:
                return alive
            alive = kept

    def _can(self, move: Move | int, side: bool, after: Counts, alive: set[tuple[int, Counts]]) -> bool:
        if isinstance(move, int):
            return (move, after) in alive
        choose = any if move.some is side else all
        return choose(self._can(option, side, after, alive) for option in move.options)


def _leaves(move: Move | int) -> set[int]:
    if isinstance(move, int):
        return {move}
    return set().union(*map(_leaves, move.options))
