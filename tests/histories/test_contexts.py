"""Systems of all kinds beside the judge that writes contexts out, and what it found."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from tests.histories.verdicts import compared

import epistrat
from epistrat.answers import Verdict
from epistrat.cli.main import main
from epistrat.lang import load
from epistrat.logic.histories import read_as
from epistrat.logic.nodes import Reading
from epistrat.logic.show import show

MODELS = int(os.environ.get("EPISTRAT_CONTEXTS", "60"))
PART = 20

ENDING = """
Agent Environment
  Vars: at : {start, stuck, going}; end Vars
  Actions = {a, b};
  Protocol: at = start : {a, b}; at = going : {a}; end Protocol
  Evolution: at = stuck if at = start and Action = a; at = going if at = start and Action = b; end Evolution
end Agent
Agent Ann Vars: m : boolean; end Vars Actions = {u}; Protocol: Other : {u}; end Protocol Evolution: end Evolution end Agent
Agent Bob Vars: m : boolean; end Vars Actions = {u}; Protocol: Other : {u}; end Protocol Evolution: end Evolution end Agent
Evaluation p if Environment.at = going; start if Environment.at = start; end Evaluation
InitStates Environment.at = start and Ann.m = false and Bob.m = false; end InitStates
Groups both = {Ann, Bob}; nobody = {}; end Groups
"""

TWO_READINGS = (
    "E ([! EX p] F p)",
    "!(E ([! EX p] F p))",
    "LTL G ([! AX p] X p)",
    "G ([! EF p] X p)",
    "E ([! A(start W p)] X K[clock](Ann, EX p))",
    "K[clock](Ann, F p) and EX !p",
    "K(Ann, F p) and EX !p",
    "!K[recall](Bob, G start) and (EG p or AX p)",
    "EF A (p S p) and AX DK[changes](both, p)",
)
"""Quantifiers over infinite runs, and others that look at dead ends, too."""


@pytest.mark.parametrize("seed", range(0, MODELS, PART))
def test_engines_say_what_the_specification_says(seed: int) -> None:
    counts: Counter[str] = Counter()
    for number in range(seed, seed + PART):
        assert list(compared(number, counts)) == []
    assert counts["compared"] > 8 * PART


@pytest.mark.parametrize("formula", TWO_READINGS)
@pytest.mark.parametrize("knowledge", ["observation", "clock", "recall"])
def test_what_is_written_is_what_was_asked(
    formula: str, knowledge: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, answer = tmp_path / "m.ispl", tmp_path / "answer.json"
    model.write_text(f"{ENDING}Formulae {formula}; end Formulae\n", encoding="utf-8")
    assert main(["check", str(model), "--json", "--evidence", "--knowledge", knowledge]) in (0, 1)
    answer.write_text(capsys.readouterr().out, encoding="utf-8")
    (asked,) = load(f"{ENDING}Formulae {formula}; end Formulae").system.formulae  # type: ignore[union-attr]
    written = json.loads(answer.read_text())["results"][0]["formula"]
    (back,) = load(f"{ENDING}Formulae {written}; end Formulae").system.formulae  # type: ignore[union-attr]
    reading = Reading(knowledge)
    assert show(read_as(back, reading)) == show(read_as(asked, reading))
    assert main(["replay", str(model), str(answer)]) == 0, capsys.readouterr().out


def test_whether_is_known_of_runs_as_by_observation() -> None:
    """That something is known to come, or known never to come; read by a mark or by the option."""
    marked = load(f"{ENDING}Formulae KW[clock](Ann, F p); end Formulae").system
    plain = load(f"{ENDING}Formulae KW(Ann, F p); end Formulae").system
    assert marked is not None
    assert plain is not None
    assert show(marked.formulae[0]) == show(read_as(plain.formulae[0], Reading.CLOCK))


def test_a_path_formula_that_is_always_true() -> None:
    endless = ENDING.replace("at = going : {a};", "Other : {a};")
    (result,) = epistrat.load(endless).check("LTL G (F (p or !p) and [! start] !p)")
    assert result.verdict is Verdict.HOLDS


@pytest.mark.parametrize("formula", ["K[recall](Bob, p)", "DK[clock](both, p)", "GCK(both, p)"])
def test_who_is_asked_what_it_remembers_plays_a_role(formula: str) -> None:
    found = load(f"{ENDING}Formulae AG {formula}; end Formulae").diagnostics
    assert not any("Bob" in one.message for one in found if one.code == "W003")


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("AX E ([! start] F p)", "no run from there goes on for ever"),
        ("GK[clock](nobody, p)", "the group has no members, so `p` need not be true"),
        ("DK[recall](nobody, start)", "`start` is true of all histories that are equally long"),
        ("DK[recall](both, start)", "histories that look like this one to Ann and Bob"),
        ("[! p] K(Ann, p)", "`p` is false, so it cannot be announced"),
    ],
)
def test_sentences_are_true_and_read_well(
    formula: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "m.ispl"
    model.write_text(f"{ENDING}Formulae {formula}; end Formulae\n", encoding="utf-8")
    main(["check", str(model), "--evidence"])
    said = " ".join(capsys.readouterr().out.split())
    assert words.lower() in said.lower(), said
    assert "`true` is" not in said
