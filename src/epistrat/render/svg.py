"""Pictures as SVG, laid out in columns: each state stands as many columns to the right as steps lead to it from the first ones.

Within a column states are ordered by where their predecessors stand, which keeps most edges from crossing.  No outside program is needed.
"""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from epistrat.records import dataclass
from epistrat.render.graph import Edge, Node, Picture

CHARACTER = 6.6
LINE = 15
GAP_X, GAP_Y = 60, 26
MOST_CHARACTERS = 44

STYLE = """
.state rect{fill:#fff;stroke:#444}.state.initial rect{stroke-width:2.5}.state.end rect{stroke:#0b62c4;stroke-width:2}
.state.deadend rect{stroke:#c00;stroke-width:2}text{font:12px system-ui,sans-serif;fill:#222}.key{font-weight:bold}
path.step{fill:none;stroke:#555}path.alike{fill:none;stroke:#b0540a;stroke-dasharray:6 4}.edge{font-size:10.5px;fill:#555}
.edge{paint-order:stroke;stroke:#fff;stroke-width:3px}
.edge.alike{fill:#b0540a}@media(prefers-color-scheme:dark){.state rect{fill:#1d1f23;stroke:#bbb}text{fill:#eee}.edge{fill:#bbb}
.edge{stroke:#1d1f23}
path.step{stroke:#aaa}}
""".replace("\n", "")


@dataclass(frozen=True)
class Box:
    """Where a node stands."""

    x: float
    y: float
    width: float
    height: float


