"""Serves a `StrategyRequest`: find a strategy, say it in rules, restrict the model to it, check that it works."""

from __future__ import annotations

from dataclasses import dataclass, replace

from epistrat.answers import Misuse, Result, Strategies, Verdict
from epistrat.answers.explanation import Policy
from epistrat.evidence import Enforced, Restricted, StateStrategy, Strategy, Tree, walk
from epistrat.explain.follow import follow
from epistrat.explain.narrate import explained
from epistrat.explain.policy import policies
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.model.transform.rules import equals
from epistrat.model.transform.shadow import TooEntangled
from epistrat.service import models, pipeline
from epistrat.service.checking import options_of, validate
from epistrat.service.events import Finished, Produced, Send
from epistrat.service.requests import StrategyRequest
from epistrat.solvers.budget import Budget
from epistrat.terms import Terms


@dataclass(frozen=True, slots=True)
class Synthesis:
    """What came of a `StrategyRequest`.

    Without a strategy the result says why there is none.  ``start`` is the one initial state it is for, where each may need its own.
    ``restricted`` is the model restricted to the strategy; where it cannot be written, ``entangled`` says why.  ``verified`` is the answer
    there.
    """

    system: System
    result: Result
    strategy: Strategy | None = None
    policies: tuple[Policy, ...] = ()
    start: State | None = None
    restricted: System | None = None
    entangled: str | None = None
    verified: Verdict | None = None

    @property
    def complete(self) -> bool:
        """Whether the table covers every state that can occur."""
        return not isinstance(self.strategy, StateStrategy) or self.strategy.complete


def synthesise(request: StrategyRequest, send: Send, budget: Budget) -> None:
    """Find the strategy; raises `InputError` and `Misuse`."""
    validate(request)
    system, _ = models.load(request)
    result = _check(request, system, budget)
    strategy = strategy_of(result.evidence) if result and result.evidence is not None else None
    if result and strategy is None:
        raise Misuse(
            "the formula holds, but no strategy stands at its top: ask `<group>F goal`, or a conjunction of such"
        )
    if strategy is None:
        found = Synthesis(system, explained(system, result))
    else:
        found = _restricted(request, _found(request, system, result, strategy), budget)
    send(Produced(found))
    send(Finished())


def _check(request: StrategyRequest, system: System, budget: Budget) -> Result:
    formula = request.formula
    if isinstance(formula, str):
        formula = models.read_formula(formula, system, strict=request.strict)
    options = options_of(request, system)
    options = replace(options, evidence=True, strategy_states=request.table)
    asked = models.questions(system, [formula])

    def answer(engine: str) -> Result:
        report = pipeline.check(system, asked, engine=engine, options=options, budget=budget, facts=False)
        return report.results[0]

    found = answer(request.engine)
    if found and found.evidence is None and request.engine == "auto":  # the reference engine shows all it finds
        return answer("reference")
    return found


def strategy_of(tree: Tree) -> Strategy | None:
    """The first strategy that a tree shows."""
    for part in walk(tree):
        for reason in part.because:
            if isinstance(reason, (Enforced, Restricted)):
                return reason.strategy
    return None


def _found(request: StrategyRequest, system: System, result: Result, strategy: Strategy) -> Synthesis:
    objective = request.strategies is Strategies.OBJECTIVE and result.evidence is not None
    start = result.evidence.state if objective and result.evidence is not None else None
    return Synthesis(system, result, strategy, policies(system, strategy), start)


def _restricted(request: StrategyRequest, found: Synthesis, budget: Budget) -> Synthesis:
    """The model restricted to the strategy, and the formula checked on it, where that is asked for."""
    if not (request.restricted or request.verify):
        return found
    system = found.system if found.start is None else _starting(found.system, found.start)
    try:
        narrowed = replace(follow(system, found.policies), formulae=(found.result.formula,))
    except TooEntangled as reason:
        return replace(found, entangled=str(reason))
    found = replace(found, restricted=narrowed)
    if not request.verify:
        return found
    again = pipeline.check(narrowed, models.questions(narrowed), budget=budget, facts=False).results[0]
    return replace(found, verified=again.verdict)


def _starting(system: System, start: State) -> System:
    """The system with this one initial state."""
    terms = Terms()
    here = terms.conjunction(equals(terms, system, index, [value]) for index, value in enumerate(start))
    return replace(system, initial=here)
