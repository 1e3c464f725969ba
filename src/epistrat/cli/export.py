"""``epistrat export``: the reachable states as a graph, drawn or as data."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from epistrat.cli.check import limits
from epistrat.cli.exit_codes import Exit
from epistrat.cli.one_shot import Reply, run_one_shot

if TYPE_CHECKING:
    from epistrat.model.explore import ReachableGraph
    from epistrat.model.system import System
    from epistrat.solvers.budget import Budget

DRAWN = 400
LISTED = 200_000


def run(arguments: argparse.Namespace) -> Exit:
    """Explore, and write the graph."""
    return run_one_shot(lambda reply, budget: _work(arguments, reply, budget), limits(arguments))


def _work(arguments: argparse.Namespace, reply: Reply, budget: Budget) -> None:
    system = reply.load(arguments.file, arguments.strict)
    if system is None:
        return
    most = arguments.states or (LISTED if arguments.format == "json" else DRAWN)
    reached = _explored(system, most, budget, reply, drawn=arguments.format != "json")
    if reached is None:
        return
    text = _written(system, reached, arguments)
    if arguments.output in (None, "-"):
        reply.say(text.rstrip("\n"))
    else:
        try:
            Path(arguments.output).write_text(text, encoding="utf-8")
        except OSError as error:
            reply.complain(f"{arguments.output} cannot be written: {error.strerror}")
            reply.end(Exit.USAGE)
            return
        steps = sum(map(len, reached.steps))
        reply.say(f"{arguments.output}: {len(reached.states)} states, {steps} steps")
    reply.end(Exit.HOLDS)


def _explored(system: System, most: int, budget: Budget, reply: Reply, drawn: bool) -> ReachableGraph | None:
    from epistrat.model.explore import explore
    from epistrat.model.initial import initial_states
    from epistrat.model.step import Stepper
    from epistrat.solvers.budget import OutOfBudget

    try:
        return explore(Stepper(system), initial_states(system, most), most, budget)
    except OutOfBudget as limit:
        advice = (
            "a picture of more states helps nobody, but --states N allows it, and --json lists them"
            if drawn
            else "--states N allows more"
        )
        reply.complain(f"unknown: {limit}; {advice}")
        reply.end(Exit.UNKNOWN)
        return None


def _written(system: System, reached: ReachableGraph, arguments: argparse.Namespace) -> str:
    from epistrat.render.export_graph import graph_json, graph_page
    from epistrat.render.graph import dot, reachable_picture
    from epistrat.render.mermaid import mermaid
    from epistrat.render.svg import svg

    name = Path(arguments.file).name
    if arguments.format == "json":
        return json.dumps(graph_json(system, name, reached), indent=1)
    picture = reachable_picture(system, reached, caption=f"{name}: {len(reached.states)} reachable states")
    match arguments.format:
        case "dot":
            return dot(picture)
        case "mermaid":
            return mermaid(picture)
        case "svg":
            return svg(picture)
        case _:
            return graph_page(name, picture)
