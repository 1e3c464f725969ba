"""One page per code of a message, as text in Markdown."""

from __future__ import annotations

from epistrat.source import TITLES


def page(code: str) -> str | None:
    """The page about a code, however it is capitalised; None if there is no such code."""
    code = code.strip().upper()
    if code not in TITLES:
        return None
    from importlib import resources  # slow to import, and hardly ever needed

    return resources.files(__name__).joinpath(f"{code}.md").read_text(encoding="utf-8")
