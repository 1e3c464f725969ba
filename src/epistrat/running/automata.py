"""Properties as deterministic automata, and what each place of them means in each state.

The automaton of the formula and that of its negation are both followed as sets of their states; a place is a pair of such sets.
Which of their states can still accept some word is asked of the automaton alone.  A property is *violated* at a place where the first
set is empty: whatever is read from there, the formula is false.  In a state of the model it is *lost* if no (fair) run that goes on from
there is accepted by the first automaton, and *settled* if none is accepted by the second, and no place where it is violated can be reached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from epistrat.evidence.automata import accepted_points
from epistrat.evidence.cycles import components
from epistrat.logic.automaton import Automaton, automaton
from epistrat.logic.formula import Formula
from epistrat.logic.rewrite import negation
from epistrat.records import dataclass
from epistrat.running.properties import Unusable
from epistrat.running.runtime.answers import bits, sum_of
from epistrat.service.labelling import Labelled, States
from epistrat.solvers.budget import Budget

MOST_PLACES = 1_000
MOST_TICKS = 20_000

Place = tuple[frozenset[int], frozenset[int]]


@dataclass(frozen=True, slots=True)
class Machine:
    """The two automata of a property, and the state formulae that they read."""

    keeps: Automaton
    breaks: Automaton

    @property
    def atoms(self) -> tuple[Formula, ...]:
        """The state formulae that are read, each once."""
        return tuple(dict.fromkeys((*self.keeps.atoms, *self.breaks.atoms)))


@dataclass(frozen=True, slots=True)
class Places:
    """A property on the states of a model.  Sets of nodes are numbers whose bit ``place * states + state`` stands for a pair."""

    letters: tuple[int, ...]
    first: tuple[int, ...]
    after: tuple[tuple[int, ...], ...]
    violated: int
    lost: int
    settled: int


def machine_of(name: str, linear: Formula) -> Machine:
    """The automata of a linear formula; raises `Unusable` where they are too large."""
    ticks = count(1)

    def tick() -> None:
        if next(ticks) > MOST_TICKS:
            raise Unusable(f"{name} cannot be followed: its automaton is too large")

    return Machine(automaton(linear, tick=tick), automaton(negation(linear), tick=tick))


def alive(machine: Automaton) -> frozenset[int]:
    """The states of an automaton that accept some word: those with a way to a cycle that meets every acceptance set."""
    graph: dict[int, list[int]] = {state: [] for state in range(machine.states)}
    for one in machine.transitions:
        graph[one.source].append(one.target)
    good: set[int] = set()
    for component in components(graph):
        inside = set(component)
        met = {
            mark for one in machine.transitions if one.source in inside and one.target in inside for mark in one.sets
        }
        if len(met) == machine.acceptance:
            good |= inside
    grown = True
    while grown:
        before = {one.source for one in machine.transitions if one.target in good} - good
        good |= before
        grown = bool(before)
    return frozenset(good)


class Reader:
    """One automaton that reads letters, as a set of states."""

    def __init__(self, machine: Automaton, letters: Sequence[frozenset[Formula]]) -> None:
        self._alive = alive(machine)
        self._rows: list[dict[int, list[int]]] = []
        for true in letters:
            row: dict[int, list[int]] = {}
            for one in machine.transitions:
                if one.target in self._alive and all((atom in true) is value for atom, value in one.literals):
                    row.setdefault(one.source, []).append(one.target)
            self._rows.append(row)

    def start(self) -> frozenset[int]:
        """Before anything was read."""
        return self._alive & {0}

    def read(self, states: frozenset[int], letter: int) -> frozenset[int]:
        """After one more letter."""
        row = self._rows[letter]
        return frozenset(target for state in states for target in row.get(state, ()))


def places_of(name: str, machine: Machine, found: Labelled, budget: Budget) -> Places:
    """The property on all reachable states; raises `Unusable` where it needs too many places."""
    atoms, labels = machine.atoms, found.labels
    truths = [frozenset(atom for atom in atoms if state in labels[atom]) for state in range(len(found.reached.states))]
    numbers = {true: number for number, true in enumerate(dict.fromkeys(truths))}
    letters = tuple(numbers[true] for true in truths)
    keeps, breaks = Reader(machine.keeps, list(numbers)), Reader(machine.breaks, list(numbers))

    def read(place: Place, letter: int) -> Place:
        return keeps.read(place[0], letter), breaks.read(place[1], letter)

    start = (keeps.start(), breaks.start())
    steps = [sorted({target for _, target in row}) for row in found.reached.steps]
    places, first, rows, before = _explored(name, letters, len(numbers), steps, read, start, budget)
    size, everything = len(letters), (1 << len(letters)) - 1
    can_keep = _going_on(machine.keeps, found, steps)
    can_break = _going_on(machine.breaks, found, steps)
    violated = lost = settled = 0
    for (kept, broken), number in places.items():
        shift = number * size
        violated |= 0 if kept else everything << shift
        lost |= (everything & ~_union(can_keep, kept)) << shift
        settled |= (everything & ~_union(can_break, broken)) << shift
    if not found.fair:
        settled &= ~_leading_to(violated, before)
    return Places(letters, first, rows, violated, lost, settled & ~violated)


def _union(sets: dict[int, int], some: frozenset[int]) -> int:
    result = 0
    for one in some:
        result |= sets.get(one, 0)
    return result


def _explored(
    name: str,
    letters: Sequence[int],
    kinds: int,
    steps: Sequence[Sequence[int]],
    read: Callable[[Place, int], Place],
    start: Place,
    budget: Budget,
) -> tuple[dict[Place, int], tuple[int, ...], tuple[tuple[int, ...], ...], dict[int, list[int]]]:
    """All places that runs from any state come to: their numbers, the first ones, the table, and the nodes before each node."""
    numbers: dict[Place, int] = {}
    order: list[Place] = []
    rows: list[list[int]] = []

    def number(place: Place) -> int:
        if place not in numbers:
            numbers[place] = len(numbers)
            order.append(place)
            rows.append([-1] * kinds)
            if len(order) > MOST_PLACES:
                raise Unusable(
                    f"{name} cannot be followed: more than {MOST_PLACES:,} places of its automaton are needed"
                )
        return numbers[place]

    first = tuple(number(read(start, letter)) for letter in range(kinds))
    size = len(letters)
    queue = [first[letters[state]] * size + state for state in range(size)]
    seen, before = set(queue), dict[int, list[int]]()
    for done, node in enumerate(queue):
        if done % 1024 == 0:
            budget.check()
        place, state = divmod(node, size)
        for target in steps[state]:
            letter = letters[target]
            if rows[place][letter] < 0:
                rows[place][letter] = number(read(order[place], letter))
            after = rows[place][letter] * size + target
            before.setdefault(after, []).append(node)
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return numbers, first, tuple(tuple(max(one, 0) for one in row) for row in rows), before


def _going_on(machine: Automaton, found: Labelled, steps: Sequence[Sequence[int]]) -> dict[int, int]:
    """For each state of the automaton the states of the model from which some run goes on that it accepts, as a number."""

    def where(formula: Formula) -> States:
        return found.labels[formula]

    before: dict[int, list[int]] = {}
    for source, targets in enumerate(steps):
        for target in targets:
            before.setdefault(target, []).append(source)
    sets: dict[int, set[int]] = {}
    for state, place in accepted_points(steps, where, found.fair, machine):
        sets.setdefault(place, set()).update(before.get(state, ()))
    return {place: sum_of(states) for place, states in sets.items()}


def _leading_to(goal: int, before: dict[int, list[int]]) -> int:
    """The nodes with a way to the goal."""
    work = [node for node in bits(goal) if node in before]
    seen = set(work)
    while work:
        for node in before.get(work.pop(), ()):
            if node not in seen:
                seen.add(node)
                work.append(node)
    return sum_of(seen)
