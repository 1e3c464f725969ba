"""The only place where the order of stages is written.

    text -> lang.load -> System -> engine sessions -> outcomes -> results, with what is known of the state space

`check` opens one session per engine and keeps it for all formulae, so that they share what they can.  It never raises when a limit is
reached: what was not decided is Unknown, with the reason.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from epistrat.engines import choose
from epistrat.engines.choose import Choice, NoEngine
from epistrat.engines.contract import Facts, Options, Outcome, Progress, Session, Verdict, Watcher, silent
from epistrat.logic.formula import Formula, Truth
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.render.as_json import plain
from epistrat.results import Question, Report, Result
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.source import Diagnostic, SourceText
from epistrat.source import Report as SourceReport

if TYPE_CHECKING:
    from epistrat.evidence.replay import Replay
    from epistrat.evidence.survey import Survey
    from epistrat.lang.load import Loaded
    from epistrat.lang.origins import Origins


class InputError(ValueError):
    """A model or formula that cannot be used.  ``diagnostics`` say what is wrong and where."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(one) for one in self.diagnostics if one.is_error))


class Disagreement(Exception):
    """Two engines gave different answers to one question: one of them is wrong, and that is our bug."""


Teller = Callable[[Result], None]


def unheard(_: Result) -> None:
    """A listener for whom nobody cares."""


def load_file(file: str, *, strict: bool = False, equal_enumerations: bool = False) -> Loaded:
    """Load a model from a file; ``-`` is standard input.  Whatever is wrong with it is in the diagnostics."""
    name = "<stdin>" if file == "-" else file
    try:
        data = sys.stdin.buffer.read() if file == "-" else FilePath(file).read_bytes()
    except OSError as error:
        return _unreadable(name, _why_not(error))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _unreadable(name, f"byte {error.start} in line {line} is not UTF-8 text")
    if "\0" in text:
        return _unreadable(name, "this is not text: it holds a null character")
    return load_text(text, name, strict=strict, equal_enumerations=equal_enumerations)


def load_text(text: str, name: str = "<text>", *, strict: bool = False, equal_enumerations: bool = False) -> Loaded:
    """Load a model from its text."""
    from epistrat.lang.load import load

    return load(text, name, strict=strict, equal_enumerations=equal_enumerations)


