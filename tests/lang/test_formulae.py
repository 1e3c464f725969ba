"""How formulae are read: precedence, markers, readings of quantifiers."""

from __future__ import annotations

import random

import pytest
from tests.generators import FRAGMENTS, random_formula, random_system
from tests.lang.samples import EVERYTHING

from epistrat.lang import load, parse_formula
from epistrat.logic.formula import (
    And,
    Coalition,
    Colour,
    Common,
    Distributed,
    Everybody,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Group,
    Historically,
    Iff,
    Implies,
    Knows,
    Next,
    Not,
    Once,
    Or,
    Prop,
    Release,
    Since,
    Test,
    Truth,
    Until,
    WeakUntil,
    Xor,
    Yesterday,
)
from epistrat.logic.show import show

TEXT = """
Agent P Vars: x : boolean; n : 0..3; end Vars Actions = {a}; Protocol: Other : {a}; end Protocol end Agent
Agent Q Vars: y : {u, v}; end Vars Actions = {a}; Protocol: Other : {a}; end Protocol end Agent
Evaluation p if P.x; q if P.n = 1; r if Q.y = u; F if P.x; U if P.x; xor if P.x; Y if P.x; K if P.x; end Evaluation
InitStates true; end InitStates
Groups g = {P, Q}; none = {}; end Groups
"""
SYSTEM = load(TEXT).system
assert SYSTEM is not None
p, q, r = Prop("p"), Prop("q"), Prop("r")


def parse(text: str) -> Formula:
    assert SYSTEM is not None
    formula, diagnostics = parse_formula(text, SYSTEM)
    assert formula is not None, [str(diagnostic) for diagnostic in diagnostics]
    return formula


def linear(body: Formula) -> Formula:
    return ForAll(body, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # connectives
        ("p and q and r", And((p, q, r))),
        ("p or q and r", Or((p, And((q, r))))),
        ("(p and q) and r", And((And((p, q)), r))),
        ("p -> q -> r", Implies(p, Implies(q, r))),
        ("p <-> q <-> r", Iff(Iff(p, q), r)),
        ("p -> q <-> r", Iff(Implies(p, q), r)),
        ("p xor q or r", Or((Xor(p, q), r))),
        ("p xor q and r", Xor(p, And((q, r)))),
        ("!p and q", And((Not(p), q))),
        ("true -> false", Implies(Truth(True), Truth(False))),
        # CTL
        ("AG p and q", And((ForAll(Globally(p)), q))),
        ("AG p -> EF q", Implies(ForAll(Globally(p)), Exists(Finally(q)))),
        ("AX EX p", ForAll(Next(Exists(Next(p))))),
        ("AF EG p", ForAll(Finally(Exists(Globally(p))))),
        ("AG !p or q", Or((ForAll(Globally(Not(p))), q))),
        ("A(p U q)", ForAll(Until(p, q))),
        ("E(p and q U r or p)", Exists(Until(And((p, q)), Or((r, p))))),
        ("A(!p U q)", ForAll(Until(Not(p), q))),
        ("A(p -> q W r)", ForAll(WeakUntil(Implies(p, q), r))),
        ("E(p R q)", Exists(Release(p, q))),
        ("A(AG p U EF q)", ForAll(Until(ForAll(Globally(p)), Exists(Finally(q))))),
        ("A X p", ForAll(Next(p))),
        ("E A X p", Exists(ForAll(Next(p)), True)),
        ("E (F p)", Exists(Finally(p))),
        ("!A(p U q)", Not(ForAll(Until(p, q)))),
        # CTL* without marker: only what is no CTL shape has the other reading
        ("A G F p", ForAll(Globally(Finally(p)), True)),
        ("AG F p", ForAll(Globally(Finally(p)), True)),
        ("A(G p -> F q)", ForAll(Implies(Globally(p), Finally(q)), True)),
        ("A(F p and q U r)", ForAll(And((Finally(p), Until(q, r))), True)),
        ("A((p U q) and r)", ForAll(And((Until(p, q), r)), True)),
        ("E(p U q U r)", Exists(Until(Until(p, q), r), True)),
        ("A (p)", ForAll(p, True)),
        ("E(X p U q)", Exists(Until(Next(p), q), True)),
        ("E(A X p U q)", Exists(Until(ForAll(Next(p)), q))),
        # linear, without and with marker
        ("G p", linear(Globally(p))),
        ("p U q", linear(Until(p, q))),
        ("F p and q", linear(And((Finally(p), q)))),
        ("!p U q", linear(Not(Until(p, q)))),
        ("G !p U q", linear(Globally(Not(Until(p, q))))),
        ("X p U q", linear(Until(Next(p), q))),
        ("p U q U r", linear(Until(Until(p, q), r))),
        ("p U X q", linear(Until(p, Next(q)))),
        ("G AF p", linear(Globally(ForAll(Finally(p))))),
        ("LTL p", linear(p)),
        ("LTL K(P, X p)", linear(Knows("P", Next(p)))),
        ("LTL G p -> F q", linear(Implies(Globally(p), Finally(q)))),
        ("CTL* A (G p -> F q)", ForAll(Implies(Globally(p), Finally(q)), True)),
        ("CTL* A G p and q", And((ForAll(Globally(p), True), q))),
        ("CTL* A(!p U q)", ForAll(Not(Until(p, q)), True)),
        ("CTL* AG p", ForAll(Globally(p), True)),
        # past
        ("G (p -> Once q)", linear(Globally(Implies(p, Once(q))))),
        ("Hist p S Y q", linear(Since(Historically(p), Yesterday(q)))),
        ("AG (Once p)", ForAll(Globally(Once(p)), True)),
        # knowledge
        ("K(P, p)", Knows("P", p)),
        ("K(Environment, p)", Knows("Environment", p)),
        ("K(P, F p)", Knows("P", Finally(p))),
        ("AG K(P, Once p)", ForAll(Globally(Knows("P", Once(p))))),
        ("GK(g, p)", Everybody(Group(("P", "Q")), p)),
        ("GCK({Q, P, Q}, p)", Common(Group(("Q", "P")), p)),
        ("DK(P, p)", Distributed(Group(("P",)), p)),
        ("GK({}, p)", Everybody(Group(()), p)),
        # strategies
        ("<g>X p", Coalition(Group(("P", "Q")), Next(p))),
        ("<g>X p and q", And((Coalition(Group(("P", "Q")), Next(p)), q))),
        ("<P, Environment>F p", Coalition(Group(("P", "Environment")), Finally(p))),
        ("<{P}>G p", Coalition(Group(("P",)), Globally(p))),
        ("<none>(!p U q)", Coalition(Group(()), Until(Not(p), q))),
        ("<>X <P>X p", Coalition(Group(()), Next(Coalition(Group(("P",)), Next(p))))),
        ("E(<g>X p U q)", Exists(Until(Coalition(Group(("P", "Q")), Next(p)), q))),
        # atoms
        ("P.RedStates and !Environment.GreenStates", And((Colour("P", False), Not(Colour("Environment", True))))),
        # letters that are names here
        ("F F", linear(Finally(Prop("F")))),
        ("F U U", linear(Until(Prop("F"), Prop("U")))),
        ("X U", linear(Next(Prop("U")))),
        ("K and Y", And((Prop("K"), Prop("Y")))),
        ("K(P, K)", Knows("P", Prop("K"))),
        ("Y Y", linear(Yesterday(Prop("Y")))),
        ("AF F", ForAll(Finally(Prop("F")))),
        ("A(F U U)", ForAll(Until(Prop("F"), Prop("U")))),
        ("xor", Prop("xor")),
        ("EF xor", Exists(Finally(Prop("xor")))),
        ("p and xor", And((p, Prop("xor")))),
        ("EF xor xor p", Xor(Exists(Finally(Prop("xor"))), p)),
        ("p xor xor", Xor(p, Prop("xor"))),
        ("A(xor U xor)", ForAll(Until(Prop("xor"), Prop("xor")))),
        ("F xor p", Xor(Prop("F"), p)),
        ("U xor U", Xor(Prop("U"), Prop("U"))),
        ("X xor U U", linear(Until(Next(Prop("xor")), Prop("U")))),
    ],
)
def test_reading(text: str, expected: Formula) -> None:
    assert parse(text) == expected
    assert parse(show(expected)) == expected


