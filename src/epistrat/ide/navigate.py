"""From a word to what it names: where that is declared, used and assigned."""

from __future__ import annotations

from epistrat.ide.parameters import named, parameter_at
from epistrat.ide.values import Reference
from epistrat.ide.written import declared, same, uses_at
from epistrat.lang.analysis import Analysis
from epistrat.source import Span


def definition(analysis: Analysis, offset: int) -> Span | None:
    """Where the thing named at a place is declared; None if nothing is named there, or it is declared nowhere."""
    uses = uses_at(analysis, offset)
    if uses:
        return declared(analysis, uses[0].symbol)
    parameter = parameter_at(analysis, offset)
    return None if parameter is None else parameter.span


def references(analysis: Analysis, offset: int, *, declarations: bool = True) -> list[Reference]:
    """Every place that names the same thing as the word at a place, or a member of the same family, in the order of the text."""
    uses = uses_at(analysis, offset)
    if uses:
        found = [Reference(span, use.declares, use.writes) for span, use in same(analysis, uses[0].symbol)]
    else:
        parameter = parameter_at(analysis, offset)
        places = [] if parameter is None else named(analysis, parameter)
        found = [Reference(span, parameter is not None and span == parameter.span, False) for span in places]
    return [one for one in found if declarations or not one.declares]
