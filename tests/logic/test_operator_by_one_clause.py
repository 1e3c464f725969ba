"""An operator with a meaning and a syntax of its own, supposing ``[* p] q``: ten files, and engines answer it as the judge."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_FILES = 10

TYPE = '''

@dataclass(frozen=True, slots=True, eq=False)
class Supposed(Node):
    """If left is true: were it announced to everybody, right would be true."""

    left: Formula
    right: Formula
'''
ROW = """

from epistrat.logic.nodes import Supposed

OPERATORS += [Operator(Supposed, "[*", Form.SUPPOSED, "were it announced, it would be true")]
"""
CLAUSE = """        match formula:
            case logic.Supposed(said, then):
                return self.of.some((self.of.negate(self.label(said)), self.announced(said).label(then)))
"""
JUDGED = """            case logic.Supposed(said, then):
                here = self._labels[said] & self.world.nodes
                told = self.within(World(self.world.graph, here, self.world.fair))
                return (nodes - here) | told.of(then)
            case logic.Truth(value):
"""
PARSED = """        if word == "[" and follows == "*":
            self.at += 2
            said = self.expression()
            self.expect("]", "what is supposed")
            then = self.operand()
            return Chain(start, self.at, Level.UNTIL, ["[*"], [said, then])
        return super().operand()

    def _epistemic("""
SHOWN = """        case Form.SUPPOSED:
            return f"[* {within(formula.left, _BINARY)}] {within(formula.right, _ATOM)}", _ATOM
        case Form.BETWEEN:
"""
FOUND = """    if any(isinstance(part, logic.Supposed) for part in parts):
        yield Feature.SUPPOSING
    if _looks_back(parts):
        yield Feature.PAST
"""


def replaced(*changes: tuple[str, str]) -> Callable[[str], str]:
    def change(text: str) -> str:
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        return text

    return change


PLANTED: dict[str, Callable[[str], str]] = {
    "logic/nodes.py": lambda text: text + TYPE,
    "logic/formula.py": replaced(("    Truth as Truth,\n", "    Supposed as Supposed,\n    Truth as Truth,\n")),
    "logic/operators.py": lambda text: (
        replaced(
            ('    BETWEEN = "(f) OP (g)"\n', '    BETWEEN = "(f) OP (g)"\n    SUPPOSED = "[* f] g"\n'),
            ("in (Form.PAIR, Form.BETWEEN)", "in (Form.PAIR, Form.BETWEEN, Form.SUPPOSED)"),
        )(text)
        + ROW
    ),
    "logic/fragment.py": replaced(
        ('    NAMES = "', '    SUPPOSING = "supposing"\n    NAMES = "'),
        ("OF_NAMES | OF_HISTORIES | {", "OF_NAMES | OF_HISTORIES | {Feature.SUPPOSING, "),
        ("    if _looks_back(parts):\n        yield Feature.PAST\n", FOUND),
    ),
    "logic/show.py": replaced(("        case Form.BETWEEN:\n", SHOWN)),
    "lang/parse/formula.py": replaced(("        return super().operand()\n\n    def _epistemic(", PARSED)),
    "lang/families/phrases.py": replaced(('words[at + 2] not in ("[", "!")', 'words[at + 2] not in ("[", "!", "*")')),
    "lang/lower/formula.py": replaced(
        ("words(Form.PAIR, Form.BETWEEN)", "words(Form.PAIR, Form.BETWEEN, Form.SUPPOSED)")
    ),
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
  AG [* p] K(Alice, p);
  AG [* (p and !K(Alice, p))] K(Alice, p and !K(Alice, p));
  EF (p and !K(Alice, p) and ![* (p and !K(Alice, p))] K(Alice, p and !K(Alice, p)));
  AG [* p -> q] K(Alice, p -> q);
  AG ([* p -> !K(Alice, q)] K(Alice, p -> !K(Alice, q)) or K(Alice, q));
  AG [* p] [* q] (K(Alice, p) and K(Alice, q));
  AG !K(Alice, p);
end Formulae
"""
VERDICTS = ["holds", "fails", "holds", "holds", "holds", "holds", "holds"]

USED = """
import sys
import epistrat
from epistrat.logic.show import show

model = epistrat.load(sys.argv[1])
for engine in ("reference", "symbolic", "explicit", "auto"):
    said = [result.verdict.value for result in model.check(engine=engine)]
    assert said == sys.argv[2].split(), (engine, said)
for engine in ("lazy", "abstraction"):
    (result,) = model.check(["AG [* p] K(Alice, p)"], engine=engine)
    assert result.verdict.value == "unknown" and "supposing" in result.reason, result.reason
formula = model.formula("AG ([* p and q] K(Alice, p) or q)")
assert show(formula) == "AG ([* p and q] K(Alice, p) or q)", show(formula)
assert model.formula(show(formula)) == formula
"""


def test_an_announcement_is_ten_files(tmp_path: Path) -> None:
    """Among the formulae is Moore's sentence: "p, and Alice does not know it" is false once it was said."""
    assert len(PLANTED) <= MOST_FILES
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
