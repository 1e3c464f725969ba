"""What families add inside a line: quantifiers, indexed names, numbers made of indices, and their ranges."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple

from epistrat.lang.families.announced import ends_of_announcements
from epistrat.lang.families.constants import FACTOR, PRODUCT, SUM, Constant, ConstantParser, NotConstant, Wrong, quoted
from epistrat.lang.families.counting import Counted
from epistrat.lang.families.pieces import Binder, Copy, Defined, Definition, Member, Piece, Range, Repeat, Value
from epistrat.lang.lexer import Words
from epistrat.lang.names import closest
from epistrat.lang.vocabulary import AGENT_SECTIONS, CLOSERS, COMPARISONS, LETTERS, MODEL_SECTIONS, STRUCTURE, is_read

BOUNDARIES = frozenset(AGENT_SECTIONS + MODEL_SECTIONS + ("Agent", "end", "Definitions", ""))
_QUANTIFIERS = {"forall": ("and", "true"), "exists": ("or", "false")}
BODY_ENDS = frozenset({")", "}", "]", ";", ",", "if", ":", "end", ""})
_WEAK = frozenset({"or", "xor", "->", "<->"})
_ARITHMETIC = frozenset({"+", "-", "*", "/"})
_BEFORE_OPERAND = COMPARISONS | CLOSERS | {"(", "{", "..", "!", "", "+", "-", "*", "/"}


class Parameter(NamedTuple):
    """A parameter as it is declared: its default value and its range; None where that has no end."""

    name: str
    value: int
    least: int | None = None
    most: int | None = None


class PhraseReader:
    """Reads what stands in a line.  ``env`` holds the parameters and constants, ``first`` where the first family stands."""

    def __init__(self, words: Words, given: Mapping[str, int], known: Mapping[str, int]) -> None:
        self.source = words
        self.words = words.list
        self.given = dict(given)
        self.env: dict[str, int] = dict(known)
        self.at = 0
        self.first: int | None = None
        self.parameters: dict[str, Parameter] = {}
        self.ends: dict[int, int] = {}  # where what was replaced ends, by where it starts
        self._names: dict[str, None] = dict.fromkeys(known)
        self._definitions: dict[str, Definition] = {}
        self._announced = ends_of_announcements(self.words)

    # words in a line

    def _text(self, out: list[Piece], ends: Collection[str], *, only_name: bool = False) -> None:
        """Words up to one of the ends at the same depth, or, in a line, up to and with its semicolon."""
        words = self.words
        start, begin, depth = self.at, self.at, 0
        line = ends is BOUNDARIES  # a line may begin with `Actions`
        while True:
            at = self.at
            word = words[at]
            if (depth <= 0 and word in ends and not (line and at == begin)) or word == "" or (only_name and at > begin):
                break
            if depth <= 0 and not line and self._announced.get(at, begin) < begin:
                break
            if word in "({[":  # indices are read as a whole: here `[` begins a reading, an announcement or a quantifier
                depth += 1
            elif word in ")}]":
                depth -= 1
            piece = self._special(word, at)
            if piece is None:
                self.at = at + 1
                if word == ";" and line:
                    self._copy(out, start, self.at)
                    return
                continue
            if word == "(":
                depth -= 1
            self._copy(out, start, at, move=False)
            out.append(piece)
            self.ends[at] = self.at
            start = self.at
            if only_name:
                return
        self._copy(out, start, self.at)

    def _special(self, word: str, at: int) -> Piece | None:
        """What families make of the word at hand; the place is moved behind it.  None for a word that is copied."""
        words = self.words
        follows = words[at + 1]
        if word in _QUANTIFIERS and self._binds(at + 1):
            return self._quantified(at)
        if word in ("sum", "count") and follows == "(" and self._binds(at + 2):
            return self._folded(at)
        if follows == "[" and word[0].isalpha() and words[at + 2] not in ("[", "!") and not is_read(words, at):
            return self._indexed(word, at)
        if word == "(" and words[at + 2] == "[" and follows[0].isalpha() and self._family(at + 3):
            return self._bindings(at)
        if word in self._definitions and words[at - 1] != "." and follows != ".":
            self._mark(at)
            self.at = at + 1
            return self._defined(self._definitions[word], at, [])
        return self._value(word, at)

    def _quantified(self, at: int) -> Piece:
        joint, empty = _QUANTIFIERS[self.words[at]]
        scope, body, start = self._body_over(at + 1, "a condition or a formula")
        return Repeat(at, scope, body, joint, empty, self._weak(start, self.at))

    def _body_over(self, at: int, what: str) -> tuple[Range, list[Piece], int]:
        """``i in 1..n: body``: the indices, the body, and where it starts."""
        scope, _ = self._range(at)
        self._expect(":", "the indices")
        body: list[Piece] = []
        start = self.at
        with self._scope(scope):
            self._text(body, BODY_ENDS)
        if self.at == start:
            raise Wrong("E002", f"expected {what}", start, start + 1)
        return scope, body, start

    def _weak(self, start: int, end: int) -> bool:
        """Whether operators that bind weaker than ``and`` stand outside all brackets."""
        depth = 0
        for word in self.words[start:end]:
            depth += (word in ("(", "{", "[")) - (word in (")", "}", "]"))
            if depth == 0 and word in _WEAK:
                return True
        return False

    def _folded(self, at: int) -> Piece:
        """``sum(i in 1..n: value)``, or ``count(i in 1..n: condition)`` compared with a number."""
        kind = self.words[at]
        scope, body, start = self._body_over(at + 2, "a value" if kind == "sum" else "a condition")
        long = self.at > start + 1
        self._expect(")", f"the {'value' if kind == 'sum' else 'condition'}")
        if kind == "sum":
            return Repeat(at, scope, body, "+", "0", long)
        op = self.words[self.at]
        if op not in COMPARISONS:
            message = "`count` is compared with a number: write `count(...) >= 2`"
            raise Wrong("E002", message, at, self.at)
        self.at += 1
        number = self._constant_here()
        return Counted(at, self.at, Repeat(at, scope, body, ",", "", True), op, number)

    def _indexed(self, word: str, at: int) -> Piece:
        if self._family(at + 2):
            scope, members = self._brackets(at)
            return Repeat(at, scope, [Member(at, word, members)], ",")
        self._mark(at)
        self.at = at + 2
        indices = [self._constant_here()]
        while self.words[self.at] == ",":
            self.at += 1
            indices.append(self._constant_here())
        self._expect("]", "the index")
        definition = self._definitions.get(word)
        if definition is not None and self.words[at - 1] != ".":
            return self._defined(definition, at, indices)
        return Member(at, word, indices)

    def _bindings(self, at: int) -> Piece | None:
        """``(agent[i in 1..n], x[i])``: a binding of each member; None where no comma follows the member."""
        scope, members = self._brackets(at + 1)
        if self.words[self.at] != ",":
            self.at = at
            return None
        body: list[Piece] = [Copy(["("], [at]), Member(at + 1, self.words[at + 1], members)]
        with self._scope(scope):
            self._text(body, {")"})
        self._expect(")", "the strategy")
        return Repeat(at, scope, [*body, Copy([")"], [self.at - 1])])

    def _defined(self, definition: Definition, at: int, indices: list[Constant]) -> Piece:
        if len(indices) != len(definition.range.binders):
            wanted = len(definition.range.binders)
            raise Wrong(
                "E012", f"the definition `{definition.name}` has {wanted} indices, not {len(indices)}", at, self.at
            )
        return Defined(at, self.at, definition, indices)

    def _value(self, word: str, at: int) -> Piece | None:
        """A number that depends on constants or indices, as large a part of the expression as has a value."""
        words = self.words
        before = words[at - 1] if at else ""
        if before == "." or not self._starts_constant(word, at, before):
            return None
        parser = ConstantParser(words, self._names)
        parser.at = at
        level = FACTOR if before in ("*", "/") else PRODUCT if before in ("+", "-") else SUM
        try:
            found = parser.level(level)
        except NotConstant:
            return None
        self.at = parser.at
        if level == SUM and words[parser.at] in COMPARISONS:
            test = self._test(found, parser)
            if test is not None:
                return test
        if not parser.used:
            self.at = at
            return None
        self._mark(at)
        return Value(at, found)

    def _starts_constant(self, word: str, at: int, before: str) -> bool:
        if word in self._names:
            return self.words[at + 1] not in (".", "[")
        if not self._names:
            return False
        if word == "-":
            return before in _BEFORE_OPERAND and before not in _ARITHMETIC
        if word.isdigit():
            return self.words[at + 1] in ("+", "-", "*", "/", "mod") or self.words[at + 1] in COMPARISONS
        return word in ("(", "min", "max", "pow")

    def _test(self, left: Constant, parser: ConstantParser) -> Piece | None:
        """A comparison of constants."""
        back, used = parser.at, parser.used
        parser.at += 1
        with suppress(NotConstant):
            right = parser.level(SUM)
            if parser.used and (self.words[parser.at] in CLOSERS):
                self._mark(left.start)
                self.at = parser.at
                return Value(left.start, Constant(left.start, parser.at, self.words[back], [left, right]), truth=True)
        parser.at, parser.used = back, used
        return None

    # ranges

    def _binds(self, at: int) -> bool:
        """Whether ``name in`` stands here."""
        return self.words[at + 1] == "in" and self._is_name(self.words[at])

    def _is_name(self, word: str) -> bool:
        return word[:1].isalpha() and word not in STRUCTURE

    def _family(self, at: int) -> bool:
        """Whether one of the indices that begin here has a range."""
        while self.words[at] not in ("]", ";", ""):
            if self._binds(at):
                return True
            at += 1
        return False

    def _brackets(self, at: int, *, some: bool = False) -> tuple[Range, list[Constant]]:
        """``name[i in 1..n, 2 where ...]``, read up to and with the closing bracket; the indices of a member."""
        scope, indices = self._range(at + 2, some=some, mixed=True)
        self._expect("]", "the indices")
        return scope, indices

    def _range(self, at: int, *, some: bool = False, mixed: bool = False) -> tuple[Range, list[Constant]]:
        """``i in 1..n, j in 1..n where ...``; ``mixed``: values may stand between the indices."""
        self._mark(at)
        binders: list[Binder] = []
        indices: list[Constant] = []
        self.at = at
        before = dict(self._names)
        try:
            while not indices or (self.words[self.at] == "," and (mixed or self._binds(self.at + 1))):
                self.at += bool(indices)
                if not self._binds(self.at) and mixed:
                    indices.append(self._constant_here())
                    continue
                name = self._new_name(self.at, "an index")
                indices.append(Constant(self.at, self.at + 1, "name", [], name))
                self.at += 2
                low = self._constant_here()
                self._expect("..", "the lower bound")
                binders.append(Binder(name, low, self._constant_here()))
                self._names[name] = None
            where = self._where(self.at) if self.words[self.at] == "where" else None
        finally:
            self._names = before
        return Range(binders, where, some), indices

    def _where(self, at: int) -> Constant:
        self._mark(at)
        parser = ConstantParser(self.words, self._names)
        found = parser.whole(at + 1, truth=True)
        self.at = parser.at
        return found

    def _constant_here(self) -> Constant:
        parser = ConstantParser(self.words, self._names)
        found = parser.whole(self.at)
        self.at = parser.at
        return found

    def _new_name(self, at: int, what: str) -> str:
        word = self.words[at]
        if not self._is_name(word):
            raise Wrong("E002", f"expected {what}, {quoted(word)}", at, at + 1)
        if word in LETTERS or word in ("in", "mod", "for", "where"):
            raise Wrong("E006", f"`{word}` cannot be {what}", at, at + 1)
        if word in self._names or word in self._definitions:
            raise Wrong("E018", f"`{word}` is a parameter, a constant, a definition or an index already", at, at + 1)
        return word

    @contextmanager
    def _scope(self, scope: Range) -> Iterator[None]:
        """The names of some indices, for as long as a part is read."""
        names = [binder.name for binder in scope.binders]
        self._names.update(dict.fromkeys(names))
        try:
            yield
        finally:
            for name in names:
                self._names.pop(name, None)

    # small steps

    def _mark(self, at: int) -> None:
        self.first = at if self.first is None else min(self.first, at)

    def _expect(self, mark: str, after: str) -> None:
        if self.words[self.at] != mark:
            word = self.words[self.at]
            message, meant = f"expected `{mark}` after {after}, {quoted(word)}", mark if closest(word, [mark]) else None
            raise Wrong("E007", message, self.at, self.at + 1, meant=meant)
        self.at += 1

    def _copy(self, out: list[Piece], start: int, end: int, *, move: bool = True) -> None:
        end = min(end, self.source.count)
        if end > start:
            out.append(Copy(self.words[start:end], list(range(start, end))))
        if move:
            self.at = max(end, start)
