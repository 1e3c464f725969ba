"""Typed expressions over the variables and actions of a system.

An expression is a tree of interned nodes, made by a `Terms` factory: the factory returns the node it already has when
the same expression is built again, so equal expressions of one system are one object and tables keyed by expressions
are small and fast.  Expressions of different factories compare by structure.

Conditions are expressions of sort Boolean; there is no second type for them.  ISPL's bit operators on Booleans are the
same connectives.  The factory keeps four normal forms, so that nobody has to look for their variants:

- ``e = true`` is e and ``e = false`` is not e; ``<>`` likewise;
- ``And`` and ``Or`` are flat, have at least two operands, and no operand is a constant;
- ``Not`` never stands above ``Not`` or a constant;
- ``e > f`` is ``f < e`` and ``e >= f`` is ``f <= e``; ``e <> f`` is ``Not(e = f)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar

from epistrat.records import dataclass
from epistrat.terms.domain import Sort, Value, whole
from epistrat.terms.node import Node

R = TypeVar("R")


class Comparison(Enum):
    """The comparisons that remain after normalisation."""

    EQUAL = "="
    LESS = "<"
    LESS_EQUAL = "<="


class Operation(Enum):
    """Arithmetic on exact numbers."""

    PLUS = "+"
    MINUS = "-"
    TIMES = "*"
    DIVIDE = "/"


Key = tuple[str, str]
"""The identity of a variable within its system: the agent's name and its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Const(Node):
    """A value.  The sort keeps ``true`` and ``1`` apart, which Python does not."""

    value: Value
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False)
class Var(Node):
    """The value of a variable in the state at hand."""

    agent: str
    name: str
    sort: Sort

    @property
    def key(self) -> Key:
        """The variable's identity within its system."""
        return self.agent, self.name


@dataclass(frozen=True, slots=True, eq=False)
class ActionIs(Node):
    """True when the agent does this action in the step at hand."""

    agent: str
    action: str
    sort = Sort.BOOLEAN


@dataclass(frozen=True, slots=True, eq=False)
class Not(Node):
    """Negation."""

    arg: Expr
    sort = Sort.BOOLEAN


@dataclass(frozen=True, slots=True, eq=False)
class And(Node):
    """Conjunction of two or more operands."""

    args: tuple[Expr, ...]
    sort = Sort.BOOLEAN


@dataclass(frozen=True, slots=True, eq=False)
class Or(Node):
    """Disjunction of two or more operands."""

    args: tuple[Expr, ...]
    sort = Sort.BOOLEAN


@dataclass(frozen=True, slots=True, eq=False)
class AtLeast(Node):
    """At least ``number`` of the operands are true; 1 < number < their count."""

    number: int
    args: tuple[Expr, ...]
    sort = Sort.BOOLEAN


@dataclass(frozen=True, slots=True, eq=False)
class Xor(Node):
    """Exclusive or of two Booleans."""

    left: Expr
    right: Expr
    sort = Sort.BOOLEAN


@dataclass(frozen=True, slots=True, eq=False)
class Compare(Node):
    """A comparison of two numbers, two enumeration values, or (``=`` only) two Booleans."""

    op: Comparison
    left: Expr
    right: Expr
    sort = Sort.BOOLEAN


@dataclass(frozen=True, slots=True, eq=False)
class Arith(Node):
    """An arithmetic operation; exact, and without bounds on intermediate results."""

    op: Operation
    left: Expr
    right: Expr
    sort = Sort.NUMBER


Expr: TypeAlias = Const | Var | ActionIs | Not | And | Or | AtLeast | Xor | Compare | Arith

TRUE = Const(True, Sort.BOOLEAN)
FALSE = Const(False, Sort.BOOLEAN)


_OPERANDS: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    **dict.fromkeys((Const, Var, ActionIs), lambda expr: ()),
    Not: lambda expr: (expr.arg,),
    **dict.fromkeys((And, Or, AtLeast), attrgetter("args")),
    **dict.fromkeys((Xor, Compare, Arith), attrgetter("left", "right")),
}


def children(expr: Expr) -> tuple[Expr, ...]:
    """The operands of an expression, left to right."""
    return _OPERANDS[type(expr)](expr)


def subterms(*roots: Expr) -> Iterator[Expr]:
    """Every distinct subexpression once, operands before what they are operands of."""
    seen: set[Expr] = set()
    stack: list[Expr | None] = [*reversed(roots)]
    ready: list[Expr] = []
    while stack:
        expr = stack.pop()
        if expr is None:
            yield ready.pop()
        elif expr not in seen:
            seen.add(expr)
            below = children(expr)
            if below:
                ready.append(expr)
                stack.append(None)
                stack.extend(below[::-1])
            else:
                yield expr


def bottom_up(expr: Expr, one: Callable[[Expr, list[R]], R]) -> R:
    """What ``one`` makes of the expression, given what it made of the operands; of every distinct subexpression once."""
    done: dict[Expr, R] = {}
    for term in subterms(expr):
        done[term] = one(term, [done[child] for child in children(term)])
    return done[expr]


