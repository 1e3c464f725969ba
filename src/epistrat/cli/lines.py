"""Lines that a person types: with editing, history and completion on a terminal, as they come where the input is a file or a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import History

Words = Callable[[str], list[str]]
"""The words with which the last one of a line may be completed, given the line."""


class Lines:
    """Asks for lines.  Without prompt_toolkit, or without a terminal, plain lines are read."""

    def __init__(self, words: Words) -> None:
        terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self._session = _session(words) if terminal else None

    def ask(self, prompt: str) -> str | None:
        """The next line without blanks around it; None at the end.  Ctrl-C raises KeyboardInterrupt."""
        if self._session is None:
            return _plain(prompt)
        sys.stdout.flush()
        try:
            return str(self._session.prompt(prompt)).strip()
        except EOFError:
            return None


def _plain(prompt: str) -> str | None:
    if sys.stdin.isatty():
        sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    return line.strip() if line else None


def _session(words: Words) -> PromptSession[str] | None:
    try:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion
    except ImportError:  # an installation without it works as well
        return None

    class ByWords(Completer):
        """Completes the last word."""

        def get_completions(self, document: Any, complete_event: Any) -> Iterator[Completion]:
            line = document.text_before_cursor
            begun = line.rpartition(" ")[2].lstrip("(!")
            for word in words(line):
                if word.startswith(begun):
                    yield Completion(word, start_position=-len(begun))

    return PromptSession(completer=ByWords(), complete_while_typing=False, history=_history())


def _history() -> History:
    """What was typed before, also in earlier sessions where it can be kept."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    folder = Path(base) / "epistrat"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(folder / "simulate_history"))
