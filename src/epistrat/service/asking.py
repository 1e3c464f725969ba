"""From what a face was given to a request, and back: one function each way, for every face."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from epistrat.answers import Focus, Misuse, Setting
from epistrat.jobs.limits import Limits
from epistrat.lang.names import closest
from epistrat.model.transform.choices import PlayRules
from epistrat.records import fields
from epistrat.service import settings
from epistrat.service.requests import (
    CheckRequest,
    EngineRequest,
    ExchangeRequest,
    ExportRequest,
    InfoRequest,
    Model,
    Request,
    StrategyRequest,
)
from epistrat.service.settings import Row, engine_options, read_options

R = TypeVar("R", bound=Request)
_OF_ENGINES = (settings.ENGINE, *settings.READINGS, settings.GROUP)
_ROWS: dict[type[Request], tuple[Row, ...]] = {
    CheckRequest: (settings.STRICT, *_OF_ENGINES, *settings.LIMITS, *settings.CHECK),
    StrategyRequest: (settings.STRICT, *_OF_ENGINES, *settings.LIMITS, *settings.STRATEGY),
    InfoRequest: (settings.STRICT, *_OF_ENGINES, *settings.LIMITS, *settings.INFO),
    ExchangeRequest: (settings.STRICT, *settings.LIMITS, *settings.EXCHANGE),
    ExportRequest: (settings.STRICT, *settings.LIMITS, *settings.EXPORT),
}
_PLAY = ("choices", "blocking", "scheduling")
_LIMITS = tuple(row.name for row in settings.LIMITS)


def rows(kind: type[Request]) -> dict[str, Row]:
    """The settings of a kind of request, by name, without those of single engines."""
    return {row.name: row for row in _ROWS[kind]}


def known(kind: type[Request]) -> list[str]:
    """The names of all settings of a kind of request."""
    return [*rows(kind), *(engine_options() if issubclass(kind, EngineRequest) else ())]


def request(kind: type[R], model: Model, given: Mapping[str, Any], face: str = "command", **more: Any) -> R:
    """The request of this kind that a mapping from names of settings to values stands for.

    None stands for "not given"; what is not given is as usual for the face.  ``more`` are fields that are no settings.  Raises `Misuse`
    for a value that a setting cannot have, and TypeError for a name that no setting has.
    """
    table = rows(kind)
    told = {name: value for name, value in given.items() if value is not None}
    _refuse_unknown(kind, told)
    usual = settings.FACES.get(face, {})
    said = {name: _read(row, told.get(name, usual.get(name))) for name, row in table.items()}
    own = {one.name for one in fields(kind)}
    composed: dict[str, Any] = {name: value for name, value in said.items() if name in own and name not in _LIMITS}
    composed["limits"] = Limits(*[said[name] for name in _LIMITS])
    if "play" in own:
        composed["play"] = PlayRules(*[said[name] for name in _PLAY])
        composed["tuning"] = read_options({name: value for name, value in told.items() if name not in table})
    if "focus" in own:
        explained = said["evidence"] if said["explain"] is None else said["explain"]
        composed["focus"] = Focus(said["full"], said["agents"], said["depth"]) if explained else None
    return kind(model=model, **composed, **more)


def given(asked: Request) -> dict[str, Any]:
    """The mapping that stands for a request: its settings, where they are not as usual, as plain values."""
    found: dict[str, Any] = {name: getattr(asked, name, None) for name in rows(type(asked))}
    found |= dict(zip(_LIMITS, (getattr(asked.limits, one.name) for one in fields(Limits)), strict=True))
    if isinstance(asked, EngineRequest):
        found |= {name: getattr(asked.play, field.name) for name, field in zip(_PLAY, fields(PlayRules), strict=True)}
        for tuning in asked.tuning:
            found |= {one.name: value for one in fields(tuning) if (value := getattr(tuning, one.name)) != one.default}
    if isinstance(asked, CheckRequest):
        focus = asked.focus or Focus()
        explained = None if (asked.focus is not None) == asked.evidence else asked.focus is not None
        found |= {"full": focus.full, "agents": focus.agents, "depth": focus.depth, "explain": explained}
    table = rows(type(asked))
    usual = {name: row.default for name, row in table.items()}
    return {name: _plain(value) for name, value in found.items() if name not in usual or value != usual[name]}


def _read(row: Row, value: Any) -> Any:
    if value is None:
        return row.default
    try:
        return row.read(value)
    except ValueError as wrong:
        raise Misuse(f"{{}}: {str(wrong).replace('{', '{{').replace('}', '}}')}", Setting(row.name)) from None


def _plain(value: Any) -> Any:
    from enum import Enum

    from epistrat.logic.formula import Formula
    from epistrat.logic.show import show

    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Formula):
        return show(value)
    return value.value if isinstance(value, Enum) else value


def _refuse_unknown(kind: type[Request], told: Mapping[str, Any]) -> None:
    names = known(kind)
    for name in told:
        if name not in names:
            meant = _MEANT.get(name) or closest(name, names)
            if meant in names:
                raise TypeError(f"there is no option {name!r}; did you mean {meant!r}?")
            shared, others = ", ".join(rows(kind)), ", ".join(engine_options())
            raise TypeError(f"there is no option {name!r}; there are {shared}, and those of engines: {others}")


_MEANT = {
    "timeout": "time",
    "time_limit": "time",
    "limit": "time",
    "seconds": "time",
    "max_time": "time",
    "memory_limit": "memory",
    "max_memory": "memory",
    "max_states": "states",
    "jobs": "cores",
    "threads": "cores",
    "processes": "cores",
    "strategy": "strategies",
    "reading": "strategies",
    "semantics": "strategies",
    "counterexample": "evidence",
    "witness": "evidence",
    "backend": "engine",
    "solver_name": "solver",
    "memory_of_agents": "recall",
}
"""What others call these settings."""
