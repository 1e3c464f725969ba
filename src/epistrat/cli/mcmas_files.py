"""The files MCMAS writes: ``formulaN.dot`` and ``formulaN.info`` for evidence, ``model.dot`` and ``model.info`` for the whole graph."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from epistrat.api import Result
from epistrat.evidence import Tree
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

_MOST_STATES = 100_000


def write_evidence(result: Result, folder: Path) -> None:
    """The evidence of one answer, as a picture and as the states in it."""
    from epistrat.render.graph import dot, tree_picture

    if result.evidence is None:
        return
    picture = dot(tree_picture(result.system, result.evidence, full=True))
    _write(folder, f"formula{result.index}", picture, result.system, _states(result.evidence))


def write_model(system: System, folder: Path, budget: Budget) -> None:
    """The reachable states and all steps between them; raises `OutOfBudget` where they are too many to be of use."""
    from epistrat.model.explore import explore
    from epistrat.model.initial import initial_states
    from epistrat.model.step import Stepper
    from epistrat.render.graph import dot, reachable_picture

    reached = explore(Stepper(system), initial_states(system, _MOST_STATES), _MOST_STATES, budget)
    _write(folder, "model", dot(reachable_picture(system, reached)), system, reached.states)


def _states(tree: Tree) -> list[State]:
    """The states that the evidence shows: its own, and those of its first path or lasso."""
    from epistrat.render.mcmas_text import first_run

    return list(dict.fromkeys([tree.state, *first_run(tree)]))


def _write(folder: Path, name: str, picture: str, system: System, states: Iterable[State]) -> None:
    from epistrat.render.mcmas_text import states_text

    (folder / f"{name}.dot").write_text(picture, encoding="utf-8")
    (folder / f"{name}.info").write_text("\n".join([*states_text(system, states), ""]), encoding="utf-8")
