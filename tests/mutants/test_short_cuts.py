"""The table of short cuts in docs/decisions/017: each row names a function that exists and a planted bug in its file."""

from __future__ import annotations

import ast
import re

import pytest
from tests.mutants.catalogue import ROOT, catalogue

RECORD = ROOT / "docs/decisions/017-nothing-unchecked-leaves.md"
ROW = re.compile(r"^\| .* \| `(?P<file>[^`:]+):(?P<function>[^`]+)` \| `(?P<mutant>[^`]+)` \|$", re.MULTILINE)
ROWS = [(row["file"], row["function"], row["mutant"]) for row in ROW.finditer(RECORD.read_text(encoding="utf-8"))]


def test_the_table_is_there() -> None:
    """All rows of the table are read."""
    lines = [line for line in RECORD.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    assert len(ROWS) == len(lines) - 2


@pytest.mark.parametrize(("file", "function", "mutant"), ROWS)
def test_a_short_cut_is_checked_and_a_planted_bug_drops_the_check(file: str, function: str, mutant: str) -> None:
    """The function exists, and the planted bug is in that file and is not one that survives."""
    text = (ROOT / "src/epistrat" / file).read_text(encoding="utf-8")
    (planted,) = [one for one in catalogue() if one.name == mutant]
    assert planted.file == file
    functions = [
        node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and node.name == function
    ]
    bodies = [ast.get_source_segment(text, node, padded=True) or "" for node in functions]
    assert any(planted.old.strip().splitlines()[0] in body for body in bodies)
    assert not planted.equivalent
    assert not planted.survives