def svg(picture: Picture) -> str:
    """The picture as an SVG document."""
    boxes = place(picture)
    width = max((box.x + box.width for box in boxes.values()), default=0) + _margin(picture)
    height = max((box.y + box.height for box in boxes.values()), default=0) + 40
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}">'
    parts = [head, f"<style>{STYLE}</style>", _ARROW]
    taken = list(boxes.values())
    drawn = [_edge(edge, boxes, taken) for edge in picture.edges]
    parts += [line for line, _ in drawn] + [text for _, text in drawn if text]
    parts += [_node(node, boxes[key]) for key, node in picture.nodes.items()]
    if picture.caption:
        parts.append(f'<text x="10" y="{height - 10:.0f}">{escape(picture.caption)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


_ARROW = (
    '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
    '<path d="M0 0L10 5L0 10z" fill="#555"/></marker></defs>'
)


def shortened(text: str, most: int = MOST_CHARACTERS) -> str:
    """The text, cut if it is too long for a box."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _margin(picture: Picture) -> float:
    """The space at the right: look-alikes in the last column are joined there."""
    names = [len(edge.label) for edge in picture.edges if edge.kind == "alike"]
    return 50 + 6.5 * max(names) if names else 40


def place(picture: Picture) -> dict[str, Box]:
    """A place for every node."""
    columns = _columns(picture)
    boxes: dict[str, Box] = {}
    x = 20.0
    for column in columns:
        ordered = sorted(column, key=lambda key: _pull(picture, key, boxes))
        widths = [_size(picture.nodes[key]) for key in ordered]
        y = 36.0
        for key, (width, height) in zip(ordered, widths, strict=True):
            boxes[key] = Box(x, y, width, height)
            y += height + GAP_Y
        x += max(width for width, _ in widths) + _gap(picture, column)
    return boxes


def _gap(picture: Picture, column: list[str]) -> float:
    """The space to the right of a column: enough for what is written on the edges that leave it."""
    inside = set(column)
    texts = [line for edge in picture.edges if edge.source in inside for line in _written(edge)]
    return min(max([len(line) * 5.8 + 24 for line in texts], default=GAP_X), 5.8 * MOST_CHARACTERS) + 10


def _written(edge: Edge) -> list[str]:
    """The lines of an edge's label."""
    lines = edge.label.split("; ")
    shown = lines if len(lines) <= 3 else [*lines[:2], f"and {len(lines) - 2} more"]
    return [shortened(line, 40) for line in shown]


def _size(node: Node) -> tuple[float, float]:
    longest = max(len(shortened(line)) for line in (node.key, *node.lines))
    return longest * CHARACTER + 16, (len(node.lines) + 1) * LINE + 10


def _columns(picture: Picture) -> list[list[str]]:
    """The nodes by their distance, counted in steps, from the initial ones."""
    starts = [key for key, node in picture.nodes.items() if "initial" in node.marks] or list(picture.nodes)[:1]
    steps: dict[str, list[str]] = {}
    for edge in picture.edges:
        if edge.kind == "step":
            steps.setdefault(edge.source, []).append(edge.target)
    distance: dict[str, int] = {}
    for wave in [starts, *[[key] for key in picture.nodes]]:
        _spread(wave, steps, distance)
    columns: list[list[str]] = [[] for _ in range(max(distance.values(), default=-1) + 1)]
    for key in picture.nodes:
        columns[distance[key]].append(key)
    return [column for column in columns if column]


def _spread(wave: list[str], steps: dict[str, list[str]], distance: dict[str, int]) -> None:
    """Give distances to what can be reached from some nodes and has none yet."""
    wave = [key for key in wave if key not in distance]
    distance.update(dict.fromkeys(wave, 0))
    while wave:
        following: list[str] = []
        for source in wave:
            for target in steps.get(source, ()):
                if target not in distance:
                    distance[target] = distance[source] + 1
                    following.append(target)
        wave = following


def _pull(picture: Picture, key: str, boxes: dict[str, Box]) -> float:
    """The height at which a node would like to stand: the average of its predecessors."""
    heights = [boxes[edge.source].y for edge in picture.edges if edge.target == key and edge.source in boxes]
    return sum(heights) / len(heights) if heights else float(list(picture.nodes).index(key))


def _node(node: Node, box: Box) -> str:
    classes = " ".join(["state", *[mark.replace(" ", "") for mark in sorted(node.marks)]])
    lines = [f'<g class="{classes}" data-state={quoteattr(node.key)}><title>{escape(node.tooltip)}</title>']
    lines.append(f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6"/>')
    for number, line in enumerate((node.key, *node.lines)):
        kind = ' class="key"' if number == 0 else ""
        y = box.y + 16 + number * LINE
        lines.append(f'<text x="{box.x + 8:.1f}" y="{y:.1f}"{kind}>{escape(shortened(line))}</text>')
    return "".join([*lines, "</g>"])


def _edge(edge: Edge, boxes: dict[str, Box], taken: list[Box]) -> tuple[str, str]:
    """An edge, and its label where nothing else stands; ``taken`` is what stands so far."""
    one, other = boxes[edge.source], boxes[edge.target]
    if edge.source == edge.target:
        x, y = one.x + one.width / 2, one.y
        path = f"M{x - 12:.1f} {y:.1f}C{x - 20:.1f} {y - 22:.1f} {x + 20:.1f} {y - 22:.1f} {x + 12:.1f} {y:.1f}"
        middle = (x + 16, y - 12)
    elif one.x + one.width < other.x:
        path, middle = _forwards(one, other)
    else:
        path, middle = _around(one, other)
    marker = "" if edge.kind == "alike" else ' marker-end="url(#arrow)"'
    text = "" if not edge.label else _edge_text(edge, *_free_place(edge, path, middle, taken))
    return f'<path class="{edge.kind}" d="{path}"{marker}/>', text


def _free_place(edge: Edge, path: str, middle: tuple[float, float], taken: list[Box]) -> tuple[float, float]:
    """A place on the edge where its label covers no box and no other label; the middle, or where it covers least."""
    lines = _written(edge)
    width, height = max(map(len, lines)) * 5.4, 12.0 * len(lines)
    shift = 0.0 if edge.kind == "alike" else width / 2

    def area(place: tuple[float, float]) -> Box:
        return Box(place[0] - shift, place[1] - height, width, height)

    places = [middle, *(_along(path, part / 20) for part in (10, 8, 12, 7, 13, 6, 14, 5, 15, 4, 16, 3, 17))]
    found = min(places, key=lambda place: sum(_common(area(place), other) for other in taken))
    taken.append(area(found))
    return found


def _along(path: str, part: float) -> tuple[float, float]:
    """A point of a curve ``Mx yCx y x y x y``, a little above it."""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    weights = ((1 - part) ** 3, 3 * part * (1 - part) ** 2, 3 * part**2 * (1 - part), part**3)
    x, y = (sum(w * v for w, v in zip(weights, numbers[axis::2], strict=True)) for axis in (0, 1))
    return x, y - 4


def _common(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(wide, 0.0) * max(high, 0.0)


def _edge_text(edge: Edge, x: float, y: float) -> str:
    lines = _written(edge)
    anchor = "start" if edge.kind == "alike" else "middle"
    y -= 12 * (len(lines) - 1)
    spans = [f'<tspan x="{x:.1f}" y="{y + 12 * place:.1f}">{escape(line)}</tspan>' for place, line in enumerate(lines)]
    title = f"<title>{escape(edge.label)}</title>"
    return f'<text class="edge {edge.kind}" text-anchor="{anchor}">{title}{"".join(spans)}</text>'


def _forwards(one: Box, other: Box) -> tuple[str, tuple[float, float]]:
    x1, y1 = one.x + one.width, one.y + one.height / 2
    x2, y2 = other.x, other.y + other.height / 2
    bend = (x2 - x1) / 2
    path = f"M{x1:.1f} {y1:.1f}C{x1 + bend:.1f} {y1:.1f} {x2 - bend:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    return path, ((x1 + x2) / 2, (y1 + y2) / 2 - 5)


def _around(one: Box, other: Box) -> tuple[str, tuple[float, float]]:
    """An edge within a column, or back to an earlier one: below the boxes."""
    x1, y1 = one.x + one.width / 2, one.y + one.height
    x2, y2 = other.x + other.width / 2, other.y + other.height
    low = max(y1, y2) + 18
    if abs(x1 - x2) < 1:
        x1, y1, y2 = one.x + one.width, one.y + one.height / 2, other.y + other.height / 2
        x2 = other.x + other.width
        out = max(x1, x2) + 26
        return f"M{x1:.1f} {y1:.1f}C{out:.1f} {y1:.1f} {out:.1f} {y2:.1f} {x2:.1f} {y2:.1f}", (out + 14, (y1 + y2) / 2)
    path = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {low:.1f} {x2:.1f} {low:.1f} {x2:.1f} {y2:.1f}"
    return path, ((x1 + x2) / 2, max(y1, y2) / 4 + low * 3 / 4 - 5)
