"""Coalitions that enforce a path formula of several operators: every uniform strategy is tried, or the game with memory is solved."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from epistrat.engines.readings import Way
from epistrat.engines.reference.graph import Nodes, World
from epistrat.engines.reference.named import MOST_STRATEGIES, plays_satisfy
from epistrat.engines.reference.plays import Plays
from epistrat.engines.reference.remembering import Games, Move
from epistrat.logic import formula as logic
from epistrat.logic.formula import Tag
from epistrat.logic.rewrite import conjunction
from epistrat.logic.sentences import over_leaves
from epistrat.solvers.budget import Budget, OutOfBudget

if TYPE_CHECKING:
    from epistrat.engines.reference.judge import JudgeLabels


class Aims:
    """What groups can enforce on the reachable states of one system."""

    def __init__(self, labels: JudgeLabels, plays: Plays, budget: Budget) -> None:
        self._labels, self._plays, self._budget = labels, plays, budget

    def enforceable(self, formula: logic.Coalition, way: Way, classes: list[tuple[Nodes, Nodes]]) -> Nodes:
        """The nodes at which the group can enforce its aim; ``classes`` are the nodes that it cannot tell apart, and those like them."""
        self._plays.require_next_states(protocols=True)
        aim = over_leaves(formula.arg, lambda leaf: self._labels.stand_in(leaf, self._labels.of(leaf)))
        members = tuple(name for name in formula.group.members if name in self._plays.acting)
        if way is Way.HISTORY:
            return self._with_memory(members, aim)
        won: set[int] = set()
        for good in self._tries(members, aim, Tag.STATES if way is Way.STATE else Tag.VIEWS):
            if way is Way.POOLED:
                won.update(node for starts, nodes in classes if starts <= good for node in nodes)
            else:
                won |= good
        return frozenset(won)

    def _tries(self, members: tuple[str, ...], aim: logic.Formula, tag: Tag):  # type: ignore[no-untyped-def]
        """For every choice of strategies without memory the nodes from which all (fair) plays satisfy the aim."""
        tables = [list(self._plays.tables((member,), tag)) for member in self._counted(members, tag)]
        world = self._labels.world
        for chosen in product(*tables):
            self._budget.check()
            graph = self._plays.graph(dict(zip(members, chosen, strict=True)))
            yield plays_satisfy(World(graph, world.nodes, world.fair), aim, self._labels, self._budget)

    def _counted(self, members: tuple[str, ...], tag: Tag) -> tuple[str, ...]:
        number = 1
        for member in members:
            number *= self._plays.count((member,), tag)
        if number > MOST_STRATEGIES:
            raise OutOfBudget(f"there are more than {MOST_STRATEGIES:,} strategies to try")
        return members

    def _with_memory(self, members: tuple[str, ...], aim: logic.Formula) -> Nodes:
        world = self._labels.world
        fair = [
            logic.Globally(logic.Finally(self._labels.stand_in(logic.Truth(True), nodes)))
            for nodes in world.constraints
        ]
        body = logic.Implies(conjunction(fair), aim) if fair else aim
        moves = {node: self._moves(node, members) for node in self._plays.nodes}
        return Games(moves, self._labels, self._budget).won(body) & world.nodes

    def _moves(self, node: int, members: tuple[str, ...]) -> Move:
        """Each member chooses; the others and chance do what they like."""
        choices = product(*[self._plays.shared((member,), node) for member in members])
        options = [
            Move(False, tuple(sorted(self._plays.targets(node, tuple(zip(members, chosen, strict=True))))))
            for chosen in choices
        ]
        return Move(True, tuple(options))
