"""Options of single engines: one frozen dataclass per engine, one field per option.

Command-line flags, keywords of the Python API, the table in docs/cli.md and the checks of values are all made from these fields.  This
module and the ``tuning`` module of each engine import little, so that ``epistrat --help`` starts quickly.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from epistrat.records import dataclass, field, fields


class BadOption(ValueError):
    """An option has a value that does not exist; the message says which do."""


def option(default: Any, words: str, *, choices: tuple[str, ...] = (), metavar: str | None = None) -> Any:
    """A field of a `Tuning`: its default, what it sets in words, the values it may have, and how the value is called in the help."""
    return field(default=default, metadata={"words": words, "choices": choices, "metavar": metavar})


PARTS = "optimisations to switch off"
"""What ``without`` sets, for every engine that has some."""


def without(parts: Iterable[str]) -> Any:
    """The field ``without`` of a `Tuning`: which of these parts of the engine are left out."""
    return option("", f"{PARTS}: {', '.join(parts)}", metavar="A,B,...")


def parts(given: str) -> list[str]:
    """The parts that a value of ``without`` names."""
    return [name.strip() for name in given.split(",") if name.strip()]


@dataclass(frozen=True)
class Tuning:
    """The options of one engine; raises `BadOption` for values that do not exist."""

    def __post_init__(self) -> None:
        for one in fields(self):
            value, choices = getattr(self, one.name), one.metadata["choices"]
            if choices and value is not None and value not in choices:
                raise BadOption(f"there is no {one.name} {value!r}; there are {', '.join(choices)}")
