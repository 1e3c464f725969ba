"""From a word to what it names: where that is declared, used and assigned."""

from __future__ import annotations

from epistrat.ide.values import Reference
from epistrat.lang.analysis import Analysis
from epistrat.source import Span


def definition(analysis: Analysis, offset: int) -> Span | None:
    """Where the thing named at a place is declared; None if nothing is named there, or it is declared nowhere."""
    use = analysis.use_at(offset)
    return None if use is None else analysis.definition(use.symbol)


def references(analysis: Analysis, offset: int, *, declarations: bool = True) -> list[Reference]:
    """Every place that names the same thing as the word at a place, in the order of the text."""
    use = analysis.use_at(offset)
    if use is None:
        return []
    return [
        Reference(analysis.words.span(one.at, one.at + 1), one.declares, one.writes)
        for one in analysis.uses.values()
        if one.symbol == use.symbol and (declarations or not one.declares)
    ]
