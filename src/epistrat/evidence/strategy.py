"""Strategies of a group: what its members do, depending on what they see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from epistrat.logic.formula import Group
from epistrat.model.state import View

Moves: TypeAlias = tuple[tuple[View, str], ...]


@dataclass(frozen=True, slots=True)
class UniformStrategy:
    """For each member, an action for each local state; local states that no outcome visits may be missing."""

    group: Group
    moves: tuple[tuple[str, Moves], ...]


@dataclass(frozen=True, slots=True)
class StateStrategy:
    """For each global state, one action per member, in the order of the group's members."""

    group: Group
    moves: tuple[tuple[tuple[object, ...], tuple[str | None, ...]], ...]


Strategy: TypeAlias = UniformStrategy | StateStrategy
