"""The engines at work on one system.

A `Portfolio` opens a session of an engine when a formula first needs it, and keeps it for all formulae.  Engines that join (see
`epistrat.engines.choose`) take turns, or work side by side where another core is free; the first answer ends the others.  Whoever
answered leads when the next formula comes, so that an engine that has found all states answers at once.

It never raises when a limit is reached: what was not decided is Unknown, with the reason.
"""

from __future__ import annotations

import os
import queue
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from epistrat.answers import Question, Result, Setting
from epistrat.engines import choose, registry
from epistrat.engines.choose import Effort, NoEngine, Turn
from epistrat.engines.contract import Facts, Options, Outcome, Rival, Session, Strategies, Verdict, Watcher, silent
from epistrat.engines.needs import needs
from epistrat.engines.readings import in_words, is_pruned, named
from epistrat.evidence import Stated
from epistrat.jobs.arrivals import Arrivals
from epistrat.jobs.race import Entrant, Race
from epistrat.jobs.runner import Job, Runner
from epistrat.logic.formula import Formula, Truth
from epistrat.logic.histories import about_histories
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.solvers.budget import MEMORY_REACHED, Budget, OutOfBudget
from epistrat.solvers.disagreement import Contradiction

if TYPE_CHECKING:
    from epistrat.evidence.proof.prove import Hinted
    from epistrat.jobs.remote import RemoteRunner

_LOSER = 0.2  # the most that an engine gets that did not answer the last question, in parts of the leader's share
_SHOWING = 12.0  # work for evidence where the engine that answered has none, in parts of what a remark may take
_BOUNDS = "give every variable bounds, so that finite engines can answer"
_OTHER_ENGINE = "another engine"


class Disagreement(Contradiction):
    """Two engines gave different answers to one question: one of them is wrong, and that is a bug in epistrat."""


