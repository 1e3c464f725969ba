"""What a sweep has done, in an SQLite file: each task has at most one result, whoever was killed in between.

A result is written in one transaction when its task is finished, so what is in the file is complete, and what is not in the file is to
be done (again).  A lock on a file beside the database keeps a second sweep out while one is at work.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from epistrat.experiments.task import Measured, Task

_TABLES = """
create table if not exists tasks (key text primary key, place integer not null, task text not null);
create table if not exists results (key text primary key references tasks, measured text not null);
"""


class Unusable(Exception):
    """The file cannot be used as a store; the message says why."""


class Store:
    """Tasks and results in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._database = sqlite3.connect(path, check_same_thread=False)
            self._database.executescript(_TABLES)
        except sqlite3.Error as error:
            raise Unusable(f"{path} is not a sweep's file, or cannot be written: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def plan(self, tasks: Iterable[Task]) -> None:
        """Note what is to be done; tasks that are there already stay as they are."""
        with self._database:
            last = self._database.execute("select coalesce(max(place), 0) from tasks").fetchone()[0]
            self._database.executemany(
                "insert or ignore into tasks values (?, ?, ?)",
                [(task.key, place, json.dumps(asdict(task))) for place, task in enumerate(tasks, start=last + 1)],
            )

    def open_tasks(self) -> list[Task]:
        """The tasks without a result, in their order."""
        rows = self._database.execute(
            "select task from tasks where key not in (select key from results) order by place"
        )
        return [_task(text) for (text,) in rows]

    def record(self, task: Task, measured: Measured) -> bool:
        """Keep a result; False if there was one already, which stays."""
        with self._database:
            row = (task.key, json.dumps(asdict(measured)))
            done = self._database.execute("insert or ignore into results values (?, ?)", row)
        return done.rowcount == 1

    def results(self) -> Iterator[tuple[Task, Measured]]:
        """What is done, in the order of the tasks."""
        rows = self._database.execute("select task, measured from tasks join results using (key) order by place")
        for task, measured in rows:
            yield _task(task), Measured.of_data(json.loads(measured))

    def adopt(self, tasks: Iterable[Task]) -> None:
        """Give tasks without a result the answers that other limits brought, if theirs are enough for them.

        Memory limits are compared as they are written: an answer counts under the same one, and under none.
        """
        known = {task.question: (task, measured) for task, measured in self.results() if measured.decided}
        for task in tasks:
            other, measured = known.get(task.question, (None, None))
            if other is None or measured is None or measured.wall > task.seconds:
                continue
            if task.memory in ("", other.memory):
                self.record(task, measured)

    def attempted(self) -> dict[str, Measured]:
        """What was found about questions of which some formulae are unknown, by question; the last attempt counts."""
        return {
            task.question: measured
            for task, measured in self.results()
            if not measured.decided and any(one.decided for one in measured.verdicts)
        }

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other sweeps out of the file while this one is at work."""
        with self.path.with_name(self.path.name + ".lock").open("w") as lock:
            if sys.platform != "win32":
                import fcntl

                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    raise Unusable(f"another sweep is at work on {self.path}") from None
            yield


def _task(text: str) -> Task:
    data = json.loads(text)
    parameters = tuple((name, value) for name, value in data["parameters"])
    return Task(**{**data, "parameters": parameters, "options": tuple(data["options"])})
