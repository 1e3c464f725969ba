"""What the value of a setting stands for, whether it is written in a shell, in Python or in JSON.

Each reader takes a text or what the text stands for, and raises ValueError with words that a user understands.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, TypeVar

from epistrat.model.transform.memory import MOST_STATES
from epistrat.model.transform.recall import MOST_RECALLED
from epistrat.records import dataclass
from epistrat.terms import Node

E = TypeVar("E", bound=Enum)

MOST = 1 << 53
"""Numbers above it are mistakes: no machine stores or counts so much."""
MOST_SECONDS = 1e9
"""Clocks of operating systems cannot wait for much longer."""
MOST_CHOSEN = 100_000
"""Formulae that one range may choose."""


def parameters(text: str) -> list[tuple[str, int]]:
    """Values of parameters: ``n=10,m=2``."""
    found: list[tuple[str, int]] = []
    for part in text.split(","):
        given = re.fullmatch(r"\s*([A-Za-z]\w*)\s*=\s*(-?\d{1,10})\s*", part)
        if given is None:
            raise ValueError(f"{part!r} sets no parameter; write n=10")
        found.append((given[1], int(given[2])))
    return found


MOST_CHECKED = 9
"""Values of a parameter are checked up to this one where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """All values of a parameter: from ``first`` on (None: the smallest that is declared) to ``last`` (None: the largest, or no end)."""

    parameter: str
    first: int | None = None
    last: int | None = None


def sizes(given: Any) -> Sizes:
    """All values of a parameter: ``n``, ``n=4..`` or ``n=4..40``."""
    if isinstance(given, Sizes):
        return given
    said = re.fullmatch(r"\s*([A-Za-z]\w*)\s*(?:=\s*(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})?\s*)?", str(given))
    if said is None:
        raise ValueError(f"`{given}` names no parameter; write n, n=4.. or n=4..40")
    name, first, last = said.groups()
    found = Sizes(name, None if first is None else int(first), None if last is None else int(last))
    if found.first is not None and found.last is not None and found.last < found.first:
        raise ValueError(f"`{given}` is empty: {found.last} comes before {found.first}")
    return found


def whole(given: Any) -> int:
    """A number, below 0 or not."""
    try:
        if isinstance(given, (str, int)) and not isinstance(given, bool):
            return int(given)
    except ValueError:
        pass
    raise ValueError(f"`{given}` is no whole number")


def natural(given: Any) -> int:
    """A number that is not negative."""
    value = whole(given)
    if value < 0:
        raise ValueError(f"{given} is negative")
    return _within(value, given)


def _within(value: int, given: Any) -> int:
    """The number, if it is not too large to be meant."""
    if value > MOST:
        raise ValueError(f"`{str(given)[:20]}` is too large; the most is {MOST:,}")
    return value


def recall(given: Any) -> int | str:
    """How many observations agents remember; or whether strategies do, ``none`` or ``full``."""
    if given in ("none", "full"):
        return str(given)
    if natural(given) > MOST_RECALLED:
        raise ValueError(f"{given} observations are too many; the most is {MOST_RECALLED:,}")
    return natural(given)


def strategy_memory(given: Any) -> int:
    """How many states of memory strategies have."""
    if given == "all":
        raise ValueError("strategies that remember all that was seen are not searched for; ask for a number, such as 2")
    if count(given) > MOST_STATES:
        raise ValueError(f"{given} states of memory are too many; the most is {MOST_STATES}")
    return count(given)


def count(given: Any) -> int:
    """A number above 0."""
    value = natural(given)
    if value == 0:
        raise ValueError("0 is too few; ask for one or more")
    return value


def positive(given: Any) -> float:
    """Seconds, or another quantity above 0."""
    try:
        value = float(given) if isinstance(given, (str, int, float)) and not isinstance(given, bool) else None
    except ValueError:
        value = None
    if value is None:
        raise ValueError(f"`{given}` is no number of seconds")
    if not 0 < value < float("inf"):
        raise ValueError(f"{given} is not a number of seconds")
    if value > MOST_SECONDS:
        raise ValueError(f"{given} is more than thirty years")
    return value


