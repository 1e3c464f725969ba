"""Serves a `CheckRequest`: load, answer question by question, say what the states show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from epistrat.answers import DONE, Facts, Misuse, Question, Report, Result, Setting, Strategies, Verdict
from epistrat.answers.verdict import Watching
from epistrat.engines import contract
from epistrat.engines.contract import Options
from epistrat.explain.places import Places
from epistrat.jobs import Portfolio
from epistrat.lang.load import Loaded
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Truth, knowers, subformulae
from epistrat.model.system import System
from epistrat.model.transform.memory import StrategyMemory
from epistrat.model.transform.recall import Recalling
from epistrat.model.visited import Visited
from epistrat.records import replace
from epistrat.service import events, models, pipeline
from epistrat.service.events import Answered, Finished, Progress, Send, Warned, Withdrawn
from epistrat.service.expect import Expectation, differences, read_expectation
from epistrat.service.requests import CheckRequest, EngineRequest, StrategyRequest
from epistrat.service.settings import ENGINES
from epistrat.service.survey import Visit, may_overlap, overlapping_lines
from epistrat.service.warnings import about_engine, about_states, unfounded
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.source import Diagnostic, Span

if TYPE_CHECKING:
    from epistrat.service.proofs import Proving

_PROPERTIES = {"deadlock": "no reachable state is a dead end", "overflow": "no assignment leaves its range"}
_ASKED_BY_FORMULAE = "W003"
"""The warning that an agent plays no role: it is about the model's own formulae."""


def check(request: CheckRequest, send: Send, budget: Budget) -> None:
    """Answer the questions of a request; raises `InputError` and `Misuse`."""
    validate(request)
    send(Progress("reading the model"))
    system, loaded = models.load_as_written(request)
    asked = _questions(request, system, loaded)
    program = system if system.is_program else None
    if program is not None:
        system = _implemented(request, system, loaded, asked, send, budget)
    recall = (
        Recalling(request.recall, tuple(sorted(knowers([one.formula for one in asked], players=True))))
        if isinstance(request.recall, int) and request.recall
        else None
    )
    memory = strategy_memory(request, system, [one.formula for one in asked])
    if memory is not None:
        recall = replace(recall or Recalling(0, ()), strategies=memory)
    if recall is not None:
        system = recall.of(system)
    options = options_of(request, system, [question.formula for question in asked])
    if request.focus is not None:
        _known_agents(system, request.focus.agents or ())
    expected = _expectation(loaded, system) if request.expect else None
    for one in loaded.diagnostics:
        if request.formulae is None or one.code != _ASKED_BY_FORMULAE:
            send(Warned(one))
    for finding in about_engine(system, loaded, request.engine):
        send(Warned(finding))
    properties = [name for name in _PROPERTIES if getattr(request, name)]
    last = max((question.index for question in asked), default=0)
    planned = [Question(last + n, Truth(True), _PROPERTIES[name], name) for n, name in enumerate(properties, start=1)]
    send(events.Loaded(system, (*asked, *planned), recall, program))
    places = None if recall is not None else Places(system, loaded.origins)
    report = _answered(request, system, asked, options, send, budget, places)
    tell_states(system, loaded, report.facts, send)
    for result in (_property(question, report.facts, request) for question in planned):
        send(Answered(result))
    chosen = None if request.only is None else [one.index for one in asked]
    differing = tuple(differences(expected, report, chosen)) if expected is not None else None
    send(Finished(DONE, report.facts, report.statistics, differing))


def _implemented(
    request: CheckRequest, system: System, loaded: Loaded, asked: Sequence[Question], send: Send, budget: Budget
) -> System:
    """The system that a program is; where the limits do not suffice to make it, nothing is known of its formulae."""
    from epistrat.service.implementing import about_views, implemented

    about_views(asked, options_of(request, system, [question.formula for question in asked]))
    try:
        return implemented(request, system, loaded, budget, send).system
    except OutOfBudget:
        send(events.Loaded(system, tuple(asked), program=system))
        raise


