"""From what a face was given to a request: one function for every face."""

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
    EquilibriumRequest,
    EveryRequest,
    ExchangeRequest,
    ExportRequest,
    ImplementRequest,
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
    EveryRequest: (settings.STRICT, *_OF_ENGINES, *settings.LIMITS, *settings.CHECK, *settings.EVERY),
    StrategyRequest: (settings.STRICT, *_OF_ENGINES, *settings.LIMITS, *settings.STRATEGY),
    EquilibriumRequest: (settings.STRICT, *_OF_ENGINES, *settings.LIMITS, *settings.EQUILIBRIUM),
    InfoRequest: (settings.STRICT, *_OF_ENGINES, *settings.LIMITS, *settings.INFO),
    ImplementRequest: (settings.STRICT, *settings.LIMITS, *settings.IMPLEMENT),
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


def _read(row: Row, value: Any) -> Any:
    if value is None:
        return row.default
    try:
        return row.read(value)
    except ValueError as wrong:
        raise Misuse(f"{{}}: {str(wrong).replace('{', '{{').replace('}', '}}')}", Setting(row.name)) from None


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
    "memory_states": "strategy_memory",
}
"""What others call these settings."""
