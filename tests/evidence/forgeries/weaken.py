"""The list of ways to drop or weaken one premise of a proof: of the evidence, of the system that it is about, or of the question.

Each gives another case, or None where it does not apply.  Whether the result still proves what it claims is for `brute` to find out.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.evidence.forgeries.case import Case

from epistrat.terms import And, Expr, Or, Terms

Weakening = Callable[[random.Random, Case], Case | None]
WEAKENINGS: dict[str, Weakening] = {}
ABOUT_SYSTEMS: dict[str, Weakening] = {}
"""Those that change the system and nothing else: they serve evidence of every kind."""
TERMS = Terms()


def weakens(one: Weakening) -> Weakening:
    """Enter a weakening in the list, by its name in words."""
    WEAKENINGS[one.__name__.replace("_", " ")] = one
    return one


def of_system(one: Weakening) -> Weakening:
    """Enter a weakening of the system."""
    ABOUT_SYSTEMS[one.__name__.replace("_", " ")] = one
    return weakens(one)


def without_one(rng: random.Random, expr: Expr, kind: type[And] | type[Or]) -> Expr | None:
    """The expression without one operand of a connective, wherever that stands outside negations."""
    join = TERMS.conjunction if kind is And else TERMS.disjunction
    other = TERMS.disjunction if kind is And else TERMS.conjunction
    if isinstance(expr, kind):
        out = rng.randrange(len(expr.args))
        return join([*expr.args[:out], *expr.args[out + 1 :]])
    if isinstance(expr, (And, Or)):
        places = list(range(len(expr.args)))
        rng.shuffle(places)
        for place in places:
            inner = without_one(rng, expr.args[place], kind)
            if inner is not None:
                return other([*expr.args[:place], inner, *expr.args[place + 1 :]])
    return None