class Portfolio:
    """Sessions on one system; ``engine`` is one engine's name, ``auto`` or ``all``."""

    def __init__(self, system: System, engine: str, options: Options, budget: Budget, watch: Watcher = silent) -> None:
        self._system = system
        self._engine = engine
        self._options = options
        self._budget = budget
        self._watch = watch
        self._reports: queue.SimpleQueue[Runner] = queue.SimpleQueue()
        self._standing: dict[str, Runner] = {}
        self._also_tried: dict[str, list[str]] = {}
        self._winner: str | None = None
        self._free_cores = _other_cores(budget)
        self._helpers: list[RemoteRunner] = []
        self.patience = budget.patience.joining

    def __enter__(self) -> Portfolio:
        return self

    def __exit__(self, *_: object) -> None:
        for runner in self._standing.values():
            runner.dismiss()
        for helper in self._helpers:
            helper.gone()

    # -- questions ---------------------------------------------------------------------------------------------------

    def answer(self, question: Question, seconds: float | None = None) -> Result:
        """The answer to one question, by one engine or by all; raises `Disagreement` if two of them differ.

        ``seconds`` is the most that this question may take, if that is less than what the budget leaves.
        """
        formula = question.formula
        if self._budget.cancelled:  # engines would tell how far they came with another question
            reason = f"{self._budget.reason} before this formula was looked at"
            return self._result(question, Outcome(Verdict.UNKNOWN, reason=reason))
        self._budget.share(seconds)
        try:
            if self._engine == "all":
                choices = choose.every(self._system, formula, self._options)
                answers = [self._answer(question, iter([choice])) for choice in choices]
            else:
                answers = [self._answer(question, self._plan(formula))]
        except NoEngine as refusal:
            return self._result(question, Outcome(Verdict.UNKNOWN, reason=str(refusal)))
        finally:
            self._budget.share(None)
        decided = [answer for answer in answers if answer.decided]
        if len({answer.verdict for answer in decided}) > 1:
            raise _contradiction(question, *((one.engine, one.verdict) for one in decided))
        return max(decided or answers, key=lambda answer: answer.evidence is not None)

    def _answer(self, question: Question, plan: Iterator[Turn]) -> Result:
        started = time.perf_counter()
        choice, found = self._race(Job("check", (question.formula,)), plan, lambda outcome: outcome.decided)
        if isinstance(found, OutOfBudget) and choice.engine.name in self._standing:
            session = self._standing[choice.engine.name].session
            found = found if session is None else session.unfinished(found)
        if isinstance(found, BaseException):
            found = Outcome(Verdict.UNKNOWN, reason=_words(found))
        if choice.instead and not found.decided:
            found = replace(found, reason=f"{found.reason}; {choice.instead}", advice=(*found.advice, _BOUNDS))
        said = {**found.statistics, "chosen because": choice.why} if choice.why else found.statistics
        return self._result(
            question, replace(found, statistics=said), choice.engine.name, time.perf_counter() - started
        )

    def _result(self, question: Question, outcome: Outcome, engine: str | None = None, seconds: float = 0.0) -> Result:
        options, reading, play = self._options, self._options.strategies, ""
        if self._budget.cancelled:  # who stopped it needs no advice on how to let it finish
            outcome = replace(outcome, advice=())
        elif outcome.reason is not None and outcome.reason.startswith(MEMORY_REACHED):
            other = [one for one in outcome.advice if one not in (Setting("time"), Setting("memory"))]
            outcome = replace(outcome, advice=(Setting("memory"), *other))
        elif outcome.advice:
            outcome = replace(outcome, advice=tuple(one for one in outcome.advice if self._fits(one)))
        if self._system.interleaved:
            asked = needs(self._system, question.formula, options)
            reading, play = asked.strategies, asked.play
        play = in_words(question.formula, options) or play
        if reading is Strategies.UNIFORM and not is_pruned(question.formula, options):
            reading = Strategies.ANY
        result = Result.of(outcome, question, engine, seconds, reading, options.uniform_group, play)
        return replace(result, named=named(question.formula, options))

    def _fits(self, advice: Setting | str) -> bool:
        """Whether something to try can help: a limit that was not set was not reached, and who asked for all engines had all of them."""
        if advice == Setting("memory"):
            return self._budget.memory is not None
        if advice == Setting("time"):
            return self._budget.seconds is not None
        return advice != _OTHER_ENGINE or self._engine not in ("auto", "all")

    def remark(self, result: Result, share: float = 1.0) -> Outcome:
        """What explains an answer in a sentence, from the engine that gave it.

        All remarks together cost at most a tenth of the work it has done (`REMARK_SHARE`); up to this one it may be this part of that.
        """
        nothing = Outcome(result.verdict)
        runner = self._standing.get(result.engine or "")
        if runner is None or runner.busy or not result.decided:
            return nothing
        job = Job("remark", (result.formula, result.verdict), share)
        found = self._aside(runner, job)
        return nothing if found is None else found

    def shown(self, result: Result) -> Result:
        """The result with evidence from another engine, where the one that answered has nothing to show.

        That is so on unbounded models, and on decision diagrams where the question is about histories.
        How much work that may be depends on nothing but the work for the questions so far.
        """
        question = result.question
        wanted = result.verdict is Verdict.FAILS or self._options.examples
        lacking = bool(wanted) and about_histories(question.formula)
        if self._engine != "auto" or _shows_something(result) or not result.decided:
            return result
        if self._system.finite and not lacking:
            return result
        plan = choose.plan(self._system, question.formula, self._options)
        choice = next((one for one in plan if one.engine.name != result.engine), None)
        entrant = None if choice is None else self.enter(choice, leads=self._system.finite)
        if choice is None or entrant is None:
            return result
        found = self._aside(entrant.runner, Job("check", (question.formula,), _SHOWING))
        if not isinstance(found, Outcome) or not found.decided:
            return result
        if found.verdict is not result.verdict:
            raise _contradiction(question, (result.engine, result.verdict), (choice.engine.name, found.verdict))
        if not _shows_something(found):
            return result
        return replace(result, evidence=found.evidence, others=found.others)

    def _aside(self, runner: Runner, job: Job) -> Any:
        """What comes of a job that is not a question of its own; None where that takes more than it may."""
        arrivals = iter([Entrant(runner, 1.0, None)])
        race = Race(job, self._budget, self._reports, lambda _: next(arrivals, None), lambda _: True)
        try:
            found = race.run()
        except OutOfBudget:
            return None
        return None if found is None else found.runner.result

    def facts(self) -> Facts:
        """What is known of the state space, from the engine that answered last or, if it cannot tell, another.

        A session is opened if there is none yet.
        """
        try:
            plan = self._who_counts()
            _, found = self._race(Job("facts"), plan, _known)
        except NoEngine as refusal:
            return Facts(None, reason=str(refusal))
        facts = Facts(None, reason=_words(found)) if isinstance(found, BaseException) else found
        return facts if facts.states is not None else replace(facts, states=self._counted())

    def _counted(self) -> int | None:
        """How many states there are, if some engine has found all of them, whatever else it did not finish."""
        sessions = [runner.session for runner in self._standing.values() if not runner.busy]
        counts = [session.counted() for session in sessions if session is not None]
        return next((count for count in counts if count is not None), None)

    def hinted(self, result: Result, tick: Callable[[], object] = lambda: None) -> Hinted | None:
        """What the engine that answered can say for a proof of its answer; ``tick`` is told now and then, and may raise."""
        runner = self._standing.get(result.engine or "")
        return None if runner is None or runner.busy or runner.session is None else runner.session.exported(tick)

    def seen(self) -> int:
        """How many reachable states there are at least, by what was found so far."""
        sessions = [runner.session for runner in self._standing.values() if not runner.busy]
        return max((session.seen() for session in sessions if session is not None), default=0)

    def _who_counts(self) -> Iterator[Turn]:
        """The engines that may know how many states there are.  Where they may be too many, only one that stops counting soon."""
        many = not self._system.finite or self._winner == "abstraction"
        if many and self._engine == "auto" and not self._system.fairness:
            return iter([choose.named("abstraction", self._system, Truth(True), self._options)])
        return iter(self._asked()) if self._standing else self._plan(Truth(True))

    def statistics(self) -> dict[str, dict[str, Any]]:
        """What each engine says about its work."""
        told: dict[str, dict[str, Any]] = {}
        for name, runner in self._standing.items():
            if runner.session is not None:
                told[name] = dict(runner.session.statistics())
                if name in self._also_tried:
                    told[name]["also tried"] = self._also_tried[name]
        return told

    # -- who works on them -------------------------------------------------------------------------------------------

    def _plan(self, formula: Formula) -> Iterator[Turn]:
        """The engines for a formula; who answered last comes first."""
        if self._engine != "auto":
            return iter([choose.named(self._engine, self._system, formula, self._options)])
        plan = choose.plan(self._system, formula, self._options)
        first = next(plan)
        if self._winner in (None, first.engine.name):
            return chain([first], plan)
        loaded = [replace(choice, then=None) for choice in (first, *plan)]
        return iter(sorted(loaded, key=lambda choice: choice.engine.name != self._winner))

    def _asked(self) -> list[Turn]:
        """The engines that have a session."""
        names = sorted(self._standing, key=lambda name: name != self._winner)
        return [Turn(registry.load(name), "it was asked before") for name in names]

    def _race(self, job: Job, plan: Iterator[Turn], decided: Callable[[Any], bool]) -> tuple[Turn, Any]:
        """Who answered, and the answer; if nobody did, who was asked first, and what came of it."""
        arrivals = Arrivals(self, plan)
        turn = None if self._system.finite else self._budget.patience.unbounded_turn
        race = Race(job, self._budget, self._reports, arrivals, decided, arrivals.soon, turn)
        try:
            self._budget.limits()
            winner = race.run()
            best = winner or _to_blame(race, arrivals.first)
            if best is None:
                self._budget.limits()  # raises: otherwise the first engine would still be at work
            assert best is not None
            found = best.runner.error or best.runner.result  # read now: a runner that is dismissed forgets it
        except OutOfBudget as limit:
            return arrivals.first, limit
        finally:
            for entrant in (*race.field, *race.failed):
                self._leave(entrant)
        if winner is None:
            return best.tag, found
        choice: Turn = winner.tag
        self._winner = choice.engine.name
        standing = self._standing[self._winner]
        if standing is not winner.runner:
            self._dismiss(standing)
            self._standing[self._winner] = winner.runner
        return choice, found

    def enter(self, choice: Turn, leads: bool, effort: Effort | None = None) -> Entrant | None:
        """The engine's session as an entrant; None if it is still inside an operation for an earlier question.

        An engine that would lead is given a session of its own instead: nobody else may be able to answer.
        """
        name = choice.engine.name
        if leads and name in self._standing and self._standing[name].busy:
            self._dismiss(self._standing.pop(name))
        promising = choose.is_promising(choice, effort)
        if name not in self._standing:
            beside = choice.beside and not leads and not promising  # less work than to start a process
            self._standing[name] = self._runner(name, self._options, self._budget.portion(), beside)
        runner = self._standing[name]
        lost = self._winner is not None and self._system.finite  # nobody has found all states of an unbounded model
        first = leads or promising
        share = 1.0 if first else min(choice.share, _LOSER) if lost else choice.share
        return None if runner.busy else Entrant(runner, share, choice)

    def enter_rival(self, choice: Turn, rival: Rival) -> Entrant:
        """Another setting of the same engine as an entrant."""
        budget = replace(self._budget.portion(), nodes=rival.nodes)
        self._also_tried.setdefault(choice.engine.name, []).append(rival.name)
        runner = self._runner(choice.engine.name, rival.options, budget, beside=True)
        return Entrant(runner, 1.0, choice, catches_up=False)

    def tried(self, choice: Turn) -> list[str]:
        """The other settings of an engine that have had their chance."""
        return self._also_tried.get(choice.engine.name, [])

    def exploring(self, states: int) -> int:
        """What going through so many states takes."""
        return choose.exploring(self._system, states)

    def joins(self, engine: str, work: float | None) -> float:
        """The leader's work after which an engine joins; those that have a session are there from the beginning."""
        if engine in self._standing or work is None:
            return 0
        return work * self.patience

    def _runner(self, engine: str, options: Options, budget: Budget, beside: bool) -> Runner:
        if beside and self._free_cores > 0:
            from epistrat.jobs.remote import RemoteRunner, RemoteSession

            self._free_cores -= 1
            helper = RemoteRunner(partial(RemoteSession, self._system, engine, options), budget, self._reports)
            self._helpers.append(helper)
            return helper

        def open_session(budget: Budget) -> Session:
            return registry.load(engine).open(self._system, options, budget, self._watch)

        return Runner(open_session, budget, self._reports)

    def _leave(self, entrant: Entrant) -> None:
        """After a race: runners that did not win stay only if they are the session of their engine."""
        if entrant.runner not in self._standing.values():
            self._dismiss(entrant.runner)

    def _dismiss(self, runner: Runner) -> None:
        runner.dismiss()
        self._free_cores += runner.free


