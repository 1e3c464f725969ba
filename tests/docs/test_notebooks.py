"""The notebooks run, and what stands below their cells is what they print, times aside.

Cells are run here, without Jupyter: what a cell prints, then its last expression as a notebook would show it.
`EPISTRAT_UPDATE_PAGES=1` writes into the notebooks what they print now.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs/notebooks").glob("*.ipynb"))
TIMES = re.compile(r"\d[\d.]* m?s\b")


def outputs(code: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell; what it leaves below itself."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    said = io.StringIO()
    value = None
    with contextlib.redirect_stdout(said):
        exec(compile(tree, "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    found: list[dict[str, Any]] = []
    if said.getvalue():
        lines = said.getvalue().splitlines(keepends=True)
        found.append({"name": "stdout", "output_type": "stream", "text": lines})
    if value is not None:
        found.append({"data": shown(value), "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return found


def shown(value: Any) -> dict[str, list[str]]:
    """A value as notebooks show it: a picture or a table if it has one, else its text."""
    for method, kind in (("_repr_svg_", "image/svg+xml"), ("_repr_html_", "text/html")):
        drawn = getattr(value, method, lambda: None)()
        if drawn is not None:
            return {kind: drawn.splitlines(keepends=True)}
    return {"text/plain": repr(value).splitlines(keepends=True)}


def words(cell: dict[str, Any]) -> list[str]:
    """What a cell shows, as words: where they stand in a picture may change, times do."""
    found = []
    for output in cell["outputs"]:
        text = "".join(output.get("text") or next(iter(output["data"].values())))
        if "image/svg+xml" in output.get("data", ()):
            text = " ".join(sorted({*re.findall(r">([^<>]+)</(?:text|tspan)>", text)}))
        found.append(TIMES.sub("T", text))
    return found


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_prints(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    stored = [words(cell) for cell in cells]
    for number, cell in enumerate(cells, start=1):
        cell["outputs"] = outputs("".join(cell["source"]), names, number)
        cell["execution_count"] = number
    if os.environ.get("EPISTRAT_UPDATE_PAGES"):
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return
    assert [words(cell) for cell in cells] == stored, "EPISTRAT_UPDATE_PAGES=1 pytest tests/docs/test_notebooks.py"
