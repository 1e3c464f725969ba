"""One conjunction of factors in a transition relation."""

from __future__ import annotations

from epistrat.encoding.part import Part
from epistrat.records import dataclass


@dataclass(frozen=True, slots=True)
class Branch:
    """Factors, and the (current, next) bits they move.

    ``when`` is the condition on private bits that was replaced by its value in the factors, if any.
    """

    parts: tuple[Part, ...]
    pairs: tuple[tuple[int, int], ...]
    when: Part | None = None
    name: str | None = None
