"""Boolean terms of Z3, built without the checks and conversions that its Python classes make for every operand.

Laying out steps is mostly building terms: this takes a third of the time that ``z3.And`` and its kin take.  All operands must be
Boolean terms of one context.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3


def negation(term: Any) -> Any:
    """Not the term."""
    context = term.ctx
    return z3.BoolRef(z3.Z3_mk_not(context.ref(), term.ast), context)


def conjunction(terms: Sequence[Any]) -> Any:
    """All of the terms, at least one."""
    context = terms[0].ctx
    return z3.BoolRef(z3.Z3_mk_and(context.ref(), len(terms), _array(terms)), context)


def disjunction(terms: Sequence[Any]) -> Any:
    """Some of the terms, at least one."""
    context = terms[0].ctx
    return z3.BoolRef(z3.Z3_mk_or(context.ref(), len(terms), _array(terms)), context)


def same(one: Any, other: Any) -> Any:
    """Both Boolean terms have the same value."""
    context = one.ctx
    return z3.BoolRef(z3.Z3_mk_eq(context.ref(), one.ast, other.ast), context)


def replaced(term: Any, old: Sequence[Any], new: Sequence[Any]) -> Any:
    """The Boolean term with other constants of the same sorts in the place of some."""
    context = term.ctx
    return z3.BoolRef(z3.Z3_substitute(context.ref(), term.ast, len(old), _array(old), _array(new)), context)


def _array(terms: Sequence[Any]) -> Any:
    return (z3.Ast * len(terms))(*[term.ast for term in terms])
