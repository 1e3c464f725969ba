"""The settings that faces offer: the names of the engines and the options of each, read from the engines themselves."""

from collections.abc import Mapping
from typing import Any

from epistrat.answers import Strategies
from epistrat.engines.contract import STRATEGY_STATES
from epistrat.engines.registry import NAMES as ENGINES, options as engine_options, read_options
from epistrat.engines.tuning import BadOption, Tuning
from epistrat.jobs.limits import Limits
from epistrat.model.system import Blocking, Scheduling
from epistrat.model.transform.choices import Choosing, PlayRules

__all__ = ["ENGINES", "STRATEGY_STATES", "BadOption", "Tuning", "engine_options", "engine_settings", "read_options"]


def engine_settings(given: Mapping[str, Any], tuning: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of an `EngineRequest` that words stand for: options of a command line, keywords in Python.

    ``tuning`` are the options of single engines.  What is not given is as usual.
    """
    strategies, group = given.get("strategies"), given.get("group")
    return {
        "engine": given.get("engine", "auto"),
        "strategies": None if strategies is None else Strategies(strategies),
        "play": PlayRules(
            Choosing(given.get("choices", "written")),
            Blocking(given.get("blocking", "wait")),
            Scheduling(given.get("scheduling", "any")),
        ),
        "group": group if group is None or isinstance(group, str) else tuple(group),
        "tuning": read_options(tuning),
        "limits": Limits(*[given.get(name) for name in ("time", "memory", "nodes", "states", "cores")]),
    }
