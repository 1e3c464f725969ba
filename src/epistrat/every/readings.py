"""Terms of a template as conditions and numbers over the variables of the counted system.

A *situation* is what is known where a term is read: records of the members that are looked at, and how many others there are of each kind
(a record, and within a step the action).  Numbers come in cases: a condition, and a number that is linear where it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from epistrat.every import numbers
from epistrat.every.arithmetic import Arithmetic, Cases
from epistrat.every.layout import Actor, Env, Layout, Place
from epistrat.every.paths import Path
from epistrat.every.situations import Deed as Deed, Kind as Kind, Situation as Situation
from epistrat.every.spots import Fresh, New, Outside, Special, Spot
from epistrat.lang.templates import tree
from epistrat.lang.templates.index import Index, number as index_number
from epistrat.terms import FALSE, TRUE, Bounded, Const, Expr, Sort, Terms, Var
from epistrat.terms.linear import Linear


class Reading(Arithmetic):
    """Reads terms; with a path, conditions that are needed to go on are decided by it."""

    def __init__(self, layout: Layout, terms: Terms, path: Path | None = None) -> None:
        self.layout, self.terms, self.path = layout, terms, path
        self._there = layout.there

    # members

    def members(self, scope: tree.Scope, env: Env, situation: Situation) -> Iterator[tuple[Expr, Env, Situation]]:
        """All values of the indices, with the condition that there is such a member."""
        found: list[tuple[Expr, Env, Situation]] = [(TRUE, env, situation)]
        for one in scope.binders:
            found = [grown for each in found for grown in self._bound(one, *each)]
        for condition, inner, after in found:
            if scope.where is None or self.layout.truth(scope.where, inner):
                yield condition, inner, after

    def _bound(
        self, one: tree.Binder, condition: Expr, env: Env, situation: Situation
    ) -> Iterator[tuple[Expr, Env, Situation]]:
        fresh = False
        for value in self.layout.values(one, env, True):
            if isinstance(value, Fresh):
                fresh = True
                continue
            yield condition, {**env, one.name: value}, situation
        if not fresh:
            return
        for rank in range(len(situation.looked)):
            yield condition, {**env, one.name: Fresh(rank)}, situation
        for number in range(len(situation.kinds)):
            there = self._some(situation.others(number))
            if there == FALSE:
                continue
            after, spot = situation.look(number)
            yield self.terms.conjunction((condition, there)), {**env, one.name: spot}, after

    def _some(self, number: Linear) -> Expr:
        """Whether there is a member."""
        if number not in self._there:
            self._there[number] = numbers.at_most(self.terms, numbers.whole(1), number)
        return self._there[number]

    # conditions

    def condition(self, term: tree.Term, env: Env, situation: Situation, actor: Actor | None = None) -> Expr:
        """A term that is true or false."""
        terms = self.terms
        match term:
            case tree.Literal(word=word) if word in ("true", "false"):
                return terms.boolean(word == "true")
            case tree.Compared(index=index):
                return self._index_condition(index, env)
            case tree.Prefixed(op="!" | "~", arg=arg):
                return terms.negate(self.condition(arg, env, situation, actor))
            case tree.Op(op=op, args=args) if op in _JOINTS:
                return _JOINTS[op](terms, [self.condition(arg, env, situation, actor) for arg in args])
            case tree.Op(op=op, args=(left, right)) if op in _COMPARISONS:
                return self._comparison(op, left, right, env, situation, actor)
            case tree.Each(kind="forall" | "exists" as kind, scope=scope, arg=arg):
                parts = []
                for there, inner, after in self.members(scope, env, situation):
                    body = self.condition(arg, inner, after, actor)
                    if kind == "forall":
                        parts.append(terms.disjunction((terms.negate(there), body)))
                    else:
                        parts.append(terms.conjunction((there, body)))
                return terms.conjunction(parts) if kind == "forall" else terms.disjunction(parts)
            case tree.Each(kind="count", op=op, bound=bound):
                assert bound is not None
                return self._compare(op, self._count(term, env, situation, actor), [(TRUE, self.number_of(bound, env))])
            case tree.Ref():
                return self._reference(term, env, situation, actor)
        raise Outside("this part is not read", term.at)

    def _index_condition(self, index: Index, env: Env) -> Expr:
        """A comparison of numbers or of indices."""
        names = index.names() - {self.layout.parameter}
        if any(isinstance(env.get(name), (New, Fresh)) or not isinstance(env.get(name, 0), int) for name in names):
            return self.terms.boolean(self.layout.truth(index, env))
        if index.op in _COMPARISONS:
            left, right = [self.number_of(arg, env) for arg in index.args]
            return self._compare(index.op, [(TRUE, left)], [(TRUE, right)])
        return self.terms.boolean(self.layout.truth(index, env))

    def _reference(self, term: tree.Ref, env: Env, situation: Situation, actor: Actor | None) -> Expr:
        """A proposition, or a variable that is true or false."""
        if term.owner is None and actor is None:
            if self.layout.kinds.proposition(term.name) is None:
                raise Outside(f"`{term.name}` is no proposition", term.at)
            return self._proposition(term.name, env, situation)
        value = self.value(term, env, situation, actor)
        if isinstance(value, Expr) and value.sort is Sort.BOOLEAN:
            return value
        raise Outside(f"`{term.name}` is no condition", term.at)

    def _proposition(self, name: tree.Name, env: Env, situation: Situation) -> Expr:
        for one in self.layout.template.propositions:
            if one.name.word != name.word:
                continue
            binders = [binder for scope in one.scopes for binder in scope.binders]
            inner: dict[str, int | Spot] = {}
            for binder, index in zip(binders, name.indices, strict=True):
                spot = self.layout.spot(index, env)
                numeric = self.layout.kinds.numeric(binder) and isinstance(spot, Special) and not spot.factor
                inner[binder.name] = spot.number if numeric and isinstance(spot, Special) else spot
            return self.condition(one.condition, inner, situation)
        raise Outside(f"there is no proposition `{name}`")

    # comparisons

    def _comparison(
        self, op: str, left: tree.Term, right: tree.Term, env: Env, situation: Situation, actor: Actor | None
    ) -> Expr:
        for one, other in ((left, right), (right, left)):
            if isinstance(one, tree.Ref) and one.name.word == "Action" and isinstance(other, tree.Ref):
                return self._action(one, other, env, situation, actor)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, tree.Literal) and one.word in ("true", "false"):
                found = self.truth_of(other, env, situation, actor)
                same = (one.word == "true") is (op == "=")
                return found if same else self.terms.negate(found)
        if op in ("=", "<>", "!="):
            found_names = self._names_equal(left, right, env, situation, actor)
            if found_names is not None:
                return found_names if op == "=" else self.terms.negate(found_names)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, tree.Ref) and isinstance(other, tree.Number):
                self.fits(self.value(one, env, situation, actor), other, env)
        numbers_left = self.number(left, env, situation, actor)
        return self._compare(op, numbers_left, self.number(right, env, situation, actor))

    def fits(self, variable: Expr, number: tree.Number, env: Env) -> None:
        """Raise `Outside` where a number that is written beside a variable is no value of it for some size: that size is no model."""
        if not isinstance(variable, Var) or self.layout.parameter not in self._names_in(number.index, env):
            return
        known = {name: value for name, value in env.items() if not isinstance(value, (New, Fresh))}
        sizes, bounds = self.layout.sizes, self.layout.bounds.get(variable.key)
        domain = self.layout.variables[variable.key].domain
        if isinstance(domain, Bounded):
            bounds = index_number(domain.low), index_number(domain.high)
        value = sizes.special(number.index, known)
        ends = None if bounds is None else [sizes.special(one, {}) for one in bounds]
        if ends is None and bounds is None:
            return
        if value is None or ends is None or ends[0] is None or ends[1] is None:
            raise Outside(f"`{number.index}` may be no value of {variable.name}", number.at)
        if sizes.less(value, ends[0]) or sizes.less(ends[1], value):
            raise Outside(
                f"`{number.index}` is no value of {variable.name} for large {self.layout.parameter}", number.at
            )

    def _names_in(self, index: Index, env: Env) -> frozenset[str]:
        """The names in an index term; an index that is a special with the parameter in it counts as the parameter."""
        found = index.names()
        special = any(isinstance(one := env.get(name), Special) and one.factor for name in found)
        return found | {self.layout.parameter} if special else found

    def truth_of(self, term: tree.Term, env: Env, situation: Situation, actor: Actor | None) -> Expr:
        """A condition, or a truth value that is kept as 0 or 1."""
        if isinstance(term, tree.Ref) and (actor is not None or term.owner is not None):
            value = self.value(term, env, situation, actor)
            if isinstance(value, Expr) and value.sort is Sort.NUMBER:
                return self.one(value)
            if isinstance(value, Expr):
                return value
        return self.condition(term, env, situation, actor)

    def one(self, value: Expr) -> Expr:
        """Whether what is kept as 0 or 1 is 1."""
        if isinstance(value, Const):
            return self.terms.boolean(value.value == 1)
        return self.terms.compare("=", value, self.terms.number(1))

    def _names_equal(
        self, left: tree.Term, right: tree.Term, env: Env, situation: Situation, actor: Actor | None
    ) -> Expr | None:
        """Whether two enumeration values are the same; None if these are none."""
        if not (isinstance(left, tree.Ref) and isinstance(right, tree.Ref)):
            return None
        one, other = self.value(left, env, situation, actor), self.value(right, env, situation, actor)
        if one.sort is not Sort.NAME or other.sort is not Sort.NAME:
            if one.sort is other.sort:
                return None
            raise Outside("a truth value is compared with a value", left.at)
        if isinstance(one, Const) and isinstance(other, Const):
            return self.terms.boolean(one.value == other.value)
        if isinstance(one, Const):
            one, other = other, one
        return self.terms.compare("=", one, other)

    def _compare(self, op: str, left: Cases, right: Cases) -> Expr:
        terms = self.terms
        ways: list[Expr] = []
        for (here, one), (there, other) in product(left, right):
            ways.append(terms.conjunction((here, there, self._compared(op, one, other))))
        return terms.disjunction(ways)

    def _compared(self, op: str, left: Linear, right: Linear) -> Expr:
        terms = self.terms
        match op:
            case "=":
                return numbers.equal(terms, left, right)
            case "<>" | "!=":
                return terms.negate(numbers.equal(terms, left, right))
            case "<=":
                return numbers.at_most(terms, left, right)
            case ">=":
                return numbers.at_most(terms, right, left)
            case "<":
                return terms.negate(numbers.at_most(terms, right, left))
        return terms.negate(numbers.at_most(terms, left, right))

    def _action(self, who: tree.Ref, what: tree.Ref, env: Env, situation: Situation, actor: Actor | None) -> Expr:
        if situation.deeds is None:
            raise Outside("an action is tested here", who.at)
        at, spot = self.layout.indices(what.name.indices, self.layout.kinds.action(what.name), env)
        wanted: Deed = (what.name.word, at, spot)
        if who.owner is None:
            assert actor is not None
            done = (
                situation.deeds.get(actor.title)
                if not isinstance(actor.spot, Fresh)
                else self._done(actor.spot, situation)
            )
        else:
            owner_at, owner_spot = self.layout.indices(who.owner.indices, self.layout.kinds.agent(who.owner), env)
            if isinstance(owner_spot, Fresh):
                done = self._done(owner_spot, situation)
            else:
                done = self._deed_of(who.owner.word, owner_at, owner_spot, situation)
        return self.terms.boolean(done == wanted)

    def _deed_of(self, word: str, at: tuple[int, ...], spot: Spot | None, situation: Situation) -> Deed | None:
        assert situation.deeds is not None
        for actor in self.layout.actors:
            if (actor.word, actor.at, actor.spot) == (word, at, spot):
                return situation.deeds.get(actor.title)
        raise Outside(f"there is no agent `{word}` at this index")

    def _done(self, spot: Fresh, situation: Situation) -> Deed | None:
        return situation.kinds[situation.looked[spot.rank]].deed

    # values

    def value(self, term: tree.Ref, env: Env, situation: Situation, actor: Actor | None) -> Expr:
        """The value of a variable, or a name."""
        if term.owner is None and (actor is None or not self.layout.kinds.has_variable(actor.word, term.name.word)):
            return self.terms.name(term.name.word)
        if term.owner is None:
            assert actor is not None
            word, agent_at, member = actor.word, actor.at, actor.spot
        else:
            word = term.owner.word
            agent_at, member = self.layout.indices(term.owner.indices, self.layout.kinds.agent(term.owner), env)
        at, cell = self.layout.indices(term.name.indices, self.layout.kinds.variable(word, term.name), env)
        place = Place(word, agent_at, term.name.word, at, cell is not None)
        return self.read(place, member if cell is None else cell, situation, term)

    def read(self, place: Place, member: Spot | None, situation: Situation, term: tree.Ref) -> Expr:
        """The value of a variable."""
        if isinstance(member, Fresh):
            columns = list(self.layout.columns)
            if place not in columns:
                raise Outside(f"`{term.name}` is no variable of every member", term.at)
            return self.terms.constant(situation.kinds[situation.looked[member.rank]].record[columns.index(place)])
        key = self.layout.key(place, member)
        if key is None:
            raise Outside(f"there is no `{term.name}` here", term.at)
        return self.terms.variable(*key, self.layout.variables[key].domain.sort)


_COMPARISONS = ("=", "<>", "!=", "<", "<=", ">", ">=")


def _implies(terms: Terms, args: list[Expr]) -> Expr:
    return terms.disjunction((terms.negate(args[0]), args[1]))


def _exclusive(terms: Terms, args: list[Expr]) -> Expr:
    return terms.exclusive(args[0], args[1])


_JOINTS: dict[str, Callable[[Terms, list[Expr]], Expr]] = {
    "and": lambda terms, args: terms.conjunction(args),
    "&": lambda terms, args: terms.conjunction(args),
    "or": lambda terms, args: terms.disjunction(args),
    "|": lambda terms, args: terms.disjunction(args),
    "->": _implies,
    "<->": lambda terms, args: terms.negate(_exclusive(terms, args)),
    "xor": _exclusive,
    "^": _exclusive,
}
