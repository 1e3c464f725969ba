"""The same tasks on a Dask cluster (the extra ``cluster``)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from importlib import import_module
from typing import Any

from epistrat.experiments.task import Measured, Task, measure

_RETRIES = 10
"""A task is given to another worker so many times when the one that had it is gone."""


class NoCluster(Exception):
    """There is no cluster to hand tasks to; the message says why."""


def run(tasks: Sequence[Task], scheduler: str) -> Generator[tuple[Task, Measured], None, None]:
    """The tasks with their results, as they finish; ``scheduler`` is ``dask://HOST:PORT``."""
    try:
        dask: Any = import_module("distributed")
    except ImportError:
        raise NoCluster("Dask is not installed: pip install 'epistrat[cluster]'") from None
    address = "tcp://" + scheduler.removeprefix("dask://")
    try:
        client = dask.Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise NoCluster(f"no Dask scheduler answers at {scheduler}: {error}") from None
    with client:
        futures = {client.submit(measure, task, key=task.key, retries=_RETRIES): task for task in tasks}
        for done in dask.as_completed(futures):
            yield futures[done], done.result()
