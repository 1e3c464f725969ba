"""A family whose members stand in places 1, 2, ..., n: what each place holds, as functions of an index, for an n that is left open.

A *cell* is a variable with its indices: that of its agent first.  Its value is a list of whole numbers: of an enumeration the number of the
word, then the indices of the value (`busy[3]`); of a Boolean 1 or 0.  A *moment* gives all cells values, and says what is done next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

import z3

from epistrat.every.places.cells import Cell as Cell
from epistrat.every.places.first_order import AllOf, AnyOf, Condition, Every, Place, Plain, Some, implies, opposite
from epistrat.every.spots import Outside as Outside
from epistrat.lang.families.constants import Wrong
from epistrat.lang.templates.index import Index, terms_in
from epistrat.lang.templates.tree import AgentTree, Binder, Listed, Name, Scope, Template
from epistrat.source import Span

Value: TypeAlias = tuple[Any, ...]
Env: TypeAlias = Mapping[str, Place]
Says: TypeAlias = Callable[[Env], Condition]
ENVIRONMENT = "Environment"


class Moment:
    """Values of all cells, and what is done: functions of indices with a common first name."""

    def __init__(self, family: Family, name: str) -> None:
        self._family, self.name = family, name

    def value(self, cell: Cell, places: Sequence[Place]) -> Value:
        """What a cell holds."""
        width = self._family.width(cell)
        return tuple(self._at(f"{self.name}:{cell.word}", part, places) for part in range(width))

    def action(self, agent: AgentTree, places: Sequence[Place]) -> Value:
        """What an agent does; in an interleaved family what happens, whoever takes part."""
        if self._family.template.interleaved:
            return tuple(self._at(f"{self.name}:!", part, ()) for part in range(self._family.widest))
        return tuple(
            self._at(f"{self.name}:{agent.name.word}!", part, places) for part in range(self._family.acting(agent))
        )

    def _at(self, name: str, part: int, places: Sequence[Place]) -> Any:
        name = f"{name}:{part}" if part else name
        integer = z3.IntSort(self._family.context)
        if not places:
            return z3.Const(name, integer)
        return z3.Function(name, *[integer] * (len(places) + 1))(*places)


class Family:
    """The template, read for places."""

    def __init__(self, template: Template, context: z3.Context) -> None:
        self.template, self.context = template, context
        self.size = z3.Int(template.parameter.name, context)
        self.agents = {agent.name.word: agent for agent in template.agents}
        self.cells = {
            (agent.name.word, one.name.word): Cell(agent, one)
            for agent in template.agents
            for one in (*agent.public, *agent.variables)
        }
        self.propositions = {one.name.word: one for one in template.propositions}
        self.words = {value.name.word for cell in self.cells.values() for value in cell.declared.values}
        self._codes: dict[str, int] = {}
        self._check()

    def _check(self) -> None:
        """Raises `Outside` where the template is not read here."""
        if dict(self.template.settings).get("Knowledge", "Observation") != "Observation":
            raise Outside("knowledge that counts or remembers")
        for (_, name), cell in self.cells.items():
            if name in self.words:
                raise Outside(f"`{name}` is a variable and a value", cell.declared.at)
        for agent in self.template.agents:
            if len(agent.scopes) > 1 or any(len(scope.binders) > 1 for scope in agent.scopes):
                raise Outside("an agent with two indices", agent.at)
            if len(agent.name.indices) != len(agent.scopes) or any(scope.where for scope in agent.scopes):
                raise Outside("members that are chosen by a condition", agent.at)
        for cell in self.cells.values():
            if cell.declared.kind == "real":
                raise Outside("a variable of type real", cell.declared.at)
            if any(len(scope.binders) > 1 or scope.where for scope in cell.declared.scopes) or len(
                cell.declared.name.indices
            ) != len(cell.declared.scopes):
                raise Outside("cells that are chosen by a condition", cell.declared.at)
            if len(set(cell.names)) < len(cell.names):
                raise Outside("two indices with one name", cell.declared.at)
            if sum(self._grows(scope) for scope in cell.scopes) > 1:
                raise Outside(f"`{cell.declared.name}` relates pairs of members", cell.declared.at)
        if self.template.fairness:
            raise Outside("fairness", self.template.fairness[0].at)

    def _grows(self, scope: Scope) -> bool:
        names = {name for one in scope.binders for end in (one.low, one.high) for name in end.names()}
        return self.template.parameter.name in names

    def positions(self, moment: Moment) -> Iterator[Place]:
        """The places that cells without an index name: numbers that may be as large as n, and indices of values."""
        for cell in self.cells.values():
            if cell.names:
                continue
            value = moment.value(cell, ())
            yield from value[1:]
            bounds = [end for end in (cell.declared.low, cell.declared.high) if end is not None]
            if any(self.template.parameter.name in end.names() for end in bounds):
                yield value[0]

    def must_grow(self, cell: Cell, at: Span) -> None:
        """Raises `Outside` where the range of the cell has two ends that are the same for all sizes."""
        ends = [end for end in (cell.declared.low, cell.declared.high) if end is not None]
        if ends and all(end.op == "#" for end in ends):
            raise Outside(f"`{cell.declared.name}` meets a number that grows, and its range does not", at)

    # values

    def code(self, word: str) -> Any:
        """The number of a word."""
        return z3.IntVal(self._codes.setdefault(word, len(self._codes)), self.context)

    def width(self, cell: Cell) -> int:
        """How many numbers a value of the cell is."""
        return 1 + max((len(one.name.indices) for one in cell.declared.values), default=0)

    def acting(self, agent: AgentTree) -> int:
        """How many numbers an action of the agent is."""
        return 1 + max((len(one.name.indices) for one in agent.actions), default=0)

    @property
    def widest(self) -> int:
        """How many numbers an action of any agent is."""
        return max((self.acting(agent) for agent in self.template.agents), default=1)

    def named(self, name: Name, env: Env, width: int) -> Value:
        """A word with its indices as a value."""
        places = [self.place(one, env) for one in name.indices]
        rest = [z3.IntVal(0, self.context)] * (width - 1 - len(places))
        return (self.code(name.word), *places, *rest)

    def listed(self, one: Listed, env: Env, value: Value) -> Condition:
        """The value is one of an entry of a list."""
        if one.scope is None:
            return equal(value, self.named(one.name, env, len(value)))
        names = [binder.name for binder in one.scope.binders]
        given = {
            index.name: value[1 + place]
            for place, index in enumerate(one.name.indices)
            if index.op == "name" and index.name in names
        }
        return self.somewhere(
            (one.scope,), env, lambda inner: equal(value, self.named(one.name, inner, len(value))), given
        )

    def typed(self, cell: Cell, env: Env, value: Value) -> Condition:
        """The value is one that the cell can have; ``env`` gives its indices their places."""
        if cell.boolean:
            return Plain(z3.And(value[0] >= 0, value[0] <= 1))
        if cell.declared.kind == "..":
            low, high = cell.declared.low, cell.declared.high
            assert low is not None and high is not None
            return Plain(z3.And(self.place(low, env) <= value[0], value[0] <= self.place(high, env)))
        if cell.declared.kind == "{":
            return AnyOf(tuple([self.listed(one, env, value) for one in cell.declared.values]))
        return Plain(z3.BoolVal(True, self.context))

    def types(self, moment: Moment) -> Condition:
        """All cells hold values that they can have."""

        def says(cell: Cell, env: Env) -> Condition:
            return self.typed(cell, env, self.of(moment, cell, env))

        return AllOf(
            tuple([self.everywhere(cell.scopes, self.env(), partial(says, cell)) for cell in self.cells.values()])
        )

    def of(self, moment: Moment, cell: Cell, env: Env) -> Value:
        """What the cell holds at the places of its indices."""
        return moment.value(cell, [env[name] for name in cell.names])

    # indices

    def env(self) -> Env:
        """The parameter stands for the size."""
        return {self.template.parameter.name: self.size}

    def whole(self, number: int) -> Place:
        """A number."""
        return z3.IntVal(number, self.context)

    def met(self, terms: Sequence[Any]) -> Condition:
        """All of the solver's conditions."""
        return AllOf(tuple([Plain(term) for term in terms]))

    def place(self, index: Index, env: Env) -> Place:
        """An index term as a number."""
        return z3.simplify(self._number(index, env))

    def _number(self, index: Index, env: Env) -> Any:
        if index.op == "#":
            return z3.IntVal(index.number, self.context)
        if index.op == "name":
            if index.name not in env:
                raise Outside(f"the index {index.name}")
            return env[index.name]
        if index.op == "mod":
            return self._modulo(index, env)
        args = [self._number(arg, env) for arg in index.args]
        match index.op:
            case "+":
                return args[0] + args[1]
            case "-":
                return args[0] - args[1]
            case "negative":
                return -args[0]
            case "min":
                return z3.If(args[0] <= args[1], args[0], args[1])
            case "max":
                return z3.If(args[0] >= args[1], args[0], args[1])
            case "*" if any(arg.op == "#" for arg in index.args):
                return args[0] * args[1]
            case "/" if index.args[1].op == "#" and index.args[1].number > 0:
                return args[0] / args[1]
        raise Outside(f"the index term {index}")

    def _modulo(self, index: Index, env: Env) -> Any:
        """A number of at least ``-n`` and less than ``2 n``, modulo n: what it is beyond is left open."""
        value, by = self._number(index.args[0], env), index.args[1]
        if by.op == "#" and by.number > 0:
            return value % by.number
        size = self._number(by, env)
        integer = z3.IntSort(self.context)
        beyond = z3.Function("beyond", integer, integer, integer)(value, size)
        turned = z3.If(z3.And(value >= -size, value < 0), value + size, beyond)
        turned = z3.If(z3.And(size <= value, value < 2 * size), value - size, turned)
        return z3.If(z3.And(value >= 0, value < size), value, turned)

    def compared(self, index: Index, env: Env) -> Condition:
        """A comparison of index terms."""
        match index.op:
            case "and" | "or":
                parts = tuple([self.compared(arg, env) for arg in index.args])
                return AllOf(parts) if index.op == "and" else AnyOf(parts)
            case "!":
                return opposite(self.compared(index.args[0], env))
            case "#":
                return Plain(z3.BoolVal(bool(index.number), self.context))
        left, right = [self.place(arg, env) for arg in index.args]
        return Plain(ordered(index.op, left, right))

    def within(self, scope: Scope, env: Env) -> Condition:
        """The indices of the scope, at the places that ``env`` gives, are of its range."""
        parts: list[Condition] = []
        for one in scope.binders:
            low, high = self.place(one.low, env), self.place(one.high, env)
            parts.append(Plain(z3.And(low <= env[one.name], env[one.name] <= high)))
        if scope.where is not None:
            parts.append(self.compared(scope.where, env))
        return AllOf(tuple(parts))

    def everywhere(self, scopes: Sequence[Scope], env: Env, says: Says, fixed: Env | None = None) -> Condition:
        """For all indices of scopes, one inside the other; those that are ``fixed`` have these places."""
        return self._ranging(scopes, env, says, Every, fixed or {})

    def somewhere(self, scopes: Sequence[Scope], env: Env, says: Says, fixed: Env | None = None) -> Condition:
        """For some indices of scopes; those that are ``fixed`` have these places."""
        return self._ranging(scopes, env, says, Some, fixed or {})

    def _ranging(
        self, scopes: Sequence[Scope], env: Env, says: Says, kind: type[Every] | type[Some], fixed: Env
    ) -> Condition:
        if not scopes:
            return says(env)
        scope, rest = scopes[0], scopes[1:]

        def within(inner: Env) -> Condition:
            there, further = self.within(scope, inner), self._ranging(rest, inner, says, kind, fixed)
            return implies(there, further) if kind is Every else AllOf((there, further))

        return self._placed(scope.binders, env, within, kind, fixed)

    def _placed(
        self, binders: Sequence[Binder], env: Env, says: Says, kind: type[Every] | type[Some], fixed: Env
    ) -> Condition:
        """For every, or some, place of each binder; few places are written out."""
        if not binders:
            return says(env)
        first, rest = binders[0], binders[1:]
        if first.name in fixed or first.low == first.high:
            place = fixed[first.name] if first.name in fixed else self.place(first.low, env)
            return self._placed(rest, {**env, first.name: place}, says, kind, fixed)
        if first.low.op == "#" and first.high.op == "#":
            values = [self.whole(number) for number in range(first.low.number, first.high.number + 1)]
            parts = tuple([self._placed(rest, {**env, first.name: one}, says, kind, fixed) for one in values])
            return AllOf(parts) if kind is Every else AnyOf(parts)
        return kind(lambda place: self._placed(rest, {**env, first.name: place}, says, kind, fixed))

    # neighbours

    def shifts(self) -> tuple[set[int], bool]:
        """How far apart members are that the model relates, and whether the last and the first are neighbours."""
        found: set[int] = set()
        turned = False
        for index in self._indices():
            turned = turned or any(part.op == "mod" and part.args[1].op != "#" for part in terms_in(index))
            (name, *others) = index.names() - {self.template.parameter.name} or {""}
            if name and not others:
                with suppress(Wrong):
                    found.add(abs(index.value({name: _MIDDLE, self.template.parameter.name: 2 * _MIDDLE}) - _MIDDLE))
        return {shift for shift in found if 0 < shift <= _FAR}, turned

    def _indices(self) -> Iterator[Index]:
        for name in _names(self.template):
            yield from (one for one in name.indices if one.op not in ("#", "name"))


_FAR = 2
_MIDDLE = 1_000  # a place far from both ends


def _names(value: Any) -> Iterator[Name]:
    """All names with indices in a tree."""
    if isinstance(value, Name):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _names(one)
    elif hasattr(value, "__dataclass_fields__") and not isinstance(value, (Index, Span)):
        for name in value.__dataclass_fields__:
            if name != "source":
                yield from _names(getattr(value, name))


def equal(one: Value, other: Value) -> Plain:
    """Both values are the same."""
    parts = [left == right for left, right in zip(one, other, strict=True)]
    return Plain(parts[0] if len(parts) == 1 else z3.And(parts))


def ordered(op: str, left: Any, right: Any) -> Any:
    """A comparison of numbers."""
    match op:
        case "=":
            return left == right
        case "<>" | "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
    return left >= right
