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
from epistrat.jobs import Portfolio
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

if TYPE_CHECKING:
    from epistrat.evidence.replay import Replayer

Teller = Callable[[Result, Portfolio], None]
"""Hears an answer; the engines that gave it can be asked more about it."""


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
            result = portfolio.answer(question)
            if replayer is not None and result.decided:
                result = replace(result, replay=replayer.check(result.certificate))
            results.append(result)
            if tell is not None:
                tell(results[-1], portfolio)
        known = portfolio.facts() if facts else Facts(None)
        statistics = portfolio.statistics()
    return Report("", system, tuple(asked), tuple(results), known, statistics=statistics)


def _replayer(system: System) -> Replayer:
    from epistrat.evidence.replay import Replayer
    from epistrat.proving.fresh import FreshProver

    return Replayer(system, prover=FreshProver())
