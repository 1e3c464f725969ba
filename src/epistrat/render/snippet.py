"""Messages about a text as a person reads them: the sentence, the place, the source line with a caret, what may be meant."""

from __future__ import annotations

from epistrat.answers import Finding
from epistrat.model.system import System
from epistrat.render.walk import show_path
from epistrat.source import Diagnostic, Severity

# Of a longer source line only this much is shown, around the place that matters.
WIDTH = 100
_COLOURS = {Severity.ERROR: "\033[1;31m", Severity.WARNING: "\033[1;33m"}
_BOLD, _PLAIN = "\033[1m", "\033[0m"


def snippet(diagnostic: Diagnostic, *, colour: bool = False, system: System | None = None) -> str:
    """One message, over several lines; with a system, the path to the state it is about too."""
    head = f"{diagnostic.severity.value}[{diagnostic.code}]"
    if colour:
        lines = [f"{_COLOURS[diagnostic.severity]}{head}{_PLAIN}{_BOLD}: {diagnostic.message}{_PLAIN}"]
    else:
        lines = [f"{head}: {diagnostic.message}"]
    if diagnostic.where:
        lines.append(f"  {diagnostic.where}")
    lines += _excerpt(diagnostic, colour)
    lines += [f"  {note}" for note in diagnostic.notes]
    if diagnostic.suggestion is not None:
        lines.append(f"  did you mean `{diagnostic.suggestion}`?")
    if isinstance(diagnostic, Finding) and diagnostic.path is not None and system is not None:
        lines += [f"  {line}" for line in show_path(system, diagnostic.path)]
    return "\n".join(lines)


def _excerpt(diagnostic: Diagnostic, colour: bool) -> list[str]:
    """The source line and a caret under what the message is about; nothing if there is no text to show."""
    source, span = diagnostic.source, diagnostic.span
    if source is None or span is None or not source.text:
        return []
    start, end = source.position(span.start), source.position(span.end)
    line = source.line(start.line)
    first = start.column - 1
    last = end.column - 1 if end.line == start.line else len(line)
    last = max(last, first + 1)
    shown, shift = _window(line, first, last)
    first, last = first - shift, min(last - shift, max(len(shown), first - shift + 1))
    number = str(start.line)
    caret = "^" * (last - first)
    if colour:
        caret = f"{_COLOURS[diagnostic.severity]}{caret}{_PLAIN}"
    under = " " * first + caret + (f" {diagnostic.label}" if diagnostic.label else "")
    return [f"   {number} | {_printable(shown)}".rstrip(), f"   {' ' * len(number)} | {under}"]


def _window(line: str, first: int, last: int) -> tuple[str, int]:
    """The part of a long line around the columns, and how many columns were cut off in front of it."""
    if len(line) <= WIDTH:
        return line, 0
    middle = (first + min(last, first + WIDTH)) // 2
    cut = max(0, min(middle - WIDTH // 2, len(line) - WIDTH))
    return line[cut : cut + WIDTH], cut


def _printable(line: str) -> str:
    """Every character one column wide, so that the caret stands right."""
    return "".join(character if character.isprintable() else " " for character in line)
