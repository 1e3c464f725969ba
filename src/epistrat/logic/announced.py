"""Announcements on runs: brought in front of the quantifier that speaks of the runs.

What follows an announcement is about the run that goes on.  ``A`` passes through what all runs agree on and through X and G, ``E`` through
X and F; an announcement itself is about the present, so the quantifier passes through it, too:

    A [! f] g = [! f] A g        E [! f] g = E true and [! f] E g

The quantifiers that this makes speak of infinite runs.  Where others in the formula are read as in CTL no text could say both, so they
are written as CTL's, which count only states where some run goes on for ever:

    A X f = AX (E true -> f)     E(f U g) = E((E true and f) U (E true and g))
"""

from __future__ import annotations

from collections.abc import Callable

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.logic.rewrite import rebuild, with_operands


def in_front(formula: Formula) -> Formula | None:
    """The formula with all announcements on runs brought in front of quantifiers; None where one of them cannot be."""
    stuck: list[Formula] = []
    made: list[Formula] = []

    def change(part: Formula) -> Formula:
        if not isinstance(part, logic.ForAll | logic.Exists) or not _tells(part.arg):
            return part
        moved = moved_out(part)
        (made if moved is not None else stuck).append(part)
        return moved or part

    found = rebuild(formula, change)
    if stuck:
        return None
    return _in_one_reading(found) if made else found


def _in_one_reading(formula: Formula) -> Formula:
    """The formula without quantifiers over infinite runs of a shape that CTL has, if there are others that CTL reads."""
    quantifiers = [part for part in subformulae(formula) if isinstance(part, logic.ForAll | logic.Exists)]
    shaped = {part.star for part in quantifiers if _is_ctl_shape(part.arg)}
    return rebuild(formula, _as_in_ctl) if len(shaped) > 1 else formula


def _is_ctl_shape(arg: Formula) -> bool:
    return isinstance(arg, logic.FUTURE) and all(map(is_state, operands(arg)))


def _as_in_ctl(part: Formula) -> Formula:
    if not isinstance(part, logic.ForAll | logic.Exists) or not part.star or not _is_ctl_shape(part.arg):
        return part
    endless = logic.Exists(logic.Truth(True), star=True)
    if isinstance(part, logic.ForAll):
        return logic.ForAll(with_operands(part.arg, tuple(logic.Implies(endless, one) for one in operands(part.arg))))
    return logic.Exists(with_operands(part.arg, tuple(logic.And((endless, one)) for one in operands(part.arg))))


def moved_out(quantifier: Formula) -> Formula | None:
    """An equivalent formula whose announcements all stand in front of quantifiers; None where a run as a whole would be needed."""
    assert isinstance(quantifier, logic.ForAll | logic.Exists)
    return (_all if isinstance(quantifier, logic.ForAll) else _some)(quantifier.arg)


def _all(path: Formula) -> Formula | None:
    """``A path``."""
    if not _tells(path):
        return logic.ForAll(path, star=True)
    match path:
        case logic.And():
            return _joined(path, _all)
        case logic.Not(arg):
            return _mapped(_some(arg), logic.Not)
        case logic.Implies(left, right) if is_state(left):
            return _mapped(_all(right), lambda new: logic.Implies(left, new))
        case logic.Or(args):
            return _aside(args, logic.Or, _all)
        case logic.Next(arg):
            return _mapped(_all(arg), lambda new: logic.ForAll(logic.Next(new), star=True))
        case logic.Globally(arg):
            return _mapped(_all(arg), lambda new: logic.ForAll(logic.Globally(new), star=True))
        case logic.Announced(said, arg):
            return _mapped(_all(arg), lambda new: logic.Announced(said, new))
        case _:
            return None


def _some(path: Formula) -> Formula | None:
    """``E path``."""
    if not _tells(path):
        return logic.Exists(path, star=True)
    match path:
        case logic.Or():
            return _joined(path, _some)
        case logic.Not(arg):
            return _mapped(_all(arg), logic.Not)
        case logic.And(args):
            return _aside(args, logic.And, _some)
        case logic.Next(arg):
            return _mapped(_some(arg), lambda new: logic.Exists(logic.Next(new), star=True))
        case logic.Finally(arg):
            return _mapped(_some(arg), lambda new: logic.Exists(logic.Finally(new), star=True))
        case logic.Announced(said, arg):
            endless = logic.Exists(logic.Truth(True), star=True)
            return _mapped(_some(arg), lambda new: logic.And((endless, logic.Announced(said, new))))
        case _:
            return None


def _tells(path: Formula) -> bool:
    """Whether an announcement is made on the run."""
    if isinstance(path, logic.Announced):
        return not is_state(path.arg)
    return isinstance(path, (*logic.CONNECTIVES, *logic.TEMPORAL)) and any(map(_tells, operands(path)))


def _mapped(found: Formula | None, change: Callable[[Formula], Formula]) -> Formula | None:
    return None if found is None else change(found)


def _joined(path: logic.And | logic.Or, quantified: Callable[[Formula], Formula | None]) -> Formula | None:
    parts = [quantified(arg) for arg in path.args]
    good = [part for part in parts if part is not None]
    return type(path)(tuple(good)) if len(good) == len(parts) else None


def _aside(
    args: tuple[Formula, ...], kind: type[logic.And] | type[logic.Or], quantified: Callable[[Formula], Formula | None]
) -> Formula | None:
    """All but one of the parts are about the present."""
    present = [arg for arg in args if is_state(arg)]
    rest = [arg for arg in args if not is_state(arg)]
    if len(rest) != 1:
        return None
    return _mapped(quantified(rest[0]), lambda new: kind((*present, new)))
