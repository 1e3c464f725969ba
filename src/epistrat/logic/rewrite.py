"""Equivalent forms of formulae: opposites, negation normal form.

Every rewriting works on the distinct subformulae, operands first, and keeps the reading (``star``) of quantifiers.  All of
them preserve truth at every point of every run, dead ends included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.logic.operators import Form, by_kind

TRUE = logic.Truth(True)
FALSE = logic.Truth(False)
_ROWS = by_kind()


def negation(formula: Formula) -> Formula:
    """Not formula, without double negation and without negated constants."""
    if isinstance(formula, logic.Not):
        return formula.arg
    if isinstance(formula, logic.Truth):
        return logic.Truth(not formula.value)
    return logic.Not(formula)


def conjunction(args: Iterable[Formula]) -> Formula:
    """All of args: flat, constants folded; ``true`` when nothing is left."""
    return _join(logic.And, args, FALSE, TRUE)


def disjunction(args: Iterable[Formula]) -> Formula:
    """Some of args: flat, constants folded; ``false`` when nothing is left."""
    return _join(logic.Or, args, TRUE, FALSE)


def _join(
    kind: type[logic.And] | type[logic.Or], args: Iterable[Formula], absorbing: logic.Truth, neutral: logic.Truth
) -> Formula:
    flat: dict[Formula, None] = {}
    for arg in args:
        parts = arg.args if isinstance(arg, kind) else (arg,)
        flat.update(dict.fromkeys(parts))
    flat.pop(neutral, None)
    if absorbing in flat:
        return absorbing
    if len(flat) < 2:
        return next(iter(flat), neutral)
    return kind(tuple(flat))


def with_operands(formula: Formula, new: tuple[Formula, ...]) -> Formula:
    """The same operator over equivalent operands, given left to right.

    Knowledge (and O) of a path formula is about infinite runs, that of a state formula about all reachable states.  Where the
    new operand of such an operator has become a state formula, an A in front of it keeps the meaning.
    """
    if isinstance(formula, logic.KNOWING) and not is_state(formula.arg) and is_state(new[0]):
        new = (logic.ForAll(new[0], star=True),)
    row = _ROWS.get(type(formula))
    if row is None:
        return formula
    one: Any = formula
    rebuilt: Formula
    match row.form:
        case Form.JOIN:
            rebuilt = row.kind(new)
        case Form.QUANTIFIER:
            rebuilt = row.kind(new[0], one.star)
        case Form.OF_AGENT:
            rebuilt = row.kind(one.agent, new[0])
        case Form.OF_GROUP | Form.STRATEGY:
            rebuilt = row.kind(one.group, new[0])
        case Form.READ:
            rebuilt = row.kind(one.word, one.reading, one.group, new[0])
        case Form.TAG:
            rebuilt = row.kind(one.tag, new[0])
        case Form.NAMED:
            rebuilt = row.kind(one.variable, new[0])
        case Form.BINDING:
            rebuilt = row.kind(one.agent, one.variable, new[0])
        case _:
            rebuilt = row.kind(*new)
    return rebuilt


def rebuild(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """The formula with ``change`` applied to every subformula, operands first."""
    done: dict[Formula, Formula] = {}
    for part in subformulae(formula):
        done[part] = change(with_operands(part, tuple([done[operand] for operand in operands(part)])))
    return done[formula]


def opposite(path: Formula) -> Formula:
    """The negation of a path formula, pushed one operator inwards where the operator has a dual."""
    no = [negation(operand) for operand in operands(path)]
    match path:
        case logic.Not(arg):
            return arg
        case logic.And():
            return logic.Or(tuple(no))
        case logic.Or():
            return logic.And(tuple(no))
        case logic.Implies(left):
            return logic.And((left, no[1]))
        case _:
            return (_opposite(path, no) if isinstance(path, logic.FUTURE) else None) or negation(path)


def negation_normal_form(formula: Formula) -> Formula:
    """An equivalent formula without ``->``, ``<->``, ``xor``, and with negations only in front of

    atoms, knowledge (K, GK, DK, GCK), correctness (O) and coalitions, none of which has a dual operator in the language, and
    ``Y true`` ("this is not time 0").  Bodies of those operators are in normal form themselves.
    """
    known: dict[Formula, tuple[Formula, Formula]] = {}
    for part in subformulae(formula):
        known[part] = _both(part, known)
    return known[formula][0]


def _both(formula: Formula, known: dict[Formula, tuple[Formula, Formula]]) -> tuple[Formula, Formula]:
    """Normal forms of a formula and of its negation, given those of its operands."""
    pairs = [known[operand] for operand in operands(formula)]
    yes, no = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    match formula:
        case logic.Not():
            return no[0], yes[0]
        case logic.And():
            return conjunction(yes), disjunction(no)
        case logic.Or():
            return disjunction(yes), conjunction(no)
        case logic.Implies():
            return disjunction((no[0], yes[1])), conjunction((yes[0], no[1]))
        case logic.Iff():
            return _same(yes, no), _different(yes, no)
        case logic.Xor():
            return _different(yes, no), _same(yes, no)
        case logic.ForAll(_, star):
            return logic.ForAll(yes[0], star), logic.Exists(no[0], star)
        case logic.Exists(_, star):
            return logic.Exists(yes[0], star), logic.ForAll(no[0], star)
        case _:
            positive = with_operands(formula, tuple(yes))
            return positive, _opposite(formula, no) or negation(positive)


def _same(yes: list[Formula], no: list[Formula]) -> Formula:
    return disjunction((conjunction(yes), conjunction(no)))


def _different(yes: list[Formula], no: list[Formula]) -> Formula:
    return disjunction((conjunction((yes[0], no[1])), conjunction((no[0], yes[1]))))


def _opposite(formula: Formula, no: list[Formula]) -> Formula | None:
    """The negation of a temporal operator, by its dual over its operands' negations; None for all other operators.

    Where the row names no dual: ``!(f U g) = !g W (!f & !g)`` and back; ``!(f R g) = !f U !g``; ``!(f S g) = Hist !g | (!g S (!f & !g))``;
    ``!(Y f) = Y !f | !(Y true)``.
    """
    match formula:
        case logic.Until():
            return logic.WeakUntil(no[1], conjunction(no))
        case logic.WeakUntil():
            return logic.Until(no[1], conjunction(no))
        case logic.Since():
            return disjunction((logic.Historically(no[1]), logic.Since(no[1], conjunction(no))))
        case logic.Yesterday():
            return disjunction((logic.Yesterday(no[0]), logic.Not(logic.Yesterday(TRUE))))
        case _:
            row = _ROWS.get(type(formula))
            return row.dual(*no) if row is not None and row.time is not None and row.dual is not None else None
