"""VMT-LIB: what is exported reads back with the same verdicts; models written by hand; what cannot be read is named."""

from __future__ import annotations

import random

import pytest
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

from epistrat.encoding.vmt import vmt
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.registry import load as engine
from epistrat.lang import load
from epistrat.lang.vmt.translate import translate
from epistrat.logic import formula as logic
from epistrat.model.system import Semantics
from epistrat.solvers.budget import Budget
from epistrat.source import NotRead

_PUMP = """
(set-logic QF_LRA)
(declare-fun level () Real)
(declare-fun level.next () Real)
(declare-const open Bool)
(declare-const open.next Bool)
(declare-const command Bool)
(define-fun sv0 () Real (! level :next level.next))
(define-fun sv1 () Bool (! open :next open.next))
(define-fun seen () Bool (! open :observer "Guard"))
(define-fun flow () Real (ite open 0.5 0.0))
(define-fun start () Bool (! (and (= level 1.0) (not open)) :init true))
(define-fun move () Bool (!
  (let ((more (+ level flow))) (and (= level.next more) (=> command open.next) (or command (= open.next open))))
  :trans true))
(define-fun full () Bool (! (> level 1.0) :knows "Guard"))
(define-fun p0 () Bool (! (>= level 1.0) :invar-property 0))
(define-fun p1 () Bool (! (not full) :invar-property 1))
"""


def test_a_model_written_by_hand() -> None:
    system = load(translate(_PUMP), "pump").system
    assert system is not None
    session = engine("lazy").open(system, Options(), Budget(seconds=60))
    assert [session.check(one).verdict for one in system.formulae] == [Verdict.HOLDS, Verdict.HOLDS]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (("(= level.next more)", "(> level.next more)"), "does not say what level.next is"),
        (("(or command (= open.next open))", "true"), "the next value of open is not determined everywhere"),
        (("(declare-const command Bool)", "(declare-const command Real)"), "the input command"),
        (("(set-logic QF_LRA)", "(push 1)"), "the command push cannot be read"),
        (("(> level 1.0) :knows", "(> level 1.0) :guesses"), "the annotation :guesses cannot be read"),
        (("(and (= level 1.0) (not open))", "(forall ((x Real)) (= x level))"), "quantifiers"),
    ],
)
def test_what_cannot_be_read_is_named(changed: tuple[str, str], words: str) -> None:
    with pytest.raises(NotRead, match=words):
        translate(_PUMP.replace(*changed))


def test_round_trip_of_random_systems() -> None:
    judge, same = engine("reference"), 0
    for seed in range(16):
        rng = random.Random(seed)
        system = random_system(rng, fairness=False)
        if system.interleaved or system.semantics is not Semantics.MULTI:
            continue
        agent = rng.choice([one for one in system.views if one != "Environment"])
        body = logic.Implies(
            random_formula(rng, system, "CTL", 0), logic.Knows(agent, random_formula(rng, system, "CTL", 0))
        )
        formula = logic.ForAll(logic.Globally(body))
        try:
            text = translate(vmt(system, [formula]))
        except NotRead:
            continue
        again = load(text, "again").system
        assert again is not None, text
        wanted = judge.open(system, Options(), Budget()).check(formula).verdict
        assert judge.open(again, Options(), Budget()).check(again.formulae[0]).verdict is wanted, seed
        same += 1
    assert same > 3
