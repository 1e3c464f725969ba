"""Invariants of families: of places x and y, related so, not all of these conditions hold.

Conditions compare one cell with a value or an index.  They are small enough to be kept in a certificate as data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import z3

from epistrat.every.places.family import Env, Family, Moment, equal, ordered
from epistrat.every.places.first_order import (
    AllOf,
    AnyOf,
    Condition,
    Every,
    Place,
    Plain,
    Some,
    conjunction,
    negation,
    opposite,
)
from epistrat.records import dataclass

Spot: TypeAlias = tuple[str, int]
"""A place: ``x``, ``y``, ``n``, or nothing, and what is added."""
Data: TypeAlias = Mapping[str, Any]

SIDES = {
    "any": (),
    "x": ("x",),
    "before": ("x", "y"),
    "next": ("x", "y"),
    "ring": ("x", "y"),
    "apart": ("x", "y"),
    "some": ("x",),
}
"""How places are related, and which there are: x before y, y next behind x, also the first behind the last, x and y two places.

``some``: where the atoms without x hold, there is a place x for which the others do.
"""


class Unreadable(ValueError):
    """What should be a clause is none."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A cell at places, compared: with a word and its places, or with a place."""

    agent: str
    variable: str
    at: tuple[Spot, ...]
    op: str
    word: str = ""
    places: tuple[Spot, ...] = ()

    def truth(self, family: Family, moment: Moment, env: Env) -> Plain:
        """Where it holds."""
        cell = family.cells[self.agent, self.variable]
        value = moment.value(cell, [spot(family, one, env) for one in self.at])
        if not self.word:
            return Plain(ordered(self.op, value[0], spot(family, self.places[0], env)))
        if cell.boolean:
            alike = Plain(value[0] == family.whole(int(self.word == "true")))
        else:
            rest = [spot(family, one, env) for one in self.places]
            zeros = [family.whole(0)] * (len(value) - 1 - len(rest))
            alike = equal(value, (family.code(self.word), *rest, *zeros))
        return alike if self.op == "=" else Plain(negation(family.context, alike.term))

    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "agent": self.agent,
            "variable": self.variable,
            "at": [list(one) for one in self.at],
            "op": self.op,
            "word": self.word,
            "places": [list(one) for one in self.places],
        }

    def of(self, name: str) -> bool:
        """Whether it is about the place of this name."""
        return any(name == one for one, _ in (*self.at, *self.places))

    def __str__(self) -> str:
        owner = self.agent
        at = [_shown(one) for one in self.at]
        right = self.word or _shown(self.places[0])
        if self.word and self.places:
            right += f"[{', '.join(map(_shown, self.places))}]"
        return f"{owner}.{self.variable}{f'({chr(44).join(at)})' if at else ''} {self.op} {right}"


