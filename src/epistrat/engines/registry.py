"""The list of engines, the only one.  An engine's libraries are imported when it is first asked for.

An engine called ``x`` is a package ``x`` beside this module.  Its module ``engine`` holds the class ``XEngine`` (see
`epistrat.engines.contract.Engine`); its module ``tuning``, if it has options, the class ``XTuning`` (see `epistrat.engines.tuning`).
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import Field, fields
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from epistrat.engines.tuning import BadOption, parts

if TYPE_CHECKING:
    from epistrat.engines.contract import Engine
    from epistrat.engines.tuning import Tuning

NAMES = ("symbolic", "explicit", "abstraction", "lazy", "reference")
"""Every engine, by the name the user gives."""


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
    places = {name: f"epistrat.engines.{name}.tuning" for name in NAMES}
    modules = {name: import_module(place) for name, place in places.items() if find_spec(place) is not None}
    return {name: getattr(module, f"{name.capitalize()}Tuning") for name, module in modules.items()}


def options() -> dict[str, tuple[str, Field[Any]]]:
    """The options of single engines by name, each with its engines in words and its field.  Engines may share an option."""
    found: dict[str, tuple[str, Field[Any]]] = {}
    for engine, tuning in _tunings().items():
        for one in fields(tuning):
            owners, known = found.get(one.name, ("", None))
            found[one.name] = (engine, one) if known is None else (f"{owners}, {engine}", _shared(known, one))
    return found


def _shared(one: Field[Any], other: Field[Any]) -> Field[Any]:
    """An option that two engines have, with the words of both where they list different things."""
    merged = copy(one)
    head, _, more = other.metadata["words"].partition(": ")
    if more and one.metadata["words"] != other.metadata["words"]:
        assert one.metadata["words"].startswith(head), "options of one name set one thing"
        merged.metadata = MappingProxyType({**one.metadata, "words": f"{one.metadata['words']}, {more}"})
    return merged


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
    if "without" in known:
        there = options()["without"][1].metadata["words"].partition(": ")[2].split(", ")
        for name in parts(known["without"]):
            if name not in there:
                raise BadOption(f"there is no optimisation {name!r}; there are {', '.join(there)}")
    return tuple(
        tuning(**{one.name: known[one.name] for one in fields(tuning) if one.name in known})
        for tuning in _tunings().values()
    )
