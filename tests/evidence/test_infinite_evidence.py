"""Evidence about infinitely many states: invariants, regions with measures, strategies as rules, abstract runs."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from functools import partial
from pathlib import Path as File

import jsonschema
import pytest
from tests.generators.certificates import claimed

import epistrat
from epistrat.answers import Certificate, Strategies, Verdict
from epistrat.evidence import (
    Abstract,
    Along,
    Descent,
    Enforced,
    Invariant,
    Path,
    Place,
    Reason,
    Region,
    Restricted,
    RuleStrategy,
    Stated,
    Tree,
    UniformStrategy,
)
from epistrat.evidence.replay import replay
from epistrat.logic.formula import Group
from epistrat.model.conditions import as_condition
from epistrat.proving.fresh import FreshProver
from epistrat.render.json.evidence import evidence_json
from epistrat.render.json.reading import read_evidence
from epistrat.service.models import read_formula
from epistrat.terms import Compare, Expr, Terms

SCHEMA = json.loads((File(__file__).parents[2] / "docs/schema/evidence-1.json").read_text())
COUNTER = """
Agent Counter
  Vars: n : integer; end Vars
  Actions = {up, down, stay};
  Protocol: n < 1 : {up, stay}; Other : {up, down, stay}; end Protocol
  Evolution: n = n + 1 if Action = up; n = n - 1 if Action = down; end Evolution
