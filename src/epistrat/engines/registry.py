"""The list of engines, the only one.  An engine's libraries are imported when it is first asked for.

An engine called ``x`` is a package ``x`` beside this module.  Its module ``engine`` holds the class ``XEngine`` (see
`epistrat.engines.contract.Engine`); its module ``tuning``, if it has options, the class ``XTuning`` (see `epistrat.engines.tuning`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from epistrat.engines.contract import Engine
    from epistrat.engines.tuning import Tuning

NAMES = ("symbolic", "explicit", "abstraction", "lazy", "reference")
"""Every engine, by the name the user gives."""
_TUNED = ("symbolic", "explicit", "abstraction", "lazy")
"""Those that have options."""


class NoSuchEngine(LookupError):
    """The user named an engine that does not exist; the message says which do."""


def load(name: str) -> Engine:
    """The engine of that name."""
    if name not in NAMES:
        raise NoSuchEngine(f"there is no engine {name!r}; there are {', '.join(NAMES)}")
    engine: Engine = getattr(import_module(f"epistrat.engines.{name}.engine"), f"{name.capitalize()}Engine")()
    return engine


def _tunings() -> dict[str, type[Tuning]]:
    """The option classes of all engines that have options."""
    modules = {name: import_module(f"epistrat.engines.{name}.tuning") for name in _TUNED}
    return {name: getattr(module, f"{name.capitalize()}Tuning") for name, module in modules.items()}


def options() -> dict[str, tuple[str, Field[Any]]]:
    """The options of single engines by name, each with its engines in words and its field.  Engines may share an option."""
    found: dict[str, tuple[str, Field[Any]]] = {}
    for engine, tuning in _tunings().items():
        for one in fields(tuning):
            owners = f"{found[one.name][0]}, {engine}" if one.name in found else engine
            found[one.name] = owners, one
    return found


def read_options(given: Mapping[str, Any]) -> tuple[Tuning, ...]:
    """The options given by name, as values for `Options.tuning`; None stands for "not given".

    Raises TypeError for names that do not exist and `BadOption` for such values, whichever engine is going to be taken.
    """
    known = {name: value for name, value in given.items() if value is not None}
    if not known:
        return ()
    unknown = known.keys() - options().keys()
    if unknown:
        raise TypeError(f"there is no option {min(unknown)!r}; the options of engines are {', '.join(options())}")
    return tuple(
        tuning(**{one.name: known[one.name] for one in fields(tuning) if one.name in known})
        for tuning in _tunings().values()
    )
