"""The order in which questions about one system are answered, written once.

    questions -> engine sessions -> outcomes -> stages (`epistrat.service.stages`) -> results, with what is known of the states

One session per engine serves all formulae, so that they share what they can.  No limit raises: what was not decided is Unknown, with the
reason.  A time limit is shared: a formula that nobody can decide does not keep the others from being looked at.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence

from epistrat.answers import Facts, Question, Report, Result
from epistrat.engines.contract import Options, Watcher, silent
from epistrat.jobs import Portfolio
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.service.stages import Stage, rechecking
from epistrat.solvers.budget import Budget

Stages = Callable[[Portfolio], Sequence[Stage]]
"""What happens to the answers of these engines."""


def check(
    system: System,
    asked: Sequence[Question],
    *,
    engine: str = "auto",
    options: Options | None = None,
    budget: Budget | None = None,
    watch: Watcher = silent,
    stages: Stages | None = None,
    tell: Callable[[Result], None] = lambda _: None,
    facts: bool = True,
) -> Report:
    """Answer the questions, in order unless one needs more than its share of the time.

    Every answer goes through the stages, which re-check its evidence if nothing else is said; then ``tell`` hears it.  ``facts=False``
    does not explore the state space.
    """
    options, budget = options or Options(), budget or Budget()
    with Portfolio(system, engine, options, budget, watch) as portfolio:
        row = rechecking(portfolio, system, options, budget) if stages is None else stages(portfolio)
        results: dict[int, Result] = {}
        for place, result in _answers(portfolio, asked, budget):
            for stage in row:
                result = stage(result)
            results[place] = result
            tell(result)
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
