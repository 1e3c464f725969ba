"""``epistrat equilibrium``: is there an equilibrium, what happens on its run, and what keeps everybody on it."""

from __future__ import annotations

import argparse
import json

from epistrat.answers import Verdict
from epistrat.cli import console
from epistrat.cli.ask import answered, asked, model
from epistrat.cli.exit_codes import Exit, status_of, worst
from epistrat.render.equilibrium import equilibria_json, show_equilibria
from epistrat.service import EquilibriumRequest

_STATUS = {Verdict.HOLDS: Exit.HOLDS, Verdict.FAILS: Exit.FAILS, Verdict.UNKNOWN: Exit.UNKNOWN}


def run(arguments: argparse.Namespace) -> Exit:
    """Ask, and print what was found."""
    request = asked("equilibrium", EquilibriumRequest, model(arguments.file, arguments), arguments)
    report, found = answered("equilibrium", request)
    if found is None:
        console.complain(f"unknown: {report.ending.reason}")
        return worst([status_of(report), Exit.UNKNOWN])
    if arguments.json:
        console.write([json.dumps(equilibria_json(found, arguments.file))])
    else:
        console.write(show_equilibria(found, console.style()))
    return worst([status_of(report), _STATUS[found.verdict]])
