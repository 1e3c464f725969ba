"""The list of engines: name to lazy loader.  An engine's libraries are imported when it is first asked for."""

from __future__ import annotations

from importlib import import_module

from epistrat.engines.contract import Engine

_CLASSES = {
    "symbolic": "SymbolicEngine",
    "explicit": "ExplicitEngine",
    "reference": "ReferenceEngine",
}
"""Every engine, by the name the user gives: the class of that name in the module ``engine`` of the package beside this one."""

NAMES = tuple(_CLASSES)


class NoSuchEngine(LookupError):
    """The user named an engine that does not exist; the message says which do."""


def load(name: str) -> Engine:
    """The engine of that name."""
    if name not in _CLASSES:
        raise NoSuchEngine(f"there is no engine {name!r}; there are {', '.join(NAMES)}")
    module = import_module(f"epistrat.engines.{name}.engine")
    engine: Engine = getattr(module, _CLASSES[name])()
    return engine
