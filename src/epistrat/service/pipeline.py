"""The order in which questions about one system are answered, written once.

    questions -> engine sessions -> outcomes -> evidence re-checked -> results, with what is known of the states

One session per engine serves all formulae, so that they share what they can.  No limit raises: what was not decided is Unknown, with the
reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from epistrat.answers import Facts, Question, Report, Result
from epistrat.engines.contract import Options, Watcher, silent
from epistrat.jobs import Answer, Disagreement, Portfolio
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

if TYPE_CHECKING:
    from epistrat.evidence.replay import Replayer

Teller = Callable[[Result, Callable[[], Facts]], None]
"""Hears an answer; the second argument tells what is known of the states so far."""


def check(
    system: System,
    asked: Sequence[Question],
    *,
    engine: str = "auto",
    options: Options | None = None,
    budget: Budget | None = None,
    watch: Watcher = silent,
    tell: Teller | None = None,
    facts: bool = True,
    replayed: bool = True,
) -> Report:
    """Answer the questions in order; ``tell`` hears each answer at once.

    ``facts=False`` does not explore the state space; with ``replayed=False`` evidence is not re-checked.
    """
    wanted = options or Options()
    replayer = _replayer(system) if replayed and wanted.evidence else None
    with Portfolio(system, engine, wanted, budget or Budget(), watch) as portfolio:
        results: list[Result] = []
        for question in asked:
            try:
                answer = portfolio.answer(question.formula)
            except Disagreement as quarrel:
                raise Disagreement(f"formula {question.index}: {quarrel}") from None
            results.append(_result(question, answer, wanted, replayer))
            if tell is not None:
                tell(results[-1], portfolio.facts)
        known = portfolio.facts() if facts else Facts(None)
        statistics = portfolio.statistics()
    return Report("", system, tuple(asked), tuple(results), known, statistics=statistics)


def _replayer(system: System) -> Replayer:
    from epistrat.evidence.replay import Replayer
    from epistrat.proving.fresh import FreshProver

    return Replayer(system, prover=FreshProver())


def _result(question: Question, answer: Answer, options: Options, replayer: Replayer | None) -> Result:
    """The answer as a result; its evidence is re-checked as a certificate of the verdict."""
    why = {"chosen because": answer.why} if answer.why else {}
    outcome = replace(answer.outcome, statistics=dict(answer.outcome.statistics) | why)
    reading, group = options.strategies, options.uniform_group
    result = Result.of(outcome, question, answer.engine, answer.seconds, reading, group)
    if replayer is None or not answer.decided:
        return result
    return replace(result, replay=replayer.check(result.certificate))
