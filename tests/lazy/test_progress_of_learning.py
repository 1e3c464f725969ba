"""An answer that stays unknown says what was found out about knowledge."""

from __future__ import annotations

from pathlib import Path

import pytest

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.lazy.lemmas import Lemma, Lemmas
from epistrat.engines.registry import load as engine
from epistrat.lang import load
from epistrat.solvers.budget import Budget, OutOfBudget


def test_unknown_says_what_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (Path(__file__).parents[2] / "examples" / "unbounded" / "opacity.ispl").read_text(encoding="utf-8")
    system = load(text, "opacity").system
    assert system is not None
    learn = Lemmas.learn

    def learn_and_stop(self: Lemmas, lemma: Lemma) -> None:
        learn(self, lemma)
        raise OutOfBudget("no more time")

    monkeypatch.setattr(Lemmas, "learn", learn_and_stop)
    session = engine("lazy").open(system, Options(), Budget())
    outcomes = [session.check(formula) for formula in system.formulae]
    told = [one.notes for one in outcomes if one.verdict is Verdict.UNKNOWN and one.notes]
    assert told and all(notes[-1] == "open: all other observations" for notes in told)
