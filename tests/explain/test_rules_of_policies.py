"""Rules say what the table says, however it is made; and who reads what it cannot see is not called uniform."""

from __future__ import annotations

import random
from itertools import product

import pytest

import epistrat
from epistrat.answers.explanation import Rule
from epistrat.evidence import RuleStrategy, StateStrategy
from epistrat.explain.policy import decision_rules, policies, simplified
from epistrat.explain.words import listed
from epistrat.terms import TRUE, Value


def said_by(rules: tuple[Rule, ...], row: dict[int, Value]) -> str:
    """The action of the first rule that applies."""
    return next(str(rule.action) for rule in rules if all(row[test.position] in test.values for test in rule.tests))


@pytest.mark.parametrize("seed", range(40))
def test_random_tables_are_said_exactly(seed: int) -> None:
    rng = random.Random(seed)
    width = rng.randint(1, 4)
    rows: list[tuple[dict[int, Value], str]] = [
        (dict(enumerate(values)), rng.choice("abc")) for values in product(range(3), repeat=width) if rng.random() < 0.6
    ] or [(dict.fromkeys(range(width), 0), "a")]
    rules = decision_rules(rows, range(width))
    assert [said_by(rules, row) for row, _ in rows] == [action for _, action in rows]


def test_a_table_that_needs_two_tests_at_once() -> None:
    rows: list[tuple[dict[int, Value], str]] = [
        ({0: x, 1: y}, "same" if x == y else "other") for x in range(3) for y in range(3)
    ]
    rules = decision_rules(rows, (0, 1))
    assert [said_by(rules, row) for row, _ in rows] == [action for _, action in rows]


HIDDEN = epistrat.load("""
Agent Environment Vars: coin : boolean; end Vars Actions = {none}; Protocol: Other : {none}; end Protocol end Agent
Agent A Vars: n : 0..1; end Vars Actions = {head, tail}; Protocol: Other : {head, tail}; end Protocol end Agent
Evaluation p if A.n = 0; end Evaluation
InitStates A.n = 0; end InitStates
Groups g = {A}; end Groups
""")


def test_a_policy_that_reads_what_the_agent_cannot_see_is_not_uniform() -> None:
    for moves, uniform in [
        ((((True, 0), ("head",)), ((False, 0), ("tail",))), False),
        ((((True, 0), ("head",)), ((False, 0), ("head",))), True),
    ]:
        (policy,) = policies(HIDDEN, StateStrategy(HIDDEN.group("g"), moves))
        assert policy.uniform is uniform
        assert [said_by(policy.rules, dict(enumerate(state))) for state, _ in moves] == [one[0] for _, one in moves]


def test_a_list_of_just_so_many_names_is_not_cut() -> None:
    assert listed(["a", "b", "c"], 3) == "a, b and c"
    assert listed(["a", "b", "c", "d"], 3) == "a, b, c and 1 more"


def test_rules_that_change_nothing_are_not_shown() -> None:
    """A rule that says what comes to pass without it, and rules behind one that always applies."""
    low = HIDDEN.propositions["p"]
    idle, act, always = Rule((), "head", low), Rule((), "tail", low), Rule((), "head")
    assert simplified([idle, always]) == (always,)
    assert simplified([act, idle, always]) == (act, always)
    assert simplified([idle, act, always]) == (idle, act, always), "the first rule keeps the second from applying"
    assert simplified([act, always, idle]) == (act, always)
    assert simplified([idle, idle]) == (idle, idle), "elsewhere nothing is said"
    rules = RuleStrategy(HIDDEN.group("g"), (("A", ((low, "head"), (TRUE, "head"))),))
    (policy,) = policies(HIDDEN, rules)
    assert policy.rules == (always,) and policy.uniform
