"""Simultaneous agreement where processes tell each other who failed: when it ends is compared with brute force, and with the literature.

Brute force goes through all points of all runs.  The waste of a run is the most by which the failures found up to a round outnumber the
rounds; where two processes at least do not fail, agreement is possible after t + 1 - waste rounds, and not before.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

import pytest

from epistrat.api import load
from epistrat.model.initial import initial_states
from epistrat.model.programs import implement
from epistrat.model.state import State
from epistrat.model.step import Stepper

EXAMPLE = Path(__file__).parents[2] / "examples" / "programs" / "early_agreement.ispl"


class Point(NamedTuple):
    """What each process has seen, and heard of failures; who has crashed, who fails; what was there in the beginning; the waste so far."""

    seen: tuple[frozenset[int], ...]
    known: tuple[frozenset[tuple[int, int]], ...]
    crashed: frozenset[int]
    fails: frozenset[int]
    began: frozenset[int]
    waste: int = 0

    @property
    def working(self) -> list[int]:
        return [one for one in range(len(self.seen)) if one not in self.fails]


def first(n: int, t: int) -> set[Point]:
    return {
        Point(
            tuple(frozenset({one}) for one in values),
            (frozenset(),) * n,
            frozenset(),
            frozenset(fails),
            frozenset(values),
        )
        for values in product((0, 1), repeat=n)
        for many in range(t + 1)
        for fails in combinations(range(n), many)
    }


def later(point: Point, number: int) -> Iterator[Point]:
    """What can come of a round with this number."""
    n = len(point.seen)
    lost = []
    for one in point.fails:
        others = [other for other in range(n) if other != one]
        sets = [frozenset(some) for many in range(n) for some in combinations(others, many)]
        lost.append([(one, some) for some in ([frozenset(others)] if one in point.crashed else sets)])
    for chosen in product(*lost):
        missing = dict(chosen)
        seen, known = [], []
        for to in range(n):
            heard = [by for by in range(n) if by != to and to not in missing.get(by, ())]
            seen.append(point.seen[to].union(*(point.seen[by] for by in heard)))
            told = [pair for by in (to, *heard) for pair in point.known[by] if pair[0] != to]
            told += [(by, number) for by in range(n) if by != to and by not in heard]
            known.append(frozenset((of, min(when for one, when in told if one == of)) for of, _ in told))
        found = {of for one in point.working for of, _ in known[one]}
        crashed = point.crashed | {one for one, some in missing.items() if some}
        waste = max(point.waste, len(found) - number)
        yield Point(tuple(seen), tuple(known), crashed, point.fails, point.began, waste)


def common(here: set[Point], value: int) -> set[Point]:
    """Where it is common knowledge among those that do not fail that somebody began with a value."""
    true = set(here)
    while True:
        doubtful = {
            (one, point.seen[one], point.known[one])
            for point in here
            if value not in point.began or point not in true
            for one in point.working
        }
        kept = {
            point
            for point in true
            if all((one, point.seen[one], point.known[one]) not in doubtful for one in point.working)
        }
        if kept == true:
            return true
        true = kept


@pytest.mark.parametrize(("n", "t"), [(3, 1), (4, 1), pytest.param(4, 2, marks=pytest.mark.long)])
def test_agreement_ends_earlier_by_the_waste(n: int, t: int) -> None:
    here = first(n, t)
    for number in range(t + 2):
        agreed = common(here, 0) | common(here, 1)
        assert agreed == {point for point in here if number >= t + 1 - point.waste}
        here = {after for point in here for after in later(point, number + 1)}


@pytest.mark.parametrize(
    ("n", "t"), [(3, 1), pytest.param(3, 2, marks=pytest.mark.long), pytest.param(4, 2, marks=pytest.mark.long)]
)
def test_the_program_decides_when_brute_force_says(n: int, t: int) -> None:
    system = implement(load(EXAMPLE, n=n, t=t)).system
    stepper, place = Stepper(system), system.position
    layer, here = set(initial_states(system)), first(n, t)
    for number in range(t + 2):
        zero, one = ({_shown(point) for point in common(here, value)} for value in (0, 1))
        everything = {_shown(point) for point in here}
        assert {_read(state, place, n) for state in layer} == everything
        for state in layer:
            point = _read(state, place, n)
            for i in set(range(n)) - point.fails:
                if state[place[f"Process[{i + 1}]", "decision"]] == "nothing":
                    may = stepper.allowed(system.agent[f"Process[{i + 1}]"], state)
                    assert may == (("decide0",) if point in zero else ("decide1",) if point in one else ("wait",))
        layer = {step.target for state in layer for step in stepper.steps(state)}
        here = {after for point in here for after in later(point, number + 1)}


def _shown(point: Point) -> Point:
    return point._replace(waste=0)


def _read(state: State, place: dict[tuple[str, str], int], n: int) -> Point:
    def of(name: str) -> list[int]:
        return [int(state[place["Environment", f"{name}[{i}]"]]) for i in range(1, n + 1)]

    def values(names: tuple[str, str]) -> frozenset[int]:
        return frozenset(value for value, name in enumerate(names) if state[place["Environment", name]])

    seen = tuple(values((f"zero[{i}]", f"one[{i}]")) for i in range(1, n + 1))
    known = tuple(
        frozenset(
            (j, int(when))
            for j in range(n)
            if j != i and (when := state[place["Environment", f"known[{i + 1},{j + 1}]"]])
        )
        for i in range(n)
    )
    crashed, fails = (frozenset(i for i, one in enumerate(of(name)) if one) for name in ("crashed", "fails"))
    return Point(seen, known, crashed, fails, values(("some0", "some1")))
