"""What is told at the end of a request, and what a simulation finds by trying."""

from __future__ import annotations

import pytest

import epistrat
from epistrat.answers import How, Setting
from epistrat.service import CheckRequest, Text, ask_worker
from epistrat.service.simulation import Simulation
from epistrat.service.small import Looks
from epistrat.solvers.budget import OutOfBudget

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

LAMP = """
Agent Lamp
  Vars: on : boolean; end Vars
  Actions = {press, wait};
  Protocol: Other : {press, wait}; end Protocol
  Evolution: on = !on if Action = press; end Evolution
end Agent
InitStates Lamp.on = false; end InitStates
Groups g = {Lamp}; end Groups
Formulae AG Lamp.on = false; end Formulae
"""


def test_a_misuse_names_the_settings_it_is_about() -> None:
    """Whoever shows the message writes them as its users do: `--group` in a shell, ``group=`` in Python."""
    report, _ = ask_worker(CheckRequest(model=Text(LAMP), group="g"))
    assert report.ending.how is How.MISUSED
    assert report.ending.settings == (Setting("group"), Setting("strategies", "uniform"))


# Of the things that B may do, only the last one leaves the counter in its range.
NARROW = """
Agent A
  Vars: n : 0..1; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: n = n + 2 if !(B.Action = b4); end Evolution
end Agent
Agent B
  Vars: idle : boolean; end Vars
  Actions = {b1, b2, b3, b4};
  Protocol: Other : {b1, b2, b3, b4}; end Protocol
  Evolution: idle = idle if Action = b1; end Evolution
end Agent
InitStates A.n = 0 and B.idle = false; end InitStates
Formulae AG A.n = 0; end Formulae
"""


def test_a_step_is_looked_for_more_than_once() -> None:
    """Most joint actions lead out of a range; one that does not is found for nearly every seed."""
    system = epistrat.load(NARROW)
    found = [Simulation(system, seed=seed).step_with({"A": "go"}) for seed in range(20)]
    assert sum(step is not None for step in found) >= 18


def test_a_counted_budget_allows_as_many_looks_as_it_says() -> None:
    budget = Looks(left=3)
    for _ in range(3):
        budget.check()
    with pytest.raises(OutOfBudget):
        budget.check()
