"""Invariants that proof search finds are evidence, also for knowledge, and are proved again; lies are caught."""

from __future__ import annotations

import pytest
from tests.generators.certificates import claimed

import epistrat
from epistrat.evidence import Invariant, Stated, Tree
from epistrat.evidence.replay import replay
from epistrat.evidence.tree import walk
from epistrat.model.conditions import as_condition
from epistrat.proving.fresh import FreshProver
from epistrat.service.models import read_formula

TICKETS = """
Agent Environment
  Obsvars: given : integer; end Obsvars
  Vars: served : integer; end Vars
  Actions = {give, serve, wait};
  Protocol: served < given : {give, serve, wait}; Other : {give, wait}; end Protocol
  Evolution: given = given + 1 if Action = give; served = served + 1 if Action = serve; end Evolution
end Agent
Agent Guest Actions = {look}; Protocol: Other : {look}; end Protocol end Agent
Evaluation
  sound if Environment.served <= Environment.given; early if Environment.served >= 0;
  none if Environment.given = 0; all if Environment.served = Environment.given;
end Evaluation
InitStates Environment.given = 0 and Environment.served = 0; end InitStates
Formulae
  AG sound;
  AG early;
  AG(none -> K(Guest, all));
  AG(K(Guest, all) -> all);
  AG K(Guest, sound and K(Environment, early));
  AG !K(Guest, all);
  AG(!none -> !K(Guest, all));
  AG K(Guest, Once none);
end Formulae
"""
SYSTEM = epistrat.load(TICKETS)


@pytest.fixture(scope="module")
def results() -> list[epistrat.Result]:
    return list(SYSTEM.check(engine="lazy"))


def test_what_holds_is_proved_again_by_an_invariant(results: list[epistrat.Result]) -> None:
    for result in results[:5]:
        assert result
        assert result.evidence is not None
        assert isinstance(result.evidence.because[0], Invariant)
        assert result.replay is not None and result.replay.complete and result.replay.proved
        assert "proved it again" in result.explain()


def test_what_is_known_on_a_counterexample_is_proved_again(results: list[epistrat.Result]) -> None:
    failing = results[5]
    assert not failing and failing.evidence is not None
    assert any(isinstance(one, Invariant) for tree in walk(failing.evidence) for one in tree.because)
    assert failing.replay is not None and failing.replay.complete and failing.replay.proved == 1


def test_what_cannot_be_proved_again_is_listed(results: list[epistrat.Result]) -> None:
    """That somebody never knows something, and knowledge of the past, are only stated."""
    for result, shown in (
        (results[6], "AG (!none -> !K(Guest, all)) holds"),
        (results[7], "AG K(Guest, Once none) holds"),
    ):
        assert result and result.evidence is not None and result.evidence.because == (Stated(),)
        assert result.replay is not None and result.replay.ok and not result.replay.complete
        assert f"Not re-checked independently: `{shown}`" in result.explain()
        assert result.replay.trusted == (shown,)


@pytest.mark.parametrize(
    ("claim", "invariant"),
    [
        ("AG K(Guest, all)", "sound and early"),  # a lie about a formula that fails
        ("AG(none -> K(Guest, all))", "sound"),  # too weak: nothing excludes a negative number
        ("AG(none -> K(Guest, all))", "sound and early and none"),  # not inductive
        ("AG(none -> K(Guest, all))", "sound and early and !none"),  # not true in the beginning
        ("AG(K(Guest, sound) -> none)", "sound and early"),
        ("AG K(Guest, K(Guest, all))", "sound and early"),
    ],
)
def test_a_planted_lie_about_knowledge_is_caught(claim: str, invariant: str) -> None:
    condition = as_condition(SYSTEM, read_formula(invariant, SYSTEM))
    tree = Tree((0, 0), read_formula(claim, SYSTEM), True, (Invariant(condition),))
    replayed = replay(SYSTEM, claimed(tree), prover=FreshProver())
    assert not replayed.ok and not replayed.proved
