"""Unbounded examples with observers: the verdicts that their headers promise."""

from __future__ import annotations

from pathlib import Path

import pytest

from epistrat.answers.certificate import Certificate
from epistrat.engines.contract import Options
from epistrat.engines.registry import load as engine
from epistrat.evidence.replay import replay
from epistrat.lang import load
from epistrat.service.expect import read_expectation
from epistrat.solvers.budget import Budget

EXAMPLES = Path(__file__).parents[2] / "examples" / "unbounded"
QUICK = ("account", "drift", "opacity")
"""Those that take little time; the others are measured by the benchmarks."""


@pytest.mark.parametrize("name", QUICK)
def test_verdicts_are_as_promised(name: str) -> None:
    text = (EXAMPLES / f"{name}.ispl").read_text(encoding="utf-8")
    system = load(text, name).system
    assert system is not None
    expected = read_expectation(text)
    session = engine("lazy").open(system, Options(evidence=True), Budget())
    for number, formula in enumerate(system.formulae, start=1):
        outcome = session.check(formula)
        assert outcome.verdict.value == expected.verdicts[number], number
        if outcome.evidence is not None:
            assert replay(system, Certificate(formula, outcome.verdict, trees=(outcome.evidence,))).ok, number
