"""Walking over the words: look, expect, complain, and find the way back after a mistake."""

from __future__ import annotations

from typing import Unpack

from epistrat.lang.lexer import Words
from epistrat.lang.syntax import Assign, Node, Who
from epistrat.lang.vocabulary import AGENT_SECTIONS, LETTERS, MODEL_SECTIONS, STRUCTURE
from epistrat.source import Edit, Fix, More

# How far brackets may be nested, and how high the tree of an expression may be.  Everything behind the parser walks trees
# recursively, and Python's own limit is no way to tell a person.
DEEPEST = 128

_STOPS = frozenset(AGENT_SECTIONS + MODEL_SECTIONS + ("Agent", "end", ""))


class Mistake(Exception):
    """Raised when a line cannot be read any further; it has been reported.  ``parts`` are the nodes that were read before."""

    def __init__(self) -> None:
        self.parts: list[Node | Assign | Who] = []


class Cursor:
    """A place in the list of words."""

    def __init__(self, words: Words, strict: bool = False) -> None:
        self.source = words
        self.report = words.report
        self.words = words.list
        self.strict = strict
        self.at = 0
        self.depth = 0
        free = frozenset(word for word in words.distinct if word[0].isalnum() and word not in STRUCTURE)
        written = frozenset(word for word in free if word[0].isalpha())
        self.names = written - LETTERS if strict else written
        self.owners = written | {"Environment"}  # what stands before a point, behind one, and alone as an operand
        self.owned = written | {"Action"}
        self.simple = free | {"Action", "true", "false"}

    @property
    def word(self) -> str:
        """The word at hand; empty at the end."""
        return self.words[self.at]

    def found(self) -> str:
        """The word at hand as a message quotes it."""
        return f"found `{self.word}`" if self.word else "the text ends"

    def fail(self, expected: str, code: str = "E002", **more: Unpack[More]) -> Mistake:
        """Reports that something else was expected at the word at hand; to be raised."""
        message = f"expected {expected}, {'' if self.word else 'but '}{self.found()}"
        self.source.error(code, message, self.at, **more)
        return Mistake()

    def accept(self, word: str) -> bool:
        """Steps over the word if it is at hand."""
        if self.words[self.at] == word:
            self.at += 1
            return True
        return False

    def expect(self, mark: str, after: str) -> None:
        """Steps over a mark that must stand here."""
        if self.words[self.at] != mark:
            self.missing(mark, after)
            raise Mistake
        self.at += 1

    def missing(self, mark: str, after: str) -> None:
        """Reports a missing mark, at the place where it should stand."""
        note = f"{self.found()} instead" if self.word else "the text ends here"
        place = self.source.after(self.at)
        fix = Fix(f"insert `{mark}`", (Edit(place, mark),))
        self.report.error("E007", f"expected `{mark}` after {after}", place, label=note, edit=fix)

    def semicolon(self, after: str) -> None:
        """Ends a line.  A line that is only not ended does not spoil the next one."""
        if self.accept(";"):
            return
        self.missing(";", after)
        if self.source.same_line(self.at):
            raise Mistake

    def name(self, what: str) -> int:
        """Steps over a name and gives its index."""
        word = self.word
        if word in self.names:
            self.at += 1
            return self.at - 1
        if word in STRUCTURE or word in LETTERS:
            if word in LETTERS:
                self.source.error("E050", f"MCMAS reserves `{word}`: it cannot be {what}", self.at)
                self.at += 1
                return self.at - 1
            if word != "end":
                self.source.error("E006", f"`{word}` is a reserved word and cannot be {what}", self.at)
                raise Mistake
        raise self.fail(what)

    def names_in_braces(
        self, what: str, *, empty: bool, environment: bool = False, into: list[int] | None = None
    ) -> list[int]:
        """``{name, name}``; the indices of the names, put ``into`` a list one by one, so that a mistake leaves those before it."""
        if not self.accept("{"):
            raise self.fail("`{`")
        names = [] if into is None else into
        if empty and self.accept("}"):
            return names
        while True:
            if environment and self.word == "Environment":
                names.append(self.at)
                self.at += 1
            else:
                names.append(self.name(what))
            if self.accept("}"):
                return names
            if not self.accept(","):
                raise self.fail("`,` or `}`")

    def recover(self) -> None:
        """After a mistake: goes behind the next ``;``, but not past the end of the section."""
        words = self.words
        at = self.at
        self.depth = 0
        while words[at] not in _STOPS:
            at += 1
            if words[at - 1] == ";":
                break
        self.at = at

    def enter(self) -> None:
        """One bracket deeper."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.source.error("E003", f"brackets are nested more than {DEEPEST} deep here", self.at)
            raise Mistake
