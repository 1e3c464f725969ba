"""The keywords of `epistrat.System.check` and `report`, so that type checkers and editors know them, and what they ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from epistrat.answers import Strategies
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


def check_settings(options: CheckOptions) -> dict[str, Any]:
    """The settings of a `CheckRequest` that keywords stand for; evidence is given unless it is refused."""
    given: Mapping[str, Any] = options
    found = {"evidence": True} | {name: given[name] for name in _AS_THEY_ARE if name in given}
    only = given.get("only")
    tuning = {name: value for name, value in given.items() if name not in _SHARED}
    return {**found, "only": None if only is None else tuple(only), **engine_settings(given, tuning)}
