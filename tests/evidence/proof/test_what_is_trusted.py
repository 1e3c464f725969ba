"""The checker is small, and rests on no engine."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

MOST = 4_000
SOURCES = Path(__file__).parents[3] / "src"
BEGIN = ("evidence/proof/prove.py", "evidence/proof/uniform.py", "solvers/bdd/oxidd_space.py")
OF_HISTORIES = ("evidence/proof/moments.py", "solvers/bdd/oxidd_space.py")
"""Proofs about histories are another, smaller checker: rules for sets of states are no part of it."""
BESIDE = ("engines", "encoding", "proving", "jobs", "service", "lang", "explain", "render", "running", "api", "cli")


def imported(path: Path) -> Iterator[Path]:
    """The modules of ours that a module needs; a name that a package passes on is looked up where it is defined."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("epistrat"):
            for alias in node.names:
                yield defined(str(node.module), alias.name)


def defined(module: str, name: str) -> Path:
    found = file_of(f"{module}.{name}") or file_of(module)
    assert found is not None, module
    if found.name == "__init__.py" and found == file_of(module):
        for node in ast.parse(found.read_text()).body:
            if isinstance(node, ast.ImportFrom) and any((one.asname or one.name) == name for one in node.names):
                return defined(str(node.module), name)
    return found


def file_of(module: str) -> Path | None:
    plain = SOURCES / (module.replace(".", "/") + ".py")
    package = plain.with_suffix("") / "__init__.py"
    return plain if plain.exists() else package if package.exists() else None


def trusted(begin: tuple[str, ...] = BEGIN) -> set[Path]:
    """The checker and all it imports."""
    waiting, found = [SOURCES / "epistrat" / one for one in begin], set[Path]()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += imported(path)
    return found


def lines_of_code(path: Path) -> int:
    """Lines that are neither blank nor words about the code."""
    text = path.read_text()
    words = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    blank = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    tokens = [one for one in tokenize.generate_tokens(io.StringIO(text).readline) if one.type not in blank]
    return len({line for one in tokens for line in range(one.start[0], one.end[0] + 1)} - words)


@pytest.mark.parametrize("begin", [BEGIN, OF_HISTORIES])
def test_no_engine_is_needed(begin: tuple[str, ...]) -> None:
    assert [str(one) for one in trusted(begin) if one.relative_to(SOURCES / "epistrat").parts[0] in BESIDE] == []


@pytest.mark.parametrize("begin", [BEGIN, OF_HISTORIES])
def test_the_checker_and_all_it_imports_are_small(begin: tuple[str, ...]) -> None:
    lines = {str(one.relative_to(SOURCES)): lines_of_code(one) for one in trusted(begin)}
    told = "\n".join(f"{count:5} {one}" for one, count in sorted(lines.items()))
    assert sum(lines.values()) <= MOST, f"{sum(lines.values())}\n{told}"
