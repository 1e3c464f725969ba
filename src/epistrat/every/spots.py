"""Indices of members when the size is open: special members, and members whom nothing names.

A *spot* is what an index can be: a `Special` ``a * n + b`` (``1``, ``n``, ``n - 1``), a `New` special member that only a formula
introduces, or a `Fresh` member, one of the unnamed.  Two specials that are written differently are different members from some size on:
whoever compares them notes from which (`Sizes.least`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from epistrat.lang.templates.index import Index
from epistrat.records import dataclass
from epistrat.source import Span


class Outside(Exception):
    """The family, or a formula, is not of the kind that can be counted; ``at`` is the place that shows it."""

    def __init__(self, why: str, at: Span | None = None) -> None:
        super().__init__(why)
        self.why, self.at = why, at


class NeedsSpecial(Exception):
    """This member must be kept by itself."""

    def __init__(self, special: Special) -> None:
        super().__init__(str(special))
        self.special = special


class Special(NamedTuple):
    """The member whose index is ``factor * n + number``."""

    factor: int
    number: int

    @property
    def word(self) -> str:
        """The index as a part of a name."""
        if not self.factor:
            return str(self.number).replace("-", "minus_")
        size = "n" if self.factor == 1 else f"{self.factor}n"
        return size if not self.number else f"{size}_{'plus' if self.number > 0 else 'minus'}_{abs(self.number)}"


@dataclass(frozen=True, slots=True)
class New:
    """A member that a formula picks, whichever it is: different from all specials and from other new ones."""

    rank: int

    @property
    def word(self) -> str:
        """The index as a part of a name."""
        return f"some{self.rank}"


@dataclass(frozen=True, slots=True)
class Fresh:
    """A member of whom only the record is known; ``rank`` tells those apart that are looked at together."""

    rank: int


Spot: TypeAlias = Special | New | Fresh


class Sizes:
    """What is assumed of the size: ``least`` is the smallest for which all of it is true."""

    def __init__(self, parameter: str, least: int) -> None:
        self.parameter, self.least = parameter, least

    def less(self, left: Special, right: Special) -> bool:
        """Whether the left index is smaller, for all sizes from ``least`` on, which is raised where that is needed."""
        factor, number = left.factor - right.factor, left.number - right.number
        if factor == 0:
            return number < 0
        self.least = max(self.least, -(number // factor) if factor > 0 else number // -factor + 1)
        return factor < 0

    def same(self, left: Special, right: Special) -> bool:
        """Whether both are the same index; if they are not written alike, not from ``least`` on."""
        factor, number = left.factor - right.factor, left.number - right.number
        if factor and not number % factor:
            self.least = max(self.least, -number // factor + 1)
        return left == right

    def special(self, index: Index, known: Mapping[str, Spot | int]) -> Special | None:
        """The index as ``a * n + b``; None if it is of no such form."""
        if index.op == "#":
            return Special(0, index.number)
        if index.op == "name":
            if index.name == self.parameter:
                return Special(1, 0)
            value = known.get(index.name)
            return Special(0, value) if isinstance(value, int) else value if isinstance(value, Special) else None
        parts = [self.special(arg, known) for arg in index.args]
        if any(part is None for part in parts):
            return None
        return self._joined(index.op, [part for part in parts if part is not None])

    def _joined(self, op: str, parts: list[Special]) -> Special | None:
        left, right = parts[0], parts[-1]
        match op:
            case "+":
                return Special(left.factor + right.factor, left.number + right.number)
            case "-":
                return Special(left.factor - right.factor, left.number - right.number)
            case "negative":
                return Special(-left.factor, -left.number)
            case "*" if not (left.factor and right.factor):
                one, other = (left, right) if not left.factor else (right, left)
                return Special(other.factor * one.number, other.number * one.number)
            case "min":
                return left if self.less(left, right) else right
            case "max":
                return right if self.less(left, right) else left
        return None
