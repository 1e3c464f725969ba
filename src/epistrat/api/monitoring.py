"""`Monitor`: follows a run of a program in this process, with the interface of generated monitors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from epistrat.api.system import System
from epistrat.logic.formula import Formula
from epistrat.model.explore import TooManyStates
from epistrat.running.build import MOST_STATES, build
from epistrat.running.growing import growing
from epistrat.running.properties import Wish
from epistrat.running.runtime.monitor import Monitor as RunningMonitor


def Monitor(  # noqa: N802 (it makes a monitor, and is called like those of generated files)
    model: System,
    *formulae: str | Formula,
    watches: Mapping[str, str | Formula] | None = None,
    hidden: Iterable[str] = (),
    sees: Iterable[str] = (),
    most_states: int = MOST_STATES,
    **options: Any,
) -> RunningMonitor:
    """A monitor of the model; ``options`` are those of generated monitors (``start``, ``most``, ``mode``, ``log``).

    ``formulae``: properties, by name or text; ``<g>G f`` makes a shield.  Raises `InputError` and ValueError for what makes
    no sense.  Where states are more than ``most_states``, or infinitely many, they are found while the run is followed; then `lost` and
    `settled` are not told, properties are about conditions, and there are no shields.
    """
    wish = Wish(tuple(formulae), tuple((watches or {}).items()), tuple(hidden), tuple(sees))
    try:
        return build(model, wish, most=most_states).monitor()(**options)
    except TooManyStates:
        return growing(model, wish)(**options)
