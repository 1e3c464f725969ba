"""Pictures for Mermaid, which many web pages draw by themselves."""

from __future__ import annotations

from epistrat.render.graph import Picture


def mermaid(picture: Picture) -> str:
    """The picture as a flowchart."""
    lines = ["flowchart LR"]
    for node in picture.nodes.values():
        text = "<br/>".join(_safe(line) for line in (node.key, *node.lines))
        lines.append(f'  {node.key}["{text}"]')
    for edge in picture.edges:
        word = _word("; ".join(edge.lines))
        arrow = f"-. {word} .-" if edge.kind == "alike" else f"-- {word} -->"
        lines.append(f"  {edge.source} {arrow} {edge.target}")
    for mark, style in (("initial", "stroke-width:3px"), ("dead end", "stroke:#c00"), ("end", "stroke:#06c")):
        marked = [node.key for node in picture.nodes.values() if mark in node.marks]
        if marked:
            name = f"mark_{mark.replace(chr(32), chr(95))}"
            lines.append(f"  classDef {name} {style}")
            lines.append(f"  class {','.join(marked)} {name}")
    return "\n".join(lines) + "\n"


def _safe(text: str) -> str:
    """Text inside quotes: Mermaid reads entities with a number sign."""
    text = text.replace("&", "#amp;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")
    return text.replace("|", "#124;").replace("\n", " ")


def _word(text: str) -> str:
    return f'"{_safe(text)}"' if text else '" "'
