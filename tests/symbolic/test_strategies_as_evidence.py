"""Strategies and answers that the symbolic engine writes down: whose choices they are, and how many states they may list."""

from __future__ import annotations

from itertools import permutations

import pytest
from tests.generators.certificates import certified

from epistrat.engines.contract import Options, Outcome, Strategies, Verdict
from epistrat.engines.symbolic.engine import SymbolicEngine
from epistrat.evidence import Answered, Enforced, UniformStrategy
from epistrat.evidence.replay import replay
from epistrat.lang import load
from epistrat.model.system import System
from epistrat.solvers.budget import Budget


def system_of(text: str) -> System:
    loaded = load(text)
    assert loaded.system is not None, [str(one) for one in loaded.report.errors]
    return loaded.system


def shown(system: System, options: Options) -> Outcome:
    """The outcome for the model's first formula, whose evidence is re-checked as a whole."""
    (formula,) = system.formulae
    outcome = SymbolicEngine().open(system, options, Budget()).check(formula)
    found = replay(system, certified(formula, outcome, options))
    assert found.ok, found.problems
    assert found.complete, found.trusted
    return outcome


# A light goes on unless A and B both stay away from it.
SWITCHES = """
Agent Environment
  Vars: on : boolean; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution:
    on = true if A.Action = press or B.Action = press;
    on = false if A.Action = rest and B.Action = rest;
  end Evolution
end Agent
Agent A
  Vars: idle : boolean; end Vars
  Actions = {rest, press};
  Protocol: Other : {rest, press}; end Protocol
  Evolution: idle = idle if Action = rest; end Evolution
end Agent
Agent B
  Vars: idle : boolean; end Vars
  Actions = {rest, press};
  Protocol: Other : {rest, press}; end Protocol
  Evolution: idle = idle if Action = rest; end Evolution
end Agent
Evaluation on if Environment.on = true; end Evaluation
InitStates Environment.on = false and A.idle = false and B.idle = false; end InitStates
Groups a = {A}; b = {B}; end Groups
Formulae FORMULA; end Formulae
"""


@pytest.mark.parametrize("formula", ["<a>X on and <b>X on", "<b>X on and <a>X on", "<a>X on and !<b>X !on"])
def test_what_one_group_must_avoid_says_nothing_about_another_group(formula: str) -> None:
    """Both avoid steps into the same states; each strategy is made of its own group's choices."""
    outcome = shown(system_of(SWITCHES.replace("FORMULA", formula)), Options(evidence=True, examples=1))
    assert outcome.verdict is Verdict.HOLDS


# A must go on, three times or once.
STEPS = """
Agent A
  Vars: at : 0..3; end Vars
  Actions = {stay, on};
  Protocol: Other : {stay, on}; end Protocol
  Evolution: at = TARGET if Action = on and at < 3; end Evolution
end Agent
Evaluation there if A.at = 3; end Evaluation
InitStates INITIAL; end InitStates
Groups a = {A}; end Groups
Formulae <a>F there; end Formulae
"""


@pytest.mark.parametrize(
    ("target", "initial", "most", "rows"),
    [
        ("at + 1", "A.at = 0", 3, 3),
        ("at + 1", "A.at = 0", 2, 0),
        ("3", "A.at > 0", 3, 2),
        ("3", "A.at > 0", 2, 1),  # not for all initial states, so for one of them
    ],
)
def test_a_strategy_may_list_as_many_states_as_is_allowed(target: str, initial: str, most: int, rows: int) -> None:
    system = system_of(STEPS.replace("TARGET", target).replace("INITIAL", initial))
    options = Options(Strategies.OBJECTIVE, evidence=True, examples=1, strategy_states=most)
    (formula,) = system.formulae
    outcome = SymbolicEngine().open(system, options, Budget()).check(formula)
    assert outcome.verdict is Verdict.HOLDS
    assert outcome.evidence is not None
    found = [one.strategy for one in outcome.evidence.because if isinstance(one, Enforced)]
    listed = [len(moves) for one in found if isinstance(one, UniformStrategy) for _, moves in one.moves]
    assert sum(listed) == rows


# From the first place, which is good, the road leads on to places that are not; there it goes on or stays, as the Environment likes.
ROAD = """
Agent Environment
  Vars: at : 0..2; end Vars
  Actions = {ACTIONS};
  Protocol: Other : {ACTIONS}; end Protocol
  Evolution:
    at = 1 if at = 0;
    at = 2 if at = 1 and Action = go;
    at = 1 if at = 2 and Action = go;
  end Evolution
end Agent
Agent A
  Vars: idle : boolean; end Vars
  Actions = {rest};
  Protocol: Other : {rest}; end Protocol
  Evolution: idle = idle if Action = rest; end Evolution
end Agent
Evaluation
  good if Environment.at = 0;
  goal if Environment.at < 0;
  far if Environment.at = 2;
  near if Environment.at = 1;
end Evaluation
InitStates Environment.at = 0 and A.idle = false; end InitStates
Groups a = {A}; end Groups
Fairness FAIRNESS; end Fairness
Formulae <a>(good U goal); end Formulae
"""


@pytest.mark.parametrize("fairness", ["far", "near", "far; near", "near; far"])
@pytest.mark.parametrize("actions", ["go, stay", "stay, go"])
def test_whoever_has_won_goes_on_fairly(fairness: str, actions: str) -> None:
    """Answers that have led out of where the group must stay still make the run fair."""
    system = system_of(ROAD.replace("FAIRNESS", fairness).replace("ACTIONS", actions))
    assert shown(system, Options(evidence=True)).verdict is Verdict.FAILS


# Whatever A does, B can keep the door shut by holding it; against a pull, leaning helps as well.
DOOR = """
Agent Environment
  Vars: open_ : boolean; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution:
    open_ = true if A.Action = pull and B.Action = rest;
    open_ = true if A.Action = push and (B.Action = rest or B.Action = lean);
  end Evolution
end Agent
Agent A
  Vars: idle : boolean; end Vars
  Actions = {pull, push};
  Protocol: Other : {pull, push}; end Protocol
  Evolution: idle = idle if Action = pull; end Evolution
end Agent
Agent B
  Vars: idle : boolean; end Vars
  Actions = {ACTIONS};
  Protocol: Other : {ACTIONS}; end Protocol
  Evolution: idle = idle if Action = rest; end Evolution
end Agent
Evaluation open_ if Environment.open_ = true; end Evaluation
InitStates Environment.open_ = false and A.idle = false and B.idle = false; end InitStates
Groups a = {A}; end Groups
Formulae <a>F open_; end Formulae
"""


@pytest.mark.parametrize("actions", [", ".join(order) for order in permutations(("rest", "lean", "hold"))])
def test_one_answer_to_all_choices_is_shown_where_there_is_one(actions: str) -> None:
    outcome = shown(system_of(DOOR.replace("ACTIONS", actions)), Options(evidence=True))
    assert outcome.verdict is Verdict.FAILS
    assert outcome.evidence is not None
    (reason,) = outcome.evidence.because
    assert isinstance(reason, Answered)
    assert {answer.joint[2] for answer in reason.answers.moves} == {"hold"}
