"""``epistrat sweep``: check models over ranges of their parameters; what is done is kept, so that an interrupted sweep goes on."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, Refused
from epistrat.experiments import cluster, local, models as models_by_name, ranges, tables
from epistrat.experiments.chart import draw
from epistrat.experiments.store import Store, Unusable
from epistrat.experiments.task import Measured, Task


def run(arguments: argparse.Namespace) -> Exit:
    """Plan, check what is not done yet, and write the table."""
    spans = [one for one in arguments.what if "=" in one]
    models = [one for one in arguments.what if "=" not in one]
    if not models:
        raise Refused(Exit.USAGE, "sweep: no model is named")
    try:
        tasks = list(_tasks(arguments, models, spans))
        store = Store(Path(arguments.store))
    except (ranges.BadRange, Unusable) as wrong:
        raise Refused(Exit.USAGE, f"sweep: {wrong}") from None
    except models_by_name.NoModel as wrong:
        raise Refused(Exit.INPUT, f"sweep: {wrong}") from None
    try:
        return _sweep(arguments, tasks, store, [ranges.values(span)[0] for span in spans])
    except (Unusable, cluster.NoCluster, tables.NoParquet) as wrong:
        raise Refused(Exit.USAGE, f"sweep: {wrong}") from None
    finally:
        store.close()


def _tasks(arguments: argparse.Namespace, models: list[str], spans: list[str]) -> Iterator[Task]:
    """Every model with every combination of parameters and every choice of formulae."""
    for model in models:
        file, text = models_by_name.find(model)
        for parameters in ranges.combinations(spans):
            for only in arguments.only or [""]:
                yield Task(file, text, parameters, only, tuple(arguments.option), arguments.time, arguments.memory)


def _sweep(arguments: argparse.Namespace, tasks: list[Task], store: Store, names: list[str]) -> Exit:
    wanted = {task.key for task in tasks}
    with store.held():
        store.plan(tasks)
        todo = [task for task in store.open_tasks() if task.key in wanted]
        if len(todo) < len(wanted):
            console.complain(f"{len(wanted) - len(todo)} of {len(wanted)} checks were done before")
        _work(arguments, todo, store)
    found = tables.rows((task, measured) for task, measured in store.results() if task.key in wanted)
    _write(arguments, found, names)
    console.write([_summary(found)])
    return Exit.HOLDS if all(row["verdict"] in ("holds", "fails") for row in found) else Exit.UNKNOWN


def _work(arguments: argparse.Namespace, todo: list[Task], store: Store) -> None:
    if arguments.scheduler:
        done = cluster.run(todo, arguments.scheduler)
    else:
        done = local.run(todo, arguments.jobs or os.cpu_count() or 1)
    for number, (task, measured) in enumerate(done, start=1):
        store.record(task, measured)
        console.write([f"{number:{len(str(len(todo)))}}/{len(todo)}  {task.name}: {_words(measured)}"])


def _words(measured: Measured) -> str:
    """One result in a line."""
    if not measured.verdicts:
        return f"no verdict: {measured.complaint.splitlines()[0] if measured.complaint else 'no reason given'}"
    verdicts = Counter(one.verdict for one in measured.verdicts)
    said = ", ".join(f"{count} {word}" for word, count in verdicts.items())
    return f"{said if verdicts.total() > 1 else next(iter(verdicts))} ({measured.cpu:.2f} s, {measured.peak_mb:.0f} MB)"


def _write(arguments: argparse.Namespace, found: tables.Rows, names: list[str]) -> None:
    if arguments.output:
        write = tables.write_parquet if arguments.output.endswith(".parquet") else tables.write_csv
        write(Path(arguments.output), found)
    if arguments.plot and names:
        lines = tables.curves(found, names[0])
        if lines:
            draw(Path(arguments.plot), f"CPU seconds over {names[0]}", lines)
        else:
            console.complain(f"nothing to draw: no check over numbers {names[0]} was decided")


def _summary(found: tables.Rows) -> str:
    counts = Counter(row["verdict"] for row in found)
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.items()) or "nothing was asked"
