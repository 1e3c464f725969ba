"""Loops for ever: runs that end in one step repeated without end, on which some numbers grow.

`forever` adds to a system, for every macro of one step that can be repeated for ever, a step that stands still.  `endless` checks what a
search concludes from that on the run itself, for the k-th round, whatever k: it knows nothing of macros, guards and drifts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import z3

from epistrat import terms as t
from epistrat.encoding.transitions import StepPart, Transitions, primed_key
from epistrat.model.agent import Variable
from epistrat.model.fold import fold
from epistrat.proving.acceleration import Macro
from epistrat.proving.contract import Undecided, Valuation
from epistrat.proving.unrolling import Unrolling
from epistrat.solvers.budget import Budget
from epistrat.terms import TRUE, Expr, Integer, Key, Sort, Terms, subterms
from epistrat.terms.linear import linear_form
from epistrat.terms.substitute import substitute

_ROUND = Variable("?forever", "round", Integer())
STILL = Variable("?forever", "still", t.Boolean())
_WORK = 2_500_000  # for the question whether some round is impossible


def forever(system: Transitions, macros: Sequence[Macro], leaves: Sequence[Expr]) -> tuple[Transitions, list[Macro]]:
    """The system with, for every one-step macro that can be repeated for ever, a step that stands still instead; and those macros.

    Such a step is possible where the macro's guard (domains are part of it) holds, cannot cease to hold, and no comparison of ``leaves``
    can change its truth while the macro is repeated.  Who stands still does so for ever (``STILL``): a step after some rounds would
    start from another state.  So an infinite run that ends in standing still tells of an infinite run of the system on which the leaves
    have the same truth, point by point.
    """
    terms = system.terms
    atoms = [term for term in subterms(*leaves) if isinstance(term, t.Compare) and term.left.sort is Sort.NUMBER]
    after = terms.variable(*primed_key(STILL.key), Sort.BOOLEAN)
    moves = [part.relation for part in system.parts]
    options = [terms.conjunction((terms.negate(STILL.reference), terms.negate(after), *moves))]
    used = []
    for macro in macros:
        stable = _stable(terms, macro, atoms)
        if len(macro.inputs) == 1 and stable is not None:
            same = [
                terms.compare("=", terms.variable(*primed_key(one.key), one.domain.sort), one.reference)
                for one in system.variables
            ]
            options.append(terms.conjunction((*macro.guard, *stable, after, *same)))
            used.append(macro)
    variables = (*system.variables, STILL)
    part = StepPart(terms.disjunction(options), tuple(one.key for one in variables), TRUE)
    initial = (*system.initial, terms.negate(STILL.reference))
    return Transitions(variables, system.inputs, initial, (part,), terms), used


def _stable(terms: Terms, macro: Macro, atoms: Sequence[t.Compare]) -> list[Expr] | None:
    """Where the truth of the atoms cannot change while the macro is repeated; None if its guard ceases to hold."""
    for literal in macro.guard:
        if isinstance(literal, t.Compare) and literal.left.sort is Sort.NUMBER:
            drift = _drift(terms, macro, literal)
            if drift is None or drift > 0 or (drift and literal.op is t.Comparison.EQUAL):
                return None
    conditions: list[Expr] = []
    for atom in atoms:
        drift = _drift(terms, macro, atom)
        if drift is None:
            return None
        if not drift:
            continue
        if atom.op is t.Comparison.EQUAL:
            sides = (atom.right, atom.left) if drift > 0 else (atom.left, atom.right)
            conditions.append(terms.compare("<", *sides))
        else:
            conditions.append(atom if drift < 0 else terms.negate(atom))
    return conditions


def _drift(terms: Terms, macro: Macro, atom: t.Compare) -> Fraction | None:
    """By how much the difference of an atom's sides, left minus right, grows in a round."""
    form = linear_form(terms.arith("-", atom.left, atom.right))
    if form is None:
        return None
    adds = dict(macro.adds)
    return sum((factor * adds.get(key, Fraction(0)) for key, factor in form.factors), Fraction(0))


def endless(
    system: Transitions,
    state: Valuation,
    inputs: Valuation,
    adds: Mapping[Key, Fraction],
    leaves: Iterable[Expr],
    budget: Budget,
) -> bool:
    """Whether the inputs lead from s + k·c to s + (k+1)·c for every k, without changing the truth of a leaf.

    s is the state and c what is added.  Decided by one question about k: is there a round whose step is impossible, which leaves a
    domain, or where a leaf differs from what it is in s?  False also where the solver does not know.
    """
    terms = system.terms
    number = terms.variable(*_ROUND.key, Sort.NUMBER)
    after = terms.arith("+", number, terms.number(1))
    known: dict[Expr, Expr] = {}
    for one in system.variables:
        value = t.Const(state[one.key], one.domain.sort)
        for key, rounds in ((one.key, number), (primed_key(one.key), after)):
            grown = terms.arith("*", terms.number(adds.get(one.key, Fraction(0))), rounds)
            there = terms.arith("+", value, grown) if one.key in adds else value
            known[terms.variable(*key, one.domain.sort)] = there
    claims = [substitute(terms, fold(terms, part.relation, inputs), known) for part in system.parts]
    for leaf in leaves:
        moved = substitute(terms, leaf, known)
        claims.append(moved if fold(terms, leaf, state) == TRUE else terms.negate(moved))
    asked = Unrolling(Transitions((_ROUND,), (), (), (), terms), budget, from_start=False)
    inside = [asked.terms.fits(known[one.reference], one.domain) for one in system.variables]
    wrong = asked.terms.any([z3.Not(one) for one in (*inside, *map(asked.at, claims))])
    try:
        return not asked.solve([asked.at(terms.compare("<=", terms.number(0), number)), wrong], _WORK, steps=0)
    except Undecided:
        return False