def test_groups_keep_their_names() -> None:
    formula = parse("<g>X p")
    assert isinstance(formula, Coalition)
    assert formula.group.name == "g"
    formula = parse("<P>X p")
    assert isinstance(formula, Coalition)
    assert formula.group.name is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("AG(P.x=true -> Q.y <> u)", "AG ((P.x = true) -> (Q.y <> u))"),
        ("AG P.x", "AG (P.x = true)"),
        ("(P.n + 1) * 2 = 4", "(P.n + 1) * 2 = 4"),
        ("AX P.n < 2 and p", "AX (P.n < 2) and p"),
        ("P.x & ~P.x", "(P.x & (~P.x)) = true"),
        ("(P.x | (P.n = 1)) = false", "(~(P.x | (P.n = 1))) = true"),
        ("P.x ^ P.x", "(P.x ^ P.x) = true"),
        ("P.n * 0.5 = 1 / 3", "P.n * (1/2) = 1/3"),
    ],
)
def test_conditions_in_formulae(text: str, shown: str) -> None:
    assert show(parse(text)) == shown
    assert show(parse(shown)) == shown


def test_tests_are_tests() -> None:
    assert isinstance(parse("P.x"), Test)
    assert isinstance(parse("P.n = 1"), Test)
    assert isinstance(parse("~P.x"), Test)
    assert isinstance(parse("P.x | P.x"), Test)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_printed_is_read_back(seed: int) -> None:
    rng = random.Random(seed)
    system = random_system(rng)
    for fragment in FRAGMENTS:
        if system.interleaved and "ATL" in fragment:
            continue
        past = fragment.startswith(("LTL", "CTL*")) and seed % 2 == 0
        formula = random_formula(rng, system, fragment, past=past)
        again, diagnostics = parse_formula(show(formula), system)
        assert again == formula, (show(formula), [str(one) for one in diagnostics])


def test_formulae_of_a_model() -> None:
    loaded = load(EVERYTHING)
    assert loaded.system is not None
    for index, formula in enumerate(loaded.system.formulae):
        text = loaded.origins.text("formula", index)
        assert text is not None
        again, _ = parse_formula(text, loaded.system)
        assert again == formula
