"""Expressions with Python's operators, for models written in Python.

A `Term` wraps an expression: ``x == 1``, ``(x < 3) & ~y``, ``n + 1``, ``agent.action == "go"`` build conditions and values.  Comparison
does not compare terms, it builds a comparison; ``and``, ``or``, ``not`` and chained comparisons cannot be overloaded in Python, so using
a term as a truth value is an error that says what to write instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

from epistrat.terms import ActionIs, Bounded, Domain, Enumeration, Expr, Sort, Terms, Value

Operand: TypeAlias = "Term | bool | int | Fraction | str"


class ModelError(ValueError):
    """A model written in Python that makes no sense; the message says why."""


class Term:
    """A typed expression that understands Python's operators."""

    __slots__ = ("domain", "expr", "factory")

    def __init__(self, factory: Terms, expr: Expr, domain: Domain | None = None) -> None:
        self.factory = factory
        self.expr = expr
        self.domain = domain

    def __repr__(self) -> str:
        return f"Term({self.expr})"

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> bool:
        raise TypeError(
            "a condition has no truth value yet: write & | ~ instead of and, or, not, and (a < b) & (b < c)"
        )

    def __eq__(self, other: Operand) -> Term:  # type: ignore[override]  # builds a comparison
        return self._compare("=", other)

    def __ne__(self, other: Operand) -> Term:  # type: ignore[override]  # builds a comparison
        return self._compare("<>", other)

    def __lt__(self, other: Operand) -> Term:
        return self._compare("<", other)

    def __le__(self, other: Operand) -> Term:
        return self._compare("<=", other)

    def __gt__(self, other: Operand) -> Term:
        return self._compare(">", other)

    def __ge__(self, other: Operand) -> Term:
        return self._compare(">=", other)

    def isin(self, values: Iterable[Operand]) -> Term:
        """One of the values."""
        return any_of(*[self == value for value in values], factory=self.factory)

    def __and__(self, other: Operand) -> Term:
        return self._new(self.factory.conjunction([self._condition(), self._lift(other, Sort.BOOLEAN)]))

    def __rand__(self, other: Operand) -> Term:
        return self._new(self.factory.conjunction([self._lift(other, Sort.BOOLEAN), self._condition()]))

    def __or__(self, other: Operand) -> Term:
        return self._new(self.factory.disjunction([self._condition(), self._lift(other, Sort.BOOLEAN)]))

    def __ror__(self, other: Operand) -> Term:
        return self._new(self.factory.disjunction([self._lift(other, Sort.BOOLEAN), self._condition()]))

    def __xor__(self, other: Operand) -> Term:
        return self._new(self.factory.exclusive(self._condition(), self._lift(other, Sort.BOOLEAN)))

    def __invert__(self) -> Term:
        return self._new(self.factory.negate(self._condition()))

    def implies(self, other: Operand) -> Term:
        """Not this, or the other."""
        return ~self | other

    def __add__(self, other: Operand) -> Term:
        return self._arith("+", other)

    def __sub__(self, other: Operand) -> Term:
        return self._arith("-", other)

    def __mul__(self, other: Operand) -> Term:
        return self._arith("*", other)

    def __truediv__(self, other: Operand) -> Term:
        return self._arith("/", other)

    def __radd__(self, other: Operand) -> Term:
        return self._arith("+", other, swapped=True)

    def __rsub__(self, other: Operand) -> Term:
        return self._arith("-", other, swapped=True)

    def __rmul__(self, other: Operand) -> Term:
        return self._arith("*", other, swapped=True)

    def __rtruediv__(self, other: Operand) -> Term:
        return self._arith("/", other, swapped=True)

    def _new(self, expr: Expr) -> Term:
        return Term(self.factory, expr)

    def _condition(self) -> Expr:
        if self.expr.sort is not Sort.BOOLEAN:
            raise ModelError(f"{describe(self.expr)} is not a condition")
        return self.expr

    def _lift(self, other: Operand, sort: Sort) -> Expr:
        """The other operand as an expression of the same factory and of the sort that is needed."""
        expr = other.expr if isinstance(other, Term) else constant(self.factory, other)
        if expr.sort is not sort:
            raise ModelError(f"{describe(self.expr)} is a {sort.value}, but {describe(expr)} is a {expr.sort.value}")
        return expr

    def _compare(self, op: str, other: Operand) -> Term:
        sort = self.expr.sort
        if sort is not Sort.NUMBER and op not in ("=", "<>"):
            raise ModelError(f"{describe(self.expr)} is a {sort.value}: it has no order, only == and !=")
        value = self._lift(other, sort)
        if isinstance(other, str) and isinstance(self.domain, Enumeration) and other not in self.domain:
            raise ModelError(
                f"{describe(self.expr)} cannot be {other!r}: its values are {', '.join(self.domain.values)}"
            )
        return self._new(self.factory.compare(op, self.expr, value))

    def _arith(self, op: str, other: Operand, *, swapped: bool = False) -> Term:
        if self.expr.sort is not Sort.NUMBER:
            raise ModelError(f"{describe(self.expr)} is not a number")
        left, right = self.expr, self._lift(other, Sort.NUMBER)
        if swapped:
            left, right = right, left
        return self._new(self.factory.arith(op, left, right))


