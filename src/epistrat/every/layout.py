"""What a state of a family consists of when members are counted: variables that stand alone, and the record of each member.

A *column* is a variable that every member has: one of its agent (``Train[i].place``) or a cell of somebody's array (``Environment.in[i]``).
A *record* is a value for each column.  Named members (specials) have a variable for each column, unnamed ones share counters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TypeAlias

from epistrat.every.kinds import Kinds
from epistrat.every.spots import Fresh, NeedsSpecial, New, Outside, Sizes, Special, Spot
from epistrat.lang.templates import tree
from epistrat.lang.templates.index import Index
from epistrat.model.agent import ENVIRONMENT, Variable
from epistrat.records import dataclass
from epistrat.terms import Boolean, Bounded, Domain, Enumeration, Expr, Integer, Key, Value
from epistrat.terms.linear import Linear

Env: TypeAlias = Mapping[str, "int | Spot"]
Record: TypeAlias = tuple[Value, ...]
Quotients: TypeAlias = dict[tuple[Special, int], Key]
"""How often numbers that the size fixes can be divided by others: variables that never change."""
MOST_RECORDS = 60


@dataclass(frozen=True, slots=True)
class Actor:
    """An agent for values of its indices; ``spot`` is the member that it is, None for agents that are no members."""

    tree: tree.AgentTree
    env: Env
    at: tuple[int, ...]
    spot: Spot | None

    @property
    def word(self) -> str:
        """Its name without indices."""
        return self.tree.name.word

    @property
    def title(self) -> str:
        """Its name as a word."""
        return _title(self.word, self.at, self.spot)


@dataclass(frozen=True, slots=True)
class Place:
    """A variable of an agent, up to the member that it belongs to; ``cell``: the member is an index of the variable, not of the agent."""

    agent: str
    agent_at: tuple[int, ...]
    name: str
    at: tuple[int, ...]
    cell: bool = False


def _title(word: str, at: tuple[int, ...], spot: Spot | None) -> str:
    found = [word, *([] if spot is None else [spot.word if not isinstance(spot, Fresh) else "other"]), *map(str, at)]
    return "_".join(found)


class Layout:
    """Agents, variables and columns for some specials."""

    def __init__(self, template: tree.Template, sizes: Sizes, specials: tuple[Special | New, ...]) -> None:
        self.template, self.sizes, self.specials = template, sizes, specials
        self.parameter = template.parameter.name
        self.size: Key = (ENVIRONMENT, self.parameter)
        self.kinds = Kinds(template)
        self.low: int | None = None
        self.high: Special | None = None
        self._universe()
        self.actors = [actor for one in template.agents for actor in self._actors(one)]
        self.variables: dict[Key, Variable] = {}
        self.columns: dict[Place, Domain] = {}
        self.bounds: dict[Key, tuple[Index, Index]] = {}
        self.quotients: Quotients = {}
        self.there: dict[Linear, Expr] = {}  # that a number is 1 or more, as a term of the one factory that is used
        self._keys: dict[tuple[Place, Spot | None], Key] = {}
        self.public: list[tuple[Place, Spot | None]] = []
        for actor in self.actors:
            self._declare(actor)
        number = 1
        for domain in self.columns.values():
            number *= domain.last + 1 if isinstance(domain, (Boolean, Bounded, Enumeration)) else MOST_RECORDS
        if number > MOST_RECORDS * 20:
            raise Outside(f"a member has {number:,} records", None)

    # members

    def _universe(self) -> None:
        """Which indices there are: from the smallest to the largest of all ranges."""
        lows: list[int] = []
        highs: list[Special] = []
        for scope in self._declaring():
            for one in scope.binders:
                if self.parameter in one.low.names() | one.high.names():
                    low, high = self.sizes.special(one.low, {}), self.sizes.special(one.high, {})
                    if low is None or high is None or low.factor or high.factor != 1:
                        raise Outside(
                            f"the range {one.low}..{one.high} is not from a number to {self.parameter} or near it"
                        )
                    lows.append(low.number)
                    highs.append(high)
        if lows:
            self.low, self.high = min(lows), max(highs)

    def _declaring(self) -> Iterator[tree.Scope]:
        for agent in self.template.agents:
            yield from agent.scopes
            for one in (*agent.public, *agent.variables):
                yield from one.scopes

    @property
    def named(self) -> tuple[Special | New, ...]:
        """The specials that are members."""
        return tuple([one for one in self.specials if isinstance(one, New) or self.inside(one)])

    def inside(self, one: Special) -> bool:
        """Whether a special is a member."""
        if self.low is None or self.high is None:
            return False
        return not self.sizes.less(one, Special(0, self.low)) and not self.sizes.less(self.high, one)

    def needed(self, spot: Special) -> Special:
        """The special, which must be one of those kept by themselves if it is a member."""
        if spot not in self.specials and self.inside(spot):
            raise NeedsSpecial(spot)
        return spot

    def spots(self, low: Index, high: Index, env: Env) -> tuple[list[Special | New], bool]:
        """The specials in a range, and whether the unnamed members are in it: all or none are."""
        known = {name: value for name, value in env.items() if not isinstance(value, (New, Fresh))}
        first, last = self.sizes.special(low, known), self.sizes.special(high, known)
        if first is None or last is None:
            raise Outside(f"the range {low}..{high} depends on a member")
        if not first.factor and not last.factor:
            return [self.needed(Special(0, value)) for value in range(first.number, last.number + 1)], False
        if first.factor or last.factor != 1 or self.low is None or self.high is None:
            raise Outside(f"the range {low}..{high} is not from a number to {self.parameter} or near it")
        for value in range(self.low, first.number):
            self.needed(Special(0, value))
        for value in range(last.number + 1, self.high.number + 1):
            self.needed(Special(1, value))
        extra = [Special(0, value) for value in range(first.number, self.low)]
        extra += [Special(1, value) for value in range(self.high.number + 1, last.number + 1)]
        inside = [
            one
            for one in self.named
            if isinstance(one, New) or not (self.sizes.less(one, first) or self.sizes.less(last, one))
        ]
        return [*inside, *extra], True

    def truth(self, index: Index, env: Env) -> bool:
        """A condition on indices."""
        match index.op:
            case "#":
                return bool(index.number)
            case "and":
                return all(self.truth(arg, env) for arg in index.args)
            case "or":
                return any(self.truth(arg, env) for arg in index.args)
            case "!":
                return not self.truth(index.args[0], env)
            case "<>" | "!=":
                return not self._equal(index.args[0], index.args[1], env)
            case "=":
                return self._equal(index.args[0], index.args[1], env)
            case "<":
                return self._less(index.args[0], index.args[1], env)
            case ">":
                return self._less(index.args[1], index.args[0], env)
            case ">=":
                return not self._less(index.args[0], index.args[1], env)
            case "<=":
                return not self._less(index.args[1], index.args[0], env)
        raise Outside(f"`{index}` is no condition on indices")

    def spot(self, index: Index, env: Env) -> Spot:
        """What an index is; a number or a special is what it is written as."""
        if index.op == "name":
            value = env.get(index.name)
            if isinstance(value, (New, Fresh)):
                return value
        known = {name: value for name, value in env.items() if not isinstance(value, (New, Fresh))}
        found = self.sizes.special(index, known)
        if found is None:
            raise Outside(f"`{index}` is arithmetic with an index")
        return found

    def _equal(self, left: Index, right: Index, env: Env) -> bool:
        one, other = self.spot(left, env), self.spot(right, env)
        if isinstance(one, Special) and isinstance(other, Special):
            return self.sizes.same(one, other)
        for spot in (one, other):
            if isinstance(spot, Special):
                self.needed(spot)
        return one == other

    def _less(self, left: Index, right: Index, env: Env) -> bool:
        one, other = self.spot(left, env), self.spot(right, env)
        if isinstance(one, Special) and isinstance(other, Special):
            return self.sizes.less(one, other)
        if self.low is None or self.high is None or (not isinstance(one, Special) and not isinstance(other, Special)):
            raise Outside(f"`{left} < {right}` compares members by their order")
        if isinstance(other, Special):  # member < special: all or none of the unnamed
            return self._before(other, upto=False)
        assert isinstance(one, Special)
        return not self._before(one, upto=True)

    def _before(self, special: Special, upto: bool) -> bool:
        """Whether the unnamed members come before a special (``upto``: or are not behind it), which is to say nothing about them."""
        assert self.low is not None and self.high is not None
        if not special.factor:
            for value in range(self.low, special.number + 1):
                self.needed(Special(0, value))
            return False
        if special.factor != 1:
            raise Outside("members are compared by their order")
        for value in range(special.number, self.high.number + 1):
            self.needed(Special(1, value))
        return True

    # agents and variables

    def _actors(self, one: tree.AgentTree) -> Iterator[Actor]:
        for env in self.envs(one.scopes, {}, fresh=True):
            at, spot = self.indices(one.name.indices, self.kinds.agent(one.name), env)
            yield Actor(one, env, at, spot)

    def envs(self, scopes: tuple[tree.Scope, ...], env: Env, *, fresh: bool) -> Iterator[dict[str, int | Spot]]:
        """All values of indices; ``fresh``: with a single `Fresh` for all the unnamed members."""
        found: list[dict[str, int | Spot]] = [dict(env)]
        for scope in scopes:
            for one in scope.binders:
                grown: list[dict[str, int | Spot]] = []
                for inner in found:
                    grown += [{**inner, one.name: value} for value in self.values(one, inner, fresh)]
                found = grown
            where = scope.where
            if where is not None:
                found = [inner for inner in found if self.truth(where, inner)]
        yield from found

    def values(self, one: tree.Binder, env: Env, fresh: bool) -> list[int | Spot]:
        """The values of an index."""
        if self.kinds.numeric(one):
            known = {name: value for name, value in env.items() if isinstance(value, int)}
            low, high = self.sizes.special(one.low, known), self.sizes.special(one.high, known)
            if low is None or high is None:
                raise Outside(f"the range {one.low}..{one.high} depends on a member")
            return list(range(low.number, high.number + 1))
        specials, others = self.spots(one.low, one.high, env)
        return [*specials, *([Fresh(0)] if others and fresh else [])]

    def indices(
        self, written: tuple[Index, ...], kinds: tuple[bool, ...], env: Env
    ) -> tuple[tuple[int, ...], Spot | None]:
        """The indices of a name: those over constant ranges, and the member, if it has one."""
        at: list[int] = []
        spot: Spot | None = None
        for index, member in zip(written, kinds, strict=True):
            if not member:
                found = self.spot(index, env)
                if not isinstance(found, Special) or found.factor:
                    raise Outside(f"the index `{index}` should be a number")
                at.append(found.number)
                continue
            if spot is not None:
                raise Outside("a name has two members as indices")
            spot = self.spot(index, env)
            if isinstance(spot, Special):
                self.needed(spot)
        return tuple(at), spot

    def _declare(self, actor: Actor) -> None:
        for one in (*actor.tree.public, *actor.tree.variables):
            public = one in actor.tree.public
            for env in self.envs(one.scopes, actor.env, fresh=True):
                at, spot = self.indices(one.name.indices, self.kinds.variable(actor.word, one.name), env)
                if spot is not None and actor.spot is not None and self.kinds.is_member(actor.tree.name):
                    raise Outside(f"`{actor.tree.name}` has `{one.name}`: that relates pairs of members", one.at)
                place = Place(actor.word, actor.at, one.name.word, at, spot is not None)
                member = actor.spot if spot is None else spot
                self._variable(place, member, one)
                if public:
                    self.public.append((place, member))

    def _variable(self, place: Place, member: Spot | None, one: tree.Declared) -> None:
        domain = self._domain(one)
        if member is not None and isinstance(domain, Boolean):
            domain = Bounded(0, 1)
        if isinstance(member, Fresh):
            if not domain.finite:
                raise Outside(f"`{one.name}` of a member is a number without fixed bounds", one.at)
            self.columns[place] = domain
            return
        name = f"{_title(place.agent, place.agent_at, None if place.cell else member)}_{place.name}"
        if place.cell and member is not None:
            assert not isinstance(member, Fresh)
            name += f"_{member.word}"
        key = (ENVIRONMENT, "_".join([name, *map(str, place.at)]))
        if key in self.variables:
            raise Outside(f"two variables would be called `{key[1]}`", one.at)
        self._keys[place, member] = key
        self.variables[key] = Variable(*key, domain)
        if one.low is not None and one.high is not None and not domain.finite:
            self.bounds[key] = one.low, one.high
            low, high = self.sizes.special(one.low, {}), self.sizes.special(one.high, {})
            if low is None or high is None or self.sizes.less(high, low):
                raise Outside(f"the range of `{one.name}` is not one for every {self.parameter}", one.at)

    def _domain(self, one: tree.Declared) -> Domain:
        match one.kind:
            case "boolean":
                return Boolean()
            case "{":
                if any(value.scope is not None or value.name.indices for value in one.values):
                    raise Outside(f"a value of `{one.name}` has an index", one.at)
                return Enumeration(tuple(value.name.word for value in one.values))
            case "..":
                assert one.low is not None and one.high is not None
                low, high = self.sizes.special(one.low, {}), self.sizes.special(one.high, {})
                if low is not None and high is not None and not low.factor and not high.factor:
                    return Bounded(low.number, high.number)
                return Integer()
            case "integer":
                return Integer()
        raise Outside(f"`{one.name}` has a type that is not counted", one.at)

    def key(self, place: Place, member: Spot | None) -> Key | None:
        """The variable of a place; None if there is none, as for unnamed members."""
        return self._keys.get((place, member))

    def quotient(self, dividend: Special, divisor: int) -> Key:
        """The variable that says how often a number can be divided without remainder."""
        name = f"{self.parameter}_{dividend.word}_by_{divisor}"
        return self.quotients.setdefault((dividend, divisor), (ENVIRONMENT, name))

    def places(self) -> Iterator[tuple[Place, Spot | None]]:
        """All variables with their members, columns being those of ``Fresh(0)``."""
        yield from self._keys
        for place in self.columns:
            yield place, Fresh(0)

    def records(self) -> list[Record]:
        """All records."""
        return [tuple(one) for one in product(*map(values_of, self.columns.values()))]


def values_of(domain: Domain) -> list[Value]:
    """The values of a finite domain."""
    assert isinstance(domain, (Boolean, Bounded, Enumeration))
    return list(domain)
