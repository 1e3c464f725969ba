"""Serves the calls of the editor with `epistrat.ide`.  Offsets of the page count UTF-16 units from the beginning of the text."""

from __future__ import annotations

from functools import lru_cache

from epistrat import ide
from epistrat.lang.families import parameters
from epistrat.render.json.cursor import Datum
from epistrat.source import Diagnostic, Fix, Span
from epistrat.studio.data import Json, Parameters, Tell, given_parameters

_MOST_OFFERED = 100
_COLOURED = ("agent", "action", "value", "proposition", "group")
"""Kinds of words that the page cannot tell by itself."""

_MOST_COLOURED = 200_000
"""Characters; in longer texts they are not told apart."""


class _Page:
    """An analysis with its places as the page counts them."""

    def __init__(self, text: str, name: str, given: Parameters) -> None:
        self.analysis = ide.analyse(text, name, parameters=dict(given))
        self._positions = ide.Positions(text)

    def span(self, span: Span) -> Json:
        return {"from": self._positions.units(span.start), "to": self._positions.units(span.end)}

    def data(self, value: ide.Entry | ide.Completion | ide.Hover) -> Json:
        """A value as plain data: its fields, and ``from`` and ``to`` for its range, of two ranges (of an entry) that of the name."""
        found: Json = {}
        for name, one in value._asdict().items():
            if isinstance(one, Span):
                found |= self.span(one)
            else:
                found[name] = [self.data(child) for child in one] if isinstance(one, tuple) else one
        return found

    def offset(self, call: Datum) -> int:
        return self._positions.offset_of_units(call["offset"].count())


@lru_cache(maxsize=8)
def _analysed(text: str, name: str, given: Parameters) -> _Page:
    return _Page(text, name, given)


def _page(call: Datum) -> _Page:
    return _analysed(call["text"].text(), call["name"].text(), given_parameters(call))


def analyse(call: Datum, _: Tell) -> Json:
    """Everything that is shown while a person types."""
    page = _page(call)
    analysis = page.analysis
    return {
        "diagnostics": [_diagnostic(one, page) for one in analysis.diagnostics],
        "formulae": [_formula(one, page) for one in ide.lenses(analysis)],
        "outline": [page.data(one) for one in ide.outline(analysis)],
        "parameters": [one._asdict() for one in parameters(call["text"].text())],
        "tokens": _tokens(page),
        "ok": analysis.system is not None,
    }


def _tokens(page: _Page) -> list[Json]:
    if len(page.analysis.source.text) > _MOST_COLOURED:
        return []
    return [{**page.span(one.span), "kind": one.kind} for one in ide.tokens(page.analysis) if one.kind in _COLOURED]


def _formula(lens: ide.Lens, page: _Page) -> Json:
    return {"index": lens.number, "text": lens.formula, "name": lens.name, **page.span(lens.span)}


def _diagnostic(diagnostic: Diagnostic, page: _Page) -> Json:
    at = diagnostic.position
    found = ide.fixes(page.analysis, diagnostic.span) if diagnostic.span is not None else []
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "label": diagnostic.label,
        "notes": list(diagnostic.notes),
        "line": at.line if at is not None else None,
        "column": at.column if at is not None else None,
        **page.span(diagnostic.span or Span(0, 0)),
        "fixes": [_fix(one.fix, page) for one in found if one.diagnostic is diagnostic],
    }


def _fix(fix: Fix, page: _Page) -> Json:
    return {"title": fix.title, "edits": [{**page.span(edit.span), "insert": edit.text} for edit in fix.edits]}


def complete(call: Datum, _: Tell) -> list[Json]:
    """What could stand at an offset."""
    page = _page(call)
    found = ide.completion(page.analysis, page.offset(call))
    return [page.data(one) for one in found[:_MOST_OFFERED]]


def hover(call: Datum, _: Tell) -> Json | None:
    """What is known of the word at an offset, in Markdown."""
    page = _page(call)
    found = ide.hover(page.analysis, page.offset(call))
    return None if found is None else page.data(found)


def define(call: Datum, _: Tell) -> Json | None:
    """Where the word at an offset is declared."""
    page = _page(call)
    found = ide.definition(page.analysis, page.offset(call))
    return None if found is None else page.span(found)


def layout(call: Datum, _: Tell) -> Json:
    """The text in its canonical layout."""
    return {"text": ide.formatted(_page(call).analysis)}
