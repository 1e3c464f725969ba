"""Where a place is: in which agent, section and line, and which words stand before it.

Only words are looked at, not the tree, so that the answer is the same however broken the text behind the place is.
"""

from __future__ import annotations

from epistrat.lang.analysis import Analysis
from epistrat.lang.lexer import COMMENT, WORD
from epistrat.lang.vocabulary import AGENT_SECTIONS, MODEL_SECTIONS
from epistrat.records import dataclass
from epistrat.source import Span

_OUTSIDE = frozenset((*MODEL_SECTIONS, "Parameters", "Constants"))
_SECTIONS = frozenset((*AGENT_SECTIONS, "Definitions", *_OUTSIDE))


@dataclass(frozen=True, slots=True)
class Context:
    """A place in a text.

    ``agent`` and ``section`` are empty outside; ``line`` are the words of the declaration, rule, assignment or formula before the word at
    the place, without indices in brackets; ``word`` is the range of that word up to the place (empty between words).
    """

    agent: str
    section: str
    line: list[str]
    word: Span


def context_at(analysis: Analysis, offset: int) -> Context | None:
    """Where an offset is; None inside a comment."""
    words, text = analysis.words.written, analysis.source.text
    at = words.at(offset)
    place = words.span(at, at + 1) if at < words.count else Span(len(text), len(text))
    if place.start >= offset and in_comment(analysis, offset, at):
        return None
    word = Span(offset, offset)
    if place.start < offset:
        if text[place.start].isalnum():
            word = Span(place.start, offset)
        else:
            at += 1
    agent, section, start = _around(words.list, at)
    line = words.list[start:at]
    if ";" in line:
        line = line[len(line) - line[::-1].index(";") :]
    return Context(agent, section, without_indices(line), word)


def without_indices(words: list[str]) -> list[str]:
    """The words without those in square brackets; inside a bracket that is still open, only the bracket."""
    if "[" not in words:
        return words
    found: list[str] = []
    depth = 0
    for word in words:
        if word == "[":
            depth += 1
        elif word == "]" and depth:
            depth -= 1
        elif not depth:
            found.append(word)
    return ["["] if depth else found


def in_comment(analysis: Analysis, offset: int, at: int) -> bool:
    """Whether an offset between words, in front of the one with index ``at``, lies in a comment."""
    text = analysis.source.text
    end = analysis.words.written.span(at - 1, at).end if at else 0
    for match in WORD.finditer(text, end):
        if match.start() >= offset:
            return False
        if match.group().startswith(COMMENT):
            open_ended = match.group().startswith(("--", "//")) or not match.group().endswith("*/")
            if offset < match.end() or (open_ended and offset == match.end()):
                return True
    return False


def _behind_name(words: list[str], at: int) -> int:
    """The index behind a name and its indices."""
    if words[at + 1] != "[":
        return at + 1
    while words[at] not in ("]", ""):
        at += 1
    return at + 1


def _around(words: list[str], end: int) -> tuple[str, str, int]:
    """The agent and section that the word in front of index ``end`` belongs to, and where its lines begin."""
    section, start = "", end
    closed = False  # an ``end`` of a section stands between, so we are in none
    for at in range(end - 1, -1, -1):
        word, before = words[at], words[at - 1] if at else ""
        if word == "Agent":
            if before == "end":
                return "", section, start if section or closed else at + 1
            if at + 1 >= end:
                return "", "Agent", at
            return words[at + 1], section, start if section or closed else _behind_name(words, at + 1)
        if word not in _SECTIONS or section or before == ".":
            continue
        if before == "end":
            if word in _OUTSIDE:
                return "", "", at + 1
            if not closed:
                closed, start = True, at + 1
        elif word in ("Lobsvars", "Actions") and ";" in words[at:end]:
            if not closed:
                closed, start = True, at + 1
        elif not closed:
            section, start = word, at + 1
            if start < end and words[start] in (":", "="):
                start += 1
            if word in _OUTSIDE:
                return "", section, start
    return "", section, start if section or closed else 0
