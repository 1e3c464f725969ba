"""What is shown is enough to see that what is said is true: hidden variables may have any other value without changing it.

EPISTRAT_RULE says how many random systems are drawn.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from tests.explain.test_sentences_are_true import questions
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

import epistrat
from epistrat.answers import Verdict
from epistrat.engines.contract import Options, Strategies
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.engines.reference.judge import Judge
from epistrat.evidence import LookAlike, Tree, walk
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.survey import Survey
from epistrat.explain.relevance import Relevance, spoken_of, telling_apart
from epistrat.logic.formula import is_state
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

SYSTEMS = int(os.environ.get("EPISTRAT_RULE", "60"))
CASES = 4
FOUND_BEFORE = ((943, 3303), (1113,), (1867,), (2111,))
"""Systems about which too little was shown: what the members of a group see, and what fairness constraints read."""


def trees(seed: int) -> Iterator[tuple[System, Strategies, Tree]]:
    """Evidence for random formulae of a random system."""
    rng = random.Random(seed)
    system = random_system(rng)
    for fragment, reading in questions(system):
        formula = random_formula(rng, system, fragment, 2)
        outcome = ReferenceEngine().open(system, Options(reading, evidence=True), Budget()).check(formula)
        if outcome.evidence is not None and outcome.verdict is not Verdict.UNKNOWN:
            yield system, reading, outcome.evidence


@pytest.mark.parametrize("case", range(CASES))
@pytest.mark.parametrize("few", [True, False])
def test_other_values_of_what_is_hidden_change_nothing(case: int, few: bool) -> None:
    """In every state that agrees on what is shown a claim has the same truth, by the judge; with and without a look at all states."""
    told = 0
    for seed in (*FOUND_BEFORE[case], *range(case, SYSTEMS, CASES)):
        for system, reading, tree in trees(seed):
            relevance = Relevance(system, Survey(RunChecker(system), 10_000 if few else 0), reading)
            shown = relevance.of(tree)
            stepper = Stepper(system)
            reached = explore(stepper, initial_states(system), 50_000, Budget())
            labels = Judge(stepper, reached, reading, Budget()).labels()
            for part in walk(tree):
                assert spoken_of(system, part.claim) <= shown
                for reason in part.because:
                    if isinstance(reason, LookAlike):
                        assert telling_apart(part.state, reason.tree.state) <= shown
                if relevance._needs_more(part) and is_state(part.claim):
                    where = labels.of(part.claim)
                    for node in labels.world.nodes:
                        if not telling_apart(part.state, reached.states[node]) & shown:
                            told += 1
                            assert (node in where) is part.holds, (seed, part.claim, part.state, reached.states[node])
    assert told > SYSTEMS // CASES


def test_what_can_make_a_value_not_fit_matters() -> None:
    """x counts until it does not fit, and then no run goes on: how long p can stay depends on x, although nothing about p reads it."""
    system = epistrat.load("""
Agent A
  Vars: x : 0..3; p : boolean; spare : boolean; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = x + 1 if Action = go; end Evolution
end Agent
Evaluation p if A.p = true; end Evaluation
InitStates A.p = true; end InitStates
""")
    matters = Relevance(system).influence(system.formula("EG p"))
    assert {str(system.variables[place]) for place in matters} == {"A.x", "A.p"}
