"""Serves an `EquilibriumRequest`: is there an equilibrium, does some, does every equilibrium satisfy a formula; with memory and without."""

from __future__ import annotations

from epistrat.answers import Focus, Misuse, Question, Result
from epistrat.answers.verdict import Verdict
from epistrat.explain.narrate import explained
from epistrat.jobs import Portfolio
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Tag
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.records import dataclass, replace
from epistrat.service import models, pipeline
from epistrat.service.checking import options_of, validate
from epistrat.service.events import Finished, Produced, Send
from epistrat.service.matrix import Matrix, matrix
from epistrat.service.requests import EquilibriumRequest
from epistrat.service.stages import Stage, rechecking
from epistrat.solvers.budget import Budget


@dataclass(frozen=True, slots=True)
class Asked:
    """One question about equilibria, answered for strategies with memory and for those without."""

    what: str
    remembering: Result
    without: Result

    @property
    def differ(self) -> bool:
        """Whether memory makes a difference, as far as that is known."""
        decided = self.remembering.decided and self.without.decided
        return not decided or self.remembering.verdict is not self.without.verdict


@dataclass(frozen=True, slots=True)
class Equilibria:
    """What came of an `EquilibriumRequest`: the answers, and, for a small game of two, the table of strategies without memory."""

    system: System
    answers: tuple[Asked, ...]
    table: Matrix | None = None

    @property
    def verdict(self) -> Verdict:
        """Whether there is an equilibrium (that satisfies what was asked)."""
        return self.answers[0].remembering.verdict


def find(request: EquilibriumRequest, send: Send, budget: Budget) -> None:
    """Answer the questions; raises `InputError` and `Misuse`."""
    validate(request)
    system, _ = models.load(request)
    if not system.goals:
        raise Misuse(
            "the model does not say what agents want: write a section `Goals`, one line `Agent : path formula;` for each"
        )
    facts: list[tuple[str, Formula]] = [("there is an equilibrium", logic.SomeEquilibrium(logic.Truth(True)))]
    if request.where is not None:
        fact = _path(request, system)
        words = show(fact)
        facts = [
            (f"some equilibrium satisfies {words}", logic.SomeEquilibrium(fact)),
            (f"every equilibrium satisfies {words}", logic.EveryEquilibrium(fact)),
        ]
    questions = [
        Question(number, logic.Tagged(tag, fact), show(logic.Tagged(tag, fact)))
        for number, (tag, fact) in enumerate(((tag, fact) for _, fact in facts for tag in (Tag.PERFECT, Tag.STATES)), 1)
    ]
    options = replace(options_of(request, system, [one.formula for one in questions]), evidence=True)

    def stages(portfolio: Portfolio) -> list[Stage]:
        def told(result: Result) -> Result:
            return explained(system, result, Focus()) if result.trees else result

        return [*rechecking(portfolio, system, options, budget), told]

    report = pipeline.check(
        system, questions, engine=request.engine, options=options, budget=budget, stages=stages, facts=False
    )
    results = report.results
    answers = tuple(Asked(what, results[2 * number], results[2 * number + 1]) for number, (what, _) in enumerate(facts))
    send(Produced(Equilibria(system, answers, matrix(system))))
    send(Finished())


def _path(request: EquilibriumRequest, system: System) -> Formula:
    """The path formula that equilibria are asked about."""
    where = request.where
    assert where is not None
    if not isinstance(where, str):
        return where
    models.read_formula(where, system, strict=request.strict)  # mistakes are told at their places
    asked = models.read_formula(f"ENash({where})", system, strict=request.strict)
    assert isinstance(asked, logic.SomeEquilibrium)
    return asked.arg
