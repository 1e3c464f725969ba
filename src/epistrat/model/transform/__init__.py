"""Systems made from systems: each transformation gives the new system and, where states differ, the way back."""

from __future__ import annotations

from collections.abc import Iterable


def fresh(name: str, taken: Iterable[str]) -> str:
    """The name, or one like it that is not taken."""
    used = set(taken)
    while name in used:
        name += "_"
    return name
