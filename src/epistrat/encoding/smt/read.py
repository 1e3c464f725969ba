"""Terms of Z3 read back as expressions: invariants above all."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any

import z3

from epistrat.encoding.smt.terms import SmtTerms
from epistrat.solvers.smt.answer import Frame
from epistrat.terms import Enumeration, Expr, Sort, Terms


class Unreadable(ValueError):
    """The term has an operator that our expressions do not have."""


class Reader:
    """Reads terms over the constants of a translation's frame."""

    def __init__(self, translation: SmtTerms, factory: Terms, frame: Frame = 0) -> None:
        self._translation = translation
        self._factory = factory
        self._named: dict[str, Expr] = {}
        for key, domain in translation.domains.items():
            variable = factory.variable(*key, domain.sort)
            if not isinstance(domain, Enumeration):
                self._named[str(translation.constant(key, frame))] = variable
                continue
            for place, bit in enumerate(translation.bits(key, frame)):
                names = [name for code, name in enumerate(domain.values) if code >> place & 1]
                tests = [factory.compare("=", variable, factory.name(name)) for name in names]
                self._named[str(bit)] = factory.disjunction(tests)

    def script(self, text: str) -> Expr:
        """The conjunction of the assertions of an SMT-LIB script."""
        terms = z3.parse_smt2_string(text, ctx=self._translation.context)
        return self._factory.conjunction([self.expression(term) for term in terms])

    def expression(self, term: Any) -> Expr:
        """A term as an expression; quantifiers and the like are `Unreadable`."""
        done: dict[int, Expr] = {}
        stack: list[tuple[Any, bool]] = [(term, False)]
        while stack:
            current, ready = stack.pop()
            if current.get_id() in done:
                continue
            if ready:
                done[current.get_id()] = self._one(current, [done[child.get_id()] for child in current.children()])
            else:
                stack.append((current, True))
                stack.extend((child, False) for child in current.children())
        return done[term.get_id()]

    def _one(self, term: Any, parts: list[Expr]) -> Expr:
        make = self._factory
        kind = term.decl().kind() if z3.is_app(term) else None
        if kind == z3.Z3_OP_UNINTERPRETED and not parts:
            return self._constant(str(term))
        if z3.is_int_value(term) or z3.is_rational_value(term):
            return make.number(Fraction(str(term)))
        if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
            return make.boolean(kind == z3.Z3_OP_TRUE)
        if kind == z3.Z3_OP_ITE and parts[1].sort is Sort.BOOLEAN:
            yes, no = make.conjunction(parts[:2]), make.conjunction((make.negate(parts[0]), parts[2]))
            return make.disjunction((yes, no))
        build = _BUILDERS.get(kind)
        if build is None:
            raise Unreadable(f"no expression for {term.decl() if kind is not None else term}")
        return build(make, parts)

    def _constant(self, name: str) -> Expr:
        found = self._named.get(name)
        if found is None:
            raise Unreadable(f"{name} is no variable of this frame")
        return found


def _binary(op: str) -> Callable[[Terms, list[Expr]], Expr]:
    return lambda make, parts: make.compare(op, parts[0], parts[1])


def _chain(op: str) -> Callable[[Terms, list[Expr]], Expr]:
    return lambda make, parts: reduce(lambda one, two: make.arith(op, one, two), parts)


def _distinct(make: Terms, parts: list[Expr]) -> Expr:
    pairs = [(one, two) for index, one in enumerate(parts) for two in parts[index + 1 :]]
    return make.conjunction([make.compare("<>", one, two) for one, two in pairs])


_BUILDERS: dict[Any, Callable[[Terms, list[Expr]], Expr]] = {
    z3.Z3_OP_NOT: lambda make, parts: make.negate(parts[0]),
    z3.Z3_OP_AND: lambda make, parts: make.conjunction(parts),
    z3.Z3_OP_OR: lambda make, parts: make.disjunction(parts),
    z3.Z3_OP_XOR: lambda make, parts: reduce(make.exclusive, parts),
    z3.Z3_OP_IMPLIES: lambda make, parts: make.disjunction((make.negate(parts[0]), parts[1])),
    z3.Z3_OP_EQ: _binary("="),
    z3.Z3_OP_DISTINCT: _distinct,
    z3.Z3_OP_LE: _binary("<="),
    z3.Z3_OP_LT: _binary("<"),
    z3.Z3_OP_GE: _binary(">="),
    z3.Z3_OP_GT: _binary(">"),
    z3.Z3_OP_ADD: _chain("+"),
    z3.Z3_OP_SUB: _chain("-"),
    z3.Z3_OP_MUL: _chain("*"),
    z3.Z3_OP_DIV: _chain("/"),
    z3.Z3_OP_UMINUS: lambda make, parts: make.arith("*", make.number(-1), parts[0]),
    z3.Z3_OP_TO_REAL: lambda make, parts: parts[0],
}
