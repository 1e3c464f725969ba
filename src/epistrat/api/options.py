"""The keywords of `epistrat.System.check` and `report`, so that type checkers and editors know them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from epistrat.answers import Strategies
from epistrat.service.events import Send
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
    explain: bool
    full: bool
    agents: Iterable[str]
    depth: int
    examples: int
    strategy_states: int
    replay: bool
    prove: bool
    proof: str | None
    drat: bool
    require_proof: bool
    remarks: bool
    strict: bool
    expect: bool
    deadlock: bool
    overflow: bool
    recall: int | str
    strategy_memory: int
    watching: str
    knowledge: str
    only: int | str | Iterable[int | str] | None
    time: float | None
    memory: int | str | None
    nodes: int | None
    states: int | None
    cores: int | None
    budget: Budget | None
    watch: Send


_NO_SETTINGS = ("budget", "watch")
_MEANT = {"progress": "watch", "callback": "watch"}


def settings_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords that are settings of a request; raises TypeError where another name for one that is none was meant."""
    for name in options:
        if name in _MEANT:
            raise TypeError(f"there is no option {name!r}; did you mean {_MEANT[name]!r}?")
    return {name: value for name, value in options.items() if name not in _NO_SETTINGS}
