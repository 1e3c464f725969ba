"""From words to the pieces of a template: agents, sections and lines.

Only what families add to the language is looked at; everything else is copied and left to the parser.  All words used here are names
wherever they cannot mean what they mean here: ``for i in``, ``forall i in``, ``sum(i in``, ``name[``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NoReturn

from epistrat.lang.families.constants import Wrong
from epistrat.lang.families.phrases import BODY_ENDS, BOUNDARIES, Parameter, PhraseReader
from epistrat.lang.families.pieces import Definition, Member, Piece, Range, Repeat, Writer
from epistrat.lang.vocabulary import AGENT_SECTIONS, MODEL_SECTIONS

_HEADERS = frozenset(MODEL_SECTIONS + AGENT_SECTIONS) - {"Lobsvars", "Actions"}


class Reader(PhraseReader):
    """Reads a whole text."""

    # the whole

    def program(self) -> list[Piece]:
        """All pieces of the text."""
        out: list[Piece] = []
        while self.at < self.source.count:
            start = self.at
            try:
                self._line(out)
            except RecursionError:
                self.safely(partial(_too_deep, start))
                self.at = self.source.count
        for name in self.given:
            label = f"it has {', '.join(self.env)}" if self.env else "it has none"
            self.source.report.error("E061", f"the model has no parameter `{name}`: {label}", None)
        return out

    def safely(self, do: Callable[[], None], writer: Writer | None = None) -> bool:
        """Does something; a mistake is reported, and for which indices.  Whether there was none."""
        length = len(writer.words) if writer is not None else 0
        try:
            try:
                do()
            except RecursionError:
                if writer is None:  # while reading, parts are inside each other: the outermost says it
                    raise
                _too_deep(writer.origin[-1] if writer.origin else 0)
        except Wrong as wrong:
            span = self.source.span(wrong.start, wrong.end)
            note = "".join(f", for {name} = {value}" for name, value in (writer.active if writer is not None else ()))
            message = wrong.message + note.replace(", for", " for", 1)
            self.source.report.error(wrong.code, message, span, label=wrong.label, suggestion=wrong.meant)
            if writer is not None:
                writer.active.clear()
                writer.forget(length)
            return False
        return True

    def _line(self, out: list[Piece]) -> None:
        """One line, header or end, or an agent."""
        self._recovering(lambda: self._read_line(out))

    def _recovering(self, read: Callable[[], None]) -> None:
        """Reads something; after a mistake, reading goes on behind the line."""
        start = self.at
        if not self.safely(read):
            self.at = max(self.at, start + 1)
            while self.words[self.at] not in BOUNDARIES and self.words[self.at - 1] != ";":
                self.at += 1

    def _read_line(self, out: list[Piece]) -> None:
        words, at = self.words, self.at
        word, follows = words[at], words[at + 1]
        if word == "for" and self._binds(at + 1):
            self._repeated(out, at + 1)
        elif (
            word == "where"
            and (follows in ("(", "!") or follows.isdigit() or self._is_name(follows))
            and follows != "xor"
        ):
            self._repeated(out, at)
        elif follows == "[" and words[at + 2] not in ("[", "!") and self._family(at + 2) and _names_lines(word):
            self._headed(out)
        elif word == "Agent":
            self._agent(out)
        elif word == "Definitions" and follows == ":":
            self._define()
        elif word in ("Parameters", "Constants") and self._is_name(words[at + 1 + (follows == ":")]):
            self._section(word)
        elif word == "end":
            self._copy(out, at, at + 2)
        elif word in _HEADERS:
            self._copy(out, at, at + 1 + (follows == ":"))
        else:
            if word in self._names and follows in (":", "if"):
                raise Wrong("E018", f"`{word}` is a parameter, a constant or an index already", at, at + 1)
            self._text(out, BOUNDARIES)

    # repeated lines and agents

    def _repeated(self, out: list[Piece], at: int) -> None:
        """``for i in 1..n: line`` or ``for i in 1..n { lines }``; also with ``where`` alone."""
        start = self.at
        scope = self._range(at)[0] if self.words[start] == "for" else Range([], self._where(start))
        body: list[Piece] = []
        with self._scope(scope):
            if self.words[self.at] == "{":
                self.at += 1
                while self.words[self.at] != "}":
                    if self.words[self.at] in ("end", ""):
                        raise Wrong("E007", "expected `}` after the repeated lines", self.at, self.at + 1)
                    self._line(body)
                self.at += 1
            else:
                self._expect(":", "the indices")
                if self.words[self.at] in BOUNDARIES:
                    raise Wrong("E002", "expected a line to repeat", self.at, self.at + 1)
                self._line(body)
        out.append(Repeat(start, scope, body))

    def _headed(self, out: list[Piece]) -> None:
        """A line whose name has a range of indices: one line for each."""
        start = self.at
        name = self.words[start]
        scope, indices = self._brackets(start)
        body: list[Piece] = [Member(start, name, indices)]
        self.ends[start] = self.at
        with self._scope(scope):
            self._text(body, BOUNDARIES)
        out.append(Repeat(start, scope, body))

    def _agent(self, out: list[Piece]) -> None:
        start = self.at
        self._definitions = {}
        body: list[Piece] = []
        scope = Range([], None)
        if self.words[start + 2] == "[" and self._family(start + 3):
            scope, indices = self._brackets(start + 1, some=True)
            self._copy(body, start, start + 1, move=False)
            body.append(Member(start + 1, self.words[start + 1], indices))
        else:
            self._copy(body, start, start + 1)
            self._text(body, BOUNDARIES, only_name=True)
        with self._scope(scope):
            while not (
                self.words[self.at] in ("Agent", "")
                or (self.words[self.at] == "end" and self.words[self.at + 1] == "Agent")
            ):
                self._line(body)
            if self.words[self.at] == "end":
                self._copy(body, self.at, self.at + 2)
        self._definitions = {}
        if scope.binders:
            out.append(Repeat(start, scope, body))
        else:
            out += body

    # sections of constants and definitions

    def _section(self, kind: str) -> None:
        """``Parameters`` or ``Constants``: values that the rest of the text can use."""
        self._mark(self.at)
        self.at += 1 + (self.words[self.at + 1] == ":")
        while self.words[self.at] != "end":
            if self.words[self.at] in BOUNDARIES:
                raise Wrong("E008", f"expected `end {kind}`", self.at, self.at + 1)
            self._recovering(lambda: self._constant(kind))
        if self.words[self.at + 1] != kind:
            raise Wrong("E008", f"expected `end {kind}`, found `end {self.words[self.at + 1]}`", self.at, self.at + 2)
        self.at += 2

    def _constant(self, kind: str) -> None:
        at = self.at
        name = self._new_name(at, "a parameter's name" if kind == "Parameters" else "a constant's name")
        self.at += 1
        try:
            self._expect("=", "the name")
            value = self._constant_here().value(self.env)
        finally:  # known all the same if its value is not
            self.env[name], self._names[name] = self.given.get(name, 1), None
        if kind == "Parameters":
            self.parameters[name] = Parameter(name, value)
            given = name in self.given
            value = self.given.pop(name, value)
            if self.words[self.at] == "in":
                self.at += 1
                self._check(name, value, given)
        self._expect(";", "the value")
        self.env[name] = value

    def _check(self, name: str, value: int, given: bool) -> None:
        start = self.at
        low = self._constant_here().value(self.env)
        self._expect("..", "the lower bound")
        high = None if self.words[self.at] == ";" else self._constant_here().value(self.env)
        self.parameters[name] = Parameter(name, self.parameters[name].value, low, high)
        if value < low or (high is not None and value > high):
            shown = f"{low}..{'' if high is None else high}"
            what = "" if given else "the default "
            self.env[name] = value
            raise Wrong("E061", f"{what}{name} = {value} lies outside {shown}", start, self.at)

    def _define(self) -> None:
        """``Definitions: name if condition; ... end Definitions``"""
        self._mark(self.at)
        self.at += 2
        later = self._defined_here()
        while self.words[self.at] != "end":
            if self.words[self.at] in BOUNDARIES:
                raise Wrong("E008", "expected `end Definitions`", self.at, self.at + 1)
            at = self.at
            name = self._new_name(at, "a definition's name")
            self.at += 1
            scope = self._brackets(at)[0] if self.words[self.at] == "[" else Range([], None)
            self._expect("if", "the definition's name")
            made = Definition(name, scope)
            start = self.at
            with self._scope(scope):
                self._text(made.body, BODY_ENDS)
            for place in range(start, self.at):
                if self.words[place] in later and "." not in (self.words[place - 1], self.words[place + 1]):
                    what = (
                        "uses itself" if self.words[place] == name else f"uses `{self.words[place]}`, which comes later"
                    )
                    raise Wrong("E012", f"the definition `{name}` {what}", place, place + 1)
            later.discard(name)
            self._expect(";", "the condition")
            self._definitions[name] = made
        self.at += 2

    def _defined_here(self) -> set[str]:
        """The names that the section defines."""
        words, found, at = self.words, set(), self.at
        while words[at] not in BOUNDARIES:
            if (at == self.at or words[at - 1] == ";") and words[at + 1] in ("if", "["):
                found.add(words[at])
            at += 1
        return found


def _names_lines(word: str) -> bool:
    return word[0].isalpha() and word != "Agent"


def _too_deep(at: int) -> NoReturn:
    raise Wrong("E003", "too many parts stand inside each other here", at, at + 1)
