"""Statements of the packages that bugs are planted in, and copies of them that note which statement runs.

A statement is known by its place in the program and not by its line: file, function, the first line of its text as Python
prints it, and how often that text stood in the function before.  So what was recorded of a statement stays true while
other parts of the file change.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("engines", "proving", "encoding", "evidence", "jobs", "service", "lang/families")
"""Where bugs are planted, below src/epistrat."""

TREE = "{tree}"
"""Stands for the folder of a copy in the names of tests."""

MODULE = """
import mmap, os

def _opened():
    try:
        with open(os.environ["EPISTRAT_RAN"], "r+b") as file:
            return mmap.mmap(file.fileno(), 0)
    except (KeyError, OSError):
        return bytearray({size})

RAN = _opened()
"""
"""What `epistrat._ran` is in the copy: one byte for each statement, shared by all processes of a test."""

_LONGEST_TEXT = 160
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, the function it stands in (dotted; empty for the module itself), and a key that names it."""

    node: ast.stmt
    function: str
    key: str


def files(source: Path) -> list[Path]:
    """The files that bugs are planted in, below the source folder of a tree."""
    return sorted(file for package in PACKAGES for file in (source / package).rglob("*.py"))


def statements(tree: ast.Module, file: str) -> Iterator[Statement]:
    """All statements of a file, outer ones first."""
    seen: Counter[str] = Counter()
    for node, function in _within(tree, ""):
        text = f"{file}|{function}|{ast.unparse(node).partition(chr(10))[0][:_LONGEST_TEXT]}"
        seen[text] += 1
        yield Statement(node, function, f"{text}|{seen[text]}")


def _within(node: ast.AST, function: str) -> Iterator[tuple[ast.stmt, str]]:
    for field in _BLOCKS:
        for child in getattr(node, field, ()):
            if isinstance(child, ast.stmt):
                yield child, function
            inner = f"{function}.{child.name}".lstrip(".") if isinstance(child, Definition) else function
            yield from _within(child, inner)


def is_text(node: ast.stmt) -> bool:
    """Whether a statement is a text alone: a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def noting(text: str, numbers: dict[str, int], file: str) -> str:
    """The file's text with a note before every statement that it runs; the statements get the next free numbers."""
    tree = ast.parse(text)
    before = {
        id(statement.node): numbers.setdefault(statement.key, len(numbers)) for statement in statements(tree, file)
    }
    for node in list(ast.walk(tree)):
        for field in _BLOCKS:
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, field, list(_noted(block, before)))
    start = next((at for at, node in enumerate(tree.body) if not _comes_first(node)), len(tree.body))
    tree.body.insert(start, ast.parse("from epistrat._ran import RAN as _ran").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def _noted(block: list[ast.stmt], numbers: dict[int, int]) -> Iterator[ast.stmt]:
    for node in block:
        if not _comes_first(node):
            yield ast.parse(f"_ran[{numbers[id(node)]}] = 1").body[0]
        yield node


def _comes_first(node: ast.stmt) -> bool:
    """Docstrings and imports from the future stay where they are; so does what imports a name twice."""
    return is_text(node) or (isinstance(node, ast.ImportFrom) and node.module == "__future__")
