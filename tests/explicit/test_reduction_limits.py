"""Where the local automata are too large for reduction, all states are explored, and the answers are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from epistrat.engines.contract import Options, Outcome
from epistrat.engines.explicit.engine import ExplicitEngine
from epistrat.lang import load
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import PATIENT, Patience

MODEL = Path(__file__).parents[2] / "examples" / "interleaved" / "cryptographers_in_turn.ispl"


def _answers(patience: Patience) -> tuple[list[Outcome], bool]:
    system = load(MODEL.read_text(encoding="utf-8")).system
    assert system is not None
    session = ExplicitEngine().open(system, Options(), Budget(patience=patience))
    answers = [session.check(formula) for formula in system.formulae]
    return answers, "reduced spaces" in session.statistics()


@pytest.mark.parametrize("patience", [Patience(local_states=0), Patience(labels=0)])
def test_reduction_is_given_up(patience: Patience) -> None:
    usual, reduced = _answers(PATIENT)
    found, still = _answers(patience)
    assert reduced and not still
    assert [one.verdict for one in found] == [one.verdict for one in usual]
