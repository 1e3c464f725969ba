"""Infinite-state models of everyday shape: every formula gets the verdict that its file expects."""

from __future__ import annotations

from pathlib import Path

import pytest

from epistrat.engines.abstraction.engine import AbstractionEngine
from epistrat.engines.contract import Options
from epistrat.lang import load
from epistrat.service.expect import read_expectation
from epistrat.solvers.budget import Budget

FILES = sorted((Path(__file__).parent / "models").glob("*.ispl"))
UNDECIDED = {("battery", 3), ("market", 1), ("ticket_lock", 3)}
"""Formulae that the engine does not decide."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_verdicts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    system = load(text, path.name).system
    assert system is not None
    expected = read_expectation(text).verdicts
    assert set(expected) == set(range(1, len(system.formulae) + 1))
    session = AbstractionEngine().open(system, Options(), Budget(seconds=100))
    for number, formula in enumerate(system.formulae, 1):
        if (path.stem, number) not in UNDECIDED:
            assert session.check(formula).verdict.value == expected[number], f"formula {number}"
