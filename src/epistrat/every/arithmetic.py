"""Numbers in terms of a template, and sums over members: cases, each a condition and a number that is linear where it holds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from epistrat.every import numbers
from epistrat.every.layout import Actor, Env, Layout
from epistrat.every.paths import Path
from epistrat.every.situations import Situation
from epistrat.every.spots import Fresh, New, Outside, Special
from epistrat.lang.templates import tree
from epistrat.lang.templates.index import Index
from epistrat.terms import TRUE, Bounded, Compare, Const, Expr, Not, Sort, Terms, Var
from epistrat.terms.linear import Linear

Cases: TypeAlias = list[tuple[Expr, Linear]]
_MOST_CASES = 256


class Arithmetic(ABC):
    """Reads numbers; conditions, values and members are read by who does that."""

    layout: Layout
    terms: Terms
    path: Path | None

    @abstractmethod
    def condition(self, term: tree.Term, env: Env, situation: Situation, actor: Actor | None = None) -> Expr:
        """A condition."""

    @abstractmethod
    def value(self, term: tree.Ref, env: Env, situation: Situation, actor: Actor | None) -> Expr:
        """A value."""

    @abstractmethod
    def members(self, scope: tree.Scope, env: Env, situation: Situation) -> Iterator[tuple[Expr, Env, Situation]]:
        """Values of indices, each with a condition under which there is such a member."""

    def number_of(self, index: Index, env: Env) -> Linear:
        """An index term as a number."""
        if index.op == "#":
            return numbers.whole(index.number)
        if index.op == "name":
            if index.name == self.layout.parameter:
                return numbers.variable(self.layout.size)
            value = env[index.name]
            if isinstance(value, int):
                return numbers.whole(value)
            if isinstance(value, Special):
                return numbers.variable(self.layout.size).times(Fraction(value.factor)) + numbers.whole(value.number)
            raise Outside(f"the index `{index.name}` of a member is used as a number")
        parts = [self.number_of(arg, env) for arg in index.args]
        left, right = parts[0], parts[-1]
        match index.op:
            case "+":
                return left + right
            case "-":
                return left - right
            case "negative":
                return left.times(Fraction(-1))
            case "*" if not left.factors or not right.factors:
                return right.times(left.constant) if not left.factors else left.times(right.constant)
            case "/" if not right.factors and right.constant:
                found = left.times(1 / right.constant)
                if all(part.denominator == 1 for part in (found.constant, *(factor for _, factor in found.factors))):
                    return found
        if index.op == "mod" and not right.factors and right.constant > 0 and right.constant.denominator == 1:
            return left - self._quotient(index.args[0], int(right.constant), env).times(right.constant)
        known = {name: value for name, value in env.items() if not isinstance(value, (New, Fresh))}
        special = self.layout.sizes.special(index, known)
        if special is None:
            raise Outside(f"`{index}` is no sum of multiples of {self.layout.parameter}")
        return numbers.variable(self.layout.size).times(Fraction(special.factor)) + numbers.whole(special.number)

    def _quotient(self, index: Index, divisor: int, env: Env) -> Linear:
        """How often a number that is fixed by the size can be divided: a number of its own that never changes."""
        known = {name: value for name, value in env.items() if not isinstance(value, (New, Fresh))}
        dividend = self.layout.sizes.special(index, known)
        if dividend is None:
            raise Outside(f"`{index}` is no sum of multiples of {self.layout.parameter}")
        return numbers.variable(self.layout.quotient(dividend, divisor))

    def number(self, term: tree.Term, env: Env, situation: Situation, actor: Actor | None = None) -> Cases:
        """A term that is a number."""
        match term:
            case tree.Number(index=index):
                return [(TRUE, self.number_of(index, env))]
            case tree.Each(kind="sum"):
                return self._sum(term, env, situation, actor)
            case tree.Op(op="+" | "-" | "*" as op, args=(left, right)):
                return self._arithmetic(
                    op, self.number(left, env, situation, actor), self.number(right, env, situation, actor), term
                )
            case tree.Ref():
                value = self.value(term, env, situation, actor)
                if value.sort is Sort.NUMBER:
                    return [(TRUE, numbers.linear(value))]
        raise Outside("this is no number that is counted", term.at)

    def _arithmetic(self, op: str, left: Cases, right: Cases, term: tree.Term) -> Cases:
        found: Cases = []
        for (here, one), (there, other) in product(left, right):
            if op == "*":
                if one.factors and other.factors:
                    raise Outside("numbers that are not fixed are multiplied", term.at)
                made = other.times(one.constant) if not one.factors else one.times(other.constant)
            else:
                made = one + other if op == "+" else one - other
            found.append((self.terms.conjunction((here, there)), made))
        return found

    def _sum(self, term: tree.Each, env: Env, situation: Situation, actor: Actor | None) -> Cases:
        def amount(inner: Env, after: Situation) -> Cases:
            return self.number(term.arg, inner, after, actor)

        return self._added(term, env, situation, amount)

    def _count(self, term: tree.Each, env: Env, situation: Situation, actor: Actor | None) -> Cases:
        def amount(inner: Env, after: Situation) -> Cases:
            return self.as_number(self.condition(term.arg, inner, after, actor))

        return self._added(term, env, situation, amount)

    def as_number(self, condition: Expr) -> Cases:
        """1 where the condition holds, else 0."""
        if isinstance(condition, Const):
            return [(TRUE, numbers.whole(int(bool(condition.value))))]
        if self.path is not None:
            return [(TRUE, numbers.whole(int(self.path.holds(condition))))]
        negative = isinstance(condition, Not)
        inner = condition.arg if isinstance(condition, Not) else condition
        match inner:
            case Compare(left=Var() as left, right=Const(value=1)) if self._is_bit(left):
                bit = numbers.variable(left.key)
                return [(TRUE, numbers.whole(1) - bit if negative else bit)]
        return [(condition, numbers.whole(1)), (self.terms.negate(condition), numbers.whole(0))]

    def _is_bit(self, variable: Var) -> bool:
        found = self.layout.variables.get(variable.key)
        return found is not None and found.domain == Bounded(0, 1)

    def _added(
        self, term: tree.Each, env: Env, situation: Situation, amount: Callable[[Env, Situation], Cases]
    ) -> Cases:
        """The sum over all members: of one for each kind of those not looked at, times how many they are."""
        found: Cases = [(TRUE, numbers.ZERO)]
        for one in self._once(term.scope, env, situation):
            (inner, after), times = one
            parts = amount(inner, after)
            if times is not None:
                grown: Cases = []
                for condition, number in parts:
                    if number.factors:
                        raise Outside("a sum over members is not linear", term.at)
                    grown.append((condition, times.times(number.constant)))
                parts = grown
            found = self._arithmetic("+", found, parts, term)
            if len(found) > _MOST_CASES:
                raise Outside("a count has too many cases", term.at)
        return found

    def _once(
        self, scope: tree.Scope, env: Env, situation: Situation
    ) -> Iterator[tuple[tuple[Env, Situation], Linear | None]]:
        """Values of indices; for members not looked at one of each kind, and how many these are."""
        if len([one for one in scope.binders if not self.layout.kinds.numeric(one)]) > 1:
            raise Outside("pairs of members are counted")
        for condition, inner, after in self.members(scope, env, situation):
            if len(after.looked) == len(situation.looked):
                yield (inner, after), None
            else:
                del condition
                yield (inner, after), situation.others(after.looked[-1])
