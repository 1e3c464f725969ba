"""Bugs that can be planted in a file: all the places that an operator (`operators`) finds, as texts that replace texts."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.generated import operators
from tests.mutants.generated.operators import Place
from tests.mutants.generated.signatures import Signatures
from tests.mutants.generated.spans import Lines
from tests.mutants.generated.statements import files, is_text, statements

_WORDS_AND_FIGURES = ("__repr__", "__str__", "__format__", "statistics")
"""Functions that only say something or count effort."""

_HEURISTICS = (
    "encoding/order.py",
    "encoding/rank.py",
    "encoding/footprint.py",
    "engines/symbolic/candidates.py",
    "engines/symbolic/pace.py",
)
"""Files that only choose an order of variables: every order is right, and the tests that measure orders need an idle machine."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bug: in which file (below src/epistrat), function and statement, made by which operator, and what replaces what.

    ``line`` is for people; ``inside`` says how far from the statement's beginning the change is.
    """

    file: str
    function: str
    statement: str
    operator: str
    old: str
    new: str
    line: int
    inside: int
    changes: tuple[tuple[int, int, str], ...]

    @property
    def name(self) -> str:
        """A short name that depends on what is planted where, not on line numbers."""
        text = f"{self.statement}|{self.operator}|{self.old}|{self.new}|{self.inside}"
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    def planted(self, text: str) -> str:
        """The file's text with the bug in it."""
        for begin, end, new in sorted(self.changes, reverse=True):
            text = text[:begin] + new + text[end:]
        return text


def candidates(source: Path) -> list[Candidate]:
    """All bugs that can be planted below a source folder; some of them Python would not compile (`compiles`)."""
    signatures = Signatures(source)
    return [found for file in files(source) for found in of_file(file, str(file.relative_to(source)), signatures)]


def of_file(file: Path, name: str, signatures: Signatures) -> Iterator[Candidate]:
    """The bugs of one file, by its name below the source folder."""
    text = file.read_text(encoding="utf-8")
    lines, tree = Lines(text), ast.parse(text)
    names = operators.names_of(tree)
    for statement in statements(tree, name):
        if _left_out(statement.node, statement.function, name):
            continue
        place = Place(statement.node, tree, lines, names, signatures)
        for operator, edit in operators.edits(place):
            inside = edit.changes[0][0] - lines.span(statement.node)[0]
            line = text.count("\n", 0, edit.changes[0][0]) + 1
            yield Candidate(
                name, statement.function, statement.key, operator, edit.old, edit.new, line, inside, edit.changes
            )


def _left_out(node: ast.stmt, function: str, file: str) -> bool:
    """Statements that only speak, import, declare a type or state what is believed: a bug there changes no verdict."""
    if isinstance(node, ast.Raise | ast.Assert | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal) or is_text(
        node
    ):
        return True
    if function.rpartition(".")[2] in _WORDS_AND_FIGURES or file in _HEURISTICS:
        return True
    if function == "" and isinstance(node, ast.Assign | ast.AnnAssign):  # constants, tables of words and names of types
        return True
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def compiles(candidate: Candidate, source: Path) -> bool:
    """Whether Python reads the file with the bug in it."""
    try:
        compile(candidate.planted((source / candidate.file).read_text(encoding="utf-8")), candidate.file, "exec")
    except (SyntaxError, ValueError):
        return False
    return True
