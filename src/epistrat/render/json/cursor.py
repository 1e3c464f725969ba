"""Reading JSON that may be wrong: values that know where they stand, so that a message can say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from epistrat.records import dataclass


class Unreadable(ValueError):
    """The data does not fit; ``where`` is the place, such as ``results[0].evidence.state``."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.where = where
        self.what = what


@dataclass(frozen=True, slots=True)
class Datum:
    """A JSON value and its place.  Every access checks the kind of value, and raises `Unreadable`."""

    value: Any
    where: str = ""

    def wrong(self, what: str) -> Unreadable:
        """A complaint about this place."""
        return Unreadable(self.where, what)

    def _fields(self) -> Mapping[str, Any]:
        if not isinstance(self.value, dict):
            raise self.wrong("this should be an object")
        return self.value

    def __contains__(self, key: str) -> bool:
        return key in self._fields()

    def __getitem__(self, key: str) -> Datum:
        fields = self._fields()
        if key not in fields:
            raise self.wrong(f"there is no {key!r}")
        return Datum(fields[key], f"{self.where}.{key}" if self.where else key)

    def items(self) -> Iterator[tuple[str, Datum]]:
        """The fields of an object."""
        return ((key, self[key]) for key in self._fields())

    def __iter__(self) -> Iterator[Datum]:
        if not isinstance(self.value, list):
            raise self.wrong("this should be a list")
        return (Datum(item, f"{self.where}[{place}]") for place, item in enumerate(self.value))

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            raise self.wrong("this should be a text")
        return self.value

    def flag(self) -> bool:
        """A truth value."""
        if not isinstance(self.value, bool):
            raise self.wrong("this should be true or false")
        return self.value

    def count(self) -> int:
        """A whole number, not below 0."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or self.value < 0:
            raise self.wrong("this should be a whole number, not below 0")
        return self.value
