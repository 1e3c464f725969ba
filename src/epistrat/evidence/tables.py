"""Strategies without memory, tried by the definitions: tables that are shown are looked into, and where all tables are few, all are.

A table says for every reachable state what is done there: something that all agents that follow it may do, the same in states that some of
them cannot tell apart where strategies depend on what agents see.  A goal is followed through all plays that tables leave; agents without a
table do anything, so what holds then holds whatever their tables are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import TypeAlias

from epistrat.evidence.automata import TooLarge, some_path
from epistrat.evidence.games import Trusted, Wrong
from epistrat.evidence.linear import LassoTruth
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.strategy import Table
from epistrat.evidence.survey import Survey
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Tag, is_state, operands
from epistrat.logic.sentences import given, has_names, sharing
from epistrat.model.play import Play
from epistrat.model.state import Act, State, view

MOST_TABLES = 4_000
"""Tables, or profiles of tables, that are tried for one claim."""
MOST_FOLLOWED = 30_000
"""States of plays that are gone through for one claim, plays under different tables counted one by one: about two seconds."""

Moves: TypeAlias = Mapping[State, Act | None]
Assigned: TypeAlias = tuple[tuple[tuple[str, str], Moves | None], ...]
"""("name", x) and ("agent", a), each with a table; None stands for doing anything."""


class Tables:
    """Claims about strategies without memory in one system, in one reading; raises `Trusted` where they are too many."""

    def __init__(self, runs: RunChecker, survey: Survey, tag: Tag) -> None:
        reachable = survey.reachable()
        if reachable is None:
            raise Trusted("there are too many states to try strategies without memory")
        self.states = reachable
        self._system, self._survey, self._tag = runs.system, survey, tag
        self._conditions = runs.conditions
        self._play = Play(runs.stepper)
        self._acting = [agent.name for agent in runs.system.agents if agent.actions]
        self._tables: dict[tuple[str, ...], list[Moves]] = {}
        self._known: dict[tuple[Formula, State, tuple[tuple[tuple[str, str], int], ...]], bool] = {}
        self._followed = 0

    # -- tables

    def fit(self, table: Table) -> Moves:
        """The table, if it is a strategy of its agents; else `Wrong` is raised."""
        moves = dict(table.rows)
        if set(moves) != set(self.states) or len(moves) != len(table.rows):
            raise Wrong("a table does not say once for every reachable state what is done there")
        for nodes in self._situations(table.agents):
            if len({moves[state] for state in nodes if self._shared(table.agents, state) != (None,)}) > 1:
                raise Wrong("a table does different things in states that look the same")
        for state, act in moves.items():
            options = self._shared(table.agents, state)
            if act not in options and options != (None,):
                raise Wrong(f"{' and '.join(table.agents)} may not do {act}")
        return moves

    def _shared(self, agents: tuple[str, ...], state: State) -> tuple[Act | None, ...]:
        """What all of them may do; those who have nothing to choose do not matter."""
        some = [options for agent in agents if (options := self._play.options(agent, state)) != (None,)]
        return tuple(act for act in some[0] if all(act in other for other in some)) if some else (None,)

    def _situations(self, agents: tuple[str, ...]) -> list[list[State]]:
        """States in which the same has to be done: chains of states that look the same to some agent."""
        if self._tag is not Tag.VIEWS:
            return [[state] for state in self.states]
        left = dict.fromkeys(self.states)
        found = []
        while left:
            chain = [next(iter(left))]
            del left[chain[0]]
            for state in chain:
                for agent in agents:
                    seen = view(self._system, agent, state)
                    more = [other for other in left if view(self._system, agent, other) == seen]
                    chain += more
                    for other in more:
                        del left[other]
            found.append(chain)
        return found

    def every(self, agents: tuple[str, ...]) -> list[Moves]:
        """All tables for these agents."""
        if agents not in self._tables:
            situations = self._situations(agents)
            offered: list[list[Act | None]] = []
            for nodes in situations:
                some = [acts for state in nodes if (acts := self._shared(agents, state)) != (None,)]
                offered.append([a for a in some[0] if all(a in other for other in some)] if some else [None])
            if prod(map(len, offered)) > MOST_TABLES:
                raise Trusted("there are too many strategies without memory to try them all")
            self._tables[agents] = [
                {state: act for nodes, act in zip(situations, acts, strict=True) for state in nodes}
                for acts in product(*offered)
            ]
        return self._tables[agents]

    # -- formulae

    def holds(self, formula: Formula, state: State, assigned: Assigned = ()) -> bool:
        """Whether a formula is true in a state, a goal on all plays from it, these strategies being given."""
        relevant = given(formula, self._acting)
        kept = tuple(one for one in assigned if one[0] in relevant)
        if is_state(formula) and not kept and not has_names(formula):
            return self._plain(formula, state)
        key = formula, state, tuple((name, id(moves)) for name, moves in kept)
        if key not in self._known:
            self._known[key] = self._value(formula, state, kept)
        return self._known[key]

    def _plain(self, formula: Formula, state: State) -> bool:
        value = self._conditions.value(formula, state, {})
        value = self._survey.value(formula, state) if value is None else value
        if value is None:
            raise Trusted("a part of it cannot be told from the states")
        return value

    def _value(self, formula: Formula, state: State, assigned: Assigned) -> bool:
        if not is_state(formula):
            return self.follow(formula, [state], assigned)
        match formula:
            case logic.SomeStrategy(variable, arg) | logic.EveryStrategy(variable, arg):
                some = isinstance(formula, logic.SomeStrategy)
                if not some and _one_goal(arg) and self.holds(arg, state, _with(assigned, ("name", variable), None)):
                    return True
                tables = self.every(sharing(variable, arg))
                values = (self.holds(arg, state, _with(assigned, ("name", variable), one)) for one in tables)
                return any(values) if some else all(values)
            case logic.Bound(agent, variable, arg):
                moves = dict(assigned).get(("name", variable))
                return self.holds(arg, state, _with(assigned, ("agent", agent), moves))
            case logic.Not(arg):
                return not self.holds(arg, state, assigned)
            case logic.And(args):
                return all(self.holds(arg, state, assigned) for arg in args)
            case logic.Or(args):
                return any(self.holds(arg, state, assigned) for arg in args)
            case logic.Implies(left, right):
                return not self.holds(left, state, assigned) or self.holds(right, state, assigned)
            case logic.Iff(left, right):
                return self.holds(left, state, assigned) is self.holds(right, state, assigned)
            case logic.Xor(left, right):
                return self.holds(left, state, assigned) is not self.holds(right, state, assigned)
            case logic.Knows(agent, arg) if is_state(arg) or assigned:
                seen = view(self._system, agent, state)
                alike = [other for other in self.states if view(self._system, agent, other) == seen]
                return all(self.holds(arg, other, assigned) for other in alike)
            case _ if not assigned and not any(
                isinstance(part, (*logic.NAMING, logic.Coalition)) for part in operands(formula)
            ):
                return self._plain(formula, state)
            case _:
                raise Trusted("strategies below such an operator are not tried")

    def follow(self, goal: Formula, starts: list[State], assigned: Assigned) -> bool:
        """Whether a path formula is true on all (fair) plays that the tables leave from these states."""
        following = {name: moves for (kind, name), moves in assigned if kind == "agent" and moves is not None}
        states = list(dict.fromkeys(starts))
        number = {state: place for place, state in enumerate(states)}
        steps: list[list[int]] = []
        for state in states:
            chosen = {
                name: None if self._play.options(name, state) == (None,) else moves[state]
                for name, moves in following.items()
            }
            targets = dict.fromkeys(step.target for step in self._play.steps(state, chosen) or ())
            if not targets:
                raise Trusted("nothing can happen in some state")
            for target in targets:
                if target not in number:
                    number[target] = len(states)
                    states.append(target)
            steps.append([number[target] for target in targets])
        self._followed += len(states)
        if self._followed > MOST_FOLLOWED:
            raise Trusted("there are too many strategies without memory to try them all")

        def where(part: Formula) -> frozenset[int]:
            return frozenset(place for place, state in enumerate(states) if self.holds(part, state, assigned))

        try:
            bad = some_path(steps, where, [where(one) for one in self._system.fairness], logic.Not(goal))
        except TooLarge:
            raise Trusted("the automaton of the goal is too large") from None
        return not any(number[state] in bad for state in starts)

    # -- equilibria

    def some_equilibrium(self, fact: Formula, state: State) -> bool:
        """Whether the play of some equilibrium from the state satisfies a path formula: all profiles are tried."""
        every = [self.every((agent,)) for agent in self._acting]
        if prod(map(len, every)) > MOST_TABLES:
            raise Trusted("there are too many profiles of strategies to try them all")
        goals = [(self._acting.index(name), goal) for name, goal in self._system.goals if name in self._acting]
        gets: dict[tuple[int, ...], list[bool]] = {}
        right: dict[tuple[int, ...], bool] = {}
        for numbers in product(*map(range, map(len, every))):
            profile = {agent: tables[one] for agent, tables, one in zip(self._acting, every, numbers, strict=True)}
            truth = self._play_of(profile, state)
            gets[numbers] = [truth.word(goal).at(0) is True for _, goal in goals]
            right[numbers] = truth.word(fact).at(0) is True
        for numbers, value in right.items():
            if value and not any(
                gets[(*numbers[:place], other, *numbers[place + 1 :])][index]
                for index, (place, _) in enumerate(goals)
                if not gets[numbers][index]
                for other in range(len(every[place]))
            ):
                return True
        return False

    def _play_of(self, profile: Mapping[str, Moves], state: State) -> LassoTruth:
        """The truth of path formulae on the only play of a profile."""
        states = [state]
        while True:
            steps = self._play.steps(states[-1], {name: moves[states[-1]] for name, moves in profile.items()}) or []
            targets = {step.target for step in steps}
            if len(targets) != 1:
                raise Trusted("a step has several outcomes, or none")
            (target,) = targets
            if target in states:
                break
            states.append(target)
        self._followed += len(states)
        if self._followed > MOST_FOLLOWED:
            raise Trusted("there are too many profiles of strategies to try them all")
        return LassoTruth(len(states), states.index(target), lambda at, part: self._plain(part, states[at]))

    # -- what is shown

    def show(self, claim: Formula, holds: bool, starts: list[State], shown: tuple[Table, ...]) -> None:
        """Raises `Wrong` unless tables decide a claim: of a group, of the strategies that stand first, or of a profile."""
        tables = {one.variable: (one, self.fit(one)) for one in shown}
        if len(tables) < len(shown):
            raise Wrong("a strategy is shown twice")
        match claim:
            case logic.Coalition(group, arg) if holds:
                if any(one.agents != (name,) or name not in group.members for name, (one, _) in tables.items()):
                    raise Wrong("a table is not that of a member of the group")
                good = self.follow(arg, starts, tuple((("agent", name), moves) for name, (_, moves) in tables.items()))
            case logic.SomeStrategy() | logic.EveryStrategy() if isinstance(claim, logic.SomeStrategy) is holds:
                good = self._rest(claim, holds, starts[0], tables) is holds
            case logic.SomeEquilibrium(fact) if holds:
                good = self._balanced({name: moves for name, (_, moves) in tables.items()}, fact, starts[0])
            case logic.EveryEquilibrium(fact) if not holds:
                moves = {name: moves for name, (_, moves) in tables.items()}
                good = self._balanced(moves, logic.Not(fact), starts[0])
            case _:
                raise Wrong("tables are no reason for it")
        if not good:
            raise Wrong("the tables do not show it")

    def _rest(self, claim: Formula, holds: bool, state: State, tables: Mapping[str, tuple[Table, Moves]]) -> bool:
        """What stands below the first quantifiers, with these tables for their strategies."""
        assigned: Assigned = ()
        left = set(tables)
        while isinstance(claim, (logic.SomeStrategy, logic.EveryStrategy)) and claim.variable in left:
            table, moves = tables[claim.variable]
            if isinstance(claim, logic.SomeStrategy) is not holds or table.agents != sharing(claim.variable, claim.arg):
                raise Wrong("a table is not that of a strategy that may be chosen")
            left.discard(claim.variable)
            assigned, claim = _with(assigned, ("name", claim.variable), moves), claim.arg
        if left:
            raise Wrong("a table has no quantifier")
        return self.holds(claim, state, assigned)

    def _balanced(self, profile: dict[str, Moves], fact: Formula, state: State) -> bool:
        """Whether the play of a profile satisfies a path formula, and nobody gains by another table of its own."""
        if set(profile) != set(self._acting):
            raise Wrong("an equilibrium needs a strategy for each agent")
        truth = self._play_of(profile, state)
        for name, goal in self._system.goals:
            if name in profile and truth.word(goal).at(0) is not True:
                others = ({**profile, name: other} for other in self.every((name,)))
                if any(self._play_of(one, state).word(goal).at(0) is True for one in others):
                    return False
        return truth.word(fact).at(0) is True


def tried(runs: RunChecker, survey: Survey, claim: Formula, state: State, tag: Tag) -> bool | None:
    """Whether a claim about strategies without memory is true, all of them being tried; None where they are too many."""
    try:
        tables = Tables(runs, survey, tag)
        match claim:
            case logic.SomeEquilibrium(fact):
                return tables.some_equilibrium(fact, state)
            case logic.EveryEquilibrium(fact):
                return not tables.some_equilibrium(logic.Not(fact), state)
            case logic.Coalition():
                return any(tables.follow(claim.arg, [state], one) for one in _members(tables, claim))
            case _:
                return tables.holds(claim, state)
    except Trusted:
        return None


def _members(tables: Tables, claim: logic.Coalition) -> Iterator[Assigned]:
    """All tables of the members of a group."""
    every = [tables.every((name,)) for name in claim.group.members]
    if prod(map(len, every)) > MOST_TABLES:
        raise Trusted("there are too many strategies without memory to try them all")
    for chosen in product(*every):
        yield tuple((("agent", name), moves) for name, moves in zip(claim.group.members, chosen, strict=True))


def _with(assigned: Assigned, name: tuple[str, str], moves: Moves | None) -> Assigned:
    return (*(one for one in assigned if one[0] != name), (name, moves))


def _one_goal(formula: Formula) -> bool:
    """Whether quantifiers and bindings stand above one goal over plain states, each agent being bound once."""
    bound: set[str] = set()
    while isinstance(formula, logic.NAMING):
        if isinstance(formula, logic.Bound):
            if formula.agent in bound:
                return False
            bound.add(formula.agent)
        formula = formula.arg
    return not is_state(formula) and not any(isinstance(part, logic.NAMING) for part in logic.subformulae(formula))
