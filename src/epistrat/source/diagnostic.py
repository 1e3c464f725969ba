"""Messages about a text, as values: what is wrong, where, and what might be meant.

The message makes sense when only its first line is shown.  `Report` collects; nothing stops at the first mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any, NamedTuple, TypedDict, Unpack

from epistrat.records import dataclass, field, replace
from epistrat.source.span import MemberSpan, Position, Span
from epistrat.source.text import SourceText


class Severity(Enum):
    """How bad it is: an error means there is no model; a warning means the model may not be what was meant."""

    ERROR = "error"
    WARNING = "warning"


class Related(NamedTuple):
    """Another place that a message is about, and what is there."""

    span: Span
    message: str


class Edit(NamedTuple):
    """A change of a text: what the range becomes.  An empty range is a place to insert."""

    span: Span
    text: str


class Fix(NamedTuple):
    """A way to mend what a message is about: what it does, in words, and the edits, which do not overlap."""

    title: str
    edits: tuple[Edit, ...]

    def apply(self, text: str) -> str:
        """The text after the edits."""
        for edit in sorted(self.edits, reverse=True):
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        return text


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message.  ``label`` stands beside the caret; ``suggestion`` is what to write there instead, if that is likely meant."""

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    label: str = ""
    notes: tuple[str, ...] = ()
    suggestion: str | None = None
    source: SourceText | None = field(default=None, compare=False, repr=False)
    related: tuple[Related, ...] = ()
    edit: Fix | None = None

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """Ways to mend it, the likeliest first."""
        fixes = () if self.edit is None else (self.edit,)
        if self.suggestion is None or self.span is None:
            return fixes
        return (Fix(f"write `{self.suggestion}`", (Edit(self.span, self.suggestion),)), *fixes)

    @property
    def is_error(self) -> bool:
        """Whether there can be no model because of it."""
        return self.severity is Severity.ERROR

    @property
    def position(self) -> Position | None:
        """Line and column where it starts."""
        if self.span is None or self.source is None:
            return None
        return self.source.position(self.span.start)

    @property
    def where(self) -> str:
        """``file:line:column``, as far as known."""
        name = self.source.name if self.source is not None else ""
        at = self.position
        return f"{name}:{at.line}:{at.column}" if at is not None else name

    def to_json(self) -> dict[str, Any]:
        """The message as plain data."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "file": (self.source.name or None) if self.source is not None else None,
            **self._range(self.span),
            "label": self.label or None,
            "notes": list(self.notes),
            "suggestion": self.suggestion,
            "related": [{**self._range(one.span), "message": one.message} for one in self.related],
            "fixes": [
                {"title": fix.title, "edits": [{**self._range(edit.span), "text": edit.text} for edit in fix.edits]}
                for fix in self.fixes
            ],
        }

    def _range(self, span: Span | None) -> dict[str, int | None]:
        """Lines and columns of a range."""
        if span is None or self.source is None:
            return dict.fromkeys(("line", "column", "end_line", "end_column"))
        start, end = self.source.position(span.start), self.source.position(span.end)
        return {"line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column}

    def __str__(self) -> str:
        where = self.where
        return f"{where}: {self.severity.value}[{self.code}]: {self.message}" if where else f"{self.message}"


def _placed(diagnostic: Diagnostic) -> Diagnostic:
    """The message in the text that it is about, with its indices; fixes of words that are not in the text are dropped."""
    span, source = diagnostic.span, diagnostic.source
    if span is None or source is None:
        return diagnostic
    if isinstance(span, MemberSpan):
        message = f"{diagnostic.message}, {span.note}" if span.note else diagnostic.message
        suggestion = None if span.replaced else diagnostic.suggestion
        diagnostic = replace(diagnostic, message=message, suggestion=suggestion, span=Span(span.start, span.end))
    text, place = source.locate(span)
    if text is source:
        return diagnostic
    shift = span.start - place.start

    def moved(other: Span) -> Span:
        return Span(other.start - shift, other.end - shift)

    related = tuple(
        one._replace(span=moved(one.span)) for one in diagnostic.related if source.locate(one.span)[0] is text
    )
    edit = diagnostic.edit
    if edit is not None:
        edit = edit._replace(edits=tuple(one._replace(span=moved(one.span)) for one in edit.edits))
    return replace(diagnostic, source=text, span=place, related=related, edit=edit)


class NotRead(Exception):
    """A model in the language of another tool has something that cannot be read or has no counterpart; ``at`` is where in the text."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class TooMany(Exception):
    """Raised after so many errors that more messages would not be read."""


class More(TypedDict, total=False):
    """What else a message may say, see `Diagnostic`."""

    label: str
    notes: tuple[str, ...]
    suggestion: str | None
    related: tuple[Related, ...]
    edit: Fix | None


@dataclass
class Report:
    """The messages about one text.  After ``most`` errors it raises `TooMany`."""

    source: SourceText
    diagnostics: list[Diagnostic] = field(default_factory=list)
    most: int = 100
    _errors: int = field(default=0, init=False, repr=False)
    _told: set[tuple[str, Span]] = field(default_factory=set, init=False, repr=False)

    def error(self, code: str, message: str, span: Span | None = None, **more: Unpack[More]) -> None:
        """Adds an error."""
        self._add(Diagnostic(code, Severity.ERROR, message, span, source=self.source, **more))

    def warning(self, code: str, message: str, span: Span | None = None, **more: Unpack[More]) -> None:
        """Adds a warning."""
        self._add(Diagnostic(code, Severity.WARNING, message, span, source=self.source, **more))

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Adds messages of another report about the same text."""
        for diagnostic in diagnostics:
            self._keep(diagnostic)

    def _add(self, diagnostic: Diagnostic) -> None:
        if isinstance(diagnostic.span, MemberSpan):
            if (diagnostic.code, diagnostic.span) in self._told:
                return  # it was told for other members already
            self._told.add((diagnostic.code, diagnostic.span))
        self._keep(_placed(diagnostic))

    def _keep(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(diagnostic)
        if diagnostic.is_error:
            self._errors += 1
            if self._errors >= self.most:
                raise TooMany

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return self._errors == 0

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.is_error]

    @property
    def warnings(self) -> list[Diagnostic]:
        """The warnings."""
        return [diagnostic for diagnostic in self.diagnostics if not diagnostic.is_error]

    def sort(self) -> None:
        """Puts the messages into the order of the text; those without a place come last."""
        end = len(self.source.text) + 1
        own = self.source.name
        self.diagnostics.sort(
            key=lambda one: (
                one.source is not None and one.source.name != own,
                one.span.start if one.span is not None else end,
            )
        )

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)

    def __len__(self) -> int:
        return len(self.diagnostics)
