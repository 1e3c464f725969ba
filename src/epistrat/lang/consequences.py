"""Mistakes that only follow from others.

A line that could not be read is not part of the model, so what it declares is unknown and what it begins is not there.  Of the
messages about the rest of the text those are told that have nothing to do with such lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from epistrat.lang.lexer import WORD, Words
from epistrat.lang.vocabulary import AGENT_SECTIONS, MODEL_SECTIONS
from epistrat.source import Diagnostic, SourceText, Span

_BOUNDARIES = frozenset(
    AGENT_SECTIONS + MODEL_SECTIONS + ("Agent", "end", "Definitions", "Parameters", "Constants", "")
)
# Lines with one of these hold others together: without them most of what follows is misread.
_OPENERS = frozenset({"Agent", "for", "where", "Parameters", "Constants", "Definitions", "include"})
# Messages that a name has no meaning, and that a section or its content is missing.
_UNKNOWN = frozenset({"E012", "E013", "E014", "E015", "E016", "E017", "E019", "E021"})
_MISSING = frozenset({"E008", "E010"})
# Mistakes that are not about one line.
_EVERYWHERE = frozenset({"E003", "E004", "E005", "E008", "E061", "E063", "E064"})


def independent(first: Sequence[Diagnostic], later: Iterable[Diagnostic], words: Words) -> list[Diagnostic]:
    """The later errors that do not follow from the first ones.  ``words`` are those of the written text."""
    spoilt: list[Span] = []
    names: set[str] = set()
    for message in first:
        if not message.is_error:
            continue
        if message.span is None or message.source is not words.source:
            return []
        start, end = _line(words, message.span.start)
        if message.code in _EVERYWHERE or _holds_others_together(words, start, end):
            return []
        spoilt.append(words.span(start, end))
        names.update(word for word in words.list[start:end] if word[:1].isalpha())
    return [message for message in later if message.is_error and not _follows(message, spoilt, names, words.source)]


def _line(words: Words, offset: int) -> tuple[int, int]:
    """The words of the line around an offset: behind the last semicolon or heading, up to and with the next semicolon."""
    start = end = min(words.at(offset), words.count)
    while start and words.list[start - 1] != ";" and words.list[start - 1] not in _BOUNDARIES:
        start -= 1
    while end < words.count and words.list[end] not in _BOUNDARIES and words.list[end] != ";":
        end += 1
    return start, min(end + 1, words.count)


def _holds_others_together(words: Words, start: int, end: int) -> bool:
    """Whether other lines cannot be understood without this one."""
    line = words.list[start:end]
    if not _OPENERS.isdisjoint(line) or line.count("{") != line.count("}"):
        return True
    while start and words.list[start - 1] not in _BOUNDARIES:
        start -= 1
    return words.list[start - 1] in _OPENERS if start else True


def _follows(message: Diagnostic, spoilt: list[Span], names: set[str], source: SourceText) -> bool:
    span = message.span
    if message.code in _MISSING or span is None or message.source is not source:
        return True
    if any(line.start <= span.start <= line.end for line in spoilt):
        return True
    return message.code in _UNKNOWN and not names.isdisjoint(WORD.findall(source.cut(span)))
