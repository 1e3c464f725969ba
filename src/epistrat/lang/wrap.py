"""Long lines, broken where a reader would break them: before the weakest operators outside all brackets first.

A line that fits stays whole.  Else it is cut before all operators of the weakest kind at the lowest bracket level, the
pieces are put together again as far as they fit, and what is still too long is treated the same way, one level further in.
"""

from __future__ import annotations

from typing import TypeAlias

# A word, and whether a blank stands before it.
Word: TypeAlias = tuple[str, bool]

_RANK = {"if": 0, "<->": 1, "->": 2, "or": 3, "xor": 4, "and": 5}
# What is assigned or defined stays on the line of its condition if it is no longer than this.
_SHORT = 40
# Deeper inside brackets lines are no longer broken.
_DEEPEST = 12


def wrap(words: list[Word], width: int, indent: int) -> list[tuple[int, str]]:
    """The lines that the words make, each with its level of indentation (at least 0, counted from the first line's)."""
    return _wrap(words, width, indent, 0, 0)


def _wrap(words: list[Word], width: int, indent: int, level: int, depth: int) -> list[tuple[int, str]]:
    text = _join(words)
    cuts = _cuts(words) if len(text) > width - indent * level and depth < _DEEPEST else []
    if not cuts:
        return [(level, text)]
    pieces = [words[start:end] for start, end in zip([0, *cuts], [*cuts, len(words)], strict=True)]
    lines: list[tuple[int, str]] = []
    for number, piece in enumerate(_filled(pieces, width - indent * (level + 1))):
        lines += _wrap(piece, width, indent, level + (1 if number else 0), depth + 1)
    return lines


def _filled(pieces: list[list[Word]], width: int) -> list[list[Word]]:
    """Neighbouring pieces joined as long as they fit on one line."""
    lines: list[list[Word]] = []
    length = 0
    for piece in pieces:
        size = len(_join(piece)) + 1
        if lines and length + size <= width:
            lines[-1] = lines[-1] + piece
            length += size
        else:
            lines.append(piece)
            length = size
    return lines


def _cuts(words: list[Word]) -> list[int]:
    """Where the words can be cut: before the weakest operators at the lowest bracket level."""
    best: tuple[int, int] | None = None
    found: list[int] = []
    depth = 0
    for index, (word, _) in enumerate(words):
        if word in ("(", "{"):
            depth += 1
        elif word in (")", "}"):
            depth -= 1
        elif word in _RANK and index and (word != "if" or len(_join(words[:index])) > _SHORT):
            place = (depth, _RANK[word])
            if best is None or place < best:
                best, found = place, []
            if place == best:
                found.append(index)
    return found


def _join(words: list[Word]) -> str:
    parts = [f" {word}" if blank and index else word for index, (word, blank) in enumerate(words)]
    return "".join(parts)
