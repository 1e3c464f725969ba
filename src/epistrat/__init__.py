"""A model checker for multi-agent systems: time, knowledge and strategies, with evidence.

    >>> import epistrat
    >>> model = epistrat.load("examples/dining_cryptographers.ispl")
    >>> for result in model.check():
    ...     print(result.verdict, result.text)

Names are imported when they are first used, so that the command line starts quickly.
"""

# ruff: noqa: F403, F405 (type checkers find in epistrat.api what is listed below)
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.2.0"

if TYPE_CHECKING:
    from epistrat.api import *
    from epistrat.experiments.sweep import sweep

__all__ = [
    "AgentRules",
    "Budget",
    "Builder",
    "Disagreement",
    "ExploredAnswer",
    "ExploredModel",
    "ExploredStrategy",
    "Focus",
    "FoundEquilibrium",
    "FoundStrategy",
    "InputError",
    "ModelError",
    "Monitor",
    "NamedState",
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
    "explore",
    "load",
    "sweep",
]


def __getattr__(name: str) -> object:
    if name in __all__:
        return getattr(import_module("epistrat.experiments.sweep" if name == "sweep" else "epistrat.api"), name)
    raise AttributeError(f"module 'epistrat' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
