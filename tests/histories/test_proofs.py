"""Proofs about histories: of no false verdict there is one, and no true one is refused."""

from __future__ import annotations

import os
import random
from functools import partial
from pathlib import Path

import pytest
from tests.histories.definition import Definition
from tests.histories.models import REST, random_formula, random_resting

import epistrat
from epistrat.answers.backing import Standing
from epistrat.answers.verdict import Verdict
from epistrat.evidence.proof import files, moments
from epistrat.evidence.proof.obligations import Asks
from epistrat.evidence.proof.prove import Prover
from epistrat.lang import load
from epistrat.logic.formula import subformulae
from epistrat.logic.histories import about_histories, read_as, unreadable
from epistrat.logic.nodes import PAST, Reading
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.records import replace
from epistrat.scenarios import text

QUESTIONS = int(os.environ.get("EPISTRAT_HISTORIES", "150"))
PART = 50


@pytest.mark.parametrize("seed", range(0, QUESTIONS, PART))
def test_only_what_the_definition_says_is_proved(seed: int) -> None:
    shown = 0
    for number in range(seed, seed + PART):
        rng = random.Random(number)
        system = random_resting(rng)
        prover = Prover(system)
        encoded = partial(getattr, prover, "encoded")
        for _ in range(8):
            formula = read_as(random_formula(rng, rng.choice((1, 2, 3))), rng.choice((Reading.CLOCK, Reading.RECALL)))
            if unreadable(formula) is not None or not about_histories(formula):
                continue
            proofs = {verdict: moments.prove(encoded, formula, verdict) for verdict in (True, False)}
            if proofs[True].shown or proofs[False].shown:
                deep = sum(isinstance(part, PAST) for part in subformulae(formula))
                expected = Definition(system, REST + 1 + deep).holds(formula)
                about = number, show(formula), to_ispl(system)
                assert proofs[expected].shown and not proofs[not expected].shown, about
                assert proofs[not expected].wrong is not None, about
                shown += 1
    assert shown > PART


def test_large_systems_are_proved() -> None:
    model = epistrat.load(text("dining-cryptographers"), n=30)
    formulae = (
        "AG ((over and employer) -> GCK[recall](all, employer))",
        "AG (paid[2] -> K[clock](Crypto[1], paid[2]))",
    )
    for formula, verdict in zip(formulae, (Verdict.HOLDS, Verdict.FAILS), strict=True):
        (result,) = model.check(formula, evidence=True)
        assert result.verdict is verdict
        assert result.backing is not None and result.backing.standing is Standing.PROVED


FORGETFUL = """
Agent A
  Vars: bit : boolean; shown : {nothing, yes, no}; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: shown = nothing if shown = yes or shown = no; end Evolution
end Agent
Agent B
  Vars: seen : {nothing, yes, no}; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: seen = nothing if seen = yes or seen = no; end Evolution
end Agent
Evaluation one if A.bit = true; end Evaluation
InitStates (A.bit = true and B.seen = yes) or (A.bit = false and B.seen = no); end InitStates
"""


def test_of_what_was_forgotten_there_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    system = load(FORGETFUL).system
    assert system is not None
    formula = read_as(epistrat.load(FORGETFUL).formula("AX (one -> K(B, one))"), Reading.RECALL)
    prover = Prover(system)
    assert not moments.prove(lambda: prover.encoded, formula, False).shown
    monkeypatch.setattr(moments.Moments, "_remembers", lambda self, line, place, agents: None)
    assert moments.prove(lambda: prover.encoded, formula, False).shown  # the clock tells less


SWITCH = """
Agent A
  Vars: on : boolean; end Vars
  Actions = {press, wait};
  Protocol: Other : {press, wait}; end Protocol
  Evolution: on = true if Action = press; end Evolution
end Agent
Agent B
  Vars: end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: end Evolution
end Agent
Evaluation on if A.on = true; end Evaluation
InitStates A.on = false; end InitStates
"""


@pytest.mark.parametrize(
    ("asked", "verdict", "meanings"),
    [
        (
            "AG !K[clock](B, on)",
            True,
            {"steps lead to moment 1", "who does not know sees a state like its own in which it is false"},
        ),
        (
            "AG K[clock](B, !on)",
            False,
            {"steps lead to moment 1", "who knows sees no state like its own in which it is false"},
        ),
        ("EX K[clock](A, on)", True, {"from here some step leads there", "from here no step leads there"}),
    ],
)
def test_obligations_show_both_sides(asked: str, verdict: bool, meanings: set[str]) -> None:
    """Without them nothing would say in the files of a proof that somebody does not know, or that there are no further moments."""
    system = epistrat.load(SWITCH)
    prover = Prover(system)
    found = moments.prove(lambda: prover.encoded, system.formula(asked), verdict, keep=True)
    assert found.shown, found
    assert {one.meaning for one in found.kept} >= {"initial states are at the first moment", *meanings}
    assert not moments.prove(lambda: prover.encoded, system.formula(asked), not verdict).shown


def test_steps_that_lead_elsewhere_are_seen(tmp_path: Path) -> None:
    """Glucose finds the step that a moment left out."""
    system = epistrat.load(SWITCH)
    prover = Prover(system)
    found = moments.prove(lambda: prover.encoded, system.formula("AG !K[clock](B, on)"), True, keep=True)
    (leads, *_) = [one for one in found.kept if one.asks is Asks.LEADS]
    wrong = replace(leads, sets=(leads.sets[0], leads.sets[0]))
    assert leads.holds() and not wrong.holds()
    glucose = pytest.importorskip("pysat.solvers").Glucose4
    for number, (one, answer) in enumerate(((leads, False), (wrong, True)), start=1):
        files.write(tmp_path / str(number), {}, [one])
        lines = (tmp_path / str(number) / "1.cnf").read_text().splitlines()[1:]
        with glucose(bootstrap_with=[[int(word) for word in line.split()[:-1]] for line in lines]) as solver:
            assert solver.solve() is answer
