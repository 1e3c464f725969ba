"""Nash equilibria whose strategies remember states, and do not see who did what: the judge goes through who may leave unpunished.

A run is that of an equilibrium iff for every agent that does not get its goal on it, and every way in which it can leave, the others
keep it from its goal without knowing who it was: they have seen states only.  A position is a state with the *accused*: those of the agents
that may have left who can still be the one, and None while nobody has left.  The profile says what everybody does; then some state comes
that it leads to, or that one of the accused can bring about.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, TypeAlias

from epistrat.engines.reference.graph import Nodes
from epistrat.engines.reference.plays import Plays
from epistrat.engines.reference.remembering import Games, Move
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Prop
from epistrat.logic.rewrite import conjunction
from epistrat.logic.sentences import over_leaves
from epistrat.model.state import Act
from epistrat.solvers.budget import Budget

if TYPE_CHECKING:
    from epistrat.engines.reference.judge import JudgeLabels

Accused: TypeAlias = frozenset[str] | None
Position: TypeAlias = tuple[int, Accused]


class Known:
    """Where formulae hold, as a table."""

    def __init__(self, known: Mapping[Formula, Nodes]) -> None:
        self._known = known

    def of(self, formula: Formula) -> Nodes:
        """The positions at which it holds."""
        return self._known[formula]


class WatchingStates:
    """The equilibria of one system; goals are path formulae over labels."""

    def __init__(self, plays: Plays, goals: Mapping[str, Formula], labels: JudgeLabels, budget: Budget) -> None:
        self._plays, self._labels, self._budget = plays, labels, budget
        self._goals = {name: goal for name, goal in goals.items() if name in plays.acting}

    def some(self, body: Formula) -> Nodes:
        """The states in which some equilibrium has a run that satisfies the path formula."""
        names = list(self._goals)
        sets = chain.from_iterable(combinations(names, many) for many in range(len(names) + 1))
        return frozenset().union(*(self._unless(set(losing), body) for losing in sets))

    def _unless(self, losing: set[str], body: Formula) -> Nodes:
        """Where the run satisfies the goals of all others, and those who may lose do not gain by leaving."""
        positions: list[Position] = [(node, None) for node in self._plays.nodes]
        number = {position: place for place, position in enumerate(positions)}
        moves: dict[int, Move] = {}
        for place, position in enumerate(positions):  # which grow
            self._budget.check()
            options = []
            for ends in self._choices(position, losing):
                for end in ends:
                    if end not in number:
                        number[end] = len(positions)
                        positions.append(end)
                options.append(Move(False, tuple(number[end] for end in ends)))
            moves[place] = Move(True, tuple(options))
        known: dict[Formula, Nodes] = {}

        def lifted(leaf: Formula) -> Formula:
            here = self._labels.of(leaf)
            name = Prop(f"known {len(known)}")
            known[name] = frozenset(place for place, position in enumerate(positions) if position[0] in here)
            return name

        left = Prop("somebody left")
        known[left] = frozenset(place for place, position in enumerate(positions) if position[1] is not None)
        content = (self._goals[name] for name in self._goals if name not in losing)
        on_the_run = over_leaves(conjunction((body, *content)), lifted)
        punished: list[Formula] = []
        for name in losing:
            still = Prop(f"{name} is accused")
            known[still] = frozenset(place for place, (_, accused) in enumerate(positions) if name in (accused or ()))
            goal = over_leaves(self._goals[name], lifted)
            punished.append(logic.Implies(logic.Finally(logic.Globally(still)), logic.Not(goal)))
        goal = logic.And(
            (
                logic.Or((logic.Finally(left), on_the_run)),
                logic.Implies(logic.Finally(left), conjunction(punished)),
            )
        )
        known |= {truth: frozenset(moves) if truth.value else frozenset() for truth in map(logic.Truth, (True, False))}
        won = Games(moves, Known(known), self._budget).won(goal)  # type: ignore[arg-type]
        return frozenset(place for place in won if place in self._plays.nodes)

    def _choices(self, position: Position, losing: set[str]) -> list[list[Position]]:
        """For each joint action what may come: what it leads to, and what the accused may do instead."""
        node, accused = position
        acting = self._plays.acting
        found: list[list[Position]] = []
        for joint in product(*[self._plays.options(agent, node) for agent in acting]):
            expected = self._end(node, joint)
            able: dict[int, set[str]] = {}
            for name in losing if accused is None else accused:
                place = acting.index(name)
                for own in self._plays.options(name, node):
                    able.setdefault(self._end(node, (*joint[:place], own, *joint[place + 1 :])), set()).add(name)
            ends: list[Position] = [(expected, accused)]
            ends += [(end, frozenset(names)) for end, names in able.items() if end != expected]
            found.append(ends)
        return found

    def _end(self, node: int, joint: tuple[Act | None, ...]) -> int:
        (end,) = self._plays.targets(node, tuple(zip(self._plays.acting, joint, strict=True)))
        return end
