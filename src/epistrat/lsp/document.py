"""An open document: its text as the client has it, and what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from lsprotocol import types
from pygls.uris import to_fs_path

from epistrat.ide import Analysis, Positions, analyse
from epistrat.service.models import Folder
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
        return self.read(self.text, self.name)

    def read(self, text: str, name: str) -> Analysis:
        """What is known of a text in the place of this one; it may include files of its folder."""
        return analyse(text, name, include=None if self.folder is None else Folder(Path(self.folder)))

    @property
    def includes(self) -> bool:
        """Whether the text includes files."""
        return "include" in self.analysis.words.written.distinct

    @cached_property
    def _positions(self) -> Positions:
        return Positions(self.text)

    @cached_property
    def name(self) -> str:
        """The name of the file, for messages; the last part of the address if it is none."""
        return to_fs_path(self.uri) or self.uri.rsplit("/", 1)[-1]

    @property
    def folder(self) -> str | None:
        """Where the files are that the text includes."""
        return str(Path(self.name).parent) if self.uri.startswith("file:") else None

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
