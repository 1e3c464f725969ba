"""What textbooks and other tools write differently is answered with what to write here, at its place."""

from __future__ import annotations

import time

import pytest

from epistrat.lang import load, parse_formula
from epistrat.lang.hints import HINTS

MODEL = """
Parameters n = 3 in 2..; end Parameters
Agent Environment
    Obsvars: turn : 1..n; end Obsvars
    Vars:
        a[i in 1..n] : 0..5;
        z : {type};
    end Vars
    Actions = {{go}};
    Protocol:
        {protocol}
        Other : {{go}};
    end Protocol
    Evolution:
        {line}
    end Evolution
end Agent
Agent P[i in 1..n]
    Actions = {{w, v}};
    Protocol: Other : {{w, v}}; end Protocol
end Agent
Evaluation p if Environment.turn = 1; q if Environment.turn = 2; end Evaluation
InitStates Environment.turn = 1 and forall i in 1..n: Environment.a[i] = 0; end InitStates
Groups g = {{P[1], P[2]}}; end Groups
Formulae
    AG p;
end Formulae
"""


def model(line: str = "", protocol: str = "", of_type: str = "0..5") -> str:
    return MODEL.format(line=line, protocol=protocol, type=of_type)


SYSTEM = load(model()).system

FORMULAE = [
    ("C(g, p)", "GCK(group, f)"),
    ("AG (p -> CK(g, p))", "GCK(group, f)"),
    ("C_g p", "GCK(g, f)"),
    ("EK(g, p)", "GK(group, f)"),
    ("D(g, p)", "DK(group, f)"),
    ("Kw(Environment, p)", "KW(agent, f)"),
    ("M(Environment, p)", "!K(agent, !f)"),
    ("K_Environment(p)", "K(Environment, f)"),
    ("AG (p -> K_Environment p)", "K(Environment, f)"),
    ("K[Environment](p)", "K(agent, f)"),
    ("~p", "`!`"),
    ("p & q", "`and`"),
    ("p | q", "`or`"),
    ("p && q", "`and`"),
    ("p iff q", "`<->`"),
    ("p implies q", "`->`"),
    ("p => q", "`->`"),
    ("not p", "`!`"),
    ("¬p", "`!`"),
    ("[g] F p", "!<g>G !f"),
    ("[[g]] F p", "!<g>G !f"),
    ("[p] q", "`[! f] g`"),
    ("<<g>> F p", "one bracket"),
    ("[]p", "AG f"),
    ("E<> p", "EF f"),
    ("A[p U q]", "A(f U g)"),
    ("AG (Environment.Action = go)", "keep the last action in a variable"),
    ("-Environment.z < 0", "`0 - x`"),
    ("AG Environment.z mod 2 = 0", "write the cases"),
    ("if p then q", "(c -> f)"),
]


@pytest.mark.parametrize(("text", "hint"), FORMULAE)
def test_formulae(text: str, hint: str) -> None:
    assert SYSTEM is not None
    formula, messages = parse_formula(text, SYSTEM)
    assert formula is None
    assert hint in " ".join(messages[0].notes)
    notes = [note for message in messages for note in message.notes]
    assert len(notes) == len(set(notes))  # said once


