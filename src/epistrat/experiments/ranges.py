"""Ranges of parameters as people write them: ``n=3..6``, ``n=10..100:30``, ``m=1,2,5``, ``mode=fast``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product

_SPAN = re.compile(r"(-?\d+)\.\.(-?\d+)(?::([1-9]\d*))?")
MOST = 100_000
"""More values than that in one range are a slip of the pen."""


class BadRange(ValueError):
    """A range that cannot be read; the message says why."""


def values(text: str) -> tuple[str, list[str]]:
    """The parameter's name and its values, in the order written."""
    name, found, wanted = text.partition("=")
    if not found or not name.isidentifier() or not wanted:
        raise BadRange(f"expected NAME=VALUES, such as n=3..6 or n=2,4,8, not {text!r}")
    listed: list[str] = []
    for part in wanted.split(","):
        span = _SPAN.fullmatch(part)
        if span is None:
            if not part or ".." in part:
                raise BadRange(
                    f"{part!r} in {text!r} is no value: write FIRST..LAST, FIRST..LAST:STEP, or values with commas"
                )
            listed.append(part)
            continue
        first, last, step = int(span[1]), int(span[2]), int(span[3] or 1)
        if last < first:
            raise BadRange(f"the range {part} of {name} is empty")
        if (last - first) // step >= MOST:
            raise BadRange(f"the range {part} of {name} has more than {MOST:,} values")
        listed += map(str, range(first, last + 1, step))
    return name, list(dict.fromkeys(listed))


def combinations(texts: Iterable[str]) -> Iterator[tuple[tuple[str, str], ...]]:
    """Every combination of the parameters' values; the last parameter changes fastest.  Several ranges of a parameter are joined."""
    ranges: dict[str, dict[str, None]] = {}
    for name, listed in map(values, texts):
        ranges.setdefault(name, {}).update(dict.fromkeys(listed))
    for chosen in product(*ranges.values()):
        yield tuple(zip(ranges, chosen, strict=True))
