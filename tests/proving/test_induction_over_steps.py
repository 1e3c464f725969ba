"""Induction over several steps, loops next to remembered values, and copies of copies."""

from __future__ import annotations

from epistrat.encoding.cone import Cones
from epistrat.encoding.transitions import Transitions, transitions, writing
from epistrat.lang import load
from epistrat.model.agent import Variable
from epistrat.proving.acceleration import Macros
from epistrat.proving.induction import Inductor
from epistrat.solvers.budget import Budget
from epistrat.terms import Integer


def system(variables: str, lines: str, start: str) -> Transitions:
    found = load(
        f"Agent A Vars: {variables} end Vars Actions = {{go}}; Protocol: Other : {{go}}; end Protocol\n"
        f"Evolution: {lines} end Evolution end Agent InitStates {start}; end InitStates Formulae AG true; end Formulae"
    ).system
    assert found is not None
    return transitions(found)


def test_a_way_from_nowhere_is_excluded_by_induction_over_its_length() -> None:
    """3 leads to 4 and 4 to 5, and nothing leads to 3: three steps that keep clear of 5 are never followed by it."""
    found = system("n : integer;", "n = n + 1 if n = 3 or n = 4;", "A.n = 0")
    n = found.variables[0].reference
    bad = found.terms.compare("=", n, found.terms.number(5))
    inductor = Inductor(found, Budget())
    assert [inductor.inductive_after(bad, steps) for steps in (1, 2, 3)] == [False, False, True]


def test_a_loop_is_found_beside_a_remembered_value() -> None:
    """The counter goes up, and its last value with it."""
    found = system("n : integer;", "n = n + 1 if true;", "A.n = 0")
    n, before = found.variables[0], Variable("A", "before", Integer())
    both = found.extended([before], (), [writing(found.terms, before, n.reference)])
    assert any(dict(macro.adds) == {n.key: 1, before.key: 1} for macro in Macros(both, (), Budget()).find())


def test_a_copy_of_a_copy_is_left_out() -> None:
    """Both only say where they start."""
    found = system(
        "a : integer; b : integer; c : integer;", "a = a + 1 if true;", "A.a = 0 and A.b = A.a and A.c = A.b"
    )
    a = next(one.key for one in found.variables if one.name == "a")
    assert [one.name for one in Cones(found).around([a]).variables] == ["a"]
