"""The only place where the order of stages is written.

    text -> lang.load -> System -> engine sessions -> outcomes -> results, with what is known of the state space

`check` opens one session per engine and keeps it for all formulae, so that they share what they can.  It never raises when a limit is
reached: what was not decided is Unknown, with the reason.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from epistrat.answers import Certificate, Facts, Question, Report, Result
from epistrat.engines.contract import Options, Progress, Watcher, silent
from epistrat.jobs import Answer, Disagreement, Portfolio
from epistrat.logic.formula import Formula
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.solvers.budget import Budget
from epistrat.source import Diagnostic, SourceText
from epistrat.source import Report as SourceReport

if TYPE_CHECKING:
    from epistrat.evidence.replay import Replayer
    from epistrat.lang.load import Loaded
    from epistrat.lang.origins import Origins


class InputError(ValueError):
    """A model or formula that cannot be used.  ``diagnostics`` say what is wrong and where."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(one) for one in self.diagnostics if one.is_error))


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
    wanted = options or Options()
    replayer = _replayer(system) if replayed and wanted.evidence else None
    with Portfolio(system, engine, wanted, budget or Budget(), watch) as portfolio:
        results: list[Result] = []
        for question in asked:
            watch(Progress(f"formula {question.index} of {len(asked)}"))
            try:
                answer = portfolio.answer(question.formula)
            except Disagreement as quarrel:
                raise Disagreement(f"formula {question.index}: {quarrel}") from None
            results.append(_result(question, answer, wanted, replayer))
            tell(results[-1])
        known = portfolio.facts() if facts else Facts(None)
        return Report(tuple(results), known, portfolio.statistics())


def _replayer(system: System) -> Replayer:
    from epistrat.evidence.replay import Replayer

    return Replayer(system)


def _result(question: Question, answer: Answer, options: Options, replayer: Replayer | None) -> Result:
    """The answer as a result; its evidence is re-checked as a certificate of the verdict."""
    why = {"chosen because": answer.why} if answer.why else {}
    outcome = replace(answer.outcome, statistics=dict(answer.outcome.statistics) | why)
    found = None
    if replayer is not None and answer.decided:
        certificate = Certificate(
            question.formula, outcome.verdict, options.strategies, options.uniform_group, outcome.trees
        )
        found = replayer.check(certificate)
    return Result.of(outcome, question, answer.engine, answer.seconds, found)
