"""The reference semantics: what can happen in a state, one function per definition.

Nothing here is clever.  Replaying evidence, simulating and judging all rest on this module alone.

Definitions (both compositions):

- *Allowed*.  Agent i may do action a in state s iff some protocol line of i whose condition holds in s lists a, or no line's condition
  holds and the Other line lists a.  An Environment without any protocol line may do all its actions.
- *Moves*, given s and the joint action.  MultiAssignment: if lines are enabled, one of them is executed, chosen freely, and the
  variables it does not assign keep their values; if none is enabled the agent stays as it is.  SingleAssignment: the same for each
  variable separately.  A line whose value is not in its target's domain yields no move, and staying does not come back for it.
- *Synchronous step*.  Every agent that has actions chooses an allowed one; then all make a move, together.
- *Interleaved step*.  One action name happens; every agent that declares it takes part and must allow it; participants make a move, all
  others stay.  A state in which no step exists repeats itself for ever (and is reported as a dead end).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from epistrat.model.agent import Agent, EvolutionLine
from epistrat.model.evaluate import Evaluator, Meaning
from epistrat.model.state import Act, Joint, State, idle
from epistrat.model.system import Semantics, System
from epistrat.terms import ActionIs, And, Expr, Terms, Value, subterms


class Step(NamedTuple):
    """A joint action and the state it leads to."""

    joint: Joint
    target: State


def permitted(agent: Agent, applies: Iterable[bool]) -> tuple[str, ...]:
    """The actions the agent may do where these lines of its protocol apply, in the order in which it declares them."""
    if agent.free:
        return agent.actions
    enabled = [line.actions for line, one in zip(agent.protocol, applies, strict=True) if one]
    if not enabled and agent.other is not None:
        enabled = [agent.other]
    chosen = {action for actions in enabled for action in actions}
    return tuple(action for action in agent.actions if action in chosen)


class Stepper:
    """The steps of one system."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.evaluator = Evaluator(system)
        position = system.position
        self._actor = {agent.name: index for index, agent in enumerate(system.agents)}
        self._guards: dict[str, list[tuple[EvolutionLine, Meaning, Meaning]]] = {}
        self._latest: State | None = None
        self._ready: dict[str, list[tuple[EvolutionLine, Meaning]]] = {}
        self._heeded: list[tuple[int, ...]] = []  # found when steps are first asked for
        self._own = {agent.name: [position[variable.key] for variable in agent.variables] for agent in system.agents}

    def _actors_heeded(self, agent: Agent) -> tuple[int, ...]:
        """The agents whose actions the agent's moves depend on, by position: itself, and those its guards mention."""
        tested = _actions_tested(*(line.guard for line in agent.evolution))
        return tuple(sorted({self._actor[agent.name], *(self._actor[name] for name, _ in tested)}))

    def allowed(self, agent: Agent, state: State) -> tuple[str, ...]:
        """The actions the agent may do in the state, in the order in which it declares them."""
        if agent.free:
            return agent.actions
        return permitted(agent, [self.evaluator.holds(line.condition, state) for line in agent.protocol])

    def choices(self, agent: Agent, state: State) -> tuple[Act, ...]:
        """What a strategy of the agent can choose in the state; nothing where no action is allowed.

        In a synchronous system an allowed action.  In an interleaved one a choice of a line that applies, as far as it has allowed actions.
        """
        if not agent.other_choices and not any(line.choices for line in agent.protocol):
            return self.allowed(agent, state)
        enabled = [line for line in agent.protocol if self.evaluator.holds(line.condition, state)]
        lists = [line.choices or tuple((action,) for action in line.actions) for line in enabled]
        if not enabled and agent.other is not None:
            lists = [agent.other_choices or tuple((action,) for action in agent.other)]
        found = dict.fromkeys(one for choices in lists for one in choices)
        return tuple(one[0] if len(one) == 1 else one for one in found)

    def joint_actions(self, state: State) -> Iterator[Joint]:
        """The joint actions that the protocols allow in the state."""
        if self.system.interleaved:
            yield from self._interleaved_actions(state)
            return
        choices = [self.allowed(agent, state) if agent.actions else (None,) for agent in self.system.agents]
        yield from product(*choices)

    def _interleaved_actions(self, state: State) -> Iterator[Joint]:
        agents = self.system.agents
        allowed = [frozenset(self.allowed(agent, state)) for agent in agents]
        names = dict.fromkeys(action for agent in agents for action in agent.actions)
        for name in names:
            takes_part = [name in agent.actions for agent in agents]
            if all(name in may for may, part in zip(allowed, takes_part, strict=True) if part):
                yield tuple(name if part else None for part in takes_part)

    def enabled_lines(self, agent: Agent, state: State, joint: Joint) -> list[EvolutionLine]:
        """The agent's evolution lines whose guards hold."""
        if agent is not self.system.agents[self._actor[agent.name]]:  # a copy with other lines
            return [line for line in agent.evolution if self.evaluator.holds(line.guard, state, joint)]
        return [line for line, holds in self._ready_lines(agent, state) if holds(state, joint)]

    def _ready_lines(self, agent: Agent, state: State) -> list[tuple[EvolutionLine, Meaning]]:
        """The lines whose guards hold as far as they speak of the state alone, with what they ask of the joint action.

        Kept for the state looked at last: its joint actions are usually gone through one after the other.
        """
        if state is not self._latest:
            self._latest, self._ready = state, {}
        found = self._ready.get(agent.name)
        if found is None:
            if agent.name not in self._guards:
                self._guards[agent.name] = [self._split(line) for line in agent.evolution]
            found = self._ready[agent.name] = [
                (line, of_joint) for line, of_state, of_joint in self._guards[agent.name] if of_state(state, ())
            ]
        return found

    def _split(self, line: EvolutionLine) -> tuple[EvolutionLine, Meaning, Meaning]:
        """A line with its guard in two conjuncts: what it says of the state, and what involves actions."""
        parts = line.guard.args if isinstance(line.guard, And) else (line.guard,)
        tested = [bool(_actions_tested(part)) for part in parts]
        of_joint = [part for part, of_actions in zip(parts, tested, strict=True) if of_actions]
        of_state = [part for part, of_actions in zip(parts, tested, strict=True) if not of_actions]
        join = Terms().conjunction
        return line, self.evaluator.meaning(join(of_state)), self.evaluator.meaning(join(of_joint))

    def moves(self, agent: Agent, state: State, joint: Joint) -> list[tuple[Value, ...]]:
        """The possible new values of the agent's own variables, without repetition; empty if it cannot move."""
        old = tuple([state[index] for index in self._own[agent.name]])
        if self.system.interleaved and joint[self._actor[agent.name]] is None:
            return [old]
        lines = self.enabled_lines(agent, state, joint)
        if self.system.semantics is Semantics.MULTI:
            return self._multi(agent, lines, old, state, joint)
        return self._single(agent, lines, old, state, joint)

    def _multi(
        self, agent: Agent, lines: Sequence[EvolutionLine], old: tuple[Value, ...], state: State, joint: Joint
    ) -> list[tuple[Value, ...]]:
        if not lines:
            return [old]
        results: dict[tuple[Value, ...], None] = {}
        for line in lines:
            new = self._execute(agent, line, old, state, joint)
            if new is not None:
                results[new] = None
        return list(results)

    def _single(
        self, agent: Agent, lines: Sequence[EvolutionLine], old: tuple[Value, ...], state: State, joint: Joint
    ) -> list[tuple[Value, ...]]:
        written: dict[str, dict[Value, None]] = {}
        for line in lines:
            for one in line.assignments:
                written.setdefault(one.target, {})[self.evaluator.value(one.value, state, joint)] = None
        choices: list[list[Value]] = []
        for variable, value in zip(agent.variables, old, strict=True):
            values = written.get(variable.name)
            choices.append([value] if values is None else [new for new in values if new in variable.domain])
        return list(product(*choices))

    def _execute(
        self, agent: Agent, line: EvolutionLine, old: tuple[Value, ...], state: State, joint: Joint
    ) -> tuple[Value, ...] | None:
        """The agent's variables after the line, or None if a value leaves its target's domain."""
        written = {a.target: self.evaluator.value(a.value, state, joint) for a in line.assignments}
        new: list[Value] = []
        for variable, value in zip(agent.variables, old, strict=True):
            result = written.get(variable.name, value)
            if result not in variable.domain:
                return None
            new.append(result)
        return tuple(new)

    def outcomes(self, state: State, joint: Joint) -> Iterator[State]:
        """The states that a joint action can lead to."""
        for moves in product(*[self.moves(agent, state, joint) for agent in self.system.agents]):
            yield tuple([value for move in moves for value in move])

    def steps(self, state: State) -> Iterator[Step]:
        """All steps from the state that the agents can make; none at a dead end.

        The same as all `outcomes` of all `joint_actions`; but the moves of an agent depend only on the actions that its guards
        test, so each is computed once for all joint actions that agree on these.
        """
        self._heeded = self._heeded or [self._actors_heeded(agent) for agent in self.system.agents]
        known: dict[tuple[int, Joint], list[tuple[Value, ...]]] = {}
        for joint in self.joint_actions(state):
            moves: list[list[tuple[Value, ...]]] = []
            for index, agent in enumerate(self.system.agents):
                key = (index, tuple([joint[actor] for actor in self._heeded[index]]))
                if key not in known:
                    known[key] = self.moves(agent, state, joint)
                moves.append(known[key])
            for chosen in product(*moves):
                yield Step(joint, tuple([value for move in chosen for value in move]))

    def successors(self, state: State) -> list[Step]:
        """All steps from the state as formulae see them: an interleaved dead end repeats itself."""
        found = list(self.steps(state))
        if not found and self.system.interleaved:
            return [Step(idle(self.system), state)]
        return found

    def is_dead_end(self, state: State) -> bool:
        """Whether no step exists."""
        return next(self.steps(state), None) is None


def _actions_tested(*conditions: Expr) -> frozenset[tuple[str, str]]:
    """The (agent, action) pairs that the conditions ask about."""
    return frozenset((term.agent, term.action) for term in subterms(*conditions) if isinstance(term, ActionIs))
