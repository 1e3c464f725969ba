"""A row is all that the parser, the printer, the editor's help and the book need of an operator."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from tests.cli.lamp_models import LAMP

from epistrat.logic import formula as logic
from epistrat.logic.operators import OPERATORS, Time

ROOT = Path(__file__).parents[2]

ROWS = '''


@dataclass(frozen=True, slots=True, eq=False)
class Soon(Node):
    """Now or at the next point."""

    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Doubts(Node):
    """The agent holds the opposite possible."""

    agent: str
    arg: Formula


OPERATORS += [
    Operator(Soon, "Soon", Form.PATH, "now or at the next point", Time.FUTURE, stands_for=lambda one: Or((one.arg, Next(one.arg)))),
    Operator(Doubts, "D", Form.OF_AGENT, "the opposite is possible", stands_for=lambda one: Not(Knows(one.agent, one.arg))),
]
'''

USED = """
import sys
import epistrat
from epistrat.ide.operators import FORMULA, explain
from epistrat.lang.vocabulary import EPISTEMIC, PATH_WORDS
from epistrat.logic.formula import Prop, is_state, operands
from epistrat.logic.operators import Doubts, Soon
from epistrat.logic.show import show
from epistrat.studio.form import operators as page

p = Prop("lit")
assert [show(Soon(p)), show(Doubts("Lamp", p))] == ["Soon lit", "D(Lamp, lit)"]
assert not is_state(Soon(p)) and is_state(Doubts("Lamp", p)) and operands(Soon(p)) == (p,)
assert "Soon" in PATH_WORDS and "D" in EPISTEMIC
assert explain("Soon") == "now or at the next point" and FORMULA["D"].snippet == "D(${1:agent}, ${2:formula})"
assert {"Soon", "D"} <= set(page())
asked = ["LTL Soon lit", "LTL G (Soon lit <-> (lit or X lit))", "D(Lamp, lit)", "AG (lit -> !D(Lamp, lit))"]
said = epistrat.load(sys.argv[1]).check(asked)
assert [one.verdict.value for one in said] == ["fails", "holds", "holds", "holds"], said
sys.path.insert(0, sys.argv[2])
import build
assert "| `Soon f` | now or at the next point |" in build.contents()
"""


def test_a_planted_operator_is_parsed_printed_explained_and_in_the_book(tmp_path: Path) -> None:
    """Two operators, by rows in one file."""
    (tmp_path / "lamp.ispl").write_text(LAMP, encoding="utf-8")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "assets"))
    with (tmp_path / "src/epistrat/logic/operators.py").open("a", encoding="utf-8") as rows:
        rows.write("\n\nfrom epistrat.terms import Node\n" + ROWS)
    line = [sys.executable, "-c", USED, str(tmp_path / "lamp.ispl"), str(ROOT / "docs" / "operators")]
    paths = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=ROOT, env=paths)
    assert done.returncode == 0, done.stderr


def test_every_type_of_formula_has_one_row() -> None:
    kinds = [row.kind for row in OPERATORS]
    assert len(set(kinds)) == len(kinds)
    assert set(kinds) | set(logic.ATOMS) == set(get_args(logic.Formula))


def test_the_rows_say_what_the_types_say() -> None:
    assert tuple(row.kind for row in OPERATORS if row.time is Time.FUTURE) == logic.FUTURE
    assert tuple(row.kind for row in OPERATORS if row.time is Time.PAST) == logic.PAST
    assert tuple(row.kind for row in OPERATORS if row.knowledge) == logic.KNOWLEDGE


@pytest.mark.parametrize("row", [row for row in OPERATORS if row.dual], ids=lambda row: row.word)
def test_duals_come_in_pairs(row) -> None:  # type: ignore[no-untyped-def]
    back = {one.kind: one.dual for one in OPERATORS}
    assert row.kind is logic.Release or back[row.dual] is row.kind
