"""Where formulae hold, by the plainest means, on a list of all reachable states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from epistrat.evidence.automata import TooLarge, some_path
from epistrat.evidence.points import looks_back, point_claim
from epistrat.evidence.runs import RunChecker
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, operands
from epistrat.model.explore import ReachableGraph
from epistrat.model.play import Play
from epistrat.model.state import Act
from epistrat.model.system import Blocking, Scheduling

States = frozenset[int]
Knowledge = logic.Knows | logic.Everybody | logic.Distributed | logic.Common
Choices = dict[tuple[Act | None, ...], set[int]]


class TooMuch(Exception):
    """The formula is not one that can be evaluated here."""


class Labels:
    """The states of a graph where formulae hold.

    ``fair`` are the sets that a fair path visits again and again; formulae then range over the states from which a fair path starts.
    ``games`` says whether coalitions are evaluated (with perfect information); otherwise they are `TooMuch`.
    """

    def __init__(
        self, runs: RunChecker, graph: ReachableGraph, fair: Sequence[States] = (), games: bool = False
    ) -> None:
        self.graph = graph
        self._runs = runs
        self._system = runs.system
        self._games = games
        self.fair = fair
        self._memo: dict[Formula, States] = {}
        self._choices: dict[Group, list[Choices]] = {}
        self._parents: list[set[int]] = [set() for _ in graph.states]
        for source, steps in enumerate(graph.steps):
            for _, target in steps:
                self._parents[target].add(source)
        self.everything: States = frozenset(range(len(graph.states)))
        if fair:
            self.everything = self._stay(self.everything)

    def where(self, formula: Formula) -> States:
        """The states where a state formula holds."""
        if formula not in self._memo:
            self._memo[formula] = self._compute(formula) & self.everything
        return self._memo[formula]

    def _compute(self, formula: Formula) -> States:
        if self._runs.conditions.decides(formula):
            holds = self._runs.conditions.holds
            return frozenset(n for n in self.everything if holds(formula, self.graph.states[n]))
        if isinstance(formula, logic.CONNECTIVES):
            return self._connective(formula, [self.where(operand) for operand in operands(formula)])
        match formula:
            case logic.Exists(arg, False):
                return self._some(arg)
            case logic.ForAll(arg, False):
                return self._every(arg)
            case logic.Exists(arg):
                return self._some_path(arg)
            case logic.ForAll(arg):
                return self.everything - self._some_path(logic.Not(arg))
            case logic.Knows() | logic.Everybody() | logic.Distributed() | logic.Common() | logic.Correct():
                return self._known(formula)
            case logic.Coalition(group, arg) if self._games:
                return self._enforced(group, arg)
            case _:
                raise TooMuch

    def _connective(self, formula: Formula, parts: list[States]) -> States:
        match formula:
            case logic.Not():
                return self.everything - parts[0]
            case logic.And():
                return frozenset.intersection(*parts)
            case logic.Or():
                return frozenset.union(*parts)
            case logic.Implies():
                return (self.everything - parts[0]) | parts[1]
            case logic.Iff():
                return self.everything - (parts[0] ^ parts[1])
            case _:
                return parts[0] ^ parts[1]

    # Time

    def _some(self, arg: Formula) -> States:
        match arg:
            case logic.Next(f):
                return self._before(self.where(f))
            case logic.Finally(f):
                return self._reach(self.everything, self.where(f))
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
                return self.everything - self._some(logic.Next(logic.Not(f)))
            case logic.Finally(f):
                return self.everything - self._some(logic.Globally(logic.Not(f)))
            case logic.Globally(f):
                return self.everything - self._some(logic.Finally(logic.Not(f)))
            case logic.Until(f, g):
                return self._every(logic.WeakUntil(f, g)) - self._some(logic.Globally(logic.Not(g)))
            case logic.WeakUntil(f, g):
                return self.everything - self._some(logic.Until(logic.Not(g), logic.And((logic.Not(f), logic.Not(g)))))
            case logic.Release(f, g):
                return self._every(logic.WeakUntil(g, logic.And((f, g))))
            case _:
                raise TooMuch

    def _before(self, states: States) -> States:
        return frozenset(source for target in states for source in self._parents[target]) & self.everything

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
        """Where an infinite path stays inside, a fair one where there is fairness."""
        current = inside
        while True:
            smaller = current & self._before(current)
            for goal in self.fair:
                smaller &= self._before(self._reach(smaller, smaller & goal))
            if smaller == current:
                return current
            current = smaller

    def _some_path(self, arg: Formula) -> States:
        if looks_back(arg):
            raise TooMuch
        steps = [{target for _, target in steps} & self.everything for steps in self.graph.steps]
        try:
            return some_path(steps, self.where, self.fair, arg)
        except TooLarge:
            raise TooMuch from None

    # Knowledge

    def _known(self, claim: Knowledge | logic.Correct) -> States:
        good = self.where(point_claim(claim.arg))
        match claim:
            case logic.Knows(agent):
                return self._certain([(agent,)], good)
            case logic.Everybody(group):
                return self._certain([(member,) for member in group.members], good)
            case logic.Distributed(group):
                return self._certain([group.members], good)
            case logic.Common(group):
                return self.everything - self._linked(group.members, self.everything - good)[0]
            case logic.Correct(agent):
                green = self.where(logic.Colour(agent, green=True))
                return self.everything if green <= good else frozenset()

    def alike(self, agents: tuple[str, ...], states: States) -> States:
        """The states that the agents together cannot tell from one of the given ones."""
        positions = self._system.pooled_view(Group(agents))
        views = [tuple([state[index] for index in positions]) for state in self.graph.states]
        seen = {views[number] for number in states}
        return frozenset(number for number in self.everything if views[number] in seen)

    def _certain(self, views: list[tuple[str, ...]], known: States) -> States:
        doubtful: States = frozenset()
        for agents in views:
            doubtful |= self.alike(agents, self.everything - known)
        return self.everything - doubtful

    def _linked(self, members: tuple[str, ...], states: States) -> tuple[States, int]:
        """The states at the end of chains of look-alikes from the given ones, and how long chains had to become, plus one."""
        rounds = 1
        while True:
            wider = states
            for member in members:
                wider |= self.alike((member,), states)
            if wider == states:
                return states, rounds
            states, rounds = wider, rounds + 1

    # Strategies with perfect information

    def _outcomes(self, group: Group) -> Iterator[Choices]:
        """For each state, the group's choices and what each can lead to."""
        agents = self._system.agents
        places = [index for index, agent in enumerate(agents) if agent.name in group.members]
        if self._system.interleaved:
            yield from self._left(group)
            return
        for number, state in enumerate(self.graph.states):
            allowed = [self._runs.stepper.allowed(agent, state) if agent.actions else (None,) for agent in agents]
            found: Choices = {}
            if all(allowed):
                found = {choice: set() for choice in product(*[allowed[place] for place in places])}
                for joint, target in self.graph.steps[number]:
                    found[tuple([joint[place] for place in places])].add(target)
            yield found

    def _left(self, group: Group) -> Iterator[Choices]:
        """As `_outcomes`, in an interleaved system."""
        if self._system.blocking is Blocking.IGNORE or self._system.scheduling is Scheduling.FAIR:
            raise TooMuch
        play, number = Play(self._runs.stepper), self.graph.number
        for state in self.graph.states:
            found: Choices = {}
            for choice in product(*[play.options(name, state) for name in group.members]):
                steps = play.steps(state, dict(zip(group.members, choice, strict=True))) or ()
                found[choice] = {number[target] for _, target in steps}
            yield found

    def _next(self, group: Group, states: States) -> States:
        """Where some choice of the group leads into the set only."""
        if group not in self._choices:
            self._choices[group] = list(self._outcomes(group))
        return frozenset(
            n for n, choices in enumerate(self._choices[group]) if any(to <= states for to in choices.values())
        )

    def _enforced(self, group: Group, arg: Formula) -> States:
        match arg:
            case logic.Next(f):
                return self._next(group, self.where(f))
            case logic.Globally(f):
                current = self.where(f)
                while (smaller := current & self._next(group, current)) != current:
                    current = smaller
                return current
            case logic.Finally(f) | logic.Until(_, f):
                through = self.where(arg.left) if isinstance(arg, logic.Until) else self.everything
                current = self.where(f)
                while (wider := current | (through & self._next(group, current))) != current:
                    current = wider
                return current
            case _:
                raise TooMuch

    # Sizes

    def sizes(self, claim: Formula, number: int, kind: str, rounds: int) -> set[int]:
        """The sizes that a set of that kind may be said to have, as the reason for the claim at the state of that number."""
        match kind, claim:
            case "reachable", logic.Correct(agent):
                return {len(self.where(logic.Colour(agent, green=True)))}
            case "reachable", _:
                return {len(self.everything)}
            case "look-alikes", logic.Common(group):
                found, needed = self._linked(group.members, frozenset((number,)))
                return {len(found)} if rounds == needed else {-1}
            case "look-alikes", logic.Knows() | logic.Everybody() | logic.Distributed():
                return {len(self._look_alikes(claim, number))} if rounds == 1 else {-1}
            case "bounded", logic.ForAll(logic.Finally() | logic.Until()):
                return self._layers(claim, number, rounds)
            case _:
                return {len(self.where(claim))} if not rounds else {-1}

    def _look_alikes(self, claim: logic.Knows | logic.Everybody | logic.Distributed, number: int) -> States:
        here = frozenset((number,))
        match claim:
            case logic.Knows(agent):
                return here | self.alike((agent,), here)
            case logic.Distributed(group):
                return here | self.alike(group.members, here)
            case logic.Everybody(group):
                return here.union(*[self.alike((member,), here) for member in group.members])

    def _layers(self, claim: logic.ForAll, number: int, rounds: int) -> set[int]:
        """For ``AF f`` and ``A(e U f)``: the states from which every path has come to f after so many steps; or all where it holds."""
        good = self.where(claim)
        sizes = set() if rounds else {len(good)}
        within = self.where(operands(claim.arg)[-1])
        for _ in range(rounds):
            within |= good - self._before(self.everything - within)
        return sizes | ({len(within)} if number in within and not claim.star else {-1})
