"""Parameters and constants of a text with families: where each is set, and where it is named."""

from __future__ import annotations

from typing import NamedTuple

from epistrat.ide.written import own_text, written_uses
from epistrat.lang.analysis import Analysis
from epistrat.source import Span


class Parameter(NamedTuple):
    """A parameter or constant: its name, the line that sets it, and its value, where there is a model."""

    name: str
    line: str
    span: Span
    value: int | None


def parameters(analysis: Analysis) -> dict[str, Parameter]:
    """All parameters and constants, by name."""
    words = analysis.words.written
    found: dict[str, Parameter] = {}
    constants = {} if analysis.system is None else analysis.system.constants
    for section in ("Parameters", "Constants"):
        if section not in words.distinct:
            continue
        at = words.list.index(section) + 1
        at += words.list[at] == ":"
        while at < words.count and words.list[at] != "end":
            end = at
            while end < words.count and words.list[end] not in (";", "end"):
                end += 1
            name = words.list[at]
            if words.list[at + 1] == "=":
                line = " ".join(analysis.source.cut(words.span(at, end)).split())
                found.setdefault(name, Parameter(name, line, words.span(at, at + 1), constants.get(name)))
            at = end + 1
    return found


def parameter_at(analysis: Analysis, offset: int) -> Parameter | None:
    """The parameter or constant that is named at an offset."""
    words = analysis.words.written
    at = words.at(offset)
    known = parameters(analysis)
    for place in (at, at + 1):
        span = words.span(place, place + 1)
        if span.start <= offset <= span.end and words.list[place] in known:
            return None if place in written_uses(analysis) else known[words.list[place]]
    return None


def named(analysis: Analysis, parameter: Parameter) -> list[Span]:
    """Every place of the text itself that names a parameter."""
    words, uses, end = analysis.words.written, written_uses(analysis), len(own_text(analysis))
    places = [at for at, word in enumerate(words.list) if word == parameter.name and at not in uses]
    return [span for at in places if (span := words.span(at, at + 1)).end <= end]
