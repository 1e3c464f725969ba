"""The list of engines: name to lazy loader.  An engine's libraries are imported when it is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from epistrat.engines.contract import Engine

NAMES = ("symbolic", "explicit", "reference")
"""Every engine, by the name the user gives; each is the package of that name beside this module."""


class _Package(Protocol):
    def engine(self) -> Engine: ...


class NoSuchEngine(LookupError):
    """The user named an engine that does not exist here; the message says which do."""


def load(name: str) -> Engine:
    """The engine of that name."""
    engine = find(name)
    if engine is None:
        raise NoSuchEngine(f"there is no engine {name!r}; there are {', '.join(available())}")
    return engine


def find(name: str) -> Engine | None:
    """The engine of that name, or None where it is unknown or its package holds none."""
    if name not in NAMES:
        return None
    package = import_module(f"epistrat.engines.{name}")
    if not hasattr(package, "engine"):
        return None
    return cast(_Package, package).engine()


def available() -> tuple[str, ...]:
    """The names of the engines that can be loaded."""
    return tuple(name for name in NAMES if find(name) is not None)
