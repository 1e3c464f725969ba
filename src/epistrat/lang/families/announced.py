"""Where ``<! f> g`` ends what is announced: a quantifier over indices in f ends there, as it does at a bracket."""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.lang.vocabulary import CLOSERS, COMPARISONS, INFIX, NAME_OR_INFIX, PATH_WORDS

_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_BEFORE_COALITION = (
    CLOSERS | COMPARISONS | INFIX.keys() | NAME_OR_INFIX | PATH_WORDS.keys() | _OPEN | {"!", "", "LTL", "CTL*"}
) - {")"}


def ends_of_announcements(words: Sequence[str]) -> dict[int, int]:
    """For each ``>`` that ends an announcement, where its ``<`` stands.

    Comparisons by ``>`` stand in brackets there; a ``<`` behind an operand compares, any other one opens a coalition.
    """
    found: dict[int, int] = {}
    opened: list[int] = []
    told = False  # whether the word before ends what is announced
    for at, word in enumerate(words):
        last = opened[-1] if opened else None
        before, told = told, False
        if word in _OPEN:
            opened.append(at)
        elif word in _CLOSE and last is not None:
            opened.pop()
            told = words[last] == "[" and words[last + 1] == "!"
        elif word == "<" and (words[at + 1] == "!" or before or words[at - 1] in _BEFORE_COALITION):
            opened.append(at)
        elif word == ">" and last is not None and words[last] == "<":
            opened.pop()
            told = words[last + 1] == "!"
            if told:
                found[at] = last
        elif word == ";":
            opened.clear()
    return found
