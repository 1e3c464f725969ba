"""Paths that engines show: they keep to what the formula asks for on the way, also where a shorter way does not."""

from __future__ import annotations

import pytest
from tests.generators.certificates import certified

from epistrat.engines import registry
from epistrat.engines.contract import Options, Verdict
from epistrat.evidence import Along
from epistrat.evidence.replay import replay
from epistrat.lang import load
from epistrat.solvers.budget import Budget

# To the end lead a short way over the ferry and a long way by road.
WAYS = """
Agent A
  Vars: at : {home, ferry, road, bridge, end_}; end Vars
  Actions = {sail, drive};
  Protocol: Other : {sail, drive}; end Protocol
  Evolution:
    at = ferry if at = home and Action = sail;
    at = end_ if at = ferry;
    at = road if at = home and Action = drive;
    at = bridge if at = road;
    at = end_ if at = bridge;
  end Evolution
end Agent
Evaluation
  ferry if A.at = ferry;
  there if A.at = end_;
end Evaluation
InitStates A.at = home; end InitStates
Formulae FORMULA; end Formulae
"""


@pytest.mark.parametrize("engine", ["symbolic", "explicit", "reference"])
@pytest.mark.parametrize(
    ("formula", "steps"),
    [
        ("AG !there", 2),
        ("A(!there U ferry)", 3),
        ("!E(!ferry U there)", 3),
    ],
)
def test_a_path_keeps_to_what_is_asked_for_on_the_way(formula: str, steps: int, engine: str) -> None:
    system = load(WAYS.replace("FORMULA", formula)).system
    assert system is not None
    options = Options(evidence=True)
    outcome = registry.load(engine).open(system, options, Budget()).check(system.formulae[0])
    assert outcome.verdict is Verdict.FAILS
    found = replay(system, certified(system.formulae[0], outcome, options))
    assert found.ok, found.problems
    assert found.complete
    tree = outcome.evidence
    while tree is not None and not isinstance(tree.because[0], Along):
        tree = tree.because[0].tree  # type: ignore[union-attr]  # a part: the operand of a negation
    assert tree is not None and isinstance(tree.because[0], Along)
    assert len(tree.because[0].path.actions) == steps
