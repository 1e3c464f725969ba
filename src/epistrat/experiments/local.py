"""Tasks side by side on this machine, each in a process of its own."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from epistrat.children.child import Child
from epistrat.experiments.task import Measured, Task, measure


def run(tasks: Sequence[Task], jobs: int) -> Generator[tuple[Task, Measured], None, None]:
    """The tasks with their results, as they finish.  Whoever stops listening ends the processes that are still at work."""
    children: set[Child] = set()
    over = threading.Event()

    def work(task: Task) -> Measured | None:
        mine: list[Child] = []

        def begun(child: Child) -> None:
            mine.append(child)
            children.add(child)
            if over.is_set():
                child.kill()

        if over.is_set():
            return None
        try:
            return measure(task, begun)
        finally:
            children.difference_update(mine)

    with ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(work, task): task for task in tasks}
        try:
            for done in as_completed(waiting):
                measured = done.result()
                if measured is not None and not over.is_set():
                    yield waiting[done], measured
        finally:
            over.set()
            for child in list(children):
                child.kill()
