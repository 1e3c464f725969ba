"""Values as renderers write them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import epistrat
from epistrat.answers import Facts, Focus, Report
from epistrat.evidence.findings import Replay
from epistrat.explain.narrate import explained
from epistrat.render.json.report import report_json, state_json, value_json
from epistrat.render.mcmas_text import formula_text
from epistrat.render.text import show_end
from epistrat.render.tree import show_evidence
from epistrat.render.wording import Style

MODEL = """
Agent A
  Vars: x : real; end Vars
  Actions = {half};
  Protocol: Other : {half}; end Protocol
  Evolution: x = x / 2 if Action = half; end Evolution
end Agent
Evaluation p if A.x = 1; q if A.x < 1; end Evaluation
InitStates A.x = 1; end InitStates
Groups g = {A}; end Groups
"""


def test_fractions_stay_exact_in_json() -> None:
    assert value_json(Fraction(1, 3)) == "1/3"
    assert state_json(epistrat.load(MODEL), (Fraction(1, 2),)) == {"A.x": "1/2"}


@pytest.mark.parametrize(
    ("formula", "printed"),
    [
        ("AG !p", "(AG (! p))"),
        ("p and q or !q", "((p && q) || (! q))"),
        ("A(p U q)", "A(p U q)"),
        ("<g>X p", "(<g>X p)"),
        ("K(A, p -> q)", "K(A, (p -> q))"),
    ],
)
def test_formulae_in_the_words_of_mcmas(formula: str, printed: str) -> None:
    assert formula_text(epistrat.load(MODEL).formula(formula)) == printed


@pytest.mark.parametrize(
    ("replay", "said"),
    [
        (Replay(3, (), ("the path starts elsewhere",)), "the path starts elsewhere"),
        (Replay(3, (), ()), "every step is possible and shows what it should"),
        (Replay(3, (), (), surveyed=3), "by visiting all states"),
        (Replay(3, (), (), proved=1), "a solver proved it again"),
        (Replay(3, ("AG p holds",), ()), "Not re-checked independently: `AG p holds`."),
        (Replay(0, ("a", "b", "c", "d", "e"), ()), "Not re-checked independently: `a`; `b`; `c`; 2 more."),
    ],
)
def test_what_replaying_found_is_told(replay: Replay, said: str) -> None:
    system = epistrat.load(MODEL.replace("x : real", "x : 0..1"))
    (result,) = system.check("p")
    shown = list(show_evidence(system, explained(system, replace(result, replay=replay), Focus()), Style(width=88)))
    assert said in " ".join(shown)


def test_there_may_be_infinitely_many_states() -> None:
    system = epistrat.load(MODEL)
    report = Report("halving", system, facts=Facts("infinite"), results=tuple(system.check("p")))
    assert "infinitely many reachable states" in "\n".join(show_end(report, Style()))
    assert report_json(report)["states"] == "infinite"
