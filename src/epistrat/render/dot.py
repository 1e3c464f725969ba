"""Pictures in Graphviz's language."""

from __future__ import annotations

from epistrat.render.graph import Picture, Vertex


def dot(picture: Picture) -> str:
    """The picture as a directed graph."""
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
        lines.append(
            f"  {edge.source} -> {edge.target} [label={_quoted(chr(10).join(edge.lines))}, tooltip={_quoted(edge.label)}{style}];"
        )
    return "\n".join([*lines, "}"]) + "\n"


def _dot_style(node: Vertex) -> str:
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
