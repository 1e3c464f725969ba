"""Checks over ranges of parameters: planned, kept in a file, done once, and shown as a table or a picture.

The command ``epistrat sweep`` and the function ``epistrat.sweep`` are two faces of `Plan`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from epistrat.answers import Misuse
from epistrat.experiments import cluster, formats, local, models as models_by_name, ranges, tables
from epistrat.experiments.chart import shapes
from epistrat.experiments.store import Store
from epistrat.experiments.task import Measured, Task
from epistrat.render.wording import Wording
from epistrat.service.models import read
from epistrat.service.requests import File, Text

STORE = "sweep.sqlite"

Heard = Callable[[int, int, Task, Measured], None]
"""Hears that so many of so many tasks are done, the last of them and what came of it."""


class NoPlan(ValueError):
    """What was asked cannot be swept; the message says why."""


class NoSuchModel(ValueError):
    """A model is not there, or is wrong at the first values of its parameters; the message says why."""


def _silent(number: int, of: int, task: Task, measured: Measured) -> None:
    """Hears nothing."""


@dataclass(frozen=True)
class Plan:
    """Models, ranges of their parameters (``n=3..6``), choices of formulae, options for the check, and limits."""

    models: tuple[str, ...]
    spans: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    seconds: float = 60.0
    memory: str = ""

    @property
    def axis(self) -> str:
        """The parameter that pictures grow along: the first."""
        return ranges.values(self.spans[0])[0] if self.spans else ""

    def tasks(self) -> Iterator[Task]:
        """Every model with every combination of parameters and every choice of formulae.  The first of each model must be one."""
        if not self.models:
            raise NoPlan("no model is named")
        try:
            combinations = list(ranges.combinations(self.spans))
        except ranges.BadRange as wrong:
            raise NoPlan(str(wrong)) from None
        for model in self.models:
            try:
                file, text = models_by_name.find(model)
            except models_by_name.NoModel as wrong:
                raise NoSuchModel(str(wrong)) from None
            _look_at(model, file, text, dict(combinations[0]))
            for parameters in combinations:
                for only in self.only or ("",):
                    task = Task(file, text, parameters, only, self.options, self.seconds, self.memory)
                    if parameters == combinations[0]:
                        _can_be_asked(task)
                    yield task


def _can_be_asked(task: Task) -> None:
    """Refuse options, limits and choices of formulae that no check has, before any work is done."""
    try:
        task.request()
    except Misuse as wrong:
        raise NoPlan(Wording.SHELL.text(wrong.text, wrong.settings)) from None


def _look_at(model: str, file: str, text: str, parameters: Mapping[str, str]) -> None:
    """Refuse a model that has no such parameters, once and in words, before any work is done."""
    wrong = [f"{name}={value}" for name, value in parameters.items() if not value.lstrip("-").isdigit()]
    if wrong:
        raise NoPlan(f"a parameter is a whole number, not {wrong[0]}")
    given = {name: int(value) for name, value in parameters.items()}
    loaded = read(File(file, given) if Path(file).is_file() else Text(text, parameters=given))
    # a value outside a parameter's range is a mistake of one task, and stands in the table
    errors = [one for one in loaded.diagnostics if one.is_error and not (one.code == "E061" and one.span is not None)]
    if errors:
        more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
        place = f"{errors[0].where}: " if errors[0].span is not None else f"{model}: "
        raise NoSuchModel(f"{place}{errors[0].message}{more}")


@dataclass(frozen=True)
class Sweep:
    """What a sweep found: rows for each task and formula.  ``axis`` is the parameter that pictures grow along."""

    rows: tables.Rows
    axis: str = ""
    limit: float | None = None

    @property
    def decided(self) -> bool:
        """Whether every formula has an answer everywhere."""
        return all(row["verdict"] in ("holds", "fails") for row in self.rows)

    @property
    def errors(self) -> dict[str, int]:
        """Why tasks gave no verdict, each reason once, and how many gave it."""
        found: dict[str, int] = {}
        for row in self.rows:
            if row["verdict"] == "error":
                reason = (row["reason"] or "no reason given").splitlines()[0]
                found[reason] = found.get(reason, 0) + 1
        return found

    def to_pandas(self) -> Any:
        """The rows as a `pandas.DataFrame`; parameters are numbers.  Needs pandas."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas() needs pandas: pip install 'epistrat[parquet]'") from error
        names = tables.columns(self.rows)
        frame = pandas.DataFrame(self.rows, columns=names)
        for name in names[1 : names.index("label")]:
            frame[name] = pandas.to_numeric(frame[name])
        return frame

    def write(self, path: str | os.PathLike[str]) -> None:
        """The rows as a table; the ending of the name says how (`formats.TABLES`)."""
        formats.table_writer(Path(path))(Path(path), self.rows)

    def plot(self, path: str | os.PathLike[str]) -> bool:
        """CPU seconds over the first parameter as a picture (`formats.PICTURES`); false if there is nothing to draw."""
        write = formats.picture_writer(Path(path))
        curves = tables.curves(self.rows, self.axis) if self.axis else {}
        if not any(curve.points or curve.undecided for curve in curves.values()):
            return False
        undecided = any(curve.undecided for curve in curves.values())
        title = f"CPU seconds over {self.axis}"
        write(Path(path), shapes(title, curves, axis=self.axis, limit=self.limit if undecided else None))
        return True

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def _repr_html_(self) -> str:
        """For notebooks: the table."""
        names = tables.columns(self.rows)
        head = "".join(f"<th>{escape(name)}</th>" for name in names)
        cells = ("".join(f"<td>{escape(str(row.get(name, '')))}</td>" for name in names) for row in self.rows)
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{one}</tr>' for one in cells)}</table>"


