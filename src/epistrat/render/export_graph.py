"""The reachable graph as JSON and as a page."""

from __future__ import annotations

from html import escape
from typing import Any

from epistrat.model.explore import ReachableGraph
from epistrat.model.system import System
from epistrat.render.as_json import joint_json, state_json
from epistrat.render.graph import Picture
from epistrat.render.page_style import STYLE
from epistrat.render.svg import svg

SCHEMA = "epistrat-graph/1"


def graph_json(system: System, model: str, reached: ReachableGraph) -> dict[str, Any]:
    """States by number, in the order of their distance from the initial ones, and the steps between them."""
    return {
        "schema": SCHEMA,
        "model": model,
        "states": [state_json(system, state) for state in reached.states],
        "initial": list(reached.initial),
        "dead_ends": list(reached.dead_ends),
        "steps": [
            {"from": source, "action": joint_json(system, joint), "to": target}
            for source, steps in enumerate(reached.steps)
            for joint, target in steps
        ],
    }


_MARKING = """
(() => {
  const graph = document.querySelector('svg');
  graph.addEventListener('click', event => {
    const state = event.target.closest('g.state');
    if (!state) return;
    state.classList.toggle('marked');
  });
})();
"""


def graph_page(title: str, picture: Picture) -> str:
    """The picture as a page: the pointer shows a state in full, a click marks it."""
    style = STYLE + "g.state.marked rect{fill:#ffe9a8}.scroll{max-width:none}"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{style}</style></head><body><main><h1>{escape(picture.caption or title)}</h1>"
        f'<div class="scroll">{svg(picture)}</div></main><script>{_MARKING}</script></body></html>\n'
    )
