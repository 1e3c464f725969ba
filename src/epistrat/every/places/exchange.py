"""What is not known: for every state another one that looks the same and can be reached too, though the fact is false there.

The other state is the first with some cells *changed*: flipped, or set to a value, at named places or at all places on one side of one.
What changes stays as it is while a run goes on, so the changed run is a run; a *guard* says from which states on it is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import z3

from epistrat.every.places.claims import Claim
from epistrat.every.places.clauses import Atom, Clause, Spot, Unreadable, atom_of, spot, spot_of
from epistrat.every.places.family import Cell, Env, Family, Moment, Value, equal, ordered
from epistrat.every.places.first_order import AllOf, AnyOf, Condition, Place, Plain, implies, opposite
from epistrat.every.places.obligations import Obligation, Obligations
from epistrat.every.places.reading import Eyes, indices
from epistrat.records import dataclass

FLIPPED = ""


@dataclass(frozen=True, slots=True)
class Change:
    """Cells of one name, at places that are so related to a spot: `= i`, `> i`; they get the word, or (no word) the other of two values."""

    agent: str
    variable: str
    relation: str
    at: Spot
    word: str = FLIPPED

    def hits(self, family: Family, place: Place, env: Env) -> Any:
        """Whether the cell at a place changes."""
        return ordered(self.relation, place, spot(family, self.at, env))

    def value(self, family: Family, cell: Cell, before: Value) -> Value:
        """What it then holds."""
        if cell.boolean:
            return (1 - before[0],) if self.word == FLIPPED else (family.whole(int(self.word == "true")),)
        first, second = (family.code(one.name.word) for one in cell.declared.values[:2])
        return (z3.If(before[0] == first, second, first),) if self.word == FLIPPED else (family.code(self.word),)

    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "agent": self.agent,
            "variable": self.variable,
            "relation": self.relation,
            "at": list(self.at),
            "word": self.word,
        }


@dataclass(frozen=True, slots=True)
class Exchange:
    """Changes, and where they are looked at: the guard, and some of the premises of the claim, by number."""

    changes: tuple[Change, ...]
    guard: tuple[Atom, ...]
    premises: tuple[int, ...] = ()

    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        guard = [one.data() for one in self.guard]
        return {"changes": [one.data() for one in self.changes], "guard": guard, "premises": list(self.premises)}


def exchange(family: Family, data: Mapping[str, Any], claim: Claim) -> Exchange:
    """The exchange for a claim that JSON has; raises `Unreadable` where it is none of this family."""
    names = indices(claim.scopes)
    try:
        changes = tuple([_change(family, one) for one in data["changes"]])
        guard = tuple([atom_of(family, one) for one in data["guard"]])
        premises = tuple([int(one) for one in data["premises"]])
    except (KeyError, TypeError, ValueError) as wrong:
        raise Unreadable(f"{type(wrong).__name__}: {wrong}") from None
    spots = [one.at for one in changes] + [each for one in guard for each in (*one.at, *one.places)]
    if not {name for name, _ in spots} <= {"", "n", *names}:
        raise Unreadable("a place that the formula does not name")
    if not set(premises) <= set(range(len(claim.premise))):
        raise Unreadable("a premise that the formula does not have")
    return Exchange(changes, guard, premises)


def _change(family: Family, data: Mapping[str, Any]) -> Change:
    made = Change(
        str(data["agent"]), str(data["variable"]), str(data["relation"]), spot_of(data["at"]), str(data["word"])
    )
    cell = family.cells[made.agent, made.variable]
    words = {one.name.word for one in cell.declared.values}
    if len(cell.names) != 1 or not two_valued(cell) or made.relation not in ("=", "<>", "<", ">", "<=", ">="):
        raise ValueError("a change of such a cell")
    if made.word and made.word not in (("true", "false") if cell.boolean else words):
        raise ValueError("a change to another value")
    return made


def two_valued(cell: Cell) -> bool:
    """Whether the cell has two values."""
    values = cell.declared.values
    return cell.boolean or (
        cell.declared.kind == "{" and len(values) == 2 and not any(one.name.indices or one.scope for one in values)
    )


class Ignorance:
    """The obligations of an exchange."""

    def __init__(self, made: Obligations, claim: Claim, exchange: Exchange, clauses: Sequence[Clause]) -> None:
        self._made, self._family, self._claim, self._exchange = made, made.family, claim, exchange
        self._clauses = clauses
        self._after = Moment(self._family, "t'")

    def obligations(self) -> Iterator[Obligation]:
        """All of them."""
        made, now, later, other, after = self._made, self._made.now, self._made.later, self._made.other, self._after
        step = made.steps.step(now, later)
        reached = made.reached(self._clauses, now)
        yield self._asked(
            "a start whose exchange is none",
            lambda env: (
                made.steps.initial(now),
                self._guard(now, env),
                self._related(now, other, env),
                opposite(made.steps.initial(other)),
            ),
        )
        yield self._asked(
            "a step whose exchange is none",
            lambda env: (
                *reached,
                *made.reached(self._clauses, other),
                step,
                self._guard(later, env),
                self._related(now, other, env),
                self._related(later, after, env),
                self._same_actions(now, other),
                opposite(made.steps.step(other, after)),
            ),
        )
        yield self._asked(
            "a step into the guard from outside",
            lambda env: (*reached, step, self._guard(later, env), opposite(self._guard(now, env))),
        )
        yield self._asked(
            "a state of the claim that is not guarded",
            lambda env: (*reached, *self._claimed(env), opposite(self._guard(now, env))),
        )
        yield self._asked(
            "a state of the claim whose exchange does not do",
            lambda env: (*reached, *self._claimed(env), self._fails(env)),
        )

    def _asked(self, meaning: str, says: Any) -> Obligation:
        """Some members of the claim's ranges, and what is said of them."""
        condition = self._family.somewhere(self._claim.scopes, self._family.env(), lambda env: AllOf(tuple(says(env))))
        spots = [one.at for one in self._exchange.changes if one.at[0] in ("", "n")]
        return Obligation(meaning, (condition,), tuple([spot(self._family, one, {}) for one in spots]))

    def _claimed(self, env: Env) -> list[Condition]:
        eyes = Eyes(self._made.now, env)
        return [self._made.reader.truth(one, eyes) for one in (*self._claim.premise, self._claim.fact)]

    def _guard(self, moment: Moment, env: Env) -> Condition:
        eyes = Eyes(moment, env)
        atoms = [one.truth(self._family, moment, env) for one in self._exchange.guard]
        premises = [self._made.reader.truth(self._claim.premise[one], eyes) for one in self._exchange.premises]
        return AllOf((*atoms, *premises))

    def _fails(self, env: Env) -> Condition:
        made, other = self._made, self._made.other
        assert self._claim.who is not None
        alike = made.alike(self._claim.who, env, made.now, other)
        fact = made.reader.truth(self._claim.fact, Eyes(other, env))
        return AllOf((self._related(made.now, other, env), AnyOf((opposite(alike), fact))))

    def _related(self, one: Moment, other: Moment, env: Env) -> Condition:
        """The other moment holds what the exchange makes of this one."""
        return AllOf(tuple([self._of_cell(cell, one, other, env) for cell in self._family.cells.values()]))

    def _of_cell(self, cell: Cell, one: Moment, other: Moment, members: Env) -> Condition:
        changes = [each for each in self._exchange.changes if (each.agent, each.variable) == cell.key]

        def says(env: Env) -> Condition:
            before, after = self._family.of(one, cell, env), self._family.of(other, cell, env)
            left: list[Any] = []
            parts: list[Condition] = []
            for change in changes:
                hit = z3.And([z3.Not(each) for each in left] + [change.hits(self._family, env[cell.names[0]], members)])
                parts.append(implies(Plain(hit), equal(after, change.value(self._family, cell, before))))
                left.append(hit)
            return AllOf((*parts, AnyOf((*map(Plain, left), equal(after, before)))))

        return self._family.everywhere(cell.scopes, self._family.env(), says)

    def _same_actions(self, one: Moment, other: Moment) -> Condition:
        """Everybody does the same."""
        parts = []
        for agent in self._family.template.agents:
            if agent.actions:

                def same(env: Env, agent: Any = agent) -> Condition:
                    places = [env[name] for name in indices(agent.scopes)]
                    return equal(one.action(agent, places), other.action(agent, places))

                parts.append(self._family.everywhere(agent.scopes, self._family.env(), same))
        return AllOf(tuple(parts))
