"""Formulae that can be checked, one by one."""

from __future__ import annotations

from epistrat.ide.values import Lens
from epistrat.ide.written import own_text
from epistrat.lang.analysis import Analysis
from epistrat.source import MemberSpan, Span


def lenses(analysis: Analysis) -> list[Lens]:
    """The formulae that are written in a text, numbered as a check numbers them; none while there are errors."""
    if analysis.system is None:
        return []
    found: list[Lens] = []
    for number, marked in enumerate(analysis.program.formulae, start=1):
        span = analysis.words.span(marked.start, marked.end)
        if span.end > len(own_text(analysis)):
            continue  # in a file that is included
        name = "" if marked.name is None else analysis.words.list[marked.name]
        member = span.note if isinstance(span, MemberSpan) else ""
        text = " ".join(" ".join([analysis.source.cut(span), member]).split())
        found.append(Lens(Span(*span), number, text, name))
    return found
