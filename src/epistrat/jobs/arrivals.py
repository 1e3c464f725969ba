"""Who joins a race, and when."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from epistrat.engines import choose
from epistrat.engines.choose import Effort, Stage, Turn
from epistrat.engines.contract import Rival
from epistrat.jobs.race import Entrant
from epistrat.jobs.runner import Runner

if TYPE_CHECKING:
    from epistrat.jobs.portfolio import Portfolio

_FIRST_RIVAL = 1_000_000  # work before an engine is asked for other settings
_RIVALS = 2  # so many other settings of one engine at a time,
_SAMPLE = 1_000  # states: fewer do not tell how long the others take
_PATIENCE = 3  # and each waits so many times longer than the one before


class Arrivals:
    """Who joins a race, and when: the engines of the plan, then other settings of the engine that leads."""

    def __init__(self, portfolio: Portfolio, plan: Iterator[Turn]) -> None:
        self._portfolio = portfolio
        self._plan = plan
        self.first = next(plan)
        self._upcoming: Turn | None = self.first
        self._then = self.first.then
        self._more = True
        self._late: list[Turn] = []
        self._lead: Runner | None = None
        self._rivals: list[Rival] | None = None

    def __call__(self, field: list[Entrant]) -> Entrant | None:
        """Who joins now, given who is in the race; None if nobody does yet."""
        self._promote(field)
        for late in self._late:  # still inside an operation for an earlier question
            entrant = self._portfolio.enter(late, not field, self._effort())
            if entrant is not None:
                self._late.remove(late)
                return entrant
        while (choice := self._next(field)) is not None:
            if field and self._is_early(choice.engine.name, choice) and not _all_overdue(field):
                break
            self._upcoming = None
            entrant = self._portfolio.enter(choice, self._lead is None, self._effort())
            if entrant is not None:
                self._lead = self._lead or entrant.runner
                return entrant
            self._late.append(choice)
        return self._rival(field)

    def _promote(self, field: list[Entrant]) -> None:
        """Give equal turns to an engine that will have gone through all states with less work than was done for the question already.

        What it takes is known once the leader has counted the states: as much for each of the others as for those that were found.
        """
        lead = self._lead
        states = None if lead is None or lead.session is None else lead.session.counted()
        if states is None:
            return
        for entrant in field:
            runner = entrant.runner
            if runner is lead or runner.free or runner.session is None or getattr(entrant.tag, "most", None) is None:
                continue
            found = runner.session.fewest()
            if found >= min(states, _SAMPLE) and runner.work * states <= found * self._work():
                entrant.share = 1.0

    def _next(self, field: list[Entrant]) -> Turn | None:
        """The next engine of the plan; it is not even loaded while the leader is quick."""
        then = self._then
        early = field and then is not None and self._is_early(then.engine, then)
        if self._upcoming is None and self._more and not (early and not _all_overdue(field)):
            self._upcoming = next(self._plan, None)
            self._more = self._upcoming is not None
            self._then = None if self._upcoming is None else self._upcoming.then
        return self._upcoming

    def _is_early(self, engine: str, when: Stage | Turn) -> bool:
        """Whether the leader has done too little: for this question, where the engine takes turns and has no core to itself."""
        done = self._work() if when.beside or self._lead is None else self._lead.account
        return done < self._portfolio.joins(engine, choose.due(when, self._effort()))

    def soon(self) -> float:
        """What the leader may do until an engine joins that takes turns with it: its turn ends then."""
        when = self._upcoming or self._then
        if when is None or when.beside or self._lead is None:
            return inf
        name = when.engine if isinstance(when.engine, str) else when.engine.name
        left = self._portfolio.joins(name, choose.due(when, self._effort())) - self._lead.account
        return left if left > 0 else inf

    def _work(self) -> int:
        return 0 if self._lead is None else self._lead.work

    def _effort(self) -> Effort | None:
        """What going through the states takes, once the leader has counted some or all of them."""
        session = None if self._lead is None else self._lead.session
        if session is None:
            return None
        counted, fewest = session.counted(), session.fewest()
        if counted is None and not fewest:
            return None
        return Effort(self._portfolio.exploring(fewest if counted is None else counted), counted is not None)

    def _rival(self, field: list[Entrant]) -> Entrant | None:
        if (
            self._lead is None
            or self._lead.session is None
            or (field and self._work() < _FIRST_RIVAL * self._portfolio.patience)
        ):
            return None
        tried = self._portfolio.tried(self.first)
        if self._rivals is None:
            self._rivals = [rival for rival in self._lead.session.rivals() if rival.name not in tried]
        active = sum(entrant.tag is self.first for entrant in field) - self._lead.busy
        if not self._rivals or active >= _RIVALS:
            return None
        rival = self._rivals[0]
        if field and self._work() < rival.after * _PATIENCE ** len(tried) * self._portfolio.patience:
            return None
        return self._portfolio.enter_rival(self.first, self._rivals.pop(0))


def _all_overdue(field: list[Entrant]) -> bool:
    return all(entrant.runner.overdue for entrant in field)
