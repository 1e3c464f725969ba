"""Remarks on strategies in interleaved systems: where a group waits for ever, wins because no fair play is left, or is too large."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from epistrat.engines.witness.space import S, WitnessSpace
from epistrat.evidence import Around, Enforced, Restricted, Strategy, Tree
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.cycles import components
from epistrat.evidence.strategy import Follower
from epistrat.logic.formula import Coalition, Formula, Group
from epistrat.model.play import Play
from epistrat.model.state import Act, State, actions_of
from epistrat.model.step import Stepper
from epistrat.model.system import System

MOST_STATES = 2_000  # of the graph that a strategy leaves


def play_notes(space: WitnessSpace[S], formula: Formula, trees: Sequence[Tree]) -> tuple[str, ...]:
    """What there is to say about the strategies of the trees."""
    found: dict[str, None] = {}
    for tree in trees:
        for reason in tree.because:
            if isinstance(reason, Enforced):
                found.update(dict.fromkeys(_Outcomes(space, reason.strategy, tree.state).notes()))
        if not tree.holds and isinstance(formula, Coalition):
            found.update(dict.fromkeys(_abler_members(space, formula, tree.state)))
    return tuple(found)


def _abler_members(space: WitnessSpace[S], claim: Coalition, state: State) -> Iterator[str]:
    """Members that can alone what the group cannot: as members the others must choose, perhaps without seeing enough."""
    for name in claim.group.members if len(claim.group.members) > 1 else ():
        if space.has(space.satisfying(Coalition(Group((name,)), claim.arg)), state):
            others = ", ".join(one for one in claim.group.members if one != name)
            yield f"{name} alone can do it: agents outside the group ({others}) need not choose, and let everything happen."


class _Outcomes:
    """What can happen when the members follow their strategy."""

    def __init__(self, space: WitnessSpace[S], strategy: Strategy, start: State) -> None:
        self._system: System = space.system
        self._members = strategy.group.members
        self._follower = Follower(space.system, strategy)
        self._play = space.play
        self._conditions = StateConditions(space.system, space.stepper.evaluator)
        self._stepper = space.stepper
        self._start = start
        self._waiting: list[tuple[State, dict[str, Act | None]]] = []

    def notes(self) -> Iterator[str]:
        """Whether the group waits somewhere, and for whom; whether no fair play is left."""
        graph = self._explored()
        for state, chosen in self._waiting[:1]:
            yield from _waits(self._stepper, state, chosen)
        fairness = self._system.fairness
        if graph is not None and fairness and all(map(self._conditions.decides, fairness)):
            fair = (
                all(any(self._conditions.holds(one, state) for state in component) for one in fairness)
                for component in components(graph)
            )
            if not any(fair):
                yield "The strategy leaves no fair play, so nothing is asked of it."

    def _explored(self) -> dict[State, list[State]] | None:
        """The states that outcomes visit, with what follows; None if they are many, or the strategy does not cover them."""
        graph: dict[State, list[State]] = {}
        pending = [self._start]
        for state in pending:
            if state in graph:
                continue
            done = self._follower.at(state)
            if done is None or len(graph) > MOST_STATES:
                return None
            chosen = {name: done.get(name, self._play.options(name, state)[0]) for name in self._members}
            if any(act not in self._play.options(name, state) for name, act in chosen.items()):
                return None
            steps = self._play.steps(state, chosen) or []
            if self._play.possible(state) and any(not any(step.joint) for step in steps):
                self._waiting.append((state, chosen))
            graph[state] = [step.target for step in steps]
            pending.extend(graph[state])
        return graph


def waiting_in(system: System, defeat: Restricted) -> Iterator[str]:
    """For whom the group waits at the end of a play against its strategy, if it does."""
    stepper = Stepper(system)
    for reason in defeat.tree.because:
        if isinstance(reason, Around) and reason.lasso.period == 1 and not stepper.is_dead_end(reason.lasso.states[-1]):
            state = reason.lasso.states[-1]
            done, play = Follower(system, defeat.strategy).at(state) or {}, Play(stepper)
            chosen = {name: done.get(name, play.options(name, state)[0]) for name in defeat.strategy.group.members}
            if not play.joints(state, chosen):
                yield from _waits(stepper, state, chosen)


def _waits(stepper: Stepper, state: State, chosen: Mapping[str, Act | None]) -> Iterator[str]:
    for name, act in chosen.items():
        for event in actions_of(act):
            for agent in stepper.system.agents:
                ready = event not in agent.actions or event in stepper.allowed(agent, state)
                if agent.name != name and not ready:
                    yield f"{name} waits for ever: {agent.name} is never ready for {event}."
                    return
