"""What failed trials teach must be true: hidden games that take many trials, with no patience, against the judge."""

from __future__ import annotations

import random

import pytest
from tests.generators.mazes import maze

import epistrat
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT, PATIENT

FORMULAE = [
    "<g>F goal",
    "<g>G !trap",
    "<g>(!trap U goal)",
    "AG(start -> <g>F goal)",
    "EF <g>X <g>F goal",
    "<g>F <g>G !trap",
]
TEAM = ["<g>F goal", "<team>F goal", "<team>G !trap", "<team>(!trap U goal)"]


@pytest.mark.parametrize("reading", ["objective", "subjective", "uniform"])
@pytest.mark.parametrize("overflow", [False, True])
def test_many_trials_without_patience(reading: str, overflow: bool) -> None:
    tried = 0
    for seed in range(5 if reading == "uniform" else 16):
        rng = random.Random(f"{seed} {overflow}")
        helper = seed % 3 == 0
        system = epistrat.load(maze(rng, overflow, helper))
        formulae = TEAM if helper else FORMULAE
        group = ("team" if helper else "g") if reading == "uniform" else None
        right = system.check(formulae, engine="reference", strategies=reading, group=group, evidence=False, time=0.6)
        for patience in (IMPATIENT, PATIENT):
            found = system.check(
                formulae,
                engine="symbolic",
                strategies=reading,
                group=group,
                evidence=False,
                budget=Budget(patience=patience),
            )
            for text, one, other in zip(formulae, found, right, strict=True):
                if other.verdict.value != "unknown":
                    assert one.verdict is other.verdict, (seed, text, patience)
                tried += int(one.statistics.get("strategies tried", 0)) > 1
    assert tried > (3 if reading == "uniform" else 10)


def test_what_is_blamed_is_small() -> None:
    """If a failed trial blamed decisions that did not matter for it, this game would take twice as many trials (22)."""
    system = epistrat.load(maze(random.Random("20 False"), False, False))
    budget = Budget(patience=IMPATIENT)
    (found,) = system.check("<g>F goal", engine="symbolic", strategies="objective", evidence=False, budget=budget)
    assert 2 < int(found.statistics["strategies tried"]) < 16


@pytest.mark.parametrize(
    ("seed", "size", "fairness", "formula", "group", "most"),
    [
        # A team all of whose members follow the strategy has no choice left: what it enforces is what happens (117 trials otherwise).
        ("6 m", 6, "", "AF <team>X goal", "team", 80),
        # A step that fails is the fault of the choices that led to it, not of all that may follow (20 otherwise).
        ("11 i", 6, "", "AX AX AX !trap and EF goal", "g", 14),
        # Under fairness one path from one state is reason enough: not everything that may follow is to blame (57 otherwise).
        ("6 m", 8, "Fairness goal or !trap; end Fairness", "AX AX AX goal", "g", 45),
    ],
    ids=["a team that follows", "a step that fails", "a path under fairness"],
)
def test_what_a_pruning_is_blamed_for_is_small(
    seed: str, size: int, fairness: str, formula: str, group: str, most: int
) -> None:
    text = maze(random.Random(seed), False, group == "team", places=size, colours=size - 2)
    system = epistrat.load(text.replace("Groups g", f"{fairness} Groups g"))
    budget = Budget(patience=IMPATIENT)
    (found,) = system.check(
        formula, engine="symbolic", strategies="uniform", group=group, evidence=False, budget=budget
    )
    assert found.verdict.value == "fails"
    assert 2 < int(found.statistics["strategies tried"]) < most


# A walks through rooms that look different; in two of them it may do two things.
ROOMS = """
Agent Environment
  Vars: at : 0..3; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution:
    at = 1 if at = 0;
    at = 2 if at = 1 and A.Action = left;
    at = 3 if at = 1 and A.Action = right;
  end Evolution
end Agent
Agent A
  Lobsvars = {at};
  Vars: idle : boolean; end Vars
  Actions = {left, right};
  Protocol:
    Environment.at = 0 : {left};
    Environment.at = 3 : {left};
    Other : {left, right};
  end Protocol
  Evolution: idle = idle if Action = left; end Evolution
end Agent
Evaluation out if Environment.at = 3; lost if Environment.at = 2; end Evaluation
InitStates Environment.at = 0 and A.idle = false; end InitStates
Groups g = {A}; end Groups
"""


def test_situations_without_a_choice_are_not_counted_among_those_with_one() -> None:
    (found,) = epistrat.load(ROOMS).check("EF out and EF lost", engine="symbolic", strategies="uniform", group="g")
    assert found.verdict.value == "fails"
    assert found.statistics["situations with a choice"] == 2


@pytest.mark.parametrize("seed", range(4))
def test_an_implication_blames_both_sides(seed: int) -> None:
    """A pruning fails because what it implies is missing and because what implies it is there: changing either may help."""
    system = epistrat.load(maze(random.Random(f"{seed} i"), False, False, places=6))
    formulae = ["AX (EX trap -> EX goal)", "AX (EF trap -> AF goal)"]
    right = system.check(formulae, engine="reference", strategies="uniform", group="g", evidence=False)
    budget = Budget(patience=IMPATIENT)
    found = system.check(formulae, engine="symbolic", strategies="uniform", group="g", evidence=False, budget=budget)
    assert [one.verdict for one in found] == [one.verdict for one in right]


def test_a_game_that_rounds_decide_needs_no_trial() -> None:
    """Actions that lead to states which are won already are fixed in rounds, and that is enough here (7 trials otherwise)."""
    system = epistrat.load(maze(random.Random("0 i"), False, False, places=8))
    (found,) = system.check("<g>F goal", engine="symbolic", strategies="objective", evidence=False)
    assert found.verdict.value == "holds"
    assert "strategies tried" not in found.statistics
