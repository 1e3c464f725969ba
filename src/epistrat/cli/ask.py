"""What all commands share: arguments become requests, a worker serves them, and what went wrong is said on standard error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from epistrat.answers import How, Misuse, Report
from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, Refused
from epistrat.cli.main import bug
from epistrat.jobs.limits import Limits
from epistrat.render.text import show_rejection
from epistrat.render.wording import Wording
from epistrat.service import File, Text, ask_worker, settings
from epistrat.service.checking import validate
from epistrat.service.events import Event, Progress, Send, ignore
from epistrat.service.requests import EngineRequest, Model, Request
from epistrat.service.settings import BadOption, engine_options

R = TypeVar("R", bound=EngineRequest)


def model(file: str, arguments: argparse.Namespace | None = None) -> Model:
    """The model that a file name on the command line stands for; ``-`` is standard input."""
    parameters = dict(getattr(arguments, "set", None) or ())
    if file == "-":
        return Text(sys.stdin.buffer.read(), "<stdin>", parameters)
    return File(file, parameters, getattr(arguments, "include_outside", False))


def limits(arguments: argparse.Namespace) -> Limits:
    """The limits given on the command line."""
    return Limits(arguments.time, arguments.memory, arguments.nodes, arguments.states, arguments.cores)


def engine_settings(arguments: argparse.Namespace, apart: Collection[str] = ()) -> dict[str, Any]:
    """The settings that all requests to engines share; options of engines that mean something else here are set ``apart``."""
    given = vars(arguments)
    tuning = {name: given[name] for name in engine_options() if name not in apart}
    return {"strict": arguments.strict, **settings.engine_settings(given, tuning)}


def checked(verb: str, make: Callable[[], R]) -> R:
    """The request that the command line makes; the command is refused where that cannot be meant whatever the model."""
    try:
        request = make()
        validate(request)
    except Misuse as misuse:
        raise Refused(Exit.USAGE, f"epistrat {verb}: {Wording.SHELL.text(misuse.text, misuse.settings)}") from None
    except BadOption as bad:
        raise Refused(Exit.USAGE, f"epistrat {verb}: {bad}") from None
    return request


def serve(request: Request, hear: Send = ignore, *, quiet: bool = False) -> tuple[Report, Any]:
    """Have a worker serve the request, with a line that shows progress where there is a terminal."""
    line = console.progress(quiet=quiet)

    def show(event: Event) -> None:
        if line is not None and isinstance(event, Progress):
            line.show(event)
        elif line is not None:
            line.clear()
        hear(event)

    report, produced = ask_worker(request, show, line.tick if line else None)
    if line is not None:
        line.clear()
    return report, produced


def answered(verb: str, request: Request, *, quiet: bool = False) -> tuple[Report, Any]:
    """As `serve`; the command is refused where there is no answer."""
    report, produced = serve(request, quiet=quiet)
    status = complain(verb, report)
    if status is not None:
        raise Refused(status)
    return report, produced


def complain(verb: str, report: Report) -> Exit | None:
    """Say on standard error why there is no answer; the exit status, or None where there is one."""
    ending = report.ending
    words = Wording.SHELL.text(ending.reason or "", ending.settings)
    match ending.how:
        case How.MISUSED:
            console.complain(f"epistrat {verb}: {report.model}: {words}")
            return Exit.USAGE
        case How.REJECTED:
            console.complain(*show_rejection(report.diagnostics, console.style()))
            return Exit.INPUT
        case How.CRASHED:
            return Exit(bug(words, ending.trace))
        case _:
            return None
