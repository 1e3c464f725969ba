"""``epistrat sweep``: check models over ranges of their parameters; what is done is kept, so that an interrupted sweep goes on."""

from __future__ import annotations

import argparse
from pathlib import Path

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, Refused
from epistrat.experiments import cluster, formats
from epistrat.experiments.store import Store, Unusable
from epistrat.experiments.sweep import NoPlan, NoSuchModel, Plan, Sweep, carry_out
from epistrat.experiments.tables import tally
from epistrat.experiments.task import Measured, Task


def run(arguments: argparse.Namespace) -> Exit:
    """Plan, check what is not done yet, and write the table."""
    plan = Plan(
        tuple(one for one in arguments.what if "=" not in one),
        tuple(one for one in arguments.what if "=" in one),
        tuple(arguments.only or ()),
        tuple(arguments.option),
        arguments.time,
        arguments.memory,
    )
    try:
        return _sweep(arguments, plan)
    except (NoPlan, Unusable, cluster.NoCluster, formats.NoFormat) as wrong:
        raise Refused(Exit.USAGE, f"sweep: {wrong}") from None
    except NoSuchModel as wrong:
        raise Refused(Exit.INPUT, f"sweep: {wrong}") from None


def _sweep(arguments: argparse.Namespace, plan: Plan) -> Exit:
    if arguments.output:  # what cannot be written is said before the work, not after it
        formats.table_writer(Path(arguments.output))
    if arguments.plot:
        formats.picture_writer(Path(arguments.plot))
    tasks = list(plan.tasks())
    store = Store(Path(arguments.store))
    told = 0

    def heard(number: int, of: int, task: Task, measured: Measured) -> None:
        nonlocal told
        told = number
        console.write([f"{number:{len(str(of))}}/{of}  {task.name}: {_words(measured)}"])

    try:
        found = carry_out(plan, store, jobs=arguments.jobs, scheduler=arguments.scheduler, heard=heard)
    finally:
        store.close()
    if told < len(tasks):
        console.complain(f"{len(tasks) - told} of {len(tasks)} checks were done before")
    _write(arguments, found)
    for reason, times in found.errors.items():
        console.complain(f"{times} without verdict: {reason}")
    console.write([_summary(found)])
    return Exit.HOLDS if found.decided else Exit.UNKNOWN


def _words(measured: Measured) -> str:
    """One result in a line."""
    if not measured.verdicts:
        return "no verdict"
    verdicts = [one.verdict for one in measured.verdicts]
    said = tally(verdicts) if len(verdicts) > 1 else verdicts[0]
    return f"{said} ({measured.cpu:.2f} s, {measured.peak_mb:.0f} MB)"


def _write(arguments: argparse.Namespace, found: Sweep) -> None:
    if arguments.output:
        found.write(arguments.output)
    if arguments.plot and found.axis and not found.plot(arguments.plot):
        console.complain(f"nothing to draw: there is no check over numbers {found.axis}")


def _summary(found: Sweep) -> str:
    return tally(row["verdict"] for row in found) or "nothing was asked"
