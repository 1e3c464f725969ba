"""Serves the calls of the editor: messages, fixes, formulae and names of a text, whether it is a model already or half of one.

Offsets of the page count UTF-16 units, those of the analysis count characters; `Units` translates.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from epistrat.lang.analysis import Analysis
from epistrat.lang.analysis import analyse as analyse_text
from epistrat.lang.format import format_source
from epistrat.render.json_cursor import Datum
from epistrat.source import Diagnostic, Fix, Span
from epistrat.studio.data import Json

Tell: TypeAlias = Callable[[Json], None]


class Units:
    """Offsets of a text in UTF-16 units, where characters outside the basic plane count twice."""

    def __init__(self, text: str) -> None:
        self._wide = (
            [index for index, character in enumerate(text) if character > "\uffff"] if not text.isascii() else []
        )

    def there(self, offset: int) -> int:
        """A character's offset in units."""
        return offset + bisect_right(self._wide, offset - 1)

    def here(self, units: int) -> int:
        """The offset of the character at so many units."""
        for count, index in enumerate(self._wide):
            if index + count >= units:
                return units - count
        return units - len(self._wide)

    def span(self, span: Span) -> Json:
        """A range."""
        return {"from": self.there(span.start), "to": self.there(span.end)}


@lru_cache(maxsize=8)
def _analysed(text: str, name: str) -> tuple[Analysis, Units]:
    return analyse_text(text, name), Units(text)


def analyse(call: Datum, _: Tell) -> Json:
    """Everything that is shown while a person types."""
    analysis, units = _analysed(call["text"].text(), call["name"].text())
    system = analysis.system
    return {
        "diagnostics": [_diagnostic(one, units) for one in analysis.diagnostics],
        "formulae": _formulae(analysis, units),
        "agents": list(analysis.names.agents),
        "groups": list(system.groups) if system is not None else [],
        "propositions": list(system.propositions) if system is not None else [],
        "ok": system is not None,
    }


def _diagnostic(diagnostic: Diagnostic, units: Units) -> Json:
    span = diagnostic.span or Span(0, 0)
    at = diagnostic.position
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "label": diagnostic.label,
        "notes": list(diagnostic.notes),
        "line": at.line if at is not None else None,
        "column": at.column if at is not None else None,
        **units.span(span),
        "fixes": [_fix(fix, units) for fix in diagnostic.fixes],
    }


def _fix(fix: Fix, units: Units) -> Json:
    return {"title": fix.title, "edits": [{**units.span(edit.span), "insert": edit.text} for edit in fix.edits]}


def _formulae(analysis: Analysis, units: Units) -> list[Json]:
    """The formulae of the text, with their places."""
    found: list[Json] = []
    for number in itertools.count():
        span = analysis.origins.span("formula", number)
        if span is None:
            break
        text = " ".join(analysis.source.cut(span).split()).removesuffix(";").rstrip()
        found.append({"index": number + 1, "text": text, **units.span(span)})
    return found


def layout(call: Datum, _: Tell) -> Json:
    """The text in its canonical layout."""
    return {"text": format_source(call["text"].text())}
