"""``epistrat check --every n``: verdicts for every value of a parameter."""

from __future__ import annotations

import argparse
import json

from epistrat.answers import How, Verdict
from epistrat.cli import console
from epistrat.cli.ask import asked, complain, model, serve
from epistrat.cli.exit_codes import Exit, Refused, worst
from epistrat.render.every import every_json, show_every
from epistrat.service.requests import EveryRequest

_STATUS = {Verdict.HOLDS: Exit.HOLDS, Verdict.FAILS: Exit.FAILS, Verdict.UNKNOWN: Exit.UNKNOWN}


def run(arguments: argparse.Namespace) -> Exit:
    """Check every file for every value; the exit status that stands for all."""
    wrong = _impossible(arguments)
    if wrong:
        raise Refused(Exit.USAGE, f"epistrat check: {wrong}")
    requests = [asked("check", EveryRequest, model(file, arguments), arguments) for file in arguments.files]
    codes: list[Exit] = []
    for number, request in enumerate(requests):
        if number and arguments.format == "text":
            console.write([""])
        codes.append(_check(request, request.model.name, arguments))
        if codes[-1] is Exit.INTERRUPTED:
            break
    return worst(codes)


def _impossible(arguments: argparse.Namespace) -> str | None:
    """What cannot be meant about many sizes."""
    for name, given in (
        ("--watch", arguments.watch),
        ("--simulate", arguments.simulate is not None),
        ("--html", arguments.html is not None),
        ("--jobs", arguments.jobs > 1),
        (f"--format {arguments.format}", arguments.format not in ("text", "json")),
    ):
        if given:
            return f"{name} is about one model; it does not go together with --every"
    return None


def _check(request: EveryRequest, name: str, arguments: argparse.Namespace) -> Exit:
    report, found = serve(request, quiet=arguments.format != "text")
    status = complain("check", report)
    if status is not None:
        return status
    ending = report.ending
    if ending.how is not How.DONE:
        console.complain(f"epistrat check: {name}: {ending.reason}")
    stopped = Exit.INTERRUPTED if ending.how is How.INTERRUPTED else Exit.UNKNOWN
    if found is None:
        return stopped
    if arguments.format == "json":
        console.write([json.dumps(every_json(name, found))])
    else:
        console.write(show_every(name, found, console.style()))
    verdicts = {one.verdict for one in found.answers}
    worst_verdict = next((one for one in (Verdict.FAILS, Verdict.UNKNOWN) if one in verdicts), Verdict.HOLDS)
    return stopped if stopped is Exit.INTERRUPTED else _STATUS[worst_verdict]
