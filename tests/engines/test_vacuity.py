"""Subformulae that do not matter: every engine names the same ones, and on random systems what it names is true by the definition."""

from __future__ import annotations

import random

import pytest
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

import epistrat
from epistrat.answers import Verdict
from epistrat.engines import registry
from epistrat.engines.contract import Options
from epistrat.engines.reference.engine import ReferenceSession
from epistrat.engines.reference.judge_space import space_of
from epistrat.engines.witness.notes import Indifference
from epistrat.logic.formula import is_state, subformulae
from epistrat.model.step import Stepper
from epistrat.solvers.budget import Budget

LAMP = """
Agent A
  Vars: n : 0..3; lit : boolean; end Vars
  Actions = {up, rest};
  Protocol: n < 3 : {up, rest}; Other : {rest}; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution
end Agent
Evaluation zero if A.n = 0; top if A.n = 3; lit if A.lit; dark if !A.lit; end Evaluation
InitStates A.n = 0 and !A.lit; end InitStates
Groups a = {A}; end Groups
Formulae AG dark; end Formulae
"""
HOLD = {
    "AG(top -> dark)": ["`top` does not matter: the formula holds with `true` in its place."],
    "AG(dark or EF top)": [  # each of them alone
        "`dark` does not matter: the formula holds with `false` in its place.",
        "`EF top` does not matter: the formula holds with `false` in its place.",
    ],
    "A(lit U zero)": ["`lit` does not matter: the formula holds with `false` in its place."],
    "EF(top and dark)": [],
    "AG(zero -> EF top)": ["`zero` does not matter: the formula holds with `true` in its place."],
    "AG(zero -> !top)": [],
    "AG(lit -> top)": ["`lit` is never true, so the formula holds vacuously."],
    "AG((K(A, dark) or top) <-> dark)": [],
    "<a>F (top or lit)": ["`lit` does not matter: the formula holds with `false` in its place."],
    "LTL G (lit or dark)": ["`lit` does not matter: the formula holds with `false` in its place."],
}


FAIL = {
    "EF(lit and dark)": ["`dark` does not matter: the formula fails with `true` in its place."],
    "AG(dark -> EF (top and lit))": ["`top` does not matter: the formula fails with `true` in its place."],
    "E(dark U lit)": ["`dark` does not matter: the formula fails with `true` in its place."],
    "AG(zero -> lit)": [],
    "AG(lit and top)": [],  # two demands, each of which fails
    "EF top and AG(zero and EF (lit and top))": ["`top` does not matter: the formula fails with `true` in its place."],
    "!EF(top and dark)": [],
    "AG !(dark or lit)": ["`lit` does not matter: the formula fails with `false` in its place."],
    "<a>F (lit and top)": ["`top` does not matter: the formula fails with `true` in its place."],
    "LTL F (lit and dark)": ["`dark` does not matter: the formula fails with `true` in its place."],
}
QUESTIONS = HOLD | FAIL


@pytest.mark.parametrize("formula", QUESTIONS)
@pytest.mark.parametrize("engine", ["reference", "symbolic", "explicit"])
def test_each_engine_names_what_does_not_matter(formula: str, engine: str) -> None:
    for evidence in (True, False):
        (result,) = epistrat.load(LAMP).check(formula, engine=engine, evidence=evidence)
        assert result.verdict is (Verdict.HOLDS if formula in HOLD else Verdict.FAILS)
        assert list(result.notes) == QUESTIONS[formula]


def test_the_engine_that_answered_says_it_without_the_reference_engine() -> None:
    for asked, verdict in (("AG(top -> dark)", Verdict.HOLDS), ("EF(lit and dark)", Verdict.FAILS)):
        system = epistrat.load(LAMP.replace("AG dark", asked))
        (formula,) = system.formulae
        for name in ("symbolic", "explicit"):
            session = registry.load(name).open(system, Options(), Budget())
            assert session.check(formula).verdict is verdict
            assert session.remark(formula, verdict).notes == tuple(QUESTIONS[asked])


def test_on_random_systems_the_verdict_is_the_same_whatever_stands_there() -> None:
    """The reference engine is asked about the formula with the constant in place of the part."""
    found = {True: 0, False: 0}
    for seed in range(60):
        rng = random.Random(seed)
        system = random_system(rng)
        session = ReferenceSession(system, Options(), Budget())
        formula = random_formula(rng, system, "CTLK", 2)
        verdict = session.check(formula).verdict
        if verdict is Verdict.UNKNOWN or not is_state(formula):
            continue
        holds = verdict is Verdict.HOLDS
        space = space_of(session._open_judge(), Stepper(system), session._reach(), Options().strategies)
        assert space is not None
        for part, constant, variant in Indifference(space, frozenset(), holds).replaced(formula):
            found[holds] += 1
            assert part in set(subformulae(formula))
            assert constant in set(subformulae(variant))
            assert session.check(variant).verdict is verdict
    assert min(found.values()) > 3
