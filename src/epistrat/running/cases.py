"""Tests made from a model: paths as lines of a log, and the short file that follows them with the program."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from epistrat.evidence.trace import Path
from epistrat.model.explore import ReachableGraph
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.render.json.report import joint_json, state_json
from epistrat.running.tours import Tour

MADE = '"""Made by epistrat tests'
"""How a generated test begins; other files are never overwritten."""

_TEST = '''"""Made by epistrat tests{version}; the paths are in {paths!a}.

A fixture `epistrat_driver` of the project drives the program.
"""

from pathlib import Path

import pytest
from epistrat.testing import Paths

PATHS = Paths(Path(__file__).with_name({paths!a}), model={model!a}, parameters={parameters!a}, drives={drives!a})
BUGS = {bugs!a}


@pytest.mark.parametrize("path", PATHS.names(BUGS))
def test_path(path, epistrat_driver, epistrat_coverage):
    PATHS.follow(path, epistrat_driver, epistrat_coverage, never=BUGS.get(path))


def test_random_run(epistrat_run, epistrat_driver, epistrat_coverage):
    PATHS.walk(epistrat_run, epistrat_driver, epistrat_coverage)
'''


@dataclass(frozen=True, slots=True)
class Case:
    """A path with a name; ``bug`` says what is wrong with a program that can follow it."""

    name: str
    path: Path
    bug: str = ""


def cases_of(graph: ReachableGraph, tours: Sequence[Tour]) -> list[Case]:
    """Tours as paths, numbered from 1."""
    found: list[Case] = []
    for number, tour in enumerate(tours, start=1):
        states = [graph.states[tour.start], *(graph.states[target] for _, _, target in tour.edges)]
        found.append(Case(str(number), Path(tuple(states), tuple(joint for _, joint, _ in tour.edges))))
    return found


def log_lines(system: System, cases: Sequence[Case]) -> Iterator[str]:
    """The paths in the format of logs, a run each."""
    for case in cases:
        yield json.dumps({"start": True, "see": state_json(system, case.path.states[0]), "run": case.name})
        for joint, state in zip(case.path.actions, case.path.states[1:], strict=True):
            told = joint_json(system, joint)
            if told or not system.interleaved:
                done: dict[str, Any] = {"action": told["action"]} if system.interleaved else {"do": told}
                yield json.dumps({**done, "see": state_json(system, state), "run": case.name})


def file_text(
    model: str, paths: str, parameters: dict[str, int], drives: Sequence[str], cases: Sequence[Case], version: str
) -> str:
    """The test file."""
    bugs = {case.name: case.bug for case in cases if case.bug}
    return _TEST.format(
        version=f" {version}", paths=paths, model=model, parameters=parameters, drives=tuple(drives), bugs=bugs
    )


def itf(system: System, case: Case) -> dict[str, Any]:
    """A path as an ITF trace, which other tools read."""
    names = [str(variable) for variable in system.variables]
    states: list[dict[str, Any]] = []
    for index, state in enumerate(case.path.states):
        done = joint_json(system, case.path.actions[index - 1]) if index else None
        states.append({"#meta": {"index": index}, "action": done, **state_json(system, state)})
    return {"#meta": {"format": "ITF"}, "vars": ["action", *names], "states": states}
