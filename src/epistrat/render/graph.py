"""Pictures as data: states as nodes, steps and look-alikes as edges.  What a picture shows is decided here, how in dot, mermaid and svg."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from epistrat.evidence import (
    Along,
    Answered,
    Around,
    Elsewhere,
    Enforced,
    LookAlike,
    Path,
    Reason,
    StateStrategy,
    Strategy,
    Tree,
    walk,
)
from epistrat.evidence.strategy import Follower
from epistrat.explain.relevance import relevant
from epistrat.explain.words import MOST_NAMES, acts, facts, listed, show_value
from epistrat.model.explore import ReachableGraph
from epistrat.model.play import Play
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass, field

MOST_FACTS = 8
MOST_SHOWN = 8
MOST_OUTCOMES = 40


@dataclass(frozen=True)
class Node:
    """A state: a short label, everything about it as a tooltip, and marks (initial, goal, dead end)."""

    key: str
    lines: tuple[str, ...]
    tooltip: str
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Edge:
    """A step (``kind`` "step") by a joint action, or "looks the same to" ("alike")."""

    source: str
    target: str
    label: str
    kind: str = "step"
    joint: Joint | None = field(default=None, compare=False)


@dataclass
class Picture:
    """Nodes and edges in the order in which they were met; ``states`` has the state of each node."""

    nodes: dict[str, Node] = field(default_factory=dict)
    states: dict[str, State] = field(default_factory=dict)
    edges: dict[Edge, None] = field(default_factory=dict)
    caption: str = ""

    def successors(self, key: str) -> list[str]:
        """The nodes that edges lead to from a node."""
        return [edge.target for edge in self.edges if edge.source == key]


class PictureOfStates:
    """Collects states and steps of one system into a picture."""

    def __init__(self, system: System, positions: Iterable[int] | None = None, caption: str = "") -> None:
        self.system = system
        chosen = range(len(system.variables)) if positions is None else sorted(positions)
        self._positions = tuple(chosen)
        self._keys: dict[State, str] = {}
        self.picture = Picture(caption=caption)

    def state(self, state: State, *marks: str) -> str:
        """The node of a state; further marks are added to those it has."""
        key = self._keys.setdefault(state, f"s{len(self._keys)}")
        old = self.picture.nodes.get(key)
        known = old.marks if old is not None else frozenset()
        if old is None or not known.issuperset(marks):
            said = [line for fact in facts(self.system, self._positions, state) for line in wrap(fact, 32)]
            shown = (
                said if len(said) <= MOST_FACTS else (*said[: MOST_FACTS - 1], f"and {len(said) - MOST_FACTS + 1} more")
            )
            self.picture.states[key] = state
            self.picture.nodes[key] = Node(key, tuple(shown), full_state(self.system, state), known | set(marks))
        return key

    def step(self, source: State, joint: Joint, target: State) -> None:
        """An edge for a step."""
        text = "; ".join(acts(self.system, joint))
        self.picture.edges[Edge(self.state(source), self.state(target), text, joint=joint)] = None

    def alike(self, one: State, agents: tuple[str, ...], other: State) -> None:
        """An edge for two states that look the same."""
        self.picture.edges[Edge(self.state(one), self.state(other), listed(agents, MOST_NAMES), "alike")] = None

    def path(self, path: Path) -> None:
        """All steps of a path."""
        self.state(path.states[0])
        for source, joint, target in zip(path.states[:-1], path.actions, path.states[1:], strict=True):
            self.step(source, joint, target)


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


def tree_picture(system: System, tree: Tree, *, full: bool = False) -> Picture:
    """The states that a witness tree speaks of, with steps as full and look-alikes as dashed edges."""
    drawing = PictureOfStates(system, None if full else _shown(system, tree))
    drawing.state(tree.state, "initial")
    for part in walk(tree):
        for reason in part.because:
            _draw(drawing, part, reason, system)
    return drawing.picture


def _shown(system: System, tree: Tree) -> frozenset[int]:
    """What matters, and what else changes on the way if that is not too much."""
    matters = relevant(system, tree)
    states = [state for part in walk(tree) for reason in part.because for state in _states(reason)]
    changing = {index for index in range(len(system.variables)) if len({state[index] for state in states}) > 1}
    return matters | changing if len(matters | changing) <= MOST_SHOWN else matters


def _states(reason: Reason) -> tuple[State, ...]:
    match reason:
        case Along(path):
            return path.states
        case Around(lasso):
            return lasso.states
        case LookAlike(_, run) | Elsewhere(run):
            return run.states
        case Enforced(strategy) if isinstance(strategy, StateStrategy):
            return tuple(state for state, _ in strategy.moves)
        case Answered(answers):
            return tuple(answer.target for answer in answers.moves)
        case _:
            return ()


def _draw(drawing: PictureOfStates, tree: Tree, reason: Reason, system: System) -> None:
    match reason:
        case Along(path):
            drawing.path(path)
            drawing.state(path.last, "end")
        case Around(lasso):
            for source, joint, target in zip(
                lasso.states, lasso.actions, (*lasso.states[1:], lasso.states[lasso.loop]), strict=True
            ):
                drawing.step(source, joint, target)
        case LookAlike(agents, run, inner):
            drawing.state(run.states[0], "initial")
            drawing.path(run)
            if inner.state != tree.state:
                drawing.alike(tree.state, agents, inner.state)
        case Elsewhere(run, inner):
            drawing.state(run.states[0], "initial")
            drawing.path(run)
            drawing.state(inner.state, "end")
        case Enforced(strategy):
            for source, joint, target in outcomes(system, strategy, tree.state, MOST_OUTCOMES):
                drawing.step(source, joint, target)
        case Answered(answers):
            for answer in answers.moves[:MOST_OUTCOMES]:
                drawing.step(answer.state, answer.joint, answer.target)


def outcomes(system: System, strategy: Strategy, start: State, most: int) -> Iterator[tuple[State, Joint, State]]:
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


def strategy_picture(system: System, strategy: Strategy, starts: Iterable[State], most: int = 500) -> Picture:
    """What can happen under a strategy."""
    drawing = PictureOfStates(system)
    for start in starts:
        drawing.state(start, "initial")
        for source, joint, target in outcomes(system, strategy, start, most - len(drawing.picture.edges)):
            drawing.step(source, joint, target)
    return drawing.picture


def reachable_picture(system: System, reached: ReachableGraph, *, caption: str = "") -> Picture:
    """All states of a reachable graph; steps between the same two states share one edge."""
    drawing = PictureOfStates(system, caption=caption)
    initial, dead = frozenset(reached.initial), frozenset(reached.dead_ends)
    for number, state in enumerate(reached.states):
        marks = [mark for mark, here in (("initial", number in initial), ("dead end", number in dead)) if here]
        drawing.state(state, *marks)
    for source, steps in enumerate(reached.steps):
        targets: dict[int, list[Joint]] = {}
        for joint, target in steps:
            targets.setdefault(target, []).append(joint)
        for target, joints in targets.items():
            _shared_edge(drawing, reached.states[source], joints, reached.states[target])
    return drawing.picture


def _shared_edge(drawing: PictureOfStates, source: State, joints: list[Joint], target: State) -> None:
    texts = list(dict.fromkeys("; ".join(acts(drawing.system, joint)) for joint in joints))
    shown = " | ".join(texts[:3]) + (f" | {len(texts) - 3} more" if len(texts) > 3 else "")
    joint = joints[0] if len(joints) == 1 else None
    drawing.picture.edges[Edge(drawing.state(source), drawing.state(target), shown, joint=joint)] = None


def dot(picture: Picture) -> str:
    """The picture in Graphviz's language."""
    lines = ["digraph epistrat {", '  rankdir="LR";', '  node [shape=box, style="rounded", fontname="sans-serif"];']
    lines.append('  edge [fontname="sans-serif", fontsize=10];')
    if picture.caption:
        lines.append(f"  label={_quoted(picture.caption)};")
    for node in picture.nodes.values():
        text = "\\n".join(_escaped(line) for line in (node.key, *node.lines))
        style = _dot_style(node)
        lines.append(f'  {node.key} [label="{text}", tooltip={_quoted(node.tooltip)}{style}];')
    for edge in picture.edges:
        style = ", style=dashed, dir=none, constraint=false" if edge.kind == "alike" else ""
        lines.append(f"  {edge.source} -> {edge.target} [label={_quoted(edge.label)}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def _dot_style(node: Node) -> str:
    style = ""
    if "initial" in node.marks:
        style += ", penwidth=2"
    if "dead end" in node.marks:
        style += ', color="red"'
    return style


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


__all__ = ["Edge", "Node", "Picture", "dot", "reachable_picture", "strategy_picture", "tree_picture"]
