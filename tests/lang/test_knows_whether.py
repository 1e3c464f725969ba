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


BLIND = (
    TWO_COINS.replace("Lobsvars = {heads, shown};", "Lobsvars = {shown};")
    .replace("saw = up if Environment.heads;", "")
    .replace("saw = down if !Environment.heads;", "")
)


def test_it_keeps_its_name_and_has_its_own_sentence() -> None:
    (result,) = epistrat.load(BLIND).check("AG KW(Player, heads)", evidence=True)
    assert result.text == "AG KW(Player, heads)"
    told = result.explain()
    assert "Player cannot tell whether `heads`: it is " in told
    assert "nobody knows" not in told and "K(Player" not in told and "more reason" not in told
    (plain,) = epistrat.load(BLIND).check("KW(Player, heads)")
    assert "Player cannot tell whether `heads`: it is " in plain.summary()


def test_models_for_exchange_have_it_written_out() -> None:
    assert "K(Player, heads) or K(Player, !heads)" in epistrat.load(TWO_COINS).to_ispl()
    assert "KW" not in epistrat.load(TWO_COINS).to_ispl()


def test_a_sentence_that_stands_alone_names_its_initial_state() -> None:
    (result,) = epistrat.load(BLIND).check("EF (heads and !heads)")
    assert "from there" not in result.summary()
    (result,) = epistrat.load(BLIND).check("EF heads")
    assert "No run from the initial state with not heads ever comes to `heads`" in result.summary()
