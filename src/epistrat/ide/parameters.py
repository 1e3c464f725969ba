"""Names that are replaced before a model is read: parameters, constants, and definitions inside agents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from epistrat.ide.written import own_text, written_uses
from epistrat.lang.analysis import Analysis
from epistrat.lang.lexer import Words
from epistrat.source import Span

_SECTIONS = ("Parameters", "Constants", "Definitions")


class Replaced(NamedTuple):
    """A parameter, constant or definition.

    The line that says what it stands for, where its name stands in it, the value of a parameter or constant where there is a model, and
    the indices of the written words among which it is known (a definition: those of its agent).
    """

    name: str
    line: str
    span: Span
    value: int | None
    scope: range


def parameters(analysis: Analysis) -> list[Replaced]:
    """All parameters, constants and definitions, in the order of the text."""
    words = analysis.words.written
    if words.distinct.isdisjoint(_SECTIONS):
        return []
    constants = {} if analysis.system is None else analysis.system.constants
    found: list[Replaced] = []
    for start, end, scope in _lines(words):
        line = " ".join(analysis.source.cut(words.span(start, end)).split())
        name = words.list[start]
        found.append(Replaced(name, line, words.span(start, start + 1), constants.get(name), scope))
    return found


def _lines(words: Words) -> Iterator[tuple[int, int, range]]:
    """The lines of all such sections: where each begins and ends, and among which words it counts."""
    agent = 0
    for at, word in enumerate(words.list):
        if word == "Agent" and words.list[at - 1] != "end":
            agent = at
        if word not in _SECTIONS or words.list[at - 1] == "end":
            continue
        scope = range(agent, _end(words.list, agent)) if word == "Definitions" else range(words.count)
        start = at + 1 + (words.list[at + 1] == ":")
        while words.list[start] not in ("end", ""):
            end = start
            while words.list[end] not in (";", "end", ""):
                end += 1
            yield start, end, scope
            start = end + (words.list[end] == ";")


def _end(words: list[str], agent: int) -> int:
    """Where an agent ends, or the next one begins."""
    at = agent + 1
    while words[at] not in ("Agent", ""):
        at += 1
    return at


def parameter_at(analysis: Analysis, offset: int) -> Replaced | None:
    """The parameter, constant or definition that is named at an offset."""
    words = analysis.words.written
    at = words.at(offset)
    for place in (at, at + 1):
        span = words.span(place, place + 1)
        if not span.start <= offset <= span.end or place in written_uses(analysis):
            continue
        for one in parameters(analysis):
            if one.name == words.list[place] and place in one.scope:
                return one
    return None


def named(analysis: Analysis, parameter: Replaced) -> list[Span]:
    """Every place of the text itself that names a parameter, constant or definition."""
    words, uses, end = analysis.words.written, written_uses(analysis), len(own_text(analysis))
    places = [at for at in parameter.scope if words.list[at] == parameter.name and at not in uses]
    return [span for at in places if (span := words.span(at, at + 1)).end <= end]
