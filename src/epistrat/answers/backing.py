"""What stands behind a verdict beside the engine that gave it."""

from __future__ import annotations

from enum import Enum

from epistrat.records import dataclass, field


class Standing(Enum):
    """How far a verdict was re-checked; the value is the word that is shown."""

    PROVED = "proved"
    CHECKED = "checked"
    ALONE = "not re-checked"
    REFUTED = "refuted"


@dataclass(frozen=True, slots=True)
class Backing:
    """How a verdict stands.

    *Proved*: so many ``obligations`` were decided on an encoding of their own.  *Checked*: its evidence was re-checked by code
    independent of the engines, and what is said of all states by visiting them.  *Not re-checked*, because of the ``reason``.
    *Refuted*: an obligation fails, which the reason names.
    """

    standing: Standing
    obligations: int = 0
    reason: str | None = None
    seconds: float = field(default=0.0, compare=False)
