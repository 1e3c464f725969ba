"""Steps that are left when some agents have chosen.

*Synchronous systems*: all joint actions in which these agents do what they chose.

*Interleaved systems*: an event is possible in s if all who declare it allow it and it has an outcome.  With choices of a group, the
possible events are *left* that every member which declares them has in its choice; nobody outside the group restricts anything.  The next
states of s are the outcomes of what is left.  If nothing is left, by ``System.blocking``:

- *wait*: s repeats itself, a step in which nothing happens;
- *ignore*: the play ends, and plays that end do not count;
- *adversary*: as wait; and s repeats itself too wherever the agents outside the group have choices which together leave nothing.

A dead end of the model, where no event is possible, repeats itself whatever is chosen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import islice, product

from epistrat.model.state import Act, Joint, State, actions_of, idle
from epistrat.model.step import Step, Stepper
from epistrat.model.system import Blocking


class Play:
    """The steps of one system under choices of some of its agents."""

    def __init__(self, stepper: Stepper) -> None:
        self._stepper = stepper
        self._system = stepper.system
        self._latest: State | None = None
        self._possible: dict[Joint, list[State]] = {}

    def options(self, name: str, state: State) -> tuple[Act | None, ...]:
        """What the agent can choose in the state; None alone for nothing to choose, nothing at all where it should act and cannot."""
        agent = self._system.agent.get(name)
        if agent is None or not agent.actions:
            return (None,)
        found = self._stepper.choices(agent, state)
        return found if found or not self._system.interleaved else (None,)

    def can_act(self, state: State) -> bool:
        """Whether time goes on from the state: an interleaved system repeats its dead ends, a synchronous one needs everybody."""
        return self._system.interleaved or all(self.options(agent.name, state) for agent in self._system.agents)

    def joints(self, state: State, chosen: Mapping[str, Act | None], most: int | None = None) -> list[Joint] | None:
        """The joint actions that agree with the choices, in an interleaved system those that have outcomes.

        None if they are more than ``most``.
        """
        if self._system.interleaved:
            return self._left(state, chosen)
        options = [
            (_single(chosen[agent.name]),)
            if chosen.get(agent.name) is not None
            else self._stepper.allowed(agent, state)
            if agent.actions
            else (None,)
            for agent in self._system.agents
        ]
        found = list(islice(product(*options), None if most is None else most + 1))
        return None if most is not None and len(found) > most else found

    def steps(self, state: State, chosen: Mapping[str, Act | None], most: int | None = None) -> list[Step] | None:
        """The steps that are left, waiting included; None if there are more than ``most`` joint actions."""
        joints = self.joints(state, chosen, most)
        if joints is None:
            return None
        if not self._system.interleaved:
            return [Step(joint, target) for joint in joints for target in self._stepper.outcomes(state, joint)]
        possible = self.possible(state)
        found = [Step(joint, target) for joint in joints for target in possible[joint]]
        if self.waits(state, chosen, joints):
            found.append(Step(idle(self._system), state))
        return found

    def possible(self, state: State) -> dict[Joint, list[State]]:
        """The events that are possible in a state of an interleaved system, with their outcomes."""
        if state != self._latest:
            found = {joint: list(self._stepper.outcomes(state, joint)) for joint in self._stepper.joint_actions(state)}
            self._latest, self._possible = state, {joint: targets for joint, targets in found.items() if targets}
        return self._possible

    def _left(self, state: State, chosen: Mapping[str, Act | None]) -> list[Joint]:
        sets = [
            None if agent.name not in chosen else frozenset(actions_of(chosen[agent.name]))
            for agent in self._system.agents
        ]
        return [joint for joint in self.possible(state) if _lets(sets, joint)]

    def waits(self, state: State, chosen: Mapping[str, Act | None], left: Collection[Joint]) -> bool:
        """Whether s repeats itself under the choices, which leave these events."""
        if not self.possible(state):
            return True
        match self._system.blocking:
            case Blocking.WAIT:
                return not left
            case Blocking.IGNORE:
                return False
            case Blocking.ADVERSARY:
                return self._can_block(state, frozenset(chosen), left)

    def _can_block(self, state: State, group: frozenset[str], left: Iterable[Joint]) -> bool:
        """Whether agents outside the group have choices which together leave none of the events: agent by agent, what may remain."""
        remaining = {frozenset(left)}
        for place, agent in enumerate(self._system.agents):
            if agent.name in group:
                continue
            options = [frozenset(actions_of(act)) for act in self.options(agent.name, state)]
            remaining = {
                frozenset(joint for joint in some if joint[place] is None or joint[place] in option)
                for some in remaining
                for option in options
            }
        return frozenset() in remaining


def _lets(sets: Iterable[frozenset[str] | None], joint: Joint) -> bool:
    return all(some is None or action is None or action in some for some, action in zip(sets, joint, strict=True))


def _single(act: Act | None) -> str:
    assert isinstance(act, str), "in a synchronous system a choice is one action"
    return act
