"""Serves the calls that are requests to the service: checks, strategies, graphs.  They are told about as they are served."""

from __future__ import annotations

import os
from typing import Any

from epistrat.answers import Focus, How, Misuse, Report, Strategies
from epistrat.jobs.limits import Limits
from epistrat.jobs.worker import orphaned
from epistrat.model.system import System
from epistrat.render.graph import reachable_picture, strategy_picture
from epistrat.render.json.cursor import Datum
from epistrat.render.json.evidence import strategy_json
from epistrat.render.json.report import state_json
from epistrat.render.page import page
from epistrat.render.wording import Wording
from epistrat.service import CheckRequest, ExportRequest, StrategyRequest, Text, ask_worker
from epistrat.service.checking import validate
from epistrat.service.events import Answered, Event, Loaded, Progress, Warned, Withdrawn
from epistrat.service.graph import StateGraph
from epistrat.service.plans import Plan
from epistrat.service.requests import EngineRequest, Request
from epistrat.service.strategy import Synthesis
from epistrat.studio.data import (
    Json,
    Tell,
    facts_data,
    given_parameters,
    picture_data,
    policy_data,
    result_data,
    system_data,
)

MOST_DRAWN = 200
"""The graph of more states would be unreadable."""

_TABLE = 2_000  # states that a strategy may cover
_LONGEST = 3_600.0  # seconds of one call
_MEMORY = 4_000_000_000  # bytes of one call


def check(call: Datum, tell: Tell) -> None:
    """Check the model's formulae, or others, and tell why they hold or fail."""
    formulae = tuple(one.text() for one in call["formulae"]) if "formulae" in call else None
    request = CheckRequest(
        **_common(call),
        **_engine(call),
        formulae=formulae,
        only=tuple(one.count() for one in call["only"]) if "only" in call else None,
        evidence=True,
        focus=Focus(),
        deadlock="deadlock" in call and call["deadlock"].flag(),
    )
    report, _ = _asked(request, tell)
    if report.system is not None and report.results:
        tell({"event": "report", "html": page([report])})
    _finish(report, tell)


def strategy(call: Datum, tell: Tell) -> None:
    """Find a strategy and tell its rules, what can happen under it, and how it was checked."""
    request = StrategyRequest(
        **_common(call), **_engine(call), formula=call["formula"].text(), table=_TABLE, verify=True
    )
    found: tuple[Synthesis, ...] | None
    report, found = _asked(request, tell)
    for one in found or ():
        result = result_data(one.system, one.result)
        plans = [_plan(one, plan) for plan in one.plans]
        tell({"event": "strategy", "system": system_data(one.system), "result": result, "plans": plans})
    _finish(report, tell)


def _plan(found: Synthesis, plan: Plan) -> Json:
    """A strategy: its rules, what can happen under it, where it starts, and how it was checked."""
    system, evidence = found.system, found.result.evidence
    starts = plan.starts or (() if evidence is None else (evidence.state,))
    return {
        "strategy": strategy_json(system, plan.strategy),
        "complete": plan.complete,
        "policies": [policy_data(system, policy) for policy in plan.policies],
        "picture": picture_data(system, strategy_picture(system, plan.strategy, starts, MOST_DRAWN)),
        "starts": [state_json(system, start) for start in starts],
        "everywhere": not plan.starts,
        "verified": plan.verified.value if plan.verified is not None else None,
        "entangled": plan.entangled,
    }


def graph(call: Datum, tell: Tell) -> None:
    """The graph of all reachable states, where they are few."""
    found: StateGraph | None
    report, found = _asked(ExportRequest(**_common(call), most=MOST_DRAWN), tell)
    if found is not None:
        picture = picture_data(found.system, reachable_picture(found.system, found.reached))
        tell({"event": "graph", "system": system_data(found.system), "picture": picture})
    elif report.ending.how is How.LIMIT:
        tell(
            {
                "event": "remark",
                "text": f"More than {MOST_DRAWN} states are reachable; their graph would be unreadable.",
            }
        )
    _finish(report, tell)


def _common(call: Datum) -> dict[str, Any]:
    """What every request says."""
    seconds = call["time"].value if "time" in call else None
    if not isinstance(seconds, (int, float)) or not 0 < seconds <= _LONGEST:
        seconds = _LONGEST
    return {
        "model": Text(call["text"].text(), call["name"].text(), dict(given_parameters(call))),
        "limits": Limits(float(seconds), _MEMORY),
    }


def _engine(call: Datum) -> dict[str, Any]:
    reading = call["strategies"].text() if "strategies" in call else "any"
    if reading not in {one.value for one in Strategies}:
        raise call["strategies"].wrong("there is no such reading of strategies")
    return {"engine": call["engine"].text() if "engine" in call else "auto", "strategies": Strategies(reading)}


def _asked(request: Request, tell: Tell) -> tuple[Report, Any]:
    """Have a process serve the request, which can be ended; events are told as they come."""
    if isinstance(request, EngineRequest):
        try:
            validate(request)
        except Misuse as misuse:
            raise LookupError(Wording.FORM.text(misuse.text, misuse.settings)) from None
    system: System | None = None

    def hear(event: Event) -> None:
        nonlocal system
        match event:
            case Loaded(loaded, questions):
                system = loaded
                asked = [{"index": one.index, "text": one.text, "name": one.name} for one in questions]
                tell({"event": "loaded", "system": system_data(loaded), "questions": asked})
            case Progress():
                tell({"event": "progress", "text": str(event), "number": event.number, "of": event.of})
            case Answered(result):
                tell({"event": "answered", "result": result_data(system, result)})
            case Warned(diagnostic):
                tell({"event": "warned", "diagnostic": diagnostic.to_json()})
            case Withdrawn(code, None):
                tell({"event": "withdrawn", "code": code})
            case _:
                pass

    return ask_worker(request, hear, orphaned(os.getppid()))


def _finish(report: Report, tell: Tell) -> None:
    ending = report.ending
    tell(
        {
            "event": "finished",
            "how": ending.how.value,
            "reason": Wording.FORM.text(ending.reason or "", ending.settings),
            "facts": facts_data(report.facts),
            "seconds": round(report.seconds, 3),
        }
    )