end Agent
Evaluation zero if Counter.n = 0; negative if Counter.n < 0; end Evaluation
InitStates Counter.n = 3; end InitStates
Groups g = {Counter}; empty = {}; end Groups
Formulae AG !negative; end Formulae
"""
SYSTEM = epistrat.load(COUNTER)
START = (3,)


def condition(text: str) -> Expr:
    return as_condition(SYSTEM, read_formula(text, SYSTEM))


def descent(*places: tuple[str, ...]) -> Descent:
    """Places by their conditions and measures."""
    terms = Terms()

    def number(text: str) -> Expr:
        if text.isdigit():
            return terms.number(int(text))
        compared = as_condition(SYSTEM, read_formula(f"({text}) < 0", SYSTEM))
        assert isinstance(compared, Compare)
        return compared.left

    return Descent(tuple(Place(condition(where), tuple(map(number, measures))) for where, *measures in places))


N = SYSTEM.variables[0].reference
DOWN = RuleStrategy(
    Group(("Counter",)), (("Counter", ((condition("Counter.n > 0"), "down"), (Terms().boolean(True), "stay"))),)
)
WAY = Along(Path(((3,), (2,), (1,), (0,)), (("down",),) * 3))
REASONS: dict[str, tuple[str, tuple[Reason, ...]]] = {
    "invariant": ("AG !negative", (Invariant(condition("Counter.n >= 0 and !(Counter.n < 0 or false)")),)),
    "stated": ("AG !negative", (Stated(),)),
    "measure": ("EF zero", (Region(condition("Counter.n >= 0"), N),)),
    "rules": ("<g>F zero", (Enforced(DOWN),)),
    "descent": ("EF zero", (descent(("Counter.n >= 5", "1", "Counter.n"), ("Counter.n >= 0", "0", "Counter.n")),)),
    "abstract": ("EF zero", (Abstract((*[condition("Counter.n > 0")] * 3, condition("Counter.n = 0")), WAY),)),
}


def tree(name: str) -> Tree:
    text, reasons = REASONS[name]
    return Tree(START, read_formula(text, SYSTEM), True, reasons)


@pytest.mark.parametrize("name", REASONS)
def test_json_and_pickles_read_back(name: str) -> None:
    shown = tree(name)
    data = json.loads(json.dumps(evidence_json(SYSTEM, shown)))
    jsonschema.validate(data, SCHEMA)
    assert read_evidence(SYSTEM, data, partial(read_formula, system=SYSTEM)) == shown
    certificate = Certificate(shown.claim, Verdict.HOLDS, trees=(shown,))
    assert pickle.loads(pickle.dumps(certificate)) == certificate


# Replay with a prover

PROVED: dict[str, tuple[str, tuple[Reason, ...]]] = {
    "invariant": ("AG !negative", (Invariant(condition("Counter.n >= 0")),)),
    "knowledge": ("K(Counter, !negative)", (Invariant(condition("Counter.n >= 0")),)),
    "region for AG": ("AG !negative", (Region(condition("Counter.n >= 0")),)),
    "region for EG": ("EG !zero", (Region(condition("Counter.n >= 1")),)),
    "measure for EF": ("EF zero", (Region(condition("Counter.n >= 0"), N),)),
    "measure for EU": ("E(!negative U zero)", (Region(condition("Counter.n >= 0"), N),)),
    "descent for EF": ("EF zero", (descent(("Counter.n >= 0", "Counter.n")),)),
    "descent in two places": (
        "EF zero",
        (descent(("Counter.n >= 5", "1", "Counter.n"), ("Counter.n >= 0", "0", "Counter.n")),),
    ),
    "descent for EU": ("E(!negative U zero)", (descent(("Counter.n >= 0", "Counter.n")),)),
    "rules and a descent": ("<g>F zero", (Enforced(DOWN), descent(("Counter.n >= 0", "Counter.n")))),
    "rules and a measure": ("<g>F zero", (Enforced(DOWN), Region(condition("Counter.n >= 0"), N))),
    "rules and a region": ("<g>G !negative", (Enforced(DOWN), Region(condition("Counter.n >= 0")))),
    "rules played out": ("<g>F zero", (Enforced(DOWN),)),
    "abstract run": REASONS["abstract"],
}
UP = RuleStrategy(Group(("Counter",)), (("Counter", ((Terms().boolean(True), "up"),)),))
REFUSED: dict[str, tuple[str, tuple[Reason, ...]]] = {
    "not inductive": ("AG !negative", (Invariant(condition("Counter.n <= 3")),)),
    "left by a step": ("AG !negative", (Invariant(condition("Counter.n >= 0 and Counter.n <= 3")),)),
    "sinks for ever": ("EF zero", (Region(condition("Counter.n >= 1"), Terms().arith("-", Terms().number(0), N)),)),
    "not initial": ("AG !negative", (Invariant(condition("Counter.n >= 4")),)),
    "too weak": ("AG !zero", (Invariant(condition("Counter.n >= 0")),)),
    "knows too much": ("K(Counter, zero)", (Invariant(condition("Counter.n >= 0")),)),
    "state outside": ("AG !negative", (Region(condition("Counter.n >= 4")),)),
    "region left": ("AG !negative", (Region(condition("Counter.n = 3")),)),
    "no measure": ("EF zero", (Region(condition("Counter.n >= 0")),)),
    "measure grows": ("<g>F zero", (Enforced(UP), Region(condition("Counter.n >= 0"), N))),
    "measure below 0": ("EF zero", (Region(condition("Counter.n >= -1"), N),)),
    "all steps": ("AF zero", (Region(condition("Counter.n >= 0"), N),)),
    "rules of others": (
        "<empty>F zero",
        (Enforced(RuleStrategy(Group(()), DOWN.rules)), Region(condition("Counter.n >= 0"), N)),
    ),
    "cells left": ("EF zero", (Abstract((condition("Counter.n > 0"),) * 4, WAY),)),
    "descent of the wrong way": ("EF zero", (descent(("Counter.n >= 0", "0 - Counter.n")),)),
    "descent without end": ("EF zero", (descent(("Counter.n <= 3", "Counter.n")),)),
    "descent by halves": ("EF zero", (descent(("Counter.n >= 0", "Counter.n / 2")),)),
    "descent to nowhere": ("EF zero", (descent(("Counter.n >= 2", "Counter.n")),)),
    "descent by some steps": ("AF zero", (descent(("Counter.n >= 0", "Counter.n")),)),
    "descent of a constant": ("EF zero", (descent(("Counter.n >= 0", "0")),)),
    "descent in a circle": (
        "EF negative",
        (descent(("Counter.n = 0", "0", "1"), ("Counter.n >= 1", "Counter.n", "0")),),
    ),
    "descent for G": ("EG !zero", (descent(("Counter.n >= 0", "Counter.n")),)),
    "descent of uneven length": ("EF zero", (descent(("Counter.n >= 2", "1", "Counter.n"), ("Counter.n >= 0", "0")),)),
}
FAILING: dict[str, tuple[str, tuple[Reason, ...]]] = {
    "EF by an invariant": ("EF negative", (Invariant(condition("Counter.n >= 0")),)),
    "AF by a region": ("AF zero", (Region(condition("Counter.n >= 1")),)),
    "AG by a descent": ("AG !zero", (descent(("Counter.n >= 0", "Counter.n")),)),
}


@pytest.mark.parametrize("name", PROVED)
def test_proofs_are_made_again(name: str) -> None:
    text, reasons = PROVED[name]
    certificate = claimed(Tree(START, read_formula(text, SYSTEM), True, reasons))
    found = replay(SYSTEM, certificate, prover=FreshProver())
    assert found.complete, found
    proofs = all(isinstance(reason, (Invariant, Region, Descent)) for reason in reasons)
    assert replay(SYSTEM, certificate).complete is not proofs, "without a prover nothing infinite is re-checked"


@pytest.mark.parametrize("name", REFUSED)
def test_what_proves_nothing_is_refused(name: str) -> None:
    text, reasons = REFUSED[name]
    found = replay(SYSTEM, claimed(Tree(START, read_formula(text, SYSTEM), True, reasons)), prover=FreshProver())
    assert found.problems


@pytest.mark.parametrize("name", FAILING)
def test_what_fails_is_proved_by_its_opposite(name: str) -> None:
    text, reasons = FAILING[name]
    found = replay(SYSTEM, claimed(Tree(START, read_formula(text, SYSTEM), False, reasons)), prover=FreshProver())
    assert found.complete, found
    wrong = read_formula("EF zero", SYSTEM)
    assert not replay(SYSTEM, claimed(Tree(START, wrong, False, reasons)), prover=FreshProver()).complete


def test_an_invariant_serves_all_initial_states() -> None:
    system = epistrat.load(COUNTER.replace("Counter.n = 3; end InitStates", "Counter.n > 2; end InitStates"))
    tree = Tree(START, system.formula("AG !negative"), True, (Invariant(condition("Counter.n >= 0")),))
    assert replay(system, claimed(tree), prover=FreshProver()).complete
    weak = epistrat.load(COUNTER.replace("Counter.n = 3; end InitStates", "Counter.n > -9; end InitStates"))
    assert not replay(weak, claimed(tree), prover=FreshProver()).ok
    way = Tree(START, system.formula("EF zero"), True, (WAY,))
    found = replay(system, claimed(way), prover=FreshProver())
    assert found.ok and not found.complete
    assert found.starts.missing is None


def test_a_choice_without_outcome_is_proved_to_win() -> None:
    """Counting beyond the range has no outcome, so nothing can go wrong after it; where nobody may act the group has not won."""
    text = """
    Agent Counter
      Vars: n : 0..3; end Vars
      Actions = {up};
      Protocol: n = 3 : {up}; end Protocol
      Evolution: n = n + 1 if Action = up; end Evolution
    end Agent
    Evaluation zero if Counter.n = 0; end Evaluation
    InitStates Counter.n = 3; end InitStates
    Groups g = {Counter}; end Groups
    Formulae <g>F zero; end Formulae
    """
    for protocol, wins in ((text, True), (text.replace("n = 3 : {up}", "n = 2 : {up}"), False)):
        system = epistrat.load(protocol)
        here = Region(as_condition(system, system.formula("Counter.n = 3")), Terms().number(0))
        way = Tree(START, system.formula("<g>F zero"), True, (Enforced(UP), here))
        assert replay(system, claimed(way), prover=FreshProver()).complete is wins
        assert (system.check("<g>F zero", engine="reference")[0].verdict is Verdict.HOLDS) is wins


def test_a_proof_about_a_system_whose_agents_follow_a_strategy_needs_the_prover_too() -> None:
    """Under the uniform reading the prover is handed on to whoever checks the narrowed system."""
    claim = read_formula("AG Counter.n = 3", SYSTEM)
    stay = UniformStrategy(Group(("Counter",)), (("Counter", ((START, "stay"),)),))
    inner = Tree(START, claim, True, (Invariant(condition("Counter.n = 3")),))
    tree = Tree(START, claim, True, (Restricted(stay, inner),))
    certificate = Certificate(claim, Verdict.HOLDS, Strategies.UNIFORM, trees=(tree,))
    found = replay(SYSTEM, certificate, survey=0, prover=FreshProver())
    assert found.complete, (found.problems, found.trusted)
    assert found.proved == 1
    assert not replay(SYSTEM, certificate, survey=0).complete
    false = replace(tree, because=(Restricted(stay, replace(inner, because=(Invariant(condition("Counter.n > 3")),))),))
    assert not replay(SYSTEM, replace(certificate, trees=(false,)), survey=0, prover=FreshProver()).ok


def test_a_region_for_a_goal_about_knowledge_is_re_checked_by_copies_of_the_state() -> None:
    claim = read_formula("EF K(Counter, zero)", SYSTEM)
    tree = Tree(START, claim, True, (Region(condition("Counter.n >= 0"), N),))
    assert replay(SYSTEM, claimed(tree), prover=FreshProver()).complete


def test_a_region_for_a_goal_about_time_is_not_re_checked() -> None:
    """Of what happens later nothing is known but what facts say: nothing is wrong with the claim, and nothing is shown."""
    claim = read_formula("EF EG zero", SYSTEM)
    tree = Tree(START, claim, True, (Region(condition("Counter.n >= 0"), N),))
    found = replay(SYSTEM, claimed(tree), prover=FreshProver())
    assert not found.complete


def test_a_group_does_only_what_its_protocol_allows() -> None:
    """Whatever A may do, a step stays; what it may not do needs no answer."""
    system = epistrat.load(
        """
        Agent A
          Vars: n : integer; end Vars
          Actions = {stay, leave};
          Protocol: n >= 0 : {stay}; Other : {stay, leave}; end Protocol
          Evolution: n = n + 1 if Action = stay; n = -1 if Action = leave; end Evolution
        end Agent
        Evaluation good if A.n >= 0; low if A.n < 0; end Evaluation
        InitStates A.n = 0; end InitStates
        Formulae AG good; end Formulae
        """
    )
    good, low = system.propositions["good"], system.propositions["low"]
    prover = FreshProver()
    assert prover.answered(system, ["A"], good, good) is True
    assert prover.answered(system, ["A"], low, good) is False
    assert prover.answered(system, ["A"], low, low) is False
