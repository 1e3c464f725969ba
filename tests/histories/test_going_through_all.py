"""Verdicts about histories are checked by going through all of them, by code that shares nothing with the engines."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from tests.histories.definition import Definition
from tests.histories.models import REST, random_formula, random_resting

import epistrat
from epistrat.answers.backing import Standing
from epistrat.answers.verdict import Verdict
from epistrat.cli.main import main
from epistrat.engines.explicit.histories import settling, trackers
from epistrat.evidence.histories import Histories
from epistrat.logic.formula import subformulae
from epistrat.logic.histories import read_as, unreadable
from epistrat.logic.nodes import PAST, Reading
from epistrat.logic.show import show
from epistrat.model.show import to_ispl

QUESTIONS = int(os.environ.get("EPISTRAT_HISTORIES", "150"))
PART = 50

FORGETFUL = """
Agent Environment
  Vars: bit : boolean; n : 0..2; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: n = n + 1 if n < 2; end Evolution
end Agent
Agent Ann
  Vars: seen : {nothing, yes, no}; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: seen = nothing if seen = yes or seen = no; end Evolution
end Agent
Evaluation one if Environment.bit = true; late if Environment.n = 2; end Evaluation
InitStates
  Environment.n = 0 and ((Environment.bit = true and Ann.seen = yes) or (Environment.bit = false and Ann.seen = no));
end InitStates
"""
ASKED = [
    ("AG (one -> K[recall](Ann, one))", True),
    ("AG (one -> K[clock](Ann, one))", False),
    ("AG (late -> K[clock](Ann, late))", True),
    ("AG (late -> K(Ann, late))", False),
    ("AX ([! K[recall](Ann, one)] AX K[clock](Ann, one))", True),
]


@pytest.mark.parametrize("seed", range(0, QUESTIONS, PART))
def test_it_says_what_the_definition_says(seed: int) -> None:
    compared = 0
    for number in range(seed, seed + PART):
        rng = random.Random(number)
        system = random_resting(rng)
        histories = Histories(system, 1_000)
        for _ in range(8):
            formula = read_as(random_formula(rng, rng.choice((1, 2, 3))), Reading.OBSERVATION)
            found = None if unreadable(formula) is not None else histories.holds(formula)
            if found is not None:
                deep = sum(isinstance(part, PAST) for part in subformulae(formula))
                expected = Definition(system, REST + 1 + deep).holds(formula)
                assert found == expected, (number, show(formula), to_ispl(system))
                compared += 1
    assert compared > 4 * PART


@pytest.mark.parametrize(("formula", "holds"), ASKED)
def test_a_verdict_is_checked(formula: str, holds: bool) -> None:
    (result,) = epistrat.load(FORGETFUL).check(formula)
    assert result.verdict is (Verdict.HOLDS if holds else Verdict.FAILS)
    assert result.backing is not None and result.backing.standing in (Standing.CHECKED, Standing.PROVED)


@pytest.mark.parametrize(("formula", "holds"), ASKED)
def test_a_saved_verdict_that_is_turned_round_is_refused(
    formula: str, holds: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:

    model, answer = tmp_path.joinpath("m.ispl"), tmp_path.joinpath("answer.json")
    model.write_text(f"{FORGETFUL}Formulae {formula}; end Formulae\n", encoding="utf-8")
    main(["check", str(model), "--json"])
    saved = json.loads(capsys.readouterr().out)
    answer.write_text(json.dumps(saved), encoding="utf-8")
    assert main(["replay", str(model), str(answer)]) == 0
    saved["results"][0]["verdict"] = "fails" if holds else "holds"
    answer.write_text(json.dumps(saved), encoding="utf-8")
    assert main(["replay", str(model), str(answer)]) != 0


def test_an_engine_that_forgets_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EPISTRAT_STRICT")
    monkeypatch.setattr(settling, "Recall", lambda ground, said, views: trackers.Clock(ground, said))
    (result,) = epistrat.load(FORGETFUL).check("AG (one -> K[recall](Ann, one))", engine="explicit")
    assert result.verdict is Verdict.UNKNOWN and "going through all histories" in (result.reason or "")
