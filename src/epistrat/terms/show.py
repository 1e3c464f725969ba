"""Expressions as ISPL text.

An expression of sort Boolean has two written forms.  Where a *condition* is expected the connectives are ``and or !``
and a Boolean variable is compared with a constant; where a *value* is expected (the right of an assignment, a side of a
comparison) they are ``& | ~ ^`` and the variable stands alone.  Reading the text back with a `Terms` factory gives the
same expression.
"""

from __future__ import annotations

from fractions import Fraction

from epistrat.terms import expr as t
from epistrat.terms.domain import Sort
from epistrat.terms.expr import Expr, children, subterms


def show_expr(expr: Expr, own: str | None = None) -> str:
    """The expression where a value is expected: ``n + 1``, ``x & ~y``; a comparison or action test as a condition.

    The prefix of variables and actions of the agent ``own`` is left out.
    """
    if isinstance(expr, (t.Compare, t.ActionIs, t.AtLeast)):
        return show_condition(expr, own)
    return _Writer(own).value(expr)


def show_condition(expr: Expr, own: str | None = None) -> str:
    """The expression where a condition is expected: ``x = true and !(n < 3)``."""
    return _Writer(own).condition(expr)


_LOOSE, _TIGHT = 0, 9
_SUM, _PRODUCT = 5, 6


class _Writer:
    """Writes every distinct subexpression once, operands first, so that depth costs no stack."""

    def __init__(self, own: str | None) -> None:
        self._own = own
        self._values: dict[Expr, tuple[str, int]] = {}
        self._conditions: dict[Expr, tuple[str, int]] = {}

    def value(self, expr: Expr) -> str:
        for term in subterms(expr):
            self._values[term] = self._write_value(term)
        return self._values[expr][0]

    def condition(self, expr: Expr) -> str:
        for term in subterms(expr):
            self._values[term] = self._write_value(term)
            if term.sort is Sort.BOOLEAN:
                self._conditions[term] = self._write_condition(term)
        return self._conditions[expr][0]

    def _write_value(self, expr: Expr) -> tuple[str, int]:
        match expr:
            case t.Const(value):
                text = str(value).lower() if isinstance(value, bool) else str(value)
                return text, (_PRODUCT if isinstance(value, Fraction) else _TIGHT)
            case t.Var(agent, name):
                return (name if agent == self._own else f"{agent}.{name}"), _TIGHT
            case t.Not(arg):
                return "~" + self._tight(arg), _LOOSE
            case t.And(args):
                return " & ".join(map(self._tight, args)), _LOOSE
            case t.Or(args):
                return " | ".join(map(self._tight, args)), _LOOSE
            case t.AtLeast():
                return self._count(expr), _LOOSE
            case t.Xor(left, right):
                return f"{self._tight(left)} ^ {self._tight(right)}", _LOOSE
            case t.Arith(op, left, right):
                return self._arithmetic(op, left, right)
            case t.ActionIs() | t.Compare():  # a truth value in ISPL only as a condition; brackets keep it readable
                return self._comparison(expr), _LOOSE

    def _tight(self, expr: Expr) -> str:
        text, strength = self._values[expr]
        return text if strength == _TIGHT else f"({text})"

    def _arithmetic(self, op: t.Operation, left: Expr, right: Expr) -> tuple[str, int]:
        strength = _SUM if op in (t.Operation.PLUS, t.Operation.MINUS) else _PRODUCT
        before, left_strength = self._values[left]
        after, right_strength = self._values[right]
        if left_strength < strength:
            before = f"({before})"
        if right_strength <= strength:
            after = f"({after})"
        return f"{before} {op.value} {after}", strength

    def _comparison(self, expr: t.ActionIs | t.Compare, negated: bool = False) -> str:
        if isinstance(expr, t.ActionIs):
            actor = "Action" if expr.agent == self._own else f"{expr.agent}.Action"
            return f"{actor} = {expr.action}"
        op = "<>" if negated else expr.op.value
        return f"{self._side(expr.left)} {op} {self._side(expr.right)}"

    def _side(self, expr: Expr) -> str:
        return self._values[expr][0] if expr.sort is Sort.NUMBER else self._tight(expr)

    def _write_condition(self, expr: Expr) -> tuple[str, int]:
        match expr:
            case t.Var():
                return f"{self._values[expr][0]} = true", _TIGHT
            case t.ActionIs() | t.Compare():
                return self._comparison(expr), _TIGHT
            case t.Not(t.Var() as arg):
                return f"{self._values[arg][0]} = false", _TIGHT
            case t.Not(t.Compare(t.Comparison.EQUAL) as arg):
                return self._comparison(arg, negated=True), _TIGHT
            case t.Not(arg):
                return f"!({self._conditions[arg][0]})", _TIGHT
            case t.And(args):
                return " and ".join(map(self._tight_condition, args)), _LOOSE
            case t.Or(args):
                return " or ".join(map(self._tight_condition, args)), _LOOSE
            case t.AtLeast():
                return self._count(expr), _TIGHT
            case t.Xor(left, right):
                return self._exclusive(expr, left, right)
            case _:
                return self._values[expr][0], _TIGHT

    def _count(self, expr: t.AtLeast) -> str:
        """As an extension of ISPL; a truth value only as a condition."""
        counted = [self._conditions[arg][0] if arg in self._conditions else self._values[arg][0] for arg in expr.args]
        return f"count({', '.join(counted)}) >= {expr.number}"

    def _exclusive(self, expr: t.Xor, left: Expr, right: Expr) -> tuple[str, int]:
        """As a bit operation where the operands are values; comparisons are not, so there it is spelt out."""
        if not any(isinstance(term, (t.Compare, t.ActionIs)) for term in subterms(*children(expr))):
            return f"({self._values[expr][0]}) = true", _TIGHT
        one, other = self._conditions[left][0], self._conditions[right][0]
        return f"(({one}) and !({other})) or (!({one}) and ({other}))", _LOOSE

    def _tight_condition(self, expr: Expr) -> str:
        text, strength = self._conditions[expr]
        return text if strength == _TIGHT else f"({text})"
