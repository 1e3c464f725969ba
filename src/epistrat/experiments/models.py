"""Models by name: a scenario that comes with epistrat, or a file."""

from __future__ import annotations

from pathlib import Path

from epistrat import scenarios


class NoModel(ValueError):
    """There is no model of that name; the message says why."""


def find(name: str) -> tuple[str, str]:
    """The model's file and its text."""
    if name in scenarios.names():
        return scenarios.file(name), scenarios.text(name)
    try:
        return name, Path(name).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise NoModel(f"{name}: {error.strerror}; it is no scenario either") from None