@dataclass(frozen=True, slots=True)
class Clause:
    """For all places that are related so, not all of the atoms hold."""

    side: str
    atoms: tuple[Atom, ...]

    def truth(self, family: Family, moment: Moment) -> Condition:
        """Where it holds."""
        if self.side == "some":
            return self._some(family, moment)
        names = SIDES[self.side]

        def says(env: Env, rest: Sequence[str]) -> Condition:
            if rest:
                return Every(lambda place: says({**env, rest[0]: place}, rest[1:]))
            parts = [*self._within(family, env), *[atom.truth(family, moment, env) for atom in self.atoms]]
            return Plain(negation(family.context, conjunction(family.context, [one.term for one in parts])))

        return says(family.env(), names)

    def _some(self, family: Family, moment: Moment) -> Condition:
        def there(place: Place) -> Condition:
            env = {**family.env(), "x": place}
            inside = [one.truth(family, moment, env) for one in self.atoms if one.of("x")]
            return AllOf((*self._within(family, env), *inside))

        given = [one.truth(family, moment, family.env()) for one in self.atoms if not one.of("x")]
        return AnyOf((*map(opposite, given), Some(there)))

    def denied(self, family: Family, moment: Moment) -> Condition:
        """Where it does not hold, at the places of `here`."""
        if self.side == "some":
            return opposite(self._some(family, moment))
        env = {**family.env(), **dict(zip(SIDES[self.side], here(family, self.side), strict=True))}
        return AllOf((*self._within(family, env), *[atom.truth(family, moment, env) for atom in self.atoms]))

    def _within(self, family: Family, env: Env) -> list[Plain]:
        """The places are places, and related so."""
        size = family.size
        within: list[Any] = [z3.And(env[name] >= 1, env[name] <= size) for name in SIDES[self.side]]
        match self.side:
            case "before":
                within.append(env["x"] < env["y"])
            case "next":
                within.append(env["y"] == env["x"] + 1)
            case "ring":
                within.append(env["y"] == z3.If(env["x"] == size, family.whole(1), env["x"] + 1))
            case "apart":
                within.append(env["x"] != env["y"])
        return [Plain(one) for one in within]

    def __str__(self) -> str:
        if self.side == "some":
            given = " and ".join(str(one) for one in self.atoms if not one.of("x"))
            there = " and ".join(str(one) for one in self.atoms if one.of("x"))
            return f"{f'where {given}, ' if given else ''}for some x: {there}"
        where = {
            "any": "",
            "x": "for all x: ",
            "before": "for all x < y: ",
            "next": "for all x and y = x + 1: ",
            "ring": "for all x and the next y: ",
            "apart": "for all x <> y: ",
        }
        return f"{where[self.side]}not ({' and '.join(map(str, self.atoms))})"

    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "places": self.side,
            "not": [one.data() for one in self.atoms],
        }


def here(family: Family, side: str) -> list[Place]:
    """Places with the names of those that clauses speak of."""
    return [z3.Int(name, family.context) for name in SIDES[side]]


def spot(family: Family, one: Spot, env: Env) -> Place:
    """The place."""
    name, more = one
    if not name:
        return family.whole(more)
    start = family.size if name == "n" else env[name]
    return z3.simplify(start + more) if more else start


def clause(family: Family, data: Data) -> Clause:
    """The clause of what JSON has; raises `Unreadable` where it is none of this family."""
    try:
        side, atoms = str(data["places"]), tuple([atom_of(family, one) for one in data["not"]])
    except (KeyError, TypeError, ValueError) as wrong:
        raise Unreadable(f"{type(wrong).__name__}: {wrong}") from None
    if side not in SIDES or not atoms:
        raise Unreadable("a clause about other places")
    names = {name for atom in atoms for name, _ in (*atom.at, *atom.places)}
    if not names <= {"", "n", *SIDES[side]}:
        raise Unreadable("a clause about a place that it does not name")
    return Clause(side, atoms)


def atom_of(family: Family, data: Data) -> Atom:
    """A comparison; raises ValueError and its like where it is none of this family."""
    made = Atom(
        str(data["agent"]),
        str(data["variable"]),
        tuple([spot_of(one) for one in data["at"]]),
        str(data["op"]),
        str(data["word"]),
        tuple([spot_of(one) for one in data["places"]]),
    )
    cell = family.cells[made.agent, made.variable]
    if len(made.at) != len(cell.names) or made.op not in ("=", "<>", "<", "<=", ">", ">="):
        raise ValueError("another number of indices, or another comparison")
    if made.word:
        if made.op not in ("=", "<>") or len(made.places) + 1 > max(2, family.width(cell)):
            raise ValueError("a word is compared by = and <>")
        if not cell.boolean and cell.declared.kind != "{":
            raise ValueError("a word is compared with a number")
    elif len(made.places) != 1 or cell.boolean or cell.declared.kind == "{":
        raise ValueError("a number is compared with one place")
    return made


def spot_of(data: Any) -> Spot:
    """A place of what JSON has; raises ValueError where it is none."""
    name, more = data
    if not isinstance(name, str) or not isinstance(more, int) or isinstance(more, bool):
        raise ValueError("a place is a name and a number")
    return name, more


def _shown(one: Spot) -> str:
    name, more = one
    if not name:
        return str(more)
    return name if not more else f"{name} {'+' if more > 0 else '-'} {abs(more)}"
