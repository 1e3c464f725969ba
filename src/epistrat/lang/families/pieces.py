"""What a template consists of, and how it is written out: words with the places they come from.

A repeated part whose copies have equal length is written for all values at once, column by column: the commonest parts (a condition on
every member) cost no more than the words they make.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple, Protocol

from epistrat.lang.families.constants import Constant, Env, Wrong
from epistrat.records import dataclass, field

MOST_WORDS = 8_000_000
"""So many words make about 32 MB of text, which is the longest that is read."""
MOST_STEPS = 4_000_000
"""So many values are tried in all; without it a condition that is never true could keep a template busy for ever."""


class Copies(NamedTuple):
    """Words written from ``start`` on: for these indices, and one more that has the next of ``values`` after every ``width`` words."""

    start: int
    indices: tuple[tuple[str, int], ...]
    width: int = 0
    name: str = ""
    values: Sequence[int] = ()


class Writer:
    """The words written so far; ``origin`` holds the index of the template's word for each."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.origin: list[int] = []
        self.copies: list[Copies] = []
        self.active: list[tuple[str, int]] = []
        self.steps = 0

    def put(self, word: str, origin: int) -> None:
        """Writes one word."""
        self.words.append(word)
        self.origin.append(origin)

    def mark(self) -> None:
        """Notes for which indices the next words are written."""
        self.copies.append(Copies(len(self.words), tuple(self.active)))

    def step(self, at: int, end: int, width: int = 1, count: int = 1) -> None:
        """Counts values that are tried and words about to be written."""
        label = "this is repeated too often"
        if len(self.words) + width * count > MOST_WORDS:
            raise Wrong("E063", f"the model would have more than {MOST_WORDS:,} words", at, end, label)
        tried = count * max(1, len(self.active))  # every copy notes all its indices
        if self.steps + tried > MOST_STEPS:
            raise Wrong("E063", f"more than {MOST_STEPS:,} members would have to be looked at", at, end, label)
        self.steps += tried

    def forget(self, length: int) -> None:
        """Takes back the words behind a place."""
        del self.words[length:], self.origin[length:]
        self.copies = [one for one in self.copies if one.start <= length]

    def apart(self) -> Writer:
        """A writer for words that are arranged later."""
        other = Writer()
        other.active, other.steps = self.active, self.steps
        return other


class Piece(Protocol):
    """A part of a template."""

    def write(self, writer: Writer, env: dict[str, int]) -> None:
        """Writes the words for these values of constants and indices."""


@dataclass(slots=True, eq=False)
class Copy:
    """Words that stay as they are."""

    words: list[str]
    origin: list[int]

    def write(self, writer: Writer, env: dict[str, int]) -> None:
        """Copies the words."""
        writer.words += self.words
        writer.origin += self.origin


@dataclass(slots=True, eq=False)
class Value:
    """A number; with ``truth``, the word true or false."""

    at: int
    constant: Constant
    truth: bool = False

    def word(self, env: Env) -> str | None:
        """The number, unless it is negative."""
        value = self.constant.value(env)
        if self.truth:
            return "true" if value else "false"
        return str(value) if value >= 0 else None

    def write(self, writer: Writer, env: dict[str, int]) -> None:
        """Writes the number, a sign before it if it is negative."""
        word = self.word(env)
        if word is None:
            writer.put("-", self.at)
            word = str(-self.constant.value(env))
        writer.put(word, self.at)

    def depends(self, name: str) -> bool:
        """Whether the index occurs in it."""
        return occurs(name, self.constant)