def _answered(
    request: CheckRequest,
    system: System,
    asked: list[Question],
    options: Options,
    send: Send,
    budget: Budget,
    places: Places | None,
) -> Report:
    from epistrat.service.stages import Adorning, Stage, rechecking

    visited = Visited(system)
    proving = _proving(request, system, options, budget, len(asked))
    adorning = Adorning(request, system, len(asked), options, budget, visited, places)
    told = 0

    def stages(portfolio: Portfolio) -> list[Stage]:
        first = rechecking(
            portfolio, system, options, budget, visited=visited, replayed=request.replay, proving=proving
        )
        return [*first, *adorning.stages(portfolio)]

    def tell(result: Result) -> None:
        nonlocal told
        told += 1
        send(Answered(result))

    def watch(event: contract.Progress) -> None:
        which = (told + 1, len(asked)) if told < len(asked) else ()
        send(Progress(event.phase, event.counts, *which))

    with closing(adorning):
        return pipeline.check(
            system,
            asked,
            engine=request.engine,
            options=options,
            budget=budget,
            watch=watch,
            stages=stages,
            tell=tell,
            facts=request.facts or request.deadlock or request.overflow,
        )


def _proving(request: CheckRequest, system: System, options: Options, budget: Budget, questions: int) -> Proving | None:
    """Who proves the verdicts again; nobody where that is not wanted."""
    if not request.prove:
        return None
    full = request.evidence or request.proof is not None or request.require_proof
    from epistrat.service.proofs import Keeping, Proving

    keeping = None if request.proof is None else Keeping(request.proof, _about(request, system), request.drat)
    return Proving(system, options, budget, full, request.require_proof, questions, keeping)


def _about(request: CheckRequest, system: System) -> dict[str, Any]:
    """Of which model something is said, and how it is read: what a question does not say itself."""
    found: dict[str, Any] = {"model": request.model.name}
    found |= {"parameters": dict(system.constants)} if system.constants else {}
    found |= {"recall": request.recall} if request.recall else {}
    found |= {"strategy_memory": request.strategy_memory} if request.strategy_memory > 1 else {}
    return found | (request.play.words() if system.interleaved else {})


def validate(request: EngineRequest) -> None:
    """Raise `Misuse` where a request cannot be meant, whatever the model is."""
    if request.group is not None and request.strategies is not Strategies.UNIFORM:
        raise Misuse("{} needs {}", Setting("group"), Setting("strategies", "uniform"))
    if request.engine not in ("auto", "all", *ENGINES):
        raise Misuse(f"there is no engine {request.engine!r}; there are {', '.join(ENGINES)}")
    if isinstance(request, CheckRequest):
        _validate_proofs(request)
    if isinstance(request, CheckRequest) and request.expect and request.formulae is not None:
        raise Misuse(
            "{} compares the model's own formulae; it does not go together with {}",
            Setting("expect"),
            Setting("formula"),
        )


def _validate_proofs(request: CheckRequest) -> None:
    if request.drat and request.proof is None:
        raise Misuse("{} needs {}", Setting("drat"), Setting("proof", "DIR"))
    wanted = "proof" if request.proof is not None else "require_proof" if request.require_proof else None
    if wanted is not None and not request.prove:
        raise Misuse("{} needs proofs, and none are wanted", Setting(wanted))


def reading_of(request: EngineRequest, system: System, formulae: Sequence[Formula]) -> Strategies:
    """How strategies are read: as asked for, else in the usual way; where there are none it makes no difference."""
    if request.strategies is not None:
        return request.strategies
    strategic = any(isinstance(part, logic.Coalition) for part in subformulae(*formulae))
    return Strategies.OBJECTIVE if system.interleaved and strategic else Strategies.ANY


def strategy_memory(
    request: CheckRequest | StrategyRequest, system: System, formulae: Sequence[Formula]
) -> StrategyMemory | None:
    """The memory that strategies are given; None if they have none.  Raises `Misuse` where that cannot be meant."""
    if request.strategy_memory < 2:
        return None
    setting = Setting("strategy_memory", str(request.strategy_memory))
    reading = reading_of(request, system, formulae)
    if system.interleaved:
        raise Misuse("{} is not available in an interleaved system (E037)", setting)
    if reading not in (Strategies.OBJECTIVE, Strategies.SUBJECTIVE):
        raise Misuse("{} needs {} or {}", setting, *[Setting("strategies", one) for one in ("objective", "subjective")])
    parts = subformulae(*formulae, *system.fairness)
    if any(isinstance(part, (*logic.NAMING, *logic.EQUILIBRIA, logic.Tagged)) for part in parts):
        raise Misuse("{} is for coalitions, not for strategies with names", setting)
    players = {name for part in parts if isinstance(part, logic.Coalition) for name in part.group.members}
    compared = any(isinstance(part, (*logic.KNOWING, *logic.REMEMBERING)) for part in parts)
    return StrategyMemory(request.strategy_memory, tuple(sorted(players)), compared or reading is Strategies.SUBJECTIVE)