def size(given: Any) -> int:
    """Bytes, with a unit such as MB or GiB."""
    if isinstance(given, int) and not isinstance(given, bool) and given > 0:
        return _within(given, given)
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:([KMG])(I?))?B?\s*", str(given), re.IGNORECASE)
    if found is None:
        raise ValueError(f"{given!r} is no size; write 500MB or 2GB")
    thousand = 1024 if found[3] else 1000
    bytes_ = float(found[1]) * thousand ** ("KMG".index(found[2].upper()) + 1 if found[2] else 0)
    return _within(int(min(bytes_, 2.0 * MOST)), given)


def chosen(given: Any) -> tuple[int | str, ...]:
    """Numbers, ranges and names: ``1,3,5-7,privacy``, or a list of them."""
    if isinstance(given, int) and not isinstance(given, bool):
        return (given,)
    parts = re.split(r",(?![^\[]*\])", given) if isinstance(given, str) else _listed(given)
    return tuple(one for part in parts for one in _chosen(part))


def _chosen(part: Any) -> Iterable[int | str]:
    if isinstance(part, int) and not isinstance(part, bool):
        return (part,)
    if not isinstance(part, str):
        raise ValueError(f"{part!r} is neither a number nor a name")
    if re.match(r"\s*[A-Za-z]", part):
        return (re.sub(r"\s", "", part),)
    bounds = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part)
    if bounds is None:
        raise ValueError(f"{part!r} is neither a number, a range such as 2-5, nor a name")
    first, last = int(bounds[1]), int(bounds[2] or bounds[1])
    if last < first:
        raise ValueError(f"{part!r} is an empty range; write {last}-{first}")
    if last - first >= MOST_CHOSEN:
        raise ValueError(f"{part!r} is a range of more than {MOST_CHOSEN:,} numbers")
    return range(first, last + 1)


def names(given: Any) -> tuple[str, ...]:
    """Names, separated by commas, or a list of them."""
    parts = given.split(",") if isinstance(given, str) else list(_listed(given))
    if not all(isinstance(part, str) for part in parts):
        raise ValueError(f"`{given}` is no list of names")
    return tuple(filter(None, (part.strip() for part in parts)))


def indexed(given: str) -> tuple[str, ...]:
    """Names, perhaps with indices, separated by commas: ``expire,pass[1,2]``."""
    return tuple(filter(None, (re.sub(r"\s", "", part) for part in re.split(r",(?![^\[]*\])", given))))


def watched(given: str) -> tuple[str, str]:
    """A name and a formula: ``leak=K(Eve, secret)``."""
    name, _, formula = given.partition("=")
    if not re.fullmatch(r"\s*[A-Za-z]\w*\s*", name) or not formula.strip():
        raise ValueError(f"{given!r} names no formula; write leak='K(Eve, secret)'")
    return name.strip(), formula.strip()


def formulae(given: Any) -> tuple[Any, ...]:
    """Formulae as texts or as values; one, or a list of them."""
    several = (given,) if isinstance(given, (str, Node)) else tuple(_listed(given))
    if not all(isinstance(one, (str, Node)) for one in several):
        raise ValueError(f"`{given}` is no list of formulae")
    return several


def group(given: Any) -> str | tuple[str, ...]:
    """The name of a group, or its members."""
    return given if isinstance(given, str) else names(given)


def switch(given: Any) -> bool:
    """On or off."""
    if not isinstance(given, bool):
        raise ValueError(f"`{given}` is neither on nor off")
    return given


def text(given: Any) -> str:
    """Words."""
    if not isinstance(given, str):
        raise ValueError(f"`{given}` is no text")
    return given


def folder(given: Any) -> str:
    """The name of a directory."""
    name = os.fspath(given) if isinstance(given, os.PathLike) else given
    if not isinstance(name, str) or not name:
        raise ValueError(f"`{given}` is no directory")
    return name


def one_of(kind: type[E]) -> Callable[[Any], E]:
    """One of the values that there are."""

    def read(given: Any) -> E:
        try:
            return kind(given)
        except ValueError:
            raise ValueError(f"there is no {given!r}; there are {', '.join(one.value for one in kind)}") from None

    return read


def _listed(given: Any) -> Iterable[Any]:
    if not isinstance(given, Iterable):
        raise ValueError(f"`{given}` is no list")
    return given
