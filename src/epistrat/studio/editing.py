"""Serves the calls of the editor with `epistrat.ide`.  Offsets of the page count UTF-16 units from the beginning of the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from epistrat import ide
from epistrat.lang.families import parameters
from epistrat.lang.families.phrases import Parameter
from epistrat.render.json.cursor import Datum
from epistrat.service.models import Folder
from epistrat.source import Diagnostic, Fix, Span
from epistrat.studio import shapes
from epistrat.studio.data import Parameters, Tell, given_parameters, message_data, model_of
from epistrat.studio.parts import version_of_parts

R = TypeVar("R")
_MOST_OFFERED = 100
_COLOURED = ("agent", "action", "value", "proposition", "group")
"""Kinds of words that the page cannot tell by itself."""

_MOST_COLOURED = 200_000
"""Characters; in longer texts they are not told apart."""


class _Page:
    """An analysis with its places as the page counts them."""

    def __init__(self, text: str, name: str, given: Parameters, folder: str | None) -> None:
        include = None if folder is None else Folder(Path(folder))
        self.analysis = ide.analyse(text, name, parameters=dict(given), include=include)
        self._positions = ide.Positions(text)
        self._text = text

    def own(self, span: Span) -> bool:
        """Whether a place is in this text, not in one that it includes."""
        return span.end <= len(self._text)

    def span(self, span: Span) -> shapes.Place:
        """A place as the page counts it; for one in a text that is included, the line that includes it."""
        if not self.own(span):
            where, _ = self.analysis.source.locate(span)
            found = re.search(rf'include\s*"[^"\n]*{re.escape(Path(where.name).name)}"', self._text)
            span = Span(*found.span()) if found is not None else Span(0, 0)
        return {"from": self._positions.units(span.start), "to": self._positions.units(span.end)}

    def entry(self, entry: ide.Entry) -> shapes.OutlineEntry:
        return {
            "name": entry.name,
            "kind": entry.kind,
            "detail": entry.detail,
            **self.span(entry.name_span),
            "children": [self.entry(child) for child in entry.children],
        }

    def offer(self, offer: ide.Completion) -> shapes.Offer:
        return {
            "label": offer.label,
            "kind": offer.kind,
            "detail": offer.detail,
            "insert": offer.insert,
            "snippet": offer.snippet,
            **self.span(offer.replace),
        }

    def offset(self, call: Datum) -> int:
        return self._positions.offset_of_units(call["offset"].count())


@lru_cache(maxsize=8)
def _kept(text: str, name: str, given: Parameters) -> _Page:
    return _Page(text, name, given, None)


def _page(call: Datum) -> _Page:
    model = model_of(call)
    text = model.content
    assert isinstance(text, str)
    if model.folder is not None and "include" in text:  # files that are included change without a word
        return _Page(text, model.name, given_parameters(call), model.folder)
    return _kept(text, model.name, given_parameters(call))


def analyse(call: Datum, _: Tell) -> shapes.Analysis:
    """Everything that is shown while a person types."""
    version = version_of_parts(model_of(call))  # first: what changes meanwhile is seen next time
    page = _page(call)
    analysis = page.analysis
    return {
        "diagnostics": [_diagnostic(one, page) for one in analysis.diagnostics],
        "formulae": [_formula(one, page) for one in ide.lenses(analysis)],
        "outline": [page.entry(one) for one in ide.outline(analysis)],
        "parameters": [_parameter(one) for one in parameters(call["text"].text())],
        "tokens": _tokens(page),
        "ok": analysis.system is not None,
        "parts": version,
    }


def _parameter(one: Parameter) -> shapes.Parameter:
    return {"name": one.name, "value": one.value, "least": one.least, "most": one.most}


def _tokens(page: _Page) -> list[shapes.Token]:
    if len(page.analysis.source.text) > _MOST_COLOURED:
        return []
    try:
        found = ide.tokens(page.analysis)
    except RecursionError:  # the messages say where too much is nested
        return []
    return [{**page.span(one.span), "kind": one.kind} for one in found if one.kind in _COLOURED and page.own(one.span)]


def _formula(lens: ide.Lens, page: _Page) -> shapes.Formula:
    return {"index": lens.number, "text": lens.formula, "name": lens.name, **page.span(lens.span)}


def _diagnostic(diagnostic: Diagnostic, page: _Page) -> shapes.Diagnostic:
    found = ide.fixes(page.analysis, diagnostic.span) if diagnostic.span is not None else []
    found = [one for one in found if all(page.own(edit.span) for edit in one.fix.edits)]
    message = message_data(diagnostic)
    if diagnostic.span is not None and not page.own(diagnostic.span):
        where, _ = page.analysis.source.locate(diagnostic.span)
        message = {
            **message,
            "message": f"{Path(where.name).name}, line {message['line']}: {message['message']}",
            "line": None,
        }
    return {
        **message,
        **page.span(diagnostic.span or Span(0, 0)),
        "fixes": [_fix(one.fix, page) for one in found if one.diagnostic is diagnostic],
    }


def _fix(fix: Fix, page: _Page) -> shapes.Fix:
    return {"title": fix.title, "edits": [{**page.span(edit.span), "insert": edit.text} for edit in fix.edits]}


def complete(call: Datum, _: Tell) -> list[shapes.Offer]:
    """What could stand at an offset."""
    page = _page(call)
    found = ide.completion(page.analysis, page.offset(call))
    return [page.offer(one) for one in found[:_MOST_OFFERED]]


def _careful(question: Callable[[], R]) -> R | None:
    """The answer; None in a text that is nested too deeply to be gone through."""
    try:
        return question()
    except RecursionError:
        return None


def hover(call: Datum, _: Tell) -> shapes.Hover | None:
    """What is known of the word at an offset, in Markdown."""
    page = _page(call)
    found = _careful(lambda: ide.hover(page.analysis, page.offset(call)))
    return None if found is None else {"text": found.text, **page.span(found.span)}


def define(call: Datum, _: Tell) -> shapes.Place | None:
    """Where the word at an offset is declared."""
    page = _page(call)
    found = _careful(lambda: ide.definition(page.analysis, page.offset(call)))
    return None if found is None or not page.own(found) else page.span(found)


def occurrences(call: Datum, _: Tell) -> list[shapes.Place]:
    """Every place that names what the word at an offset names."""
    page = _page(call)
    found = _careful(lambda: ide.references(page.analysis, page.offset(call))) or []
    return [page.span(one.span) for one in found if page.own(one.span)]


def rename(call: Datum, _: Tell) -> list[shapes.Edit]:
    """The edits that give what is named at an offset another name; raises LookupError where that changes what the text means."""
    page = _page(call)
    try:
        edits = ide.rename(page.analysis, page.offset(call), call["to"].text().strip())
    except ide.CannotRename as reason:
        raise LookupError(str(reason)) from None
    except RecursionError:
        raise LookupError("this text is nested too deeply") from None
    if not all(page.own(edit.span) for edit in edits):
        raise LookupError("this name is also used in a file that is included; rename it there")
    return [{**page.span(edit.span), "insert": edit.text} for edit in edits]


def layout(call: Datum, _: Tell) -> shapes.LaidOut:
    """The text in its canonical layout."""
    return {"text": ide.formatted(_page(call).analysis)}
