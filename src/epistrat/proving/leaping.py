"""What leaps are good for in one system: short ways to far states, and the regions that they reach."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from epistrat.encoding.transitions import Transitions
from epistrat.model.agent import Variable
from epistrat.proving.acceleration import Macro, Macros
from epistrat.proving.contract import Trace, Undecided
from epistrat.proving.leaps import accelerated, expanded, proved
from epistrat.proving.projection import LEAP_WORK, more_regions, region
from epistrat.proving.unrolling import Unrolling
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr, Key

_MOST_LEAPS = 3  # steps of the accelerated system that are projected
_LONG_LEAPS = 8  # steps of the accelerated system that are searched,
_LEAPING_WORK = 3_000_000  # as long as that took less than this
_LONGEST = 3000  # steps of a trace that is written out
_TRIED_STEPS = 200  # of a run to a place of a region that leaps have found


class Leaping:
    """The accelerated forms of one system, made when they are first needed, with what was known of all its states then."""

    def __init__(self, system: Transitions, pool: Sequence[Expr], budget: Budget, beside: Unrolling) -> None:
        """``beside`` unrolls the system itself."""
        self._system = system
        self._budget = budget
        # What is remembered changes with every round.
        found = [] if beside.remembered else Macros(system, pool, budget, beside).find()
        self.macros: list[Macro] = proved(system, found, budget, beside)
        self._beside = beside
        self._all = Unrolling(accelerated(system, self.macros), budget, beside=beside) if self.macros else None
        self._only: Unrolling | None = None

    def trace(self, question: Sequence[Expr], free: Sequence[Variable]) -> Trace | None:
        """A trace that becomes short when loops are taken many times in one step."""
        if self._all is None:
            return None
        patience, leaps = self._budget.patience, self._all
        until = self._budget.work + patience.work(_LEAPING_WORK)
        with suppress(Undecided):
            for depth in range(1, patience.most(_LONG_LEAPS) + 1):
                if self._budget.work > until:
                    break
                leaps.extend(depth)
                if leaps.solve([leaps.at(one, depth) for one in question], LEAP_WORK, steps=depth):
                    return expanded(self._system, self.macros, leaps.trace(depth, free), patience.most(_LONGEST))
        return None

    def region(self, question: Sequence[Expr], exact: Sequence[Expr], keys: Sequence[Key]) -> Expr | None:
        """Values of the variables, given ones among them, that some run of few leaps has in a state that satisfies the question."""
        if self._all is not None and self._only is None:
            alone = accelerated(self._system, self.macros, steps=False)
            self._only = Unrolling(alone, self._budget, beside=self._beside)
        for depth in range(self._budget.patience.most(_MOST_LEAPS) + 1):
            for leaps in (self._only, self._all):
                found = None if leaps is None else region(leaps, depth, question, exact, keys)
                if leaps is not None and found is not None:
                    known = more_regions(leaps, depth, question, found, keys)
                    self._try(leaps, depth, question, known, exact)
                    return known
        return None

    def _try(self, leaps: Unrolling, depth: int, question: Sequence[Expr], known: Expr, exact: Sequence[Expr]) -> None:
        """Go, step by step, to a place of the region that nobody has been to; raises `NotARun` where a leap does not lead there."""
        terms = self._system.terms
        elsewhere = [known, terms.negate(terms.conjunction(exact))]
        try:
            found = leaps.solve([leaps.at(one, depth) for one in (*question, *elsewhere)], LEAP_WORK, steps=depth)
        except Undecided:
            return
        if found:
            expanded(self._system, self.macros, leaps.trace(depth), self._budget.patience.most(_TRIED_STEPS))
