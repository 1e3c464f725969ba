"""What the page's form offers: the settings of a check that have a few values, from the table that every face reads."""

from __future__ import annotations

from typing import Any

from epistrat.service.settings import ENGINES, READINGS


def form() -> dict[str, Any]:
    """For each setting its words and its values.  Without a value it is as usual, and the page sends none."""
    offered: dict[str, tuple[str, tuple[str, ...]]] = {"engine": ("which engine is asked", ("auto", *ENGINES, "all"))}
    offered |= {row.name: (row.words, row.choices) for row in READINGS}
    return {name: {"words": words, "values": list(values)} for name, (words, values) in offered.items()}
