"""Tables of the manual that are made from what the program knows of itself.

A page holds them as they are, so that it can be read in the repository; a test compares, and the book makes them anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from epistrat.engines import registry


def options() -> list[str]:
    """The options of single engines."""
    return _table(("option", "engine", "what it sets", "values"), _options())


def engines() -> list[str]:
    """The engines."""
    about = {name: registry.load(name).about for name in registry.NAMES}
    return _table(
        ("engine", "how it works", "best at", "answers"),
        ((f"`{name}`", one.works, one.best_at, one.answers) for name, one in about.items()),
    )


def refreshed(markdown: str) -> str:
    """The page with its tables as they are now."""
    lines = markdown.split("\n")
    for table in (options(), engines()):
        if table[0] in lines:
            start = end = lines.index(table[0])
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            lines[start:end] = table
    return "\n".join(lines)


def _options() -> Iterator[tuple[str, str, str, str]]:
    for name, (owners, one) in registry.options().items():
        choices = ", ".join(f"`{choice}`" for choice in one.metadata["choices"])
        yield f"`--{name.replace('_', '-')}`", owners, one.metadata["words"], choices


def _table(head: Sequence[str], rows: Iterator[tuple[str, ...]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
