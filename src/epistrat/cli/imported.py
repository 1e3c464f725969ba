"""``epistrat import``: a model of another tool (STV2, EVE, VMT-LIB) as ISPL."""

from __future__ import annotations

import argparse

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit
from epistrat.lang.format import format_source
from epistrat.render.text import show_diagnostics, show_rejection
from epistrat.service.models import imported


def run(arguments: argparse.Namespace) -> Exit:
    """Translate the file, and write or print the result."""
    text, report = imported(arguments.file)
    if report.diagnostics:
        show = show_rejection if text is None else show_diagnostics
        console.complain(*show(report.diagnostics, console.style()))
    if text is None:
        return Exit.INPUT
    return Exit.HOLDS if console.save(format_source(text), arguments.output) else Exit.INPUT
