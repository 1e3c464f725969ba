"""Every code is reported for the mistake it names, at the right place, and has a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.lang.samples import model

from epistrat.lang import load, page, parse_formula
from epistrat.lang.lexer import LONGEST_TEXT
from epistrat.render.snippet import snippet
from epistrat.render.text import show_rejection
from epistrat.render.wording import Style
from epistrat.source import TITLES, Diagnostic, Report, Severity, SourceText, Span

DOCS = Path(__file__).parents[2] / "docs"

# (code, text, what the caret marks)
MISTAKES: list[tuple[str, str, str]] = [
    ("E001", model(formulae="AG p $ q"), "$"),
    ("E001", model(vars="_n : boolean;"), "_"),
    ("E002", model(evolution="x = 1 when b;"), "when"),
    ("E002", model(protocol="x = : {a};"), ":"),
    ("E002", model(vars="n : bool;"), "bool"),
    ("E002", model(vars="n : 0..b;"), "b"),
    ("E002", model(vars="n : 0;"), ";"),
    ("E002", model(vars="n : {};"), "}"),
    ("E002", model(vars="n : {u v};"), "v"),
    ("E002", model(evaluation="r P.x = 1;"), "P"),
    ("E002", model(formulae="AG (p"), ";"),
    ("E002", model(formulae="P. = 1"), "="),
    ("E002", model(initial="P.x = 0; P.b = true"), "P.b = true"),
    ("E002", model(protocol="Other : {a}; x = 1 : {a};"), "Other : {a, stop};"),
    ("E002", "Semantics = Multi;" + model(), "Multi"),
    ("E002", "Semantics Multi;" + model(), "Multi"),
    ("E002", model(sections="Agents"), "Agents"),
    ("E002", model().replace("Vars:", "Var:"), "Var"),
    ("E002", model().replace("Actions = {a, stop}", "Actions : {a, stop}"), ":"),
    ("E002", model(evolution="(x = 1 if b;"), "if"),
    ("E002", model(protocol="x : a;"), "a"),
    ("E002", model(formulae="P.b = (p U q)"), "p U q"),
    ("E002", model(formulae="(p and !K(P, p)) = P.b"), "K(P, p)"),
    ("E002", model(formulae="P.x + <g>X p = 1"), "<"),
    ("E002", model(formulae="~(X p)"), "X p"),
    ("E003", model(formulae="(" * 200 + "p" + ")" * 200), "("),
    ("E004", model() + "/* and so on", "/*"),
    ("E005", " " * (LONGEST_TEXT + 1), ""),
    ("E006", model(vars="Action : boolean;"), "Action"),
    ("E006", model(groups="if = {P};"), "if"),
    ("E007", model(evolution="x = 1 if b\n x = 2 if b;"), ""),
    ("E007", model(evolution="x = 1 if b x = 2 if b;"), ""),
    ("E007", model(formulae="K(P p)"), ""),
    ("E007", model(formulae="<g X p"), ""),
    ("E007", model().replace("Evolution:", "Evolution"), ""),
    ("E008", model().replace("end Vars", "end Actions"), "end Actions"),
    ("E008", model().replace("end Vars", ""), "Actions"),
    ("E008", model().replace("    end Evolution\nend Agent", "end Agent"), "end Agent"),
    ("E009", model(sections="Groups end Groups"), "Groups"),
    ("E009", "Semantics = MA; Semantics = SA;" + model(), "Semantics"),
    ("E010", "", ""),
    ("E010", re.sub(r"InitStates.*end InitStates", "", model(), flags=re.S), ""),
    ("E010", re.sub(r"InitStates.*end InitStates", "InitStates end InitStates", model(), flags=re.S), "InitStates"),
    ("E010", model().replace("Actions = {a};", ""), "Agent Q"),
    ("E010", model().replace("Protocol:\n        Other : {a};\n    end Protocol", ""), "Agent Q"),
    ("E012", model(evaluation="r if P.z = 1;"), "P.z"),
    ("E012", model(evaluation="r if x = 1;"), "x"),
    ("E012", model(evolution="z = 1 if b;"), "z"),
    ("E012", model(evolution="x = 1 if z;"), "z"),
    ("E012", model(evolution="x = 1 if z + 1 = 2;"), "z"),
    ("E012", model(evolution="x = 1 if z = w;"), "z"),
    ("E013", model(evaluation="r if R.x = 1;"), "R"),
    ("E013", model(evolution="x = 1 if R.Action = a;"), "R"),
    ("E013", model(protocol="R.x = 1 : {a};"), "R"),
    ("E013", model(formulae="K(R, p)"), "R"),
    ("E013", model(formulae="K(g, p)"), "g"),
    ("E013", model(formulae="R.RedStates"), "R"),
    ("E013", model(groups="h = {R};"), "R"),
    ("E014", model(protocol="b : {jump};"), "jump"),
    ("E014", model(evolution="x = 1 if Q.Action = stop;"), "stop"),
    ("E015", model(formulae="<h>X p"), "h"),
    ("E016", model(formulae="AG r"), "r"),
    ("E017", model(evolution="x = 1 if Q.y = 1;"), "Q.y"),
    ("E018", model(vars="red : boolean;"), "red"),
    ("E020", model(evolution="x = b + 1 if b;"), "b"),
    ("E020", model(evolution="x = 1 if b & x;"), "x"),
    ("E020", model(evolution="x = b if b;"), "b"),
    ("E020", model(evolution="b = red if b;"), "red"),
    ("E020", model(evaluation="r if P.b = False;"), "False"),
    ("E020", model(evaluation="r if P.b = P.x;"), "P.x"),
    ("E020", model(evaluation="r if P.b + 1 = 2;"), "P.b"),
    ("E021", model(evolution="c = blue if b;"), "blue"),
    ("E021", model(evaluation="r if P.c = gren;"), "gren"),
    ("E021", model(evaluation="r if 1 = P.c;"), "1"),
    ("E022", model(evolution="x = 7 if b;"), "7"),
    ("E022", model(evaluation="r if P.x < 9;"), "9"),
    ("E022", model(evaluation="r if 0.5 = P.x;"), "0.5"),
    ("E022", model(vars="n : 7..9;", evolution="x = n if b;"), "n"),
    ("E022", model(evaluation=f"r if P.x = {'9' * 2000};"), "9" * 2000),
    ("E023", model(vars="n : 5..2;"), "5..2"),
    ("E023", model(vars="n : 0..4294967297;"), "0..4294967297"),
    ("E023", model(vars=f"n : 0..{'9' * 5000};"), "0.." + "9" * 5000),
    ("E024", model(evaluation="r if P.b < true;"), "true"),
    ("E024", model(evaluation="r if P.c >= red;"), "red"),
    ("E024", model(evaluation="r if 0 < P.x < 2;"), "0 < P.x < 2"),
    ("E025", model(evaluation="r if true = true;"), "true"),
    ("E025", model(evaluation="r if 1 < 2;"), "2"),
    ("E026", model(vars="d : {red, blue};", evolution="x = 1 if c = d;"), "d"),
    ("E026", model(vars="d : {red};", evolution="c = d if b;"), "d"),
    ("E027", model(evaluation="r if P.x;"), "P.x"),
    ("E027", model(initial="P.x + 1"), "P.x + 1"),
    ("E030", model(evolution="x = 1 and x = 2 if b;"), "x"),
    ("E031", "Semantics = SA;" + model(evolution="x = 1 and b = true if b;"), "b = true"),
    ("E032", model(protocol="Action = a : {a};"), "Action = a"),
    ("E032", model(evolution="x = 1 if Action <> a;"), "Action <> a"),
    ("E032", model(evolution="x = 1 if Action;"), "Action"),
    ("E032", model(evolution="x = 1 if P.Action & b;"), "P.Action"),
    ("E032", model(evaluation="r if P.Action = a;"), "P.Action = a"),
    ("E033", model(evolution="Q.y = 1 if b;"), "Q.y"),
    ("E034", model(formulae="CTL* F p"), "F p"),
    ("E034", model(formulae="O(P, X p)"), "X p"),
    ("E035", model(formulae="LTL O(P, p)"), "O(P, p)"),
    ("E035", model(formulae="LTL <g>X p"), "<g>X p"),
    ("E035", model().replace("Vars:\n        y", "Obsvars: end Obsvars Vars:\n        y"), "Obsvars"),
    ("E035", "Agent Environment Lobsvars = {}; Actions = {}; end Agent" + model(), "Lobsvars"),
    ("E036", model(formulae="<g> p"), "p"),
    ("E036", model(formulae="<g>(p and q)"), "p and q"),
    ("E036", model(formulae="<g>!p"), "!p"),
    ("E037", "Composition = Interleaved;" + model(formulae="K(Environment, p)"), "Environment"),
    ("E037", "Composition = Interleaved;" + model(evolution="x = 1 if Q.Action = a;"), "Q.Action = a"),
    ("E037", "Composition = Interleaved; Agent Environment Actions = {}; end Agent" + model(), "Agent Environment"),
    ("E038", model(sections="Fairness G F p; end Fairness"), "G F p"),
    ("E038", model(sections="Fairness <g>X p; end Fairness"), "<g>X p"),
    ("E038", model(sections="Fairness K(P, F p); end Fairness"), "K(P, F p)"),
    ("E038", model(sections="Fairness AG p; EF Once p; end Fairness"), "EF Once p"),
    ("E039", model(formulae="A p U q"), "A p"),
    ("E040", model(protocol="x = 1 : {{a, stop}};"), "{a, stop}"),
    ("E039", model(formulae="E K(P, p) U q"), "E K(P, p)"),
    ("W001", model(initial="P.x = 1 and P.x = 2"), "P.x = 1 and P.x = 2"),
    ("W001", model(initial="P.x < 1 and P.x + 0 > 2"), "P.x < 1 and P.x + 0 > 2"),
    ("W001", model(initial="P.b and !P.b"), "P.b and !P.b"),
    ("W001", model(initial="false"), "false"),
    ("W002", model().replace("Other : {a, stop};", "Other : {a};"), "stop"),
    ("W005", model(evolution="x = 1 if Action = a and Action = stop;"), "x = 1 if Action = a and Action = stop;"),
    ("W005", model().replace("Other : {a, stop};", "x < x : {a}; Other : {a, stop};"), "x < x : {a};"),
    ("W006", model(evolution="x = x + 1 if b;"), "x = x + 1 if b;"),
    ("W006", model(evolution="x = x / 2 if b and Action = a;"), "x = x / 2 if b and Action = a;"),
    ("W007", model(vars="x : boolean;"), "x"),
    ("W007", model(evaluation="p if P.b;"), "p"),
    ("W007", model(groups="g = {P};"), "g"),
    ("W007", model(groups="h = {P, P};"), "P"),
    ("W007", model(vars="d : {u, u};"), "u"),
]
ENVIRONMENT = """
Agent Environment
    Obsvars:
        seen : {{on, off}};
    end Obsvars
    Vars:
        hidden : boolean;
    end Vars
    Actions = {{tick}};
    Protocol:
    end Protocol
    Evolution:
    end Evolution
