"""Facts about the reachable states: dead ends, and assignments that leave their range, each with a path."""

from __future__ import annotations

import numpy as np

from epistrat.answers.advice import Setting
from epistrat.engines.contract import Facts
from epistrat.engines.explicit.backwards import run_to
from epistrat.engines.explicit.interleaved import InterleavedSuccessors
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.paths import as_path, path_to
from epistrat.engines.explicit.space import ExplicitSpace
from epistrat.engines.explicit.structure import Explored
from epistrat.engines.explicit.synchronous import SynchronousSuccessors
from epistrat.evidence import Path
from epistrat.model.step import Stepper

_BLOCK = 1 << 16  # states looked at together

Line = tuple[int, int]  # position of the agent, number of its line from 1


def facts_of(space: ExplicitSpace) -> Facts:
    """Everything `Facts` asks for.  Paths are shortest."""
    structure = space.explored()
    worlds = space.labels().worlds
    overflows, line, where = _overflows(structure)
    return Facts(
        states=structure.count,
        dead_ends=space.explorer.dead_ends,
        dead_end=_dead_end_path(space, structure),
        overflows=overflows,
        overflow=None if where is None else _path(structure, where),
        overflow_line=None if line is None else (space.system.agents[line[0]].name, line[1]),
        fair_states=None if worlds is None else int(worlds.sum()),
    )


def facts_of_reduced(space: ExplicitSpace) -> Facts:
    """What a reduced space tells: every dead end of the system is in it."""
    structure = space.explored()
    return Facts(
        states=None,
        dead_ends=space.explorer.dead_ends,
        dead_end=_dead_end_path(space, structure),
        reason=f"reduction left {structure.count:,} states to explore",
        advice=(Setting("reduce", "off"),),
    )


def _dead_end_path(space: ExplicitSpace, structure: Explored) -> Path | None:
    dead = space.explorer.dead_end
    if dead is None:
        return None
    ids = run_to(structure, dead)
    if ids is not None:
        return as_path(structure, ids, Stepper(structure.system))
    goal = np.zeros(structure.count, dtype=np.bool_)
    goal[structure.states.find(space.layout.block([dead]))] = True
    return _path(structure, goal)


def _path(structure: Explored, goal: Mask) -> Path:
    ids = path_to(structure, goal)
    assert ids is not None
    return as_path(structure, ids, Stepper(structure.system))


def _overflows(structure: Explored) -> tuple[int, Line | None, Mask | None]:
    """How many states have an overflow, the first line in the model that has one, and where that line does."""
    successors = structure.successors
    assert isinstance(successors, InterleavedSuccessors | SynchronousSuccessors)
    if not successors.may_overflow:
        return 0, None, None
    some = np.zeros(structure.count, dtype=np.bool_)
    by_line: dict[Line, Mask] = {}
    most = structure.budget.patience.block(_BLOCK)
    for start in range(0, structure.count, most):
        structure.budget.check()
        block = structure.states.block[start : start + most]
        for line, where in successors.overflowing(block).items():
            some[start : start + len(block)] |= where
            by_line.setdefault(line, np.zeros(structure.count, dtype=np.bool_))[start : start + len(block)] |= where
    if not by_line:
        return 0, None, None
    first = min(by_line)
    return int(some.sum()), first, by_line[first]
