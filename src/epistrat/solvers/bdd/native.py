"""OxiDD's native module, without the Python package around it.

The package asks for its own version when it is imported, and that loads a hundred modules of the standard library (for e-mail, archives,
sockets): 30 ms of a small check.  The classes are the same as those of the package, whichever is loaded first.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from types import ModuleType
from typing import TYPE_CHECKING


def _load(package: str, name: str) -> ModuleType:
    """A module of a package that is not loaded itself; where it cannot be found, loading the package says why."""
    around = None if package in sys.modules else PathFinder.find_spec(package)
    full = f"{package}.{name}"
    found = PathFinder.find_spec(full, around.submodule_search_locations) if around is not None else None
    if found is None or found.loader is None:
        return import_module(full)
    module = sys.modules[full] = module_from_spec(found)
    found.loader.exec_module(module)
    return module


if TYPE_CHECKING:
    from oxidd import _oxidd
else:
    _oxidd = _load("oxidd", "_oxidd")

oxidd = _oxidd