@dataclass(slots=True, eq=False)
class Member:
    """A name with indices: one word."""

    at: int
    name: str
    indices: list[Constant]
    _made: dict[object, str] = field(default_factory=dict)

    def word(self, env: Env) -> str:
        """The name with its values."""
        indices = self.indices
        key: object = indices[0].value(env) if len(indices) == 1 else tuple([one.value(env) for one in indices])
        made = self._made.get(key)
        if made is None:
            values = ",".join(map(str, key)) if isinstance(key, tuple) else key
            made = self._made[key] = f"{self.name}[{values}]"
        return made

    def write(self, writer: Writer, env: dict[str, int]) -> None:
        """Writes the word."""
        writer.put(self.word(env), self.at)

    def depends(self, name: str) -> bool:
        """Whether the index occurs in it."""
        return any(occurs(name, one) for one in self.indices)


def occurs(name: str, constant: Constant) -> bool:
    """Whether an index occurs in an expression."""
    return constant.name == name or any(occurs(name, arg) for arg in constant.args)


@dataclass(slots=True, eq=False)
class Binder:
    """``name in low..high``"""

    name: str
    low: Constant
    high: Constant

    def values(self, env: Env, *, some: bool) -> range:
        """The values; ``some``: there must be one.  A range that ends just before it begins has none, any other must not be empty."""
        low, high = self.low.value(env), self.high.value(env)
        at, end = self.low.start, self.high.end
        if high < low - 1 or (some and high < low):
            raise Wrong("E023", f"the range {low}..{high} of `{self.name}` is empty", at, end)
        if high - low >= MOST_WORDS:
            raise Wrong("E063", f"`{self.name}` has {high - low + 1:,} values: more than {MOST_WORDS:,}", at, end)
        return range(low, high + 1)


@dataclass(slots=True, eq=False)
class Range:
    """All binders of a repeated part, and the condition on their values."""

    binders: list[Binder]
    where: Constant | None
    some: bool = False

    def last(self, env: dict[str, int], writer: Writer) -> Sequence[int]:
        """The values of the last binder, for given values of those before it."""
        binder, where = self.binders[-1], self.where
        values = binder.values(env, some=self.some)
        if where is None:
            return values
        name = binder.name
        if where.op in ("=", "<>") and where.args[0].name == name and not occurs(name, where.args[1]):
            fixed = where.args[1].value(env)
            if where.op == "=":
                return [fixed] if fixed in values else []
            return [value for value in values if value != fixed]
        kept = []
        writer.step(binder.low.start, binder.high.end, width=0, count=len(values))
        for value in values:
            env[name] = value
            if where.value(env):
                kept.append(value)
        return kept

    def before(self, env: dict[str, int], writer: Writer, depth: int = 0) -> Iterator[None]:
        """All values of the binders before the last, which are put into the environment."""
        if depth >= len(self.binders) - 1:
            yield
            return
        binder = self.binders[depth]
        if depth == 0:  # what is far too much is told at once
            ranges = {one.name: (one.low, one.high) for one in self.binders}
            fixed = [one for one in self.binders if not any(occurs(n, c) for n in ranges for c in ranges[one.name])]
            number = prod(len(one.values(env, some=self.some)) for one in fixed)
            width = int(self.where is None)
            steps = writer.steps
            writer.step(binder.low.start, self.binders[-1].high.end, width, number)
            writer.steps = steps
        for value in binder.values(env, some=self.some):
            writer.step(binder.low.start, binder.high.end)
            env[binder.name] = value
            writer.active.append((binder.name, value))
            yield from self.before(env, writer, depth + 1)
            writer.active.pop()


