"""Where every run goes on, what holds on all runs is an invariant: it is answered and proved as one."""

from __future__ import annotations

from tests.generators.certificates import certified

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.registry import load as engine_named
from epistrat.evidence.replay import replay
from epistrat.lang import load
from epistrat.proving.fresh import FreshProver
from epistrat.solvers.budget import Budget

COUNTER = """
Agent A
  Vars: n : integer; end Vars
  Actions = {up};
  Protocol: Other : {up}; end Protocol
  Evolution: n = n + 1 if true; end Evolution
end Agent
InitStates A.n = 0; end InitStates
Formulae LTL G A.n >= 0; end Formulae
"""


def test_what_always_holds_on_all_runs_is_proved_as_an_invariant() -> None:
    system = load(COUNTER).system
    assert system is not None
    options = Options(evidence=True, examples=1)
    outcome = engine_named("lazy").open(system, options, Budget(seconds=60)).check(system.formulae[0])
    assert outcome.verdict is Verdict.HOLDS
    found = replay(system, certified(system.formulae[0], outcome, options), prover=FreshProver())
    assert found.complete, (found.problems, found.trusted)
