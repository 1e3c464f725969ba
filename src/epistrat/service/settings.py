"""The settings that faces offer: the names of the engines and the options of each, read from the engines themselves."""

from epistrat.engines.contract import STRATEGY_STATES
from epistrat.engines.registry import NAMES as ENGINES, options as engine_options, read_options
from epistrat.engines.tuning import BadOption, Tuning

__all__ = ["ENGINES", "STRATEGY_STATES", "BadOption", "Tuning", "engine_options", "read_options"]
