"""Models to learn from, one page each: the file is the documentation.  docs/families.md explains the language they are written in."""

from __future__ import annotations

from importlib import resources


def names() -> list[str]:
    """All scenarios, in the order of the alphabet."""
    files = resources.files(__name__).iterdir()
    return sorted(one.name.removesuffix(".ispl") for one in files if one.name.endswith(".ispl"))


def file(name: str) -> str:
    """The file of a scenario."""
    return str(resources.files(__name__).joinpath(f"{name}.ispl"))


def text(name: str) -> str:
    """The text of a scenario."""
    return resources.files(__name__).joinpath(f"{name}.ispl").read_text(encoding="utf-8")


def story(name: str) -> list[str]:
    """The comment at the beginning of a scenario, line by line; the first line says what it is."""
    lines = []
    for line in text(name).splitlines():
        if not line.startswith("--"):
            break
        lines.append(line[3:])
    return lines
