"""Conditions under which a value lies in the domain of the variable that gets it."""

from __future__ import annotations

from collections.abc import Mapping

from epistrat.terms import (
    FALSE,
    TRUE,
    Arith,
    Boolean,
    Bounded,
    Const,
    Domain,
    Enumeration,
    Expr,
    Integer,
    Operation,
    Real,
    Terms,
    Var,
    subterms,
)

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
        if isinstance(domain, (Bounded, Integer)) and not isinstance(value, Const) and not self._integral(value):
            if isinstance(domain, Bounded) and len(domain) <= _MOST_LISTED:
                numbers = map(self._terms.number, domain)
                return self._terms.disjunction(self._terms.compare("=", value, number) for number in numbers)
            raise NotEncodable(f"whether {key[0]}.{key[1]} stays in its range depends on a fraction")
        return self.surely(domain, value)

    def surely(self, domain: Domain, value: Expr) -> Expr:
        """A condition that holds only where the value lies in the domain."""
        terms = self._terms
        match domain:
            case Boolean():
                return TRUE
            case Real():
                return terms.boolean(not _divides(value))
            case Enumeration(names):
                if isinstance(value, Const):
                    return terms.boolean(value.value in names)
                assert isinstance(value, Var)
                own = self._domain[value.key]
                assert isinstance(own, Enumeration)
                if set(own.values) <= set(names):
                    return TRUE
                return terms.disjunction(terms.compare("=", value, terms.name(name)) for name in names)
            case Integer():
                return terms.boolean(self._integral(value) or (isinstance(value, Const) and value.value in domain))
            case Bounded(low, high):
                if isinstance(value, Const):
                    return terms.boolean(value.value in domain)
                own_domain = self._domain.get(value.key) if isinstance(value, Var) else None
                if isinstance(own_domain, Bounded) and low <= own_domain.low and own_domain.high <= high:
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
                case Const(number) if not isinstance(number, int):
                    return False
                case Var() if isinstance(self._domain.get(term.key), Real):
                    return False
                case Arith(Operation.DIVIDE):
                    return False
        return True


def _divides(value: Expr) -> bool:
    """Whether a divisor may be zero."""
    return any(
        isinstance(term, Arith)
        and term.op is Operation.DIVIDE
        and not (isinstance(term.right, Const) and term.right.value != 0)
        for term in subterms(value)
    )
