"""``epistrat info``: what a model consists of, how large it is, and what kinds of formulae it asks."""

from __future__ import annotations

import argparse
import json
from typing import Any

from epistrat.answers import How, Misuse, Report
from epistrat.cli import console
from epistrat.cli.ask import asked, complain, model, serve
from epistrat.cli.exit_codes import Exit, Refused, status_of, worst
from epistrat.cli.main import bug
from epistrat.render.json.report import info_json
from epistrat.render.text import show_diagnostics, show_info, show_rejection, show_statistics
from epistrat.service import InfoRequest
from epistrat.service.counting import classes
from epistrat.service.models import read
from epistrat.service.requests import Given


def run(arguments: argparse.Namespace) -> Exit:
    """Describe every file."""
    if arguments.every is not None:
        return worst([_of_every_size(file, arguments) for file in arguments.files])
    codes: list[Exit] = []
    for number, file in enumerate(arguments.files):
        request = asked("info", InfoRequest, model(file, arguments), arguments)
        if number and not arguments.json:
            console.write([""])
        codes.append(_describe(request, arguments))
        if codes[-1] is Exit.INTERRUPTED:
            break
    return worst(codes)


def _describe(request: InfoRequest, arguments: argparse.Namespace) -> Exit:
    report, info = serve(request, quiet=arguments.json)
    record = info_json(report, info or {}, states=request.explore)
    if arguments.json:
        console.write([json.dumps(record)])
    elif info is not None:
        _show(report, record, arguments)
    wrong = complain("info", report) if report.ending.how is not How.REJECTED or not arguments.json else Exit.INPUT
    if wrong is not None:
        return wrong
    failed = [r["index"] for r in record.get("reductions", []) if r.get("self_check", {}).get("passed") is False]
    if failed:
        return Exit(bug(f"the reduction for formula {failed[0]} does not stand the comparison with all states"))
    return status_of(report)


def _show(report: Report, record: dict[str, Any], arguments: argparse.Namespace) -> None:
    console.write(show_info(report.model, record))
    console.write(show_diagnostics(report.diagnostics, console.style(), report.system))
    if arguments.stats and report.statistics:
        console.write(["", *show_statistics(report.statistics)])


def _of_every_size(file: str, arguments: argparse.Namespace) -> Exit:
    """Which formulae have a counted system."""
    about = model(file, arguments)
    loaded = read(about)
    if loaded.system is None:
        raise Refused(Exit.INPUT, *show_rejection(loaded.diagnostics, console.style()))
    assert not isinstance(about, Given)  # it was read from a file
    try:
        found = classes(about, arguments.every)
    except Misuse as wrong:
        raise Refused(Exit.USAGE, f"epistrat info: {wrong}") from None
    if arguments.json:
        formulae = [
            {"index": number, "name": name, "class": None if why else "counters", "from": start, "reason": why}
            for number, (name, start, why) in enumerate(found, 1)
        ]
        console.write([json.dumps({"model": file, "parameter": arguments.every, "formulae": formulae})])
        return Exit.HOLDS
    console.write([f"{file}: every {arguments.every}"])
    for number, (name, start, why) in enumerate(found, 1):
        said = f"not counted: {why}" if why else f"members can be counted, from {arguments.every} = {start} on"
        console.write([f"  {number}  {name or ''}{(name and ': ') or ''}{said}"])
    return Exit.HOLDS
