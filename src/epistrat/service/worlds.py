"""What agents consider possible along a run: the worlds of a Kripke model, moment by moment, and which world became which.

A world of a moment is one that somebody cannot rule out, or cannot rule out that somebody else cannot rule out, and so on: what is joined
to the actual one by what looks the same (`epistrat.service.levels`).  A world that no step leads from into the worlds of the next moment is
ruled out, and so is one that is not joined to the actual one any more after what was said.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.logic.formula import Reading
from epistrat.model.agent import ENVIRONMENT
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.service.levels import Level, Levels, Marks, Said

MOST_WORLDS = 128
"""More could not be told apart on a page."""


@dataclass(frozen=True)
class Worlds:
    """The worlds of a moment, the actual one first; ``origin[i]``: from which world of the moment before world i came, if from any.

    ``marks[i]``: for each observer a number that the worlds share which look the same to it.  ``out``: what was said at this moment
    rules it out.  ``more``: there are others, which are left out.
    """

    states: tuple[State, ...]
    origin: tuple[int | None, ...]
    marks: tuple[Marks, ...]
    out: tuple[bool, ...]
    more: bool


def observers(system: System) -> list[str]:
    """Who considers something possible: all agents that see anything, but the Environment."""
    return [name for name in system.views if name != ENVIRONMENT]


def worlds(levels: Levels, run: Sequence[State], said: Sequence[Said] = ()) -> list[Worlds]:
    """The worlds of each moment of a run."""
    system = levels.system
    places = [levels.place(name) for name in observers(system)]
    stepper = Stepper(system)
    timeless = system.knowledge is Reading.OBSERVATION
    found: list[Worlds] = []
    before: list[int] = []
    for level, after in levels.along(run, said):
        shown, more = level.joined(places, MOST_WORLDS)
        left = set(after.joined(places, MOST_WORLDS)[0])
        if timeless:
            origin = _sources(stepper, found[-1] if found else None, [level.states[one] for one in shown])
        else:
            origin = _places(level, shown, before)
        found.append(
            Worlds(
                tuple([level.states[one] for one in shown]),
                origin,
                tuple([tuple([level.marks[one][place] for place in places]) for one in shown]),
                tuple([one not in left for one in shown]) if after is not level else (False,) * len(shown),
                more,
            )
        )
        before = shown
    return found


def _sources(stepper: Stepper, before: Worlds | None, states: Sequence[State]) -> tuple[int | None, ...]:
    """From which world of the moment before a step leads to each state; to the actual one from the actual one."""
    if before is None:
        return (None,) * len(states)
    sources: dict[State, int] = {states[0]: 0}
    wanted = set(states)
    for number, state in enumerate(before.states):
        for step in stepper.steps(state):
            if step.target in wanted:
                sources.setdefault(step.target, number)
    return tuple([sources.get(state) for state in states])


def _places(level: Level, shown: Sequence[int], before: Sequence[int]) -> tuple[int | None, ...]:
    """The same, where worlds know from which of all worlds they came."""
    place = {number: index for index, number in enumerate(before)}
    origins = [level.origins[one] for one in shown]
    return tuple([None if origin is None else place.get(origin) for origin in origins])
