"""Finite systems with CTL formulae as SMV programs, for NuSMV and its kin.

State variables become ``VAR``, what is chosen anew at every step (actions, and which of several enabled evolution lines is
executed) becomes ``IVAR``, and each part of the step relation is one ``TRANS``: the steps are those of `encoding.transitions`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from epistrat import terms as t
from epistrat.encoding.transitions import NotEncodable, primed_key, transitions
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands
from epistrat.model.conditions import Propositional, is_condition
from epistrat.model.system import System
from epistrat.terms import Domain, Expr, Sort, Terms, bottom_up


def smv(system: System, formulae: Iterable[Formula]) -> str:
    """The system with these formulae, which must be CTL without knowledge and strategies; `NotEncodable` says what is not."""
    return "\n".join(_Writer(system).lines(formulae)) + "\n"


class _Writer:
    """Names of variables and values are made of letters, digits and ``_``, with a number behind them where they would be equal."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._encoded = transitions(system)
        self._conditions = Propositional(system, Terms())
        self._taken: set[str] = set()
        self._names: dict[tuple[str, str], str] = {}
        self._values: dict[str, str] = {}
        for one in (*self._encoded.variables, *self._encoded.inputs):
            self._names[one.key] = self._fresh(f"{one.key[0]}_{one.key[1]}")
        for one in self._encoded.variables:
            self._names[primed_key(one.key)] = f"next({self._names[one.key]})"

    def _fresh(self, wanted: str) -> str:
        """A name that starts with two letters that no word of SMV starts with."""
        plain = "v_" + re.sub(r"\W+", "_", wanted).strip("_")
        name, number = plain, 1
        while name in self._taken:
            number += 1
            name = f"{plain}_{number}"
        self._taken.add(name)
        return name

    def _value(self, name: str) -> str:
        if name not in self._values:
            self._values[name] = self._fresh(name)
        return self._values[name]

    def lines(self, formulae: Iterable[Formula]) -> Iterator[str]:
        """The whole program."""
        encoded = self._encoded
        yield "MODULE main"
        for kind, variables in (("VAR", encoded.variables), ("IVAR", encoded.inputs)):
            yield from (f"{kind} {self._names[one.key]} : {self._kind(one.domain)};" for one in variables)
        yield from (f"INIT {self._term(part)};" for part in encoded.initial)
        yield from (f"TRANS {self._term(part.relation)};" for part in encoded.parts)
        for fair in self._system.fairness:
            if not is_condition(fair):
                raise NotEncodable("fairness that is not a condition on states")
            yield f"FAIRNESS {self._term(self._conditions.condition(fair))};"
        yield from (f"CTLSPEC {self._formula(one)};" for one in formulae)

    def _kind(self, domain: Domain) -> str:
        match domain:
            case t.Boolean():
                return "boolean"
            case t.Bounded(low, high):
                return f"{low}..{high}"
            case t.Enumeration(values):
                return "{" + ", ".join(map(self._value, values)) + "}"
        raise NotEncodable("a variable without bounds")

    def _term(self, expr: Expr) -> str:
        return bottom_up(expr, self._one)

    def _one(self, term: Expr, parts: list[str]) -> str:
        match term:
            case t.Const(value, sort):
                if sort is Sort.NAME:
                    return self._value(str(value))
                if sort is Sort.NUMBER and not isinstance(value, int):
                    raise NotEncodable("a fraction")
                return str(value).upper()
            case t.Var():
                return self._names[term.key]
            case t.Not():
                return f"!{parts[0]}"
            case t.And() | t.Or():
                return f"({(' & ' if isinstance(term, t.And) else ' | ').join(parts)})"
            case t.AtLeast(number):
                return f"({number} <= count({', '.join(parts)}))"
            case t.Xor():
                return f"({parts[0]} xor {parts[1]})"
            case t.Compare(op, left):
                same = "<->" if left.sort is Sort.BOOLEAN else op.value
                return f"({parts[0]} {same} {parts[1]})"
            case t.Arith(op):
                if op is t.Operation.DIVIDE:
                    raise NotEncodable("a division")
                return f"({parts[0]} {op.value} {parts[1]})"
        raise AssertionError("action tests are replaced before")

    def _formula(self, formula: Formula) -> str:
        if is_condition(formula):
            return self._term(self._conditions.condition(formula))
        match formula:
            case logic.ForAll(arg, False) | logic.Exists(arg, False) if all(map(is_state, operands(arg))):
                return self._quantified("A" if isinstance(formula, logic.ForAll) else "E", arg)
            case logic.Not(arg):
                return f"!{self._formula(arg)}"
            case logic.And(args):
                return f"({' & '.join(map(self._formula, args))})"
            case logic.Or(args):
                return f"({' | '.join(map(self._formula, args))})"
            case logic.Implies(left, right):
                return f"({self._formula(left)} -> {self._formula(right)})"
            case logic.Iff(left, right):
                return f"({self._formula(left)} <-> {self._formula(right)})"
            case logic.Xor(left, right):
                return f"({self._formula(left)} xor {self._formula(right)})"
        raise NotEncodable("a formula that is not CTL: knowledge, strategies, the past or paths as such")

    def _quantified(self, letter: str, arg: Formula) -> str:
        """A path quantifier; SMV has no W and no R, which are the duals of U under the other quantifier."""
        parts = [self._formula(part) for part in operands(arg)]
        other = "E" if letter == "A" else "A"
        match arg:
            case logic.Next() | logic.Finally() | logic.Globally():
                return f"{letter}{ {logic.Next: 'X', logic.Finally: 'F', logic.Globally: 'G'}[type(arg)] } {parts[0]}"
            case logic.Until():
                return f"{letter} [{parts[0]} U {parts[1]}]"
            case logic.WeakUntil():
                return f"!{other} [!{parts[1]} U (!{parts[0]} & !{parts[1]})]"
            case logic.Release():
                return f"!{other} [!{parts[0]} U !{parts[1]}]"
        raise NotEncodable("an operator of the past")