def carry_out(plan: Plan, store: Store, *, jobs: int = 0, scheduler: str = "", heard: Heard = _silent) -> Sweep:
    """Do what is not done yet, and give what is known of the whole plan."""
    tasks = list(plan.tasks())
    wanted = {task.key for task in tasks}
    with store.held():
        store.plan(tasks)
        store.adopt(tasks)
        before = store.attempted()
        todo = [task for task in store.open_tasks() if task.key in wanted]
        asked = {_rest(task, before.get(task.question)): task for task in todo}
        done = cluster.run(list(asked), scheduler) if scheduler else local.run(list(asked), jobs or os.cpu_count() or 1)
        for number, (part, measured) in enumerate(done, start=1):
            task = asked[part]
            whole = measured if part == task else _joined(before[task.question], measured)
            store.record(task, whole)
            heard(number, len(todo), task, whole)
    found = tables.rows((task, measured) for task, measured in store.results() if task.key in wanted)
    return Sweep(found, plan.axis, plan.seconds)


def _rest(task: Task, before: Measured | None) -> Task:
    """The task without the formulae that an earlier attempt has decided."""
    if before is None:
        return task
    return replace(task, only=",".join(one.label for one in before.verdicts if not one.decided))


def _joined(before: Measured, after: Measured) -> Measured:
    """The answers of two attempts; what the second did not say stays.  Costs are those of the second."""
    fresh = {one.label: one for one in after.verdicts}
    verdicts = tuple(fresh.get(one.label, one) for one in before.verdicts)
    return replace(after, verdicts=verdicts, states=after.states or before.states, complaint="")


def sweep(
    models: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    only: str | Iterable[str] = (),
    options: Iterable[str] = (),
    time: float = 60.0,
    memory: str = "",
    store: str | os.PathLike[str] = STORE,
    jobs: int = 0,
    scheduler: str = "",
    heard: Heard = _silent,
    **parameters: int | str | Iterable[int],
) -> Sweep:
    """Check models over ranges of their parameters: ``epistrat.sweep("muddy-children", n=range(3, 9), only=["knows"])``.

    A parameter is a number, several, or a range as the command writes it (``n="3..6"``).  Each element of ``only`` is a check of its
    own; ``options`` are those of ``epistrat check``.  What is done is kept in ``store``: an interrupted sweep goes on where it was, and
    with a larger ``time`` only what is unknown is asked again.  Up to ``jobs`` checks run at once (0: one for each core).
    ``heard`` is told of each finished check.
    """
    if jobs < 0:
        raise NoPlan(f"jobs: {jobs} is not a number of checks")
    listed = [models] if isinstance(models, (str, os.PathLike)) else list(models)
    plan = Plan(
        tuple(os.fspath(one) for one in listed),
        tuple(f"{name}={_span(name, values)}" for name, values in parameters.items()),
        (only,) if isinstance(only, str) else tuple(only),
        tuple(options),
        time,
        memory,
    )
    kept = Store(Path(store))
    try:
        return carry_out(plan, kept, jobs=jobs, scheduler=scheduler, heard=heard)
    finally:
        kept.close()


def _span(name: str, values: int | str | Iterable[int]) -> str:
    if not isinstance(values, (int, str, Iterable)):
        raise NoPlan(f"{name} is a whole number, several of them, or a range such as '3..6'; this is {values!r}")
    return str(values) if isinstance(values, (int, str)) else ",".join(map(str, values))
