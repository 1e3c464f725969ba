"""``count(...) op k`` means what it says: compared with counting, for every comparison, size and number."""

from __future__ import annotations

from itertools import product

import pytest

from epistrat.lang.load import load
from epistrat.model.evaluate import Evaluator
from epistrat.model.initial import initial_states

COMPARISONS = {"=": "==", "<>": "!=", ">=": ">=", ">": ">", "<": "<", "<=": "<="}


@pytest.mark.parametrize(("size", "written"), list(product((1, 2, 3, 5), COMPARISONS)))
def test_counted(size: int, written: str) -> None:
    """All values of all members, all numbers from -1 to one more than there are members."""
    told = " ".join(
        f"p{number + 1} if count(i in 1..{size}: Lamp[i].on = true) {written} {number};"
        for number in range(-1, size + 2)
    )
    system = load(
        f"Parameters n = {size}; end Parameters\nAgent Lamp[i in 1..n] Vars: on : boolean; end Vars Actions = {{x}};"
        " Protocol: Other : {x}; end Protocol end Agent\n"
        f"Evaluation {told} end Evaluation InitStates true; end InitStates Formulae AG p0; end Formulae"
    ).system
    assert system is not None
    evaluator = Evaluator(system)
    states = initial_states(system)
    assert len(states) == 2**size
    for state in states:
        for number in range(-1, size + 2):
            right = eval(f"{sum(map(bool, state))} {COMPARISONS[written]} {number}")  # two numbers of ours
            assert evaluator.holds(system.propositions[f"p{number + 1}"], state) is right
