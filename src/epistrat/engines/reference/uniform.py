"""Uniform strategies: members act alike in nodes that look the same to them.

Two readings share the machinery.  *ATL_ir* (objective, subjective): each coalition operator asks for one memoryless uniform strategy of the
group, good from the node itself, or from all nodes that the group's pooled observation does not tell apart.  *Pruning*: before anything is
checked, agents fix uniform strategies, and the formula is asked of what remains of the system.

Strategies are completed step by step, only for observations that play actually meets.  With the decisions made so far, the group's
value under perfect information is an upper bound: where it already fails, no completion can succeed; where no open decision is left on
the way, it is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from epistrat.engines.reference.games import Choice, Game
from epistrat.engines.reference.graph import Nodes
from epistrat.engines.reference.knowledge import Observations
from epistrat.logic.formula import Finally, Formula, Next, Until, WeakUntil
from epistrat.model.agent import Agent
from epistrat.model.state import State, View
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

Situation = tuple[str, View]
Decisions = dict[Situation, str]
Reached = TypeVar("Reached")


class UniformGame:
    """The search for a uniform strategy of one group for one temporal operator."""

    def __init__(
        self, system: System, game: Game, observations: Observations, shape: Formula, args: list[Nodes], budget: Budget
    ) -> None:
        self._game = game
        self._shape = shape
        self._args = args
        self._before, self._goal = _until(shape, args, game.world.nodes)
        self._budget = budget
        self._names = [system.agents[member].name for member in game.members]
        views = [system.views[name] for name in self._names]
        nodes = range(len(game.choices))
        self._seen = [[observations.sees(view, node) for view in views] for node in nodes]

    def objective(self, nodes: Nodes) -> Nodes:
        """The nodes from each of which some uniform strategy succeeds."""
        return frozenset(node for node in nodes if self.succeeds(frozenset((node,))))

    def subjective(self, classes: list[Nodes]) -> Nodes:
        """The nodes from whose whole class (of nodes the group cannot tell apart) one uniform strategy succeeds."""
        return frozenset(node for nodes in classes if self.succeeds(nodes) for node in nodes)

    def succeeds(self, starts: Nodes) -> bool:
        """Whether one uniform strategy enforces the operator from all the given nodes."""
        return self.strategy(starts) is not None

    def strategy(self, starts: Nodes) -> Decisions | None:
        """One uniform strategy that enforces the operator from all the given nodes: what play meets and is not listed is no choice."""
        open_ends: list[Decisions] = [{}]
        while open_ends:
            self._budget.check()
            decisions = open_ends.pop()
            value = self._game.value(self._shape, self._args, self._permits(decisions))
            if not starts <= value:
                continue
            undecided = self._undecided(starts, value, decisions)
            if undecided is None:
                return decisions
            situation, actions = undecided
            open_ends.extend({**decisions, situation: action} for action in reversed(actions))
        return None

    def _permits(self, decisions: Decisions) -> Callable[[int, Choice], bool]:
        def permitted(node: int, choice: Choice) -> bool:
            for name, seen, action in zip(self._names, self._seen[node], choice, strict=True):
                if action is not None and decisions.get((name, seen), action) != action:
                    return False
            return True

        return permitted

    def _undecided(self, starts: Nodes, value: Nodes, decisions: Decisions) -> tuple[Situation, list[str]] | None:
        """A situation that play from the given nodes meets and in which a member still has a choice; and its actions."""
        permitted = self._permits(decisions)
        met = {(node, self._violates(node)) for node in starts if node not in self._goal}
        work = sorted(met)
        while work:
            node, violated = work.pop(0)
            permitted_here = {c: outcomes for c, outcomes in self._game.choices[node].items() if permitted(node, c)}
            for position, (name, seen) in enumerate(zip(self._names, self._seen[node], strict=True)):
                actions = sorted({action for choice in permitted_here if (action := choice[position]) is not None})
                if len(actions) > 1:
                    return (name, seen), actions
            outcomes = {outcome for targets in permitted_here.values() for outcome in targets} & self._matters(value)
            following = {(outcome, violated or self._violates(outcome)) for outcome in outcomes}
            fresh = {play for play in following if play[1] or play[0] not in self._goal} - met
            met |= fresh
            work.extend(sorted(fresh))
        return None

    def _matters(self, value: Nodes) -> Nodes:
        """The nodes whose choices can matter.

        Play that is being won stays where it can be won.  X is won or lost in one step, unless a strategy may also succeed by
        avoiding fair paths ever after.
        """
        if not isinstance(self._shape, Next):
            return value
        return frozenset() if self._game.world.fair is None else self._game.world.nodes

    def _violates(self, node: int) -> bool:
        """Whether play that comes here before the goal violates the operator for good.

        Under fairness a strategy still succeeds if none of its fair paths comes here, so all later choices matter, also those beyond the
        goal.
        """
        return node not in self._before and node not in self._goal


def _until(shape: Formula, args: list[Nodes], nodes: Nodes) -> tuple[Nodes, Nodes]:
    """The operator as a form of until: the nodes that play may pass first, and the goal, at which nothing later matters.

    X, G and R have no such goal: all choices that play meets are made.
    """
    if isinstance(shape, Finally):
        return nodes, args[0]
    return (args[0], args[1]) if isinstance(shape, (Until, WeakUntil)) else (nodes, frozenset())


class Undecided(Exception):
    """Exploration met a situation for which the strategy does not say yet what to do."""

    def __init__(self, situation: Situation, actions: tuple[str, ...]) -> None:
        super().__init__(situation)
        self.situation = situation
        self.actions = actions


class PrunedStepper(Stepper):
    """The steps of a system in which some agents follow uniform strategies."""

    def __init__(self, system: System, followers: frozenset[str], decisions: Decisions) -> None:
        super().__init__(system)
        self._followers = followers
        self.decisions = decisions

    def allowed(self, agent: Agent, state: State) -> tuple[str, ...]:
        """The action that the agent's strategy says; `Undecided` if it says nothing and there is a choice."""
        actions = super().allowed(agent, state)
        if agent.name not in self._followers or len(actions) < 2:
            return actions
        situation = (agent.name, tuple([state[index] for index in self.system.views[agent.name]]))
        if situation not in self.decisions:
            raise Undecided(situation, actions)
        return (self.decisions[situation],)


def prunings(
    system: System, followers: frozenset[str], explore: Callable[[Stepper], Reached], budget: Budget
) -> Iterator[tuple[PrunedStepper, Reached]]:
    """What ``explore`` makes of the system under every uniform strategy of the followers, each met choice decided both ways."""
    open_ends: list[Decisions] = [{}]
    while open_ends:
        budget.check()
        decisions = open_ends.pop()
        stepper = PrunedStepper(system, followers, decisions)
        try:
            reached = explore(stepper)
        except Undecided as open_choice:
            situation = open_choice.situation
            open_ends.extend({**decisions, situation: action} for action in reversed(open_choice.actions))
        else:
            yield stepper, reached
