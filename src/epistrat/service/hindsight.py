"""Truth at the last state of one run, of formulae that look back.

A formula with past operators is true or false at a moment of a run, not in a state: `Y p` says that p was true one step before, on the run
that led here.  So is one about what an agent remembers.  Past operators above formulae without any are read off the states of the run.
Where quantifiers, operators of the future or knowledge stand between, or somebody remembers, an engine is asked about all runs that begin
with this one: those with a moment at which the present state, the one before, and so on to the first, are those of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from epistrat.logic.formula import (
    CONNECTIVES,
    PAST,
    REMEMBERING,
    And,
    Exists,
    ForAll,
    Formula,
    Historically,
    Iff,
    Implies,
    Not,
    Once,
    Or,
    Since,
    Truth,
    Xor,
    Yesterday,
    is_state,
    operands,
    subformulae,
)
from epistrat.model.state import State

Known = bool | None
MOST_PINNED = 40
"""The longest run whose states are written into a formula."""


def looks_back(formula: Formula) -> bool:
    """Whether what was before decides it: past operators, and agents who count or remember, perhaps what was said."""
    return any(isinstance(part, (*PAST, *REMEMBERING)) for part in subformulae(formula))


class Hindsight:
    """Truth along one run.  ``here`` answers for a state, ``always`` whether a formula holds at all moments, ``at`` describes a state."""

    def __init__(
        self,
        run: Sequence[State],
        here: Callable[[Formula, State], Known],
        always: Callable[[Formula], Known],
        at: Callable[[State], Formula],
    ) -> None:
        self._run = run
        self._here = here
        self._always = always
        self._at = at
        self._found: dict[tuple[Formula, int], Known] = {}

    def holds(self, formula: Formula, moment: int) -> Known:
        """Whether it is true at a moment of the run; None if that is not known."""
        key = (formula, moment)
        if key not in self._found:
            self._found[key] = self._holds(formula, moment)
        return self._found[key]

    def _holds(self, formula: Formula, moment: int) -> Known:
        if not looks_back(formula):
            return self._here(formula, self._run[moment])
        match formula:
            case Not(arg):
                return _not(self.holds(arg, moment))
            case And(args):
                return _all(self.holds(arg, moment) for arg in args)
            case Or(args):
                return _not(_all(_not(self.holds(arg, moment)) for arg in args))
            case Implies(left, right):
                return _not(_all((self.holds(left, moment), _not(self.holds(right, moment)))))
            case Iff(left, right):
                return _same(self.holds(left, moment), self.holds(right, moment))
            case Xor(left, right):
                return _not(_same(self.holds(left, moment), self.holds(right, moment)))
            case Yesterday(arg):
                return moment > 0 and self.holds(arg, moment - 1)
            case Once(arg):
                return _not(_all(_not(self.holds(arg, one)) for one in range(moment + 1)))
            case Historically(arg):
                return _all(self.holds(arg, one) for one in range(moment + 1))
            case Since(left, right):
                return self._since(left, right, moment)
            case ForAll(arg) | Exists(arg) if _of_the_past(arg):
                return self.holds(arg, moment)
        return self._ahead(formula, moment)

    def _since(self, left: Formula, right: Formula, moment: int) -> Known:
        """The right one was true once, and since then the left one: unfolded from the first moment on."""
        found: Known = False
        for one in range(moment + 1):
            kept = _all((self.holds(left, one), found))
            found = _not(_all((_not(self.holds(right, one)), _not(kept))))
        return found

    def _ahead(self, formula: Formula, moment: int) -> Known:
        """A formula that also says something else than the past: all runs are asked that begin with this one."""
        if moment >= MOST_PINNED:
            raise LookupError(
                f"the run is longer than {MOST_PINNED} states: a formula that looks back and ahead is not asked here"
            )
        pinned: Formula = Not(Yesterday(Truth(True)))
        for one in range(moment + 1):
            pinned = And((self._at(self._run[one]), pinned if one == 0 else Yesterday(pinned)))
        match formula:
            case Exists(arg):
                return _not(self._always(Implies(pinned, Not(arg))))
            case ForAll(arg):
                return self._always(Implies(pinned, arg))
        return self._always(Implies(pinned, formula))


def _of_the_past(formula: Formula) -> bool:
    """Whether the run so far decides it: past operators and connectives above formulae about states."""
    if isinstance(formula, (*CONNECTIVES, *PAST)):
        return all(map(_of_the_past, operands(formula)))
    return is_state(formula) and not looks_back(formula)


def _not(one: Known) -> Known:
    return None if one is None else not one


def _all(parts: Iterable[Known]) -> Known:
    """Conjunction of three truth values."""
    unknown = False
    for part in parts:
        if part is False:
            return False
        unknown = unknown or part is None
    return None if unknown else True


def _same(one: Known, other: Known) -> Known:
    return None if one is None or other is None else one == other