LINES = [
    ("a[turn] = 1 if Action = go;", "for k in 1..n: a[k] = 1 if turn = k;"),
    ("z = a[turn] if Action = go;", "one line for each of its values"),
    ("z = (turn = 1 ? 1 : 2) if Action = go;", "one line for each case"),
    ("z = if turn = 1 then 1 else 2;", "one line for each case"),
    ("z = min(z + 1, 5) if Action = go;", "`min` is for indices and constants"),
    ("z = z mod 3 if Action = go;", "`mod` is for indices and constants"),
    ("z = z % 3 if Action = go;", "`mod` is for indices and constants"),
    ("z = {1, 2} if Action = go;", "one line for each value"),
    ("z = 1 or z = 2 if Action = go;", "one line for each value"),
    ("z' = z + 1 if Action = go;", "the value after the step"),
    ("next(z) = 1;", "the value after the step"),
    ("z += 1 if Action = go;", "z = z + ..."),
    ("z := 1 if Action = go;", "an assignment is written"),
    ("z = count(i in 1..n: P[i].Action = w) if Action = go;", "for k in 0..n: z = k if count(...) = k;"),
    ("z = 1 if turn in {1, 2};", "(x = 1 or x = 2)"),
    ("z = 1 if turn in 1..2;", "(x >= 1 and x <= 2)"),
    ("z = 1, turn = 2 if Action = go;", "joined by `and`"),
    ("z = 1;", "`if true`"),
    ("z = 1 when Action = go;", "behind `if`"),
    ("z = -z if Action = go;", "`0 - x`"),
    ("if Action = go then z = 1;", "the condition stands behind"),
    ("Action = go -> z = 1;", "the condition stands behind"),
]


@pytest.mark.parametrize(("line", "hint"), LINES)
def test_lines_of_evolution(line: str, hint: str) -> None:
    errors = load(model(line)).report.errors
    assert len(errors) == 1
    assert hint in " ".join(errors[0].notes)
    assert errors[0].position is not None
    assert errors[0].position.line == model(line)[: model(line).index(line)].count("\n") + 1


@pytest.mark.parametrize(
    "line",
    [
        "for k in 1..n: a[k] = 1 if turn = k;",
        "for k in 0..n: z = k if count(i in 1..n: P[i].Action = w) = k;",
        "z = 1 if turn = 1; z = 2 if !(turn = 1);",
        "z = 1 if Action = go; z = 2 if Action = go;",
        "z = 0 - z if Action = go;",
    ],
)
def test_what_hints_say_is_accepted(line: str) -> None:
    assert load(model(line)).ok


def test_other_sections() -> None:
    for text, hint in [
        (model(protocol="else : {go};"), "`Other : {...};`"),
        (model("z = 1 if K(Environment, p);"), "knowledge is for formulae"),
        (model(of_type="int"), "`integer`"),
    ]:
        assert any(hint in note for error in load(text).report.errors for note in error.notes), hint


def test_a_proposition_is_no_variable_and_the_message_says_so() -> None:
    (error,) = load(model("z = 1 if p;")).report.errors
    assert "it is a proposition" in error.label


def test_all_rows_have_words_that_can_be_filled_in() -> None:
    for row in HINTS:
        assert "{{" not in row.note.format(*["x"] * max(row.pattern.groups, 1))


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("C(g, p)", "GCK(g, p)"),
        ("AG (p -> EK(g, p))", "AG (p -> GK(g, p))"),
        ("Kw(Environment, p)", "KW(Environment, p)"),
        ("~p", "!p"),
        ("p & q", "p and q"),
        ("p&&q", "p and q"),
        ("p∧q", "p and q"),
        ("p || q", "p or q"),
        ("p iff q", "p <-> q"),
        ("p => q", "p -> q"),
        ("not p", "! p"),
        ("AG Environment.z == 1", "AG Environment.z = 1"),
    ],
)
def test_editors_can_put_it_right(text: str, mended: str) -> None:
    assert SYSTEM is not None
    _, messages = parse_formula(text, SYSTEM)
    fix = messages[0].fixes[0]
    assert fix.apply(text) == mended
    assert parse_formula(mended, SYSTEM)[0] is not None


def test_lines_can_be_put_right() -> None:
    for line, mended in (("z := 1 if turn = 1;", "z = 1 if turn = 1;"), ("z = 1 when turn = 1;", "z = 1 if turn = 1;")):
        (error,) = load(model(line)).report.errors
        assert error.fixes[0].apply(model(line)) == model(mended)
        assert load(model(mended)).ok


def test_one_long_line_of_mistakes_is_read_quickly() -> None:
    started = time.process_time()
    load("Formulae " + "p $ q := iff " * 200_000)
    assert time.process_time() - started < 20
