"""Expressions over finite variables as literals of a circuit.

A Boolean variable is one bit; an enumeration the number of its value; a bounded integer its distance from the lower bound.  A number
is ``(offset + word) / divisor`` with an unsigned word, so that sums, differences and products by constants are exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import lcm, prod

from epistrat import terms as t
from epistrat.encoding.gates import NO, YES, Gates, Literal, Word, constant
from epistrat.encoding.transitions import NotEncodable
from epistrat.model.fold import fold
from epistrat.records import dataclass
from epistrat.terms import TRUE, Domain, Expr, FiniteDomain, Key, Sort, Terms, children, subterms, variables

_MOST_LISTED = 4096  # combinations of values that are gone through for a quotient


def finite(domain: Domain) -> FiniteDomain:
    """The domain, if its values have a finite number of bits."""
    if isinstance(domain, (t.Integer, t.Real)):
        raise NotEncodable(f"a variable of type {domain} has no finite number of bits")
    return domain


def width(domain: Domain) -> int:
    """How many bits a value of the domain takes."""
    return finite(domain).last.bit_length()


@dataclass(frozen=True)
class _Number:
    """``(offset + word) / divisor``."""

    offset: int
    word: Word
    divisor: int = 1

    def scaled(self, gates: Gates, factor: int) -> _Number:
        """The same times a whole number, over the same divisor."""
        if factor == 1:
            return self
        if factor < 0:
            return self.negated().scaled(gates, -factor)
        word = gates.product(constant(factor), self.word) if factor else []
        return _Number(self.offset * factor, word, self.divisor)

    def negated(self) -> _Number:
        """The same with the other sign: -(o + w) = (-o - m) + (m - w), where m - w flips the bits of w."""
        top = (1 << len(self.word)) - 1
        return _Number(-self.offset - top, [-bit for bit in self.word], self.divisor)


class Literals:
    """Literals for the expressions over given variables; every distinct expression is translated once."""

    def __init__(self, gates: Gates, bits: Mapping[Key, Word], domains: Mapping[Key, Domain]) -> None:
        self._gates = gates
        self._bits = bits
        self._domains = domains
        self._truth: dict[Expr, Literal] = {}
        self._numbers: dict[Expr, _Number | None] = {}  # None: divides by a variable

    def in_domain(self, key: Key) -> Literal:
        """Whether the bits of a variable stand for one of its values."""
        last = finite(self._domains[key]).last
        if last + 1 == 1 << len(self._bits[key]):
            return YES
        return self._gates.less_equal(self._bits[key], constant(last))

    def truth(self, expr: Expr) -> Literal:
        """The literal of a condition."""
        found = self._truth.get(expr)
        if found is not None:
            return found
        for term in subterms(expr):
            if term.sort is Sort.BOOLEAN:
                if term not in self._truth:
                    self._truth[term] = self._condition(term)
            elif term.sort is Sort.NUMBER and term not in self._numbers:
                self._numbers[term] = self._number(term)
        return self._truth[expr]

    def _listed(self, expr: t.Compare) -> Literal:
        """A comparison by the values of its variables for which it is true: for quotients that are no linear arithmetic."""
        keys = sorted(variables(expr))
        domains = [finite(self._domains[key]) for key in keys]
        if prod(domain.last + 1 for domain in domains) > _MOST_LISTED:
            raise NotEncodable("division by a variable with many values")
        terms = Terms()
        choices = []
        for values in product(*domains):
            if fold(terms, expr, dict(zip(keys, values, strict=True))) == TRUE:
                facts = [
                    self._gates.same(self._bits[key], constant(domain.code(value)))
                    for key, value, domain in zip(keys, values, domains, strict=True)
                ]
                choices.append(self._gates.conjunction(facts))
        return self._gates.disjunction(choices)

    def _condition(self, expr: Expr) -> Literal:
        gates, truth = self._gates, self._truth
        match expr:
            case t.Const(value):
                return YES if value else NO
            case t.Var():
                return self._bits[expr.key][0]
            case t.Not(arg):
                return -truth[arg]
            case t.And(args):
                return gates.conjunction([truth[arg] for arg in args])
            case t.Or(args):
                return gates.disjunction([truth[arg] for arg in args])
            case t.AtLeast(number, args):
                words: list[Word] = [[truth[arg]] for arg in args]
                while len(words) > 1:
                    pairs = [gates.add(words[at], words[at + 1]) for at in range(0, len(words) - 1, 2)]
                    words = pairs + words[len(words) & ~1 :]
                return gates.less_equal(constant(number), words[0])
            case t.Xor(left, right):
                return gates.exclusive(truth[left], truth[right])
            case t.Compare(op, left, right):
                return self._comparison(op, left, right)
            case t.ActionIs() | t.Arith():
                raise AssertionError("an action test is replaced before, a number is no condition")

    def _comparison(self, op: t.Comparison, left: Expr, right: Expr) -> Literal:
        gates = self._gates
        match left.sort:
            case Sort.BOOLEAN:
                return gates.equal(self._truth[left], self._truth[right])
            case Sort.NAME:
                return self._same_name(left, right)
            case Sort.NUMBER:
                one, other = self._numbers[left], self._numbers[right]
        if one is None or other is None:
            return self._listed(t.Compare(op, left, right))
        common = lcm(one.divisor, other.divisor)
        one = one.scaled(gates, common // one.divisor)
        other = other.scaled(gates, common // other.divisor)
        shift = one.offset - other.offset
        a = gates.add(one.word, constant(shift)) if shift > 0 else one.word
        b = gates.add(other.word, constant(-shift)) if shift < 0 else other.word
        match op:
            case t.Comparison.EQUAL:
                return gates.same(a, b)
            case t.Comparison.LESS_EQUAL:
                return gates.less_equal(a, b)
            case t.Comparison.LESS:
                return -gates.less_equal(b, a)

    def _same_name(self, left: Expr, right: Expr) -> Literal:
        if isinstance(left, t.Const):
            left, right = right, left
        if isinstance(left, t.Const):
            return YES if isinstance(right, t.Const) and left.value == right.value else NO
        one = self._names(left)
        if isinstance(right, t.Const):
            return self._is(left, one.index(str(right.value))) if right.value in one else NO
        other = self._names(right)
        if one == other:
            return self._gates.same(self._word(left), self._word(right))
        common = [name for name in one if name in other]
        pairs = [
            self._gates.conjunction((self._is(left, one.index(name)), self._is(right, other.index(name))))
            for name in common
        ]
        return self._gates.disjunction(pairs)

    def _names(self, expr: Expr) -> tuple[str, ...]:
        assert isinstance(expr, t.Var)
        domain = self._domains[expr.key]
        assert isinstance(domain, t.Enumeration)
        return domain.values

    def _word(self, expr: Expr) -> Word:
        assert isinstance(expr, t.Var)
        return self._bits[expr.key]

    def _is(self, expr: Expr, number: int) -> Literal:
        return self._gates.same(self._word(expr), constant(number))

    def _number(self, expr: Expr) -> _Number | None:
        match expr:
            case t.Const(value):
                exact = Fraction(value)
                return _Number(exact.numerator, [], exact.denominator)
            case t.Var():
                domain = self._domains[expr.key]
                assert isinstance(domain, t.Bounded)
                return _Number(domain.low, self._bits[expr.key])
            case t.Arith(op, left, right):
                one, other = self._numbers[left], self._numbers[right]
                if one is None or other is None:
                    return None
                return self._arithmetic(op, one, other)
            case _:
                raise AssertionError(f"not a number: {children(expr)}")

    def _arithmetic(self, op: t.Operation, one: _Number, other: _Number) -> _Number | None:
        gates = self._gates
        match op:
            case t.Operation.PLUS | t.Operation.MINUS:
                common = lcm(one.divisor, other.divisor)
                one = one.scaled(gates, common // one.divisor)
                other = other.scaled(gates, common // other.divisor)
                other = other.negated() if op is t.Operation.MINUS else other
                return _Number(one.offset + other.offset, gates.add(one.word, other.word), common)
            case t.Operation.TIMES:
                divisor = one.divisor * other.divisor
                flat = _Number(one.offset * other.offset, gates.product(one.word, other.word), divisor)
                left = _Number(0, one.word, divisor).scaled(gates, other.offset)
                right = _Number(0, other.word, divisor).scaled(gates, one.offset)
                total = self._sum(left, right)
                return self._sum(flat, total)
            case t.Operation.DIVIDE:
                if other.word or other.offset == 0:
                    return None
                flipped = one if other.offset > 0 else one.negated()
                scaled = flipped.scaled(gates, other.divisor)
                return _Number(scaled.offset, scaled.word, one.divisor * abs(other.offset))

    def _sum(self, one: _Number, other: _Number) -> _Number:
        """The sum of two numbers over the same divisor."""
        return _Number(one.offset + other.offset, self._gates.add(one.word, other.word), one.divisor)
