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
from itertools import count
from typing import TypeVar

from epistrat.engines.reference.games import Choice, Game
from epistrat.engines.reference.graph import Nodes
from epistrat.engines.reference.knowledge import Observations
from epistrat.logic.formula import Finally, Formula, Next, Until, WeakUntil
from epistrat.model.agent import Agent
from epistrat.model.state import Act, State, View, actions_of
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

Situation = tuple[str, View]
Decisions = dict[Situation, Act]
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

    def subjective(self, classes: list[tuple[Nodes, Nodes]]) -> Nodes:
        """The nodes from whose class one uniform strategy succeeds.

        A class are the nodes of the world that the group cannot tell apart, and all nodes that look like them.
        """
        return frozenset(node for starts, nodes in classes if self.succeeds(starts) for node in nodes)

    def succeeds(self, starts: Nodes) -> bool:
        """Whether one uniform strategy enforces the operator from all the given nodes."""
        return self.strategy(starts) is not None

    def strategy(self, starts: Nodes, trials: int | None = None) -> Decisions | None:
        """One uniform strategy that enforces the operator from all the given nodes: what play meets and is not listed is no choice.

        With ``trials``, only so many beginnings of strategies are looked at.
        """
        open_ends: list[Decisions] = [{}]
        for _ in count() if trials is None else range(trials):
            if not open_ends:
                break
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

    def _undecided(self, starts: Nodes, value: Nodes, decisions: Decisions) -> tuple[Situation, list[Act]] | None:
        """A situation that play from the given nodes meets and in which a member still has a choice; and its actions."""
        permitted = self._permits(decisions)
        met = {(node, self._violates(node)) for node in starts if node not in self._goal}
        work = sorted(met)
        while work:
            node, violated = work.pop(0)
            permitted_here = {c: outcomes for c, outcomes in self._game.choices[node].items() if permitted(node, c)}
            for position, (name, seen) in enumerate(zip(self._names, self._seen[node], strict=True)):
                found = {action for choice in permitted_here if (action := choice[position]) is not None}
                actions = sorted(found, key=actions_of)
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
        avoiding fair paths ever after, or by bringing all plays to an end.
        """
        if not isinstance(self._shape, Next):
            return value
        later = self._game.world.fair is not None or self._game.ends_do_not_count
        return self._game.world.nodes if later else frozenset()

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


def goal_of(shape: Formula, args: list[Nodes]) -> Nodes:
    """The nodes at which the operator is settled for good: those of the goal of F, U and W."""
    return args[-1] if isinstance(shape, (Finally, Until, WeakUntil)) else frozenset()


class Undecided(Exception):
    """Exploration met a situation for which the strategy does not say yet what to do."""

    def __init__(self, situation: Situation, actions: tuple[Act, ...]) -> None:
        super().__init__(situation)
        self.situation = situation
        self.actions = actions


class PrunedStepper(Stepper):
    """The steps of a system in which some agents follow uniform strategies."""

    def __init__(self, system: System, followers: frozenset[str], decisions: Decisions) -> None:
        super().__init__(system)
        self._full = Stepper(system)
        self._followers = followers
        self.decisions = decisions

    def allowed(self, agent: Agent, state: State) -> tuple[str, ...]:
        """The action (in an interleaved system: the actions) that the agent's strategy says."""
        if agent.name not in self._followers:
            return super().allowed(agent, state)
        return tuple(action for act in self.choices(agent, state) for action in actions_of(act))

    def choices(self, agent: Agent, state: State) -> tuple[Act, ...]:
        """The choice of the agent's strategy; `Undecided` if it says nothing and there are several."""
        acts = self._full.choices(agent, state)
        if agent.name not in self._followers or len(acts) < 2:
            return acts
        situation = (agent.name, tuple([state[index] for index in self.system.views[agent.name]]))
        if situation not in self.decisions:
            raise Undecided(situation, acts)
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
