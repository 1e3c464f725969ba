"""An open document: its text as the client has it, and what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from lsprotocol import types

from epistrat.ide import Analysis, Positions, analyse
from epistrat.source import Edit, Span


class Document:
    """One version of a text.  A change makes a new one, so that nothing known of the old text can be mistaken for the new."""

    def __init__(self, uri: str, text: str, version: int | None) -> None:
        self.uri = uri
        self.text = text
        self.version = version

    @cached_property
    def analysis(self) -> Analysis:
        """What is known of the text."""
        return analyse(self.text, self.name)

    @cached_property
    def _positions(self) -> Positions:
        return Positions(self.text)

    @property
    def name(self) -> str:
        """The last part of the address, for messages."""
        return self.uri.rsplit("/", 1)[-1]

    @cached_property
    def model_key(self) -> int:
        """A number that changes with the model, but not with comments, layout or other formulae than those asked about."""
        words = list(self.analysis.words.list)
        for formula in self.analysis.program.formulae:
            words[formula.start : formula.end] = [""] * (formula.end - formula.start)
        return hash(tuple(filter(None, words)))

    def changed(self, changes: Sequence[types.TextDocumentContentChangeEvent], version: int | None) -> Document:
        """The document after some changes, each of which counts from the text after the one before."""
        document = self
        for change in changes:
            text = change.text
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = document.span(change.range)
                text = document.text[:start] + change.text + document.text[max(start, end) :]
            document = Document(self.uri, text, version)
        return document

    def offset(self, position: types.Position) -> int:
        """The character at a position."""
        return self._positions.offset(position.line, position.character)

    def span(self, where: types.Range) -> Span:
        """The characters of a range."""
        return Span(self.offset(where.start), self.offset(where.end))

    def position(self, offset: int) -> types.Position:
        """Where a character is."""
        line, unit = self._positions.position(offset)
        return types.Position(line, unit)

    def range(self, span: Span) -> types.Range:
        """Where some characters are."""
        return types.Range(self.position(span.start), self.position(span.end))

    def edit(self, edit: Edit) -> types.TextEdit:
        """A change of this text."""
        return types.TextEdit(self.range(edit.span), edit.text)
