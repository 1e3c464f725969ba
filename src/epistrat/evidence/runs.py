"""Is this a run of the system?  Steps checked one by one, agent by agent, so that nothing has to be enumerated."""

from __future__ import annotations

from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.trace import Lasso, Path
from epistrat.model.agent import Agent
from epistrat.model.state import Joint, State, idle
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.terms import And, Expr, Not, Or

_MANY_CONJUNCTS = 2_000  # to turn them into functions takes longer than to look at them once
_DEEP = 4  # connectives inside each other that are looked at; of what is below them functions are made


class RunChecker:
    """Checks states, steps, paths and lassos of one system; every method returns None, or what is wrong, in words."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.stepper = Stepper(system)
        self.conditions = StateConditions(system, self.stepper.evaluator)
        self._initial: dict[State, bool] = {}
        self._slices: dict[str, slice] = {}
        start = 0
        for agent in system.agents:
            self._slices[agent.name] = slice(start, start + len(agent.variables))
            start += len(agent.variables)

    def state(self, state: State) -> str | None:
        """A state has one value of the right domain for each variable."""
        if len(state) != len(self.system.variables):
            return f"a state has {len(self.system.variables)} values, not {len(state)}"
        for variable, value in zip(self.system.variables, state, strict=True):
            if value not in variable.domain:
                return f"{variable} cannot be {value}"
        return None

    def initial(self, state: State) -> str | None:
        """The state is well formed and satisfies the initial condition."""
        wrong = self.state(state)
        if wrong is None:
            if state not in self._initial:
                self._initial[state] = self._starts(state)
            if not self._initial[state]:
                wrong = "the state is not initial"
        return wrong

    def _starts(self, state: State) -> bool:
        """Whether the initial condition is true: of very many conjuncts each is looked at as it stands, for few states are asked about."""
        evaluator, condition = self.stepper.evaluator, self.system.initial
        if not isinstance(condition, And) or len(condition.args) < _MANY_CONJUNCTS:
            return evaluator.holds(condition, state)

        known: dict[Expr, bool] = {}

        def true(part: Expr, deep: int) -> bool:
            match part:
                case Not(arg) if deep:
                    return not true(arg, deep - 1)
                case And(args) if deep:
                    return all(known[arg] if arg in known else true(arg, deep - 1) for arg in args)
                case Or(args) if deep:
                    return any(known[arg] if arg in known else true(arg, deep - 1) for arg in args)
            found = known[part] = evaluator.holds(part, state)
            return found

        return true(condition, _DEEP)

    def joint(self, state: State, joint: Joint) -> str | None:
        """The protocols allow the joint action in the state."""
        if len(joint) != len(self.system.agents):
            return f"a joint action has {len(self.system.agents)} parts, not {len(joint)}"
        if self.system.interleaved:
            return self._interleaved(state, joint)
        for agent, action in zip(self.system.agents, joint, strict=True):
            if agent.actions and action not in self.stepper.allowed(agent, state):
                return f"{agent.name} may not do {action}"
            if not agent.actions and action is not None:
                return f"{agent.name} has no actions"
        return None

    def _interleaved(self, state: State, joint: Joint) -> str | None:
        names = {action for action in joint if action is not None}
        if not names:
            return None if self.stepper.is_dead_end(state) else "nobody acts although somebody could"
        if len(names) > 1:
            return "only one action can happen at a time"
        (name,) = names
        for agent, action in zip(self.system.agents, joint, strict=True):
            wrong = self._participant(agent, state, name, action)
            if wrong is not None:
                return wrong
        return None

    def _participant(self, agent: Agent, state: State, name: str, action: str | None) -> str | None:
        if (name in agent.actions) != (action is not None):
            return f"{agent.name} must take part in {name} exactly if it declares it"
        if action is not None and action not in self.stepper.allowed(agent, state):
            return f"{agent.name} may not do {action}"
        return None

    def step(self, state: State, joint: Joint, target: State) -> str | None:
        """The joint action is allowed in the state and can lead to the target."""
        wrong = self.state(target) or self.joint(state, joint)
        if wrong is not None:
            return wrong
        if self.system.interleaved and joint == idle(self.system):
            return None if state == target else "where nobody acts nothing changes"
        for agent in self.system.agents:
            if target[self._slices[agent.name]] not in self.stepper.moves(agent, state, joint):
                return f"{agent.name} cannot move like that"
        return None

    def path(self, path: Path) -> str | None:
        """The path is made of possible steps."""
        if not path.states or len(path.actions) != len(path.states) - 1:
            return "a path has one action fewer than states"
        wrong = self.state(path.states[0])
        if wrong is not None:
            return wrong
        return self._steps(path.states[:-1], path.actions, path.states[1:])

    def lasso(self, lasso: Lasso) -> str | None:
        """The lasso is made of possible steps and closes."""
        if not lasso.states or len(lasso.actions) != len(lasso.states):
            return "a lasso has as many actions as states"
        if not 0 <= lasso.loop < len(lasso.states):
            return "a lasso returns to one of its states"
        wrong = self.state(lasso.states[0])
        if wrong is not None:
            return wrong
        return self._steps(lasso.states, lasso.actions, (*lasso.states[1:], lasso.states[lasso.loop]))

    def _steps(self, states: tuple[State, ...], actions: tuple[Joint, ...], targets: tuple[State, ...]) -> str | None:
        for number, (state, joint, target) in enumerate(zip(states, actions, targets, strict=True), start=1):
            wrong = self.step(state, joint, target)
            if wrong is not None:
                return f"step {number} is impossible: {wrong}"
        return None

    def run_to(self, run: Path, state: State) -> str | None:
        """The path starts in an initial state and ends in the given one."""
        wrong = self.path(run) or self.initial(run.states[0])
        if wrong is None and run.last != state:
            wrong = "the run does not lead to the state"
        return wrong
