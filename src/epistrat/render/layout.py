"""Places for the states and edges of a picture, found by Graphviz (its library comes with the wheel of pygraphviz).

Graphviz is given the size of every box and of every label, so that the layout depends on no font of the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from epistrat.records import dataclass
from epistrat.render.graph import Edge, Picture, Vertex

CHARACTER, LINE = 6.9, 15
"""The size of a character in a box, in points."""
LABEL_CHARACTER, LABEL_LINE = 5.9, 12
MOST_CHARACTERS = 44
LONGEST_SIDE = 1.5
"""A picture may be so many times as wide as it is high before it is drawn downwards."""


@dataclass(frozen=True)
class Box:
    """Where something stands: its corner at the top left, and its size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Line:
    """An edge: the points of a Bézier curve, where its arrow ends, and where its label stands."""

    edge: Edge
    points: tuple[tuple[float, float], ...]
    tip: tuple[float, float] | None
    label: Box | None


@dataclass(frozen=True)
class Layout:
    """A picture with places."""

    width: float
    height: float
    boxes: dict[str, Box]
    lines: tuple[Line, ...]


def shortened(text: str, most: int = MOST_CHARACTERS) -> str:
    """The text, cut if it is too long for a box."""
    return text if len(text) <= most else text[: most - 1] + "…"


def laid_out(picture: Picture) -> Layout:
    """Places from left to right, or downwards where that would be too wide."""
    if not picture.nodes:
        return Layout(0, 0, {}, ())
    try:
        import pygraphviz  # noqa: F401  # also where its wheel is there, but a library of the system is not
    except ImportError:
        from epistrat.render.layered import layered

        return layered(picture)
    across = _placed(picture, "LR")
    if across.width <= LONGEST_SIDE * across.height or len(picture.nodes) < 4:
        return across
    down = _placed(picture, "TB")
    return min(across, down, key=lambda found: max(found.width, LONGEST_SIDE * found.height))


def _placed(picture: Picture, direction: str) -> Layout:
    import pygraphviz

    graph: Any = pygraphviz.AGraph(directed=True, strict=False, rankdir=direction, nodesep=0.3, ranksep=0.35)
    for key, node in picture.nodes.items():
        width, height = node_size(node)
        graph.add_node(key, shape="box", fixedsize="true", width=width / 72, height=height / 72, label="")
    initial = [key for key, node in picture.nodes.items() if "initial" in node.marks]
    if 0 < len(initial) < len(picture.nodes):
        graph.add_subgraph(initial, name="starts", rank="source")
    for number, edge in enumerate(picture.edges):
        more = {"constraint": "false", "dir": "none"} if edge.kind == "alike" else {}
        graph.add_edge(edge.source, edge.target, key=str(number), label=_room(edge.lines), **more)
    graph.layout("dot")
    _, _, width, height = _numbers(graph.graph_attr["bb"])
    boxes = {
        key: _node_box(graph.get_node(key).attr["pos"], *node_size(node), height) for key, node in picture.nodes.items()
    }
    lines = [
        _line(edge, graph.get_edge(edge.source, edge.target, key=str(number)).attr, height)
        for number, edge in enumerate(picture.edges)
    ]
    return Layout(width, height, boxes, tuple(lines))


def node_size(node: Vertex) -> tuple[float, float]:
    """The room that the box of a state takes."""
    longest = max(len(shortened(line)) for line in (node.key, *node.lines))
    return longest * CHARACTER + 16, (len(node.lines) + 1) * LINE + 10


def label_size(lines: Sequence[str]) -> tuple[float, float]:
    """The room that the label of an edge takes."""
    return max(map(len, lines)) * LABEL_CHARACTER + 6, len(lines) * LABEL_LINE + 4


def _room(lines: Sequence[str]) -> str:
    """An empty label of the right size."""
    if not lines:
        return ""
    width, height = label_size(lines)
    size = f'FIXEDSIZE="TRUE" WIDTH="{width:.0f}" HEIGHT="{height:.0f}"'
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0" {size}><TR><TD></TD></TR></TABLE>>'


def _numbers(text: str) -> list[float]:
    return [float(number) for number in text.split(",")]


def _node_box(place: str, width: float, height: float, total: float) -> Box:
    x, y = _numbers(place)
    return Box(x - width / 2, total - y - height / 2, width, height)


def _line(edge: Edge, found: Any, total: float) -> Line:
    """An edge from Graphviz's words for it: ``e,x,y`` is the tip of the arrow, the other points are the curve."""
    tip = None
    points: list[tuple[float, float]] = []
    for word in found["pos"].split():
        x, y = _numbers(word.removeprefix("e,"))
        if word.startswith("e,"):
            tip = (x, total - y)
        else:
            points.append((x, total - y))
    label = _node_box(found["lp"], *label_size(edge.lines), total) if edge.lines and found["lp"] else None
    return Line(edge, tuple(points), tip, label)
