"""Expressions as terms of Z3 and back.

Whole numbers are Int, reals Real, Booleans Bool; a variable with n names, and the action of an agent with n actions, are as many
Bools as n - 1 has binary digits.  Every variable exists once per *frame*.  Comparisons of linear expressions are scaled to whole
factors, so that exact division by constants does not leave the integers.  All other arithmetic goes through `numbers`, which
follows ``model.evaluate`` also where it divides by zero.

A condition is translated once, over constants of the frame `BLANK`; for each frame in which it is asked, the solver puts the constants of
that frame in their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import z3

from epistrat import terms as t
from epistrat.encoding.smt.build import conjunction, disjunction, negation, replaced, same
from epistrat.encoding.smt.numbers import Number, Numbers
from epistrat.solvers.budget import OutOfBudget
from epistrat.solvers.smt.answer import Frame
from epistrat.terms import Domain, Expr, Key, Sort, Value, subterms, whole
from epistrat.terms.linear import Linear, linear_form

BLANK: Frame = "?"
"""The frame over which conditions are translated; no solver is asked about it."""


class Irrational(OutOfBudget):
    """The only solution that the solver has found gives a variable an irrational value, which no state of ours can hold."""


class SmtTerms:
    """The translation for variables with the given domains and agents with the given actions."""

    def __init__(self, domains: Mapping[Key, Domain], actions: Mapping[str, Sequence[str]] | None = None) -> None:
        self.context = z3.Context()
        self.resources = 0
        self.domains = domains
        self._actions = {agent: t.Enumeration(tuple(names)) for agent, names in (actions or {}).items()}
        self._numbers = Numbers(self.context)
        self._translated: dict[Expr, Any] = {}
        self._conditions: dict[tuple[Expr, Frame], Any] = {}
        self._values: dict[Frame, dict[Expr, Number]] = {}
        self._constants: dict[tuple[Key, Frame], Any] = {}
        self._bits: dict[tuple[Key, Frame], list[Any]] = {}
        self._read: dict[Expr, tuple[Key, ...]] = {}
        self._forms: dict[Expr, Linear | None] = {}

    # -- variables ------------------------------------------------------------------------------------------------

    def home(self, key: Key, frame: Frame) -> tuple[Key, Frame]:
        """The variable and the frame whose constants stand for a variable in a frame."""
        return key, frame

    def constant(self, key: Key, frame: Frame = 0) -> Any:
        """The solver's constant for a variable that is Boolean or a number."""
        key, frame = self.home(key, frame)
        found = self._constants.get((key, frame))
        if found is None:
            name = name_of(key, frame)
            match self.domains[key]:
                case t.Boolean():
                    found = z3.Bool(name, self.context)
                case t.Real():
                    found = z3.Real(name, self.context)
                case _:
                    found = z3.Int(name, self.context)
            self._constants[key, frame] = found
        return found

    def bits(self, key: Key, frame: Frame = 0) -> list[Any]:
        """The constants that encode a variable with names, or an agent's action under the key (agent, "!")."""
        key, frame = self.home(key, frame)
        found = self._bits.get((key, frame))
        if found is None:
            count = (len(self._names(key)) - 1).bit_length()
            name = name_of(key, frame)
            found = self._bits[key, frame] = [z3.Bool(f"{name}#{bit}", self.context) for bit in range(count)]
        return found

    def constants(self, key: Key, frame: Frame = 0) -> list[Any]:
        """All constants that stand for a variable, or for an action."""
        source, _ = self.home(key, frame)
        named = key[1] == "!" or isinstance(self.domains[source], t.Enumeration)
        return self.bits(key, frame) if named else [self.constant(key, frame)]

    def _names(self, key: Key) -> tuple[str, ...]:
        domain = self._actions[key[0]] if key[1] == "!" else self.domains[key]
        assert isinstance(domain, t.Enumeration)
        return domain.values

    def is_name(self, key: Key, name: str, frame: Frame = 0) -> Any:
        """The variable has this name as its value; false where it never can."""
        names = self._names(key)
        if name not in names:
            return z3.BoolVal(False, self.context)
        code = names.index(name)
        bits = self.bits(key, frame)
        return self.all(bit if code >> place & 1 else negation(bit) for place, bit in enumerate(bits))

    def within(self, key: Key, frame: Frame = 0) -> Any:
        """The variable's value lies in its domain."""
        domain = self._actions[key[0]] if key[1] == "!" else self.domains[key]
        match domain:
            case t.Bounded(low, high):
                constant = self.constant(key, frame)
                return z3.And(low <= constant, constant <= high)
            case t.Enumeration(values):
                bits = self.bits(key, frame)
                if len(values) == 1 << len(bits):
                    return z3.BoolVal(True, self.context)
                return self.any(self.is_name(key, name, frame) for name in values)
            case _:
                return z3.BoolVal(True, self.context)

    def all(self, terms: Any) -> Any:
        """The conjunction of solver terms."""
        listed = list(terms)
        return conjunction(listed) if len(listed) > 1 else listed[0] if listed else z3.BoolVal(True, self.context)

    def any(self, terms: Any) -> Any:
        """The disjunction of solver terms."""
        listed = list(terms)
        return disjunction(listed) if len(listed) > 1 else listed[0] if listed else z3.BoolVal(False, self.context)

    # -- expressions ----------------------------------------------------------------------------------------------

    def condition(self, expr: Expr, frame: Frame = 0) -> Any:
        """A Boolean expression as a term."""
        found = self._conditions.get((expr, frame))
        if found is None:
            blank, keys = self._translation(expr), self.reads(expr)
            blanks = [one for key in keys for one in self.constants(key, BLANK)]
            placed = [one for key in keys for one in self.constants(key, frame)]
            found = self._conditions[expr, frame] = replaced(blank, blanks, placed)
        return found

    def _translation(self, expr: Expr) -> Any:
        """The expression over the constants of the frame `BLANK`."""
        memo = self._translated
        if expr not in memo:
            for term in subterms(expr):
                if term.sort is Sort.BOOLEAN and term not in memo:
                    memo[term] = self._condition(term, memo)
        return memo[expr]

    def reads(self, expr: Expr) -> tuple[Key, ...]:
        """The variables that an expression reads, and the agents whose actions, as (agent, "!")."""
        found = self._read.get(expr)
        if found is None:
            read: dict[Key, None] = {}
            for term in subterms(expr):
                if isinstance(term, t.Var):
                    read[term.key] = None
                elif isinstance(term, t.ActionIs):
                    read[term.agent, "!"] = None
            found = self._read[expr] = tuple(read)
        return found

    def _condition(self, expr: Expr, memo: dict[Expr, Any]) -> Any:
        match expr:
            case t.Const(value):
                return z3.BoolVal(bool(value), self.context)
            case t.Var():
                return self.constant(expr.key, BLANK)
            case t.ActionIs(agent, action):
                return self.is_name((agent, "!"), action, BLANK)
            case t.Not(arg):
                return negation(memo[arg])
            case t.And(args):
                return conjunction([memo[arg] for arg in args])
            case t.Or(args):
                return disjunction([memo[arg] for arg in args])
            case t.AtLeast(number, args):
                return z3.Sum([z3.If(memo[arg], 1, 0) for arg in args]) >= number
            case t.Xor(left, right):
                return z3.Xor(memo[left], memo[right])
            case t.Compare(op, left, right):
                return self._compare(op, left, right, memo)
            case t.Arith():
                raise TypeError(f"not a condition: {expr}")

    def _compare(self, op: t.Comparison, left: Expr, right: Expr, memo: dict[Expr, Any]) -> Any:
        if left.sort is Sort.BOOLEAN:
            return same(memo[left], memo[right])
        if left.sort is Sort.NAME:
            return self._same_name(left, BLANK, right, BLANK)
        form_left, form_right = self._form(left), self._form(right)
        if form_left is not None and form_right is not None:
            return self._linear_comparison(op, (form_left - form_right).scaled())
        return self._numbers.compare(op, self._number(left, BLANK), self._number(right, BLANK))

    def _form(self, expr: Expr) -> Linear | None:
        if expr not in self._forms:
            self._forms[expr] = linear_form(expr)
        return self._forms[expr]

    def _linear_comparison(self, op: t.Comparison, form: Linear) -> Any:
        """``form op 0``, the constant on the right; fractions are rounded where everything on the left is whole."""
        total = self._sum(form, BLANK)
        bound = -form.constant
        if isinstance(total, (int, Fraction)):
            return z3.BoolVal(_compare_numbers(op, Fraction(total), bound), self.context)
        if z3.is_int(total):
            if op is t.Comparison.EQUAL:
                return total == int(bound) if bound.denominator == 1 else z3.BoolVal(False, self.context)
            if op is t.Comparison.LESS:
                return total <= -((-bound).__floor__()) - 1
            return total <= bound.__floor__()
        limit = self._numbers.rational(bound)
        return (
            total == limit if op is t.Comparison.EQUAL else total < limit if op is t.Comparison.LESS else total <= limit
        )

    def _sum(self, form: Linear, frame: Frame) -> Any:
        """The factors times variables, without the constant."""
        if not form.factors:
            return 0
        constants = [(self.constant(key, frame), factor) for key, factor in form.factors]
        mixed = any(z3.is_real(constant) for constant, _ in constants) or any(f.denominator != 1 for _, f in constants)
        parts = []
        for constant, factor in constants:
            if mixed:
                constant = z3.ToReal(constant) if z3.is_int(constant) else constant
                parts.append(constant if factor == 1 else self._numbers.rational(factor) * constant)
            else:
                parts.append(constant if factor == 1 else int(factor) * constant)
        return parts[0] if len(parts) == 1 else z3.Sum(*parts)

    def _same_name(self, left: Expr, frame: Frame, right: Expr, other: Frame) -> Any:
        if isinstance(left, t.Const):
            left, frame, right, other = right, other, left, frame
        if isinstance(left, t.Const):
            assert isinstance(right, t.Const)
            return z3.BoolVal(left.value == right.value, self.context)
        assert isinstance(left, t.Var)
        if isinstance(right, t.Const):
            return self.is_name(left.key, str(right.value), frame)
        assert isinstance(right, t.Var)
        names = self._names(left.key)
        if names == self._names(right.key):
            pairs = zip(self.bits(left.key, frame), self.bits(right.key, other), strict=True)
            return self.all(same(one, two) for one, two in pairs)
        return self.any(
            z3.And(self.is_name(left.key, name, frame), self.is_name(right.key, name, other)) for name in names
        )

    def _number(self, expr: Expr, frame: Frame) -> Number:
        memo = self._values.setdefault(frame, {})
        for term in subterms(expr):
            if term in memo:
                continue
            form = self._form(term)
            if form is not None:
                memo[term] = Number(self._linear_term(form, frame))
            elif isinstance(term, t.Arith):
                memo[term] = self._numbers.apply(term.op, memo[term.left], memo[term.right])
        return memo[expr]

    def _linear_term(self, form: Linear, frame: Frame) -> Any:
        total = self._sum(form, frame)
        if isinstance(total, int):
            return self._numbers.rational(form.constant)
        if not form.constant:
            return total
        if z3.is_int(total) and form.constant.denominator == 1:
            return total + int(form.constant)
        return (z3.ToReal(total) if z3.is_int(total) else total) + self._numbers.rational(form.constant)

    # -- assignments ----------------------------------------------------------------------------------------------

    def fits(self, value: Expr, domain: Domain, frame: Frame = 0) -> Any:
        """The expression's value lies in a domain."""
        match domain:
            case t.Boolean():
                return z3.BoolVal(True, self.context)
            case t.Enumeration(values):
                if isinstance(value, t.Var) and set(self._names(value.key)) <= set(values):
                    return z3.BoolVal(True, self.context)
                return self.any(self._same_name(value, frame, t.Const(name, Sort.NAME), frame) for name in values)
            case _:
                number = self._number(value, frame)
                low, high = (domain.low, domain.high) if isinstance(domain, t.Bounded) else (None, None)
                return self._numbers.member(number, not isinstance(domain, t.Real), low, high)

    def assigned(self, key: Key, later: Frame, value: Expr, frame: Frame = 0) -> Any:
        """The variable in the later frame has the expression's value in the earlier one, which must fit its domain."""
        domain = self.domains[key]
        if isinstance(domain, t.Boolean):
            return self.constant(key, later) == self.condition(value, frame)
        if isinstance(domain, t.Enumeration):
            return self._same_name(t.Var(*key, Sort.NAME), later, value, frame)
        return self._numbers.equal(Number(self.constant(key, later)), self._number(value, frame))

    def unchanged(self, key: Key, later: Frame, frame: Frame = 0) -> Any:
        """The variable has the same value in both frames."""
        return self.all(
            one == two for one, two in zip(self.constants(key, later), self.constants(key, frame), strict=True)
        )

    # -- models ---------------------------------------------------------------------------------------------------

    def value(self, model: Any, expr: Expr, frame: Frame = 0) -> Value:
        """The value of a condition, a linear number expression or a variable in a model."""
        if expr.sort is Sort.BOOLEAN:
            return bool(z3.is_true(model.eval(self.condition(expr, frame), model_completion=True)))
        if isinstance(expr, t.Var):
            return self.variable_value(model, expr.key, frame)
        result = model.eval(self._number(expr, frame).term, model_completion=True)
        return whole(Fraction(str(result)))

    def variable_value(self, model: Any, key: Key, frame: Frame = 0) -> Value:
        """The value of a variable in a model; what the model leaves open gets the first value of its domain."""
        match self.domains[key] if key[1] != "!" else self._actions[key[0]]:
            case t.Boolean():
                return bool(z3.is_true(model.eval(self.constant(key, frame), model_completion=True)))
            case t.Enumeration(values):
                read = [z3.is_true(model.eval(bit, model_completion=True)) for bit in self.bits(key, frame)]
                code = sum(1 << place for place, bit in enumerate(read) if bit)
                return values[code] if code < len(values) else values[0]
            case t.Bounded(low, high):
                number = model.eval(self.constant(key, frame), model_completion=True).as_long()
                return int(min(max(number, low), high))
            case t.Integer():
                return int(model.eval(self.constant(key, frame), model_completion=True).as_long())
            case _:
                result = model.eval(self.constant(key, frame), model_completion=True)
                if z3.is_algebraic_value(result):
                    about = result.as_decimal(3).rstrip("?")
                    raise Irrational(f"{key[0]}.{key[1]} would be irrational (about {about}), and values are fractions")
                return whole(result.as_fraction())


def name_of(key: Key, frame: Frame) -> str:
    """The name of a variable's constant in a frame."""
    return f"{key[0]}.{key[1]}@{frame}"


def _compare_numbers(op: t.Comparison, left: Fraction, right: Fraction) -> bool:
    match op:
        case t.Comparison.EQUAL:
            return left == right
        case t.Comparison.LESS:
            return left < right
        case t.Comparison.LESS_EQUAL:
            return left <= right
