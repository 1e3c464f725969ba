"""Formulae that can be checked, one by one."""

from __future__ import annotations

from epistrat.ide.values import Lens
from epistrat.lang.analysis import Analysis


def lenses(analysis: Analysis) -> list[Lens]:
    """The formulae of a model, numbered as a check numbers them; none while there are errors."""
    if analysis.system is None:
        return []
    found: list[Lens] = []
    for number, marked in enumerate(analysis.program.formulae, start=1):
        span = analysis.origins.span("formula", number - 1)
        if span is not None:
            name = "" if marked.name is None else analysis.words.list[marked.name]
            found.append(Lens(span, number, " ".join(analysis.source.cut(span).split()), name))
    return found
