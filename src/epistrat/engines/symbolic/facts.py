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
            line = _first_overflow(checker)
            return Facts(
                states=states,
                dead_ends=space.count(dead),
                dead_end=_path(checker, dead),
                overflows=space.count(overflowing),
                overflow=None if line is None else _path(checker, line[1]),
                overflow_line=None if line is None else line[0],
                fair_states=space.count(checker.labels.universe) if checker.system.fairness else None,
            )


def _first_overflow(checker: Checker) -> tuple[tuple[str, int], Bdd] | None:
    """The first line that can leave its range, and where it can."""
    space = checker.space
    for overflow in sorted(
        space.encoding.overflows, key=lambda o: (space.system.agents.index(space.system.agent[o.agent]), o.line)
    ):
        where = space.overflow(overflow)
        if where != space.algebra.false:
            return (overflow.agent, overflow.line), where
    return None


def _path(checker: Checker, states: Bdd) -> Path | None:
    return None if states == checker.space.algebra.false else path_to(checker.space, states)
