"""Counts compared with every number, also impossible ones, and ranges chosen by every kind of condition on indices."""

from __future__ import annotations

from itertools import product

import pytest

from epistrat.lang.analysis import analyse
from epistrat.lang.families.expansion import ExpandedWords
from epistrat.lang.load import load
from epistrat.model.evaluate import Evaluator
from epistrat.model.system import System

MODEL = """
Parameters n = 3; k = 1; end Parameters
Agent Box
  Vars: a[i in 1..n]: boolean; v[i in 1..n]: 0..2; end Vars
  Actions = {{idle}};
  Protocol: Other: {{idle}}; end Protocol
end Agent
Evaluation
  {propositions}
end Evaluation
InitStates forall i in 1..n: Box.a[i] = true; end InitStates
Formulae AG true; end Formulae
"""
STATES = list(product((False, True), (False, True), (False, True), (0, 1, 2), (0, 2), (1,)))
COMPARED = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    "=": lambda one, other: one == other,
    "<>": lambda one, other: one != other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


def _system(propositions: list[str]) -> System:
    listed = " ".join(f"p{number} if {text};" for number, text in enumerate(propositions))
    found = load(MODEL.format(propositions=listed), "numbers")
    assert found.system is not None, found.diagnostics
    return found.system


@pytest.mark.parametrize("op", COMPARED)
def test_counts_and_sums(op: str) -> None:
    numbers = range(-2, 6)
    counts = [f"count(i in 1..n: Box.a[i] = true) {op} {number}" for number in numbers]
    sums = [f"sum(i in 1..n: Box.v[i]) {op} {number} + k" for number in numbers]
    system = _system([*counts, *sums])
    evaluator = Evaluator(system)
    for state in STATES:
        count, total = sum(state[:3]), sum(state[3:])
        expected = [COMPARED[op](count, number) for number in numbers]
        expected += [COMPARED[op](total, number + 1) for number in numbers]
        found = [evaluator.holds(condition, state) for condition in system.propositions.values()]
        assert found == expected, state


WHERE = {
    "i <> 2": [1, 3],
    "!(i = 2)": [1, 3],
    "!(i = 2) and !(i = 3)": [1],
    "i = 1 or i > 2": [1, 3],
    "(i = 1 or i = 2) and i <= k + 1": [1, 2],
    "i >= 2 and i < n": [2],
    "i mod 2 = 1": [1, 3],
    "2 * i - 1 > n": [3],
    "i * i <= 4": [1, 2],
    "n - i >= k": [1, 2],
    "!(i < 2 or i > 2)": [2],
    "i < 1": [],
}


@pytest.mark.parametrize("quantifier", ["forall", "exists"])
@pytest.mark.parametrize("where", WHERE)
def test_ranges_chosen_by_conditions(where: str, quantifier: str) -> None:
    system = _system([f"{quantifier} i in 1..n where {where}: Box.a[i] = true"])
    evaluator = Evaluator(system)
    for state in STATES:
        values = [state[i - 1] for i in WHERE[where]]
        expected = all(values) if quantifier == "forall" else any(values)
        assert evaluator.holds(system.propositions["p0"], state) == expected, state


def test_the_end_of_a_text_with_families_has_an_origin() -> None:
    """Messages about what is missing point behind the last word."""
    text = MODEL.format(propositions="p if forall i in 1..n: Box.a[i] = true;")
    words = analyse(text, "numbers").words
    assert isinstance(words, ExpandedWords)
    assert words.origin(words.count) == words.written.count
    for cut in range(len(text)):
        found = load(text[:cut], "cut")
        assert all(one.span is None or 0 <= one.span.start <= one.span.end <= cut for one in found.diagnostics)
