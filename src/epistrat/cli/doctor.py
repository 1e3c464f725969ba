"""``epistrat doctor``: what is installed, and whether it works."""

from __future__ import annotations

import argparse

from epistrat import __version__
from epistrat.cli import console
from epistrat.cli.exit_codes import Exit
from epistrat.service.doctor import examine

_MARKS = {"well": "ok", "absent": "--", "ill": "!!"}


def run(arguments: argparse.Namespace) -> Exit:
    """Examine, and say what to do about what is not well."""
    ill = 0
    for finding in examine(__version__):
        ill += finding.health == "ill"
        advice = f"  ({finding.advice})" if finding.advice else ""
        console.write([f"{_MARKS[finding.health]}  {finding.about}: {finding.words}{advice}"])
    console.write([f"{ill} problem{'s' if ill > 1 else ''} found" if ill else "all is well"])
    return Exit.FAILS if ill else Exit.HOLDS
