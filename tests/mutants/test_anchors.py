"""Planted bugs stay where their code is: when it is laid out in another way, and when it moves to another module."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.mutants.anchors import places, written
from tests.mutants.catalogue import SOURCE, Mutant, Stale

CODE = """
def best(sizes):
    return min(
        sizes,
        key=sizes.get,
    )


def first(sizes):
    if sizes:
        for size in sizes:
            return size
    return None
"""


def changed(old: str, new: str) -> str:
    (place,) = places(CODE, old)
    return written(CODE, place, old, new)


def test_a_line_that_was_wrapped() -> None:
    assert "    return max(sizes)\n\n\ndef first" in changed("min(sizes, key=sizes.get)", "max(sizes)")


def test_lines_that_are_indented_deeper() -> None:
    old, new = "for size in sizes:\n    return size\n", "for size in reversed(sizes):\n    return size\n"
    after = changed(old, new)
    assert "        for size in reversed(sizes):\n            return size\n    return None\n" in after
    compile(after, "code", "exec")


@pytest.mark.parametrize("old", ["return size", "sizes.get(key)", "max(sizes"])
def test_other_words_are_not_found(old: str) -> None:
    assert list(places(CODE.replace("return size", "return sizes"), old)) == []


def mutant(old: str) -> Mutant:
    return Mutant("logic", "wrong", "logic/old.py", old, "max(sizes)", "the largest is taken", ())


def test_code_that_moved_to_another_module(tmp_path: Path) -> None:
    for name in ("logic", "terms"):
        (tmp_path / SOURCE / name).mkdir(parents=True)
    (tmp_path / SOURCE / "logic/old.py").write_text("", encoding="utf-8")
    (tmp_path / SOURCE / "terms/new.py").write_text(CODE, encoding="utf-8")
    path, text = mutant("min(sizes, key=sizes.get)").planted(tmp_path)
    assert path == SOURCE / "terms/new.py" and "return max(sizes)\n" in text
    with pytest.raises(Stale, match="occur 0 times"):
        mutant("min(sizes, key=len)").planted(tmp_path)
    with pytest.raises(Stale, match="occur 2 times"):
        mutant("return").planted(_twice(tmp_path))


def _twice(root: Path) -> Path:
    """The same tree, with a module of two returns."""
    other = root / "other"
    (other / SOURCE / "logic").mkdir(parents=True)
    (other / SOURCE / "logic/new.py").write_text("def f():\n    return\n\n\ndef g():\n    return\n", encoding="utf-8")
    return other
