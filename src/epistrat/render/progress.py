"""One line on the terminal that says what a long check is doing, and disappears when it is done."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

from epistrat.service.events import Progress

_CLEAR = "\r\x1b[2K"
_PATIENCE = 0.5
"""Seconds during which nothing is shown: short checks should not flicker."""


class ProgressLine:
    """Shows the latest event and the time that has passed."""

    def __init__(self, stream: TextIO, width: int = 100, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._width = width
        self._clock = clock
        self._started = clock()
        self._text = ""
        self._visible = False

    def show(self, event: Progress) -> None:
        """Remember what is being done, and show it."""
        self._text = f"formula {event.number} of {event.of}: {event}" if event.of > 1 else str(event)
        self.tick()

    def tick(self) -> None:
        """Show what is known, with the time of now."""
        passed = self._clock() - self._started
        if passed < _PATIENCE:
            return
        line = f"{self._text or 'working'}   {int(passed) // 60}:{int(passed) % 60:02d}"
        self._stream.write(_CLEAR + line[: self._width - 1])
        self._stream.flush()
        self._visible = True

    def clear(self) -> None:
        """Leave no trace."""
        if self._visible:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._visible = False
