"""What belongs together: the items of a system and the hyperedges between them that a good order keeps short.

Items are the variables and the agents' actions.  An edge is a mask of items, one for each: evolution line (target, guard and value),
protocol, conjunct of the initial condition, comparison of variables in a proposition; and *observation edges*, which tie a
variable of the Environment that at most two agents see (or at most two do not see) to those agents' own variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from epistrat.encoding import counted
from epistrat.encoding.bits import Item
from epistrat.encoding.evolution import frozen_variables
from epistrat.encoding.lazily import lazy
from epistrat.encoding.part import mask_of, variables_of
from epistrat.model.agent import Agent
from epistrat.model.system import System
from epistrat.terms import ActionIs, And, Compare, Enumeration, Expr, FiniteDomain, Or, Var, children, subterms

_FEW_ITEMS = 12  # a condition over more says less than its parts
_HUGE = 0.2  # edges over this share of the items are dropped
_MOST_OBSERVERS = 2  # so many observers, or non-observers, make an observation edge


class Footprint:
    """The items of a system and what its expressions touch."""

    def __init__(self, system: System, freeze: bool = True) -> None:
        self.system = system
        self.items: list[Item] = []
        self._index: dict[tuple[str, str | None], int] = {}
        for agent in system.agents:
            frozen = frozen_variables(agent) if freeze else frozenset()
            for variable in agent.variables:
                assert isinstance(variable.domain, FiniteDomain)
                self._add(Item(agent.name, variable.name, variable.domain, variable.name in frozen))
            if agent.actions and not system.interleaved:
                self._add(Item(agent.name, None, Enumeration(agent.actions)))
        self._touched: dict[Expr, int] = {}
        self._named: dict[Expr, int] = {}
        self._protocols: dict[str, int] = {}

    @lazy
    def starts(self) -> tuple[Expr, ...]:
        """The conjuncts of the initial condition; those that count together are one."""
        return counted.conjuncts(self.system.initial)

    def _add(self, item: Item) -> None:
        self._index[item.agent, item.name] = len(self.items)
        self.items.append(item)

    def index(self, agent: str, name: str | None) -> int:
        """The number of an item."""
        return self._index[agent, name]

    def of(self, expr: Expr) -> int:
        """The items an expression touches; an action stands for itself and for all its agent's protocol reads."""
        return self._mask(expr, self._touched, True)

    def _parts(self, condition: Expr) -> Iterator[Expr]:
        """The largest parts of a condition over many items that are over few: what belongs together inside it."""
        stack, seen = [condition], set[Expr]()
        many = self.of(condition).bit_count() > _FEW_ITEMS
        while many and stack:
            term = stack.pop()
            if term not in seen:
                seen.add(term)
                if self.of(term).bit_count() > _FEW_ITEMS:
                    stack += children(term)
                elif isinstance(term, And | Or | Compare):
                    yield term

    def _mentioned(self, expr: Expr) -> int:
        """The items an expression mentions; an action stands for itself."""
        return self._mask(expr, self._named, False)

    def _mask(self, expr: Expr, memo: dict[Expr, int], protocols: bool) -> int:
        stack = [expr]
        while stack:
            term = stack[-1]
            if term in memo:
                stack.pop()
                continue
            below = children(term)
            missing = [child for child in below if child not in memo]
            if missing:
                stack += missing
            else:
                memo[term] = reduce(or_, map(memo.__getitem__, below)) if below else self._leaf(term, protocols)
        return memo[expr]

    def _leaf(self, expr: Expr, protocols: bool) -> int:
        if isinstance(expr, Var):
            return 1 << self._index[expr.key]
        if isinstance(expr, ActionIs) and not self.system.interleaved:
            return 1 << self._index[expr.agent, None] | (self.protocol(expr.agent) if protocols else 0)
        return 0

    def protocol(self, agent: str) -> int:
        """The items that the agent's protocol reads."""
        found = self._protocols.get(agent)
        if found is None:
            found = 0
            for line in self.system.agent[agent].protocol:
                found |= self.of(line.condition)
            self._protocols[agent] = found
        return found

    def moving_edges(self) -> list[int]:
        """The hyperedges of what happens: lines, protocols, shared actions."""
        edges: dict[int, None] = {}
        for agent in self.system.agents:
            edges.update(dict.fromkeys(self._agent_edges(agent)))
        if self.system.interleaved:
            edges.update(dict.fromkeys(self._shared_actions()))
        return [edge for edge in edges if edge.bit_count() > 1]

    def direct_edges(self) -> list[int]:
        """What lines and protocol rules mention by themselves, conjunct by conjunct: an action stands for itself alone."""
        edges: dict[int, None] = {}
        for agent in self.system.agents:
            for line in agent.evolution:
                targets = [1 << self._index[agent.name, assignment.target] for assignment in line.assignments]
                values = [self._mentioned(assignment.value) for assignment in line.assignments]
                for conjunct in conjuncts(line.guard):
                    edges[reduce(or_, (*targets, *values, self._mentioned(conjunct)))] = None
                edges.update(dict.fromkeys(self._mentioned(part) for part in self._parts(line.guard)))
            if agent.actions and not self.system.interleaved:
                action = 1 << self._index[agent.name, None]
                for rule in agent.protocol:
                    edges.update(dict.fromkeys(action | self._mentioned(one) for one in conjuncts(rule.condition)))
        edges.update(dict.fromkeys(self._observations()))
        return [edge for edge in edges if edge.bit_count() > 1]

    def edges(self) -> list[int]:
        """All hyperedges, each once."""
        edges = dict.fromkeys(self.moving_edges())
        edges.update(dict.fromkeys(self._telling(self._parts_of_wide_guards())))
        edges.update(dict.fromkeys(self._telling(self.starts)))
        edges.update(dict.fromkeys(self._observations()))
        for proposition in self.system.propositions.values():
            edges.update(dict.fromkeys(self._telling(comparisons(proposition))))
        return [edge for edge in edges if edge.bit_count() > 1]

    def _parts_of_wide_guards(self) -> Iterator[Expr]:
        """The parts of guards that touch so much that by themselves they say nothing.

        "No two neighbours are both on" over a hundred switches is one edge over all of them, and ties each to its neighbours only.
        """
        most = many_of(len(self.items))
        for agent in self.system.agents:
            for line in agent.evolution:
                if self.of(line.guard).bit_count() > most:
                    yield from self._parts(line.guard)

    def _telling(self, parts: Iterable[Expr]) -> list[int]:
        """What the parts of a condition touch, except for those that treat alike what a large share of the items is.

        "No three of them at the start" is a conjunct for each three, "some bid meets some offer" a comparison for each two: they tie all to
        all, and say of nothing where it belongs.
        """
        edges = list(dict.fromkeys(map(self.of, parts)))
        tied = [0] * len(self.items)
        for edge in edges:
            for item in variables_of(edge):
                tied[item] |= edge
        most = many_of(len(self.items))
        too_many = mask_of([item for item, mask in enumerate(tied) if mask.bit_count() > most])
        return [edge for edge in edges if not edge & too_many]

    def _agent_edges(self, agent: Agent) -> Iterator[int]:
        for line in agent.evolution:
            mask = self.of(line.guard)
            for assignment in line.assignments:
                mask |= self.of(assignment.value) | 1 << self._index[agent.name, assignment.target]
            yield mask
        if agent.actions:
            mask = self.protocol(agent.name)
            if not self.system.interleaved:
                mask |= 1 << self._index[agent.name, None]
            yield mask

    def _shared_actions(self) -> Iterator[int]:
        """For each action of an interleaved system, all that its participants' lines and protocols for it touch."""
        masks: dict[str, int] = {}
        for agent in self.system.agents:
            for line in agent.evolution:
                mask = self.of(line.guard)
                for assignment in line.assignments:
                    mask |= self.of(assignment.value) | 1 << self._index[agent.name, assignment.target]
                for name in _actions(line.guard):
                    masks[name] = masks.get(name, 0) | mask
            for rule in agent.protocol:
                for name in rule.actions:
                    masks[name] = masks.get(name, 0) | self.of(rule.condition)
        yield from masks.values()

    def _observations(self) -> Iterator[int]:
        environment = self.system.environment
        others = [agent for agent in self.system.agents if not agent.is_environment]
        if environment is None or len(others) <= 2 * _MOST_OBSERVERS:
            return
        for variable in environment.variables:
            if variable.public:
                continue
            seeing = [agent for agent in others if variable.name in agent.observes]
            blind = [agent for agent in others if variable.name not in agent.observes]
            for group in (seeing, blind):
                if 0 < len(group) <= _MOST_OBSERVERS:
                    here = 1 << self._index[variable.key]
                    for agent in group:
                        for own in agent.variables:
                            yield here | 1 << self._index[own.key]

    def compared_pairs(self) -> list[tuple[int, int]]:
        """Pairs of variables of the same width, more than one bit, that some condition compares with each other."""
        conditions = list(self.system.propositions.values())
        for agent in self.system.agents:
            conditions.extend(line.condition for line in agent.protocol)
            conditions.extend(line.guard for line in agent.evolution)
        pairs: dict[tuple[int, int], None] = {}
        for atom in comparisons(*conditions):
            mask = self.of(atom)
            if mask.bit_count() == 2:
                pair = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
                one, other = (self.items[index] for index in pair)
                if one.name is not None and other.name is not None and one.width == other.width > 1:
                    pairs[pair] = None
        return list(pairs)


def many_of(items: int) -> float:
    """An edge over more of so many items says nothing: a fifth of them, but at least six."""
    return max(6, _HUGE * items)


def conjuncts(condition: Expr) -> tuple[Expr, ...]:
    """The operands of a conjunction, or the condition itself."""
    return condition.args if isinstance(condition, And) else (condition,)


def comparisons(*conditions: Expr) -> Iterator[Expr]:
    """The comparisons in conditions, each once."""
    return (term for term in subterms(*conditions) if isinstance(term, Compare))


def _actions(expr: Expr) -> Iterator[str]:
    return (term.action for term in subterms(expr) if isinstance(term, ActionIs))
