"""What the reachable states look like: how many, dead ends, overflows, with a path to one of each."""

from __future__ import annotations

from epistrat.engines.contract import Facts
from epistrat.engines.symbolic.checker import Checker
from epistrat.engines.symbolic.path import path_to
from epistrat.evidence import Path
from epistrat.solvers.bdd import Bdd


def find_facts(checker: Checker) -> Facts:
    """The facts about a system."""
    space = checker.space
    with space.algebra.guard():
        states = space.count(space.reachable)
        with space.work.doing("dead ends"):
            dead, overflowing = space.dead_ends, space.overflowing
            lines = _overflows(checker) if overflowing != space.algebra.false else []
            line = lines[0] if lines else None
            return Facts(
                states=states,
                dead_ends=space.count(dead),
                dead_end=_path(checker, dead),
                overflows=space.count(overflowing),
                overflow=None if line is None else _path(checker, line[1]),
                overflow_line=None if line is None else line[0],
                overflow_lines=tuple(place for place, _ in lines),
                fair_states=space.count(checker.labels.universe) if checker.system.fairness else None,
            )


def _overflows(checker: Checker) -> list[tuple[tuple[str, int], Bdd]]:
    """The lines that can leave their range, and where they can."""
    space = checker.space
    order = {agent.name: number for number, agent in enumerate(space.system.agents)}
    lines = sorted(space.encoding.overflows, key=lambda one: (order[one.agent], one.line))
    found = [((one.agent, one.line), space.overflow(one)) for one in lines]
    return [(place, where) for place, where in found if where != space.algebra.false]


def _path(checker: Checker, states: Bdd) -> Path | None:
    return None if states == checker.space.algebra.false else path_to(checker.space, states)
