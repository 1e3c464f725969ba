"""The look of pages and pictures, and the scripts that move them; they lie as files in the folder ``web``."""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).parent / "web"


def _read(name: str) -> str:
    return "\n" + (_FOLDER / name).read_text(encoding="utf-8")


STYLE, SCRIPT = _read("page.css"), _read("page.js")
STATES_STYLE = _read("states.css").replace("\n", "")
"""Holds for these pictures alone: a notebook keeps its own look."""
ZOOM_STYLE, ZOOM_SCRIPT = _read("zoom.css"), _read("zoom.js")


def scoped() -> str:
    """The same style for what is inside an element of class ``epistrat`` alone: a notebook keeps its own look."""

    def inside(found: re.Match[str]) -> str:
        selectors = found[1].strip()
        if selectors.startswith("@"):
            return f"{selectors}{{"
        parts = (one.strip() for one in selectors.replace("body,", "").split(","))
        return ",".join(".epistrat" if one in (":root", ".epistrat") else f".epistrat {one}" for one in parts) + "{"

    return re.sub(r"([^{}]+)\{", inside, STYLE)
