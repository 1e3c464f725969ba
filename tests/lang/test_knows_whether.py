"""``KW(a, p)``: an agent knows that p is true, or it knows that p is false."""

from __future__ import annotations

from tests.lang.samples import model

import epistrat
from epistrat.lang import load, parse_formula

TWO_COINS = """
Agent Environment
    Vars: heads : boolean; shown : boolean; end Vars
    Actions = {show};
    Protocol: Other : {show}; end Protocol
    Evolution: shown = true if true; end Evolution
end Agent
Agent Player
    Lobsvars = {heads, shown};
    Vars: saw : {nothing, up, down}; end Vars
    Actions = {look};
    Protocol: Other : {look}; end Protocol
    Evolution:
        saw = up if Environment.heads;
        saw = down if !Environment.heads;
    end Evolution
end Agent
Evaluation
    heads if Environment.heads;
    looked if !(Player.saw = nothing);
end Evaluation
InitStates !Environment.shown and Player.saw = nothing; end InitStates
Formulae
    KW(Player, heads);
    AX KW(Player, heads);
    AG (looked -> KW(Player, !heads));
    AG (KW(Player, heads) <-> (K(Player, heads) or K(Player, !heads)));
end Formulae
"""


def test_it_is_read_as_its_definition() -> None:
    system = load(model()).system
    assert system is not None
    short, messages = parse_formula("KW(P, p)", system)
    long, _ = parse_formula("K(P, p) or K(P, !p)", system)
    assert not messages
    assert short == long
    assert parse_formula("KW(P, p)", system, strict=True)[1][0].code == "E050"


def test_a_name_can_still_be_called_so() -> None:
    assert load(model(evaluation="KW if P.x = 1;", formulae="AG KW")).ok


def test_verdicts() -> None:
    hidden = (
        TWO_COINS.replace("Lobsvars = {heads, shown};", "")
        .replace("saw = up if Environment.heads;", "saw = up if Environment.Action = show;")
        .replace("saw = down if !Environment.heads;", "")
    )
    assert [r.verdict.value for r in epistrat.load(TWO_COINS).check()] == ["holds"] * 4
    assert [r.verdict.value for r in epistrat.load(hidden).check()] == ["fails", "fails", "fails", "holds"]
