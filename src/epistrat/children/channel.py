"""The child's own side: frames from standard input, frames to what was standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from epistrat.children.frames import framed, read_frame
from epistrat.children.system import die_with_parent


class Channel(NamedTuple):
    """``receive`` raises EOFError where the parent has nothing more to say."""

    receive: Callable[[], Any]
    send: Callable[[object], None]


def channel(*, tied: bool = True) -> Channel:
    """Begin to speak with the parent.  Nothing that a library prints gets between the frames.

    ``tied``: the child ends with the thread that started it.  Who listens all the time notices the end of its parent, and needs no tie.
    """
    sys.set_int_max_str_digits(0)
    if tied:
        die_with_parent()
    heard, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(value: object) -> None:
        told.write(framed(value))
        told.flush()

    return Channel(lambda: read_frame(heard), send)
