"""Conditions of the template as conditions on the cells of a moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import z3

from epistrat.every.places.family import Cell, Env, Family, Moment, Outside, Value, equal, ordered
from epistrat.every.places.first_order import (
    AllOf,
    AnyOf,
    Condition,
    Every,
    Place,
    Plain,
    Some,
    implies,
    opposite,
    same,
)
from epistrat.lang.templates.index import Index, number
from epistrat.lang.templates.tree import (
    AgentTree,
    Compared,
    Each,
    Literal,
    Name,
    Number,
    Op,
    Prefixed,
    Proposition,
    Ref,
    Scope,
    Term,
    subterms,
)
from epistrat.lang.vocabulary import COMPARISONS
from epistrat.records import dataclass, replace

_NEGATIONS = ("!", "~")
_CONJUNCTIONS, _DISJUNCTIONS, _EXCLUSIVE = ("and", "&"), ("or", "|"), ("xor", "^")


@dataclass(frozen=True, slots=True)
class Eyes:
    """Whose words these are, at which moment, and what the indices in them stand for; nobody's: those of propositions and formulae."""

    moment: Moment
    env: Env
    agent: AgentTree | None = None

    def at(self, env: Env) -> Eyes:
        """With other indices."""
        return replace(self, env=env)


class Reader:
    """Translates terms."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self._read: dict[tuple[object, ...], Condition] = {}
        self._kept: list[Eyes] = []  # their places: numbers of places are given again when one is gone

    def truth(self, term: Term, eyes: Eyes) -> Condition:
        """Where a condition holds; raises `Outside` where it is none of these."""
        match term:
            case Literal(word="true") | Literal(word="false"):
                return Plain(z3.BoolVal(term.word == "true", self.family.context))
            case Compared(index=index):
                return self.family.compared(index, eyes.env)
            case Prefixed(op=op, arg=arg) if op in _NEGATIONS:
                return opposite(self.truth(arg, eyes))
            case Op(op=op, args=args) if op in _CONJUNCTIONS:
                return AllOf(tuple([self.truth(arg, eyes) for arg in args]))
            case Op(op=op, args=args) if op in _DISJUNCTIONS:
                return AnyOf(tuple([self.truth(arg, eyes) for arg in args]))
            case Op(op="->", args=(premise, conclusion)):
                return implies(self.truth(premise, eyes), self.truth(conclusion, eyes))
            case Op(op="<->", args=(one, other)):
                return same(self.truth(one, eyes), self.truth(other, eyes))
            case Op(op=op, args=(one, other)) if op in _EXCLUSIVE:
                return opposite(same(self.truth(one, eyes), self.truth(other, eyes)))
            case Op(op=op, args=(left, right)) if op in COMPARISONS:
                return self._compared(term, op, left, right, eyes)
            case Each():
                return self._quantified(term, eyes)
            case Ref():
                return self._named(term, eyes)
        raise Outside("an operator where a condition is wanted", term.at)

    def _compared(self, term: Term, op: str, left: Term, right: Term, eyes: Eyes) -> Condition:
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Ref) and one.name.word == "Action":
                assert isinstance(other, Ref)
                done = self._done(one, other, eyes)
                return done if op == "=" else opposite(done)
        self.may_be(left, right, eyes)
        self.may_be(right, left, eyes)
        if op in ("=", "<>", "!=") and (self._is_truth(left, eyes) or self._is_truth(right, eyes)):
            alike = same(self.truth(left, eyes), self.truth(right, eyes))
            return alike if op == "=" else opposite(alike)
        if op in ("=", "<>", "!="):
            alike = equal(*_as_long(self.value(left, eyes), self.value(right, eyes), self.family))
            return alike if op == "=" else opposite(alike)
        return Plain(ordered(op, self.number(left, eyes), self.number(right, eyes)))

    def may_be(self, one: Term, other: Term, eyes: Eyes) -> None:
        """Raises `Outside` where a cell whose range does not grow meets a number that does: large sizes may be no models."""
        cell = self._cell(one, eyes) if isinstance(one, Ref) else None
        if cell is not None and isinstance(other, Number) and other.index.op != "#":
            self.family.must_grow(cell, other.at)

    def _is_truth(self, term: Term, eyes: Eyes) -> bool:
        match term:
            case Literal(word=word):
                return word in ("true", "false")
            case Ref():
                cell = self._cell(term, eyes)
                return cell is not None and cell.boolean
            case Compared() | Prefixed() | Each():
                return not (isinstance(term, Each) and term.kind == "sum")
            case Op(op=op):
                return op not in ("+", "-", "*", "/")
        return False

    # names

    def _cell(self, ref: Ref, eyes: Eyes) -> Cell | None:
        owner = ref.owner.word if ref.owner is not None else None
        if owner is None and eyes.agent is not None:
            owner = eyes.agent.name.word
        return None if owner is None else self.family.cells.get((owner, ref.name.word))

    def places(self, ref: Ref, eyes: Eyes) -> list[Place]:
        """The indices of the cell that a name stands for: those of its agent, then its own."""
        owner = ref.owner
        if owner is None:
            assert eyes.agent is not None
            owner = eyes.agent.name
        return [self.family.place(one, eyes.env) for one in (*owner.indices, *ref.name.indices)]

    def _named(self, ref: Ref, eyes: Eyes) -> Condition:
        """A Boolean variable, or a proposition."""
        cell = self._cell(ref, eyes)
        if cell is not None and cell.boolean:
            return Plain(eyes.moment.value(cell, self.places(ref, eyes))[0] == 1)
        if ref.owner is None and ref.name.word in self.family.propositions:
            return self.proposition(self.family.propositions[ref.name.word], ref.name, eyes)
        raise Outside(f"`{ref.name}`", ref.at)

    def proposition(self, defined: Proposition, name: Name, eyes: Eyes) -> Condition:
        """A proposition at these indices."""
        names = [one.name for one in defined.name.indices]
        places = [self.family.place(one, eyes.env) for one in name.indices]
        env = {**self.family.env(), **dict(zip(names, places, strict=True))}
        return self.truth(defined.condition, Eyes(eyes.moment, env))

    def _done(self, who: Ref, what: Ref, eyes: Eyes) -> Condition:
        """Somebody does something; in an interleaved family that happens, and it is one of those the agent has."""
        agent, places = self.actor(who, eyes)
        done = eyes.moment.action(agent, places)
        named = equal(done, self.family.named(what.name, eyes.env, len(done)))
        if not self.family.template.interleaved:
            return named
        return AllOf((named, self.takes_part(agent, places, done)))

    def actor(self, who: Ref, eyes: Eyes) -> tuple[AgentTree, list[Place]]:
        """The agent of an action, and where it stands."""
        owner = who.owner
        if owner is None:
            assert eyes.agent is not None
            owner = eyes.agent.name
        return self.family.agents[owner.word], [self.family.place(one, eyes.env) for one in owner.indices]

    def takes_part(self, agent: AgentTree, places: Sequence[Place], done: Value) -> Condition:
        """What happens is an action of the agent."""
        env = {**self.family.env(), **dict(zip(indices(agent.scopes), places, strict=True))}
        return AnyOf(tuple([self.family.listed(one, env, done) for one in agent.actions]))

    # values

    def value(self, term: Term, eyes: Eyes) -> Value:
        """A value."""
        if isinstance(term, Ref):
            cell = self._cell(term, eyes)
            if cell is not None:
                return eyes.moment.value(cell, self.places(term, eyes))
            if term.owner is None and term.name.word in self.family.words:
                return self.family.named(term.name, eyes.env, 1 + len(term.name.indices))
        if self._is_truth(term, eyes):
            return (self._bit(self.truth(term, eyes), term),)
        return (self.number(term, eyes),)

    def _bit(self, condition: Condition, term: Term) -> Any:
        one, zero = z3.IntVal(1, self.family.context), z3.IntVal(0, self.family.context)
        return z3.If(_plain(condition, term), one, zero)

    def number(self, term: Term, eyes: Eyes) -> Any:
        """A whole number."""
        match term:
            case Number(index=index):
                return self.family.place(index, eyes.env)
            case Ref() if self._cell(term, eyes) is not None:
                return self.value(term, eyes)[0]
            case Op(op="+", args=(left, right)):
                return self.number(left, eyes) + self.number(right, eyes)
            case Op(op="-", args=(left, right)):
                return self.number(left, eyes) - self.number(right, eyes)
            case Op(op="*", args=(left, right)) if isinstance(left, Number) or isinstance(right, Number):
                product = self.number(left, eyes) * self.number(right, eyes)
                if any(z3.is_int_value(z3.simplify(self.number(one, eyes))) for one in (left, right)):
                    return product
        raise Outside("arithmetic that is not linear, or a sum over members", term.at)

    # quantifiers

    def _quantified(self, term: Each, eyes: Eyes) -> Condition:
        """A quantified condition; what says the same of the same places is one condition, whoever says it."""
        free = _free(term) & eyes.env.keys()
        if eyes.agent is not None:
            free |= set(indices(eyes.agent.scopes)) & eyes.env.keys()
        own = "" if eyes.agent is None else eyes.agent.name.word
        places = tuple([(name, eyes.env[name].get_id()) for name in sorted(free)])
        key = term, own, eyes.moment.name, places
        if key not in self._read:
            self._read[key] = self._each(term, eyes)
            self._kept.append(eyes)
        return self._read[key]

    def _each(self, term: Each, eyes: Eyes) -> Condition:
        def body(env: Env) -> Condition:
            return self.truth(term.arg, eyes.at(env))

        if term.kind == "forall":
            premise = term.arg.args[0] if isinstance(term.arg, Op) and term.arg.op == "->" else None
            return self.family.everywhere((term.scope,), eyes.env, body, self.pinned((term.scope,), premise, eyes))
        if term.kind == "exists":
            return self.family.somewhere((term.scope,), eyes.env, body, self.pinned((term.scope,), term.arg, eyes))
        if term.kind == "count" and term.bound is not None:
            return self._count(term, term.op, term.bound, eyes)
        raise Outside("a sum over members", term.at)

    def pinned(self, scopes: Sequence[Scope], condition: Term | None, eyes: Eyes) -> Env:
        """The indices that a condition says to be something, and what: `turn = i`, `status = busy[i]`, `Action = send[i]`.

        Instead of asking whether there is such an index, that place is looked at.
        """
        names = indices(scopes)
        found: dict[str, Place] = {}
        for part in _conjuncts(condition):
            if isinstance(part, Op) and part.op == "=":
                for one, other in (part.args, part.args[::-1]):
                    for name, place in self._says(one, other, eyes):
                        if names.count(name) == 1 and name not in eyes.env:
                            found.setdefault(name, place)
        return found

    def _says(self, one: Term, other: Term, eyes: Eyes) -> Iterator[tuple[str, Place]]:
        """What ``one = other`` says of the indices in ``other``, where ``one`` has none that is not known."""
        try:
            if isinstance(one, Ref) and one.name.word == "Action" and isinstance(other, Ref):
                agent, places = self.actor(one, eyes)
                value: Value = eyes.moment.action(agent, places)
                wanted = other.name.indices
            elif isinstance(one, Ref) and self._cell(one, eyes) is not None:
                value = self.value(one, eyes)
                wanted = other.name.indices if isinstance(other, Ref) else ()
                if isinstance(other, Number) and other.index.op == "name":
                    yield other.index.name, value[0]
            else:
                return
        except Outside:
            return
        for place, index in enumerate(wanted, start=1):
            if index.op == "name" and place < len(value):
                yield index.name, value[place]

    def _count(self, term: Each, op: str, bound: Index, eyes: Eyes) -> Condition:
        """A count, compared with a small number; or with how many there are."""
        if bound.op != "#":
            return self._all_or_not(term, op, bound, eyes)
        match op:
            case ">=":
                return self._at_least(term, bound.number, eyes)
            case ">":
                return self._at_least(term, bound.number + 1, eyes)
            case "<":
                return opposite(self._at_least(term, bound.number, eyes))
            case "<=":
                return opposite(self._at_least(term, bound.number + 1, eyes))
        exactly = AllOf(
            (self._at_least(term, bound.number, eyes), opposite(self._at_least(term, bound.number + 1, eyes)))
        )
        return exactly if op == "=" else opposite(exactly)

    def _at_least(self, term: Each, least: int, eyes: Eyes) -> Condition:
        if least <= 0:
            return Plain(z3.BoolVal(True, self.family.context))
        if least > _MOST_COUNTED or len(term.scope.binders) != 1:
            raise Outside(f"a count that is compared with {least}", term.at)
        return self._further(term, least, (), eyes)

    def _further(self, term: Each, more: int, before: tuple[Place, ...], eyes: Eyes) -> Condition:
        """So many members, in places after those before."""
        if not more:
            return Plain(z3.BoolVal(True, self.family.context))
        binder = term.scope.binders[0]

        def one(place: Place) -> Condition:
            env = {**eyes.env, binder.name: place}
            after = [Plain(before[-1] < place)] if before else []
            here = self.truth(term.arg, eyes.at(env))
            within = self.family.within(term.scope, env)
            return AllOf((*after, within, here, self._further(term, more - 1, (*before, place), eyes)))

        return Some(one)

    def _all_or_not(self, term: Each, op: str, bound: Index, eyes: Eyes) -> Condition:
        binder = term.scope.binders[0]
        if (
            term.scope.where is None
            and len(term.scope.binders) == 1
            and binder.low == number(1)
            and binder.high == bound
        ):
            everybody = self.family.everywhere((term.scope,), eyes.env, lambda env: self.truth(term.arg, eyes.at(env)))
            if op in ("=", ">="):
                return everybody
            if op in ("<", "<>", "!="):
                return opposite(everybody)
        raise Outside("a count that is compared with a number that grows", term.at)


def _free(term: Term) -> frozenset[str]:
    """All names of indices in a term."""
    found: set[str] = set()
    for part in subterms(term):
        if isinstance(part, (Number, Compared)):
            found |= part.index.names()
        if isinstance(part, Ref):
            for name in (part.name, part.owner):
                found.update(*[index.names() for index in name.indices] if name is not None else [])
        if isinstance(part, Each):
            for binder in part.scope.binders:
                found |= binder.low.names() | binder.high.names()
            found |= part.scope.where.names() if part.scope.where is not None else frozenset()
            found |= part.bound.names() if part.bound is not None else frozenset()
    return frozenset(found)


_MOST_COUNTED = 3


def _conjuncts(condition: Term | None) -> tuple[Term, ...]:
    if isinstance(condition, Op) and condition.op in _CONJUNCTIONS:
        return tuple([one for part in condition.args for one in _conjuncts(part)])
    return () if condition is None else (condition,)


def indices(scopes: Sequence[Scope]) -> list[str]:
    """The names of the indices of scopes."""
    return [binder.name for scope in scopes for binder in scope.binders]


def _as_long(one: Value, other: Value, family: Family) -> tuple[Value, Value]:
    """Both values with zeros behind the shorter one."""
    width = max(len(one), len(other))
    zero = z3.IntVal(0, family.context)
    return (*one, *[zero] * (width - len(one))), (*other, *[zero] * (width - len(other)))


def _plain(condition: Condition, term: Term) -> Any:
    """A condition without quantifiers as the solver's."""
    match condition:
        case Plain(found):
            return found
        case AllOf(parts):
            return z3.And([_plain(part, term) for part in parts])
        case AnyOf(parts):
            return z3.Or([_plain(part, term) for part in parts])
        case Every() | Some():
            raise Outside("a value that depends on all members", term.at)
