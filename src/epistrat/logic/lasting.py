"""Formulae that do not profit from runs that end.

Where runs can end, ``AF p``, ``AX p``, ``LTL G p`` and ``<g>F p`` may hold only because some runs have no continuation.  With an atom
``ended`` that becomes true where a run would have ended (`epistrat.model.transform.completed`), `lasting` asks for more: what must become
true must do so before the end; what must stay true must do so up to the end; a group must reach its goal, or keep what it keeps, on runs
that go on.
"""

from __future__ import annotations

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.logic.rewrite import conjunction, disjunction, negation, negation_normal_form, with_operands


def lasting(formula: Formula, ended: Formula) -> Formula | None:
    """The stronger formula; None where it cannot be written: under a negation that cannot be moved inwards."""
    normal = negation_normal_form(formula if is_state(formula) else logic.ForAll(formula, True))
    if any(isinstance(part, logic.Not) and _lasts(part.arg) for part in subformulae(normal)):
        return None
    return _Lasting(ended).state(normal)


def _lasts(formula: Formula) -> bool:
    """Whether the formula speaks of runs."""
    return any(isinstance(part, (logic.ForAll, logic.Exists, logic.Coalition)) for part in subformulae(formula))


class _Lasting:
    """The rewriting for one atom."""

    def __init__(self, ended: Formula) -> None:
        self._ended = ended
        self._goes_on = negation(ended)

    def state(self, formula: Formula) -> Formula:
        """A state formula, in normal form."""
        match formula:
            case logic.ForAll(arg, star):
                return logic.ForAll(self._path(arg, strong=False), star)
            case logic.Exists(arg, star):
                return logic.Exists(self._path(arg, strong=True), star)
            case logic.Coalition(group, arg):
                return logic.Coalition(group, self._path(arg, strong=True))
            case _:
                return with_operands(formula, tuple(map(self.state, operands(formula))))

    def _path(self, formula: Formula, strong: bool) -> Formula:
        """A path formula; ``strong`` if what stays true must do so on runs that go on."""
        if is_state(formula):
            return self.state(formula)
        parts = tuple(self._path(operand, strong) for operand in operands(formula))
        match formula:
            case logic.Next() | logic.Finally():
                return with_operands(formula, (self._before_the_end(parts[0]),))
            case logic.Globally():
                return with_operands(formula, (self._kept(parts[0], strong),))
            case logic.Until():
                return with_operands(formula, (parts[0], self._before_the_end(parts[1])))
            case logic.WeakUntil():
                return with_operands(formula, (self._kept(parts[0], strong), self._before_the_end(parts[1])))
            case logic.Release():
                return with_operands(formula, (self._before_the_end(parts[0]), self._kept(parts[1], strong)))
            case _:
                return with_operands(formula, parts)

    def _before_the_end(self, part: Formula) -> Formula:
        return conjunction((part, self._goes_on))

    def _kept(self, part: Formula, strong: bool) -> Formula:
        return self._before_the_end(part) if strong else disjunction((part, self._ended))
