"""Induction needs a beginning: conditions that steps keep are no invariants unless they hold at the start."""

from __future__ import annotations

from epistrat.encoding.transitions import Transitions, transitions
from epistrat.lang import load
from epistrat.model.conditions import as_condition
from epistrat.proving.induction import Inductor
from epistrat.proving.unbounded import UnboundedReachability
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr

MODEL = """
Agent A
  Vars: n : integer; end Vars
  Actions = {up};
  Protocol: Other : {up}; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution
end Agent
Agent B
  Vars: m : integer; end Vars
  Actions = {up};
  Protocol: Other : {up}; end Protocol
  Evolution: m = m + 1 if Action = up; end Evolution
end Agent
Evaluation p if A.n = 3; end Evaluation
InitStates A.n = 3 and INITIAL; end InitStates
Formulae AG p; end Formulae
"""


def _parts(initial: str, *texts: str) -> tuple[Transitions, list[Expr]]:
    system = load(MODEL.replace("INITIAL", initial)).system
    assert system is not None
    return transitions(system), [as_condition(system, read_formula(text, system)) for text in texts]


def test_what_steps_keep_must_hold_initially() -> None:
    system, (high, enough) = _parts("B.m = 0", "A.n >= 5", "A.n >= 3")
    inductor = Inductor(system, Budget())
    assert not inductor.inductive(high)
    assert inductor.inductive(enough)


def test_runs_shorter_than_the_induction_must_have_been_looked_at() -> None:
    system, (start, enough) = _parts("B.m = 0", "A.n = 3", "A.n >= 3")
    reach = UnboundedReachability(system, Budget())
    reach._whole.inductor.accept(enough)
    assert reach._k_inductive(reach._whole, start, 1), "no step leads to the first number"
    assert not reach._k_inductive(reach._whole, start, 0), "but runs start there"


def test_a_system_without_initial_states_reaches_nothing() -> None:
    for initial, reaches in (("B.m = 0", True), ("B.m = 0 and B.m > 0", False)):
        system, (question,) = _parts(initial, "A.n = 5")
        assert (UnboundedReachability(system, Budget()).reaches([question]) is not None) is reaches


def test_few_facts_exclude_what_all_of_them_do_not() -> None:
    """Each fact changes with every step, so that all facts together are not excluded by induction; fewer are."""
    system, (one, other, ahead) = _parts("B.m = 0", "B.m = 10", "A.n = 9", "B.m > A.n")
    inductor = Inductor(system, Budget())
    assert not inductor.exclude([one, other], ahead)
    assert inductor.exclude_by_few([one, other], ahead)
    assert inductor.excluded([ahead])


def test_what_follows_from_the_pool_does_not_join_it() -> None:
    system, (enough, more) = _parts("B.m = 0", "A.n >= 3", "A.n >= 2")
    inductor = Inductor(system, Budget())
    inductor.houdini([enough, more])
    assert inductor.pool == [enough]


def test_all_that_is_inductive_together_is_kept() -> None:
    """The largest set of candidates, not one of them: each may be needed, and none that is false stays."""
    texts = ("A.n >= 3", "B.m >= 0", "A.n >= B.m + 3", "A.n <= B.m + 3", "A.n = 3", "B.m <= 7")
    system, conditions = _parts("B.m = 0", *texts)
    inductor = Inductor(system, Budget())
    inductor.houdini(conditions)
    kept = [inductor.excluded([system.terms.negate(one)]) for one in conditions]
    assert kept == [True, True, True, True, False, False]
