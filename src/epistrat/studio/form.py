"""What the page offers and knows by name, from the tables that every face reads: settings with a few values, and operators."""

from __future__ import annotations

from epistrat.ide.operators import FORMULA
from epistrat.lang.vocabulary import BETWEEN
from epistrat.service.settings import ENGINES, READINGS
from epistrat.studio.shapes import Choice


def form() -> dict[str, Choice]:
    """For each setting its words and its values.  Without a value it is as usual, and the page sends none."""
    offered: dict[str, tuple[str, tuple[str, ...]]] = {"engine": ("which engine is asked", ("auto", *ENGINES, "all"))}
    offered |= {row.name: (row.words, row.choices) for row in READINGS}
    return {name: {"words": words, "values": list(values)} for name, (words, values) in offered.items()}


def operators() -> list[str]:
    """The words that the page's editor shows as operators."""
    return sorted({word for word in (*FORMULA, *BETWEEN) if word.isalpha()})