@dataclass(slots=True, eq=False)
class Repeat:
    """A part for all values of some indices, joined by ``joint``; in brackets, or ``empty`` instead, if there is a word for that."""

    at: int
    range: Range
    body: list[Piece]
    joint: str = ""
    empty: str = ""
    brackets: bool = False  # around every copy

    def write(self, writer: Writer, env: dict[str, int]) -> None:
        """Writes all copies."""
        inner = dict(env)
        if self.empty:
            writer.put("(", self.at)
        start = len(writer.words)
        if not self.range.binders:
            if self.range.where is None or self.range.where.value(inner):
                self._copy(writer, inner)
        else:
            for _ in self.range.before(inner, writer):
                self._last(writer, inner)
        if len(writer.words) == start:
            if self.range.some:
                binders = self.range.binders
                message = f"`where` leaves no value of `{binders[-1].name}`"
                raise Wrong("E023", message, binders[0].low.start, binders[-1].high.end)
            if self.empty:
                writer.words.pop()
                writer.origin.pop()
                writer.put(self.empty, self.at)
            elif self.joint and writer.words and writer.words[-1] == self.joint:
                writer.words.pop()
                writer.origin.pop()
            return
        if self.joint:
            writer.words.pop()
            writer.origin.pop()
        writer.mark()
        if self.empty:
            writer.put(")", self.at)

    def _last(self, writer: Writer, env: dict[str, int]) -> None:
        name = self.range.binders[-1].name
        values = self.range.last(env, writer)
        at, end = self.range.binders[-1].low.start, self.range.binders[-1].high.end
        if self._at_once(writer, env, name, values):
            return
        for value in values:
            writer.step(at, end)
            env[name] = value
            writer.active.append((name, value))
            self._copy(writer, env)
            writer.active.pop()

    def _copy(self, writer: Writer, env: dict[str, int]) -> None:
        writer.mark()
        if self.brackets:
            writer.put("(", self.at)
        for piece in self.body:
            piece.write(writer, env)
        if self.brackets:
            writer.put(")", self.at)
        if self.joint:
            writer.put(self.joint, self.at)

    def _at_once(self, writer: Writer, env: dict[str, int], name: str, values: Sequence[int]) -> bool:
        """Writes the copies for all values of the last index, if all are equally long; whether it did."""
        words: list[str] = ["("] if self.brackets else []
        origin = [self.at] * len(words)
        columns: list[tuple[int, list[str]]] = []
        for piece in self.body:
            if isinstance(piece, Copy):
                words += piece.words
                origin += piece.origin
                continue
            if not isinstance(piece, (Member, Value)):
                return False
            column = _column(piece, env, name, values)
            if column is None:
                return False
            columns.append((len(words), column))
            words.append("")
            origin.append(piece.at)
        words += [")"] * self.brackets + [self.joint] * bool(self.joint)
        origin += [self.at] * (len(words) - len(origin))
        binder = self.range.binders[-1]
        writer.step(binder.low.start, binder.high.end, len(words), len(values))
        writer.copies.append(Copies(len(writer.words), tuple(writer.active), len(words), name, values))
        block = words * len(values)
        for place, column in columns:
            block[place :: len(words)] = column
        writer.words += block
        writer.origin += origin * len(values)
        return True


def _column(piece: Member | Value, env: dict[str, int], name: str, values: Sequence[int]) -> list[str] | None:
    """The words that a piece becomes for all values of an index; None if one of them is not a word."""
    found: list[str] = []
    if not piece.depends(name):
        word = piece.word(env)
        return None if word is None else [word] * len(values)
    for value in values:
        env[name] = value
        word = piece.word(env)
        if word is None:
            return None
        found.append(word)
    return found


@dataclass(slots=True, eq=False)
class Definition:
    """A named condition of an agent, perhaps with indices."""

    name: str
    range: Range
    body: list[Piece] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Defined:
    """The use of a definition: its condition, in brackets."""

    at: int
    end: int
    definition: Definition
    indices: list[Constant]

    def write(self, writer: Writer, env: dict[str, int]) -> None:
        """Writes the condition for these indices."""
        binders = self.definition.range.binders
        inner = dict(env)
        for binder, index in zip(binders, self.indices, strict=True):
            value = inner[binder.name] = index.value(env)
            if value not in binder.values(inner, some=True):
                name = f"{self.definition.name}[{value}]"
                raise Wrong("E012", f"there is no definition `{name}`", self.at, self.end)
        writer.step(self.at, self.end)
        writer.put("(", self.at)
        for piece in self.definition.body:
            piece.write(writer, inner)
        writer.put(")", self.at)
