"""Conditions with quantifiers over places, and how they are asked without quantifiers.

A solver is asked whether conditions can be true together.  It gets no quantifier: what is said of some place is said of a place with a
name of its own, and what is said of all places is said of a finite list of them.  So it is told less than is assumed, and where it finds
that even this cannot be, the conditions cannot be true together.  Where it finds values, nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import z3

from epistrat.records import dataclass, field

Place: TypeAlias = Any
"""A whole number of the solver's: an index."""


@dataclass(frozen=True, slots=True, eq=False)
class Plain:
    """A condition of the solver's."""

    term: Any


@dataclass(frozen=True, slots=True, eq=False)
class AllOf:
    """All of the conditions."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AnyOf:
    """One of the conditions."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Every:
    """A condition on every place; ``made`` keeps what it says of those that were asked about."""

    says: Callable[[Place], Condition]
    made: dict[int, tuple[Place, Condition]] = field(default_factory=dict)

    def at(self, place: Place) -> Condition:
        """What it says of one place."""
        key = place.get_id()
        if key not in self.made:
            self.made[key] = (place, self.says(place))
        return self.made[key][1]


@dataclass(frozen=True, slots=True, eq=False)
class Some:
    """A condition on some place; ``made`` keeps the place and what is said of it."""

    says: Callable[[Place], Condition]
    made: list[tuple[Place, Condition]] = field(default_factory=list)

    def at(self, new: Callable[[], Place]) -> tuple[Place, Condition]:
        """The place, and what is said of it."""
        if not self.made:
            place = new()
            self.made.append((place, self.says(place)))
        return self.made[0]


Condition: TypeAlias = Plain | AllOf | AnyOf | Every | Some


def both(*parts: Condition) -> Condition:
    """All of these."""
    return parts[0] if len(parts) == 1 else AllOf(parts)


def either(*parts: Condition) -> Condition:
    """One of these."""
    return parts[0] if len(parts) == 1 else AnyOf(parts)


def opposite(condition: Condition) -> Condition:
    """The condition that holds where this one does not."""
    match condition:
        case Plain(term):
            return Plain(negation(term.ctx, term))
        case AllOf(parts):
            return AnyOf(tuple([opposite(part) for part in parts]))
        case AnyOf(parts):
            return AllOf(tuple([opposite(part) for part in parts]))
        case Every(says):
            return Some(lambda place: opposite(says(place)))
        case Some(says):
            return Every(lambda place: opposite(says(place)))


def implies(premise: Condition, conclusion: Condition) -> Condition:
    """The conclusion holds wherever the premise does."""
    return AnyOf((opposite(premise), conclusion))


def same(one: Condition, other: Condition) -> Condition:
    """Both hold or neither does."""
    return AllOf((implies(one, other), implies(other, one)))


class Ground:
    """Conditions as the solver is told them, in one context.

    ``near`` gives places that are looked at with a place: its neighbours.  Every place whose existence is said has a name of its own, and
    what was told once is kept.
    """

    def __init__(
        self, context: z3.Context, near: Callable[[Place], Iterable[Place]], tick: Callable[[], None] = lambda: None
    ) -> None:
        self.context = context
        self.tick = tick
        self._near = near
        self._count = 0
        self._told: dict[tuple[int, tuple[int, ...]], tuple[Condition, Any]] = {}

    def new(self) -> Place:
        """A place with a name of its own."""
        self._count += 1
        return z3.Int(f"place {self._count}", self.context)

    def told(
        self, conditions: Sequence[Condition], fixed: Sequence[Place], rounds: int, neighbours: bool = True
    ) -> list[Any]:
        """What the solver is told of the conditions.

        All places are: those that are fixed, those whose existence is said outright, and their neighbours; then those whose existence is
        said of all these, ``rounds`` times.
        """
        places = self.places(conditions, fixed, rounds)
        near = [one for place in places for one in self._near(place)] if neighbours else []
        everywhere = _distinct([*places, *near])
        key = tuple([place.get_id() for place in everywhere])
        return [self._once(condition, everywhere, key) for condition in conditions]

    def places(self, conditions: Sequence[Condition], fixed: Sequence[Place], rounds: int) -> tuple[Place, ...]:
        """The places that are looked at, without neighbours."""
        places: tuple[Place, ...] = ()
        for turn in range(rounds + 1):
            found: list[Place] = []
            for condition in conditions:
                self._places(condition, places, found)
            places = _distinct([*(places if turn else fixed), *found])
        return places

    def _places(self, condition: Condition, places: Sequence[Place], found: list[Place]) -> None:
        match condition:
            case AllOf(parts) | AnyOf(parts):
                for part in parts:
                    self._places(part, places, found)
            case Some():
                place, said = condition.at(self.new)
                found.append(place)
                self._places(said, places, found)
            case Every():
                for place in places:
                    self._places(condition.at(place), places, found)

    def _once(self, condition: Condition, places: Sequence[Place], key: tuple[int, ...]) -> Any:
        known = self._told.get((id(condition), key))
        self.tick()
        if known is None:
            known = self._told[id(condition), key] = condition, self._made(condition, places, key)
        return known[1]

    def _made(self, condition: Condition, places: Sequence[Place], key: tuple[int, ...]) -> Any:
        if isinstance(condition, Every):
            return conjunction(self.context, [self._term(condition.at(place), places, key) for place in places])
        return self._term(condition, places, key)

    def _term(self, condition: Condition, places: Sequence[Place], key: tuple[int, ...]) -> Any:
        match condition:
            case Plain(term):
                return term
            case AllOf(parts):
                return conjunction(self.context, [self._term(part, places, key) for part in parts])
            case AnyOf(parts):
                return disjunction(self.context, [self._term(part, places, key) for part in parts])
            case Some():
                return self._term(condition.at(self.new)[1], places, key)
            case Every():
                return self._once(condition, places, key)


def conjunction(context: z3.Context, terms: Sequence[Any]) -> Any:
    """All of the solver's conditions.  Z3's own function looks at the sort of each, which takes ten times as long."""
    return z3.BoolRef(z3.Z3_mk_and(context.ref(), len(terms), _array(terms)), context)


def disjunction(context: z3.Context, terms: Sequence[Any]) -> Any:
    """One of the solver's conditions."""
    return z3.BoolRef(z3.Z3_mk_or(context.ref(), len(terms), _array(terms)), context)


def negation(context: z3.Context, term: Any) -> Any:
    """The opposite of one of the solver's conditions."""
    return z3.BoolRef(z3.Z3_mk_not(context.ref(), term.as_ast()), context)


def _array(terms: Sequence[Any]) -> Any:
    return (z3.Ast * len(terms))(*[term.as_ast() for term in terms])


def _distinct(places: Iterable[Place]) -> tuple[Place, ...]:
    return tuple({place.get_id(): place for place in places}.values())