def variables(*roots: Expr) -> frozenset[Key]:
    """The identities (agent, name) of the variables that the expressions read."""
    found: set[Key] = set()
    seen: set[Expr] = set()
    stack = list(roots)
    while stack:
        expr = stack.pop()
        if isinstance(expr, Var):
            found.add(expr.key)
        else:
            fresh = set(children(expr)) - seen
            seen |= fresh
            stack += fresh
    return frozenset(found)


class Terms:
    """A factory of interned, normalised expressions."""

    def __init__(self) -> None:
        self._known: dict[Expr, Expr] = {TRUE: TRUE, FALSE: FALSE}
        self._variables: dict[tuple[str, str, Sort], Var] = {}

    def _intern(self, expr: Expr) -> Expr:
        return self._known.setdefault(expr, expr)

    def boolean(self, value: bool) -> Expr:
        """The constant ``true`` or ``false``."""
        return TRUE if value else FALSE

    def number(self, value: Value) -> Expr:
        """A number."""
        return self._intern(Const(whole(value), Sort.NUMBER))

    def name(self, value: str) -> Expr:
        """An enumeration value."""
        return self._intern(Const(value, Sort.NAME))

    def constant(self, value: Value) -> Expr:
        """A value."""
        if isinstance(value, bool):
            return self.boolean(value)
        return self.name(value) if isinstance(value, str) else self.number(value)

    def equals(self, variable: Expr, value: Value) -> Expr:
        """The condition that a variable has a value."""
        return self.compare("=", variable, self.constant(value))

    def variable(self, agent: str, name: str, sort: Sort) -> Expr:
        """A reference to a variable."""
        key = (agent, name, sort)
        found = self._variables.get(key)
        if found is None:
            found = self._variables[key] = Var(agent, name, sort)
        return found

    def action(self, agent: str, action: str) -> Expr:
        """The condition that the agent does this action."""
        return self._intern(ActionIs(agent, action))

    def negate(self, arg: Expr) -> Expr:
        """Not arg."""
        if isinstance(arg, Not):
            return arg.arg
        if isinstance(arg, Const):
            return FALSE if arg.value else TRUE
        return self._intern(Not(arg))

    def conjunction(self, args: Iterable[Expr]) -> Expr:
        """All of args; ``true`` when there are none."""
        flat: list[Expr] = []
        for arg in args:
            if type(arg) is And:
                flat.extend(arg.args)
            elif type(arg) is not Const:
                flat.append(arg)
            elif not arg.value:
                return FALSE
        if len(flat) < 2:
            return flat[0] if flat else TRUE
        return self._intern(And(tuple(flat)))

    def disjunction(self, args: Iterable[Expr]) -> Expr:
        """Some of args; ``false`` when there are none."""
        flat: list[Expr] = []
        for arg in args:
            if type(arg) is Or:
                flat.extend(arg.args)
            elif type(arg) is not Const:
                flat.append(arg)
            elif arg.value:
                return TRUE
        if len(flat) < 2:
            return flat[0] if flat else FALSE
        return self._intern(Or(tuple(flat)))

    def at_least(self, number: int, args: Iterable[Expr]) -> Expr:
        """At least so many of args are true."""
        known = list(args)
        left = [arg for arg in known if type(arg) is not Const]
        number -= sum(1 for arg in known if type(arg) is Const and arg.value)
        if number <= 0 or number > len(left):
            return self.boolean(number <= 0)
        if number == 1 or number == len(left):
            return self.disjunction(left) if number == 1 else self.conjunction(left)
        return self._intern(AtLeast(number, tuple(left)))

    def counted(self, args: Sequence[Expr], op: str, number: int) -> Expr:
        """How many of args are true, compared with a number."""
        enough, more = self.at_least(number, args), self.at_least(number + 1, args)
        match op:
            case ">=":
                return enough
            case ">":
                return more
            case "<":
                return self.negate(enough)
            case "<=":
                return self.negate(more)
        exactly = self.conjunction([enough, self.negate(more)])
        return exactly if op == "=" else self.negate(exactly)

    def exclusive(self, left: Expr, right: Expr) -> Expr:
        """Exactly one of left and right."""
        if isinstance(right, Const):
            left, right = right, left
        if isinstance(left, Const):
            return self.negate(right) if left.value else right
        return self._intern(Xor(left, right))

    def compare(self, op: str, left: Expr, right: Expr) -> Expr:
        """``left op right`` for one of ``= <> != < <= > >=``."""
        match op:
            case "=":
                return self._equal(left, right)
            case "<>" | "!=":
                return self.negate(self._equal(left, right))
            case ">" | ">=":
                left, right = right, left
                op = "<" if op == ">" else "<="
        return self._intern(Compare(Comparison(op), left, right))

    def _equal(self, left: Expr, right: Expr) -> Expr:
        if right.sort is Sort.BOOLEAN:
            if isinstance(left, Const):
                left, right = right, left
            if isinstance(right, Const):
                return left if right.value else self.negate(left)
        return self._intern(Compare(Comparison.EQUAL, left, right))

    def arith(self, op: str, left: Expr, right: Expr) -> Expr:
        """``left op right`` for one of ``+ - * /``."""
        return self._intern(Arith(Operation(op), left, right))
