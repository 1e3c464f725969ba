"""Places for a picture where Graphviz cannot be loaded: states in columns by their distance from the start, edges as plain curves."""

from __future__ import annotations

from epistrat.render.graph import Edge, Picture
from epistrat.render.layout import Box, Layout, Line, label_size, node_size

_GAP = 40


def layered(picture: Picture) -> Layout:
    """No box covers another; labels stand in the middle of their edges and may cover each other."""
    widest = max([label_size(edge.lines)[0] for edge in picture.edges if edge.lines], default=0)
    boxes: dict[str, Box] = {}
    left = bottom = 0.0
    for column in _columns(picture):
        top = width = 0.0
        for key in column:
            size = node_size(picture.nodes[key])
            boxes[key] = Box(left, top, *size)
            top += size[1] + _GAP
            width = max(width, size[0])
        left += width + widest + _GAP
        bottom = max(bottom, top)
    return Layout(
        left, bottom, boxes, tuple(_line(edge, boxes[edge.source], boxes[edge.target]) for edge in picture.edges)
    )


def _columns(picture: Picture) -> list[list[str]]:
    """The states by their distance from those where a run starts; what no step reaches comes last."""
    after: dict[str, list[str]] = {}
    for edge in picture.edges:
        if edge.kind != "alike":
            after.setdefault(edge.source, []).append(edge.target)
    column = [key for key, node in picture.nodes.items() if "initial" in node.marks] or list(picture.nodes)[:1]
    seen = set(column)
    columns = []
    while column:
        columns.append(column)
        following = dict.fromkeys(target for key in column for target in after.get(key, ()))
        column = [key for key in following if key not in seen]
        seen.update(column)
    rest = [key for key in picture.nodes if key not in seen]
    return [*columns, rest] if rest else columns


def _line(edge: Edge, source: Box, target: Box) -> Line:
    start = (source.x + source.width, source.y + source.height / 2)
    end = (target.x if target.x > source.x else target.x + target.width, target.y + target.height / 2)
    reach = _GAP if end[0] > start[0] else 2 * _GAP
    entry = end[0] - _GAP if target.x > source.x else end[0] + reach
    points = (start, (start[0] + reach, start[1]), (entry, end[1]), end)
    label = None
    if edge.lines:
        width, height = label_size(edge.lines)
        x, y = sum(x for x, _ in points) / 4, (start[1] + end[1]) / 2
        label = Box(x - width / 2, y - height - 2, width, height)
    return Line(edge, points, None if edge.kind == "alike" else end, label)
