"""An operator with a meaning of its own: a type, a row, one clause of the evaluator, and engines answer it as the judge does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]

TYPE = '''

@dataclass(frozen=True, slots=True, eq=False)
class Told(Node):
    """If arg is true: once it was announced to everybody, the agent knows that it is true now."""

    agent: str
    arg: Formula


KNOWLEDGE = (*KNOWLEDGE, Told)
KNOWING = (*KNOWLEDGE, Correct)
'''
ROW = """

from epistrat.logic.nodes import Told

OPERATORS += [Operator(Told, "Told", Form.OF_AGENT, "once announced, the agent knows it", knowledge=True)]
"""
CLAUSE = """        match formula:
            case logic.Told(agent, said):
                after = self.announced(said).label(logic.Knows(agent, said))
                return self.of.some((self.of.negate(self.label(said)), after))
"""
JUDGED = """            case logic.Told(agent, said):
                here = self._labels[said] & self.world.nodes
                told = self.within(World(self.world.graph, here, self.world.fair))
                return (nodes - here) | told.of(logic.Knows(agent, said))
            case logic.Truth(value):
"""
PLANTED: dict[str, Callable[[str], str]] = {
    "logic/nodes.py": lambda text: text + TYPE,
    "logic/formula.py": lambda text: text.replace("    Truth as Truth,\n", "    Told as Told,\n    Truth as Truth,\n"),
    "logic/operators.py": lambda text: text + ROW,
    "engines/fixpoints/evaluator.py": lambda text: text.replace("        match formula:\n", CLAUSE, 1),
    "engines/reference/judge.py": lambda text: text.replace("            case logic.Truth(value):\n", JUDGED, 1),
}
"""How each file is changed for the operator; the judge has its own clause, by the definition."""

MODEL = """
Agent Environment
  Vars: bit : boolean; shown : boolean; end Vars
  Actions = {flip, keep};
  Protocol: Other : {flip, keep}; end Protocol
  Evolution: bit = true if Action = flip and bit = false; bit = false if Action = flip and bit = true; end Evolution
end Agent
Agent Alice
  Lobsvars = {shown};
  Vars: idle : boolean; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution: idle = idle if Action = wait; end Evolution
end Agent
Evaluation p if Environment.bit = true; q if Environment.shown = true; end Evaluation
InitStates Alice.idle = false; end InitStates
Formulae
  AG Told(Alice, p);
  AG Told(Alice, p and !K(Alice, p));
  EF (p and !K(Alice, p) and !Told(Alice, p and !K(Alice, p)));
  AG Told(Alice, p -> q);
  AG (Told(Alice, p -> !K(Alice, q)) or K(Alice, q));
  AG !K(Alice, p);
end Formulae
"""
VERDICTS = ["holds", "fails", "holds", "holds", "holds", "holds"]

USED = """
import sys
import epistrat
model = epistrat.load(sys.argv[1])
for engine in ("reference", "symbolic", "explicit"):
    said = [result.verdict.value for result in model.check(engine=engine)]
    assert said == sys.argv[2].split(), (engine, said)
"""


def test_an_announcement_is_a_type_a_row_and_a_clause(tmp_path: Path) -> None:
    """Public announcement, with Moore's sentence: "p, and Alice does not know it" is false once it was said."""
    (tmp_path / "told.ispl").write_text(MODEL, encoding="utf-8")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "assets"))
    for name, planted in PLANTED.items():
        path = tmp_path / "src/epistrat" / name
        before = path.read_text(encoding="utf-8")
        path.write_text(planted(before), encoding="utf-8")
        assert path.read_text(encoding="utf-8") != before, name
    line = [sys.executable, "-c", USED, str(tmp_path / "told.ispl"), " ".join(VERDICTS)]
    paths = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=ROOT, env=paths)
    assert done.returncode == 0, done.stderr
