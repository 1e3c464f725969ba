"""What agents can choose in explored states, and where that leads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TypeAlias

from epistrat.engines.explicit.structure import Explored
from epistrat.engines.readings import Refused, no_next_state, several_outcomes
from epistrat.model.play import Play
from epistrat.model.state import Act, Joint, State
from epistrat.model.step import Stepper

Chosen: TypeAlias = tuple[tuple[str, Act | None], ...]


class Plays:
    """The explored states of one system as tuples, with choices of agents and next states."""

    def __init__(self, structure: Explored) -> None:
        self.structure = structure
        self.system = structure.system
        self.acting = tuple(agent.name for agent in self.system.agents if agent.actions)
        self._stepper = Stepper(self.system)
        self._play = Play(self._stepper)
        self._options: dict[tuple[str, int], tuple[Act | None, ...]] = {}
        self._targets: dict[tuple[int, Chosen], tuple[int, ...]] = {}
        self._outcomes: dict[int, dict[tuple[Act | None, ...], tuple[int, ...]]] = {}

    @property
    def count(self) -> int:
        """How many states there are."""
        return self.structure.count

    @cached_property
    def states(self) -> list[State]:
        """All states."""
        return [self.structure.state(node) for node in range(self.count)]

    @cached_property
    def _number(self) -> dict[State, int]:
        return {state: node for node, state in enumerate(self.states)}

    def options(self, agent: str, node: int) -> tuple[Act | None, ...]:
        """What the agent can choose; None alone for nothing to choose, nothing at all where it should act and cannot."""
        key = agent, node
        if key not in self._options:
            self._options[key] = self._play.options(agent, self.states[node])
        return self._options[key]

    def targets(self, node: int, chosen: Mapping[str, Act | None]) -> tuple[int, ...]:
        """The next states when these agents do this and all others anything."""
        acts = {agent: None if self.options(agent, node) == (None,) else act for agent, act in chosen.items()}
        key = node, tuple(acts.items())
        if key not in self._targets:
            self._targets[key] = tuple(sorted(self._left(node, acts)))
        return self._targets[key]

    def _left(self, node: int, acts: Mapping[str, Act | None]) -> set[int]:
        if self.system.interleaved:
            self.structure.budget.check()
            return {self._number[step.target] for step in self._play.steps(self.states[node], acts) or ()}
        outcomes = self.outcomes(node)
        wanted = tuple([acts.get(agent.name) if agent.actions else None for agent in self.system.agents])
        if wanted in outcomes:
            return set(outcomes[wanted])
        return {
            target
            for joint, targets in outcomes.items()
            if all(act is None or act == done for act, done in zip(wanted, joint, strict=True))
            for target in targets
        }

    def outcomes(self, node: int) -> dict[tuple[Act | None, ...], tuple[int, ...]]:
        """Where each joint action leads that the protocols allow."""
        if node not in self._outcomes:
            self.structure.budget.check()
            state = self.states[node]
            found: dict[Joint, dict[int, None]] = {joint: {} for joint in self._stepper.joint_actions(state)}
            for step in self._stepper.steps(state):
                found[step.joint][self._number[step.target]] = None
            self._outcomes[node] = {joint: tuple(targets) for joint, targets in found.items()}
        return self._outcomes[node]

    def require_next_states(self, protocols: bool) -> None:
        """Raises `Refused` where an allowed joint action leads nowhere; with ``protocols`` also where none is allowed."""
        stuck = self._lacking[0] if protocols or self._lacking[1] else None
        if stuck is not None:
            raise Refused(no_next_state(self.system, stuck))

    @property
    def one_outcome(self) -> bool:
        """Whether no joint action has several outcomes."""
        return self._lacking[2] is None

    def require_one_outcome(self) -> None:
        """Raises `Refused` where a joint action has several outcomes."""
        if self._lacking[2] is not None:
            raise Refused(several_outcomes(self.system, self._lacking[2]))

    @cached_property
    def _lacking(self) -> tuple[State | None, bool, State | None]:
        """A state without next state, whether some joint action that is allowed has none, a state with several for one action."""
        stuck: State | None = None
        several: State | None = None
        blocked = False
        for node, state in enumerate(self.states if not self.system.interleaved else ()):
            outcomes = self.outcomes(node)
            if any(len(targets) > 1 for targets in outcomes.values()):
                several = several or state
            if not all(outcomes.values()):
                stuck, blocked = state, True
            if not outcomes and not blocked:
                stuck = state
        return stuck, blocked, several
