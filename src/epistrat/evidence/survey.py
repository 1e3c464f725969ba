"""Visiting all states again, where they are few: what an engine says about all states of a set can then be checked as well.

A survey lists the reachable states with `model.step` and evaluates time (CTL), knowledge and correct behaviour on them by the plainest
means.  It is no engine: it gives up where states are many, where there is fairness, and at coalitions and path formulae.
"""

from __future__ import annotations

from functools import cached_property

from epistrat.evidence.conditions import CONNECTIVES
from epistrat.evidence.runs import RunChecker
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, operands
from epistrat.model.explore import ReachableGraph, explore
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.solvers.budget import Budget, OutOfBudget

States = frozenset[int]
MOST_JOINT_ACTIONS = 64


class TooMuch(Exception):
    """The survey cannot tell."""


class Survey:
    """The reachable states of one system, if they are at most ``most``."""

    def __init__(self, runs: RunChecker, most: int) -> None:
        self._runs = runs
        self._system = runs.system
        self._most = most
        self._memo: dict[Formula, States] = {}

    def value(self, formula: Formula, state: State) -> bool | None:
        """The formula's truth in a reachable state, or None if the survey cannot tell."""
        try:
            number = self._graph.number.get(state)
            return None if number is None else number in self.where(formula)
        except (TooMuch, RecursionError):
            return None

    @cached_property
    def _graph(self) -> ReachableGraph:
        actions = [len(agent.actions) for agent in self._system.agents if len(agent.actions) > 1]
        busy = not self._system.interleaved and 2 ** len(actions) > MOST_JOINT_ACTIONS
        if self._system.fairness or busy or self._most <= 0:
            raise TooMuch
        try:
            return explore(self._runs.stepper, initial_states(self._system, self._most), self._most, Budget(seconds=1))
        except OutOfBudget:
            self._most = 0
            raise TooMuch from None

    @cached_property
    def _all(self) -> States:
        return frozenset(range(len(self._graph.states)))

    @cached_property
    def _parents(self) -> list[set[int]]:
        parents: list[set[int]] = [set() for _ in self._graph.states]
        for source, steps in enumerate(self._graph.steps):
            for _, target in steps:
                parents[target].add(source)
        return parents

    def where(self, formula: Formula) -> States:
        """The reachable states where a formula holds."""
        if formula not in self._memo:
            self._memo[formula] = self._compute(formula)
        return self._memo[formula]

    def _compute(self, formula: Formula) -> States:
        if self._runs.conditions.decides(formula):
            holds = self._runs.conditions.holds
            return frozenset(n for n, state in enumerate(self._graph.states) if holds(formula, state))
        if isinstance(formula, CONNECTIVES):
            return self._connective(formula, [self.where(operand) for operand in operands(formula)])
        match formula:
            case logic.Exists(arg, False):
                return self._some(arg)
            case logic.ForAll(arg, False):
                return self._every(arg)
            case logic.Knows(agent, arg):
                return self._certain([(agent,)], self.where(arg))
            case logic.Everybody(group, arg):
                return self._certain([(member,) for member in group.members], self.where(arg))
            case logic.Distributed(group, arg):
                return self._certain([group.members], self.where(arg))
            case logic.Common(group, arg):
                return self._common(group.members, self.where(arg))
            case logic.Correct(agent, arg):
                return self._all if self.where(logic.Colour(agent, green=True)) <= self.where(arg) else frozenset()
            case _:
                raise TooMuch

    def _connective(self, formula: Formula, parts: list[States]) -> States:
        match formula:
            case logic.Not():
                return self._all - parts[0]
            case logic.And():
                return frozenset.intersection(*parts)
            case logic.Or():
                return frozenset.union(*parts)
            case logic.Implies():
                return (self._all - parts[0]) | parts[1]
            case logic.Iff():
                return self._all - (parts[0] ^ parts[1])
            case _:
                return parts[0] ^ parts[1]

    # Time

    def _some(self, arg: Formula) -> States:
        match arg:
            case logic.Next(f):
                return self._before(self.where(f))
            case logic.Finally(f):
                return self._reach(self._all, self.where(f))
            case logic.Globally(f):
                return self._stay(self.where(f))
            case logic.Until(f, g):
                return self._reach(self.where(f), self.where(g))
            case logic.WeakUntil(f, g):
                return self._some(logic.Until(f, g)) | self._stay(self.where(f))
            case logic.Release(f, g):
                return self._some(logic.WeakUntil(g, logic.And((f, g))))
            case _:
                raise TooMuch

    def _every(self, arg: Formula) -> States:
        match arg:
            case logic.Next(f):
                return self._all - self._some(logic.Next(logic.Not(f)))
            case logic.Finally(f):
                return self._all - self._some(logic.Globally(logic.Not(f)))
            case logic.Globally(f):
                return self._all - self._some(logic.Finally(logic.Not(f)))
            case logic.Until(f, g):
                return self._every(logic.WeakUntil(f, g)) - self._some(logic.Globally(logic.Not(g)))
            case logic.WeakUntil(f, g):
                return self._all - self._some(logic.Until(logic.Not(g), logic.And((logic.Not(f), logic.Not(g)))))
            case logic.Release(f, g):
                return self._every(logic.WeakUntil(g, logic.And((f, g))))
            case _:
                raise TooMuch

    def _before(self, states: States) -> States:
        return frozenset(source for target in states for source in self._parents[target])

    def _reach(self, through: States, target: States) -> States:
        found = set(target)
        work = list(target)
        while work:
            for source in self._parents[work.pop()]:
                if source in through and source not in found:
                    found.add(source)
                    work.append(source)
        return frozenset(found)

    def _stay(self, inside: States) -> States:
        current = inside
        while (smaller := current & self._before(current)) != current:
            current = smaller
        return current

    # Knowledge

    def _alike(self, agents: tuple[str, ...], states: States) -> States:
        """The reachable states that the agents together cannot tell from one of the given ones."""
        positions = sorted({index for name in agents for index in self._system.views[name]})
        views = [tuple([state[index] for index in positions]) for state in self._graph.states]
        seen = {views[number] for number in states}
        return frozenset(number for number in self._all if views[number] in seen)

    def _certain(self, views: list[tuple[str, ...]], known: States) -> States:
        doubtful: States = frozenset()
        for agents in views:
            doubtful |= self._alike(agents, self._all - known)
        return self._all - doubtful

    def _common(self, members: tuple[str, ...], known: States) -> States:
        doubtful = self._all - known
        while True:
            wider = doubtful
            for member in members:
                wider |= self._alike((member,), wider)
            if wider == doubtful:
                return self._all - doubtful
            doubtful = wider
