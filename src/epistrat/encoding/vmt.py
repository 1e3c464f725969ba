"""Systems as VMT-LIB: SMT-LIB with annotations for initial states, steps and properties.

Besides what VMT-LIB defines (``:next``, ``:init``, ``:trans``, ``:invar-property``) two annotations of our own are written:
``:observer "A"`` at a definition says that agent A sees its value, and ``:knows "A"`` at a Boolean definition f says that its symbol
stands for "A knows f".  Invariants may mention such symbols; tools that do not know the annotation read them as f itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from epistrat import terms as t
from epistrat.encoding.transitions import NotEncodable, Transitions, primed_key, transitions
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state
from epistrat.logic.fragment import invariant_body
from epistrat.model.agent import Variable
from epistrat.model.conditions import Propositional
from epistrat.model.system import System
from epistrat.terms import Domain, Expr, Sort, Terms, bottom_up, subterms


def vmt(system: System, formulae: Iterable[Formula]) -> str:
    """The system with those of the formulae that are invariants, with knowledge of single agents or without."""
    return _Writer(system, transitions(system)).text(formulae)


class _Writer:
    """Names are whole numbers: their place in the list of the domain that the comment beside the declaration shows."""

    def __init__(self, system: System, encoded: Transitions) -> None:
        self._system = system
        self._encoded = encoded
        self._domains = dict(encoded.domains)
        self._lines: list[str] = []
        self._known: list[str] = []

    def text(self, formulae: Iterable[Formula]) -> str:
        """The whole script."""
        encoded = self._encoded
        for number, one in enumerate(encoded.variables):
            self._declare(one)
            new = Variable(*primed_key(one.key), one.domain)
            self._declare(new, comment=False)
            symbol, kind = _symbol(one.key), _kind(one.domain)
            self._lines.append(f"(define-fun .sv{number} () {kind} (! {symbol} :next {_symbol(new.key)}))")
        for one in encoded.inputs:
            self._declare(one)
        for agent, positions in self._system.views.items():
            for position in positions:
                one = self._system.variables[position]
                name = f"|observed {agent} {one}|"
                kind, symbol = _kind(one.domain), _symbol(one.key)
                self._lines.append(f'(define-fun {name} () {kind} (! {symbol} :observer "{agent}"))')
        inside = [self._inside(one) for one in encoded.variables]
        after = [self._inside(Variable(*primed_key(one.key), one.domain)) for one in encoded.variables]
        chosen = [self._inside(one) for one in encoded.inputs]
        initial = [*inside, *map(self._term, encoded.initial)]
        steps = [*after, *chosen, *[self._term(part.relation) for part in encoded.parts]]
        self._lines.append(f"(define-fun .init () Bool (! {_and(initial)} :init true))")
        self._lines.append(f"(define-fun .trans () Bool (! {_and(steps)} :trans true))")
        for number, formula in enumerate(formulae):
            self._property(number, formula)
        return "\n".join(self._lines) + "\n"

    def _declare(self, variable: Variable, comment: bool = True) -> None:
        names = variable.domain.values if isinstance(variable.domain, t.Enumeration) else ()
        if names and comment:
            said = ", ".join(f"{number} {name}" for number, name in enumerate(names))
            self._lines.append(f"; {variable}: {said}")
        self._lines.append(f"(declare-fun {_symbol(variable.key)} () {_kind(variable.domain)})")

    def _inside(self, variable: Variable) -> str:
        symbol = _symbol(variable.key)
        match variable.domain:
            case t.Bounded(low, high):
                return f"(and (<= {_number(low)} {symbol}) (<= {symbol} {_number(high)}))"
            case t.Enumeration(values):
                return f"(and (<= 0 {symbol}) (< {symbol} {len(values)}))"
            case _:
                return "true"

    def _property(self, number: int, formula: Formula) -> None:
        body = invariant_body(formula)
        if body is None:
            self._lines.append(f"; formula {number + 1} is no invariant")
            return
        terms = Terms()

        def leaf(part: Formula) -> Expr:
            if not isinstance(part, logic.Knows) or not is_state(part.arg):
                raise NotEncodable("knowledge of groups, or of what happens over time")
            known = t.Var(".known", str(len(self._known)), Sort.BOOLEAN)
            inner = Propositional(self._system, terms, leaf).condition(part.arg)
            self._known.append(part.agent)
            self._lines.append(
                f'(define-fun {_symbol(known.key)} () Bool (! {self._term(inner)} :knows "{part.agent}"))'
            )
            self._domains[known.key] = t.Boolean()
            return known

        try:
            condition = Propositional(self._system, terms, leaf).condition(body)
        except NotEncodable as why:
            self._lines.append(f"; formula {number + 1} is left out: {why}")
            return
        self._lines.append(f"(define-fun .prop{number} () Bool (! {self._term(condition)} :invar-property {number}))")

    def _term(self, expr: Expr) -> str:
        return bottom_up(expr, self._one)

    def _one(self, term: Expr, parts: list[str]) -> str:
        match term:
            case t.Const(value):
                return (
                    str(value).lower()
                    if isinstance(value, bool)
                    else _number(value)
                    if not isinstance(value, str)
                    else value
                )
            case t.Var():
                return _symbol(term.key)
            case t.Not():
                return f"(not {parts[0]})"
            case t.And():
                return f"(and {' '.join(parts)})"
            case t.Or():
                return f"(or {' '.join(parts)})"
            case t.AtLeast(number):
                return f"(<= {number} (+ {' '.join(f'(ite {part} 1 0)' for part in parts)}))"
            case t.Xor():
                return f"(xor {parts[0]} {parts[1]})"
            case t.Compare(op, left, right):
                if left.sort is Sort.NAME:
                    return self._same_name(left, right)
                if left.sort is Sort.NUMBER:
                    parts = self._one_sort((left, right), parts)
                return f"({op.value} {parts[0]} {parts[1]})"
            case t.Arith(op, left, right):
                if op is t.Operation.DIVIDE:
                    return f"(/ {self._real(left, parts[0])} {self._real(right, parts[1])})"
                parts = self._one_sort((left, right), parts)
                return f"({op.value} {parts[0]} {parts[1]})"
            case t.ActionIs():
                raise AssertionError("action tests are replaced before")

    def _one_sort(self, sides: tuple[Expr, Expr], parts: list[str]) -> list[str]:
        if any(self._is_real(side) for side in sides):
            return [self._real(side, part) for side, part in zip(sides, parts, strict=True)]
        return parts

    def _is_real(self, expr: Expr) -> bool:
        for term in subterms(expr):
            if isinstance(term, t.Var) and isinstance(self._domains.get(term.key), t.Real):
                return True
            if isinstance(term, t.Const) and isinstance(term.value, Fraction):
                return True
            if isinstance(term, t.Arith) and term.op is t.Operation.DIVIDE:
                return True
        return False

    def _real(self, expr: Expr, written: str) -> str:
        if isinstance(expr, t.Const) and isinstance(expr.value, int):
            return f"{expr.value}.0" if expr.value >= 0 else f"(- {-expr.value}.0)"
        return written if self._is_real(expr) else f"(to_real {written})"

    def _same_name(self, left: Expr, right: Expr) -> str:
        sides = [left, right]
        values = [self._names(side) for side in sides]
        names = [name for name in values[0] if name in values[1]]
        if isinstance(left, t.Var) and isinstance(right, t.Var) and values[0] == values[1]:
            return f"(= {_symbol(left.key)} {_symbol(right.key)})"
        options = [
            _and(
                f"(= {_symbol(side.key)} {listed.index(name)})"
                for side, listed in zip(sides, values, strict=True)
                if isinstance(side, t.Var)
            )
            for name in names
        ]
        return options[0] if len(options) == 1 else f"(or false {' '.join(options)})"

    def _names(self, side: Expr) -> tuple[str, ...]:
        if isinstance(side, t.Const):
            return (str(side.value),)
        assert isinstance(side, t.Var)
        domain = self._domains[side.key]
        assert isinstance(domain, t.Enumeration)
        return domain.values


def _and(parts: Iterable[str]) -> str:
    kept = [part for part in parts if part != "true"]
    return kept[0] if len(kept) == 1 else f"(and {' '.join(kept)})" if kept else "true"


def _symbol(key: tuple[str, str]) -> str:
    return f"|{key[0]}.{key[1]}|"


def _kind(domain: Domain) -> str:
    match domain:
        case t.Boolean():
            return "Bool"
        case t.Real():
            return "Real"
        case t.Integer() | t.Bounded() | t.Enumeration():
            return "Int"


def _number(value: int | Fraction) -> str:
    if value < 0:
        return f"(- {_number(-value)})"
    return str(value) if isinstance(value, int) else f"(/ {value.numerator}.0 {value.denominator}.0)"
