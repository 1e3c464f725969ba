"""What is known where a term is read: members that are looked at, and how many others there are of each kind."""

from __future__ import annotations

from typing import TypeAlias

from epistrat.every import numbers
from epistrat.every.layout import Record
from epistrat.every.spots import Fresh, Spot
from epistrat.records import dataclass, replace
from epistrat.terms.linear import Linear

Deed: TypeAlias = tuple[str, tuple[int, ...], Spot | None]
"""An action: its name, its indices over constant ranges, and the member in it."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The unnamed members of one kind and how many there are, those included that are looked at."""

    record: Record
    deed: Deed | None
    number: Linear


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known; ``looked`` are the kinds, by number, of the members that are looked at, in the order of their ranks.

    ``deeds`` are the actions of agents by their titles; None before actions are chosen.
    """

    kinds: tuple[Kind, ...]
    looked: tuple[int, ...] = ()
    deeds: dict[str, Deed] | None = None

    def look(self, kind: int) -> tuple[Situation, Fresh]:
        """With one more member of a kind."""
        return replace(self, looked=(*self.looked, kind)), Fresh(len(self.looked))

    def others(self, kind: int) -> Linear:
        """How many of a kind are not looked at."""
        return self.kinds[kind].number - numbers.whole(self.looked.count(kind))
