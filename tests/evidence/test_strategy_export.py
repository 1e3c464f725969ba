"""Strategies written as ISPL: the restricted model loads, has no new steps, and satisfies the formula."""

from __future__ import annotations

from pathlib import Path

import pytest

import epistrat
from epistrat.evidence import Enforced, StateStrategy, Strategy, UniformStrategy, walk
from epistrat.evidence.restrict import restrict
from epistrat.explain.follow import follow
from epistrat.explain.policy import policies
from epistrat.model.show import to_ispl
from epistrat.model.step import Stepper

EXAMPLES = Path(__file__).parents[2] / "examples"

GUESSING = """
Agent Hider
  Vars: side : {left, right}; shown : boolean; end Vars
  Actions = {hide_left, hide_right, wait};
  Protocol:
    shown = false : {hide_left, hide_right};
    Other : {wait};
  end Protocol
  Evolution:
    side = left and shown = true if Action = hide_left;
    side = right and shown = true if Action = hide_right;
  end Evolution
end Agent
Agent Seeker
  Vars: found : {not_yet, yes, no}; looked : boolean; end Vars
  Actions = {look_left, look_right, count};
  Protocol:
    looked = false : {count};
    found = not_yet and looked = true : {look_left, look_right};
    Other : {count};
  end Protocol
  Evolution:
    looked = true if looked = false;
    found = yes if Action = look_left and looked = true and Hider.Action = wait;
    found = no if Action = look_right and looked = true and Hider.Action = wait;
  end Evolution
end Agent
Evaluation
  together if Hider.side = left and Seeker.found = yes or Hider.side = right and Seeker.found = no;
end Evaluation
InitStates Hider.side = left and Hider.shown = false and Seeker.found = not_yet and Seeker.looked = false; end InitStates
Groups seeker = {Seeker}; end Groups
Formulae <seeker>F together; end Formulae
"""


def strategy_for(system: epistrat.System, formula: str | None) -> Strategy:
    (result,) = system.check(formula, strategy_states=20_000)
    assert result.evidence is not None
    return next(
        reason.strategy for part in walk(result.evidence) for reason in part.because if isinstance(reason, Enforced)
    )


@pytest.mark.parametrize(
    ("model", "formula"),
    [
        ("prisoners", "<prisoners>F free"),
        ("tian_ji", "<both>F tian_wins"),
        ("tian_ji", "predictable -> <tian>F tian_wins"),
        ("contract", "<partners>F served"),
        ("red_states", "<outer>G Outer.GreenStates"),
    ],
)
def test_exported_strategies_check_true(model: str, formula: str) -> None:
    system = epistrat.load(EXAMPLES / f"{model}.ispl")
    narrowed = epistrat.load(to_ispl(follow(system, policies(system, strategy_for(system, formula)))))
    assert all(narrowed.check(formula))
    path = formula.replace("<prisoners>", "A").replace("<partners>", "A").replace("<outer>", "A")
    if path != formula:
        assert all(narrowed.check(path)), "the strategy leaves the others no way out"


def test_a_strategy_that_reads_what_the_agent_cannot_see() -> None:
    """The seeker must look where the hider hides, which it cannot see: the Environment carries a copy."""
    system = epistrat.load(GUESSING)
    strategy = strategy_for(system, None)
    (rules,) = policies(system, strategy)
    assert isinstance(strategy, StateStrategy)
    assert not rules.uniform
    text = to_ispl(follow(system, [rules]))
    narrowed = epistrat.load(text)
    assert "Hider_side" in text
    assert all(narrowed.check())
    assert all(narrowed.check("AF together"))
    assert not all(system.check("AF together"))


def test_restriction_adds_no_steps_and_no_dead_ends() -> None:
    system = epistrat.load(EXAMPLES / "card_game.ispl")
    (result,) = system.check("<player>F wins", strategies="subjective", engine="reference")
    (other,) = system.check("<player>F wins", strategies="objective", engine="reference")
    shown = [r.evidence for r in (result, other) if r and r.evidence is not None]
    for tree in shown:
        strategy = next(reason.strategy for reason in tree.because if isinstance(reason, Enforced))
        assert isinstance(strategy, UniformStrategy)
        narrowed = restrict(system, strategy)
        steps, fewer = Stepper(system), Stepper(narrowed)
        assert set(fewer.steps(tree.state)) <= set(steps.steps(tree.state))
        assert not fewer.is_dead_end(tree.state)
