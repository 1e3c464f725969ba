"""Where the commands write: standard output, as far as somebody reads it, and a style that fits it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from epistrat.render.progress import ProgressLine
    from epistrat.render.wording import Style


class Unwritable(Exception):
    """Standard output cannot be written, for a reason that is not the reader's going away."""


def write(lines: Iterable[str]) -> None:
    """Print lines.  Where the reader has gone away (``| head``) the rest is dropped, and the exit status stays what it is."""
    try:
        for line in lines:
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop(sys.stdout)
    except OSError as error:
        _drop(sys.stdout)
        raise Unwritable(f"standard output cannot be written: {error.strerror}") from None


def save(text: str, file: str | None) -> bool:
    """Write a text to a file, or print it where none is named; False, with a complaint, where it cannot be written."""
    if file in (None, "-"):
        write([text.rstrip("\n")])
        return True
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        complain(f"{file} cannot be written: {(error.strerror or str(error)).lower()}")
        return False
    return True


def complain(*lines: str) -> None:
    """Print lines on standard error, as far as that is possible."""
    try:
        for line in lines:
            print(line, file=sys.stderr)
        sys.stderr.flush()
    except OSError:
        _drop(sys.stderr)


def _drop(stream: TextIO) -> None:
    """Let everything that is still written disappear."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def open_streams() -> None:
    """Have standard output and standard error, also where the caller has closed them."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 (open until the end)


def standard_input() -> str:
    """How a shell gives a command the same standard input again: a redirection where it is a file, else a remark."""
    try:
        file = Path("/proc/self/fd/0").readlink()
    except OSError:
        file = Path()
    return f" < {shlex.quote(str(file))}" if file.is_file() else " (with the same input)"


def style() -> Style:
    """Colour on a terminal only, and not where NO_COLOR asks for none."""
    from epistrat.render.wording import Style

    terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")
    return Style(colour=terminal, width=_width())


def progress(*, quiet: bool) -> ProgressLine | None:
    """A line that shows progress, where there is a terminal to show it on."""
    if quiet or not sys.stderr.isatty():
        return None
    from epistrat.render.progress import ProgressLine

    return ProgressLine(sys.stderr, _width())


def _width() -> int:
    return min(shutil.get_terminal_size((100, 24)).columns, 140)