def _shows_something(outcome: Outcome) -> bool:
    """Whether some piece of evidence rests on more than that the engine says so."""
    return any(not any(isinstance(reason, Stated) for reason in tree.because) for tree in outcome.trees)


def _contradiction(question: Question, *said: tuple[str | None, Verdict]) -> Disagreement:
    return Disagreement(
        f"formula {question.index}: {', '.join(f'{one} says {verdict.value}' for one, verdict in said)}"
    )


def _to_blame(race: Race, first: Turn) -> Entrant | None:
    """Where nobody answered, whose reason is told: the first engine's, if it has ended; None if it was stopped by a limit.

    What engines say that joined in case the model is easier than it looks is no reason why the question is hard.
    """
    ended = next((entrant for entrant in race.failed if entrant.tag is first), None)
    at_work = any(entrant.tag is first for entrant in race.field)
    return ended if ended is not None or at_work else race.failed[0]


def _known(facts: Facts) -> bool:
    return facts.states is not None or facts.dead_ends is not None


def _other_cores(budget: Budget) -> int:
    """How many cores are there beside the one for turns.  Where memory is limited all work is done in one process."""
    if budget.memory is not None or not sys.executable:
        return 0
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, budget.cores or available) - 1


def _words(limit: BaseException) -> str:
    return "memory ran out" if isinstance(limit, MemoryError) else str(limit)
