"""Index arithmetic: expressions over parameters, constants and indices, which have a value before there is a model.

Whole numbers with ``+ - * / mod min max pow``, compared and joined by ``and or !``.  ``/`` must leave no remainder; ``mod`` is never
negative for a positive divisor.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from epistrat.lang.names import closest, listing
from epistrat.lang.vocabulary import COMPARISONS
from epistrat.records import dataclass

LARGEST = 2**31 - 1
"""Numbers of a model's ranges have 32 bits; so have those that count its members."""

Env = Mapping[str, int]


class Wrong(Exception):
    """A mistake in a template, and the words it is about."""

    def __init__(
        self, code: str, message: str, start: int, end: int, label: str = "", meant: str | None = None
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.label, self.meant = code, message, label, meant
        self.start, self.end = start, end


def quoted(word: str) -> str:
    """A word that was not expected, as a message quotes it."""
    return f"found `{word}`" if word else "the text ends"


@dataclass(slots=True, eq=False)
class Constant:
    """An expression; ``op`` is ``#`` for a number or truth value, ``name``, or an operator."""

    start: int
    end: int
    op: str
    args: list[Constant]
    name: str = ""
    number: int = 0

    def value(self, env: Env) -> int:
        """The value; truth values are 1 and 0."""
        if self.op == "name":
            return env[self.name]
        if self.op == "#":
            return self.number
        values = [arg.value(env) for arg in self.args]
        try:
            found = _OPERATIONS[self.op](*values)
        except ZeroDivisionError:
            raise Wrong("E062", "the divisor is 0", self.start, self.end) from None
        except ArithmeticError as why:
            raise Wrong("E062", str(why), self.start, self.end) from None
        if abs(found) > LARGEST:
            raise Wrong("E062", f"the value lies outside -{LARGEST}..{LARGEST}", self.start, self.end)
        return found


def _quotient(left: int, right: int) -> int:
    if left % right:
        raise ArithmeticError(f"{left} / {right} leaves a remainder")
    return left // right


def _power(base: int, exponent: int) -> int:
    if exponent < 0 or exponent > 64:
        raise ArithmeticError("the exponent of pow lies between 0 and 64")
    return int(base**exponent)


_OPERATIONS: dict[str, Callable[..., int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
    "mod": lambda a, b: a % b,
    "negative": lambda a: -a,
    "min": min,
    "max": max,
    "pow": _power,
    "!": lambda a: 1 - a,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "=": lambda a, b: int(a == b),
    "<>": lambda a, b: int(a != b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}
_TRUTH = COMPARISONS | {"and", "or", "!"}
_FUNCTIONS = ("min", "max", "pow")
SUM, PRODUCT, FACTOR = 0, 1, 2


class NotConstant(Exception):
    """Raised where a word is no part of a constant expression; ``at`` is the word."""

    def __init__(self, at: int) -> None:
        self.at = at


class ConstantParser:
    """Reads constant expressions from a list of words.  ``names`` are the constants and indices in scope."""

    def __init__(self, words: list[str], names: Collection[str]) -> None:
        self.words = words
        self.names = names
        self.at = 0
        self.used = 0  # how many names were read
        self._depth = 0

    def whole(self, at: int, *, truth: bool = False) -> Constant:
        """The expression that must stand here; ``at`` is moved behind it."""
        self.at = at
        try:
            found = self._either() if truth else self.level(SUM)
        except NotConstant as stop:
            raise self.unknown(stop.at) from None
        if truth != (found.op in _TRUTH):
            what = "a condition on indices" if truth else "a number"
            raise Wrong("E060", f"{what} is needed here", found.start, found.end)
        return found

    def unknown(self, at: int) -> Wrong:
        """What to say of a word that is no part of a constant expression."""
        word = self.words[at]
        known = listing(self.names) or "none"
        if word[:1].isalpha():
            label = f"known here: {known}"
            return Wrong(
                "E060", f"there is no index or constant `{word}`", at, at + 1, label, closest(word, self.names)
            )
        return Wrong("E060", f"expected a number, an index or a constant, {quoted(word)}", at, at + 1)

    def _either(self) -> Constant:
        return self._chain(("or",), self._both)

    def _both(self) -> Constant:
        return self._chain(("and",), self._test)

    def _test(self) -> Constant:
        start = self.at
        if self.words[start] == "!":
            self.at += 1
            arg = self._test()
            return Constant(start, self.at, "!", [arg])
        if self.words[start] == "(":
            try:
                return self._compared(self.level(SUM))
            except NotConstant:
                self.at = start + 1
                found = self._either()
                self._close()
                return found
        return self._compared(self.level(SUM))

    def _compared(self, left: Constant) -> Constant:
        op = self.words[self.at]
        if op not in COMPARISONS:
            raise NotConstant(self.at)
        self.at += 1
        right = self.level(SUM)
        return Constant(left.start, self.at, op, [left, right])

    def _chain(self, ops: tuple[str, ...], part: Callable[[], Constant]) -> Constant:
        found = part()
        while (op := self.words[self.at]) in ops:
            self.at += 1
            found = Constant(found.start, self.at, op, [found, part()])
            found.end = self.at
        return found

    def level(self, level: int) -> Constant:
        """A sum, product or factor.  It ends before an operator whose right side is not constant."""
        if level == FACTOR:
            return self._factor()
        ops = ("+", "-") if level == SUM else ("*", "/", "mod")
        found = self.level(level + 1)
        while (op := self.words[self.at]) in ops:
            back, used = self.at, self.used
            self.at += 1
            try:
                right = self.level(level + 1)
                if level == SUM and self.words[self.at] in ("*", "/"):
                    raise NotConstant(self.at)
            except NotConstant:
                if op == "mod":
                    raise
                self.at, self.used = back, used
                break
            found = Constant(found.start, self.at, op, [found, right])
        return found

    def _factor(self) -> Constant:
        start, word = self.at, self.words[self.at]
        self._depth += 1
        if self._depth > 100:
            raise Wrong("E003", "brackets are nested more than 100 deep here", start, start + 1)
        try:
            return self._factor_at(start, word)
        finally:
            self._depth -= 1

    def _factor_at(self, start: int, word: str) -> Constant:
        follows = self.words[start + 1]
        if word in self.names and follows not in (".", "["):
            self.at, self.used = start + 1, self.used + 1
            return Constant(start, self.at, "name", [], word)
        if word.isdigit():
            self.at = start + 1
            if len(word) > 10 or int(word) > LARGEST:
                raise Wrong("E062", f"the value lies outside -{LARGEST}..{LARGEST}", start, start + 1)
            return Constant(start, self.at, "#", [], number=int(word))
        if word == "-":
            self.at = start + 1
            arg = self._factor()
            return Constant(start, self.at, "negative", [arg])
        if word == "(":
            self.at = start + 1
            found = self.level(SUM)
            self._close()
            return Constant(start, self.at, found.op, found.args, found.name, found.number)
        if word in _FUNCTIONS and follows == "(":
            return self._function(start, word)
        raise NotConstant(start)

    def _function(self, start: int, word: str) -> Constant:
        self.at = start + 2
        left = self.level(SUM)
        if self.words[self.at] != ",":
            raise NotConstant(self.at)
        self.at += 1
        right = self.level(SUM)
        self._close()
        return Constant(start, self.at, word, [left, right])

    def _close(self) -> None:
        if self.words[self.at] != ")":
            raise NotConstant(self.at)
        self.at += 1
