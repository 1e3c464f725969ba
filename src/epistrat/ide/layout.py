"""Formatting as edits of the blanks between words, so that a cursor and marks in an editor stay where they are."""

from __future__ import annotations

from epistrat.ide.written import own_text
from epistrat.lang.analysis import Analysis
from epistrat.lang.format import format_source
from epistrat.lang.lexer import COMMENT, WORD
from epistrat.source import Edit, Span

_UNREAD = frozenset({"E001", "E002", "E003", "E004", "E005", "E006", "E007", "E008"})
"""Messages that mean that lines could not be read: their layout is left alone until they can."""


def format_edits(analysis: Analysis, span: Span | None = None) -> list[Edit]:
    """What has to change, in a range or everywhere, for the text to be in canonical layout.

    Nothing changes while lines cannot be read.  The words and comments stay as they are, and so do line ends: where the text ends its
    lines with carriage return and newline, so does the result.
    """
    text = own_text(analysis)
    if any(one.code in _UNREAD for one in analysis.diagnostics):
        return []
    newline = "\r\n" if "\r\n" in text else "\n"
    edits = _edits(text, format_source(text), newline)
    return [edit for edit in edits if span is None or (span.start <= edit.span.start and edit.span.end <= span.end)]


def formatted(analysis: Analysis) -> str:
    """The text in canonical layout."""
    parts: list[str] = []
    text, done = own_text(analysis), 0
    for edit in format_edits(analysis):
        parts += [text[done : edit.span.start], edit.text]
        done = edit.span.end
    return "".join([*parts, text[done:]])


def _edits(text: str, wanted: str, newline: str) -> list[Edit]:
    """The blanks that differ: both texts have the same words."""
    old, new = _words(text), _words(wanted)
    assert len(old) == len(new)
    edits: list[Edit] = []
    here = there = 0
    for one, other in zip([*old, Span(len(text), len(text))], [*new, Span(len(wanted), len(wanted))], strict=True):
        blank = wanted[there : other.start].replace("\n", newline)
        if text[here : one.start] != blank:
            edits.append(Edit(Span(here, one.start), blank))
        here, there = one.end, other.end
    return edits


def _words(text: str) -> list[Span]:
    """The words and comments, without blanks at the end of a comment."""
    return [Span(match.start(), match.start() + len(_stripped(match.group()))) for match in WORD.finditer(text)]


def _stripped(word: str) -> str:
    return word.rstrip() if word.startswith(COMMENT) else word
