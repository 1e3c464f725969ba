"""Bounded recall as a model transformation: agents remember what they observed in the last w states.

For every variable x that the agent sees and every k from 1 to w it gets a variable ``pastk_x``: the value of x k steps ago.  Before
the first step that is the initial value.  In an interleaved system a step is one in which the agent takes part, for only then does it
notice anything.  Nothing else changes: the steps of the new system are those of the old one, state by state (`Recall.forget`).
"""

from __future__ import annotations

from collections.abc import Collection

from epistrat.model.agent import Agent, Assignment, EvolutionLine, Variable
from epistrat.model.state import State
from epistrat.model.system import Semantics, System
from epistrat.model.transform.memory import StrategyMemory
from epistrat.records import dataclass, replace
from epistrat.terms import TRUE, Expr, Terms

MOST_RECALLED = 1_000
"""Observations that agents may remember: each is a variable more for every variable that is seen."""


@dataclass(frozen=True, slots=True)
class Recalling:
    """What is asked for: these agents remember so many observations; ``strategies`` remember on their own."""

    steps: int
    agents: tuple[str, ...]
    strategies: StrategyMemory | None = None

    def of(self, system: System) -> System:
        """The system with that memory."""
        found = with_recall(system, self.steps, self.agents).system
        return found if self.strategies is None else self.strategies.of(found)


@dataclass(frozen=True)
class Recall:
    """The system with memory, and the way back."""

    system: System
    original: System

    def forget(self, state: State) -> State:
        """The state of the original system."""
        position = self.system.position
        return tuple([state[position[variable.key]] for variable in self.original.variables])


def with_recall(system: System, steps: int, agents: Collection[str] | None = None) -> Recall:
    """The system whose agents (all of them, or those named) remember so many observations."""
    if steps <= 0:
        return Recall(system, system)
    terms = Terms()
    initial: list[Expr] = [system.initial]
    changed: list[Agent] = []
    for agent in system.agents:
        if agents is not None and agent.name not in agents:
            changed.append(agent)
            continue
        seen = [system.variables[index] for index in system.views.get(agent.name, ())]
        memory: list[Variable] = []
        updates: list[Assignment] = []
        for one in seen:
            newest = one
            for age in range(1, steps + 1):
                copy = Variable(agent.name, _name(agent, one, age), one.domain)
                memory.append(copy)
                updates.append(Assignment(copy.name, newest.reference))
                initial.append(terms.compare("=", copy.reference, one.reference))
                newest = copy
        changed.append(_remembering(system, agent, memory, updates, terms))
    return Recall(replace(system, agents=tuple(changed), initial=terms.conjunction(initial)), system)


def _name(agent: Agent, variable: Variable, age: int) -> str:
    whose = "" if variable.owner == agent.name else f"{variable.owner}_"
    name = f"past{age}_{whose}{variable.name}"
    while any(one.name == name for one in agent.variables):
        name += "_"
    return name


def _remembering(
    system: System, agent: Agent, memory: list[Variable], updates: list[Assignment], terms: Terms
) -> Agent:
    """The agent with memory that every move of its own brings up to date."""
    if system.semantics is Semantics.SINGLE:
        lines = (*agent.evolution, *(EvolutionLine((one,), TRUE) for one in updates))
    else:
        still = EvolutionLine(tuple(updates), terms.negate(terms.disjunction(line.guard for line in agent.evolution)))
        moving = [EvolutionLine((*line.assignments, *updates), line.guard) for line in agent.evolution]
        lines = (*moving, still)
    return replace(agent, variables=(*agent.variables, *memory), evolution=lines if updates else agent.evolution)