end Agent
Agent P
    Lobsvars = {{{lobsvars}}};
    Vars:
        {vars}
    end Vars
    Actions = {{a, b}};
    Protocol:
        {protocol}
    end Protocol
    Evolution:
        {evolution}
    end Evolution
end Agent
InitStates true; end InitStates
"""


def with_environment(lobsvars: str = "hidden", vars: str = "x : 0..3;", protocol: str = "", evolution: str = "") -> str:
    return ENVIRONMENT.format(lobsvars=lobsvars, vars=vars, protocol=protocol, evolution=evolution)


MISTAKES += [
    ("E012", with_environment(protocol="Environment.seem = on : {a};"), "Environment.seem"),
    ("E012", with_environment(protocol="hidden : {a};"), "hidden"),
    ("E017", with_environment(lobsvars="", protocol="Environment.hidden = true : {a};"), "Environment.hidden"),
    ("E018", with_environment(vars="on : boolean;"), "on"),
    ("E019", with_environment(lobsvars="seen"), "seen"),
    ("E019", with_environment(lobsvars="hiden"), "hiden"),
    ("W004", with_environment(protocol="x = 0 : {a}; x > 1 : {b};"), None),  # type: ignore[list-item]
    ("W004", with_environment(), None),  # type: ignore[list-item]
    ("W007", with_environment(lobsvars="hidden, hidden"), "hidden"),
    ("W007", with_environment().replace("{a, b}", "{a, b, a}"), "a"),
    ("W007", with_environment() + "Agent P Actions = {}; end Agent", "P"),
    ("E060", model(formulae="AG p[k]"), "k"),
    ("E061", "Parameters n = 1 in 2..; end Parameters" + model(), "2.."),
    ("E062", model(formulae="AG p[1 / 0]"), "1 / 0"),
    ("E063", model(formulae="AG forall i in 1..10000000: p"), "1..10000000"),
    ("E064", 'include "a.ispl";' + model(), '"a.ispl"'),
    ("E065", model(formulae="<<x>> (A, y) F p"), "y"),
    ("E066", model(formulae="#iR <<x>> (A, x) F p"), "#iR <<x>> (A, x) F p"),
    (
        "E067",
        model(formulae="AG p").replace("Formulae", "Goals A : <<x>> (A, x) F p; end Goals Formulae", 1),
        "<<x>> (A, x) F p",
    ),
    ("E045", "Composition = Interleaved;" + model(protocol="K(self, p) : {a};"), "K(self, p)"),
    ("E045", model(protocol="K[changes](self, p) : {a};"), "K[changes](self, p)"),
    ("E047", model(protocol="K(self, AF p) : {a};"), "K(self, AF p)"),
    ("E047", model(protocol="K(self, X p) and b : {a};"), "K(self, X p)"),
    ("E047", model(protocol="K(self, <g>X p) : {a};"), "K(self, <g>X p)"),
    ("E047", model(protocol="K(self, [! p] q) : {a};"), "K(self, [! p] q)"),
    ("E047", model(protocol="K(self, O(P, p)) : {a};"), "K(self, O(P, p))"),
    ("E047", model(protocol="K(Q, p) : {a};"), "K(Q, p)"),
    ("E047", model(protocol="!DK(g, p) : {a};"), "DK(g, p)"),
    ("E047", model(protocol="X K(self, p) : {a};"), "X K(self, p)"),
    ("E013", model(protocol="K(R, p) : {a};"), "R"),
    ("E016", model(protocol="K(self, x) : {a};"), "x"),
    ("W003", with_environment() + "Formulae AG Environment.hidden; end Formulae", None),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("code", "text", "marked"), MISTAKES)
def test_is_reported_where_it_stands(code: str, text: str, marked: str | None) -> None:
    found = [one for one in load(text, "model.ispl").diagnostics if one.code == code]
    assert found, [str(one) for one in load(text).diagnostics]
    assert all(one.is_error == code.startswith("E") for one in found)
    if marked is not None:
        cuts = [one.source.cut(one.span) for one in found if one.source is not None and one.span is not None]
        assert marked in cuts


def test_every_code_is_shown_here() -> None:
    elsewhere = {
        "E011",
        "E041",
        "E042",
        "E043",
        "E050",
        "W008",
        "W009",
        "W010",
        "W011",
        "W012",
        "W020",
        "W021",
    }  # reading files, strict mode, other tools' models, what only the reachable states show, and engines asked for
    assert {code for code, _, _ in MISTAKES} | elsewhere == set(TITLES)


@pytest.mark.parametrize("code", TITLES)
def test_every_code_has_a_page(code: str) -> None:
    text = page(code.lower())
    assert text is not None
    assert text.startswith(f"# {code}: {TITLES[code]}\n")
    assert f"[{code}]" in (DOCS / "errors" / "README.md").read_text()


def test_no_page_for_what_is_no_code() -> None:
    assert page("E999") is None
    assert page("../../secret") is None


MEANT = [
    (model(evolution="c = gren if b;"), "green"),
    (model(formulae="K(p, p)"), "P"),
    (model(evolution="x = 1 if Action = sop;"), "stop"),
    (model(vars="n : Boolean;"), "boolean"),
    (model(evaluation="r if y = 1;"), "Q.y"),
    (model(evaluation="power if P.b;", formulae="AG pover"), "power"),
    (model(formulae="AG b"), "P.b"),
    ("Semantics = SingleAssigment;" + model(), "SingleAssignment"),
    (with_environment(lobsvars="hiden"), "hidden"),
    (with_environment(protocol="hidden = true : {a};"), "Environment.hidden"),
    (model(evaluation="r if P.b = True;"), "true"),
]


@pytest.mark.parametrize(("text", "meant"), MEANT)
def test_did_you_mean(text: str, meant: str) -> None:
    assert meant in [one.suggestion for one in load(text).report.errors]


def test_several_mistakes_in_one_run() -> None:
    text = model(
        vars="n : bool; m : 3..1;",
        protocol="x = : {a}; b : {jump};",
        evolution="x = 9 if b; c = red if n = 2 and m = 3;",
        evaluation="r if ; s P.b;",
        formulae="AG (r -> s); K(R, p); p U",
    )
    codes = [error.code for error in load(text).report.errors]
    assert codes == ["E002", "E023", "E002", "E014", "E022", "E002", "E002", "E013", "E002"]


def test_one_mistake_is_one_message() -> None:
    """Unreadable declarations do not make every use of the name a mistake."""
    for text in (
        model(vars="n : what;", evolution="n = 1 if n = 2;", evaluation="r if P.n = 3;"),
        model(evaluation="r if (;", formulae="AG r"),
        model(evolution="x = 1 if Action = jump;").replace("Actions = {a, stop};", "Actions = {a, stop"),
        with_environment(protocol="Environment.hidden : {a};").replace("hidden : boolean", "hidden : what"),
        model(evolution="x = 1 if z = 1; x = 2 if z = 1; x = 3 if z = 1;"),
    ):
        assert len(load(text).report.errors) == 1, [str(one) for one in load(text).report.errors]


def test_a_message_as_it_is_shown() -> None:
    text = "Agent C1\n  Vars: coin : {head, tail, none}; end Vars\n\tActions = {toss};\n"
    text += (
        "  Protocol: Other : {toss}; end Protocol\n  Evolution:\n\tcoin = heads if Action = toss;\n  end Evolution\n"
    )
    text += "end Agent\nInitStates C1.coin = none; end InitStates\n"
    loaded = load(text, "model.ispl")
    assert "\n".join(show_rejection(loaded.diagnostics, Style())) == (
        "error[E021]: C1.coin cannot be `heads`\n"
        "  model.ispl:6:9\n"
        "   6 |  coin = heads if Action = toss;\n"
        "     |         ^^^^^ its values are head, tail, none\n"
        "  did you mean `head`?\n"
        "\n"
        "1 error. `epistrat explain E021` says more."
    )
    assert loaded.diagnostics[0].to_json() == {
        "code": "E021",
        "severity": "error",
        "message": "C1.coin cannot be `heads`",
        "file": "model.ispl",
        "line": 6,
        "column": 9,
        "end_line": 6,
        "end_column": 14,
        "label": "its values are head, tail, none",
        "notes": [],
        "suggestion": "head",
        "related": [
            {"line": 2, "column": 9, "end_line": 2, "end_column": 13, "message": "C1.coin is declared here"},
        ],
        "fixes": [
            {
                "title": "write `head`",
                "edits": [{"line": 6, "column": 9, "end_line": 6, "end_column": 14, "text": "head"}],
            }
        ],
    }
    assert str(loaded.diagnostics[0]) == "model.ispl:6:9: error[E021]: C1.coin cannot be `heads`"


def test_long_lines_and_colour() -> None:
    source = SourceText("x" * 500 + " wrong " + "y" * 500 + "\nnext\n", "long")
    report = Report(source)
    report.warning("W007", "something", Span(501, 506), label="here", notes=("and a note",))
    report.error("E002", "over two lines", Span(1000, 1011))
    shown = "\n".join(show_rejection(report.diagnostics, Style(colour=True)))
    assert "\033[" in shown
    assert all(len(line) < 140 for line in shown.split("\n"))
    plain = snippet(report.diagnostics[0]).split("\n")
    assert plain[2][plain[3].index("^") :].startswith("wrong")
    assert plain[3].endswith("^^^^^ here")
    assert plain[4] == "  and a note"
    assert shown.endswith("1 error. `epistrat explain E002` says more.")
    assert list(show_rejection([], Style())) == []


def test_a_message_without_a_place() -> None:
    diagnostic = Diagnostic("E011", Severity.ERROR, "nothing.ispl cannot be read: there is no such file")
    assert snippet(diagnostic) == "error[E011]: nothing.ispl cannot be read: there is no such file"
    assert str(diagnostic) == diagnostic.message
    assert diagnostic.to_json()["line"] is None
    report = Report(SourceText("", "empty"), [diagnostic])
    report.sort()
    assert list(report) == [diagnostic]
    assert len(report) == 1


def test_messages_about_a_formula() -> None:
    system = load(model()).system
    assert system is not None
    formula, diagnostics = parse_formula("AG (p -> ", system)
    assert formula is None
    assert [str(one) for one in diagnostics] == ["<formula>:1:10: error[E002]: expected a formula, but the text ends"]
    assert [one.code for one in parse_formula("p q", system)[1]] == ["E002"]
    assert [one.code for one in parse_formula("P.x = 1", system, strict=True)[1]] == ["E050"]
    assert parse_formula("AG p;", system)[0] is not None
