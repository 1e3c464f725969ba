"""Runs of the whole command ``epistrat check``, as the benchmarks call it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from epistrat.experiments.process import GRACE, Run, execute

__all__ = ["EPISTRAT", "PLAIN", "Run", "check", "execute"]

EPISTRAT = (str(Path(sys.executable).parent / "epistrat"), "check", "--json", "--stats")
PLAIN = ("--engine", "symbolic", "--reach", "mcmas", "--order", "2", "--reorder")


def check(model: Path, limit: float, options: Sequence[str] = (), command: Sequence[str] = EPISTRAT) -> Run:
    """Check the model file; the command gets the limit as its own, and is killed if it overruns it."""
    return execute([*command, "--time", f"{limit:g}", *options, str(model)], limit + GRACE)