class ActionHandle:
    """The action an agent does in the step at hand; it can only be compared with action names."""

    __slots__ = ("agent", "factory")

    def __init__(self, factory: Terms, agent: str) -> None:
        self.factory = factory
        self.agent = agent

    def __hash__(self) -> int:
        return hash(self.agent)

    def __eq__(self, name: str) -> Term:  # type: ignore[override]  # builds a comparison
        return Term(self.factory, self.factory.action(self.agent, name))

    def __ne__(self, name: str) -> Term:  # type: ignore[override]  # builds a comparison
        return ~(self == name)

    def isin(self, names: Iterable[str]) -> Term:
        """One of the actions."""
        return any_of(*[self == name for name in names], factory=self.factory)


def all_of(*conditions: Term, factory: Terms | None = None) -> Term:
    """The conjunction of the conditions."""
    factory = factory or _factory(conditions)
    return Term(factory, factory.conjunction([condition._condition() for condition in conditions]))


def any_of(*conditions: Term, factory: Terms | None = None) -> Term:
    """The disjunction of the conditions."""
    factory = factory or _factory(conditions)
    return Term(factory, factory.disjunction([condition._condition() for condition in conditions]))


def _factory(conditions: tuple[Term, ...]) -> Terms:
    return conditions[0].factory if conditions else Terms()


def constant(factory: Terms, value: Value) -> Expr:
    """A Python value as an expression."""
    if isinstance(value, Fraction) and value.denominator != 1:  # a quotient, as it has to be written in ISPL
        return factory.arith("/", factory.number(value.numerator), factory.number(value.denominator))
    if isinstance(value, (bool, int, Fraction, str)):
        return factory.constant(value)
    raise ModelError(f"{value!r} is no value of a model: use bool, int, Fraction or the name of an enumeration value")


def domain_of(values: object) -> Domain:
    """A domain from a short way to write it: a list of names, a ``range``, or a pair of bounds."""
    if isinstance(values, range) and values.step == 1 and len(values):
        return Bounded(values.start, values.stop - 1)
    if isinstance(values, (list, tuple)) and values and all(isinstance(value, str) for value in values):
        return Enumeration(tuple(values))
    if (
        isinstance(values, tuple)
        and len(values) == 2
        and all(isinstance(value, int) for value in values)
        and values[0] <= values[1]
    ):
        return Bounded(values[0], values[1])
    raise ModelError(f"{values!r} is no domain: write a range, a pair of bounds, or a list of names")


def describe(expr: Expr) -> str:
    """A short name for an expression in a message."""
    match expr:
        case ActionIs(agent, action):
            return f"{agent}.Action = {action}"
        case _ if hasattr(expr, "key"):
            return ".".join(expr.key)
        case _ if hasattr(expr, "value"):
            return f"`{expr.value}`"
    return f"this {expr.sort.value} expression"
