"""Items in an order in which neither names nor declarations have a part.

What stands where in time or in a row shows in a model's expressions: in the number that a guard compares a round or a turn with, in how
many lines and protocol rules ask for an item, and in what it is asked together with.  So the expressions of lines and rules are read as one
graph, whose nodes are sorted by what they are, then again and again by their neighbours (colour refinement, where a colour is a place
in the order).  Items that remain equal are interchangeable as far as this tells; they stay as they are declared.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from math import inf
from typing import Any

from epistrat.encoding.footprint import Footprint, conjuncts
from epistrat.encoding.part import variables_of
from epistrat.model.agent import Agent
from epistrat.terms import ActionIs, Arith, Compare, Comparison, Const, Expr, Sort, Var, children, subterms

_ROUNDS = 12  # how far neighbourhoods are looked at, unless nothing changes any more;
_MOST_VISITS = 40_000  # less far in graphs so large that it would take long
_MOST_TERMS = 1_000  # in one condition; larger ones take long to read, and are symmetric as a rule


def ranked(footprint: Footprint) -> list[int]:
    """The items in their order."""
    graph = _Graph(footprint)
    colours = graph.refined()
    return sorted(range(len(footprint.items)), key=colours.__getitem__)


class _Graph:
    """Items come first among the nodes, then expressions, lines and rules; ``below`` are the operands of each."""

    def __init__(self, footprint: Footprint) -> None:
        self._footprint = footprint
        self._number: dict[Hashable, int] = {}
        self.below: list[list[int]] = [[] for _ in footprint.items]
        self.kinds: list[tuple[Any, ...]] = list(_kinds(footprint))
        for agent in footprint.system.agents:
            self._add_agent(agent)

    def _add_agent(self, agent: Agent) -> None:
        index = self._footprint.index
        for line in agent.evolution:
            targets = [index(agent.name, assignment.target) for assignment in line.assignments]
            values = [self._add(assignment.value) for assignment in line.assignments]
            self._new((2, 0), [*targets, *values, self._add(line.guard)])
        for rule in agent.protocol:
            actions = [self._action(agent.name, action) for action in rule.actions]
            self._new((2, 1), [*actions, self._add(rule.condition)])

    def _new(self, kind: tuple[Any, ...], below: list[int]) -> int:
        self.kinds.append(kind)
        self.below.append(below)
        return len(self.kinds) - 1

    def _action(self, agent: str, action: str) -> int:
        if (agent, action) not in self._number:
            acting = not self._footprint.system.interleaved
            below = (
                [self._footprint.index(agent, None)] if acting and self._footprint.system.agent[agent].actions else []
            )
            self._number[agent, action] = self._new((1, 0), below)
        return self._number[agent, action]

    def _add(self, expr: Expr) -> int:
        """The node of an expression; of a large one only the kind is kept."""
        if expr not in self._number:
            terms = list(subterms(expr))
            for term in terms if len(terms) <= _MOST_TERMS else terms[-1:]:
                if term not in self._number:
                    self._number[term] = self._node(term, len(terms) <= _MOST_TERMS)
        return self._number[expr]

    def _node(self, term: Expr, small: bool) -> int:
        if isinstance(term, Var):
            return self._footprint.index(term.agent, term.name)
        if isinstance(term, ActionIs):
            return self._action(term.agent, term.action)
        if isinstance(term, Const):
            return self._new((3, float(term.value) if term.sort is Sort.NUMBER else -inf), [])
        operator = term.op.value if isinstance(term, Compare | Arith) else ""
        return self._new(
            (4, type(term).__name__, operator), [self._number[one] for one in children(term)] if small else []
        )

    def refined(self) -> list[int]:
        """The colours of all nodes."""
        above: list[list[int]] = [[] for _ in self.below]
        for node, below in enumerate(self.below):
            for other in below:
                above[other].append(node)
        colours = _compressed(self.kinds)
        visits = 1 + sum(map(len, self.below))
        for _ in range(max(2, min(_ROUNDS, _MOST_VISITS // visits))):
            colour = colours.__getitem__
            keys = [
                (own, tuple(sorted(map(colour, up))), tuple(sorted(map(colour, down))))
                for own, up, down in zip(colours, above, self.below, strict=True)
            ]
            before, colours = max(colours, default=0), _compressed(keys)
            if max(colours, default=0) == before:
                break
        return colours


def _kinds(footprint: Footprint) -> Iterator[tuple[Any, ...]]:
    """What items are: the least number asked for with them, how often they are asked for, and their shape."""
    count = len(footprint.items)
    moments, asked = [inf] * count, [0] * count
    for touched, condition in _conditions(footprint):
        number = _least_number(condition)
        for place in variables_of(touched):
            asked[place] += 1
            moments[place] = min(moments[place], number)
    for index, item in enumerate(footprint.items):
        yield 0, moments[index], -asked[index], item.name is None, item.width, item.frozen


def _compressed(keys: Sequence[tuple[Any, ...]]) -> list[int]:
    """The keys as numbers in the same order."""
    numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [numbers[key] for key in keys]


def _conditions(footprint: Footprint) -> Iterator[tuple[int, Expr]]:
    """The conditions of lines and protocol rules, and the items that each touches."""
    for agent in footprint.system.agents:
        for line in agent.evolution:
            touched = footprint.of(line.guard)
            for assignment in line.assignments:
                touched |= footprint.of(assignment.value) | 1 << footprint.index(agent.name, assignment.target)
            yield touched, line.guard
        for rule in agent.protocol:
            yield footprint.of(rule.condition), rule.condition


def _least_number(condition: Expr) -> float:
    """The least number that a conjunct of the condition compares something with by equality; infinite if there is none."""
    sides = (
        side
        for conjunct in conjuncts(condition)
        if isinstance(conjunct, Compare) and conjunct.op is Comparison.EQUAL
        for side in (conjunct.left, conjunct.right)
    )
    return min(
        (float(side.value) for side in sides if isinstance(side, Const) and side.sort is Sort.NUMBER), default=inf
    )
