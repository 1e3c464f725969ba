"""Terms of VMT-LIB: what they mention, and what they are as our own expressions and formulae."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial, reduce
from itertools import pairwise, product

from epistrat.lang.vmt.parse import Term
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.conditions import Propositional
from epistrat.model.system import System
from epistrat.source import NotRead
from epistrat.terms import TRUE as ALWAYS, Const, Expr, Sort, Terms

TRUE, FALSE = "true", "false"


def symbols(term: Term) -> set[str]:
    """The symbols and numerals of a term, without operators."""
    if isinstance(term, str):
        return {term}
    return set().union(*[symbols(one) for one in term[1:]]) if len(term) > 1 else set()


def number(term: Term) -> Fraction | None:
    """The value of a constant."""
    match term:
        case str(text):
            try:
                return Fraction(text)
            except ValueError:
                return None
        case ("-", one):
            value = number(one)
            return None if value is None else -value
        case ("/", one, other):
            top, bottom = number(one), number(other)
            return None if top is None or not bottom else top / bottom
        case ("to_real", one):
            return number(one)
    return None


def conjuncts(term: Term) -> Iterator[Term]:
    """The parts of a conjunction."""
    if isinstance(term, tuple) and term[0] == "and":
        for one in term[1:]:
            yield from conjuncts(one)
    elif term != TRUE:
        yield term


def conjunction(parts: list[Term]) -> Term:
    """All parts."""
    kept = [one for one in parts if one != TRUE]
    if FALSE in kept:
        return FALSE
    return TRUE if not kept else kept[0] if len(kept) == 1 else ("and", *kept)


def negated(term: Term) -> Term:
    """Not the term."""
    if term == TRUE:
        return FALSE
    if term == FALSE:
        return TRUE
    return term[1] if isinstance(term, tuple) and term[0] == "not" else ("not", term)


def knowing(term: Term) -> Iterator[str]:
    """The agents whose knowledge a term speaks of."""
    match term:
        case (":knows", str(agent), body):
            yield agent
            yield from knowing(body)
        case (_, *parts):
            for one in parts:
                yield from knowing(one)


class TermLowering:
    """Turns terms into formulae and expressions; ``variable`` gives the one that a symbol stands for, ``plain`` makes one simpler.

    Expressions have no choice between numbers (``ite``): a number is a list of cases, each with the condition under which it is this.
    """

    def __init__(self, terms: Terms, variable: Callable[[str], Expr], plain: Callable[[Expr], Expr]) -> None:
        self._terms = terms
        self._variable = variable
        self._plain = plain
        self._conditions = Propositional(System(()), terms)

    def condition(self, term: Term) -> Expr:
        """A Boolean term in which nobody knows anything."""
        return self._conditions.condition(self.formula(term))

    def formula(self, term: Term) -> Formula:
        """A Boolean term."""
        match term:
            case "true" | "false":
                return logic.Truth(term == TRUE)
            case str(symbol):
                return logic.Test(self._variable(symbol))
            case (":knows", str(agent), body):
                return logic.Knows(agent, self.formula(body))
            case ("not", one):
                return logic.Not(self.formula(one))
            case ("and", *parts):
                return logic.And(tuple(map(self.formula, parts)))
            case ("or", *parts):
                return logic.Or(tuple(map(self.formula, parts)))
            case ("=>", *parts):
                return self.formula(("or", *map(negated, parts[:-1]), parts[-1]))
            case ("xor" | "distinct", left, right):
                return self.formula(("not", ("=", left, right)))
            case ("ite", when, yes, no):
                return self.formula(("or", ("and", when, yes), ("and", negated(when), no)))
            case ("=", left, right) if self._is_boolean(left):
                return self.formula(("or", ("and", left, right), ("and", negated(left), negated(right))))
            case ("=" | "<" | "<=" | ">" | ">=" as op, left, right):
                return self._comparison(str(op), left, right)
            case ("=" | "<" | "<=" | ">" | ">=" as op, *parts) if len(parts) > 2:
                return self.formula(("and", *[(str(op), a, b) for a, b in pairwise(parts)]))
        raise NotRead(f"{term[0]} cannot be translated", 0)

    def _comparison(self, op: str, left: Term, right: Term) -> Formula:
        terms = self._terms
        cases = [(*when, terms.compare(op, *values)) for when, values in self._each(left, right)]
        found = self._plain(terms.disjunction(map(terms.conjunction, cases)))
        return logic.Truth(bool(found.value)) if isinstance(found, Const) else logic.Test(found)

    def _is_boolean(self, term: Term) -> bool:
        if isinstance(term, str):
            return term in (TRUE, FALSE) or (number(term) is None and self._variable(term).sort is Sort.BOOLEAN)
        if term[0] == "ite":
            return self._is_boolean(term[2])
        return term[0] not in ("+", "-", "*", "/", "to_real", "to_int", "mod", "div", "abs")

    def _each(self, *parts: Term) -> Iterator[tuple[tuple[Expr, ...], tuple[Expr, ...]]]:
        """Every combination of the cases of some numbers: the conditions, and the numbers."""
        for some in product(*map(self.cases, parts)):
            when, values = zip(*some, strict=True)
            yield when, values

    def cases(self, term: Term) -> list[tuple[Expr, Expr]]:
        """A number: the conditions that tell its cases apart, and what it is there."""
        terms, constant = self._terms, number(term)
        if constant is not None:
            return [(ALWAYS, terms.number(constant))]
        match term:
            case str(symbol):
                return [(ALWAYS, self._variable(symbol))]
            case ("to_real", one):
                return self.cases(one)
            case ("-", one):
                return self.cases(("-", "0", one))
            case ("ite", when, yes, no):
                sides = [(self.condition(when), yes), (self.condition(negated(when)), no)]
                return [
                    (terms.conjunction([test, more]), value) for test, one in sides for more, value in self.cases(one)
                ]
            case ("+" | "-" | "*" | "/" as op, *parts):
                joined = partial(terms.arith, str(op))
                return [(terms.conjunction(when), reduce(joined, values)) for when, values in self._each(*parts)]
        raise NotRead(f"{term[0]} cannot be translated", 0)
