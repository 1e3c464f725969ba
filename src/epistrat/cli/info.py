"""``epistrat info``: what a model consists of, how large it is, and what kinds of formulae it asks."""

from __future__ import annotations

import argparse
import json
from typing import Any

from epistrat.answers import How, Report
from epistrat.cli import console
from epistrat.cli.ask import asked, complain, model, serve
from epistrat.cli.exit_codes import Exit, status_of, worst
from epistrat.cli.main import bug
from epistrat.render.json.report import info_json
from epistrat.render.text import show_diagnostics, show_info, show_statistics
from epistrat.service import InfoRequest


def run(arguments: argparse.Namespace) -> Exit:
    """Describe every file."""
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
