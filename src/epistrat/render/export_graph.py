"""The reachable graph as JSON and as a page."""

from __future__ import annotations

from html import escape
from typing import Any

from epistrat.model.explore import ReachableGraph
from epistrat.model.system import System
from epistrat.render.graph import Picture
from epistrat.render.json.report import joint_json, state_json
from epistrat.render.page_style import STYLE, ZOOM_SCRIPT, ZOOM_STYLE
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


def graph_page(title: str, picture: Picture) -> str:
    """The picture as a page: it can be moved and enlarged, the pointer shows a state in full, a click marks it."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}{ZOOM_STYLE}main{{max-width:none;padding-bottom:1rem}}.zoom svg.states{{height:80vh}}</style></head><body><main>"
        f'<h1>{escape(picture.caption or title)}</h1><div class="zoom">{svg(picture)}</div>'
        "<p>Drag to move, wheel or + and - for the size, 0 for the whole picture. Click a state to mark it.</p>"
        f"</main><script>{ZOOM_SCRIPT}</script></body></html>\n"
    )
