"""What a monitor answers, and the small functions that its parts share."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

# What follows is copied into generated files.


class Answer(NamedTuple):
    """How things stand after an event, or whether an action may be done; true if all is well."""

    kind: str
    step: int
    text: str
    changes: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    possible: int = 0
    property: str = "open"
    later: bool = False

    @builtins.property
    def ok(self) -> bool:
        """Whether the run conforms and no property is in danger."""
        return self.kind in ("conforms", "settled")

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {**self._asdict(), "ok": self.ok, "changes": list(self.changes), "allowed": list(self.allowed)}


class Blocked(Exception):
    """An action that must not be done; ``decision`` says why."""

    def __init__(self, decision: Answer) -> None:
        super().__init__(decision.text)
        self.decision = decision


def bits(number: int) -> Iterator[int]:
    """The places of the ones in a number."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def listing(words: Iterable[str], most: int = 8) -> str:
    """Words with commas; beyond ``most`` the rest is counted."""
    found = list(words)
    more = f" and {len(found) - most:,} more" if len(found) > most else ""
    return ", ".join(found[:most]) + more


def show(value: object) -> str:
    """A value as the model writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_number(value: object) -> bool:
    """Whether a value can be one of a number; fractions are texts such as ``1/2``."""
    if isinstance(value, str):
        return value.replace("/", "").removeprefix("-").isdecimal() and "/" in value
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value - value == 0


def unlike(value: object, values: Iterable[object]) -> str:
    """What such values are, if this one is none that they could be; else nothing."""
    found = list(values)
    if any(isinstance(one, str) and not is_number(one) for one in found):
        return "" if isinstance(value, (str, int, float)) else "a name or a number"
    if found and all(isinstance(one, bool) for one in found):
        return "" if isinstance(value, bool) else "true or false"
    return "" if is_number(value) else "a number"


def meant(word: object, words: Iterable[str]) -> str:
    """What may have been meant by a word that is none of these."""
    from difflib import get_close_matches

    found = get_close_matches(str(word), list(words), 1, 0.5)
    return f"; did you mean {found[0]}?" if found else ""


def sum_of(places: Iterable[int]) -> int:
    """The number with ones at these places."""
    found = set(places)
    if len(found) < 8:
        return sum([1 << place for place in found])
    room = bytearray(max(found) // 8 + 1)
    for place in found:
        room[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(room, "little")


def set_of(text: str) -> int:
    """A set that was written as a number to base 16, perhaps on several lines."""
    return int("".join(text.split()), 16)


def because(tree: Any, values: list[bool]) -> tuple[bool, list[int]]:
    """The value of a condition, and the atoms that make it so."""
    if not tree:
        return False, []
    kind, *rest = tree
    if kind == "atom":
        return values[rest[0]], [rest[0]]
    parts = [because(one, values) for one in rest]
    if kind == "not":
        return not parts[0][0], parts[0][1]
    if kind == "xor":
        return parts[0][0] != parts[1][0], parts[0][1] + parts[1][1]
    decisive = next((part for part in parts if part[0] is (kind == "or")), None)
    return decisive or (kind == "and", [one for part in parts for one in part[1]])
