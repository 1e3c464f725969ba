"""Equilibria as text and as JSON: whether there is one, its run, who may leave it and what happens then; a game of two as a table."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase
from textwrap import wrap
from typing import Any

from epistrat.answers import Result, Verdict
from epistrat.render.json.report import result_json
from epistrat.render.text import show_unknown
from epistrat.render.tree import show_evidence
from epistrat.render.wording import Style
from epistrat.service.equilibrium import Asked, Equilibria
from epistrat.service.matrix import Matrix

SCHEMA = "epistrat-equilibrium/1"
_WORDS = {Verdict.HOLDS: "Yes", Verdict.FAILS: "No", Verdict.UNKNOWN: "Unknown"}


def show_equilibria(found: Equilibria, style: Style) -> Iterator[str]:
    """The answers, and the table."""
    for place, asked in enumerate(found.answers):
        if place:
            yield ""
        yield from _asked(found, asked, style)
    if found.table is not None:
        yield ""
        yield from _table(found.table)


def _asked(found: Equilibria, asked: Asked, style: Style) -> Iterator[str]:
    what = f"{asked.what[0].upper()}{asked.what[1:]}"
    if not asked.differ:
        yield f"{what}: {_WORDS[asked.remembering.verdict].lower()}, with memory and without."
        yield from _why(found, asked.remembering, style)
        return
    for result, memory in ((asked.remembering, "with memory"), (asked.without, "without memory")):
        yield f"{what}, {memory}: {_WORDS[result.verdict].lower()}."
        yield from _why(found, result, style)


def _why(found: Equilibria, result: Result, style: Style) -> Iterator[str]:
    if result.verdict is Verdict.UNKNOWN:
        yield from (f"  {line}" for line in wrap(show_unknown(result, style), style.width - 2))
        return
    yield from (f"  {line}".rstrip() for line in show_evidence(found.system, result, style))


def _table(table: Matrix) -> Iterator[str]:
    """Rows and columns are numbered; what they stand for follows."""
    rows, columns = table.players
    yield f"Strategies without memory: {rows} chooses a row, {columns} a column. Who gets its goal; * nobody gains by another one."
    names = [ascii_lowercase[number] for number in range(len(table.plans[1]))]
    cells = [[f"{'*' if one.balanced else ''}{' '.join(one.gets) or '-'}" for one in row] for row in table.cells]
    labels = [str(number) for number in range(1, len(table.plans[0]) + 1)]
    width = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
    margin = max(map(len, labels))
    yield " " * margin + "  " + "  ".join(f"{one:<{w}}" for one, w in zip(names, width, strict=True)).rstrip()
    for label, row in zip(labels, cells, strict=True):
        yield f"{label:<{margin}}  " + "  ".join(f"{one:<{w}}" for one, w in zip(row, width, strict=True)).rstrip()
    for player, some, plans in zip(table.players, (labels, names), table.plans, strict=True):
        for label, plan in zip(some, plans, strict=True):
            yield f"{label}  {player}: {plan}"


def equilibria_json(found: Equilibria, model: str) -> dict[str, Any]:
    """The answers as plain data; a result is written as by ``check --json``."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "model": model,
        "goals": {name: _goal(goal) for name, goal in found.system.goals},
        "answers": [
            {
                "question": asked.what,
                "memory": result_json(found.system, asked.remembering),
                "no_memory": result_json(found.system, asked.without),
            }
            for asked in found.answers
        ],
    }
    if found.table is not None:
        data["table"] = {
            "players": list(found.table.players),
            "strategies": [list(plans) for plans in found.table.plans],
            "cells": [
                [{"gets": list(one.gets), "equilibrium": one.balanced} for one in row] for row in found.table.cells
            ],
        }
    return data


def _goal(goal: Any) -> str:
    from epistrat.logic.show import show

    return show(goal)
