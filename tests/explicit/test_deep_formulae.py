"""Formulae as deep as the language allows do not exhaust the stack."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from benchmarks.interleaved import train_gate_controller

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.engines.registry import load
from epistrat.lang.cursor import DEEPEST
from epistrat.logic.formula import And, Exists, Finally, ForAll, Formula, Globally, Knows, Not, Prop
from epistrat.solvers.budget import Budget

DEEPENINGS: list[Callable[[Formula], Formula]] = [
    lambda inner: Not(And((inner, Prop("in_tunnel2")))),
    lambda inner: Exists(Finally(inner)),
    lambda inner: ForAll(Globally(inner)),
    lambda inner: Not(Knows("Train1", inner)),
]


@pytest.mark.parametrize("mode", ["off", "auto"])
@pytest.mark.parametrize("deepen", DEEPENINGS)
def test_deep_formulae(deepen: Callable[[Formula], Formula], mode: str) -> None:
    formula: Formula = Prop("in_tunnel1")
    for _ in range(DEEPEST):
        formula = deepen(formula)
    outcome = (
        load("explicit")
        .open(train_gate_controller(2), Options(tuning=(ExplicitTuning(mode),)), Budget())
        .check(formula)
    )
    assert outcome.verdict is not Verdict.UNKNOWN
