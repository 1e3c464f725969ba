"""Where the commands write: standard output, as far as somebody reads it, and a style that fits it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from epistrat.render.progress import ProgressLine
    from epistrat.render.wording import Style


def write(lines: Iterable[str]) -> None:
    """Print lines.  Where the reader has gone away (``| head``) the rest is dropped, and the exit status stays what it is."""
    try:
        for line in lines:
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(*lines: str) -> None:
    """Print lines on standard error."""
    for line in lines:
        print(line, file=sys.stderr)


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
