"""The order in which questions about one system are answered, written once.

    questions -> engine sessions -> outcomes -> evidence re-checked -> results, with what is known of the states

One session per engine serves all formulae, so that they share what they can.  No limit raises: what was not decided is Unknown, with the
reason.  A time limit is shared: a formula that nobody can decide does not keep the others from being looked at.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from epistrat.answers import Facts, Question, Report, Result, Strategies
from epistrat.answers.decoration import decorated
from epistrat.engines.contract import Options, Watcher, silent
from epistrat.evidence import Derivation, Invariant, Region, walk
from epistrat.jobs import Portfolio
from epistrat.model.system import System
from epistrat.model.visited import Visited
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import Patience

if TYPE_CHECKING:
    from epistrat.evidence.replay import Replayer
    from epistrat.proving.fresh import FreshProver
    from epistrat.service.proofs import Proving

_SHORTENING_WORK = 500_000  # for one question to the prover whether a part of a proof is needed

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
    visited: Visited | None = None,
    proving: Proving | None = None,
) -> Report:
    """Answer the questions, in order unless one needs more than its share of the time; ``tell`` hears each answer at once.

    ``facts=False`` does not explore the state space; with ``replayed=False`` evidence is not re-checked.  ``visited`` is what others who
    look at all states of a small model share.  ``proving`` proves verdicts again.
    """
    wanted = options or Options()
    budget = budget or Budget()
    prover = replayer = None
    if replayed and wanted.evidence:
        prover = _prover(budget.patience, keep=proving is not None and proving.keeps)
        replayer = _replayer(system, budget.patience, prover, visited)
    with Portfolio(system, engine, wanted, budget, watch) as portfolio:
        results: dict[int, Result] = {}
        for place, result in _answers(portfolio, asked, budget):
            if wanted.evidence and result.decided:
                result, untold = decorated("evidence", partial(portfolio.shown, result), result, budget)
                result = replace(result, left_out=(*result.left_out, *untold))
                result, untold = decorated("shorter proofs", partial(_shortened, result, system, budget), result)
                result = replace(result, left_out=(*result.left_out, *untold))
            if replayer is not None and result.decided:
                result = replace(result, replay=replayer.check(result.certificate))
            if proving is not None:
                kept = prover.asked() if prover is not None else ()
                result = proving.on(result, portfolio, kept)
            results[place] = result
            if tell is not None:
                tell(result, portfolio)
        known = portfolio.facts() if facts else Facts(None)
        statistics = portfolio.statistics()
    ordered = tuple(results[place] for place in range(len(asked)))
    return Report("", system, tuple(asked), ordered, known, statistics=statistics)


def _answers(portfolio: Portfolio, asked: Sequence[Question], budget: Budget) -> Iterator[tuple[int, Result]]:
    """The answers by their places.  Questions share the time that is left; those that need more are asked again at the end."""
    waiting = list(range(len(asked)))
    spent = [0.0] * len(asked)
    for again in (False, True):
        late: list[int] = []
        for number, place in enumerate(waiting):
            share = _share(budget, len(waiting) - number)
            before, cpu = budget.elapsed, cpu_seconds()
            result = portfolio.answer(asked[place], share)
            spent[place] += cpu_seconds() - cpu
            result = replace(result, cpu=spent[place])
            if again or result.decided or share is None or budget.elapsed - before < share:
                yield place, result
            else:
                late.append(place)
        waiting = late


def cpu_seconds() -> float:
    """CPU seconds that this process and the children that it has waited for have used so far."""
    used = os.times()
    return time.process_time() + used.children_user + used.children_system


def _share(budget: Budget, waiting: int) -> float | None:
    """Seconds for the next of so many questions; None where there is nothing to share."""
    return None if budget.seconds is None or waiting == 1 else max(0.0, budget.seconds - budget.elapsed) / waiting


def _shortened(result: Result, system: System, budget: Budget) -> Result:
    """The result with what its proofs do not need left out; under the uniform reading trees are about other systems."""
    proofs = (reason for tree in result.trees for part in walk(tree) for reason in part.because)
    if result.reading is Strategies.UNIFORM or not any(
        isinstance(one, (Invariant, Region, Derivation)) for one in proofs
    ):
        return result
    from epistrat.evidence.proofs import Proofs
    from epistrat.evidence.shorten import Shortener

    prover = _prover(budget.patience, _SHORTENING_WORK)
    shorten = Shortener(system, Proofs(system, prover, result.reading), prover, budget.limits)
    first, others = result.evidence, result.others
    return replace(
        result,
        evidence=None if first is None else shorten.tree(first),
        others=tuple(shorten.tree(tree) for tree in others),
    )


def _prover(patience: Patience, work: int = 5_000_000, keep: bool = False) -> FreshProver:
    from epistrat.proving.fresh import FreshProver

    return FreshProver(patience.work(work), keep)


def _replayer(system: System, patience: Patience, prover: FreshProver, visited: Visited | None) -> Replayer:
    from epistrat.evidence.replay import Replayer

    few = patience.surveyed_states
    return Replayer(system, limit=patience.played_states, survey=few, prover=prover, visited=visited)