def _why_not(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "this is a directory, not a file"
    return (error.strerror or str(error)).lower()


def _unreadable(name: str, why: str) -> Loaded:
    from epistrat.lang.lexer import Words
    from epistrat.lang.load import Loaded
    from epistrat.lang.origins import Origins

    report = SourceReport(SourceText("", name))
    report.error("E011", f"{name} cannot be read: {why}")
    return Loaded(None, report, Origins(Words(report.source, SourceReport(report.source))), report.source)


def read_formula(text: str, system: System, *, strict: bool = False) -> Formula:
    """The formula that a text denotes; raises `InputError` if it denotes none."""
    from epistrat.lang.load import parse_formula

    formula, diagnostics = parse_formula(text, system, strict=strict)
    if formula is None:
        raise InputError(diagnostics)
    return formula


def questions(
    system: System,
    formulae: Sequence[Formula] | None = None,
    only: Iterable[int] | None = None,
    origins: Origins | None = None,
) -> list[Question]:
    """The system's own formulae, or the given ones, numbered from 1; ``only`` picks some by number."""
    own = formulae is None
    asked = [
        Question(index, formula, _words(index, formula, origins if own else None))
        for index, formula in enumerate(system.formulae if formulae is None else formulae, start=1)
    ]
    if only is None:
        return asked
    wanted = set(only)
    missing = wanted - {question.index for question in asked}
    if missing:
        raise LookupError(f"there is no formula {min(missing)}: the model has {len(asked)}")
    return [question for question in asked if question.index in wanted]


def _words(index: int, formula: Formula, origins: Origins | None) -> str:
    """The formula as it was written, on one line; as we would write it where that is not known."""
    written = origins.text("formula", index - 1) if origins is not None else None
    if written is None or any(mark in written for mark in ("--", "//", "/*")):
        return show(formula)
    return " ".join(written.split()).removesuffix(";").rstrip()


def check(
    system: System,
    asked: Sequence[Question],
    *,
    engine: str = "auto",
    options: Options | None = None,
    budget: Budget | None = None,
    watch: Watcher = silent,
    tell: Teller = unheard,
    facts: bool = True,
    replayed: bool = True,
) -> Report:
    """Answer the questions in order; ``tell`` hears each answer at once.

    ``facts=False`` leaves the state space alone; ``replayed=False`` takes evidence on the engine's word.
    """
    with _Checker(system, engine, options or Options(), budget or Budget(), watch, replayed) as checker:
        results: list[Result] = []
        for question in asked:
            watch(Progress(f"formula {question.index} of {len(asked)}"))
            results.append(checker.answer(question))
            tell(results[-1])
        known = checker.facts() if facts else Facts(None)
        return Report(tuple(results), known, checker.statistics())


class _Checker:
    """Sessions on one system, opened when a formula first needs them."""

    def __init__(
        self, system: System, engine: str, options: Options, budget: Budget, watch: Watcher, replayed: bool
    ) -> None:
        self._system = system
        self._engine = engine
        self._options = options
        self._budget = budget
        self._watch = watch
        self._replayed = replayed
        self._sessions: dict[str, Session] = {}
        self._portions: dict[str, Budget] = {}
        self._slow: set[str] = set()
        self._survey: Survey | None = None

    def __enter__(self) -> _Checker:
        return self

    def __exit__(self, *_: object) -> None:
        for session in self._sessions.values():
            session.close()

    def answer(self, question: Question) -> Result:
        """The answer to one question, by one engine or by all."""
        try:
            answers = list(self._answers(question))
        except NoEngine as refusal:
            return self._result(question, None, 0.0, Outcome(Verdict.UNKNOWN, reason=str(refusal)))
        decided = [answer for answer in answers if answer.verdict is not Verdict.UNKNOWN]
        if len({answer.verdict for answer in decided}) > 1:
            said = ", ".join(f"{answer.engine} says {answer.verdict.value}" for answer in decided)
            raise Disagreement(f"formula {question.index}: {said}")
        return max(decided or answers, key=lambda answer: answer.evidence is not None)

    def _answers(self, question: Question) -> Iterator[Result]:
        """The answers of the engines; where they take turns, only one: the first that decides, or the last in vain."""
        if self._engine == "all":
            yield from (self._ask(question, choice) for choice in self._choices(question.formula))
            return
        for choice in self._choices(question.formula):
            answer = self._ask(question, choice)
            if answer.verdict is not Verdict.UNKNOWN or choice.seconds is None or self._spent:
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

    def _ask(self, question: Question, choice: Choice) -> Result:
        started = time.perf_counter()
        name = choice.engine.name
        try:
            self._budget.check()
            session = self._session(choice)
            self._portions[name].allow(self._budget, choice.seconds)
            outcome = session.check(question.formula)
        except OutOfBudget as limit:
            outcome = Outcome(Verdict.UNKNOWN, reason=str(limit))
        except MemoryError:
            outcome = Outcome(Verdict.UNKNOWN, reason="memory ran out")
        return self._result(question, name, time.perf_counter() - started, outcome, choice.why)

    def _session(self, choice: Choice) -> Session:
        name = choice.engine.name
        if name not in self._sessions:
            self._portions[name] = self._budget.portion()
            self._sessions[name] = choice.engine.open(self._system, self._options, self._portions[name], self._watch)
        return self._sessions[name]

    def _result(
        self, question: Question, engine: str | None, seconds: float, outcome: Outcome, why: str | None = None
    ) -> Result:
        statistics = dict(outcome.statistics) | ({"chosen because": why} if why else {})
        return Result(
            index=question.index,
            formula=question.formula,
            text=question.text,
            verdict=outcome.verdict,
            engine=engine,
            seconds=seconds,
            system=self._system,
            reason=outcome.reason,
            advice=outcome.advice,
            evidence=outcome.evidence,
            others=outcome.others,
            replay=self._replay(outcome),
            notes=outcome.notes,
            statistics=statistics,
        )

    def _replay(self, outcome: Outcome) -> Replay | None:
        """Walk the evidence with the model's steps alone."""
        if outcome.evidence is None or not self._replayed:
            return None
        from epistrat.evidence.replay import Replay, replay, survey_of

        if self._survey is None:
            self._survey = survey_of(self._system)
        trees = (outcome.evidence, *outcome.others)
        found = [replay(self._system, tree, survey=self._survey) for tree in trees]
        return Replay(
            sum(one.checked for one in found),
            tuple(claim for one in found for claim in one.trusted),
            tuple(problem for one in found for problem in one.problems),
            sum(one.surveyed for one in found),
        )

    def facts(self) -> Facts:
        """What is known of the state space, from the first session that tells; those that were too slow come last.

        A session is opened if there is none yet.
        """
        try:
            if not self._sessions:
                self._session(self._any_engine())
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

    def _any_engine(self) -> Choice:
        return next(iter(self._choices(Truth(True))))

    def statistics(self) -> dict[str, dict[str, Any]]:
        """What each engine says about its work."""
        return {name: plain(dict(session.statistics())) for name, session in self._sessions.items()}
