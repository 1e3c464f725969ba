"""Conditions under which a value lies in the domain of the variable that gets it."""

from __future__ import annotations

from collections.abc import Mapping

from epistrat import terms as t
from epistrat.terms import FALSE, TRUE, Domain, Expr, Terms, subterms

_MOST_LISTED = 256  # values of a range that are listed where a fraction is assigned


class NotEncodable(Exception):
    """The system cannot be written as expressions of the kind the solvers take.  The message says why."""


class Fits:
    """Whether values fit the variables of one system, whose domains are given."""

    def __init__(self, terms: Terms, domains: Mapping[tuple[str, str], Domain]) -> None:
        self._terms = terms
        self._domain = domains

    def exactly(self, key: tuple[str, str], value: Expr) -> Expr:
        """Exactly where a value lies in its target's domain."""
        domain = self._domain[key]
        if isinstance(domain, t.Real) and _divides(value):
            # Infinity, and what is no number, is not less than itself plus 1.
            return self._terms.compare("<", value, self._terms.arith("+", value, self._terms.number(1)))
        if isinstance(domain, (t.Bounded, t.Integer)) and not isinstance(value, t.Const) and not self._integral(value):
            if isinstance(domain, t.Bounded) and len(domain) <= _MOST_LISTED:
                numbers = map(self._terms.number, domain)
                return self._terms.disjunction(self._terms.compare("=", value, number) for number in numbers)
            raise NotEncodable(f"whether {key[0]}.{key[1]} stays in its range depends on a fraction")
        return self.surely(domain, value)

    def surely(self, domain: Domain, value: Expr) -> Expr:
        """A condition that holds only where the value lies in the domain."""
        terms = self._terms
        match domain:
            case t.Boolean():
                return TRUE
            case t.Real():
                return terms.boolean(not _divides(value))
            case t.Enumeration(names):
                if isinstance(value, t.Const):
                    return terms.boolean(value.value in names)
                assert isinstance(value, t.Var)
                own = self._domain[value.key]
                assert isinstance(own, t.Enumeration)
                if set(own.values) <= set(names):
                    return TRUE
                return terms.disjunction(terms.compare("=", value, terms.name(name)) for name in names)
            case t.Integer():
                return terms.boolean(self._integral(value) or (isinstance(value, t.Const) and value.value in domain))
            case t.Bounded(low, high):
                if isinstance(value, t.Const):
                    return terms.boolean(value.value in domain)
                own_domain = self._domain.get(value.key) if isinstance(value, t.Var) else None
                if isinstance(own_domain, t.Bounded) and low <= own_domain.low and own_domain.high <= high:
                    return TRUE
                if not self._integral(value):
                    return FALSE
                return terms.conjunction(
                    (terms.compare("<=", terms.number(low), value), terms.compare("<=", value, terms.number(high)))
                )

    def _integral(self, value: Expr) -> bool:
        """Whether the value is a whole number for reasons of form."""
        for term in subterms(value):
            match term:
                case t.Const(number) if not isinstance(number, int):
                    return False
                case t.Var() if isinstance(self._domain.get(term.key), t.Real):
                    return False
                case t.Arith(t.Operation.DIVIDE):
                    return False
        return True


def _divides(value: Expr) -> bool:
    """Whether a divisor may be zero."""
    return any(
        isinstance(term, t.Arith)
        and term.op is t.Operation.DIVIDE
        and not (isinstance(term.right, t.Const) and term.right.value != 0)
        for term in subterms(value)
    )
