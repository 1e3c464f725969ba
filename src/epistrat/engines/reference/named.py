"""Strategies with names: every strategy is tried, as the definitions say, or the game with one goal is solved where they remember."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from epistrat.engines.readings import Readings, Refused
from epistrat.engines.reference.graph import Nodes, World
from epistrat.engines.reference.paths import Product, first_atoms, leaf_masks
from epistrat.engines.reference.plays import Plays, Table
from epistrat.engines.reference.remembering import Games, Move
from epistrat.engines.reference.tableau import Tableau
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Tag, is_state, operands
from epistrat.logic.rewrite import negation, with_operands
from epistrat.logic.sentences import Crossing, OneGoal, crossing_in_words, given, one_goal, over_leaves, sharing
from epistrat.solvers.budget import Budget, OutOfBudget

if TYPE_CHECKING:
    from epistrat.engines.reference.judge import JudgeLabels

MOST_STRATEGIES = 100_000
"""The judge goes through at most so many strategies, or profiles of strategies."""
Assigned: TypeAlias = tuple[tuple[str, str, Table], ...]
"""("name", x, its strategy) and ("agent", a, the strategy it follows), sorted."""


class Named:
    """Sentences with names over the reachable states of one system; everything they say without names is asked of the labels."""

    def __init__(self, labels: JudgeLabels, plays: Plays, readings: Readings, budget: Budget) -> None:
        self._labels, self._plays, self._readings, self._budget = labels, plays, readings, budget
        self._known: dict[tuple[Formula, Assigned], Nodes] = {}
        self._given: dict[Formula, frozenset[tuple[str, str]]] = {}
        self._tried = 0

    def of(self, sentence: Formula) -> Nodes:
        """The states that satisfy a sentence that depends on no strategy from outside."""
        if self._readings.names is Tag.PERFECT:
            return self._with_memory(sentence)
        self._plays.require_next_states(protocols=False)
        return self._holds(sentence, ())

    # without memory

    def _holds(self, formula: Formula, assigned: Assigned) -> Nodes:
        if formula not in self._given:
            self._given[formula] = given(formula, self._plays.acting)
        relevant = tuple(one for one in assigned if one[:2] in self._given[formula])
        key = formula, relevant
        if key not in self._known:
            self._budget.check()
            self._known[key] = self._clause(formula, assigned)
        return self._known[key]

    def _clause(self, formula: Formula, assigned: Assigned) -> Nodes:
        if not is_state(formula):
            return self._goal(formula, assigned)
        match formula:
            case logic.SomeStrategy() | logic.EveryStrategy():
                return self._quantified(formula, assigned)
            case logic.Bound(agent, variable, arg):
                table = next(table for kind, name, table in assigned if (kind, name) == ("name", variable))
                return self._holds(arg, _with(assigned, ("agent", agent, table)))
            case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
                return self._labels.boolean(formula, [self._holds(part, assigned) for part in operands(formula)])
            case logic.ForAll() | logic.Exists() | logic.Coalition():
                body = over_leaves(formula.arg, lambda leaf: self._labels.stand_in(leaf, self._holds(leaf, assigned)))
                return self._labels.of(with_operands(formula, (body,)))
            case logic.Knows() | logic.Everybody() | logic.Distributed() | logic.Common() | logic.Correct():
                fact = self._labels.stand_in(formula.arg, self._holds(formula.arg, assigned))
                return self._labels.of(with_operands(formula, (fact,)))
            case _:
                return self._labels.of(formula)

    def _quantified(self, formula: logic.SomeStrategy | logic.EveryStrategy, assigned: Assigned) -> Nodes:
        some = isinstance(formula, logic.SomeStrategy)
        nodes = self._labels.world.nodes
        agents = sharing(formula.variable, formula.arg)
        found: Nodes = frozenset() if some else nodes
        for table in self._plays.tables(agents, self._readings.names):
            self._tried += 1
            if self._tried > MOST_STRATEGIES:
                raise OutOfBudget(f"there are more than {MOST_STRATEGIES:,} strategies to try")
            value = self._holds(formula.arg, _with(assigned, ("name", formula.variable, table)))
            found = found | value if some else found & value
            if found == (nodes if some else frozenset()):
                break
        return found

    def _goal(self, goal: Formula, assigned: Assigned) -> Nodes:
        """The states from which every play that the strategies leave satisfies the goal."""
        tables = {name: table for kind, name, table in assigned if kind == "agent"}
        graph = self._plays.graph({name: tables[name] for name in self._plays.acting})
        body = over_leaves(goal, lambda leaf: self._labels.stand_in(leaf, self._holds(leaf, assigned)))
        return plays_satisfy(World.unfair(graph), body, self._labels, self._budget)

    # with memory

    def _with_memory(self, sentence: Formula) -> Nodes:
        try:
            shape = one_goal(sentence, self._plays.acting)
        except Crossing as crossing:
            raise Refused(crossing_in_words(crossing)) from None
        if not isinstance(shape, OneGoal):
            return self._labels.of(shape)
        self._plays.require_next_states(protocols=True)
        moves = {node: self._moves(node, shape) for node in self._plays.nodes}
        body = over_leaves(shape.goal, lambda leaf: self._labels.stand_in(leaf, self._labels.of(leaf)))
        return Games(moves, self._labels, self._budget).won(body)

    def _moves(self, node: int, shape: OneGoal) -> Move:
        """The quantifiers in their order, each choosing what its agents do; then chance, against the goal."""

        def after(place: int, chosen: dict[str, object]) -> Move:
            if place == len(shape.players):
                acts = tuple((agent, chosen.get(agent)) for agent in self._plays.acting)
                return Move(False, tuple(sorted(self._plays.targets(node, acts))))  # type: ignore[arg-type]
            player = shape.players[place]
            options = self._plays.shared(player.agents, node)
            return Move(
                player.some,
                tuple(after(place + 1, {**chosen, **dict.fromkeys(player.agents, act)}) for act in options),
            )

        return after(0, {})


def _with(assigned: Assigned, one: tuple[str, str, Table]) -> Assigned:
    others = [known for known in assigned if known[:2] != one[:2]]
    return tuple(sorted((*others, one), key=lambda entry: entry[:2]))


def plays_satisfy(world: World, body: Formula, labels: JudgeLabels, budget: Budget) -> Nodes:
    """The nodes of a world from which every infinite (fair) path satisfies a path formula."""
    tableau = Tableau(negation(body))
    masks = leaf_masks(world, [labels.of(leaf) for leaf in tableau.leaves])
    starts: Mapping[int, list[object]] = dict.fromkeys(world.nodes, first_atoms(tableau))  # type: ignore[arg-type]
    return world.nodes - Product(world, tableau, masks, budget).satisfiable(starts)  # type: ignore[arg-type]
