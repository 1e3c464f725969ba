"""What happens to an answer before it is told: a list of stages, each from a result to a result.

    evidence from another engine, shorter proofs, replay, proof        `rechecking`: what a verdict stands on
    rules of play, trivial reason, explanation, remark, sentence       `Adorning`: what is said about it

A stage that adds something never loses a verdict (`epistrat.answers.decoration`); replay and proof may take one back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from epistrat.answers import Result, Strategies, Verdict
from epistrat.answers.decoration import decorated
from epistrat.engines.contract import Options
from epistrat.evidence import Derivation, Invariant, Region, walk
from epistrat.explain.places import Places
from epistrat.explain.relevance import surveyed
from epistrat.jobs import Portfolio
from epistrat.model.system import System
from epistrat.model.transform.choices import USUAL
from epistrat.model.visited import Counted, Visited
from epistrat.records import replace
from epistrat.service.remarks import Remarks
from epistrat.service.requests import CheckRequest
from epistrat.service.small import most_steps
from epistrat.service.vacuity import Vacuity
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import Patience

if TYPE_CHECKING:
    from epistrat.proving.fresh import FreshProver
    from epistrat.service.proofs import Proving

Stage: TypeAlias = Callable[[Result], Result]

_SHORTENING_WORK = 500_000  # for one question to the prover whether a part of a proof is needed


def adorned(what: str, stage: Stage, budget: Budget | None = None) -> Stage:
    """The stage, which leaves the result as it is where it fails, and says so; with a budget it may take half of the time that is left."""

    def on(result: Result) -> Result:
        result, untold = decorated(what, partial(stage, result), result, budget)
        return replace(result, left_out=(*result.left_out, *untold))

    return on


def decided(stage: Stage) -> Stage:
    """The stage, for those results that are an answer."""
    return lambda result: stage(result) if result.decided else result


def rechecking(
    portfolio: Portfolio,
    system: System,
    options: Options,
    budget: Budget,
    *,
    visited: Visited | None = None,
    replayed: bool = True,
    proving: Proving | None = None,
) -> list[Stage]:
    """Evidence is found and shortened, where it is wanted, and re-checked; then ``proving`` proves the verdict again.

    ``visited`` is what others who look at all states of a small model share.
    """
    stages: list[Stage] = []
    prover = None
    if options.evidence:
        stages.append(decided(adorned("evidence", portfolio.shown, budget)))
        stages.append(decided(adorned("shorter proofs", partial(_shortened, system=system, budget=budget))))
        if replayed:
            prover = _prover(budget.patience, keep=proving is not None and proving.keeps)
            stages.append(decided(_replay(system, budget.patience, prover, visited)))
    if proving is not None:
        stages.append(lambda result: proving.on(result, portfolio, prover.asked() if prover is not None else ()))
    return stages


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


def _replay(system: System, patience: Patience, prover: FreshProver, visited: Visited | None) -> Stage:
    from epistrat.evidence.replay import Replayer

    few = patience.surveyed_states
    replayer = Replayer(system, limit=patience.played_states, survey=few, prover=prover, visited=visited)
    return lambda result: replace(result, replay=replayer.check(result.certificate))


class Adorning:
    """What is said about the answers to one request, beside their verdicts."""

    def __init__(
        self,
        request: CheckRequest,
        system: System,
        questions: int,
        options: Options,
        budget: Budget,
        visited: Visited,
        places: Places | None,
    ) -> None:
        self._request, self._system, self._places = request, system, places
        self._seen = 0  # states that engines have found
        counted = Counted(visited, lambda: self._seen)
        self._survey = surveyed(system, counted)
        self._glance = surveyed(system, Counted(visited, lambda: self._seen, most_steps(system)))
        self._remarks = Remarks(system, options, budget, questions, counted, self._glance)
        self._vacuity = Vacuity(system, request.engine, options, budget)

    def close(self) -> None:
        """End the sessions that were opened for it."""
        self._vacuity.close()

    def stages(self, portfolio: Portfolio) -> list[Stage]:
        """The stages, in their order; ``portfolio`` are the engines that gave the answers."""

        def counted(result: Result) -> Result:
            self._seen = portfolio.seen()
            return result

        stages: list[Stage] = [counted, self._played]
        stages.append(adorned("trivial reason", lambda result: self._vacuity.on(result, portfolio.facts)))
        if self._request.focus is not None:
            stages.append(adorned("explanation", self._explained))
        if self._request.remarks:
            stages.append(adorned("remark", lambda one: self._remarks.on(one, portfolio.remark, self._seen)))
            stages.append(adorned("sentence", self._sentence))
        return stages

    def _played(self, result: Result) -> Result:
        """The result with the rules of play that are not the usual ones."""
        play = self._request.play
        if not result.play or play == USUAL:
            return result
        listed = "" if play.choosing is USUAL.choosing else f", choices: {play.choosing.value}"
        return replace(result, rules=play, play=result.play + listed)

    def _explained(self, result: Result) -> Result:
        """The result with its evidence in words."""
        if not result.trees:
            return result
        from epistrat.explain.narrate import explained

        told = explained(self._system, result, self._request.focus, self._survey)
        places = self._places
        return told if places is None else replace(told, explanations=tuple(map(places.explanation, told.explanations)))

    def _sentence(self, result: Result) -> Result:
        """The result with one sentence why the formula fails, where nobody else has said it."""
        if result.verdict is not Verdict.FAILS or result.why:
            return result
        from epistrat.explain.denial import denial
        from epistrat.explain.narrate import explain
        from epistrat.service.nearby import nearby

        shown = nearby(self._system, result.formula) if result.reading is not Strategies.UNIFORM else None
        if shown is not None:
            return replace(result, why=explain(self._system, shown, survey=self._glance).sentence)
        return replace(result, why=denial(self._system, result.formula, result.reading))
