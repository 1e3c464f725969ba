"""Orders of the variables compared by doing the same again in them.

No size tells how large the sets of a search become.  Where the work for verdicts passes a mark, other orders get a part of it to do the
same: all formulae so far, from the beginning.  What is found after so many steps of a search or fixpoint is the same set in every order, so
orders are compared step by step: one that falls behind is given up at once, one that gets further with less than half of the
work takes over.  All is counted in work, so a run can be repeated.
"""

from __future__ import annotations

from epistrat.encoding.order import Choice
from epistrat.engines.symbolic.candidates import Candidates
from epistrat.engines.symbolic.checker import Checker
from epistrat.engines.symbolic.work import Pace
from epistrat.logic.formula import Formula
from epistrat.solvers.bdd import OutOfNodes

_PURSE = 0.4  # of the work so far, for all other orders together,
_SHARE = 0.2  # and for each of them
_BEHIND = 0.35  # of the work that the order in use took up to the same step: who takes more is given up,
_START = 0.05  # this part of all its work apart
_BUILDING = 300_000  # work for the encoding from which on the first contest is later in proportion
_FEWEST_STEPS = 4  # to compare,
_FIRST_STEP = 0.3  # of which the first may have been this part: where the initial states are what is large, wait longer
_AGAIN = 3  # who could not be compared gets another chance when the work is so many times what it was


class Overtaken(Exception):
    """Another order is better."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice


class _Behind(Exception):
    """An order is worse than the one in use, or needs more than it is given."""


class _Ahead(Exception):
    """An order has come further than the one in use."""


class Contest(Pace):
    """The work for verdicts in the order in use; raises `Overtaken` from inside it when there is a better one."""

    def __init__(self, candidates: Candidates, checker: Checker, built: int) -> None:
        super().__init__()
        self._candidates = candidates
        self._checker = checker
        self._work = checker.work
        self._built = built
        self._mark = int(self._work.budget.patience.contest * max(1, built / _BUILDING))
        self._asked: list[Formula] = []
        self._others: list[Choice] | None = None

    def decide(self, formula: Formula) -> bool:
        """The verdict on the next formula."""
        self._asked.append(formula)
        self._work.pace = self
        try:
            return self._checker.decide(formula)
        finally:
            self._work.pace = None

    def taken_over(self, checker: Checker) -> None:
        """Go on in another order, in which only the last formula is asked again."""
        self._checker = checker
        self._asked.clear()
        self._mark = _AGAIN * self.done
        self.done = 0
        self.at.clear()

    def spent(self, amount: int) -> None:
        """Count work; at the mark, let others try."""
        self.done += amount
        if self.done > self._mark and len(self.at) >= _FEWEST_STEPS:
            self._mark = _AGAIN * self.done
            if self.at[0] < _FIRST_STEP * self.done:
                self._compare()

    def _compare(self) -> None:
        work, counts, seconds = self._work, dict(self._work.counts), dict(self._work.seconds)
        others = self._candidates.contenders() if self._others is None else self._others
        self._others = []
        better: Choice | None = None
        try:
            with work.doing("comparing orders"):
                end = work.budget.meter.work + int(_PURSE * self.done)
                while others and better is None and work.budget.meter.work < end:
                    choice = others.pop(0)
                    chaser = _Chaser(self, int(_SHARE * self.done))
                    if self._overtakes(choice, chaser):
                        better = choice
                    elif not chaser.behind:
                        self._others.append(choice)
                self._others[:0] = others
        finally:
            seconds["comparing orders"] = work.seconds.get("comparing orders", 0.0)
            work.counts, work.seconds, work.pace = counts, seconds, self
            work.measure(self._checker.space.algebra)
        work.count("contests of orders")
        if better is not None:
            raise Overtaken(better)

    def _overtakes(self, choice: Choice, chaser: _Chaser) -> bool:
        """Whether this order comes further in the part of the work that it is given; a small table ends operations that would take more."""
        work = self._work
        work.pace = None
        try:
            candidate = self._candidates.contender(choice, (chaser.most + self._built) // 2, 2 * self._built)
            checker = Checker(candidate, work, self._checker.space.search)
            work.pace = chaser
            for formula in self._asked:
                checker.decide(formula)
        except _Behind:
            return False
        except OutOfNodes:
            work.budget.spend(chaser.most)  # which a single operation may have taken
            return False
        except _Ahead:
            pass
        return True


class _Chaser(Pace):
    """The work for the same verdicts in another order."""

    def __init__(self, leader: Pace, most: int) -> None:
        super().__init__()
        self.most = most
        self.behind = True
        self._leader = leader

    def spent(self, amount: int) -> None:
        """Count work; raise if it is too much."""
        self.done += amount
        before = self._leader.at
        if len(self.at) < len(before) and self.done > _START * self._leader.done + _BEHIND * before[len(self.at)]:
            raise _Behind
        if self.done > self.most:
            self.behind = False
            raise _Behind

    def step(self) -> None:
        """Count a step; raise if the leader has not come so far."""
        super().step()
        if len(self.at) > len(self._leader.at):
            raise _Ahead
