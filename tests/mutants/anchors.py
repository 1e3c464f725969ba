"""Where a planted bug belongs: by the words of the code, whatever its layout, and in whichever module the code lies by now.

So a module that is cut in two, or a line that is wrapped, does not make planted bugs stale; code that says something else does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

_WORD = re.compile(r"\w+|[^\w\s]")
_CLOSING = frozenset(")]}")


class Place(NamedTuple):
    """Where the words begin and end in a text."""

    start: int
    end: int


def places(text: str, old: str) -> Iterator[Place]:
    """Where the text has the words of another, whatever blanks are between them, and commas before a bracket that closes."""
    wanted = [word[0] for word in _words(old)]
    if wanted and all(word in text for word in wanted):
        there = _words(text)
        words = [word[0] for word in there]
        for number in range(len(words) - len(wanted) + 1):
            if words[number] == wanted[0] and words[number : number + len(wanted)] == wanted:
                yield Place(there[number].start(), there[number + len(wanted) - 1].end())


def _words(text: str) -> list[re.Match[str]]:
    found = list(_WORD.finditer(text))
    return [one for one, after in pairwise([*found, None]) if one is not None and not _trails(one, after)]


def _trails(one: re.Match[str], after: re.Match[str] | None) -> bool:
    return one[0] == "," and after is not None and after[0] in _CLOSING


def written(text: str, place: Place, old: str, new: str) -> str:
    """The text with the words at a place replaced; what goes over several lines is indented as the words there are."""
    line = text.rfind("\n", 0, place.start) + 1
    here = len(text[line:]) - len(text[line:].lstrip(" "))
    lines = new.strip("\n").split("\n")
    shift = here - _indent(old.strip("\n").split("\n"))
    moved = [one if not one.strip() else " " * max(0, _indent([one]) + shift) + one.lstrip(" ") for one in lines]
    return text[: place.start] + "\n".join(moved).strip() + text[place.end :]


def _indent(lines: Iterable[str]) -> int:
    first = next(iter(lines))
    return len(first) - len(first.lstrip(" "))
