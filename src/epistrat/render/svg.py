"""Pictures as SVG, and what moves them in a page.  `epistrat.render.layout` finds the places.

Styles hold for these pictures alone: a notebook keeps its own look.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from epistrat.render.graph import Node, Picture
from epistrat.render.layout import LABEL_LINE, LINE, Box, Line, laid_out, shortened

MARGIN = 14

STYLE = """
.states text{font:12px system-ui,sans-serif;fill:#222}.states .key{font-weight:bold}
.states .edge{font-size:10.5px;fill:#555;paint-order:stroke;stroke:#fff;stroke-width:3px}
.states rect{fill:#fff;stroke:#444}.states .initial rect{stroke-width:2.5}.states .end rect{stroke:#0b62c4;stroke-width:2}
.states .deadend rect{stroke:#c00;stroke-width:2}.states .marked rect{fill:#ffe9a8}.states path.step{fill:none;stroke:#555}
.states path.alike{fill:none;stroke:#b0540a;stroke-dasharray:6 4}.states .edge.alike{fill:#b0540a}
@media(prefers-color-scheme:dark){.states rect{fill:#1d1f23;stroke:#bbb}.states text{fill:#eee}.states .edge{fill:#bbb;stroke:#1d1f23}
.states path.step{stroke:#aaa}.states .marked rect{fill:#5c4a00}}
""".replace("\n", "")

_ARROW = (
    '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
    '<path d="M0 0L10 5L0 10z" fill="#555"/></marker></defs>'
)


ZOOM_STYLE = """
.zoom{position:relative;overflow:hidden;border:1px solid var(--line);border-radius:6px;cursor:grab;touch-action:none;user-select:none}
.zoom.moving{cursor:grabbing}.zoom svg.states{display:block;width:100%;height:min(75vh,60rem)}
.zoom .states rect,.zoom .states path{vector-effect:non-scaling-stroke}
.zoom .tools{position:absolute;right:.5rem;top:.5rem;display:flex;gap:.3rem}.zoom button{font:15px system-ui;min-width:2rem}
"""

ZOOM_SCRIPT = """
(() => document.querySelectorAll('.zoom').forEach(box => {
  const svg = box.querySelector('svg.states'), whole = svg.viewBox.baseVal;
  const [left, top, width, height] = [whole.x, whole.y, whole.width, whole.height];
  const READABLE = 1.6, LARGEST = .2;  // units of the picture for one pixel
  let view = null, last = null, moved = 0, due = 0;
  svg.style.maxWidth = 'none';
  const show = () => due ||= requestAnimationFrame(() => { due = 0; svg.setAttribute('viewBox', view.join(' ')); });
  const scale = () => view[2] / svg.clientWidth;
  const smallest = () => Math.max(width / svg.clientWidth, height / svg.clientHeight, 1);
  const look = (x, y, by) => {
    const [w, h] = [svg.clientWidth * by, svg.clientHeight * by];
    view = [x - w / 2, y - h / 2, w, h];
    show();
  };
  const fit = () => look(left + width / 2, top + height / 2, smallest());
  const inside = (at, from, size, seen) => size < seen ? from + size / 2 : Math.min(Math.max(at, from + seen / 2), from + size - seen / 2);
  const start = () => {
    if (!svg.clientWidth) return;  // folded
    const first = svg.querySelector('g.initial rect')?.getBBox();
    if (smallest() <= READABLE || !first) fit();
    else look(inside(first.x + first.width / 2, left, width, svg.clientWidth), inside(first.y, top, height, svg.clientHeight), 1);
  };
  const at = event => {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [place.x, place.y];
  };
  const zoom = (by, [x, y] = [view[0] + view[2] / 2, view[1] + view[3] / 2]) => {
    const to = Math.min(Math.max(scale() * by, LARGEST), smallest() * 2) / scale();
    view = [x + (view[0] - x) * to, y + (view[1] - y) * to, view[2] * to, view[3] * to];
    show();
  };
  const move = (x, y) => { view[0] += x * scale(); view[1] += y * scale(); show(); };
  const tools = document.createElement('div');
  tools.className = 'tools';
  for (const [text, name, act] of [['+', 'Larger', () => zoom(.8)], ['−', 'Smaller', () => zoom(1.25)], ['fit', 'Whole picture', fit]]) {
    const button = document.createElement('button');
    button.textContent = text; button.title = name; button.setAttribute('aria-label', name); button.onclick = act;
    tools.append(button);
  }
  box.append(tools);
  box.tabIndex = 0;
  start();
  if (!view) box.closest('details')?.addEventListener('toggle', start, {once: true});
  svg.addEventListener('wheel', event => {
    if (!event.ctrlKey && box.closest('details')) return;
    event.preventDefault();
    const turned = event.deltaY * (event.deltaMode ? 30 : 1);
    zoom(Math.exp(Math.max(-200, Math.min(200, turned)) / 600), at(event));
  }, {passive: false});
  svg.addEventListener('pointerdown', event => {
    if (!event.isPrimary) return;
    last = [event.clientX, event.clientY]; moved = 0; box.classList.add('moving');
  });
  window.addEventListener('pointermove', event => {
    if (!last || !event.isPrimary) return;
    const [x, y] = [last[0] - event.clientX, last[1] - event.clientY];
    moved += Math.abs(x) + Math.abs(y);
    move(x, y);
    last = [event.clientX, event.clientY];
  });
  for (const end of ['pointerup', 'pointercancel'])
    window.addEventListener(end, () => { last = null; box.classList.remove('moving'); });
  svg.addEventListener('click', event => { if (moved < 5) event.target.closest('g.state')?.classList.toggle('marked'); });
  box.addEventListener('keydown', event => {
    const act = {'+': () => zoom(.8), '-': () => zoom(1.25), '0': fit, ArrowLeft: () => move(-60, 0), ArrowRight: () => move(60, 0),
                 ArrowUp: () => move(0, -60), ArrowDown: () => move(0, 60)}[event.key];
    if (act) { event.preventDefault(); act(); }
  });
}))();
"""


def svg(picture: Picture) -> str:
    """The picture as an SVG document."""
    layout = laid_out(picture)
    width, height = layout.width + 2 * MARGIN, layout.height + 2 * MARGIN + (24 if picture.caption else 0)
    size = f'viewBox="{-MARGIN} {-MARGIN} {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    size += f' style="max-width:{width:.0f}px;max-height:{height:.0f}px"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" class="states" {size}>', f"<style>{STYLE}</style>", _ARROW]
    parts += [_edge(line) for line in layout.lines]
    parts += [_node(node, layout.boxes[key]) for key, node in picture.nodes.items()]
    if picture.caption:
        parts.append(f'<text x="0" y="{layout.height + 24:.0f}">{escape(picture.caption)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _node(node: Node, box: Box) -> str:
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
