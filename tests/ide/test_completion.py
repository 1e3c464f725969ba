"""Completion: what is offered where, also in texts that end in the middle of a line."""

from __future__ import annotations

import pytest

from epistrat.ide import analyse, completion

BEGINNING = """
Agent Environment
    Obsvars: door : {open, shut}; end Obsvars
    Vars: hidden : 0..3; end Vars
    Actions = {push, pull};
    Protocol: Other : {push, pull}; end Protocol
    Evolution: door = shut if Action = pull; end Evolution
end Agent
Agent A
    Vars: mood : {good, bad}; other : {good, bad}; ok : boolean; end Vars
    Actions = {talk, wait};
"""
BEHIND = """
    Protocol: Other : {wait}; end Protocol
end Agent
Evaluation happy if A.mood = good; end Evaluation
Groups both = {A, Environment}; end Groups
"""


def offered(text: str, behind: str = "") -> list[str]:
    found = completion(analyse(text + behind), len(text))
    assert all(one.replace.end == len(text) for one in found)
    return [one.label for one in found]


@pytest.mark.parametrize(
    ("written", "expected", "absent"),
    [
        ("Protocol: mood = ", ["good", "bad", "other"], ["talk", "mood", "ok"]),
        ("Protocol: mood = go", ["good"], ["talk"]),
        ("Protocol: ok = ", ["true", "false"], ["good"]),
        ("Protocol: ok = true : {", ["talk", "wait"], ["push"]),
        ("Protocol: ok = true : {talk, ", ["wait"], ["push"]),
        ("Protocol: ", ["mood", "Environment.door", "Other", "end Protocol"], ["Environment.hidden", "Action"]),
        ("Protocol: Environment.", ["door"], ["hidden", "mood", "Action"]),
        ("Protocol: ok = true ", ["and", "or", "->"], ["U", "if"]),
        ("Protocol: ok = true and ", ["mood"], ["and"]),
        ("Evolution: ", ["mood", "ok"], ["Action", "Environment.door"]),
        ("Evolution: mood = good ", ["if", "and"], ["mood"]),
        ("Evolution: mood = good if ", ["Action", "Environment.Action", "mood"], ["if"]),
        ("Evolution: mood = good if Environment.", ["Action", "door"], ["hidden"]),
        ("Evolution: mood = good if Environment.Action = ", ["push", "pull"], ["talk", "good"]),
        ("Evolution: mood = good if Action = ", ["talk", "wait"], ["push"]),
        ("Lobsvars = {", ["hidden"], ["door", "mood"]),
        ("", ["Evolution", "RedStates", "end Agent"], ["Vars", "Actions", "Obsvars", "Agent"]),
        ("Vars: x : ", ["boolean", "integer", "{a, b}"], ["mood"]),
        ("end ", ["Agent"], ["Protocol"]),
        ("Protocol: end ", ["Protocol"], ["Agent"]),
        ("-- a word ", [], ["Protocol"]),
        ("/* a word ", [], ["Protocol"]),
    ],
)
def test_inside_an_agent(written: str, expected: list[str], absent: list[str]) -> None:
    for behind in ("", BEHIND):
        found = offered(BEGINNING + written, behind if not written.startswith("/*") else "")
        assert set(expected) <= set(found)
        assert not set(absent) & set(found)


@pytest.mark.parametrize(
    ("written", "expected", "absent"),
    [
        ("", ["Agent", "InitStates", "Formulae", "Composition"], ["Groups", "Vars"]),
        ("Semantics = ", ["SingleAssignment"], ["Agent"]),
        ("Evaluation p if ", ["A.", "Environment.", "true"], ["mood", "A.Action"]),
        ("Evaluation p if A.", ["mood", "ok"], ["Action", "RedStates"]),
        ("Evaluation p if Environment.hidden > ", ["0", "3"], ["4", "good"]),
        ("Groups g = {", ["A", "Environment"], ["both"]),
        ("Formulae ", ["happy", "AG", "K", "A.", "end Formulae"], ["both"]),
        ("Formulae AG(ha", ["happy", "K"], ["and"]),
        ("Formulae K(", ["A"], ["both", "happy"]),
        ("Formulae GK(", ["A", "both"], ["happy"]),
        ("Formulae K(A, ", ["happy"], ["Environment"]),
        ("Formulae GK({A, ", ["Environment"], ["happy", "both"]),
        ("Formulae <", ["both", "A"], ["happy"]),
        ("Formulae happy ", ["and", "U", "->"], ["happy", "if"]),
        ("Formulae A.mood = ", ["good", "bad"], ["happy", "other"]),
        ("Formulae A.", ["mood", "RedStates"], ["Action"]),
        ("Agent ", ["Environment"], ["A"]),
    ],
)
def test_outside_agents(written: str, expected: list[str], absent: list[str]) -> None:
    found = offered(BEGINNING + BEHIND + written)
    assert set(expected) <= set(found)
    assert not set(absent) & set(found)


def test_snippets_have_fields_in_their_order() -> None:
    text = BEGINNING + BEHIND + "Formulae "
    found = {one.label: one for one in completion(analyse(text), len(text))}
    assert found["K"].snippet
    assert found["K"].insert == "K(${1:agent}, ${2:formula})"
    assert not found["happy"].snippet
