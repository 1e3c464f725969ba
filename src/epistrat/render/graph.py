"""Pictures as data: states as nodes, steps and look-alikes as edges.  What a picture shows is decided here, how in dot, mermaid and svg."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from textwrap import wrap
from typing import Literal

from epistrat import evidence as e
from epistrat.answers import Strategies
from epistrat.evidence import Tree
from epistrat.evidence.strategy import Follower
from epistrat.explain.machines import machine_of
from epistrat.explain.relevance import relevant
from epistrat.explain.words import MOST_NAMES, facts, listed, show_value
from epistrat.model.explore import ReachableGraph
from epistrat.model.play import Play
from epistrat.model.state import Joint, State, alike_pairs
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass, field
from epistrat.render.labels import changing_agents, in_brief, in_full

MOST_FACTS = 8
MOST_SHOWN = 8
MOST_OUTCOMES = 40


@dataclass(frozen=True)
class Vertex:
    """A state: a short label, everything about it as a tooltip, and marks (initial, goal, dead end)."""

    key: str
    lines: tuple[str, ...]
    tooltip: str
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Edge:
    """Steps (``kind`` "step") between two states, or "looks the same to" ("alike"): in full, and the few lines that are drawn."""

    source: str
    target: str
    label: str
    lines: tuple[str, ...]
    kind: Literal["step", "alike"] = "step"
    joint: Joint | None = None


@dataclass
class Picture:
    """Nodes and edges in the order in which they were met; ``states`` has the state of each node."""

    nodes: dict[str, Vertex] = field(default_factory=dict)
    states: dict[str, State] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    caption: str = ""


class PictureOfStates:
    """Collects states and steps of one system into a picture."""

    def __init__(self, system: System, positions: Iterable[int] | None = None, caption: str = "") -> None:
        self.system = system
        chosen = range(len(system.variables)) if positions is None else sorted(positions)
        self._positions = tuple(chosen)
        self._marks: dict[State, set[str]] = {}
        self._steps: dict[tuple[State, State], list[Joint]] = {}
        self._alike: dict[tuple[State, State], tuple[str, ...]] = {}
        self._caption = caption

    def state(self, state: State, *marks: str) -> None:
        """A state; further marks are added to those it has."""
        self._marks.setdefault(state, set()).update(marks)

    def step(self, source: State, joint: Joint, target: State) -> None:
        """A step; steps between the same two states share an edge."""
        self.state(source)
        self.state(target)
        joints = self._steps.setdefault((source, target), [])
        if joint not in joints:
            joints.append(joint)

    def alike(self, one: State, agents: tuple[str, ...], other: State) -> None:
        """Two states that look the same."""
        self._alike[one, other] = agents

    def path(self, path: e.Path) -> None:
        """All steps of a path."""
        self.state(path.states[0])
        for source, joint, target in zip(path.states[:-1], path.actions, path.states[1:], strict=True):
            self.step(source, joint, target)

    def lasso(self, lasso: e.Lasso) -> None:
        """All steps of a lasso, the last of which leads back."""
        later = (*lasso.states[1:], lasso.states[lasso.loop])
        for source, joint, target in zip(lasso.states, lasso.actions, later, strict=True):
            self.step(source, joint, target)

    def picture(self) -> Picture:
        """What was collected.  Of a state that is shown which differs from state to state; the caption has the rest."""
        keys = {state: f"s{number}" for number, state in enumerate(self._marks)}
        differing = [at for at in self._positions if len({state[at] for state in keys}) > 1] or list(self._positions)
        picture = Picture(caption=self._titled(differing))
        for state, key in keys.items():
            picture.states[key] = state
            lines = self._lines(state, differing)
            picture.nodes[key] = Vertex(key, lines, full_state(self.system, state), frozenset(self._marks[state]))
        leaving: dict[State, list[Joint]] = {}
        for (source, _), joints in self._steps.items():
            leaving.setdefault(source, []).extend(joints)
        changing = changing_agents(joint for joints in self._steps.values() for joint in joints)
        for (source, target), joints in self._steps.items():
            brief = in_brief(self.system, joints, leaving[source], changing)
            joint = joints[0] if len(joints) == 1 else None
            label = in_full(self.system, joints)
            picture.edges.append(Edge(keys[source], keys[target], label, brief, joint=joint))
        for (one, other), agents in self._alike.items():
            label = listed(agents, MOST_NAMES)
            picture.edges.append(Edge(keys[one], keys[other], label, (label,), "alike"))
        return picture

    def _lines(self, state: State, positions: list[int]) -> tuple[str, ...]:
        said = [line for fact in facts(self.system, positions, state) for line in wrap(fact, 32)]
        return tuple(
            said if len(said) <= MOST_FACTS else [*said[: MOST_FACTS - 1], f"and {len(said) - MOST_FACTS + 1} more"]
        )

    def _titled(self, differing: list[int]) -> str:
        """The caption, with what is the same in all states where the picture has a caption and not too much is."""
        same = [at for at in self._positions if at not in differing]
        if not self._caption or not same or len(same) > MOST_SHOWN:
            return self._caption
        return f"{self._caption}; the same everywhere: {', '.join(facts(self.system, same, next(iter(self._marks))))}"


def full_state(system: System, state: State) -> str:
    """Every variable of a state, agent by agent."""
    lines: list[str] = []
    start = 0
    for agent in system.agents:
        end = start + len(agent.variables)
        values = [f"{v.name} = {show_value(x)}" for v, x in zip(agent.variables, state[start:end], strict=True)]
        if values:
            lines.append(f"{agent.name}: {', '.join(values)}")
        start = end
    return "\n".join(lines)


def tree_picture(
    system: System, tree: Tree, *, full: bool = False, reading: Strategies = Strategies.OBJECTIVE
) -> Picture:
    """The states that a witness tree speaks of, with steps as full and look-alikes as dashed edges."""
    drawing = PictureOfStates(system, None if full else _shown(system, tree, reading))
    drawing.state(tree.state, "initial")
    for part in e.walk(tree):
        for reason in part.because:
            _draw(drawing, part, reason, system)
    return drawing.picture()


def _shown(system: System, tree: Tree, reading: Strategies) -> frozenset[int]:
    """What matters, and what else changes on the way if that is not too much."""
    matters = relevant(system, tree, reading=reading)
    states = [state for part in e.walk(tree) for reason in part.because for state in _states(reason)]
    changing = {index for index in range(len(system.variables)) if len({state[index] for state in states}) > 1}
    return matters | changing if len(matters | changing) <= MOST_SHOWN else matters


def _states(reason: e.Reason) -> tuple[State, ...]:
    match reason:
        case e.Along(path):
            return path.states
        case e.Around(lasso):
            return lasso.states
        case e.LookAlike(_, run) | e.Elsewhere(run):
            return run.states
        case e.Enforced(strategy) if isinstance(strategy, e.StateStrategy):
            return tuple(state for state, _ in strategy.moves)
        case e.Answered(answers):
            return tuple(answer.target for answer in answers.moves)
        case e.Remembered() | e.Chosen():
            return tuple(row.state for row in machine_of(reason).rows)
        case e.Balance(lasso, punishments):
            return (*lasso.states, *(one.state for punished in punishments for one in punished.deviations))
        case _:
            return ()


def _draw(drawing: PictureOfStates, tree: Tree, reason: e.Reason, system: System) -> None:
    match reason:
        case e.Along(path):
            drawing.path(path)
            drawing.state(path.last, "end")
        case e.Around(lasso):
            drawing.lasso(lasso)
        case e.LookAlike(agents, run, inner):
            drawing.state(run.states[0], "initial")
            drawing.path(run)
            if inner.state != tree.state:
                drawing.alike(tree.state, agents, inner.state)
        case e.Elsewhere(run, inner):
            drawing.state(run.states[0], "initial")
            drawing.path(run)
            drawing.state(inner.state, "end")
        case e.Enforced(strategy):
            for source, joint, target in outcomes(system, strategy, tree.state, MOST_OUTCOMES):
                drawing.step(source, joint, target)
        case e.Answered(answers):
            for answer in answers.moves[:MOST_OUTCOMES]:
                drawing.step(answer.state, answer.joint, answer.target)
        case e.Remembered() | e.Chosen():
            for source, joint, target in islice(_played(system, machine_of(reason)), MOST_OUTCOMES):
                drawing.step(source, joint, target)
        case e.Balance():
            _draw_balance(drawing, reason, system)


def _draw_balance(drawing: PictureOfStates, reason: e.Balance, system: System) -> None:
    """The run of an equilibrium, and where those come to who leave it."""
    drawing.lasso(reason.lasso)
    names = [agent.name for agent in system.agents]
    for punished in reason.punishments:
        place = names.index(punished.agent)
        for one in punished.deviations[:MOST_OUTCOMES]:
            joint = reason.lasso.actions[one.at]
            drawing.step(reason.lasso.states[one.at], (*joint[:place], one.act, *joint[place + 1 :]), one.state)


def _played(system: System, machine: e.Machine) -> Iterator[tuple[State, Joint, State]]:
    """The steps that a strategy with memory leaves."""
    play = Play(Stepper(system))
    for row in machine.rows:
        for step in play.steps(row.state, dict((*row.against, *row.do)), MOST_OUTCOMES) or ():
            if row.to in (None, step.target):
                yield row.state, step.joint, step.target


def outcomes(system: System, strategy: e.Strategy, start: State, most: int) -> Iterator[tuple[State, Joint, State]]:
    """Up to so many steps that can happen when the group follows its strategy, nearest first."""
    play = Play(Stepper(system))
    choose = Follower(system, strategy)
    pending, seen = [start], {start}
    made = 0
    for state in pending:
        choice = choose.at(state)
        if choice is None:
            continue
        for joint, target in play.steps(state, choice, most) or ():
            if made == most:
                return
            made += 1
            yield state, joint, target
            if target not in seen:
                seen.add(target)
                pending.append(target)


def strategy_picture(system: System, strategy: e.Strategy, starts: Iterable[State], most: int = 500) -> Picture:
    """What can happen under a strategy."""
    drawing = PictureOfStates(system)
    for start in starts:
        drawing.state(start, "initial")
        for source, joint, target in outcomes(system, strategy, start, most):
            drawing.step(source, joint, target)
            most -= 1
    return drawing.picture()


def reachable_picture(
    system: System, reached: ReachableGraph, *, caption: str = "", alike: Iterable[str] = (), most: int = 10_000
) -> Picture:
    """All states of a reachable graph; between those that look the same to one of the agents ``alike`` is a line, too."""
    drawing = PictureOfStates(system, caption=caption)
    initial, dead = frozenset(reached.initial), frozenset(reached.dead_ends)
    for number, state in enumerate(reached.states):
        marks = [mark for mark, here in (("initial", number in initial), ("dead end", number in dead)) if here]
        drawing.state(state, *marks)
    for source, steps in enumerate(reached.steps):
        for joint, target in steps:
            drawing.step(reached.states[source], joint, reached.states[target])
    wanted = frozenset(alike)
    for (one, other), agents in (alike_pairs(system, reached.states, most) if wanted else {}).items():
        shown = tuple(agent for agent in agents if agent in wanted)
        if shown:
            drawing.alike(reached.states[one], shown, reached.states[other])
    return drawing.picture()
