"""Suites of benchmarks as data: TOML files with cases.

A suite has a ``summary``, a ``limit`` in seconds, ``repeats``, and ``[[case]]`` tables: a ``model`` (a scenario's name or a file),
``parameters`` (each a value, a list, or a range in the words of ``epistrat sweep``), ``only`` (formulae by name or number),
``expected`` (their verdicts, in the order of the model), ``options`` for the check, ``table`` (the heading it is
reported under), ``figures`` (CPU seconds to reach, by the value of the first parameter, which need not be repeated under
``parameters``), and ``published`` figures: for each source the seconds by the value of the first parameter, or a word
where there is no number.  ``[variants]`` names options for ``check``: each case without options of its own is measured with them
too, unless it says ``variants = false``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from epistrat.experiments import models, ranges
from epistrat.experiments.task import Task


class BadSuite(ValueError):
    """A suite that cannot be read; the message says why."""


@dataclass(frozen=True)
class Case:
    """One task with what is known about its answer; ``published`` are (source, figure) pairs, ``figure`` CPU seconds to reach,
    ``compared`` says whether the suite's variants are measured too.
    """

    task: Task
    table: str
    expected: tuple[str, ...] = ()
    published: tuple[tuple[str, str], ...] = ()
    figure: float | None = None
    compared: bool = True

    @property
    def name(self) -> str:
        """The case in a few words, unique within a suite."""
        return f"{self.table}: {self.title}"

    @property
    def title(self) -> str:
        """The case in its table."""
        return " ".join([self.task.name, *self.task.options])

    @property
    def size(self) -> str:
        """The value of the first parameter, by which tables grow."""
        return self.task.parameters[0][1] if self.task.parameters else ""


@dataclass(frozen=True)
class Suite:
    """Cases under a name, to be run so many times each; ``variants`` are options to compare with, by name."""

    name: str
    summary: str
    repeats: int
    cases: tuple[Case, ...]
    variants: tuple[tuple[str, tuple[str, ...]], ...] = ()
    variant_limit: float = 60.0


def available() -> dict[str, str]:
    """The suites that come with epistrat, with their summaries."""
    folder = files(__package__) / "suites"
    found = {one.name.removesuffix(".toml"): one for one in folder.iterdir() if one.name.endswith(".toml")}
    return {name: tomllib.loads(found[name].read_text("utf-8"))["summary"] for name in sorted(found)}


def load(name: str) -> Suite:
    """The suite of that name, or in that file."""
    path = Path(name) if name.endswith(".toml") else files(__package__) / "suites" / f"{name}.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadSuite(
            f"there is no suite {name!r}; there are {', '.join(available())}, or name a .toml file"
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise BadSuite(f"{name}: {error}") from None
    try:
        cases = tuple(case for row in data["case"] for case in _cases(row, data))
        variants = tuple((title, tuple(options)) for title, options in data.get("variants", {}).items())
        most = float(data.get("variant_limit", data.get("limit", 60)))
        return Suite(Path(name).stem, str(data["summary"]), int(data.get("repeats", 1)), cases, variants, most)
    except KeyError as missing:
        raise BadSuite(f"{name}: {missing} is missing") from None
    except (ranges.BadRange, models.NoModel, TypeError) as error:
        raise BadSuite(f"{name}: {error}") from None


def _cases(row: Mapping[str, Any], suite: Mapping[str, Any]) -> Iterator[Case]:
    model, text = models.find(str(row["model"]))
    figures, given = row.get("figures", {}), dict(row.get("parameters", {}))
    if figures:
        first = next(iter(given), "n")
        given = {first: list(figures), **{name: value for name, value in given.items() if name != first}}
    spans = [f"{name}={_written(value)}" for name, value in given.items()]
    for parameters in ranges.combinations(spans):
        task = Task(
            model=model,
            text=text,
            parameters=parameters,
            only=str(row.get("only", "")),
            options=tuple(row.get("options", ())),
            seconds=float(row.get("limit", suite.get("limit", 60))),
            memory=str(row.get("memory", suite.get("memory", ""))),
        )
        size = parameters[0][1] if parameters else ""
        published = tuple((source, str(by[size])) for source, by in row.get("published", {}).items() if size in by)
        table, expected = str(row.get("table", row["model"])), tuple(row.get("expected", ()))
        compared = bool(row.get("variants", not task.options))
        yield Case(task, table, expected, published, figures.get(size), compared)


def _written(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
