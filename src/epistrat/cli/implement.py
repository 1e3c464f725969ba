"""``epistrat implement``: the ordinary model that a program is, whose protocols ask what agents know."""

from __future__ import annotations

import argparse

from epistrat.cli import console
from epistrat.cli.ask import answered, asked, model
from epistrat.cli.exit_codes import Exit, status_of
from epistrat.lang.format import format_source
from epistrat.render.guards import guard_table, keeping, remarks
from epistrat.service.implementing import Printed
from epistrat.service.requests import ImplementRequest


def run(arguments: argparse.Namespace) -> Exit:
    """Make it, and print it or its guards."""
    request = asked("implement", ImplementRequest, model(arguments.file, arguments), arguments)
    report, found = answered("implement", request)
    if found is None:
        console.complain(f"unknown: {report.ending.reason}")
        return status_of(report)
    text = "\n".join(guard_table(found.implementation, found.guards)) if arguments.guards else _text(found)
    if not console.save(text, arguments.output):
        return Exit.USAGE
    console.complain(*_said(found, arguments))
    return Exit.HOLDS


def _text(found: Printed) -> str:
    return format_source(found.text) if found.guards else found.text


def _said(found: Printed, arguments: argparse.Namespace) -> list[str]:
    implementation = found.implementation
    if not implementation.guards:
        return ["no guard asks what an agent knows: this is the model as it is"]
    said = list(remarks(implementation, found.guards))
    if not arguments.guards:
        said += keeping(implementation)
    many = len(implementation.guards)
    guards = "the guard was" if many == 1 else f"the {many} guards were"
    if found.compared:
        said.append(f"{guards} compared with the conditions in every reachable state of the printed model")
    else:
        said.append(f"{guards} not compared with the conditions once more: {found.reason}")
    return said
