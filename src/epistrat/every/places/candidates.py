"""Clauses that hold in all reachable states of a few sizes: candidates for invariants of all sizes.

States are numbered; an atom at places is the set of states in which it holds, as the bits of a number.  So a clause is checked by one
operation for each pair of places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import combinations, islice, product
from operator import and_
from typing import TypeAlias

from epistrat.every.places.clauses import SIDES, Atom, Clause, Spot
from epistrat.every.places.family import Cell, Family
from epistrat.lang.templates.index import Env as Numbers
from epistrat.lang.templates.tree import Declared
from epistrat.model.agent import Variable
from epistrat.model.explore import TooManyStates, explore
from epistrat.model.initial import each_initial_state
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.solvers.budget import Budget
from epistrat.terms import Bounded, Integer, Value

MOST_STATES = 2_000
_MOST_STEPS = 40_000
MOST_VALUES = 4
MOST_CLAUSES = 100
_SMALL = Bounded(-1, 3)
_NAME = re.compile(r"([^\[]*)(?:\[(.*)\])?$")

Places: TypeAlias = tuple[int, ...]


class Listed:
    """The reachable states of one size, as far as they are listed."""

    def __init__(self, system: System, size: int, budget: Budget) -> None:
        self.size = size
        self.stepper = Stepper(_bounded(system))
        self.system = self.stepper.system
        self.states = _reachable(self.stepper, budget)
        self._budget = budget
        self._before: list[list[int]] | None = None
        self.everything = (1 << len(self.states)) - 1
        self._position: dict[tuple[str, str, Places], int] = {}
        for place, variable in enumerate(system.variables):
            (agent, of_agent), (name, own) = _split(variable.owner), _split(variable.name)
            self._position[agent, name, (*of_agent, *own)] = place
        self._cells = {place: cell for cell, place in self._position.items()}
        self._sets: dict[tuple[Atom, Places], int | None] = {}

    def cell(self, place: int) -> tuple[str, str, Places]:
        """The cell that a place of a state holds: agent, variable, indices."""
        return self._cells[place]

    def compares(self, op: str, index: int, at: Spot, env: Numbers) -> bool:
        """Whether an index is related so to a spot."""
        return _COMPARE[op](index, self._place(at, env))

    def before(self, states: int) -> int:
        """The listed states from which runs lead into these, these included."""
        if self._before is None:
            number = {state: place for place, state in enumerate(self.states)}
            self._before = [[] for _ in self.states]
            for place, state in enumerate(self.states):
                self._budget.check()
                for target in {step.target for step in self.stepper.steps(state)}:
                    if target in number:
                        self._before[number[target]].append(place)
        pending = [place for place in range(len(self.states)) if states >> place & 1]
        while pending:
            for place in self._before[pending.pop()]:
                if not states >> place & 1:
                    states |= 1 << place
                    pending.append(place)
        return states

    def where(self, atom: Atom, env: Numbers) -> int | None:
        """The states in which the atom holds at these places; None where there is no such cell."""
        key = atom, tuple([self._place(one, env) for one in (*atom.at, *atom.places)])
        if key not in self._sets:
            self._sets[key] = self._found(atom, env)
        return self._sets[key]

    def _found(self, atom: Atom, env: Numbers) -> int | None:
        place = self._position.get((atom.agent, atom.variable, tuple([self._place(one, env) for one in atom.at])))
        if place is None:
            return None
        holds = self._test(atom, env)
        return sum(1 << number for number, state in enumerate(self.states) if holds(state[place]))

    def _test(self, atom: Atom, env: Numbers) -> Callable[[Value], bool]:
        places = [self._place(one, env) for one in atom.places]
        if not atom.word:
            return lambda value: _COMPARE[atom.op](value, places[0])  # type: ignore[arg-type]
        wanted: Value = f"{atom.word}[{', '.join(map(str, places))}]" if places else atom.word
        if atom.word in ("true", "false"):
            wanted = atom.word == "true"
        return lambda value: (value == wanted) is (atom.op == "=")

    def _place(self, one: Spot, env: Numbers) -> int:
        name, more = one
        return more + (self.size if name == "n" else env[name] if name else 0)

    def satisfies(self, clause: Clause) -> bool:
        """Whether all states do."""
        if clause.side == "some":
            return self._have_some(clause)
        for env in _pairs(clause.side, self.size):
            sets = [self.where(atom, env) for atom in clause.atoms]
            if None not in sets and reduce(and_, [one for one in sets if one is not None], self.everything):
                return False
        return True

    def _have_some(self, clause: Clause) -> bool:
        given = [self.where(one, {}) or 0 for one in clause.atoms if not one.of("x")]
        left = reduce(and_, given, self.everything)
        for env in _pairs("x", self.size):
            left &= ~reduce(and_, [self.where(one, env) or 0 for one in clause.atoms if one.of("x")], self.everything)
        return not left


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _reachable(stepper: Stepper, budget: Budget) -> list[State]:
    """The first of them, with small numbers where there are no bounds: what candidates are drawn from need not be all."""
    starts = list(islice(each_initial_state(stepper.system, budget), MOST_STATES))
    try:
        return list(explore(stepper, starts, MOST_STATES, budget, steps=_MOST_STEPS).states)
    except TooManyStates as limit:
        return list(limit.seen.states)


def _bounded(system: System) -> System:
    def small(variable: Variable) -> Variable:
        return replace(variable, domain=_SMALL) if isinstance(variable.domain, Integer) else variable

    agents = [replace(one, variables=tuple(map(small, one.variables))) for one in system.agents]
    return replace(system, agents=tuple(agents))


def _split(name: str) -> tuple[str, Places]:
    match = _NAME.match(name)
    assert match is not None
    return match[1], tuple([int(one) for one in match[2].split(",")]) if match[2] else ()


def _pairs(side: str, size: int) -> Iterator[dict[str, int]]:
    """The places that are related so."""
    names = SIDES[side]
    for places in product(range(1, size + 1), repeat=len(names)):
        x, y = (*places, 0, 0)[:2]
        related = {
            "before": x < y,
            "next": y == x + 1,
            "ring": y == x % size + 1,
            "apart": x != y,
        }.get(side, True)
        if related:
            yield dict(zip(names, places, strict=True))


# what may be compared


def atoms(family: Family, name: str) -> list[Atom]:
    """The comparisons of cells at a place, which is called so (nothing: of cells without a place, and at the ends)."""
    found: list[Atom] = []
    for cell in family.cells.values():
        for at in _at(cell, name):
            found += _of_cell(cell, at, name)
    return found


def _at(cell: Cell, name: str) -> Iterator[tuple[Spot, ...]]:
    """The indices at which a cell is looked at."""
    options: list[list[Spot]] = []
    for scope in cell.scopes:
        binder = scope.binders[0]
        if binder.low.op == "#" and binder.high.op == "#":
            options.append([("", one) for one in range(binder.low.number, binder.high.number + 1)])
        else:
            options.append([(name, 0)] if name else [("", 1), ("n", 0)])
    yield from product(*options)


def _of_cell(cell: Cell, at: tuple[Spot, ...], name: str) -> Iterator[Atom]:
    """Comparisons of a cell; with nothing that is the place of this name, where it is not looked at there."""
    here = not name or any(one == name for one, _ in at)
    for op, word, places in _compared(cell, name):
        if here or any(one == name for one, _ in places):
            yield Atom(cell.agent.name.word, cell.declared.name.word, at, op, word, places)


def _compared(cell: Cell, name: str) -> Iterator[tuple[str, str, tuple[Spot, ...]]]:
    """What a cell is compared with: words, the ends of its range, small numbers, and the place."""
    declared = cell.declared
    if cell.boolean:
        yield from (("=", word, ()) for word in ("true", "false"))
    elif declared.kind == "{":
        yield from _words(declared, name)
    elif declared.low is None or declared.high is None:
        yield from ((op, "", (("", 0),)) for op in ("<", "=", ">"))
    elif declared.low.op == "#" and declared.high.op == "#":
        if declared.high.number - declared.low.number < MOST_VALUES:
            values = range(declared.low.number, declared.high.number + 1)
            yield from (("=", "", (("", one),)) for one in values)
    else:
        ends: tuple[Spot, ...] = (("n", 0), ("", 0), *([(name, 0)] if name else []))
        for end in ends:
            yield from (
                (op, "", (end,)) for op in (("=", "<>", "<", ">", "<=", ">=") if end[0] == name else ("=", "<>"))
            )


def _words(declared: Declared, name: str) -> Iterator[tuple[str, str, tuple[Spot, ...]]]:
    indexed = any(value.name.indices for value in declared.values)
    for value in declared.values:
        if not value.name.indices:
            yield "=", value.name.word, ()
            if indexed or len(declared.values) > 2:
                yield "<>", value.name.word, ()
        elif name:
            yield from ((op, value.name.word, ((name, 0),)) for op in ("=", "<>"))


# clauses


def clauses(family: Family, sizes: Sequence[Listed], tick: Callable[[], None]) -> list[Clause]:
    """The clauses that hold in all listed states, without those that others make needless; the shortest where they are many."""
    return sorted(_Drawn(family, sizes, tick).found, key=lambda one: len(one.atoms))[:MOST_CLAUSES]


class _Drawn:
    """Clauses drawn one after the other, those that say more first."""

    def __init__(self, family: Family, sizes: Sequence[Listed], tick: Callable[[], None]) -> None:
        self._sizes, self._tick = sizes, tick
        self._sets: dict[Atom, tuple[int, ...]] = {}
        self._wider: dict[tuple[Atom, Atom], bool] = {}
        self.found: list[Clause] = []
        fixed, of_x = atoms(family, ""), atoms(family, "x")
        for one in fixed:
            self._draw("any", one)
        for one in of_x:
            self._draw("x", one)
        fixed, of_x = self._telling(fixed, "any"), self._telling(of_x, "x")
        of_y = {one: _renamed(one, "x", "y") for one in of_x}
        self._sets.update({of_y[one]: self._sets[one] for one in of_x})
        self._draw_pairs(fixed, of_x, of_y)
        scalar, moving = [one for one in fixed if not one.at], [one for one in of_x if not one.at]
        standing = [one for one in of_x if one.at]
        for one, other, third in product(scalar, moving, standing):
            self._draw("x", one, other, third)
        for some in [(one,) for one in standing] + list(product(standing, moving)):
            self._draw_some((), some)
            for one in scalar:
                self._draw_some((one,), some)

    def _draw_some(self, given: tuple[Atom, ...], there: tuple[Atom, ...]) -> None:
        """That there is a place, unless it was found to be so in more states."""
        for one in self.found:
            if one.side != "some" or not self._says_more([a for a in one.atoms if not a.of("x")], given):
                continue
            if all(any(self._within(other, wide) for other in one.atoms) for wide in there):
                return
        clause = Clause("some", (*given, *there))
        if all(one.satisfies(clause) for one in self._sizes):
            self.found.append(clause)

    def _draw_pairs(self, fixed: Sequence[Atom], of_x: Sequence[Atom], of_y: dict[Atom, Atom]) -> None:
        for one, other in combinations(fixed, 2):
            self._draw("any", one, other)
        for one, other in [*combinations(of_x, 2), *product(fixed, of_x)]:
            self._draw("x", one, other)
        for side in ("apart", "before", "ring", "next"):
            for one, other in product(of_x, of_x):
                if side != "apart" or of_x.index(one) <= of_x.index(other):
                    self._draw(side, one, of_y[other])

    def _telling(self, given: Sequence[Atom], side: str) -> list[Atom]:
        """The atoms that hold in some of the listed states and not in all, the wider ones first.

        Of those that hold in the same states there is one.
        """
        found: dict[tuple[int, ...], Atom] = {}
        pairs = [(size, env) for size in self._sizes for env in _pairs(side, size.size)]
        every = tuple([size.everything for size, _ in pairs])
        for one in given:
            sets = tuple([size.where(one, env) or 0 for size, env in pairs])
            if any(sets) and sets != every and sets not in found:
                found[sets] = one
                self._sets[one] = sets
        return sorted(found.values(), key=lambda one: -sum(part.bit_count() for part in self._sets[one]))

    def _draw(self, side: str, *parts: Atom) -> None:
        """Keep the clause if all listed states satisfy it and no other says as much."""
        self._tick()
        if any(
            one.side != "some" and _covers(one.side, side) and self._says_more(one.atoms, parts) for one in self.found
        ):
            return
        clause = Clause(side, parts)
        if (len(parts) == 1 or _different(*parts[:2])) and all(one.satisfies(clause) for one in self._sizes):
            self.found.append(clause)

    def _says_more(self, wide: Sequence[Atom], narrow: Sequence[Atom]) -> bool:
        """Whether each of the wide atoms holds wherever one of the narrow ones does."""
        return all(any(self._within(one, other) for one in narrow) for other in wide)

    def _within(self, narrow: Atom, wide: Atom) -> bool:
        if narrow == wide:
            return True
        key = narrow, wide
        if key not in self._wider:
            sets, others = self._sets.get(narrow, ()), self._sets.get(wide, ())
            named = {name for name, _ in (*narrow.at, *narrow.places)} == {name for name, _ in (*wide.at, *wide.places)}
            alike = bool(sets) and len(sets) == len(others) and named
            self._wider[key] = alike and all(not one & ~other for one, other in zip(sets, others, strict=True))
        return self._wider[key]


def _different(one: Atom, other: Atom) -> bool:
    """Whether they are about different cells, or one cell and different places."""
    return (one.agent, one.variable, one.at) != (other.agent, other.variable, other.at) or one.places != other.places


def _covers(side: str, other: str) -> bool:
    """Whether a clause about places related so says the same of places related in the other way."""
    if side == other or side in ("any", "x"):
        return True
    return (
        (side == "apart" and other in ("before", "next", "ring"))
        or (side == "before" and other == "next")
        or (side == "ring" and other == "next")
    )


def _renamed(one: Atom, old: str, new: str) -> Atom:
    """The same about another place."""

    def other(spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
        return tuple([(new if name == old else name, more) for name, more in spots])

    return Atom(one.agent, one.variable, other(one.at), one.op, one.word, other(one.places))
