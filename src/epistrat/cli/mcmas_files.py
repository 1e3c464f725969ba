"""The files MCMAS writes: ``formulaN.dot`` and ``formulaN.info`` for evidence, ``model.dot`` and ``model.info`` for the whole graph."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from epistrat.answers import Result
from epistrat.evidence import Tree
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.render.dot import dot
from epistrat.render.graph import reachable_picture, tree_picture
from epistrat.render.mcmas_text import first_run, states_text
from epistrat.service.graph import StateGraph

MOST_STATES = 100_000


def write_evidence(system: System, result: Result, folder: Path) -> None:
    """The evidence of one answer, as a picture and as the states in it."""
    if result.evidence is not None:
        picture = dot(tree_picture(system, result.evidence, full=True))
        _write(folder, f"formula{result.index}", picture, system, _states(result.evidence))


def write_model(graph: StateGraph, folder: Path) -> None:
    """The reachable states and all steps between them."""
    _write(folder, "model", dot(reachable_picture(graph.system, graph.reached)), graph.system, graph.reached.states)


def _states(tree: Tree) -> list[State]:
    """The states that the evidence shows: its own, and those of its first path or lasso."""
    return list(dict.fromkeys([tree.state, *first_run(tree)]))


def _write(folder: Path, name: str, picture: str, system: System, states: Iterable[State]) -> None:
    (folder / f"{name}.dot").write_text(picture, encoding="utf-8")
    (folder / f"{name}.info").write_text("\n".join([*states_text(system, states), ""]), encoding="utf-8")
