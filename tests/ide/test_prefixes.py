"""Every question on every beginning of every example, cut behind each word: no exception, and ranges that lie in the text.

By default a sample of the cuts; all of them with the environment variable ``EPISTRAT_ALL_PREFIXES``.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from epistrat import ide
from epistrat.lang.lexer import WORD
from epistrat.source import Span

ROOT = Path(__file__).parents[2]
EXAMPLES = [*sorted((ROOT / "examples").rglob("*.ispl")), *sorted((ROOT / "src/epistrat/scenarios").glob("*.ispl"))]
CUTS = 4
"""Cuts of each example by default."""


def cuts(path: Path, text: str) -> Iterator[int]:
    ends = [match.end() for match in WORD.finditer(text)]
    if os.environ.get("EPISTRAT_ALL_PREFIXES"):
        yield from ends
        return
    step = max(1, len(ends) // CUTS)
    yield from ends[zlib.crc32(path.stem.encode()) % step :: step]


def ask_everything(text: str, offset: int) -> list[Span]:
    """All ranges of all answers at an offset."""
    analysis = ide.analyse(text)
    found = [one.span for one in analysis.diagnostics if one.span is not None]
    found += [entry.span for entry in ide.outline(analysis)]
    found += [one.replace for one in ide.completion(analysis, offset)]
    found += [one.span for one in ide.references(analysis, offset)]
    found += [token.span for token in ide.tokens(analysis)]
    found += [edit.span for edit in ide.format_edits(analysis)]
    found += [edit.span for one in ide.fixes(analysis, Span(0, len(text))) for edit in one.fix.edits]
    found += [lens.span for lens in ide.lenses(analysis)]
    hover, definition = ide.hover(analysis, offset), ide.definition(analysis, offset)
    found += [span for span in (definition, hover and hover.span) if span is not None]
    lines = text.count("\n") + 1
    assert all(1 <= fold.first < fold.last <= lines for fold in ide.folds(analysis))
    assert all(0 <= hint.offset <= len(text) for hint in ide.hints(analysis))
    ide.signature(analysis, offset)
    with suppress(ide.CannotRename):
        found += [edit.span for edit in ide.rename(analysis, offset, "some_other_name")]
    return found


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_beginning_of_an_example_can_be_asked_about(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for end in cuts(path, text):
        for span in ask_everything(text[:end], end):
            assert 0 <= span.start <= span.end <= end
