"""A model checker for multi-agent systems: time, knowledge and strategies, with evidence.

    >>> import epistrat
    >>> model = epistrat.load("examples/dining_cryptographers.ispl")
    >>> for result in model.check():
    ...     print(result.verdict, result.text)

Names are imported when they are first used, so that the command line starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.2.0"

if TYPE_CHECKING:
    from epistrat.api import Budget as Budget
    from epistrat.api import Builder as Builder
    from epistrat.api import Disagreement as Disagreement
    from epistrat.api import Focus as Focus
    from epistrat.api import FoundStrategy as FoundStrategy
    from epistrat.api import InputError as InputError
    from epistrat.api import ModelError as ModelError
    from epistrat.api import OutOfBudget as OutOfBudget
    from epistrat.api import Report as Report
    from epistrat.api import Result as Result
    from epistrat.api import Results as Results
    from epistrat.api import Simulation as Simulation
    from epistrat.api import Strategies as Strategies
    from epistrat.api import System as System
    from epistrat.api import Verdict as Verdict
    from epistrat.api import all_of as all_of
    from epistrat.api import any_of as any_of
    from epistrat.api import load as load

__all__ = [
    "Budget",
    "Builder",
    "Disagreement",
    "Focus",
    "FoundStrategy",
    "InputError",
    "ModelError",
    "OutOfBudget",
    "Report",
    "Result",
    "Results",
    "Simulation",
    "Strategies",
    "System",
    "Verdict",
    "all_of",
    "any_of",
    "load",
]


def __getattr__(name: str) -> object:
    if name in __all__:
        return getattr(import_module("epistrat.api"), name)
    raise AttributeError(f"module 'epistrat' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
