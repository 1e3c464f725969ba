"""What operators are told beside their operands: whom they are about, and how they are read."""

from __future__ import annotations

from enum import Enum

from epistrat.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Group:
    """A set of agents, in the order in which it was written.  The name, if it has one, is only for showing."""

    members: tuple[str, ...]
    name: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return self.name if self.name is not None else "{" + ", ".join(self.members) + "}"


class Reading(Enum):
    """What agents compare when they ask what is possible: which histories look the same to them; the value is the word for it."""

    OBSERVATION = "observation"
    CLOCK = "clock"
    RECALL = "recall"
    CHANGES = "changes"


class Tag(Enum):
    """What strategies with names see and remember; the value is the word in front of the formula."""

    PERFECT = "#PR"
    STATES = "#Ir"
    VIEWS = "#ir"
