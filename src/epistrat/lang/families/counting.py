"""How many members satisfy a condition, compared with a number: written out with ``and``, ``or`` and ``!`` while that is short.

At least k of n conditions hold if for some j at least j of the first half and at least k - j of the second half do.  Where that takes
more than `MOST_SPELT` words, all conditions are listed once, ``count(c1, c2, ...) >= k``, which the parser knows.
"""

from __future__ import annotations

from epistrat.lang.families.constants import Constant
from epistrat.lang.families.pieces import Repeat, Writer
from epistrat.records import dataclass, field

Text = tuple[list[str], list[int]]

MOST_SPELT = 2000
"""About eighteen members compared with their half; hundreds compared with two."""


class _TooLong(Exception):
    """The words would be too many."""


@dataclass(slots=True, eq=False)
class Counted:
    """``count(...) op number``"""

    at: int
    end: int
    members: Repeat
    op: str
    number: Constant

    def write(self, writer: Writer, env: dict[str, int]) -> None:
        """Writes the comparison as a condition."""
        apart = writer.apart()
        self.members.write(apart, env)
        writer.steps = apart.steps
        words, origin = spelt(self.at, _parts(apart), self.op, self.number.value(env))
        writer.step(self.at, self.end, len(words))
        writer.words += words
        writer.origin += origin


def spelt(at: int, parts: list[Text], op: str, number: int) -> Text:
    """How many of the parts hold, compared with a number, as words."""
    least, below = {
        "=": (number, number + 1),
        "<>": (number, number + 1),
        "!=": (number, number + 1),
        ">=": (number, None),
        ">": (number + 1, None),
        "<": (None, number),
        "<=": (None, number + 1),
    }[op]
    try:
        return _Counting(at, parts).between(least, below, negated=op in ("<>", "!="))
    except _TooLong:
        words, origin = ["count", "("], [at, at]
        for position, part in enumerate(parts):
            words += [","] * bool(position) + part[0]
            origin += [at] * bool(position) + part[1]
        return [*words, ")", op, str(number)], [*origin, at, at, at]


def _parts(writer: Writer) -> list[Text]:
    """The conditions, which the writer has joined by commas."""
    found: list[Text] = []
    start = depth = 0
    for at, word in enumerate([*writer.words, ","]):
        depth += (word in "({[") - (word in ")}]") if word else 0
        if word == "," and depth == 0:
            found.append((writer.words[start:at], writer.origin[start:at]))
            start = at + 1
    return found if writer.words else []


@dataclass(slots=True, eq=False)
class _Counting:
    at: int
    parts: list[Text]
    made: dict[tuple[int, int, int], Text] = field(default_factory=dict)

    def between(self, least: int | None, below: int | None, *, negated: bool) -> Text:
        """At least so many hold, and fewer than so many."""
        conditions: list[Text] = []
        if least is not None and least > 0:
            conditions.append(self.at_least(least))
        if below is not None and below <= len(self.parts):
            conditions.append(self._join("", [(["!"], [self.at]), self.at_least(below)]))
        if not conditions:
            conditions = [(["true"], [self.at])]
        found = self._join("and", conditions)
        return self._join("", [(["!"], [self.at]), found]) if negated else found

    def at_least(self, number: int) -> Text:
        """At least so many of all conditions hold."""
        if number > len(self.parts):
            return ["false"], [self.at]
        if number <= 0:
            return ["true"], [self.at]
        return self._least(0, len(self.parts), number)

    def _least(self, low: int, high: int, number: int) -> Text:
        key = (low, high, number)
        if key in self.made:
            return self.made[key]
        if number == 1 or number == high - low:
            found = self._join("or" if number == 1 else "and", self.parts[low:high])
        else:
            middle = (low + high) // 2
            ways = []
            for left in range(max(0, number - (high - middle)), min(number, middle - low) + 1):
                both = [self._least(low, middle, left)] if left else []
                both += [self._least(middle, high, number - left)] if number > left else []
                ways.append(self._join("and", both))
            found = self._join("or", ways)
        self.made[key] = found
        return found

    def _join(self, joint: str, parts: list[Text]) -> Text:
        if len(parts) == 1:
            return parts[0]
        if joint and sum(len(words) for words, _ in parts) > MOST_SPELT and len(parts) < len(self.parts):
            raise _TooLong
        words, origin = ["("], [self.at]
        for position, part in enumerate(parts):
            if position and joint:
                words.append(joint)
                origin.append(self.at)
            words += part[0]
            origin += part[1]
        return [*words, ")"], [*origin, self.at]
