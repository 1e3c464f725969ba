"""Models by name."""

from __future__ import annotations

from pathlib import Path


class NoModel(ValueError):
    """There is no model of that name; the message says why."""


def find(name: str) -> tuple[str, str]:
    """The model's name and its text."""
    try:
        return name, Path(name).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise NoModel(f"{name}: {error.strerror}") from None
