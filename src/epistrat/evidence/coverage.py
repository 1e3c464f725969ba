"""Are these all uniform strategies?  Every way to fix actions must agree with one of them, wherever that one says something."""

from __future__ import annotations

from epistrat.evidence.strategy import UniformStrategy
from epistrat.model.state import Act, State, View
from epistrat.model.step import Stepper
from epistrat.terms import FiniteDomain

Situation = tuple[str, View]
Table = dict[Situation, Act]


class TooMany(Exception):
    """There are too many ways to go through them."""


class Coverage:
    """Goes through all ways to fix actions, decision by decision, up to ``limit`` of them."""

    def __init__(self, stepper: Stepper, limit: int) -> None:
        self._stepper = stepper
        self._left = limit

    def complete(self, strategies: list[UniformStrategy]) -> bool:
        """Whether every way to fix actions extends one of the strategies; raises `TooMany`."""
        tables = [{(name, seen): act for name, rows in one.moves for seen, act in rows} for one in strategies]
        return self._complete(tables, {})

    def _complete(self, tables: list[Table], decided: Table) -> bool:
        self._left -= 1
        if self._left < 0:
            raise TooMany
        situation = next((one for one in tables[0] if one not in decided), None)
        if situation is None:
            return True
        allowed = self._allowed(situation)
        if not allowed:  # nobody is ever to decide anything there, so no strategy differs by it
            return self._complete([_without(table, situation) for table in tables], decided)
        for action in allowed:
            rest = [table for table in tables if table.get(situation, action) == action]
            if not rest or not self._complete(rest, {**decided, situation: action}):
                return False
        return True

    def _allowed(self, situation: Situation) -> tuple[Act, ...]:
        """What the agent may do where it sees this; its protocol reads nothing else."""
        name, seen = situation
        system = self._stepper.system
        values = dict(zip(system.views[name], seen, strict=True))
        state: State = tuple(
            values[place] if place in values else _some(variable.domain)
            for place, variable in enumerate(system.variables)
        )
        return self._stepper.choices(system.agent[name], state)


def _without(table: Table, situation: Situation) -> Table:
    return {one: act for one, act in table.items() if one != situation}


def _some(domain: object) -> bool | int | str:
    found = next(iter(domain)) if isinstance(domain, FiniteDomain) else 0
    assert isinstance(found, (bool, int, str))
    return found
