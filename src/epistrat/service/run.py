"""Serving requests: in this process, or in a worker that can be ended from outside."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from epistrat.answers import Ending, How, Misuse, Report
from epistrat.children.system import adopt_orphans
from epistrat.jobs.worker import run_in_worker
from epistrat.service import requests
from epistrat.service.events import Event, Finished, Send, Warned, ignore, paced
from epistrat.service.gather import Gathering
from epistrat.service.models import InputError
from epistrat.service.requests import Request
from epistrat.solvers.budget import Budget, OutOfBudget

if TYPE_CHECKING:
    from epistrat.children.child import Child, Usage

_SERVED: dict[type[Request], tuple[str, str]] = {
    requests.CheckRequest: ("checking", "check"),
    requests.EveryRequest: ("every", "find"),
    requests.InfoRequest: ("describe", "describe"),
    requests.StrategyRequest: ("strategy", "synthesise"),
    requests.EquilibriumRequest: ("equilibrium", "find"),
    requests.ExportRequest: ("graph", "export"),
    requests.ExchangeRequest: ("exchange", "exchange"),
    requests.ImplementRequest: ("implementing", "implement"),
    requests.LabelRequest: ("labelling", "label"),
    requests.ReplayRequest: ("replaying", "recheck"),
    requests.SimulateRequest: ("simulation", "simulate"),
}
"""Which module serves a request, by which function; modules are imported when they are needed."""


SERVING = "epistrat.service.child"
"""The module whose ``main`` serves a request in a new process."""


def serve(request: Request, send: Send, budget: Budget) -> None:
    """Serve a request; mistakes in it are raised (`InputError`, `Misuse`)."""
    module, function = _SERVED[type(request)]
    getattr(import_module(f"epistrat.service.{module}"), function)(request, send, budget)


def ask(request: Request, budget: Budget | None = None, hear: Send = ignore) -> tuple[Report, Any]:
    """Serve a request in this process: the report, and what was produced beside it.  Mistakes in the request are raised."""
    gathering = Gathering(request)
    started = time.perf_counter()

    def send(event: Event) -> None:
        gathering.receive(event)
        hear(event)

    try:
        serve(request, send, budget or request.limits.budget())
    except OutOfBudget as limit:
        if not gathering.planned:
            raise
        for event in gathering.missing(Ending(How.LIMIT, str(limit))):
            send(event)
    return gathering.report(time.perf_counter() - started), gathering.produced


def ask_worker(request: Request, hear: Send = ignore, tick: Callable[[], None] | None = None) -> tuple[Report, Any]:
    """Serve a request in a process that can be ended: the report says how it ended; nothing is raised.

    This is for programs that are ours as a whole: what a worker that is killed has started is handed to this process, and ended.
    """
    adopt_orphans()
    gathering = Gathering(request)
    started = time.perf_counter()

    def receive(event: Event) -> None:
        gathering.receive(event)
        hear(event)

    def work(send: Send, budget: Budget) -> None:
        _serve_safely(request, paced(send), budget)

    ending = run_in_worker(work, request.limits, receive, tick)
    for event in gathering.missing(ending):
        receive(event)
    return gathering.report(time.perf_counter() - started), gathering.produced


def ask_child(
    request: Request, hear: Send = ignore, begun: Callable[[Child], None] = lambda child: None
) -> tuple[Report, Any, Usage]:
    """Serve a request in a new process, from any thread: as `ask_worker`, and what it took.  ``begun`` may keep the process, to end it."""
    from epistrat.children.child import GRACE, Child

    gathering = Gathering(request)
    started = time.perf_counter()
    seconds = request.limits.seconds

    def receive(event: Event) -> None:
        gathering.receive(event)
        hear(event)

    with Child.of(SERVING, seconds=None if seconds is None else seconds + GRACE) as child:
        begun(child)
        child.send(request)
        for event in child.heard():
            receive(event)
        usage = child.close()
    for event in gathering.missing(_ended(child.killed)):
        receive(event)
    return gathering.report(time.perf_counter() - started), gathering.produced, usage


def _ended(killed: str | None) -> Ending:
    return Ending(How.DONE) if killed is None else Ending(How.TIME, killed)


def _serve_safely(request: Request, send: Send, budget: Budget) -> None:
    """Serve a request; whatever happens is told as an event."""
    try:
        serve(request, send, budget)
    except InputError as rejected:
        for diagnostic in rejected.diagnostics:
            send(Warned(diagnostic))
        send(Finished(Ending(How.REJECTED)))
    except Misuse as misuse:
        send(Finished(Ending(How.MISUSED, misuse.text, misuse.settings)))
    except OutOfBudget as limit:
        send(Finished(Ending(How.LIMIT, str(limit))))
    except MemoryError:
        send(Finished(Ending(How.MEMORY, "memory ran out")))
    except Exception as error:
        send(Finished(Ending(How.CRASHED, f"{type(error).__name__}: {error}", trace=traceback.format_exc())))
