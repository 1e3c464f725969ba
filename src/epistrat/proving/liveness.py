"""Fair runs as reachability: a state that comes back, or ranks that must sink.

A *fair run* is an infinite run that meets each of some conditions (``justice``) again and again.  `repeating` extends a system by a copy of
the state, taken at a moment of the run's choice, and by what has been met since.  In a finite system a fair run exists iff a state is
reachable that equals its copy after all conditions were met.  In an infinite system that is enough for a fair run to exist, not
necessary; there, if between any two moments with equal Booleans and names, with all conditions met in between, one of finitely
many ranks sinks, no fair run exists (the union of the orders by these ranks is well-founded step by step, so by Ramsey's theorem no
infinite sequence is ordered by it).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from epistrat.encoding.transitions import PRIME, StepPart, Transitions, primed_key, writing
from epistrat.model.agent import Variable
from epistrat.records import dataclass
from epistrat.solvers.patience import PATIENT, Patience
from epistrat.terms import (
    Boolean,
    Compare,
    Const,
    Expr,
    Integer,
    Key,
    Real,
    Sort,
    Var,
    subterms,
    variables,
)
from epistrat.terms.linear import linear_form
from epistrat.terms.substitute import substitute

OWNER = "?loop"
_LOWEST = -1000
"""Ranks count as bounded from below by this; any constant would do."""
_SMALLEST = Fraction(1, 64)
"""By how much a rank over real numbers has to sink."""
_MOST_RANKS = 24  # that are tried, those of comparisons in the model first


@dataclass(frozen=True)
class Repeating:
    """The extended system; where the state has come back; where it has come back as far as Booleans and names go."""

    system: Transitions
    closed: Expr
    similar: Expr
    copies: dict[Key, Expr]
    saved: Expr


def repeating(system: Transitions, justice: Sequence[Expr]) -> Repeating:
    """The system with a copy of its state and what was met since the copy was taken."""
    terms = system.terms
    saved = Variable(OWNER, "saved", Boolean())
    save = Variable(OWNER, "save?", Boolean())
    taking = terms.conjunction((terms.negate(saved.reference), save.reference))
    after = terms.disjunction((saved.reference, save.reference))
    variables_, initial, parts = [saved], [terms.negate(saved.reference)], [writing(terms, saved, after)]
    copies: dict[Key, Expr] = {}
    for one in system.variables:
        copy = Variable(OWNER, f"{one.owner}.{one.name}", one.domain)
        copies[one.key] = copy.reference
        variables_.append(copy)
        new = terms.variable(*primed_key(copy.key), one.domain.sort)
        current = terms.variable(*one.key, one.domain.sort)
        initial.append(terms.compare("=", copy.reference, current))
        rules = (
            terms.disjunction((terms.negate(taking), terms.compare("=", new, current))),
            terms.disjunction((taking, terms.compare("=", new, copy.reference))),
        )
        writes = ((taking, current),)
        parts.append(StepPart(terms.conjunction(rules), (copy.key,), writes=writes))
    met: list[Expr] = [saved.reference]
    for number, condition in enumerate(justice):
        seen = Variable(OWNER, f"met{number}", Boolean())
        variables_.append(seen)
        initial.append(terms.negate(seen.reference))
        now = terms.conjunction((after, terms.disjunction((seen.reference, condition))))
        parts.append(writing(terms, seen, now))
        met.append(seen.reference)

    def back(some: Iterable[Variable]) -> Expr:
        same = [terms.compare("=", terms.variable(*one.key, one.domain.sort), copies[one.key]) for one in some]
        return terms.conjunction((*met, *same))

    extended = system.extended(variables_, initial, parts, (save,))
    names = [one for one in system.variables if one.domain.sort is not Sort.NUMBER]
    return Repeating(extended, back(system.variables), back(names), copies, saved.reference)


def ranks(system: Transitions, conditions: Iterable[Expr], patience: Patience = PATIENT) -> list[Expr]:
    """Numbers that may sink: both sides' differences in the comparisons of steps and conditions, and the variables themselves."""
    terms = system.terms
    own = {one.key: one.domain for one in system.variables}
    found: dict[object, Expr] = {}

    def add(expr: Expr) -> None:
        form = linear_form(expr)
        if form is not None and form.factors:
            found.setdefault(tuple(form.factors), expr)

    for term in subterms(*(part.relation for part in system.parts), *conditions):
        if isinstance(term, Compare) and term.left.sort is Sort.NUMBER and variables(term) <= own.keys():
            names = [one.name for one in subterms(term) if isinstance(one, Var)]
            if not any(name.endswith(PRIME) for name in names):
                add(terms.arith("-", term.right, term.left))
                add(terms.arith("-", term.left, term.right))
    for key, domain in own.items():
        if isinstance(domain, (Integer, Real)):
            variable = terms.variable(*key, Sort.NUMBER)
            add(variable)
            add(terms.arith("*", terms.number(-1), variable))
    return list(found.values())[: patience.most(_MOST_RANKS)]


def no_rank_sinks(found: Repeating, candidates: Iterable[Expr]) -> Expr:
    """A moment like the one of the copy at which none of the ranks is lower than then."""
    terms = found.system.terms
    old: dict[Expr, Expr] = {
        terms.variable(*key, copy.sort): copy for key, copy in found.copies.items() if not isinstance(copy, Const)
    }
    domains = found.system.domains
    kept: list[Expr] = [found.similar]
    for rank in candidates:
        real = any(isinstance(domains[key], Real) for key in variables(rank))
        before = substitute(terms, rank, old)
        sinks = terms.conjunction(
            (
                terms.compare("<=", terms.number(_LOWEST), before),
                terms.compare("<=", rank, terms.arith("-", before, terms.number(_SMALLEST if real else 1))),
            )
        )
        kept.append(terms.negate(sinks))
    return terms.conjunction(kept)
