"""Strategies with names in texts: they are read, printed, laid out, written out, and refused with words."""

from __future__ import annotations

from pathlib import Path

import pytest

from epistrat.lang import load, parse_formula
from epistrat.lang.format import format_source
from epistrat.logic.show import show
from epistrat.model.show import to_ispl

MODELS = sorted((Path(__file__).parent / "models").glob("*.ispl"))
LAMP = """
Agent Environment Vars: d : 0..2; end Vars Actions = {none}; Protocol: Other : {none}; end Protocol end Agent
Agent Ann Actions = {l, r}; Protocol: Other : {l, r}; end Protocol end Agent
Agent Bob Actions = {l, r}; Protocol: Other : {l, r}; end Protocol end Agent
Evaluation p if Environment.d = 1; q if Environment.d = 2; end Evaluation
InitStates Environment.d = 0; end InitStates
Groups g = {Ann, Bob}; end Groups
"""
PREFIX = "<<x>> [[y]] (Environment, x) (g, y) "


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_examples_are_read_printed_and_laid_out(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    loaded = load(text)
    assert loaded.system is not None, [str(one) for one in loaded.diagnostics]
    assert load(to_ispl(loaded.system)).system == loaded.system
    neat = format_source(text)
    assert load(neat).system == loaded.system
    assert format_source(neat) == neat
    assert "< <" not in neat and "> >" not in neat
    for formula in loaded.system.formulae:
        again, diagnostics = parse_formula(show(formula), loaded.system)
        assert again == formula, (show(formula), [str(one) for one in diagnostics])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (PREFIX + "(!p and !q U p or q)", PREFIX + "((!p and !q) U (p or q))"),
        (PREFIX + "X p and q", f"({PREFIX} X p) and q"),
        (PREFIX + "(F p -> q U q)", PREFIX + "(((F p) -> q) U q)"),
        (PREFIX + "(p U q U p)", PREFIX + "(p U (q U p))"),
        ("<<x, y>> (g, x) (Environment, y) F p", "<<x>> <<y>> (Ann, x) (Bob, x) (Environment, y) F p"),
        ("#IR " + PREFIX + "F p", "#PR " + PREFIX + "F p"),
        ("<g>(p U q)", "<g> ( p U q )"),
        ("<g>!(G F p)", "<g>(!(G F p))"),
        ("<g>F G p", "<g>(F (G p))"),
        ("Nash", "ENash(true)"),
    ],
)
def test_what_binds_what(written: str, meant: str) -> None:
    system = load(LAMP).system
    assert system is not None
    first, second = parse_formula(written, system), parse_formula(meant, system)
    assert first[0] is not None, [str(one) for one in first[1]]
    assert first[0] == second[0]


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("<<x>> (Ann, x) F p", "E065"),
        ("<<x>> (g, x) (Environment, z) F p", "E065"),
        ("<<g>> F p", "E065"),
        ("LTL " + PREFIX + "F p", "E035"),
        ("#iR " + PREFIX + "F p", "E066"),
        ("<<x>> (Ann, x F p", "E007"),
        ("<<x> (Ann, x) F p", "E007"),
        ("<<x>> (Carl, x) F p", "E015"),
    ],
)
def test_mistakes_are_located(written: str, code: str) -> None:
    system = load(LAMP).system
    assert system is not None
    formula, diagnostics = parse_formula(written, system)
    assert formula is None
    assert diagnostics[0].code == code and diagnostics[0].span is not None, [str(one) for one in diagnostics]


def test_an_unbound_agent_is_bound_by_a_fix() -> None:
    system = load(LAMP).system
    assert system is not None
    written = "<<x>> (Ann, x) F p"
    edit = parse_formula(written, system)[1][0].edit
    assert edit is not None
    (change,) = edit.edits
    fixed = written[: change.span.start] + change.text + written[change.span.end :]
    assert parse_formula(fixed, system)[0] is not None, fixed


def test_families_of_names() -> None:
    text = """
    Parameters n = 3 in 1..; end Parameters
    Agent Environment Vars: d : boolean; end Vars Actions = {none}; Protocol: Other : {none}; end Protocol end Agent
    Agent P[i in 1..n] Actions = {go}; Protocol: Other : {go}; end Protocol end Agent
    InitStates true; end InitStates
    Formulae
      <<x>> [[y[i in 1..n]]] (Environment, x) (P[i in 1..n], y[i]) G Environment.d;
      true and [[z]] (Environment, z) (P[i in 1..n], z) G Environment.d;
      [[y[i in 1..n]]] <<x>> (Environment, x) (P[i in 1..n], y[i]) G Environment.d;
      #PR [[y[i in 1..n]]] <<x>> (Environment, x) (P[i in 1..n], y[i]) G Environment.d;
    end Formulae
    """
    system = load(text).system
    assert system is not None, [str(one) for one in load(text).diagnostics]
    bound = "(P[1], y[1]) (P[2], y[2]) (P[3], y[3])"
    expected = f"<<x>> [[y[1]]] [[y[2]]] [[y[3]]] (Environment, x) {bound} G (Environment.d = true)"
    assert show(system.formulae[0]) == expected
    turned = f"[[y[1]]] [[y[2]]] [[y[3]]] <<x>> (Environment, x) {bound} G (Environment.d = true)"
    assert [show(one) for one in system.formulae[2:]] == [turned, f"#PR {turned}"]


def test_strict_refuses_all_of_it() -> None:
    for formula in (PREFIX + "F p", "#PR <g>F p", "<g>F G p", "Nash", "ENash(F p)"):
        found = load(LAMP + f"Formulae {formula}; end Formulae", strict=True).diagnostics
        assert any(one.code == "E050" for one in found), formula


@pytest.mark.parametrize(
    ("written", "said"),
    [("Nash()", "is `Nash`"), ("NE(F p)", "`ENash(f)`"), ("ANash", "`ANash` needs what"), ("<<A>> F p", "`<group>`")],
)
def test_other_dialects_are_answered(written: str, said: str) -> None:
    from epistrat.lang import load

    text = f"""Agent A Vars: x : boolean; end Vars Actions = {{a, b}}; Protocol: Other : {{a, b}}; end Protocol
    Evolution: x = true if Action = a; end Evolution end Agent
    Evaluation p if A.x = true; end Evaluation InitStates A.x = false; end InitStates
    Goals A : F p; end Goals Formulae {written}; end Formulae"""
    told = "\n".join(str(one) for one in load(text).diagnostics)
    assert said in told or said in "\n".join(str(one.to_json()) for one in load(text).diagnostics), told


def test_operators_of_strategies_are_explained() -> None:
    from epistrat.ide.operators import FORMULA, explain

    for word in ("Nash", "ENash", "ANash", "#PR", "#Ir", "#ir"):
        assert explain(word), word
    assert {"<<x>>", "[[x]]", "ENash"} <= set(FORMULA)
