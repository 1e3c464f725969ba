"""Pictures as SVG.  `epistrat.render.layout` finds the places."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from epistrat.render.graph import Picture, Vertex
from epistrat.render.layout import LABEL_LINE, LINE, Box, Line, laid_out, shortened
from epistrat.render.page_style import STATES_STYLE

MARGIN = 14


_ARROW = (
    '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
    '<path d="M0 0L10 5L0 10z" fill="#555"/></marker></defs>'
)


def svg(picture: Picture) -> str:
    """The picture as an SVG document."""
    layout = laid_out(picture)
    width, height = layout.width + 2 * MARGIN, layout.height + 2 * MARGIN + (24 if picture.caption else 0)
    size = f'viewBox="{-MARGIN} {-MARGIN} {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    size += f' style="max-width:{width:.0f}px;max-height:{height:.0f}px"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="states" {size}>',
        f"<style>{STATES_STYLE}</style>",
        _ARROW,
    ]
    parts += [_edge(line) for line in layout.lines]
    parts += [_node(node, layout.boxes[key]) for key, node in picture.nodes.items()]
    if picture.caption:
        parts.append(f'<text x="0" y="{layout.height + 24:.0f}">{escape(picture.caption)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _node(node: Vertex, box: Box) -> str:
    classes = " ".join(["state", *[mark.replace(" ", "") for mark in sorted(node.marks)]])
    lines = [f'<g class="{classes}" data-state={quoteattr(node.key)}><title>{escape(node.tooltip)}</title>']
    lines.append(f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6"/>')
    for number, line in enumerate((node.key, *node.lines)):
        kind = ' class="key"' if number == 0 else ""
        y = box.y + 16 + number * LINE
        lines.append(f'<text x="{box.x + 8:.1f}" y="{y:.1f}"{kind}>{escape(shortened(line))}</text>')
    return "".join([*lines, "</g>"])


def _edge(line: Line) -> str:
    """A curve with its label; the pointer shows what happens in full."""
    edge = line.edge
    first, *rest = [f"{x:.1f} {y:.1f}" for x, y in line.points]
    end = f"L{line.tip[0]:.1f} {line.tip[1]:.1f}" if line.tip is not None else ""
    marker = "" if edge.kind == "alike" else ' marker-end="url(#arrow)"'
    drawn = f'<path class="{edge.kind}" d="M{first}C{" ".join(rest)}{end}"{marker}/>'
    if line.label is not None:
        x, y = line.label.x + line.label.width / 2, line.label.y
        spans = "".join(
            f'<tspan x="{x:.1f}" y="{y + LABEL_LINE * (place + 1):.1f}">{escape(text)}</tspan>'
            for place, text in enumerate(edge.lines)
        )
        drawn += f'<text class="edge {edge.kind}" text-anchor="middle">{spans}</text>'
    return f"<g><title>{escape(edge.label)}</title>{drawn}</g>"
