"""Equivalent forms of formulae: duals, negation normal form, a core of few operators, Boolean simplification.

Every rewriting works on the distinct subformulae, operands first, and keeps the reading (``star``) of quantifiers.  All of
them preserve truth at every point of every run, dead ends included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae

TRUE = logic.Truth(True)
FALSE = logic.Truth(False)


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
    if isinstance(formula, (*logic.KNOWLEDGE, logic.Correct)) and is_state(new[0]) and not is_state(formula.arg):
        new = (logic.ForAll(new[0], star=True),)
    match formula:
        case logic.Truth() | logic.Prop() | logic.Test() | logic.Colour():
            return formula
        case logic.And() | logic.Or():
            return type(formula)(new)
        case logic.ForAll(_, star) | logic.Exists(_, star):
            return type(formula)(new[0], star)
        case logic.Knows(agent) | logic.Correct(agent):
            return type(formula)(agent, new[0])
        case logic.Everybody(group) | logic.Distributed(group) | logic.Common(group) | logic.Coalition(group):
            return type(formula)(group, new[0])
        case (
            logic.Implies()
            | logic.Iff()
            | logic.Xor()
            | logic.Until()
            | logic.WeakUntil()
            | logic.Release()
            | logic.Since()
        ):
            return type(formula)(new[0], new[1])
        case _:
            return type(formula)(new[0])


def rebuild(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """The formula with ``change`` applied to every subformula, operands first."""
    done: dict[Formula, Formula] = {}
    for part in subformulae(formula):
        done[part] = change(with_operands(part, tuple([done[operand] for operand in operands(part)])))
    return done[formula]


def simplify(formula: Formula) -> Formula:
    """Constants folded, nested ``and``/``or`` flattened, repeated operands and double negations dropped.

    Temporal operators over constants are left alone: at a dead end ``AF true`` and ``true`` differ in no reading, but
    ``EX true`` and ``E true`` do differ from ``true``.
    """
    return rebuild(formula, _simplify_one)


def _simplify_one(formula: Formula) -> Formula:
    match formula:
        case logic.Not(arg):
            return negation(arg)
        case logic.And(args):
            return conjunction(args)
        case logic.Or(args):
            return disjunction(args)
        case logic.Implies(left, right):
            return formula if not _constant(left, right) else disjunction((negation(left), right))
        case logic.Iff(left, right):
            return formula if not _constant(left, right) else negation(_exclusive(left, right))
        case logic.Xor(left, right):
            return formula if not _constant(left, right) else _exclusive(left, right)
        case _:
            return formula


def _constant(left: Formula, right: Formula) -> bool:
    return isinstance(left, logic.Truth) or isinstance(right, logic.Truth)


def _exclusive(left: Formula, right: Formula) -> Formula:
    """``left xor right`` where one of them is a constant."""
    if not isinstance(left, logic.Truth):
        left, right = right, left
    return negation(right) if left == TRUE else right


def dual(formula: Formula) -> Formula:
    """A formula equivalent to ``!formula``, with negations only in front of what has no dual; see `negation_normal_form`."""
    return negation_normal_form(negation(formula))


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
            return positive, _negated_path(formula, yes, no) or negation(positive)


def _same(yes: list[Formula], no: list[Formula]) -> Formula:
    return disjunction((conjunction(yes), conjunction(no)))


def _different(yes: list[Formula], no: list[Formula]) -> Formula:
    return disjunction((conjunction((yes[0], no[1])), conjunction((no[0], yes[1]))))


def _negated_path(formula: Formula, yes: list[Formula], no: list[Formula]) -> Formula | None:
    """The negation of a temporal operator, by its dual; None for all other operators.

    ``!(f U g) = !g W (!f & !g)`` and back; ``!(f R g) = !f U !g``; ``!(f S g) = Hist !g | (!g S (!f & !g))``;
    ``!(Y f) = Y !f | !(Y true)``.
    """
    match formula:
        case logic.Next():
            return logic.Next(no[0])
        case logic.Finally():
            return logic.Globally(no[0])
        case logic.Globally():
            return logic.Finally(no[0])
        case logic.Until():
            return logic.WeakUntil(no[1], conjunction(no))
        case logic.WeakUntil():
            return logic.Until(no[1], conjunction(no))
        case logic.Release():
            return logic.Until(no[0], no[1])
        case logic.Once():
            return logic.Historically(no[0])
        case logic.Historically():
            return logic.Once(no[0])
        case logic.Since():
            return disjunction((logic.Historically(no[1]), logic.Since(no[1], conjunction(no))))
        case logic.Yesterday():
            return disjunction((logic.Yesterday(no[0]), logic.Not(logic.Yesterday(TRUE))))
        case _:
            return None


def core(formula: Formula) -> Formula:
    """An equivalent formula built from few operators only.

    Atoms, ``! and``; ``EX EU EG`` in CTL's reading; ``E`` over ``X U`` and past ``Y S`` in that of CTL*; K, DK, GCK, O and
    coalitions over ``X F G U W R`` (whose operands are in core form).
    """
    done: dict[Formula, Formula] = {}
    shapes: dict[Formula, Formula] = {}
    for part in subformulae(formula):
        source = shapes if _keeps_shape(part) else done
        shapes[part] = with_operands(part, tuple([done[operand] for operand in operands(part)]))
        done[part] = _core_one(with_operands(part, tuple([source[operand] for operand in operands(part)])))
    return done[formula]


def _keeps_shape(formula: Formula) -> bool:
    """Whether the temporal operator directly below must stay the one that was written."""
    return isinstance(formula, logic.Coalition) or (
        isinstance(formula, (logic.ForAll, logic.Exists)) and not formula.star
    )


def _core_one(formula: Formula) -> Formula:
    match formula:
        case logic.Or(args):
            return negation(conjunction(map(negation, args)))
        case logic.And(args):
            return conjunction(args)
        case logic.Not(arg):
            return negation(arg)
        case logic.Implies(left, right):
            return negation(conjunction((left, negation(right))))
        case logic.Iff(left, right):
            return negation(_core_xor(left, right))
        case logic.Xor(left, right):
            return _core_xor(left, right)
        case logic.ForAll(arg, star=True):
            return negation(logic.Exists(negation(arg), star=True))
        case logic.ForAll(arg) | logic.Exists(arg, star=False):
            return _core_ctl(arg, universal=isinstance(formula, logic.ForAll))
        case logic.Everybody(group, arg):
            return conjunction([logic.Knows(member, arg) for member in group.members])
        case _:
            return _core_path(formula)


def _core_xor(left: Formula, right: Formula) -> Formula:
    both, neither = conjunction((left, right)), conjunction((negation(left), negation(right)))
    return conjunction((negation(both), negation(neither)))


def _core_path(formula: Formula) -> Formula:
    match formula:
        case logic.Finally(arg):
            return logic.Until(TRUE, arg)
        case logic.Globally(arg):
            return negation(logic.Until(TRUE, negation(arg)))
        case logic.WeakUntil(left, right):
            return negation(logic.Until(negation(right), conjunction((negation(left), negation(right)))))
        case logic.Release(left, right):
            return negation(logic.Until(negation(left), negation(right)))
        case logic.Once(arg):
            return logic.Since(TRUE, arg)
        case logic.Historically(arg):
            return negation(logic.Since(TRUE, negation(arg)))
        case _:
            return formula


def _core_ctl(shape: Formula, universal: bool) -> Formula:
    """A CTL quantifier over one temporal operator, by EX, EU and EG."""
    if universal:
        opposite = _negated_path(shape, list(operands(shape)), [negation(operand) for operand in operands(shape)])
        assert opposite is not None, "CTL's quantifiers stand directly above a future operator"
        return negation(_core_ctl(opposite, universal=False))
    match shape:
        case logic.Finally(arg):
            return logic.Exists(logic.Until(TRUE, arg))
        case logic.WeakUntil(left, right):
            return _core_one(logic.Or((logic.Exists(logic.Until(left, right)), logic.Exists(logic.Globally(left)))))
        case logic.Release(left, right):
            return _core_ctl(logic.WeakUntil(right, conjunction((left, right))), universal=False)
        case _:
            return logic.Exists(shape)
