"""Loops in which one number follows another, and real variables that are whole numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest

import epistrat
from epistrat.encoding.cone import Cones
from epistrat.encoding.integral import with_integers
from epistrat.encoding.transitions import Transitions, transitions
from epistrat.lang import load
from epistrat.proving.acceleration import Macros
from epistrat.solvers.budget import Budget
from epistrat.terms import Integer, Real

_TANK = """
Agent Environment
  Vars:
    level : integer;
    before : integer;
    drift : real;
    half : real;
  end Vars
  Actions = {go};
  Protocol:
    Other : {go};
  end Protocol
  Evolution:
    level = level - 2 and before = level and drift = drift + level and half = half + 1/2 if Action = go;
  end Evolution
end Agent
InitStates
  Environment.level >= 100 and Environment.before = Environment.level and Environment.drift = 0 and Environment.half = 0;
end InitStates
"""


def _tank() -> Transitions:
    system = load(_TANK, "tank").system
    assert system is not None
    return transitions(system)


def test_a_number_that_follows_another_is_part_of_a_loop() -> None:
    system = Cones(_tank()).around([("Environment", "before")])
    wanted = {(("Environment", "level"), Fraction(-2)), (("Environment", "before"), Fraction(-2))}
    assert any(set(macro.adds) == wanted for macro in Macros(system, (), Budget()).find())


def test_reals_that_start_whole_and_change_by_whole_numbers_are_integers() -> None:
    domains = {one.name: one.domain for one in with_integers(_tank()).variables}
    assert domains["drift"] == Integer()
    assert isinstance(domains["half"], Real)


COPY = """
Agent A
  Vars: small : 0..3; large : integer; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: large = large if true; end Evolution
end Agent
InitStates A.small = A.large; end InitStates
Formulae AG A.large <= 3; AG A.large >= 0; AG A.large <= 2; end Formulae
"""


@pytest.mark.parametrize("engine", ["lazy", "auto"])
def test_an_equation_with_a_variable_of_a_smaller_domain_says_more_than_where_it_starts(engine: str) -> None:
    """Such a variable cannot always be given the other one's value, so it is not left out."""
    found = epistrat.load(COPY).check(engine=engine)
    assert [one.verdict.value for one in found] == ["holds", "holds", "fails"]
