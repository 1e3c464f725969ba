"""Games with memory for one path formula, on sets of states: which states does one side win?

The side's strategies may depend on all that has happened.  What they need to remember is the state of a deterministic parity automaton
that reads the run, so the game is played on pairs of states and automaton states; for each of these there is one set of states.  *Force(Z)*
are the states from which the side brings it about that the next state is in Z: who chooses first is its affair.

The part of the automaton that can be left and not come back to is solved last.  Inside a strongly connected part the winning pairs are

    Z_0 = greatest, Z_1 = least, ...  of  "the state reads on to q' with priority p, and the next state is in Z_p(q')"

with the smallest priority outermost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

from epistrat.logic.connect import Booleans
from epistrat.logic.deterministic.decisions import divide
from epistrat.logic.deterministic.parity import Outcome, Parity
from epistrat.logic.deterministic.pieces import TooManyStates
from epistrat.logic.formula import Formula, Prop
from epistrat.records import dataclass
from epistrat.solvers.budget import OutOfBudget

V = TypeVar("V")
Sets: TypeAlias = dict[int, V]
Force: TypeAlias = Callable[[int, V], V]
"""The states from which a side brings the next state into a set, the automaton then being in the state given."""


@dataclass
class Universe(Generic[V]):
    """Sets of states: connectives, all states, when a set is empty, when two are equal; ``tick`` raises if a limit is reached."""

    of: Booleans[V]
    everything: V
    empty: Callable[[V], bool]
    same: Callable[[V, V], bool]
    tick: Callable[[], None]

    @property
    def nothing(self) -> V:
        """No state."""
        return self.of.every((self.everything, self.of.negate(self.everything)))


def enforced(
    universe: Universe[V], force: Callable[[V], V], goal: Formula, holds: Callable[[Prop], V], what: str = ""
) -> V:
    """The states from which the side that `force` speaks of makes a path formula over leaves true."""
    try:
        game = reading(universe, Parity(goal, universe.tick), holds)
    except TooManyStates:
        raise OutOfBudget(f"the automaton of the goal {what}has too many states".replace("  ", " ")) from None
    return game.won(lambda _, target: force(target))[0]


def reading(universe: Universe[V], machine: Parity, holds: Callable[[Prop], V]) -> Game[V]:
    """A deterministic automaton that reads the states of a system."""
    steps: list[dict[Outcome, V]] = []
    leaves: dict[Prop, tuple[V, V]] = {}
    of = universe.of

    def part(some: V, leaf: Prop, value: bool) -> V | None:
        if leaf not in leaves:
            here = holds(leaf)
            leaves[leaf] = here, of.negate(here)
        left = of.every((some, leaves[leaf][0 if value else 1]))
        return None if universe.empty(left) else left

    def join(one: V, other: V) -> V:
        return of.some((one, other))

    while len(steps) < len(machine):
        universe.tick()
        steps.append(divide(machine.read(len(steps)), universe.everything, part, join))
    return Game(universe, steps)


class Game(Generic[V]):
    """For each state of a deterministic automaton which states of a system lead where, with which priority."""

    def __init__(self, universe: Universe[V], steps: list[dict[Outcome, V]]) -> None:
        self._universe = universe
        self.steps = steps

    def won(self, force: Force[V]) -> Sets[V]:
        """For each state of the automaton the states of the system from which the side wins that reads on from there."""
        found: Sets[V] = {}
        for members in self._parts():
            found |= _Part(self._universe, self.steps, members, found, force).solved()
        return found

    def _parts(self) -> list[list[int]]:
        """The strongly connected parts of the automaton, those that are led to first (Tarjan)."""
        number: dict[int, int] = {}
        low: dict[int, int] = {}
        path: list[int] = []
        on_path: set[int] = set()
        parts: list[list[int]] = []
        work = [(0, iter(sorted({target for target, _ in self.steps[0]})))]
        number[0] = low[0] = 0
        path.append(0)
        on_path.add(0)
        while work:
            state, later = work[-1]
            target = next(later, None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[state])
                if low[state] == number[state]:
                    place = path.index(state)
                    parts.append(path[place:])
                    on_path.difference_update(path[place:])
                    del path[place:]
            elif target not in number:
                number[target] = low[target] = len(number)
                path.append(target)
                on_path.add(target)
                work.append((target, iter(sorted({after for after, _ in self.steps[target]}))))
            elif target in on_path:
                low[state] = min(low[state], number[target])
        return parts


class _Part(Generic[V]):
    """One strongly connected part of the automaton, given what is won where it is left."""

    def __init__(
        self,
        universe: Universe[V],
        steps: list[dict[Outcome, V]],
        members: list[int],
        known: Sets[V],
        force: Force[V],
    ) -> None:
        self._universe, self._force = universe, force
        inside = set(members)
        priorities = {priority for one in members for target, priority in steps[one] if target in inside}
        level = _levels(priorities)
        self._good = [priority % 2 == 0 for priority in _first_of_each(level)]
        self._leaving: Sets[V] = {}
        self._inner: dict[int, list[tuple[int, int, V]]] = {}
        forced: Sets[V] = {}
        for one in members:
            self._inner[one] = []
            out = universe.nothing
            for (target, priority), where in steps[one].items():
                if target in inside:
                    self._inner[one].append((level[priority], target, where))
                else:
                    if target not in forced:
                        forced[target] = force(target, known[target])
                    out = universe.of.some((out, universe.of.every((where, forced[target]))))
            self._leaving[one] = out
        self._needed = {(level, target) for some in self._inner.values() for level, target, _ in some}
        self._guess: list[Sets[V]] = [{} for _ in self._good]
        self._forced: dict[tuple[int, int], tuple[V, V]] = {}

    def solved(self) -> Sets[V]:
        """The states that are won, for each member."""
        return self._fixpoint(0)

    def _fixpoint(self, level: int) -> Sets[V]:
        if level == len(self._good):
            return self._read_on()
        same = self._universe.same
        start = self._universe.everything if self._good[level] else self._universe.nothing
        self._guess[level] = dict.fromkeys(self._inner, start)
        while True:
            self._universe.tick()
            found = self._fixpoint(level + 1)
            before = self._guess[level]
            if all(same(before[target], found[target]) for at, target in self._needed if at == level):
                return found
            self._guess[level] = found

    def _read_on(self) -> Sets[V]:
        of = self._universe.of
        result: Sets[V] = {}
        for one, steps in self._inner.items():
            parts = [of.every((where, self._force_into(level, target))) for level, target, where in steps]
            result[one] = of.some((self._leaving[one], *parts))
        return result

    def _force_into(self, level: int, target: int) -> V:
        """Force of the present guess; kept until the guess changes."""
        guess = self._guess[level][target]
        known = self._forced.get((level, target))
        if known is None or not self._universe.same(known[0], guess):
            known = self._forced[level, target] = guess, self._force(target, guess)
        return known[1]


def _levels(priorities: set[int]) -> dict[int, int]:
    """Priorities by how far inside their fixpoint is: neighbours that are both good or both bad share one."""
    level = -1
    before: int | None = None
    found: dict[int, int] = {}
    for priority in sorted(priorities):
        level += before is None or before % 2 != priority % 2
        found[priority] = level
        before = priority
    return found


def _first_of_each(level: dict[int, int]) -> list[int]:
    first: dict[int, int] = {}
    for priority, at in level.items():
        first.setdefault(at, priority)
    return list(first.values())
