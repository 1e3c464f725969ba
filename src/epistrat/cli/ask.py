"""What all commands share: arguments become requests, a worker serves them, and what went wrong is said on standard error."""

from __future__ import annotations

import argparse
import sys
from typing import Any, TypeVar

from epistrat.answers import How, Misuse, Report
from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, Refused
from epistrat.cli.main import bug
from epistrat.render.text import show_rejection
from epistrat.render.wording import Wording
from epistrat.service import File, Text, ask_worker, asking
from epistrat.service.checking import validate
from epistrat.service.events import Event, Progress, Send, ignore
from epistrat.service.requests import EngineRequest, Model, Request
from epistrat.service.settings import BadOption

R = TypeVar("R", bound=Request)


def model(file: str, arguments: argparse.Namespace | None = None) -> Model:
    """The model that a file name on the command line stands for; ``-`` is standard input."""
    parameters = dict(getattr(arguments, "set", None) or ())
    if file == "-":
        return Text(sys.stdin.buffer.read(), "<stdin>", parameters)
    return File(file, parameters, getattr(arguments, "include_outside", False))


def asked(verb: str, kind: type[R], model: Model, arguments: argparse.Namespace, **more: Any) -> R:
    """The request that the command line makes; the command is refused where that cannot be meant whatever the model.

    ``more`` is what the command sets by itself.
    """
    try:
        names = set(asking.known(kind))
        given = {name: value for name, value in {**vars(arguments), **more}.items() if name in names}
        request = asking.request(kind, model, given)
        if isinstance(request, EngineRequest):
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
