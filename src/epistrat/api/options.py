"""The keywords of `epistrat.System.check` and `report`, so that type checkers and editors know them, and what they ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from epistrat.answers import Strategies
from epistrat.lang.names import closest
from epistrat.service.events import Send
from epistrat.service.settings import engine_settings
from epistrat.solvers.budget import Budget


class EngineOptions(TypedDict, total=False):
    """Options of single engines; docs/cli.md says what they do."""

    order: str
    reorder: bool
    reach: str
    bdd: str | None
    reduce: str
    first_look: int
    exact_range: int
    no_ranks: bool
    no_invariants: bool
    without: str
    eager: bool
    parameters: bool
    cross_check: bool
    solver: str


class CheckOptions(EngineOptions, total=False):
    """What `report` takes, apart from formulae and ``facts``."""

    engine: str
    strategies: str | Strategies | None
    group: str | Iterable[str] | None
    choices: str
    blocking: str
    scheduling: str
    evidence: bool
    examples: int
    strategy_states: int
    replay: bool
    deadlock: bool
    overflow: bool
    recall: int
    only: Iterable[int | str] | None
    time: float | None
    memory: int | None
    nodes: int | None
    states: int | None
    cores: int | None
    budget: Budget | None
    watch: Send


_SHARED = CheckOptions.__annotations__.keys() - EngineOptions.__annotations__.keys()
_AS_THEY_ARE = ("evidence", "examples", "strategy_states", "replay", "deadlock", "overflow", "recall")


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
    "formulae": "only",
    "counterexample": "evidence",
    "witness": "evidence",
    "explain": "evidence",
    "backend": "engine",
    "solver_name": "solver",
    "progress": "watch",
    "callback": "watch",
    "memory_of_agents": "recall",
}
"""What others call these options."""


def _known(given: Mapping[str, Any]) -> None:
    """Raise TypeError for a keyword that does not exist, with what is probably meant."""
    for name in given:
        if name in _SHARED or name in EngineOptions.__annotations__:
            continue
        meant = _MEANT.get(name) or closest(name, CheckOptions.__annotations__)
        if meant is not None:
            raise TypeError(f"there is no option {name!r}; did you mean {meant!r}?")
        shared, engines = ", ".join(sorted(_SHARED)), ", ".join(EngineOptions.__annotations__)
        raise TypeError(f"there is no option {name!r}; there are {shared}, and those of engines: {engines}")


def check_settings(options: CheckOptions) -> dict[str, Any]:
    """The settings of a `CheckRequest` that keywords stand for; evidence is given unless it is refused."""
    given: Mapping[str, Any] = options
    found = {"evidence": True} | {name: given[name] for name in _AS_THEY_ARE if name in given}
    only = given.get("only")
    _known(given)
    tuning = {name: value for name, value in given.items() if name not in _SHARED}
    return {**found, "only": None if only is None else tuple(only), **engine_settings(given, tuning)}
