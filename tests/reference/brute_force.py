"""The verdict on a question by going through everything: all strategies, all short lassos.  Only for tiny systems.

Shares nothing with the engines: reachability, cycles and strategies are spelled out.  `verdict` gives None for what is too hard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product

from tests.reference.by_enumeration import Enumeration
from tests.reference.every_strategy import EveryStrategy, Operands

from epistrat.answers import Strategies
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, is_state, operands, subformulae
from epistrat.model.agent import Agent
from epistrat.model.explore import TooManyStates, explore
from epistrat.model.initial import initial_states
from epistrat.model.state import Act, State, actions_of
from epistrat.model.step import Stepper
from epistrat.model.system import Blocking, Scheduling, System

Nodes = frozenset[int]
MOST_STATES, MOST_STRATEGIES, MOST_LASSO_STATES = 8, 150, 3


class TooHard(Exception):
    """Going through everything would take too long."""


def verdict(system: System, formula: Formula, reading: Strategies, followers: tuple[str, ...] | None) -> bool | None:
    """Whether every initial state satisfies the formula; None if that is too much to go through."""
    try:
        if reading is not Strategies.UNIFORM:
            return _Definition(Stepper(system), reading).satisfied(formula)
        names = tuple(agent.name for agent in system.agents) if followers is None else followers
        return any(_Definition(one, Strategies.ANY).satisfied(formula) for one in _narrowed(system, names))
    except (TooHard, TooManyStates):
        return None


class _Narrowed(Stepper):
    """The steps of a system in which some agents do what a table says."""

    def __init__(self, system: System, table: dict[tuple[str, State], Act]) -> None:
        super().__init__(system)
        self._table = table

    def choices(self, agent: Agent, state: State) -> tuple[Act, ...]:
        view = tuple(state[index] for index in self.system.views[agent.name])
        chosen = self._table.get((agent.name, view))
        return super().choices(agent, state) if chosen is None else (chosen,)

    def allowed(self, agent: Agent, state: State) -> tuple[str, ...]:
        chosen = self._table.get((agent.name, tuple(state[index] for index in self.system.views[agent.name])))
        return super().allowed(agent, state) if chosen is None else actions_of(chosen)


def _narrowed(system: System, followers: Iterable[str]) -> Iterator[Stepper]:
    """The system under every uniform strategy of the followers."""
    stepper = Stepper(system)
    options: dict[tuple[str, State], tuple[Act, ...]] = {}
    for state in explore(stepper, initial_states(system), MOST_STATES).states:
        for name in followers:
            agent = system.agent.get(name)
            choices = () if agent is None else stepper.choices(agent, state)
            if len(choices) > 1:
                options[name, tuple(state[index] for index in system.views[name])] = choices
    _must_be_few(len(choices) for choices in options.values())
    for picked in product(*options.values()):
        yield _Narrowed(system, dict(zip(options, picked, strict=True)))


def _must_be_few(numbers: Iterable[int]) -> None:
    count = 1
    for number in numbers:
        count *= max(number, 1)
        if count > MOST_STRATEGIES:
            raise TooHard


class _Definition:
    """The states where formulae hold, by their definitions."""

    def __init__(self, stepper: Stepper, reading: Strategies) -> None:
        self._stepper, self._system, self._reading = stepper, stepper.system, reading
        self._reached = explore(stepper, initial_states(stepper.system), MOST_STATES)
        self._next = [frozenset(target for _, target in steps) for steps in self._reached.steps]
        self._all = frozenset(range(len(self._reached.states)))
        self.fair: tuple[Nodes, ...] = ()
        self.worlds = self._all
        if self._system.fairness:  # the constraints themselves are read without fairness
            self.fair = tuple([self.where(constraint) for constraint in self._system.fairness])
            self.worlds = self._endless(self._all)

    def satisfied(self, formula: Formula) -> bool:
        """Whether the formula holds in every initial state (from which a fair path starts)."""
        parts = subformulae(formula, *self._system.fairness)
        if any(isinstance(part, logic.PAST) or _needs_lassos(part) for part in parts):
            return self._by_lassos(formula)
        return self.worlds.intersection(self._reached.initial) <= self.where(formula)

    def _by_lassos(self, formula: Formula) -> bool:
        parts = subformulae(formula)
        known = (
            logic.Truth,
            logic.Prop,
            logic.Test,
            logic.Exists,
            logic.ForAll,
            logic.Knows,
            *logic.FUTURE,
            *logic.PAST,
        )
        booleans = (logic.Not, logic.And, logic.Or, logic.Implies, logic.Iff, logic.Xor)
        strange = [part for part in parts if not isinstance(part, (*known, *booleans))]
        quantifiers = [part for part in parts if isinstance(part, (logic.Exists, logic.ForAll))]
        knows = [part for part in parts if isinstance(part, logic.Knows)]
        times = [part for part in parts if isinstance(part, (*logic.FUTURE, *logic.PAST))]
        narrow = len(self._all) <= MOST_LASSO_STATES and all(len(targets) <= 2 for targets in self._next)
        small = len(times) <= 3 and len(quantifiers) + len(knows) <= 2
        if strange or not (narrow and small) or any(is_state(part.arg) for part in knows):
            raise TooHard
        if not all(part.star for part in quantifiers) or any(map(_timed, self._system.fairness)):
            raise TooHard
        return Enumeration(self._stepper, self._reached, 3, self.fair).satisfied(formula)

    def where(self, formula: Formula) -> Nodes:
        """The worlds where a formula without past and path formulae holds."""
        holds = self._stepper.evaluator.holds
        states = self._reached.states
        match formula:
            case logic.Truth(value):
                return self.worlds if value else frozenset()
            case logic.Prop(name):
                return frozenset(n for n in self.worlds if holds(self._system.propositions[name], states[n]))
            case logic.Test(condition):
                return frozenset(n for n in self.worlds if holds(condition, states[n]))
            case logic.Colour(agent, green):
                red = self._system.agent[agent].red if agent in self._system.agent else None
                return frozenset(n for n in self.worlds if (red is None or not holds(red, states[n])) is green)
            case logic.Exists(arg, False):
                return self._some(arg)
            case logic.ForAll(arg, False):
                return self.worlds - self._some_not(arg)
            case logic.Coalition(group, arg):
                return self._coalition(group, arg)
            case logic.Correct(agent, arg):
                good = self.where(logic.Colour(agent, True)) <= self.where(arg)
                return self.worlds if good else frozenset()
        if isinstance(formula, logic.KNOWLEDGE):
            return self._known(formula)
        return self._boolean(formula, [self.where(operand) for operand in operands(formula)])

    def _boolean(self, formula: Formula, args: list[Nodes]) -> Nodes:
        match formula:
            case logic.Not():
                return self.worlds - args[0]
            case logic.And():
                return self.worlds.intersection(*args)
            case logic.Or():
                return frozenset().union(*args)
            case logic.Implies():
                return (self.worlds - args[0]) | args[1]
            case logic.Iff():
                return self.worlds - (args[0] ^ args[1])
            case logic.Xor():
                return args[0] ^ args[1]
        raise TooHard

    # -- time --------------------------------------------------------------------------------------------------------

    def _ahead(self, start: int, through: Nodes) -> Nodes:
        """What can be reached from a state in any number of steps, all but the last from states in ``through``."""
        found, work = {start}, [start]
        while work:
            here = work.pop()
            if here in through:
                fresh = (self._next[here] & self.worlds) - found
                found |= fresh
                work += fresh
        return frozenset(found)

    def _endless(self, inside: Nodes) -> Nodes:
        """Where an infinite path inside starts that meets every constraint again and again: a way to a state on a good cycle."""
        cores = set()
        for core in inside:
            after = self._next[core] & inside
            round_trip = {
                other
                for first in after
                for other in self._ahead(first, inside) & inside
                if core in self._ahead(other, inside)
            }
            if core in round_trip and all(constraint & round_trip for constraint in self.fair):
                cores.add(core)
        return frozenset(start for start in inside if self._ahead(start, inside) & inside & cores)

    def _reach(self, through: Nodes, goal: Nodes) -> Nodes:
        return frozenset(start for start in self.worlds if self._ahead(start, through) & goal)

    def _some(self, arg: Formula) -> Nodes:
        """``E`` over one operator."""
        args = [self.where(operand) for operand in operands(arg)]
        match arg:
            case logic.Next():
                return frozenset(n for n in self.worlds if self._next[n] & args[0])
            case logic.Finally():
                return self._reach(self.worlds, args[0])
            case logic.Globally():
                return self._endless(args[0])
            case logic.Until():
                return self._reach(args[0], args[1])
            case logic.WeakUntil():
                return self._reach(args[0], args[1]) | self._endless(args[0])
            case logic.Release():
                return self._reach(args[1], args[0] & args[1]) | self._endless(args[1])
        raise TooHard

    def _some_not(self, arg: Formula) -> Nodes:
        """``E`` over the negation of one operator."""
        match arg:
            case logic.Next(f):
                return self._some(logic.Next(logic.Not(f)))
            case logic.Finally(f):
                return self._some(logic.Globally(logic.Not(f)))
            case logic.Globally(f):
                return self._some(logic.Finally(logic.Not(f)))
            case logic.Until(f, g):
                return self._some(logic.Release(logic.Not(f), logic.Not(g)))
            case logic.Release(f, g):
                return self._some(logic.Until(logic.Not(f), logic.Not(g)))
            case logic.WeakUntil(f, g):
                neither = logic.And((logic.Not(f), logic.Not(g)))
                return self._some(logic.Until(logic.Not(g), neither))
        raise TooHard

    # -- knowledge and strategies ------------------------------------------------------------------------------------

    def _alike(self, agents: Iterable[str], start: int) -> Nodes:
        positions = sorted({index for name in agents for index in self._system.views[name]})
        states = self._reached.states
        return frozenset(n for n in self.worlds if all(states[n][i] == states[start][i] for i in positions))

    def _known(self, formula: Formula) -> Nodes:
        assert isinstance(formula, logic.KNOWLEDGE)
        fact = self.where(formula.arg)
        match formula:
            case logic.Knows(agent):
                return frozenset(n for n in self.worlds if self._alike((agent,), n) <= fact)
            case logic.Everybody(group):
                return frozenset(n for n in self.worlds if all(self._alike((m,), n) <= fact for m in group.members))
            case logic.Distributed(group):
                return frozenset(n for n in self.worlds if self._alike(group.members, n) <= fact)
            case logic.Common(group):
                return frozenset(n for n in self.worlds if self._chains(group, n) <= fact)
        raise TooHard

    def _chains(self, group: Group, start: int) -> Nodes:
        found, work = {start}, [start]
        while work:
            here = work.pop()
            fresh = frozenset().union(*(self._alike((member,), here) for member in group.members)) - found
            found |= fresh
            work += fresh
        return frozenset(found)

    @cached_property
    def _strategies(self) -> EveryStrategy:
        return EveryStrategy(self._stepper, self._reached, self.fair if self._system.fairness else None)

    def _coalition(self, group: Group, arg: Formula) -> Nodes:
        if self._system.blocking is not Blocking.WAIT or self._system.scheduling is not Scheduling.ANY:
            raise TooHard
        members = [agent for agent in self._system.agents if agent.name in group.members]
        uniform = self._reading is not Strategies.ANY
        seen = {
            (agent.name, tuple(state[i] for i in self._system.views[agent.name]) if uniform else (number,)): len(
                self._stepper.choices(agent, state)
            )
            for agent in members
            for number, state in enumerate(self._reached.states)
        }
        _must_be_few(seen.values())
        args = [self._played(operand) for operand in operands(arg)]
        return self._strategies.enforceable(group, arg, Operands(args[0], args[-1]), self._reading, self.worlds)

    def _played(self, operand: Formula) -> Nodes:
        """Where an operand holds; in an interleaved system a group that waits makes plays fair through states without fair path."""
        if not (self._system.interleaved and self._system.fairness):
            return self.where(operand)
        if _timed(operand):
            raise TooHard
        worlds, self.worlds = self.worlds, self._all
        try:
            return self.where(operand)
        finally:
            self.worlds = worlds


def _needs_lassos(part: Formula) -> bool:
    if isinstance(part, (logic.ForAll, logic.Exists)):
        return part.star
    return isinstance(part, (*logic.KNOWLEDGE, logic.Correct)) and not is_state(part.arg)


def _timed(formula: Formula) -> bool:
    kinds = (logic.Exists, logic.ForAll, logic.Coalition, logic.Correct, *logic.KNOWLEDGE)
    return any(isinstance(part, kinds) for part in subformulae(formula))
