"""Verdicts about unbounded models come with a run where some engine has one, and otherwise say in words which run it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import epistrat
from epistrat.answers import Result
from epistrat.engines.contract import Options, Outcome
from epistrat.engines.lazy.session import LazySession
from epistrat.evidence.proofs import Proofs
from epistrat.evidence.shorten import Shortener
from epistrat.jobs import Portfolio
from epistrat.jobs.portfolio import Disagreement
from epistrat.logic.formula import Formula
from epistrat.logic.show import show
from epistrat.model.conditions import as_condition
from epistrat.proving.fresh import FreshProver
from epistrat.records import replace
from epistrat.render.replay import show_replay
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr

EXAMPLES = Path(__file__).parents[2] / "examples"


def shown(alone: epistrat.Result) -> Result:
    """What a portfolio adds to an answer of abstraction, which shows nothing."""
    model = epistrat.load(EXAMPLES / "unbounded" / "auction.ispl")
    with Portfolio(model, "auto", Options(evidence=True), Budget()) as portfolio:
        return portfolio.shown(alone)


@pytest.fixture
def alone() -> epistrat.Result:
    model = epistrat.load(EXAMPLES / "unbounded" / "auction.ispl")
    text = "AG (won1 -> K(Second, Environment.bid1 = Environment.price))"
    (result,) = model.check(text, engine="abstraction", evidence=True)
    assert not result.trees and result.verdict.value == "fails"
    return result


def test_evidence_comes_from_another_engine_where_the_one_that_answered_has_none(alone: epistrat.Result) -> None:
    found = shown(alone)
    assert found.trees and found.engine == "abstraction" and found.verdict is alone.verdict


def test_another_engine_that_says_the_opposite_is_a_contradiction(
    alone: epistrat.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evidence for one verdict is never put beside another one."""
    honest = LazySession.check

    def lying(session: LazySession, formula: Formula) -> Outcome:
        return replace(honest(session, formula), verdict=epistrat.Verdict.HOLDS)

    monkeypatch.setattr(LazySession, "check", lying)
    with pytest.raises(Disagreement, match="abstraction says fails, lazy says holds"):
        shown(alone)


def test_a_run_that_never_repeats_is_named() -> None:
    model = epistrat.load(EXAMPLES / "unbounded" / "handshake.ispl")
    (formula,) = [one for one in model.formulae if show(one).startswith("LTL")]
    (result,) = model.check(formula, evidence=True)
    assert result.verdict.value == "fails" and not result.trees
    (said,) = [note for note in result.notes if "never repeats" in note]
    assert "is taken for ever; Sender.sent grows by 1 each time" in said and "Environment: lose_" in said


def test_two_bounds_that_meet_are_written_as_an_equation() -> None:
    text = """
    Agent Environment
      Obsvars: price : integer; end Obsvars
      Actions = {none}; Protocol: Other : {none}; end Protocol
      Evolution: price = price if true; end Evolution
    end Agent
    Agent A Vars: b : boolean; end Vars Actions = {w}; Protocol: Other : {w}; end Protocol end Agent
    InitStates Environment.price = 16 and A.b = true; end InitStates
    Formulae end Formulae
    """
    model, prover = epistrat.load(text), FreshProver()

    def written(condition: str) -> Expr:
        shortener = Shortener(model, Proofs(model, prover), prover)
        return shortener._written(as_condition(model, model.formula(condition)))

    price = "Environment.price"
    assert written(f"16 <= {price} and {price} <= 16") == written(f"{price} = 16")
    assert written(f"{price} <= 16 and {price} > 3 and 16 <= {price}") == written(f"{price} = 16 and {price} > 3")
    for kept in (
        f"15 <= {price} and {price} <= 16",
        f"16 <= {price} and {price} < 16",
        f"{price} <= 16 and {price} <= 16 + 0 * {price}",
    ):
        assert "Comparison.EQUAL" not in repr(written(kept))


@pytest.mark.parametrize(("name", "large"), [("faulty-trains", False), ("cryptographers-in-turn", True)])
def test_larger_limits_are_advised_only_where_size_is_the_reason(name: str, large: bool) -> None:
    model = epistrat.load(EXAMPLES.parent / "src" / "epistrat" / "scenarios" / f"{name}.ispl")
    left = [
        one for one in model.check(evidence=True, prove=False) if one.replay is not None and not one.replay.complete
    ]
    assert left and all(one.replay is not None and one.replay.too_many is large for one in left)
    said = [" ".join(show_replay(one.replay, model)) for one in left if one.replay is not None]
    assert all(("visits larger ones" in one) is large for one in said)
