"""``epistrat tests``: tests for a program, made from the model."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path

from epistrat import __version__
from epistrat.answers import How, Misuse, Verdict
from epistrat.cli import console
from epistrat.cli.ask import answered
from epistrat.cli.exit_codes import Exit, Refused
from epistrat.cli.following import limits, system_of
from epistrat.evidence import Along, Tree
from epistrat.model.explore import ReachableGraph
from epistrat.model.system import System
from epistrat.running.cases import MADE, Case, cases_of, file_text, itf, log_lines
from epistrat.running.tours import edges_of, tours
from epistrat.service import CheckRequest, ExportRequest, Given
from epistrat.service.graph import StateGraph


def run(arguments: argparse.Namespace) -> Exit:
    """Find paths, write them and the test that follows them."""
    if arguments.file == "-":
        raise Refused(Exit.USAGE, "epistrat tests: the tests read the model again; name its file")
    system = system_of(arguments, arguments.file)
    _known_agents(system, arguments.drives)
    cases, words = _formulae(system, arguments) if arguments.cover == "formulae" else _toured(system, arguments)
    if not cases:
        raise Refused(Exit.UNKNOWN, f"epistrat tests: there is nothing to follow: {words}")
    folder = Path(arguments.output)
    stem = Path(arguments.file).stem
    test, paths = folder / f"test_{stem}.py", folder / f"paths_{stem}.jsonl"
    _refuse_to_overwrite(test, MADE)
    _refuse_to_overwrite(paths, '{"start": true')
    source = os.path.relpath(arguments.file, folder)
    text = file_text(source, paths.name, dict(arguments.set or ()), arguments.drives, cases, __version__)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(Exit.USAGE, f"{folder} cannot be written: {(error.strerror or str(error)).lower()}") from None
    saved = console.save(text, str(test)) and console.save("\n".join(log_lines(system, cases)) + "\n", str(paths))
    if saved and arguments.itf:
        for case in cases:
            saved = saved and console.save(json.dumps(itf(system, case)), str(folder / f"{stem}_{case.name}.itf.json"))
    if not saved:
        return Exit.USAGE
    steps = sum(len(case.path.actions) for case in cases)
    console.write([f"{test}: {len(cases):,} paths with {steps:,} steps; {words}"])
    return Exit.HOLDS


def _toured(system: System, arguments: argparse.Namespace) -> tuple[list[Case], str]:
    """Paths that make every step, or every action."""
    request = ExportRequest(model=Given(system), limits=limits(arguments), most=arguments.most_states)
    report, found = answered("tests", request)
    if found is None:
        if report.ending.how is How.INTERRUPTED:
            raise KeyboardInterrupt
        raise Refused(Exit.UNKNOWN, f"unknown: {report.ending.reason}; --most-states N allows more")
    assert isinstance(found, StateGraph)
    graph: ReachableGraph = found.reached
    every = [edge for row in edges_of(graph) for edge in row]
    if arguments.cover == "transitions":
        made = tours(graph, lambda edge: edge, arguments.length, arguments.seed)
        done = len({edge for tour in made for edge in tour.edges})
        return cases_of(graph, made), f"{done:,} of {len(every):,} transitions"
    made = tours(graph, lambda edge: edge[1], arguments.length, arguments.seed)
    done, all_ = len({edge[1] for tour in made for edge in tour.edges}), len({edge[1] for edge in every})
    return cases_of(graph, made), f"{done:,} of {all_:,} actions"


def _formulae(system: System, arguments: argparse.Namespace) -> tuple[list[Case], str]:
    """A path for each formula that has a run as evidence; a counterexample is a bug that the program should not have."""
    request = CheckRequest(model=Given(system), limits=limits(arguments), evidence=True, facts=False)
    try:
        report, _ = answered("tests", request)
    except Misuse as wrong:
        raise Refused(Exit.INPUT, f"epistrat tests: {wrong.text}") from None
    found: list[Case] = []
    for result in report.results:
        along = next((path for tree in result.trees if (path := _path(tree)) is not None), None)
        if along is None or not along.path.actions:
            continue
        name = result.name or f"formula{result.index}"
        bug = "" if result.verdict is Verdict.HOLDS else f"{name} fails in the model by this run"
        found.append(Case(name, along.path, bug))
    return found, f"{len(found):,} of {len(report.results):,} formulae have a run as evidence"


def _path(tree: Tree) -> Along | None:
    """The run that a tree begins with."""
    for reason in tree.because:
        if isinstance(reason, Along) and hasattr(reason.path, "actions") and not hasattr(reason.path, "loop"):
            return reason
    return None


def _known_agents(system: System, names: Sequence[str]) -> None:
    for name in names:
        if name not in system.agent:
            known = ", ".join(agent.name for agent in system.agents)
            raise Refused(Exit.INPUT, f"epistrat tests: there is no agent {name}; there are {known}")


def _refuse_to_overwrite(file: Path, made: str) -> None:
    """A file that somebody else wrote is left alone; ours begin with ``made``."""
    try:
        ours = not file.exists() or file.read_bytes().startswith(made.encode())
    except OSError as error:
        raise Refused(Exit.USAGE, f"{file} cannot be written: {(error.strerror or str(error)).lower()}") from None
    if not ours:
        raise Refused(Exit.USAGE, f"epistrat tests: {file} is there and was not made by this command; it is left alone")
