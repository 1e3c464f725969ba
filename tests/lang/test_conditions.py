"""What conditions, arithmetic and declarations mean."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.lang.samples import EVERYTHING, model

from epistrat.lang import load
from epistrat.model.agent import Agent
from epistrat.model.evaluate import Evaluator
from epistrat.model.system import Composition, Semantics, System
from epistrat.terms import (
    FALSE,
    TRUE,
    And,
    Arith,
    Boolean,
    Bounded,
    Const,
    Enumeration,
    Expr,
    Integer,
    Or,
    Real,
    Sort,
    Terms,
    subterms,
)
from epistrat.terms.show import show_condition


def system_of(text: str) -> System:
    loaded = load(text)
    assert loaded.system is not None, [str(error) for error in loaded.report.errors]
    return loaded.system


def condition(text: str) -> Expr:
    return system_of(model(evaluation=f"r if {text};")).propositions["r"]


def agent(**parts: str) -> Agent:
    return system_of(model(**parts)).agent["P"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("P.x = 1", "P.x = 1"),
        ("1 = P.x", "1 = P.x"),
        ("P.x != 1", "P.x <> 1"),
        ("P.x <> 1", "P.x <> 1"),
        ("P.x > 1", "1 < P.x"),
        ("P.x >= 1", "1 <= P.x"),
        ("P.b", "P.b = true"),
        ("P.b = false", "P.b = false"),
        ("true = P.b", "P.b = true"),
        ("!P.b = true", "P.b = false"),
        ("! P.x = 1 and P.b", "P.x <> 1 and P.b = true"),
        ("P.b or P.b and !P.b", "P.b = true or (P.b = true and P.b = false)"),
        ("(P.b or P.x = 1) and P.b", "(P.b = true or P.x = 1) and P.b = true"),
        ("P.b -> P.x = 1 -> P.b", "P.b = false or P.x <> 1 or P.b = true"),
        (
            "P.b xor P.x = 1 and P.b",
            "((P.b = true) and !(P.x = 1 and P.b = true)) or (!(P.b = true) and (P.x = 1 and P.b = true))",
        ),
        ("P.b | P.b & ~P.b ^ P.b", "((P.b | (P.b & (~P.b))) ^ P.b) = true"),
        ("P.b <-> P.b", "!((P.b ^ P.b) = true)"),
        ("P.x + 1 * 2 - -1 = 3", "P.x + 1 * 2 - -1 = 3"),
        ("(P.x + 1) * 2 = 3", "(P.x + 1) * 2 = 3"),
        ("P.x / 2 / 2 = 0.25", "P.x / 2 / 2 = 1/4"),
        ("P.c = red and green <> P.c", "P.c = red and green <> P.c"),
        ("true", "true"),
        ("false or P.b", "P.b = true"),
        ("1 + 1 = 2", "1 + 1 = 2"),
        ("(P.x = 1) = P.b", "(P.x = 1) = P.b"),
    ],
)
def test_conditions(text: str, shown: str) -> None:
    assert show_condition(condition(text)) == shown


def test_chains_are_flat() -> None:
    expr = condition(" and ".join(["P.b"] * 3) + " or " + " or ".join(["P.x = 1"] * 4))
    assert isinstance(expr, Or)
    assert len(expr.args) == 5
    assert isinstance(expr.args[0], And)
    assert len(expr.args[0].args) == 3


@pytest.mark.parametrize(
    ("text", "value"), [("1 / 3", Fraction(1, 3)), ("0.5", Fraction(1, 2)), ("4 / 2", 2), ("-2", -2)]
)
def test_literals(text: str, value: object) -> None:
    expr = condition(f"P.x + 0 < {text}")
    constants = [term.value for term in subterms(expr) if isinstance(term, Const)]
    assert value in constants
    assert not any(isinstance(term, Arith) and term.op.value == "/" for term in subterms(expr))


def test_division_by_zero_stays() -> None:
    expr = condition("P.x + 0 < 1 / 0")
    assert any(isinstance(term, Arith) and term.op.value == "/" for term in subterms(expr))


@pytest.mark.parametrize("operators", ["+", "-", "+-", "*"])
def test_long_chains_mean_the_same(operators: str) -> None:
    """Beyond a certain length the tree is balanced; the value does not change."""
    for length in (3, 47, 48, 49, 100, 257):
        text = "P.x" + "".join(f" {operators[i % len(operators)]} {1 if i % 3 else 'P.x'}" for i in range(length - 1))
        system = system_of(model(evaluation=f"r if {text} = 7;"))
        compare = system.propositions["r"]
        assert hasattr(compare, "left")
        for x in (1, 2):
            state = tuple(x if variable.name == "x" else 0 for variable in system.variables)
            expected = eval(text.replace("P.x", str(x)))
            assert Evaluator(system).value(compare.left, state) == expected


@pytest.mark.parametrize("operator", ["xor", "^"])
def test_long_parities_mean_the_same(operator: str) -> None:
    for length in (48, 49, 200):
        system = system_of(model(evaluation=f"r if {f' {operator} '.join(['(P.x = 1)', 'P.b'] * length)};"))
        for x, b in ((1, True), (1, False), (2, True)):
            values = {"x": x, "b": b}
            state = tuple(values.get(variable.name, 0) for variable in system.variables)
            holds = Evaluator(system).holds(system.propositions["r"], state, ())
            assert holds == (length * ((x == 1) + b) % 2 == 1)


def test_declarations() -> None:
    system = system_of(EVERYTHING)
    assert [one.name for one in system.agents] == ["Environment", "C1", "C2"]
    domains = {str(variable): variable.domain for variable in system.variables}
    assert domains == {
        "Environment.phase": Enumeration(("talk", "done")),
        "Environment.light": Boolean(),
        "Environment.count": Bounded(-2, 5),
        "C1.paid": Enumeration(("yes", "no")),
        "C1.far": Integer(),
        "C1.share": Real(),
    }
    assert [variable.name for variable in system.variables if variable.public] == ["phase"]
    assert system.agent["C1"].observes == ("light", "count")
    assert system.agent["C1"].red is None
    assert system.groups == {"all": ("C1", "C2", "Environment"), "none": ()}
    assert list(system.propositions) == ["paid", "lit", "far"]
    assert len(system.fairness) == 2
    assert len(system.formulae) == 16


def test_the_environment_comes_first() -> None:
    text = model() + "Agent Environment Actions = {}; end Agent"
    assert [one.name for one in system_of(text).agents] == ["Environment", "P", "Q"]


def test_settings() -> None:
    assert system_of(model()).semantics is Semantics.MULTI
    assert system_of("Semantics = SA;" + model()).semantics is Semantics.SINGLE
    assert system_of("Composition = Interleaved;" + model()).composition is Composition.INTERLEAVED
    assert system_of("Composition = Synchronous;" + model()).composition is Composition.SYNCHRONOUS


def test_sections_in_any_order() -> None:
    text = "Formulae AG p; end Formulae InitStates P.x = 0; end InitStates Groups g = {P}; end Groups "
    text += "Evaluation p if P.x = 1; end Evaluation Agent P Evolution: x = 1 if Action = a; end Evolution "
    text += "Protocol: Other : {a}; end Protocol Actions = {a}; Vars: x : 0..1; end Vars end Agent"
    ordered = "Agent P Vars: x : 0..1; end Vars Actions = {a}; Protocol: Other : {a}; end Protocol Evolution: "
    ordered += "x = 1 if Action = a; end Evolution end Agent Evaluation p if P.x = 1; end Evaluation "
    ordered += "InitStates P.x = 0; end InitStates Groups g = {P}; end Groups Formulae AG p; end Formulae"
    assert system_of(text) == system_of(ordered)


def test_prefixes_of_one_self() -> None:
    plain = agent(evolution="x = 1 if b and Action = a;", protocol="b : {a};")
    prefixed = agent(evolution="P.x = 1 if P.b and P.Action = a;", protocol="P.b : {a};")
    assert plain == prefixed


def test_assignments() -> None:
    lines = agent(
        evolution="(x = x + 1 and (b = !b)) if Action = a; b = x > 2 if true; c = red if c = green;"
    ).evolution
    assert [[one.target for one in line.assignments] for line in lines] == [["x", "b"], ["b"], ["c"]]
    assert lines[1].guard == TRUE


def test_names_that_are_operator_letters() -> None:
    text = """
    Agent A
        Vars: F : {A, U, K}; X : boolean; end Vars
        Actions = {G, E};
        Protocol: F = A and X : {G}; Other : {E}; end Protocol
        Evolution: F = U if Action = G and !(F = K); X = true if F = U; end Evolution
    end Agent
    Evaluation U if A.F = U; S if A.X; end Evaluation
    InitStates A.F = A; end InitStates
    Formulae AG (U -> S); end Formulae
    """
    system = system_of(text)
    assert list(system.propositions) == ["U", "S"]
    assert show_condition(system.agent["A"].protocol[0].condition) == "A.F = A and A.X = true"


def test_first_and_last_definitions_count() -> None:
    system = system_of(model(vars="x : boolean;", evaluation="p if P.b;", groups="g = {Q};"))
    assert system.variables[0].domain == Bounded(0, 3)
    assert show_condition(system.propositions["p"]) == "P.b = true"
    assert system.groups["g"] == ("Q",)


def test_a_model_may_be_bare() -> None:
    system = system_of("Agent P Actions = {}; end Agent InitStates true; end InitStates")
    assert system.variables == ()
    assert system.initial == TRUE
    assert system_of("Agent P Actions = {}; end Agent InitStates false; end InitStates").initial == FALSE


def test_enumerations_of_different_size() -> None:
    text = model(vars="d : {red};", evolution="x = 1 if c = d;")
    assert load(text).ok
    assert [error.code for error in load(text, equal_enumerations=True).report.errors] == ["E026"]


def test_equal_conditions_are_one_object() -> None:
    system = system_of(model(evaluation="r if P.x = 1 and Q.y = 1; s if P.x = 1;"))
    assert system.propositions["r"] is system.propositions["p"]
    terms = Terms()
    assert system.propositions["s"] == terms.compare("=", terms.variable("P", "x", Sort.NUMBER), terms.number(1))
