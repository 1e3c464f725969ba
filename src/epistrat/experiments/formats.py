"""Files of tables and pictures: how each is written, by the ending of its name.  Other endings are refused by name."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from epistrat.experiments.chart import HEIGHT, WIDTH, Dot, Line, Shape, Words
from epistrat.experiments.tables import Rows, columns

T = TypeVar("T")


class NoFormat(Exception):
    """The file cannot be written; the message says why, and what can."""


def write_csv(path: Path, found: Rows) -> None:
    """The table as comma-separated values."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns(found), restval="")
        writer.writeheader()
        writer.writerows(found)


def write_json(path: Path, found: Rows) -> None:
    """The table as a list of objects."""
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def write_markdown(path: Path, found: Rows) -> None:
    """The table for a page."""
    names = columns(found)
    lines = ["| " + " | ".join(names) + " |", "|---" * len(names) + "|"]
    lines += ["| " + " | ".join(_cell(row.get(name)).replace("|", "\\|") for name in names) + " |" for row in found]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_parquet(path: Path, found: Rows) -> None:
    """The table as Parquet, where pandas is installed with a Parquet library."""
    try:
        import pandas

        pandas.DataFrame(found, columns=columns(found)).to_parquet(path)
    except ImportError:
        raise NoFormat("Parquet needs pandas and pyarrow: pip install 'epistrat[parquet]', or write .csv") from None


def write_latex(path: Path, found: Rows) -> None:
    r"""The table as LaTeX, in the style of booktabs: ``\usepackage{booktabs}`` and ``\input`` this file."""
    names = [name for name in columns(found) if name not in ("formula", "reason", "wall", "check_cpu")]
    names = [name for name in names if name != "model" or len({row["model"] for row in found}) > 1]
    numeric = [all(_number(row.get(name)) for row in found) for name in names]
    lines = [r"\begin{tabular}{" + "".join("r" if right else "l" for right in numeric) + "}", r"\toprule"]
    lines += [" & ".join(_LATEX_HEADS.get(name, _latex(name)) for name in names) + r" \\", r"\midrule"]
    lines += [" & ".join(_latex_cell(row.get(name), name) for name in names) + r" \\" for row in found]
    path.write_text("\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n", encoding="utf-8")


_LATEX_HEADS = {"label": "formula", "cpu": r"CPU\,s", "peak_mb": "MB"}
_LATEX_SIGNS = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    sign: "\\" + sign for sign in "&%$#_{}"
}


def _latex(text: str) -> str:
    return "".join(_LATEX_SIGNS.get(letter, letter) for letter in text)


def _latex_cell(value: object, name: str) -> str:
    text = _cell(round(value) if name == "peak_mb" and isinstance(value, float) else value)
    if name == "peak_mb":
        return text
    if text.isdigit() and len(text) > 9:
        exponent = len(text) - 1
        return rf"${int(text) / 10**exponent:.1f}\cdot10^{{{exponent}}}$"
    return f"{value:.2f}" if isinstance(value, float) else _latex(text)


def _number(value: object) -> bool:
    return value is None or isinstance(value, (int, float)) or str(value).lstrip("-").isdigit()


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def write_svg(path: Path, picture: Iterable[Shape]) -> None:
    """The picture as SVG."""
    path.write_text("\n".join(_svg(picture)) + "\n", encoding="utf-8")


def _svg(picture: Iterable[Shape]) -> Iterator[str]:
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    for shape in picture:
        match shape:
            case Line(points, colour, width, dashes):
                path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
                dashed = f' stroke-dasharray="{" ".join(map(str, dashes))}"' if dashes else ""
                yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>'
            case Dot((x, y), colour):
                yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
            case Words((x, y), text, size, anchor):
                place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"'
                yield f"<text {place}>{escape(text)}</text>"
    yield "</svg>"


_SCALE = 2
"""Pixels of a PNG for each unit of the picture."""


def write_png(path: Path, picture: Iterable[Shape]) -> None:
    """The picture as PNG, where Pillow is installed."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise NoFormat("PNG needs Pillow: pip install 'epistrat[plot]', or write .svg") from None
    image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), "white")
    draw = ImageDraw.Draw(image)
    for shape in picture:
        match shape:
            case Line(points, colour, width, dashes):
                scaled = [(x * _SCALE, y * _SCALE) for x, y in points]
                for piece in _dashed(scaled, [one * _SCALE for one in dashes]):
                    draw.line(piece, fill=colour, width=width * _SCALE)
            case Dot((x, y), colour):
                draw.ellipse([((x - 3) * _SCALE, (y - 3) * _SCALE), ((x + 3) * _SCALE, (y + 3) * _SCALE)], fill=colour)
            case Words((x, y), text, size, anchor):
                font = ImageFont.load_default(size * _SCALE)
                side = {"start": "ls", "middle": "ms", "end": "rs"}[anchor]
                draw.text((x * _SCALE, y * _SCALE), text, fill="black", font=font, anchor=side)
    image.save(path, "PNG")


def _dashed(points: list[tuple[float, float]], dashes: list[int]) -> Iterator[list[tuple[float, float]]]:
    """A line as pieces: the whole if it is not dashed."""
    if not dashes:
        yield points
        return
    on, off = dashes
    for (x1, y1), (x2, y2) in pairwise(points):
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        at = 0.0
        while at < length:
            end = min(at + on, length)
            yield [
                (x1 + (x2 - x1) * at / length, y1 + (y2 - y1) * at / length),
                (x1 + (x2 - x1) * end / length, y1 + (y2 - y1) * end / length),
            ]
            at += on + off


TABLES: dict[str, Callable[[Path, Rows], None]] = {
    ".csv": write_csv,
    ".json": write_json,
    ".md": write_markdown,
    ".parquet": write_parquet,
    ".tex": write_latex,
}
PICTURES: dict[str, Callable[[Path, Iterable[Shape]], None]] = {".svg": write_svg, ".png": write_png}
_INSTEAD = {
    ".xlsx": "spreadsheets open .csv",
    ".xls": "spreadsheets open .csv",
    ".ods": "spreadsheets open .csv",
    ".pdf": "other programs make one of .svg",
    ".jpg": "write .png",
    ".jpeg": "write .png",
}


def _writer(path: Path, known: Mapping[str, T], what: str) -> T:
    ending = path.suffix.lower()
    if not path.parent.is_dir():
        raise NoFormat(f"{path}: there is no folder {path.parent}")
    if ending in known:
        return known[ending]
    instead = f" ({_INSTEAD[ending]})" if ending in _INSTEAD else ""
    named = f"not as {ending}" if ending else "and its name must end in one of these"
    raise NoFormat(f"{path}: a {what} is written as {', '.join(known)}, {named}{instead}")


def table_writer(path: Path) -> Callable[[Path, Rows], None]:
    """What writes a table to this file."""
    return _writer(path, TABLES, "table")


def picture_writer(path: Path) -> Callable[[Path, Any], None]:
    """What writes a picture to this file."""
    return _writer(path, PICTURES, "picture")
