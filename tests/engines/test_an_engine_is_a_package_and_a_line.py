"""A package and its name in the registry are all that faces and the manual need of an engine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.cli.lamp_models import LAMP

ROOT = Path(__file__).parents[2]

ENGINE = '''"""A toy."""

from epistrat.engines.contract import About, Engine
from epistrat.engines.needs import Accepts
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.logic.fragment import Feature


class ToyEngine(Engine):
    """Asks the reference engine."""

    name = "toy"
    about = About("it asks another engine", "tests", "what the other answers")
    accepts = Accepts(frozenset(Feature))

    def open(self, system, options, budget, watch=lambda _: None):
        """A session of the other engine."""
        return ReferenceEngine().open(system, options, budget, watch)
'''
TUNING = '''"""Its option."""

from epistrat.engines.tuning import Tuning, option
from epistrat.records import dataclass


@dataclass(frozen=True)
class ToyTuning(Tuning):
    """One option."""

    colour: str = option("red", "the colour of the toy", choices=("red", "blue"))
'''
USED = """
import contextlib, io, runpy, sys
import epistrat
from epistrat.cli.main import main
from epistrat.studio.form import form

def said(*words):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main(words)
    return out.getvalue()

model = sys.argv[1]
help_ = said("check", "--help")
assert "toy" in help_ and "--colour" in help_ and "the colour of the toy" in help_, help_
assert "engine toy" in said("doctor")
assert "toy" in form()["engine"]["values"]
assert "holds" in said("check", model, "-f", "AG (lit or !lit)", "--engine", "toy", "--colour", "blue", "--stats")
assert [one.engine for one in epistrat.load(model).check(["AG (lit or !lit)"], engine="toy", colour="blue")] == ["toy"]
try:
    epistrat.load(model).check(["lit"], engine="toy", colour="green")
    raise AssertionError
except ValueError as error:
    assert "red, blue" in str(error)
tables = runpy.run_path(sys.argv[2])
page = tables["refreshed"](chr(10).join(["| engine | how it works | best at | answers |", "| --- |", "", "text"]))
assert "| `toy` | it asks another engine | tests | what the other answers |" in page and page.endswith("text")
assert any("| `--colour` | toy | the colour of the toy |" in line for line in tables["options"]())
"""


def test_a_planted_engine_is_in_help_doctor_studio_python_and_the_manual(tmp_path: Path) -> None:
    (tmp_path / "lamp.ispl").write_text(LAMP, encoding="utf-8")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "assets"))
    engines = tmp_path / "src/epistrat/engines"
    (engines / "toy").mkdir()
    for name, text in (("__init__", '"""A toy."""\n'), ("engine", ENGINE), ("tuning", TUNING)):
        (engines / "toy" / f"{name}.py").write_text(text, encoding="utf-8")
    registry = (engines / "registry.py").read_text(encoding="utf-8")
    (engines / "registry.py").write_text(registry.replace('"reference")', '"reference", "toy")', 1), encoding="utf-8")
    line = [sys.executable, "-c", USED, str(tmp_path / "lamp.ispl"), str(ROOT / "docs/tables.py")]
    paths = {**os.environ, "PYTHONPATH": str(tmp_path / "src"), "EPISTRAT_IN_PROCESS": "1", "COLUMNS": "200"}
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=ROOT, env=paths)
    assert done.returncode == 0, done.stderr + done.stdout
