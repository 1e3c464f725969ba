"""Serves a `StrategyRequest`: find a strategy, say it in rules, restrict the model to it, check that it works."""

from __future__ import annotations

from contextlib import closing

from epistrat.answers import Misuse, Question, Result, Setting, Strategies, Verdict
from epistrat.engines.contract import Options
from epistrat.evidence import Chosen, Remembered, Tree, walk
from epistrat.explain.follow import follow
from epistrat.explain.narrate import explained
from epistrat.jobs import Portfolio
from epistrat.logic.formula import And, Coalition, Formula, SomeStrategy, Tagged
from epistrat.model.system import System
from epistrat.model.transform.shadow import TooEntangled
from epistrat.records import dataclass, replace
from epistrat.service import models, pipeline
from epistrat.service.checking import options_of, strategy_memory, validate
from epistrat.service.events import Finished, Produced, Send
from epistrat.service.plans import MOST_STARTS, Plan, plans
from epistrat.service.requests import StrategyRequest
from epistrat.service.stages import Stage, rechecking
from epistrat.service.vacuity import Vacuity
from epistrat.service.written import Written, starting, written
from epistrat.solvers.budget import Budget

_SEPARATE = (Strategies.OBJECTIVE, Strategies.SUBJECTIVE)
"""Readings in which each initial state may need its own strategy."""


_NO_STRATEGY = "the formula asks for no strategy: ask `<group>F goal`, or a conjunction of such"


@dataclass(frozen=True, slots=True)
class Synthesis:
    """What came of one formula of a `StrategyRequest`: a strategy for all initial states, or several that each serve some.

    Without any the result says why there is none.
    """

    system: System
    result: Result
    plans: tuple[Plan, ...] = ()
    written: Written | None = None

    @property
    def shown(self) -> Remembered | Chosen | None:
        """A strategy with memory, or tables of strategies with names, where that is what was found."""
        found = self.claimed
        return None if found is None else found[1]

    @property
    def claimed(self) -> tuple[Tree, Remembered | Chosen] | None:
        """The same with what it shows."""
        if not self.result:
            return None
        parts = (part for tree in self.result.trees for part in walk(tree) if part.holds)
        shown = ((part, one) for part in parts for one in part.because if isinstance(one, (Remembered, Chosen)))
        return next(shown, None)

    @property
    def exists(self) -> bool:
        """Whether there is a strategy."""
        return bool(self.plans) or self.shown is not None


def synthesise(request: StrategyRequest, send: Send, budget: Budget) -> None:
    """Find a strategy for each formula; raises `InputError` and `Misuse`."""
    validate(request)
    system, _ = models.load(request)
    found: list[Synthesis] = []
    asked = _questions(request, system)
    memory = strategy_memory(request, system, [one.formula for one in asked])
    system = system if memory is None else memory.of(system)
    for question in asked:
        found.append(_Synthesiser(request, system, asked, budget).on(question))
        send(Produced(tuple(found)))
    send(Finished())


def _questions(request: StrategyRequest, system: System) -> list[Question]:
    """The formula given; without one, the model's strategic formulae."""
    formula = request.formula
    if isinstance(formula, str):
        formula = models.read_formula(formula, system, strict=request.strict)
    if formula is not None:
        if not _strategic(formula) and request.strategies is not Strategies.UNIFORM:
            raise Misuse(_NO_STRATEGY)
        return models.questions(system, [formula])
    asked = models.questions(system, only=request.only)
    strategic = asked if request.only is not None else [one for one in asked if _strategic(one.formula)]
    if not strategic:
        raise Misuse(
            "no formula of the model asks for a strategy: give one with {}", Setting("formula", "'<group>F goal'")
        )
    return strategic


def _strategic(formula: Formula) -> bool:
    """Whether a strategy stands at the top."""
    if isinstance(formula, Tagged):
        return _strategic(formula.arg)
    return isinstance(formula, (Coalition, SomeStrategy)) or (
        isinstance(formula, And) and any(map(_strategic, formula.args))
    )


class _Synthesiser:
    """Answers one question about strategies."""

    def __init__(self, request: StrategyRequest, system: System, asked: list[Question], budget: Budget) -> None:
        self._request = request
        self._system = system
        self._budget = budget
        options = options_of(request, system, [question.formula for question in asked])
        self._separate = options.strategies in _SEPARATE
        examples = MOST_STARTS + 1 if self._separate else 1
        self._options = replace(options, evidence=True, strategy_states=request.table, examples=examples)

    def on(self, question: Question) -> Synthesis:
        result = self._answer(question)
        separate = self._separate and not (result.replay is not None and result.replay.starts.served)
        found = tuple(plans(self._system, result.trees, separate=separate) if result else ())
        claimed = Synthesis(self._system, result).claimed
        if result and not found and claimed is None:
            raise Misuse(_NO_STRATEGY)
        if not found:
            result = explained(self._system, result)
            written = None if claimed is None else self._written(*claimed)
            return Synthesis(self._system, result, written=written)
        return Synthesis(self._system, result, tuple(self._restricted(question.formula, plan) for plan in found))

    def _written(self, tree: Tree, shown: Remembered | Chosen) -> Written | None:
        """The model whose agents follow a strategy with memory, or tables, where that is asked for; and what was shown, checked on it."""
        if not (self._request.restricted or self._request.verify):
            return None
        found = written(self._system, tree, shown)
        if found.restricted is None or not self._request.verify:
            return found
        asked = models.questions(found.restricted)
        verdicts = [self._check(found.restricted, one, "auto", self._again).verdict for one in asked]
        return replace(found, verified=next((one for one in verdicts if one is not Verdict.HOLDS), Verdict.HOLDS))

    @property
    def _again(self) -> Options:
        """How strategies with names or memory are read where they are asked about again."""
        return replace(self._options, evidence=False, examples=1)

    def _answer(self, question: Question) -> Result:
        found = self._check(self._system, question, self._request.engine, self._options)
        if (
            found and found.evidence is None and self._request.engine == "auto"
        ):  # the reference engine shows all it finds
            return self._check(self._system, question, "reference", self._options)
        return found

    def _check(self, system: System, question: Question, engine: str, options: Options) -> Result:
        """The answer, with the trivial reason for it, if it has one."""
        budget, vacuity = self._budget, Vacuity(system, engine, options, self._budget)

        def stages(portfolio: Portfolio) -> list[Stage]:
            return [*rechecking(portfolio, system, options, budget), lambda one: vacuity.on(one, portfolio.facts)]

        with closing(vacuity):
            report = pipeline.check(
                system, [question], engine=engine, options=options, budget=budget, stages=stages, facts=False
            )
        return report.results[0]

    def _restricted(self, formula: Formula, plan: Plan) -> Plan:
        """The model restricted to the strategy, and the formula checked on it, where that is asked for."""
        if not (self._request.restricted or self._request.verify):
            return plan
        system = starting(self._system, plan.starts) if plan.starts else self._system
        try:
            narrowed = replace(follow(system, plan.policies), formulae=(formula,), formula_names=())
        except TooEntangled as reason:
            return replace(plan, entangled=str(reason))
        plan = replace(plan, restricted=narrowed)
        if not self._request.verify:
            return plan
        again = self._check(narrowed, models.questions(narrowed)[0], "auto", Options())
        return replace(plan, verified=again.verdict, only_because=again.only_because)
