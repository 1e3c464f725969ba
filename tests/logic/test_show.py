"""Formulae as text: what is printed, and that the parser reads it back."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from tests.generators import FRAGMENTS, random_formula, random_system

from epistrat.lang import parse_formula
from epistrat.logic import show
from epistrat.logic.formula import (
    And,
    Coalition,
    Colour,
    Common,
    Correct,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Group,
    Iff,
    Implies,
    Knows,
    Next,
    Not,
    Once,
    Or,
    Prop,
    Since,
    Test,
    Truth,
    Until,
    WeakUntil,
    Xor,
    Yesterday,
)
from epistrat.logic.show import marker
from epistrat.model.system import Composition
from epistrat.terms import Terms

p, q, r = Prop("p"), Prop("q"), Prop("r")


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (ForAll(Globally(p)), "AG p"),
        (ForAll(Globally(Implies(p, Exists(Finally(q))))), "AG (p -> EF q)"),
        (ForAll(Until(p, q)), "A(p U q)"),
        (Exists(WeakUntil(Not(p), q)), "E((!p) W q)"),
        (And((p, Or((q, r)), Not(And((p, q))))), "p and (q or r) and !(p and q)"),
        (Implies(p, Implies(q, r)), "p -> (q -> r)"),
        (Xor(Iff(p, q), Truth(False)), "(p <-> q) xor false"),
        (Knows("A", Implies(p, q)), "K(A, p -> q)"),
        (Common(Group(("A", "B"), "g"), p), "GCK(g, p)"),
        (Common(Group(("A", "B")), p), "GCK({A, B}, p)"),
        (Correct("A", Colour("A", False)), "O(A, A.RedStates)"),
        (Coalition(Group(("A", "B"), "g"), Finally(p)), "<g>F p"),
        (Coalition(Group(("A", "B")), Until(p, q)), "<A,B>(p U q)"),
        (Coalition(Group(("A",)), Next(p)), "<{A}>X p"),
        (Coalition(Group(()), Next(p)), "<>X p"),
        (Coalition(Group((), "nobody"), Next(p)), "<nobody>X p"),
        (ForAll(Globally(p), star=True), "LTL G p"),
        (ForAll(p, star=True), "LTL p"),
        (ForAll(Finally(And((q, Once(p)))), star=True), "LTL F (q and (Once p))"),
        (ForAll(Until(Next(p), Since(q, Yesterday(r))), star=True), "LTL (X p) U (q S (Y r))"),
        (Not(Exists(Globally(p), star=True)), "CTL* !(E (G p))"),
        (Exists(Globally(Finally(p)), star=True), "E (G F p)"),
        (ForAll(Exists(Globally(p), star=True), star=True), "CTL* A (E (G p))"),
    ],
)
def test_what_is_printed(formula: Formula, text: str) -> None:
    assert show(formula) == text


def test_conditions_name_the_variables_owner() -> None:
    terms = Terms()
    variable = terms.variable("A", "n", terms.number(0).sort)
    assert show(ForAll(Globally(Test(terms.compare("<", variable, terms.number(3)))))) == "AG (A.n < 3)"


def test_only_ambiguous_quantifiers_need_a_marker() -> None:
    assert marker(Exists(Globally(Finally(p)), star=True)) == ""
    assert marker(Exists(Globally(p), star=True)) == "CTL*"
    assert marker(ForAll(Globally(p), star=True)) == "LTL"
    assert marker(ForAll(Globally(p))) == ""


def test_deep_formulae_are_printed() -> None:
    formula: Formula = p
    for _ in range(5_000):
        formula = Not(formula)
    assert show(formula).count("!") == 5_000


@pytest.mark.parametrize("fragment", FRAGMENTS)
@pytest.mark.parametrize("past", [False, True])
def test_the_parser_reads_back_what_is_printed(fragment: str, past: bool) -> None:
    for seed in range(150):
        rng = random.Random(seed)
        system = random_system(rng, composition=Composition.SYNCHRONOUS if fragment == "ATLK" else None)
        formula = random_formula(rng, system, fragment, past=past)
        read, diagnostics = parse_formula(show(formula), system)
        assert read == formula, (seed, show(formula), [str(diagnostic) for diagnostic in diagnostics])


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_names_that_are_also_operators_or_agents_are_read_back(fragment: str) -> None:
    """Propositions are called like operators, groups like agents that are not their members."""
    for seed in range(150):
        rng = random.Random(seed)
        drawn = random_system(rng, fairness=False, composition=Composition.SYNCHRONOUS)
        names = rng.sample(["xor", "U", "S", "X", "F", "K", "A", "E", "EF", "Hist", "p"], len(drawn.propositions))
        agents = [agent.name for agent in drawn.agents]
        groups = dict(zip(rng.sample(agents, min(2, len(agents))), drawn.groups.values(), strict=False))
        system = replace(drawn, propositions=dict(zip(names, drawn.propositions.values(), strict=True)), groups=groups)
        formula = random_formula(rng, system, fragment, past=True)
        read, diagnostics = parse_formula(show(formula), system)
        assert read == formula, (seed, show(formula), [str(diagnostic) for diagnostic in diagnostics])
