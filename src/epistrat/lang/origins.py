"""Where in the text the parts of a system come from; kept beside the system, which knows no text."""

from __future__ import annotations

from epistrat.lang.lexer import Words
from epistrat.source import MemberSpan, Position, Span


class Origins:
    """Spans by what stands there.

    Keys are tuples: ``("agent", name)``, ``("variable", agent, name)``, ``("action", agent, name)``, ``("protocol", agent, index)``,
    ``("other", agent)``, ``("evolution", agent, index)``, ``("red", agent)``, ``("proposition", name)``, ``("group", name)``,
    ``("initial",)``, ``("fairness", index)``, ``("formula", index)``; indices count from 0 as in the system.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self._places: dict[tuple[str | int, ...], tuple[int, int]] = {}

    def put(self, start: int, end: int, *key: str | int) -> None:
        """Notes which words something comes from."""
        self._places[key] = (start, end)

    def span(self, *key: str | int) -> Span | None:
        """The characters something comes from; None if it was not written."""
        place = self._places.get(key)
        return None if place is None else self._words.span(*place)

    def position(self, *key: str | int) -> Position | None:
        """The line and column where something starts."""
        span = self.span(*key)
        return None if span is None else self._words.source.position(span.start)

    def text(self, *key: str | int) -> str | None:
        """The text something was written as."""
        span = self.span(*key)
        return None if span is None else self._words.source.cut(span)

    def note(self, *key: str | int) -> str:
        """For which indices of a family something was written out, in words; empty if for none."""
        span = self.span(*key)
        return span.note if isinstance(span, MemberSpan) else ""

    def keys(self) -> list[tuple[str | int, ...]]:
        """All keys."""
        return list(self._places)
