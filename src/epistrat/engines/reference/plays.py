"""What strategies leave of a system: choices, next states, and the graph of all plays under tables without memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TypeAlias

from epistrat.engines.readings import Refused, no_next_state, several_outcomes
from epistrat.engines.reference.graph import Graph
from epistrat.logic.formula import Tag
from epistrat.model.explore import ReachableGraph
from epistrat.model.play import Play
from epistrat.model.state import Act, State, view
from epistrat.model.step import Stepper
from epistrat.records import dataclass, field

Table: TypeAlias = tuple[Act | None, ...]
"""A strategy without memory: what it does in each reachable state."""
Chosen: TypeAlias = tuple[tuple[str, Act | None], ...]


@dataclass
class Plays:
    """The reachable states of one system, with what each agent can choose in each and where that leads."""

    stepper: Stepper
    reached: ReachableGraph
    _targets: dict[tuple[int, Chosen], frozenset[int]] = field(default_factory=dict)
    _options: dict[tuple[str, int], tuple[Act | None, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.system = self.stepper.system
        self._play = Play(self.stepper)
        self.nodes = range(len(self.reached.states))
        self.acting = tuple(agent.name for agent in self.system.agents if agent.actions)

    def options(self, agent: str, node: int) -> tuple[Act | None, ...]:
        """What the agent can choose; None alone for nothing to choose, nothing at all where it should act and cannot."""
        key = agent, node
        if key not in self._options:
            self._options[key] = self._play.options(agent, self.reached.states[node])
        return self._options[key]

    def shared(self, agents: tuple[str, ...], node: int) -> tuple[Act | None, ...]:
        """What all these agents can choose together; who has nothing to choose does not matter."""
        some = [options for agent in agents if (options := self.options(agent, node)) != (None,)]
        return tuple(act for act in some[0] if all(act in other for other in some)) if some else (None,)

    def targets(self, node: int, chosen: Chosen) -> frozenset[int]:
        """The next states when these agents do this and all others anything."""
        key = node, chosen
        if key not in self._targets:
            acts = {agent: None if self.options(agent, node) == (None,) else act for agent, act in chosen}
            steps = self._play.steps(self.reached.states[node], acts) or ()
            self._targets[key] = frozenset(self.reached.number[step.target] for step in steps)
        return self._targets[key]

    def graph(self, tables: Mapping[str, Table]) -> Graph:
        """All plays that are left when these agents follow tables."""
        order = sorted(tables)
        child = [
            {target: target for target in self.targets(node, tuple((agent, tables[agent][node]) for agent in order))}
            for node in self.nodes
        ]
        return Graph(self.nodes, child, self.reached.initial, self.nodes)

    def tables(self, agents: tuple[str, ...], tag: Tag) -> Iterator[Table]:
        """Every strategy without memory for these agents: one action in states that any of them confuses."""
        classes = self._situations(agents, tag)
        offered = [self._offered(agents, nodes) for nodes in classes]
        for acts in product(*offered):
            table: list[Act | None] = [None] * len(self.nodes)
            for nodes, act in zip(classes, acts, strict=True):
                for node in nodes:
                    table[node] = act
            yield tuple(table)

    def count(self, agents: tuple[str, ...], tag: Tag) -> int:
        """How many strategies there are."""
        number = 1
        for nodes in self._situations(agents, tag):
            number *= len(self._offered(agents, nodes))
        return number

    def _offered(self, agents: tuple[str, ...], nodes: list[int]) -> list[Act | None]:
        """What can be done in all these states; in states where nobody has a choice anything."""
        some = [offered for node in nodes if (offered := self.shared(agents, node)) != (None,)]
        return [act for act in some[0] if all(act in other for other in some)] if some else [None]

    def _situations(self, agents: tuple[str, ...], tag: Tag) -> list[list[int]]:
        """The reachable states by what cannot be told apart: each alone, or by chains of what some agent confuses."""
        if tag is not Tag.VIEWS:
            return [[node] for node in self.nodes]
        of = list(self.nodes)
        for agent in agents:
            first: dict[State, int] = {}
            for node in self.nodes:
                other = first.setdefault(view(self.system, agent, self.reached.states[node]), node)
                one, two = of[node], of[other]
                of = [two if known == one else known for known in of]
        classes: dict[int, list[int]] = {}
        for node in self.nodes:
            classes.setdefault(of[node], []).append(node)
        return list(classes.values())

    # what must hold of the system

    def require_next_states(self, protocols: bool) -> None:
        """Raises `Refused` where actions are allowed and have no outcome; with ``protocols`` also where no joint action is allowed."""
        if self.system.interleaved:
            return
        for node in self.nodes:
            state = self.reached.states[node]
            joints = list(self.stepper.joint_actions(state))
            stuck = any(next(self.stepper.outcomes(state, joint), None) is None for joint in joints)
            if stuck or (protocols and not joints):
                raise Refused(no_next_state(self.system, state))

    def require_one_outcome(self) -> None:
        """Raises `Refused` where a joint action has several outcomes."""
        for node in self.nodes:
            state = self.reached.states[node]
            for joint in self.stepper.joint_actions(state):
                if len(set(self.stepper.outcomes(state, joint))) > 1:
                    raise Refused(several_outcomes(self.system, state))
