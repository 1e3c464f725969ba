"""``epistrat export``: the reachable states as a graph, drawn or as data."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from epistrat.answers import How
from epistrat.cli import console
from epistrat.cli.ask import answered, asked, model
from epistrat.cli.exit_codes import Exit, Refused, status_of
from epistrat.model.system import System
from epistrat.render.dot import dot
from epistrat.render.export_graph import graph_json, graph_page
from epistrat.render.graph import reachable_picture
from epistrat.render.mermaid import mermaid
from epistrat.render.svg import svg
from epistrat.service import ExchangeRequest, ExportRequest
from epistrat.service.graph import StateGraph

DRAWN = 400
LISTED = 200_000
_ENDINGS = {
    ".svg": "svg",
    ".html": "html",
    ".dot": "dot",
    ".gv": "dot",
    ".json": "json",
    ".mmd": "mermaid",
    ".vmt": "vmt",
    ".aag": "aiger",
    ".aig": "aiger",
    ".smv": "smv",
}


def run(arguments: argparse.Namespace) -> Exit:
    """Explore, and write the graph; the ending of the file's name says how where no format is given."""
    if arguments.format is None:
        arguments.format = _ENDINGS.get(Path(arguments.output or "").suffix)
    if arguments.format is None:
        formats = ", ".join(f"--{name}" for name in dict.fromkeys(_ENDINGS.values()))
        raise Refused(Exit.USAGE, f"epistrat export: in which format? One of {formats}, or -o FILE.svg")
    if arguments.format in ("vmt", "aiger", "smv"):
        return _exchange(arguments)
    drawn = arguments.format != "json"
    most = arguments.states or (DRAWN if drawn else LISTED)
    request = asked("export", ExportRequest, model(arguments.file, arguments), arguments, most=most)
    report, graph = answered("export", request)
    if graph is None:
        advice = f"more than {DRAWN:,} states would be unreadable; --states N allows more, and --json lists them"
        words = advice if drawn else "--states N allows more"
        limited = report.ending.how is How.LIMIT
        console.complain(f"unknown: {report.ending.reason}{f'; {words}' if limited else ''}")
        return status_of(report)
    return _write(graph, arguments)


def _exchange(arguments: argparse.Namespace) -> Exit:
    """Write the model in a format of other tools."""
    form = arguments.format
    request = asked("export", ExchangeRequest, model(arguments.file, arguments), arguments, form=form)
    report, text = answered("export", request)
    if text is None:
        console.complain(f"unknown: {report.ending.reason}")
        return status_of(report)
    return Exit.HOLDS if console.save(text, arguments.output) else Exit.USAGE


def _write(graph: StateGraph, arguments: argparse.Namespace) -> Exit:
    if not console.save(_text(graph, arguments), arguments.output):
        return Exit.USAGE
    if arguments.output not in (None, "-"):
        steps = sum(map(len, graph.reached.steps))
        console.write([f"{arguments.output}: {len(graph.reached.states):,} states, {steps:,} steps"])
    return Exit.HOLDS


def _observers(system: System, wanted: str | None) -> tuple[str, ...]:
    """The agents for whom look-alikes are drawn: those named, or all that have something to see."""
    if wanted is None:
        return ()
    if not wanted:
        return tuple(agent.name for agent in system.agents if not agent.is_environment)
    names = tuple(wanted.split(","))
    for name in names:
        if name not in system.views:
            raise Refused(
                Exit.USAGE, f"epistrat export: there is no agent {name!r}; there are {', '.join(system.views)}"
            )
    return names


def _text(graph: StateGraph, arguments: argparse.Namespace) -> str:
    name, system, reached = Path(arguments.file).name, graph.system, graph.reached
    if arguments.format == "json":
        return json.dumps(graph_json(system, name, reached), indent=1)
    alike = _observers(system, arguments.look_alikes)
    caption = f"{name}: {len(reached.states):,} reachable states"
    try:
        picture = reachable_picture(system, reached, caption=caption, alike=alike)
    except OverflowError as too_many:
        raise Refused(Exit.UNKNOWN, f"epistrat export: {too_many}; --look-alikes AGENT draws those of one") from None
    match arguments.format:
        case "dot":
            return dot(picture)
        case "mermaid":
            return mermaid(picture)
        case "svg":
            return svg(picture)
        case _:
            return graph_page(name, picture)