def options_of(request: EngineRequest, system: System, formulae: Sequence[Formula]) -> Options:
    """What a request asks of the engines about these formulae."""
    members = request.group
    if isinstance(members, str):
        if members not in system.groups:
            raise Misuse(f"there is no group {members!r}; there are {', '.join(system.groups) or 'none'}")
        members = tuple(system.groups[members])
    reading = reading_of(request, system, formulae)
    options = Options(reading, members, tuning=request.tuning, asked=request.strategies)
    if isinstance(request, CheckRequest):
        names = ("evidence", "examples", "strategy_states")
        options = replace(options, **{name: getattr(request, name) for name in names})
        remembering = {"none": False, "full": True}.get(str(request.recall))
        options = replace(options, remembering=remembering, states_only=request.watching is Watching.STATES)
        shown = not system.finite or options.strategies is Strategies.UNIFORM  # there proofs are about what is shown
        if shown and (request.require_proof or (request.proof is not None and not system.finite)):
            return replace(options, evidence=True)
    return options


def _questions(request: CheckRequest, system: System, loaded: Loaded) -> list[Question]:
    if request.formulae is None:
        return models.questions(system, only=request.only, origins=loaded.origins)
    formulae: list[Formula] = []
    wrong: list[Diagnostic] = []
    for one in request.formulae:
        try:
            formulae.append(models.read_formula(one, system, strict=request.strict) if isinstance(one, str) else one)
        except models.InputError as rejected:
            wrong += rejected.diagnostics
    if wrong:
        raise models.InputError(wrong)
    return models.questions(system, formulae, request.only)


def _known_agents(system: System, names: tuple[str, ...]) -> None:
    for name in names:
        if name not in system.views:
            raise Misuse(f"there is no agent {name!r}; there are {', '.join(system.views)}")


def _expectation(loaded: Loaded, system: System) -> Expectation:
    expected = read_expectation(loaded.source.text, system.constants, system.knowledge)
    if not expected:
        raise Misuse("the file says nothing to compare with: no line `-- expect: 1 holds, 2 fails`")
    return expected


def _property(question: Question, facts: Facts, request: CheckRequest) -> Result:
    """``deadlock`` or ``overflow`` as an answer: it holds if there is none; unknown where a proof is required, for there is none of it."""
    count, path = (
        (facts.dead_ends, facts.dead_end) if question.property == "deadlock" else (facts.overflows, facts.overflow)
    )
    verdict = Verdict.UNKNOWN if count is None else Verdict.FAILS if count else Verdict.HOLDS
    reason = (facts.reason or "the states were not explored") if count is None else None
    if count is not None and request.require_proof:
        verdict, reason = Verdict.UNKNOWN, f"{verdict.value}, but there is no proof: only formulae are proved"
    path = path if request.evidence and verdict is not Verdict.UNKNOWN else None
    return Result(verdict, reason, facts.advice if count is None else (), question=question, path=path)


def tell_states(system: System, loaded: Loaded, facts: Facts, send: Send) -> None:
    """Warn about what the states show; withdraw what only seemed possible from the text."""
    for code in unfounded(system, loaded, facts):
        send(Withdrawn(code))
    wanted = system.finite and facts.states and (facts.overflows or may_overlap(system))
    survey = Visit(system) if wanted else None
    if survey is not None and facts.overflows:
        send(Withdrawn("W006", tuple(_harmless(survey, loaded, facts))))
    for overlap in overlapping_lines(survey, loaded) if survey is not None else ():
        send(Warned(overlap))
    for finding in about_states(system, loaded, facts):
        send(Warned(finding))


def _harmless(survey: Visit, loaded: Loaded, facts: Facts) -> Iterator[Span]:
    """The places of lines that never leave their range."""
    leaving = None if facts.overflow_lines is None else {(name, line - 1) for name, line in facts.overflow_lines}
    if leaving is None:
        if not survey.complete:
            return
        leaving = survey.leaving
    for agent in survey.system.agents:
        for number in range(len(agent.evolution)):
            span = loaded.origins.span("evolution", agent.name, number)
            if span is not None and (agent.name, number) not in leaving:
                yield span
