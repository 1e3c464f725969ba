"""The engines at work on one system.

A `Portfolio` opens one session per engine, when a formula first needs it, and keeps it for all formulae.  It never raises when a limit
is reached: what was not decided is Unknown, with the reason.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from epistrat.engines import choose
from epistrat.engines.choose import Choice, NoEngine
from epistrat.engines.contract import Facts, Options, Outcome, Session, Verdict, Watcher, silent
from epistrat.logic.formula import Formula, Truth
from epistrat.model.system import System
from epistrat.solvers.budget import Budget, OutOfBudget


class Disagreement(Exception):
    """Two engines gave different answers to one question: one of them is wrong, and that is our bug."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An outcome, the engine it comes from (None if there is none), why that engine was asked, and how long it took."""

    outcome: Outcome
    engine: str | None = None
    seconds: float = 0.0
    why: str | None = None

    @property
    def decided(self) -> bool:
        """Whether there is a verdict."""
        return self.outcome.verdict is not Verdict.UNKNOWN


class Portfolio:
    """Sessions on one system; ``engine`` is one engine's name, ``auto`` or ``all``."""

    def __init__(self, system: System, engine: str, options: Options, budget: Budget, watch: Watcher = silent) -> None:
        self._system = system
        self._engine = engine
        self._options = options
        self._budget = budget
        self._watch = watch
        self._sessions: dict[str, Session] = {}
        self._portions: dict[str, Budget] = {}
        self._slow: set[str] = set()

    def __enter__(self) -> Portfolio:
        return self

    def __exit__(self, *_: object) -> None:
        for session in self._sessions.values():
            session.close()

    def answer(self, formula: Formula) -> Answer:
        """The answer to one question, by one engine or by all; raises `Disagreement` if two of them differ."""
        try:
            answers = list(self._answers(formula))
        except NoEngine as refusal:
            return Answer(Outcome(Verdict.UNKNOWN, reason=str(refusal)))
        decided = [answer for answer in answers if answer.decided]
        if len({answer.outcome.verdict for answer in decided}) > 1:
            raise Disagreement(", ".join(f"{one.engine} says {one.outcome.verdict.value}" for one in decided))
        return max(decided or answers, key=lambda answer: answer.outcome.evidence is not None)

    def _answers(self, formula: Formula) -> Iterator[Answer]:
        """The answers of the engines; where they take turns, only one: the first that decides, or the last in vain."""
        if self._engine == "all":
            yield from (self._ask(formula, choice) for choice in self._choices(formula))
            return
        for choice in self._choices(formula):
            answer = self._ask(formula, choice)
            if answer.decided or choice.seconds is None or self._spent:
                yield answer
                return
            self._slow.add(choice.engine.name)

    @property
    def _spent(self) -> bool:
        """Whether nothing is left of the budget."""
        try:
            self._budget.check()
        except OutOfBudget:
            return True
        return False

    def _choices(self, formula: Formula) -> Iterable[Choice]:
        if self._engine == "all":
            return choose.every(self._system, formula, self._options)
        if self._engine == "auto":
            return choose.plan(self._system, formula, self._options)
        return [choose.named(self._engine, self._system, formula, self._options)]

    def _ask(self, formula: Formula, choice: Choice) -> Answer:
        started = time.perf_counter()
        name = choice.engine.name
        try:
            self._budget.check()
            session = self._session(choice)
            turn = None if choice.seconds is None else choice.seconds * self._budget.patience.stage
            self._portions[name].allow(self._budget, turn)
            outcome = session.check(formula)
        except OutOfBudget as limit:
            outcome = Outcome(Verdict.UNKNOWN, reason=str(limit))
        except MemoryError:
            outcome = Outcome(Verdict.UNKNOWN, reason="memory ran out")
        return Answer(outcome, name, time.perf_counter() - started, choice.why)

    def _session(self, choice: Choice) -> Session:
        name = choice.engine.name
        if name not in self._sessions:
            self._portions[name] = self._budget.portion()
            self._sessions[name] = choice.engine.open(self._system, self._options, self._portions[name], self._watch)
        return self._sessions[name]

    def facts(self) -> Facts:
        """What is known of the state space, from the first session that tells; those that were too slow come last.

        A session is opened if there is none yet.
        """
        try:
            if not self._sessions:
                self._session(next(iter(self._choices(Truth(True)))))
            best: Facts | None = None
            for name in sorted(self._sessions, key=lambda name: name in self._slow):
                if best is not None and name in self._slow:
                    break
                self._portions[name].allow(self._budget, None)
                best = self._sessions[name].facts()
                if best.states is not None:
                    break
            return best or Facts(None)
        except OutOfBudget as limit:
            return Facts(None, reason=str(limit))
        except MemoryError:
            return Facts(None, reason="memory ran out")
        except NoEngine as refusal:
            return Facts(None, reason=str(refusal))

    def statistics(self) -> dict[str, dict[str, Any]]:
        """What each engine says about its work."""
        return {name: dict(session.statistics()) for name, session in self._sessions.items()}
