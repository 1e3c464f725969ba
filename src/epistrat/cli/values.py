"""What the texts of options stand for: numbers, sizes, lists of names, settings of parameters."""

from __future__ import annotations

import argparse
import re


def settings(text: str) -> list[tuple[str, int]]:
    """Values of parameters: ``n=10,m=2``."""
    found: list[tuple[str, int]] = []
    for part in text.split(","):
        given = re.fullmatch(r"\s*([A-Za-z]\w*)\s*=\s*(-?\d{1,10})\s*", part)
        if given is None:
            raise argparse.ArgumentTypeError(f"{part!r} sets no parameter; write n=10")
        found.append((given[1], int(given[2])))
    return found


def natural(text: str) -> int:
    """A number that is not negative."""
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number") from None
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return value


def count(text: str) -> int:
    """A number above 0."""
    value = natural(text)
    if value == 0:
        raise argparse.ArgumentTypeError("0 is too few; ask for one or more")
    return value


def positive(text: str) -> float:
    """Seconds, or another quantity above 0."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is no number of seconds") from None
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds")
    return value


def chosen(text: str) -> list[int | str]:
    """Numbers, ranges and names: ``1,3,5-7,privacy``."""
    found: list[int | str] = []
    for part in re.split(r",(?![^\[]*\])", text):
        if re.match(r"\s*[A-Za-z]", part):
            found.append(re.sub(r"\s", "", part))
            continue
        bounds = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part)
        if bounds is None:
            raise argparse.ArgumentTypeError(f"{part!r} is neither a number, a range such as 2-5, nor a name")
        first, last = int(bounds[1]), int(bounds[2] or bounds[1])
        if last < first:
            raise argparse.ArgumentTypeError(f"{part!r} is an empty range; write {last}-{first}")
        found.extend(range(first, last + 1))
    return found


def names(text: str) -> tuple[str, ...]:
    """Names, separated by commas."""
    return tuple(filter(None, (part.strip() for part in text.split(","))))


def size(text: str) -> int:
    """Bytes, with a unit such as MB or GiB."""
    size = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:([KMG])(I?))?B?\s*", text, re.IGNORECASE)
    if size is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write 500MB or 2GB")
    thousand = 1024 if size[3] else 1000
    return int(float(size[1]) * thousand ** ("KMG".index(size[2].upper()) + 1 if size[2] else 0))
