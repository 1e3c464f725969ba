"""Texts in texts: ``include "file";`` stands for the words of another file."""

from __future__ import annotations

from collections.abc import Callable

from epistrat.lang.families.expansion import ExpandedWords
from epistrat.lang.lexer import Words
from epistrat.records import dataclass, field
from epistrat.source import JoinedText, Report, SourceText, TooMany

DEEPEST_INCLUDE = 16
MOST_FILES = 200

Include = Callable[[str, str], tuple[str, str]]
"""Given a name and the file that names it, the full name of a file and its text; raises ValueError, in words, if it cannot be had."""


@dataclass
class _Joining:
    """All texts, each once, and the order in which their words are read."""

    report: Report
    include: Include | None
    texts: list[SourceText] = field(default_factory=list)
    order: list[tuple[int, int, int]] = field(default_factory=list)  # text, first word, word behind the last
    wrong: list[tuple[int, int, str]] = field(default_factory=list)  # text, word, message

    def read(self, words: Words, chain: tuple[str, ...]) -> None:
        """Notes the words of a text and of all that it includes."""
        number = len(self.texts)
        self.texts.append(words.source)
        start = 0
        for at in _places(words):
            self.order.append((number, start, at))
            start = at + 3 if words.list[at + 2] == ";" else at + 2
            problem = self._file(words.list[at + 1][1:-1], words.source.name, chain)
            if problem is not None:
                self.wrong.append((number, at + 1, problem))
        self.order.append((number, start, words.count))

    def _file(self, name: str, parent: str, chain: tuple[str, ...]) -> str | None:
        if self.include is None:
            return "this text is not in a file: nothing can be included"
        if len(self.texts) >= MOST_FILES:
            return f"more than {MOST_FILES} files are included"
        try:
            found, text = self.include(name, parent)
        except ValueError as why:
            return f"{name} cannot be included: {why}"
        if found in chain:
            return f"{name} includes itself: {' -> '.join([*chain[chain.index(found) :], found])}"
        if len(chain) > DEEPEST_INCLUDE:
            return f"files are included more than {DEEPEST_INCLUDE} deep"
        source = SourceText(text, found)
        quiet = Report(source)
        try:
            self.read(Words(source, quiet), (*chain, found))
        except TooMany:
            return f"{name} is not ISPL"
        return None


def _places(words: Words) -> list[int]:
    if "include" not in words.distinct:
        return []
    return [at for at, word in enumerate(words.list) if word == "include" and words.list[at + 1][:1] == '"']


def included(words: Words, include: Include | None) -> Words:
    """The words with those of all included files in their places."""
    if not _places(words):
        return words
    joining = _Joining(words.report, include)
    joining.read(words, (words.source.name,))
    source = JoinedText.of(joining.texts)
    report = Report(source)
    joined = Words(source, report)
    begins = [joined.at(base) for base, _ in source.parts]
    for number, at, message in joining.wrong:
        place = begins[number] + at
        report.error("E064", message, joined.span(place, place + 1))
    spliced: list[str] = []
    origin: list[int] = []
    for number, start, end in joining.order:
        places = range(begins[number] + start, begins[number] + end)
        spliced += joined.list[places.start : places.stop]
        origin += places
    return ExpandedWords(joined, spliced, origin, [], {})
