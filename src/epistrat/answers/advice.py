"""What to try next, as data: faces put it into their own words."""

from __future__ import annotations

from typing import TypeAlias

from epistrat.records import dataclass


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a request and the value to give it; None stands for a larger value, or for "on" where it is a switch.

    A shell says ``--engine symbolic``, Python ``engine="symbolic"``, a form shows a field.
    """

    name: str
    value: str | None = None

    def __repr__(self) -> str:
        """As it is written in Python."""
        return f"a larger {self.name}" if self.value is None else f"{self.name}={self.value!r}"


Advice: TypeAlias = tuple[Setting | str, ...]
"""Things to try, the most promising first: settings, and sentences where no setting helps."""


class Misuse(ValueError, LookupError):
    """A request that cannot be meant, or that names what does not exist.  ``{}`` in the text stands for the settings, in their order."""

    def __init__(self, text: str, *settings: Setting) -> None:
        super().__init__(text, *settings)
        self.text = text
        self.settings = settings

    def __str__(self) -> str:
        named = [one.name if one.value is None else f"{one.name}={one.value}" for one in self.settings]
        return self.text.format(*named) if named else self.text
