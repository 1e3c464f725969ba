"""What happens in the reachable states of a small system: which lines fire, which overlap, which values occur."""

from __future__ import annotations

from itertools import combinations, islice
from typing import Any

from epistrat.answers import Finding
from epistrat.evidence import Path
from epistrat.explain.words import show_value
from epistrat.lang.load import Loaded
from epistrat.model.agent import Agent, EvolutionLine
from epistrat.model.initial import each_initial_state
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import Semantics, System
from epistrat.model.visited import step_work
from epistrat.records import dataclass
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.source import Related, Severity
from epistrat.terms import FiniteDomain, Value, subterms

MOST_WORK = 5_000
"""Agents looked at over all joint actions, where nobody asked for a survey: a twentieth of a second."""

_LOOK = 5
"""So much of a step's work (`step_work`) takes as long as a look here (10 us)."""

Line = tuple[str, int]
"""An agent and the number of one of its lines, from 0."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two lines of an agent that assign different variables are enabled at once, and only one of them fires."""

    agent: str
    lines: tuple[int, int]
    state: State


class Visit:
    """A visit to all reachable states; ``complete`` is false where the work that was allowed did not suffice."""

    def __init__(self, system: System, most: int = MOST_WORK, budget: Budget | None = None) -> None:
        self.system = system
        self.complete = False
        self.overlaps: list[Overlap] = []
        self.enabled: set[Line] = set()
        self.leaving: set[Line] = set()
        self.applied: set[Line] = set()
        self.done: set[tuple[str, str]] = set()
        self.values: list[set[Value]] = [set() for _ in system.variables]
        self._overlapping_lines: set[tuple[str, int, int]] = set()
        self._stepper = Stepper(system)
        self._most = most
        self._look = max(1, step_work(system) // _LOOK)
        self._budget = budget or Budget()
        try:
            self._visit()
            self.complete = True
        except OutOfBudget:
            pass

    def _visit(self) -> None:
        # to solve takes about a look for each
        self._spend(sum(1 for _ in islice(subterms(self.system.initial), self._most + 1)))
        seen: set[State] = set()
        for start in each_initial_state(self.system, self._budget):
            if start not in seen:
                seen.add(start)
                self._visit_from(start, seen)

    def _visit_from(self, start: State, seen: set[State]) -> None:
        queue = [start]
        for state in queue:
            self._protocols(state)
            for index, value in enumerate(state):
                self.values[index].add(value)
            for joint in self._stepper.joint_actions(state):
                self._spend(self._look)
                self._evolutions(state, joint)
                for target in self._stepper.outcomes(state, joint):
                    if target not in seen:
                        seen.add(target)
                        queue.append(target)

    def _spend(self, looks: int) -> None:
        self._most -= looks
        self._budget.check()
        if self._most < 0:
            raise OutOfBudget("the survey was given up")

    def _protocols(self, state: State) -> None:
        for agent in self.system.agents:
            holds = self._stepper.evaluator.holds
            here = [n for n, line in enumerate(agent.protocol) if holds(line.condition, state)]
            self.applied.update((agent.name, n) for n in here or [len(agent.protocol)])

    def _evolutions(self, state: State, joint: Joint) -> None:
        for agent, action in zip(self.system.agents, joint, strict=True):
            if action is not None:
                self.done.add((agent.name, action))
            if self.system.interleaved and action is None:
                continue
            lines = self._stepper.enabled_lines(agent, state, joint)
            numbers = [n for n, line in enumerate(agent.evolution) if line in lines]
            for n in numbers:
                self.enabled.add((agent.name, n))
                if (agent.name, n) not in self.leaving and self._leaves(agent, agent.evolution[n], state, joint):
                    self.leaving.add((agent.name, n))
            if len(numbers) > 1 and self.system.semantics is Semantics.MULTI:
                self._overlapping(agent, numbers, state)

    def _leaves(self, agent: Agent, line: EvolutionLine, state: State, joint: Joint) -> bool:
        domains = {variable.name: variable.domain for variable in agent.variables}
        value = self._stepper.evaluator.value
        return any(value(one.value, state, joint) not in domains[one.target] for one in line.assignments)

    def _overlapping(self, agent: Agent, numbers: list[int], state: State) -> None:
        """Lines that assign the same variables are alternatives on purpose; those that assign others are meant to go together."""
        targets = [frozenset(one.target for one in agent.evolution[n].assignments) for n in numbers]
        for (a, left), (b, right) in combinations(zip(numbers, targets, strict=True), 2):
            if (agent.name, a, b) not in self._overlapping_lines and not left & right:
                self._overlapping_lines.add((agent.name, a, b))
                self.overlaps.append(Overlap(agent.name, (a, b), state))


def may_overlap(system: System) -> bool:
    """Whether an agent has two lines that assign different variables, of which only one would fire."""
    if system.semantics is not Semantics.MULTI:
        return False
    for agent in system.agents:
        targets = {frozenset(one.target for one in line.assignments) for line in agent.evolution}
        if any(not one & other for one, other in combinations(targets, 2)):
            return True
    return False


def coverage(survey: Visit, loaded: Loaded) -> dict[str, Any]:
    """What never happens in the reachable states: lines, with their place in the text, actions and values."""

    def line(kind: str, agent: Agent, number: int) -> str:
        place = loaded.origins.position(kind, agent.name, number)
        written = loaded.origins.text(kind, agent.name, number)
        at = f"line {place.line}: {' '.join((written or '').split())}" if place is not None else f"number {number + 1}"
        return f"{agent.name}, {at}"

    agents = survey.system.agents
    return {
        "complete": survey.complete,
        "protocol_lines": [
            line("protocol", agent, n)
            for agent in agents
            for n in range(len(agent.protocol))
            if (agent.name, n) not in survey.applied
        ],
        "evolution_lines": [
            line("evolution", agent, n)
            for agent in agents
            for n in range(len(agent.evolution))
            if (agent.name, n) not in survey.enabled
        ],
        "actions": [
            f"{agent.name}: {action}"
            for agent in agents
            for action in agent.actions
            if (agent.name, action) not in survey.done
        ],
        "values": [
            f"{variable} = {show_value(value)}"
            for variable, seen in zip(survey.system.variables, survey.values, strict=True)
            if isinstance(variable.domain, FiniteDomain)
            for value in variable.domain
            if value not in seen
        ],
    }


def overlapping_lines(survey: Visit, loaded: Loaded) -> list[Finding]:
    """A warning for each agent with lines of which one silently does not fire: the first two, with a state."""
    found: dict[str, Finding] = {}
    for one in survey.overlaps:
        if one.agent in found:
            continue
        first, second = one.lines
        span = loaded.origins.span("evolution", one.agent, first)
        other = loaded.origins.span("evolution", one.agent, second)
        place = loaded.origins.position("evolution", one.agent, second)
        text = loaded.origins.text("evolution", one.agent, second)
        where = f"line {place.line} of the file" if place is not None else f"evolution line {second + 1}"
        more = sum(other.agent == one.agent for other in survey.overlaps) - 1
        notes = [
            f"{where}{': ' + ' '.join(text.split()) if text else ''}",
            "Both are enabled in the state below, and only one of them fires: write them as one line, joined by `and`, "
            "or set Semantics = SingleAssignment.",
        ]
        if more:
            notes.append(f"{more} more pair{'' if more == 1 else 's'} of lines of {one.agent} overlap.")
        found[one.agent] = Finding(
            "W020",
            Severity.WARNING,
            f"evolution lines {first + 1} and {second + 1} of {one.agent} assign different variables at once",
            span,
            notes=tuple(notes),
            source=None if span is None else loaded.source,
            related=() if other is None else (Related(other, "the other line"),),
            path=Path((one.state,), ()),
        )
    return list(found.values())
