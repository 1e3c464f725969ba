"""Walking through a system step by step: the run so far, what can happen next, why something happened, who knows what.

Rests on the reference semantics alone, except for the truth of formulae, which an engine answers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from types import MappingProxyType

from epistrat.encoding.smt.initial import some_initial_states
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.strategy import Follower, Strategy
from epistrat.evidence.trace import Path
from epistrat.lang.load import Loaded, without_text
from epistrat.logic.formula import Formula
from epistrat.logic.show import show
from epistrat.model.agent import Agent, EvolutionLine
from epistrat.model.conditions import is_condition
from epistrat.model.play import Play
from epistrat.model.show import line_to_ispl
from epistrat.model.state import Act, Joint, State
from epistrat.model.step import Step, Stepper
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.service import models
from epistrat.service.events import Finished, Produced, Send
from epistrat.service.knowing import Knowing, Knowledge
from epistrat.service.levels import Said
from epistrat.service.requests import SimulateRequest
from epistrat.service.worlds import Worlds
from epistrat.solvers.budget import Budget
from epistrat.source import Diagnostic, Severity
from epistrat.terms import Value

MOST_JOINT_ACTIONS = 100_000  # that are gone through in one state
MOST_CHOICES = 100
"""So many initial states or steps are offered at once; a person cannot choose among more."""

_LOOKED_AT = 50_000
"""Steps that are looked at in search of a state."""
_TRIES = 200  # random joint actions, where there are too many to list


@dataclass(frozen=True, slots=True)
class Fired:
    """What one agent did in a step: the evolution lines that can have made its move, by number from 1; none if it stayed."""

    agent: str
    lines: tuple[tuple[int, EvolutionLine], ...]
    changes: tuple[tuple[str, Value, Value], ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """A random run; ``stuck`` if it ended in a dead end before it was as long as asked."""

    system: System
    run: Path
    stuck: bool


def simulate(request: SimulateRequest, send: Send, budget: Budget) -> None:
    """Serve a `SimulateRequest`; raises `InputError`."""
    simulation = open_simulation(request)
    simulation.random_start()
    stuck = simulation.walk(request.steps) < request.steps
    send(Produced(Walk(simulation.system, simulation.run, stuck)))
    send(Finished())


def open_simulation(request: SimulateRequest) -> Simulation:
    """The simulation of a request before its first step; raises `InputError` if there is no model or no initial state."""
    system, loaded = models.load(request)
    try:
        return Simulation(system, request.seed, loaded)
    except LookupError as none:
        raise models.InputError([Diagnostic("W001", Severity.ERROR, str(none), source=loaded.source)]) from None


class Simulation:
    """A run that grows step by step.  It starts in the first initial state; `start` chooses another."""

    def __init__(self, system: System, seed: int | None = None, loaded: Loaded | None = None) -> None:
        self.system = system
        self.loaded = loaded or without_text(system)
        self._stepper = Stepper(system)
        self._random = random.Random(seed)
        self._knowing = Knowing(system)
        found, complete = some_initial_states(system, MOST_CHOICES, Budget())
        if not found:
            raise LookupError("the model has no initial state")
        self.initial_states = found
        self.more_initial_states = not complete
        self._states: list[State] = [found[0]]
        self._joints: list[Joint] = []
        self._said: list[Said] = []

    @property
    def state(self) -> State:
        """Where the run is."""
        return self._states[-1]

    @property
    def run(self) -> Path:
        """The run so far."""
        return Path(tuple(self._states), tuple(self._joints))

    @property
    def begins(self) -> bool:
        """Whether the run begins in an initial state."""
        return self._stepper.evaluator.holds(self.system.initial, self._states[0])

    @property
    def depth(self) -> int:
        """How many steps were made."""
        return len(self._joints)

    def start(self, number: int = 1) -> None:
        """Start again in an initial state, by number from 1."""
        if not 1 <= number <= len(self.initial_states):
            raise LookupError(f"there is no initial state {number}")
        self._states = [self.initial_states[number - 1]]
        self._joints, self._said = [], []

    def steps(self, most: int = MOST_CHOICES) -> list[Step]:
        """What can happen next, at most so many; empty at a dead end."""
        return list(islice(self._stepper.steps(self.state), most))

    def take(self, step: Step) -> None:
        """Make a step."""
        self._joints.append(step.joint)
        self._states.append(step.target)

    def follow(self, run: Path, said: Sequence[Said] = ()) -> None:
        """Take the place of the run so far, on which this was said; it may begin in any state.

        Raises LookupError where a step of it is not possible.
        """
        wrong = RunChecker(self.system).path(run)
        if wrong is not None:
            raise LookupError(f"this is not a run of the model: {wrong}")
        self._states, self._joints, self._said = list(run.states), list(run.actions), list(said)

    @property
    def said(self) -> tuple[Said, ...]:
        """What was announced on the run, and when."""
        return tuple(self._said)

    def say(self, formula: Formula) -> None:
        """Announce that a formula is true here; raises LookupError where it is not, or that is not known."""
        true = self.holds(formula)
        if not true:
            found = "not true here" if true is False else "not decided here"
            raise LookupError(f"{show(formula)} is {found}, and only what is true is announced")
        self._said.append((self.depth, formula))

    def steps_under(self, strategy: Strategy) -> tuple[dict[str, Act | None] | None, list[Step]]:
        """What the strategy chooses here (None where it says nothing), and what can happen then, as the others choose."""
        chosen = Follower(self.system, strategy).at(self.state)
        if chosen is None:
            return None, []
        return chosen, (Play(self._stepper).steps(self.state, chosen, MOST_JOINT_ACTIONS) or [])[:MOST_CHOICES]

    def options(self) -> dict[str, tuple[str, ...]]:
        """The actions that each agent may choose here; empty in interleaved systems, where agents do not choose on their own."""
        if self.system.interleaved:
            return {}
        return {
            agent.name: tuple(self._stepper.allowed(agent, self.state)) for agent in self.system.agents if agent.actions
        }

    def step_with(self, chosen: Mapping[str, str]) -> Step | None:
        """A random step in which these agents do what was chosen for them; None if none was found."""
        for agent, action in chosen.items():
            if action not in self.options().get(agent, ()):
                raise LookupError(f"{agent} cannot do {action} here")
        return self._any_step(chosen)

    def back(self, to: int | None = None) -> None:
        """Undo the last step, or all steps after state number ``to`` (0 is the first)."""
        to = self.depth - 1 if to is None else to
        if not 0 <= to <= self.depth:
            raise LookupError("there is nothing before the first state" if to < 0 else f"the run has no state {to} yet")
        del self._states[to + 1 :], self._joints[to:]
        self._said = [one for one in self._said if one[0] <= to]

    def walk(self, steps: int) -> int:
        """Make random steps; how many could be made before a dead end."""
        for made in range(steps):
            step = self._any_step()
            if step is None:
                return made
            self.take(step)
        return steps

    def random_start(self) -> None:
        """Start again in a random one of the initial states that are offered."""
        self.start(self._random.randrange(len(self.initial_states)) + 1)

    def _any_step(self, chosen: Mapping[str, str] = MappingProxyType({})) -> Step | None:
        """A random step: agents choose one by one, since the joint choices may be astronomically many."""
        for _ in range(_TRIES):
            joint = self._any_joint(chosen)
            if joint is None:
                return None
            moves = [self._stepper.moves(agent, self.state, joint) for agent in self.system.agents]
            if all(moves):
                return Step(joint, tuple(value for options in moves for value in self._random.choice(options)))
        return None if chosen else next(self._stepper.steps(self.state), None)

    def _any_joint(self, fixed: Mapping[str, str]) -> Joint | None:
        if self.system.interleaved:
            joints = list(self._stepper.joint_actions(self.state))
            return self._random.choice(joints) if joints else None
        chosen: list[str | None] = []
        for agent in self.system.agents:
            allowed = self._stepper.allowed(agent, self.state) if agent.actions else (None,)
            if not allowed:
                return None
            chosen.append(fixed.get(agent.name) or self._random.choice(allowed))
        return tuple(chosen)

    def seek(self, goal: Formula) -> bool:
        """Go on by a shortest way to a state where the formula is true; False (and no move) if there is none.

        Raises LookupError where the search was given up.
        """
        holds = self._goal(goal)
        parents: dict[State, tuple[State, Joint] | None] = {self.state: None}
        queue = [self.state]
        looked = 0
        for current in queue:
            if holds(current):
                self._follow(parents, current)
                return True
            for joint, target in self._stepper.steps(current):
                looked += 1
                if looked > _LOOKED_AT:
                    raise LookupError(f"not found among the nearest {len(parents):,} states")
                if target not in parents:
                    parents[target] = (current, joint)
                    queue.append(target)
        return False

    def _goal(self, goal: Formula) -> Callable[[State], bool]:
        """Where a formula is true: a condition is looked at state by state, for any other all reachable states are labelled."""
        if is_condition(goal):
            return partial(self._stepper.evaluator.holds, self._knowing.condition(goal))
        return self._knowing.where(goal).__contains__

    def _follow(self, parents: dict[State, tuple[State, Joint] | None], target: State) -> None:
        steps: list[Step] = []
        origin = parents[target]
        while origin is not None:
            before, joint = origin
            steps.append(Step(joint, target))
            target, origin = before, parents[before]
        for step in reversed(steps):
            self.take(step)

    def true_at(self, moment: int) -> list[str]:
        """The propositions that are true at a moment of the run."""
        holds, state = self._stepper.evaluator.holds, self._states[moment]
        return [name for name, condition in self.system.propositions.items() if holds(condition, state)]

    def why(self) -> list[Fired]:
        """Which evolution lines made the last step, agent by agent."""
        if not self._joints:
            raise LookupError("nothing has happened yet")
        before, after, joint = self._states[-2], self.state, self._joints[-1]
        return [self._fired(agent, before, after, joint) for agent in self.system.agents if agent.variables]

    def written(self, agent: str, number: int, line: EvolutionLine) -> str:
        """An evolution line as it was written, with its place; as we would write it where that is not known."""
        written = self.loaded.origins.text("evolution", agent, number - 1)
        place = self.loaded.origins.position("evolution", agent, number - 1)
        if written is not None and place is not None:
            return f"{self.loaded.source.name}:{place.line}: {' '.join(written.split())}"
        return f"line {number} of {agent}: {line_to_ispl(agent, line)}"

    def _fired(self, agent: Agent, before: State, after: State, joint: Joint) -> Fired:
        position = self.system.position
        own = {variable.name: position[variable.key] for variable in agent.variables}
        changes = tuple((name, before[i], after[i]) for name, i in own.items() if before[i] != after[i])
        if self.system.interleaved and joint[self.system.agents.index(agent)] is None:
            return Fired(agent.name, (), changes)
        enabled = self._stepper.enabled_lines(agent, before, joint)
        value = self._stepper.evaluator.value
        single = self.system.semantics.name == "SINGLE"

        def made_it(line: EvolutionLine) -> bool:
            written = {a.target: value(a.value, before, joint) for a in line.assignments}
            kept = {} if single else {name: before[index] for name, index in own.items()}
            return all(after[own[name]] == new for name, new in (kept | written).items())

        lines = [(n, line) for n, line in enumerate(agent.evolution, 1) if line in enabled and made_it(line)]
        return Fired(agent.name, tuple(lines), changes)

    def knowledge(self, agent: str) -> Knowledge:
        """What the agent knows here about the model's propositions."""
        return self._knowing.knowledge(agent, self._states, self._said)

    def look_alikes(self, agent: str) -> list[State] | None:
        """The states that may be this one for all that the agent sees, or has seen where it counts or remembers.

        None where they are too many, or fairness leaves some out.
        """
        return self._knowing.look_alikes(agent, self._states, self._said)

    def holds(self, formula: Formula) -> bool | None:
        """Whether a formula is true here, its past read along this run; None if that was not found out in time."""
        return self._knowing.along(formula, self._states, self._said)

    def film(self, formula: Formula) -> list[bool | None]:
        """The same for every moment of this run."""
        return self._knowing.film(formula, self._states, self._said)

    def worlds(self) -> list[Worlds]:
        """What agents consider possible at each moment of this run; raises LookupError where that cannot be listed."""
        return self._knowing.worlds(self._states, self._said)
