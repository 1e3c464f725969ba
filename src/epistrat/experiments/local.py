"""Tasks side by side on this machine, each in a process of its own."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from epistrat.experiments.task import Measured, Task, measure
from epistrat.jobs.worker import end_group


def run(tasks: Sequence[Task], jobs: int) -> Generator[tuple[Task, Measured], None, None]:
    """The tasks with their results, as they finish.  Whoever stops listening ends the processes that are still at work."""
    groups: set[int] = set()
    over = threading.Event()

    def work(task: Task) -> Measured | None:
        mine: list[int] = []

        def started(group: int) -> None:
            mine.append(group)
            groups.add(group)
            if over.is_set():
                end_group(group)

        if over.is_set():
            return None
        try:
            return measure(task, started)
        finally:
            groups.difference_update(mine)

    with ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(work, task): task for task in tasks}
        try:
            for done in as_completed(waiting):
                measured = done.result()
                if measured is not None and not over.is_set():
                    yield waiting[done], measured
        finally:
            over.set()
            for group in list(groups):
                end_group(group)
