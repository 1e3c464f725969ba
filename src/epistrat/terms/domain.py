"""Domains: the sets of values a variable can take.

Five kinds exist: Boolean, enumeration, bounded integer, unbounded integer, real.  Values are plain Python objects:
``bool`` for Boolean, ``str`` for enumeration, ``int`` or ``fractions.Fraction`` (never ``float``) for numbers.  A number
that is whole is always an ``int``, so that equal values are equal objects in every table.

The values of a finite domain are numbered from 0 to ``last``: `code` gives the number of a value, `at` the value with a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

from epistrat.records import dataclass

Value: TypeAlias = bool | int | str | Fraction


class Sort(Enum):
    """What kind of thing an expression denotes."""

    BOOLEAN = "boolean"
    NUMBER = "number"
    NAME = "enumeration value"


@dataclass(frozen=True, slots=True)
class Boolean:
    """The truth values."""

    sort = Sort.BOOLEAN
    finite = True
    last = 1

    def __contains__(self, value: object) -> bool:
        return isinstance(value, bool)

    def __iter__(self) -> Iterator[Value]:
        return iter((False, True))

    def __len__(self) -> int:
        return 2

    def code(self, value: Any) -> int:
        """The number of a value."""
        return int(bool(value))

    def at(self, code: int) -> Value:
        """The value with this number."""
        return bool(code)

    def __str__(self) -> str:
        return "boolean"


@dataclass(frozen=True, slots=True)
class Enumeration:
    """The listed names.  Two enumerations with the same names are the same set, whatever their order."""

    values: tuple[str, ...]
    sort = Sort.NAME
    finite = True

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and value in self.values

    def __iter__(self) -> Iterator[Value]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def last(self) -> int:
        """The number of the last name."""
        return len(self.values) - 1

    def code(self, value: Any) -> int:
        """The place of a name."""
        return self.values.index(value)

    def at(self, code: int) -> Value:
        """The name at this place."""
        return self.values[code]

    def __str__(self) -> str:
        return "{" + ", ".join(self.values) + "}"


@dataclass(frozen=True, slots=True)
class Bounded:
    """The whole numbers from ``low`` to ``high``, both included."""

    low: int
    high: int
    sort = Sort.NUMBER
    finite = True

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high

    def __iter__(self) -> Iterator[Value]:
        return iter(range(self.low, self.high + 1))

    def __len__(self) -> int:
        return self.high - self.low + 1

    @property
    def last(self) -> int:
        """The distance of the bounds."""
        return self.high - self.low

    def code(self, value: Any) -> int:
        """The distance of a number from the lower bound."""
        distance: int = value - self.low
        return distance

    def at(self, code: int) -> Value:
        """The number at this distance from the lower bound."""
        return self.low + code

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class Integer:
    """All whole numbers."""

    sort = Sort.NUMBER
    finite = False

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    def __str__(self) -> str:
        return "integer"


@dataclass(frozen=True, slots=True)
class Real:
    """All rational numbers; arithmetic is exact, so no irrational value ever arises."""

    sort = Sort.NUMBER
    finite = False

    def __contains__(self, value: object) -> bool:
        return isinstance(value, (int, Fraction)) and not isinstance(value, bool)

    def __str__(self) -> str:
        return "real"


Domain: TypeAlias = Boolean | Enumeration | Bounded | Integer | Real
FiniteDomain: TypeAlias = Boolean | Enumeration | Bounded


def whole(value: Value) -> Value:
    """The same number, as an ``int`` where it is whole."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return value
