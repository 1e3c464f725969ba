"""Ways of the explicit engine that must lead to the same place: invariants refuted early, monitors, local reachability."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

import epistrat
from epistrat.engines.explicit.reduction.tables import Tables, _backwards
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT, PATIENT, Patience

if TYPE_CHECKING:
    from epistrat.engines.explicit.reduction.automata import Automata

LONG = """
Agent A
  Vars: n : 0..100000; end Vars
  Actions = {up, stay};
  Protocol: Other : {up, stay}; end Protocol
  Evolution: n = n + 1 if Action = up and n < 100000; end Evolution
end Agent
InitStates A.n = 0; end InitStates
Formulae AG A.n < 5; AG A.n < 100000; end Formulae
"""


def test_an_invariant_is_refuted_by_the_first_state_that_violates_it() -> None:
    """However many states there are beside it."""
    found = epistrat.load(LONG).check(engine="explicit", states=50)
    assert [one.verdict.value for one in found] == ["fails", "unknown"]


# Left or right at first, and for ever; on the right the light may go on.
FORK = """
Agent A
  Vars: at : {start, left, right}; on : boolean; end Vars
  Actions = {l, r};
  Protocol: Other : {l, r}; end Protocol
  Evolution:
    at = left if at = start and Action = l;
    at = right if at = start and Action = r;
    on = true if at = right and Action = l;
  end Evolution
end Agent
Evaluation start if A.at = start; left if A.at = left; on if A.on = true; end Evaluation
InitStates A.at = start and A.on = false; end InitStates
Formulae
  CTL* E F (left and E (Once(G !on) and G left));
  CTL* E F (!start and E (Once(F on) and F on));
  CTL* A G (left -> E (Once(X left) and F on));
  CTL* A G (left -> A (Once(start) and G !on));
  CTL* E F (left and E (Once(on and G left)));
  CTL* A G E (Once(start and X X on) or G !on);
end Formulae
"""


def test_quantifiers_that_look_back_through_the_future() -> None:
    system = epistrat.load(FORK)
    right = [one.verdict for one in system.check(engine="reference")]
    assert [one.verdict for one in system.check(engine="explicit")] == right
    assert len(set(right)) == 2


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ([0, 0, 1, 0, 0], [1, 1, 1, 0, 0]),
        ([0, 0, 0, 0, 1], [0, 0, 0, 1, 1]),
        ([0, 0, 0, 0, 0], [0, 0, 0, 0, 0]),
    ],
)
def test_only_what_leads_to_the_goal_is_before_it(goal: list[int], expected: list[int]) -> None:
    """0 leads to 1, 1 to 2, and 3 to 4."""
    steps = np.array([1, 2, -1, 4, -1])
    assert _backwards([steps], np.array(goal, dtype=np.bool_)).tolist() == [bool(one) for one in expected]


def test_a_label_that_leads_back_to_the_first_local_state_is_allowed() -> None:
    """The label leads from 1 to 0, another one from 2 to 1 and from 0 nowhere."""
    local = SimpleNamespace(next=[{0: np.array([-1, 0, -1]), 1: np.array([-1, -1, 1])}], sizes=[3])
    assert Tables(cast("Automata", local))._reach(0, 0).tolist() == [False, True, True]


# Whoever is in the pit may only do what the range of the counter forbids: a choice without any outcome.
PIT = """
Agent A
  Vars: at : {start, pit, goal}; n : 0..1; end Vars
  Actions = {go, jump};
  Protocol: at = pit : {jump}; Other : {go}; end Protocol
  Evolution: at = pit if at = start; n = n + 2 if Action = jump; end Evolution
end Agent
Evaluation safe if A.at = start; goal if A.at = goal; end Evaluation
InitStates A.at = start and A.n = 0; end InitStates
Groups a = {A}; end Groups
Formulae <a>(safe U goal); <a>F goal; LTL G safe; AG safe; <a>X safe; end Formulae
"""


def test_a_choice_without_outcome_helps_only_where_the_play_may_be() -> None:
    """In the pit it would win anything, but the pit is not safe.  And a state without successor is on no infinite run."""
    system = epistrat.load(PIT)
    right = [one.verdict.value for one in system.check(engine="reference")]
    assert right == ["fails", "holds", "holds", "fails", "fails"]
    assert [one.verdict.value for one in system.check(engine="explicit")] == right


@pytest.mark.parametrize("patience", [IMPATIENT, PATIENT])
def test_a_system_without_any_step(patience: Patience) -> None:
    """Nobody can act in the only state."""
    text = """
    Agent A Vars: n : 0..1; end Vars Actions = {go}; Protocol: n = 1 : {go}; end Protocol Evolution: n = 0 if n = 1; end Evolution end Agent
    InitStates A.n = 0; end InitStates Groups a = {A}; end Groups Formulae <a>X true; EX true; <a>F A.n = 0; AX false; end Formulae
    """
    found = epistrat.load(text).check(engine="explicit", budget=Budget(patience=patience))
    assert [one.verdict.value for one in found] == ["fails", "fails", "holds", "holds"]


@pytest.mark.parametrize("actions", [63, 64, 65])
def test_more_events_than_a_word_has_bits(actions: int) -> None:
    """Which events need not be taken is kept for the first 64 of them."""
    names = ", ".join(f"a{number:02}" for number in range(actions))
    text = f"""
    Composition = Interleaved;
    Agent A Vars: n : 0..1; end Vars Actions = {{{names}}}; Protocol: Other : {{{names}}}; end Protocol
      Evolution: n = 1 if Action = a01; end Evolution end Agent
    Agent B Vars: m : 0..2; end Vars Actions = {{z}}; Protocol: m < 2 : {{z}}; end Protocol
      Evolution: m = m + 1 if Action = z; end Evolution end Agent
    InitStates A.n = 0 and B.m = 0; end InitStates Formulae AG (A.n = 0 or B.m < 2); AG B.m <= 1; EF A.n = 1; end Formulae
    """
    found = epistrat.load(text).check(engine="explicit", budget=Budget(patience=IMPATIENT))
    assert [one.verdict.value for one in found] == ["fails", "fails", "holds"]
