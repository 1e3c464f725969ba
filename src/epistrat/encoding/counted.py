"""Conjunctions that count: "no three of these together", written as a conjunct for each three, is one condition that counts.

A conjunct ``not (a and b and c)``, or ``a or b or c``, is a clause over its operands.  Where the clauses of one kind and width, over
operands that hang together, are as many as there are combinations of so many operands, all combinations are there: the operands meet no
``width`` at a time, or all but ``width - 1`` of them hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import comb
from typing import TypeAlias

from epistrat.encoding.part import variables_of
from epistrat.terms import And, Expr, Not, Or, Terms

_LEAST_CONJUNCTS = 200  # that are looked at: fewer are encoded as fast
_MOST_GROUPS = 64  # of operands that hang together: more are no sign of counting

_Clause: TypeAlias = tuple[Expr, tuple[Expr, ...]]
"""A conjunct and its operands."""


def conjuncts(condition: Expr) -> tuple[Expr, ...]:
    """The operands of a conjunction, those that count together as one; or the condition itself."""
    parts = condition.args if isinstance(condition, And) else (condition,)
    return parts if len(parts) < _LEAST_CONJUNCTS else tuple(_counted(parts))


def _counted(parts: Sequence[Expr]) -> Iterator[Expr]:
    denials: dict[int, list[_Clause]] = {}
    choices: dict[int, list[_Clause]] = {}
    for part in parts:
        if isinstance(part, Not) and isinstance(part.arg, And):
            denials.setdefault(len(part.arg.args), []).append((part, part.arg.args))
        elif isinstance(part, Or):
            choices.setdefault(len(part.args), []).append((part, part.args))
        else:
            yield part
    terms = Terms()
    for width, clauses in denials.items():
        yield from _joined(clauses, width, partial(_not_all, terms, width))
    for width, clauses in choices.items():
        yield from _joined(clauses, width, partial(_one_of_each, terms, width))


def _not_all(terms: Terms, width: int, group: list[Expr]) -> Expr:
    """No so many of the group hold together."""
    return terms.negate(terms.at_least(width, group))


def _one_of_each(terms: Terms, width: int, group: list[Expr]) -> Expr:
    """Of every so many of the group one holds."""
    return terms.at_least(len(group) - width + 1, group)


def _joined(clauses: Sequence[_Clause], width: int, said: Callable[[list[Expr]], Expr]) -> Iterator[Expr]:
    """The clauses, or what they say together if that is a matter of counting."""
    number: dict[Expr, int] = {}
    masks: set[int] = set()
    others: list[Expr] = []  # in which an operand stands more than once
    for clause, operands in clauses:
        mask = 0
        for one in operands:
            mask |= 1 << number.setdefault(one, len(number))
        if mask.bit_count() == width:
            masks.add(mask)
        else:
            others.append(clause)
    together = _components(masks)
    if together is None or sum(comb(one.bit_count(), width) for one in together) != len(masks):
        yield from (clause for clause, _ in clauses)
        return
    everything = tuple(number)
    for mask in together:
        yield said([everything[place] for place in variables_of(mask)])
    yield from others


def _components(masks: set[int]) -> list[int] | None:
    """The operands that hang together by clauses, as masks; None where these are many."""
    found: list[int] = []
    for mask in masks:
        touched = [one for one in found if one & mask]
        if len(touched) == 1 and touched[0] | mask == touched[0]:
            continue
        found = [one for one in found if not one & mask]
        for one in touched:
            mask |= one
        found.append(mask)
        if len(found) > _MOST_GROUPS:
            return None
    return found
