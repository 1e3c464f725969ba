"""Serves the calls that are requests to the service: checks, strategies, graphs.  They are told about as they are served."""

from __future__ import annotations

import os
from typing import Any, TypeVar

from epistrat.answers import How, Misuse, Report
from epistrat.children.system import orphaned
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.render.graph import reachable_picture, strategy_picture
from epistrat.render.json.cursor import Datum
from epistrat.render.json.evidence import strategy_json
from epistrat.render.json.report import state_json
from epistrat.render.page import page
from epistrat.render.wording import Wording
from epistrat.service import CheckRequest, ExportRequest, StrategyRequest, ask_worker, asking
from epistrat.service.checking import validate
from epistrat.service.events import Answered, Event, Loaded, Progress, Warned, Withdrawn
from epistrat.service.graph import StateGraph
from epistrat.service.plans import Plan
from epistrat.service.requests import EngineRequest, Request
from epistrat.service.settings import FACES
from epistrat.service.strategy import Synthesis
from epistrat.source import Diagnostic
from epistrat.studio import shapes
from epistrat.studio.data import (
    Tell,
    facts_data,
    message_data,
    model_of,
    picture_data,
    policy_data,
    result_data,
    system_data,
)
from epistrat.studio.parts import version_of_parts

R = TypeVar("R", bound=Request)
MOST_DRAWN = 200
"""The graph of more states would be unreadable."""

_WRITING = {"proof", "drat"}
"""Settings by which a check writes files: a page does not say where."""
_TABLE = 2_000  # states that a strategy may cover


def check(call: Datum, tell: Tell) -> None:
    """Check the model's formulae, or others, and tell why they hold or fail."""
    request = _request(CheckRequest, call)
    report, _, _ = _asked(request, call, tell)
    if report.system is not None and report.results:
        tell({"event": "report", "html": page([report])})
    _finish(report, tell)


def strategy(call: Datum, tell: Tell) -> None:
    """Find a strategy and tell its rules, what can happen under it, and how it was checked."""
    request = _request(StrategyRequest, call, formula=call["formula"].text(), table=_TABLE, verify=True)
    found: tuple[Synthesis, ...] | None
    report, found, parts = _asked(request, call, tell)
    for one in found or ():
        result = result_data(one.system, one.result)
        plans = [_plan(one, plan) for plan in one.plans]
        tell({"event": "strategy", "system": system_data(one.system), "parts": parts, "result": result, "plans": plans})
    _finish(report, tell)


def _plan(found: Synthesis, plan: Plan) -> shapes.Plan:
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
    report, found, parts = _asked(_request(ExportRequest, call, most=MOST_DRAWN), call, tell)
    if found is not None:
        picture = picture_data(found.system, reachable_picture(found.system, found.reached))
        tell({"event": "graph", "system": system_data(found.system), "parts": parts, "picture": picture})
    elif report.ending.how is How.LIMIT:
        tell(
            {
                "event": "remark",
                "text": f"More than {MOST_DRAWN} states are reachable; their graph would be unreadable.",
            }
        )
    _finish(report, tell)


def _request(kind: type[R], call: Datum, **more: Any) -> R:
    """The request that a call makes: its fields are settings of the request, beside the text and its sizes."""
    model = model_of(call)
    names = set(asking.known(kind)) - _WRITING
    given = {name: value.value for name, value in call.items() if name in names}
    usual = FACES["studio"]
    try:
        request = asking.request(kind, model, {**given, **more}, face="studio")
        if isinstance(request, EngineRequest):
            validate(request)
    except Misuse as misuse:
        raise LookupError(Wording.FORM.text(misuse.text, misuse.settings)) from None
    return replace(request, limits=request.limits.within(usual["time"], usual["memory"]))


def _asked(request: Request, call: Datum, tell: Tell) -> tuple[Report, Any, str | None]:
    """Have a process serve the request, which can be ended; events are told as they come.

    Also which version of its parts the text was read with; None where they changed while it was read.
    """
    model = model_of(call)
    parts: str | None = version_of_parts(model)
    unread = True
    system: System | None = None
    warned: list[Diagnostic] = []

    def hear(event: Event) -> None:
        nonlocal system, parts, unread
        match event:
            case Loaded(loaded, questions, _):
                system, unread = loaded, False
                parts = parts if version_of_parts(model) == parts else None
                asked: list[shapes.Question] = [
                    {"index": one.index, "text": one.text, "name": one.name} for one in questions
                ]
                tell({"event": "loaded", "system": system_data(loaded), "questions": asked, "parts": parts})
            case Progress():
                tell({"event": "progress", "text": str(event), "number": event.number, "of": event.of})
            case Answered(result):
                tell({"event": "answered", "result": result_data(system, result)})
            case Warned(diagnostic):
                warned.append(diagnostic)
                tell({"event": "warned", "diagnostic": message_data(diagnostic)})
            case Withdrawn():
                warned[:] = [one for one in warned if not event.concerns(one)]
                tell({"event": "withdrawn", "left": [message_data(one) for one in warned]})
            case _:
                pass

    report, found = ask_worker(request, hear, orphaned(os.getppid()))
    if unread and version_of_parts(model) != parts:
        parts = None
    return report, found, parts


def _finish(report: Report, tell: Tell) -> None:
    ending = report.ending
    finished: shapes.Finished = {
        "event": "finished",
        "how": ending.how.value,
        "reason": Wording.FORM.text(ending.reason or "", ending.settings),
        "facts": facts_data(report.facts),
        "seconds": round(report.seconds, 3),
    }
    if report.differences is not None:
        finished["differing"] = [{"words": one.words, "index": one.formula} for one in report.differences]
    tell(finished)
