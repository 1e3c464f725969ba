"""What makes predicates sharp enough: grids of reals, invariants from Spacer; and what is said where nothing does."""

from __future__ import annotations

from fractions import Fraction

import pytest

from epistrat.encoding.transitions import transitions
from epistrat.engines.abstraction.engine import AbstractionEngine
from epistrat.engines.abstraction.exact import reaches_all
from epistrat.engines.abstraction.grids import grid_of
from epistrat.engines.abstraction.invariants import Guesses
from epistrat.engines.contract import Options, Outcome, Verdict
from epistrat.lang import load
from epistrat.model.conditions import as_condition
from epistrat.model.system import System
from epistrat.service import models, pipeline
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr


def model(variables: str, evolution: str, evaluation: str, initial: str, formula: str) -> System:
    text = f"""
Agent A
  Vars: {variables} end Vars
  Actions = {{up, down}};
  Protocol: Other: {{up, down}}; end Protocol
  Evolution: {evolution} end Evolution
end Agent
Evaluation {evaluation} end Evaluation
InitStates {initial}; end InitStates
Formulae {formula}; end Formulae
"""
    system = load(text, "model").system
    assert system is not None
    return system


def answer(system: System, seconds: float = 60) -> Outcome:
    return AbstractionEngine().open(system, Options(), Budget(seconds=seconds)).check(system.formulae[0])


def condition(system: System, text: str) -> Expr:
    return as_condition(system, read_formula(text, system))


HALVES = "x = x + 1/2 if Action = up; x = x - 1/2 if Action = down and x > 1;"


def test_reals_that_move_by_fixed_amounts_stay_on_a_grid() -> None:
    system = model("x: real;", HALVES, "low if A.x < 1;", "A.x = 4", "AG !low")
    assert grid_of(system)(("A", "x")) == Fraction(1, 2)
    assert answer(system).verdict is Verdict.HOLDS


def test_nothing_is_guessed_where_the_solver_found_no_initial_state() -> None:
    system = model("x: integer;", "x = x + 1 if Action = up;", "low if A.x < 1;", "A.x * A.x > 5", "AG !low")
    assert Guesses(system, frozenset(system.position), ()).all() == []


def test_a_grid_needs_a_starting_value() -> None:
    """Two reals that are only known to be equal may be anywhere, though each has the other's value."""
    moves = "x = x + 1/2 and y = y + 1/2 if Action = up; x = x - 1/2 and y = y - 1/2 if Action = down and x > 1;"
    start = "A.x = A.y and A.x >= 4 and A.x <= 5"
    system = model("x: real; y: real;", moves, "low if A.x < 1;", start, "AG !low")
    assert grid_of(system)(("A", "x")) is None
    assert answer(system, 5).verdict is not Verdict.HOLDS


def test_an_amount_that_is_halved_leaves_every_grid() -> None:
    system = model("x: real;", "x = x / 2 if Action = up;", "one if A.x = 1/8;", "A.x = 4", "EF one")
    assert grid_of(system)(("A", "x")) is None
    assert answer(system).verdict is Verdict.HOLDS


def test_small_steps_of_reals_lead_somewhere() -> None:
    """A rank counts steps, here of a quarter, also where the numbers are on no grid."""
    moves = "x = x - 1/4 if x > 0;"
    system = model("x: real;", moves, "done if A.x <= 0;", "A.x >= 100 and A.x <= 200", "AF done")
    assert answer(system).verdict is Verdict.HOLDS


def test_what_spacer_excludes_gives_predicates() -> None:
    """The bounds in question are neither in the model nor in the explored states."""
    moves = """on = true and x = x - 1/4 if on = false and x <= 37/2; on = false and x = x + 1/2 if on = true and x >= 21;
    x = x + 1/2 if on = true and x < 21; x = x - 1/4 if on = false and x > 37/2;"""
    system = model(
        "x: real; on: boolean;",
        moves,
        "fine if A.x >= 18 and A.x <= 22;",
        "A.x >= 19 and A.x <= 21 and A.on = false",
        "AG fine",
    )
    assert answer(system).verdict is Verdict.HOLDS


def test_what_makes_a_proof_hard_is_named() -> None:
    moves = "x = x + 1 if x < y; y = y + 1 if y <= x; z = z + 1 if z < x;"
    cubes = "cubes if A.x * A.x * A.x + A.y * A.y * A.y = A.z * A.z * A.z;"
    start = "A.x >= 1 and A.y >= 1 and A.z >= 1"
    outcome = answer(model("x: integer; y: integer; z: integer;", moves, cubes, start, "AG !cubes"), 3)
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.reason is not None and "`A.x * A.x`" in outcome.reason
    assert any("products" in str(one) for one in outcome.advice)


IGNORANCE = """
Agent Environment
  Obsvars: clock: integer; end Obsvars
  Actions = {{tick}};
  Protocol: Other: {{tick}}; end Protocol
  Evolution: clock = clock + 1 if Action = tick; end Evolution
end Agent
Agent Worker
  Vars: done: integer; end Vars
  Actions = {{work, rest}};
  Protocol: Other: {{work, rest}}; end Protocol
  Evolution: done = done + 1 if Action = work; end Evolution
end Agent
Agent Boss
  Vars: seen: boolean; end Vars
  Actions = {{look}};
  Protocol: Other: {{look}}; end Protocol
  Evolution: seen = true if Worker.Action = work; end Evolution
end Agent
Evaluation lots if Worker.done >= {least}; end Evaluation
InitStates Environment.clock = 0 and Worker.done = 0 and Boss.seen = false; end InitStates
Formulae {formula}; end Formulae
"""


@pytest.mark.parametrize(
    ("least", "formula", "verdict"),
    [
        (10, "AG !K(Boss, lots)", Verdict.HOLDS),
        (10, "EF K(Boss, lots)", Verdict.FAILS),
        (10, "EF K(Boss, !lots)", Verdict.HOLDS),
        (1, "AG !K(Boss, lots)", Verdict.FAILS),
        (10, "AG (K(Boss, !lots) or !K(Worker, !lots))", Verdict.FAILS),
    ],
)
def test_ignorance_of_who_sees_unbounded_numbers(least: int, formula: str, verdict: Verdict) -> None:
    """Whoever sees the clock cannot tell how often the worker rested, however late it is."""
    system = load(IGNORANCE.format(least=least, formula=formula), "model").system
    assert system is not None
    assert answer(system).verdict is verdict


def test_reachable_states_are_told_from_larger_sets() -> None:
    """All numbers up to the clock can be reached by steps of one, but only even ones by steps of two."""
    for step, exact in ((1, True), (2, False)):
        moves = f"y = y + {step} and x = x + {step} if Action = up; x = x + {step} if Action = down;"
        system = model("x: integer; y: integer;", moves, "p if A.x = 0;", "A.x = 0 and A.y = 0", "AG p")
        inside = "A.x >= A.y and A.y >= 0"
        assert reaches_all(transitions(system), condition(system, inside), Budget(seconds=20)) is exact
        for too_large in ("A.x >= 0", "A.x >= A.y"):  # in the second, x falls for ever on the way back
            assert not reaches_all(transitions(system), condition(system, too_large), Budget(seconds=20))


FAIR = """
Agent Clock
  Vars: left: integer; ticked: boolean; end Vars
  Actions = {{tick, rest, wind}};
  Protocol: left > 0: {{tick, rest{wind}}}; Other: {{tick, rest}}; end Protocol
  Evolution:
    left = left - 1 and ticked = true if Action = tick and left > 0;
    ticked = true if Action = tick and left <= 0;
    ticked = false if Action = rest;
    left = left + 1 and ticked = false if Action = wind;
  end Evolution
end Agent
Evaluation zero if Clock.left = 0; tick if Clock.ticked = true; end Evaluation
InitStates Clock.left >= 0 and Clock.ticked = false; end InitStates
Groups c = {{Clock}}; end Groups
Fairness {constraint}; end Fairness
Formulae {formula}; end Formulae
"""


@pytest.mark.parametrize(
    ("constraint", "wind", "formula", "verdict"),
    [
        ("tick", "", "AF zero", Verdict.HOLDS),
        ("tick", "", "EG !zero", Verdict.FAILS),
        ("tick", "", "G F tick", Verdict.HOLDS),
        ("!tick", "", "AF zero", Verdict.FAILS),
        ("tick", ", wind", "AF zero", Verdict.FAILS),
        ("tick", ", wind", "AG EF zero", Verdict.HOLDS),
        ("tick and !tick", "", "AF zero", Verdict.HOLDS),
        ("tick", "", "AG (zero -> K(Clock, AF tick))", Verdict.HOLDS),
    ],
)
def test_fairness_makes_ranks_fall(constraint: str, wind: str, formula: str, verdict: Verdict) -> None:
    """The clock comes to zero if it ticks again and again and is not wound up in between."""
    system = load(FAIR.format(constraint=constraint, wind=wind, formula=formula), "model").system
    assert system is not None
    assert answer(system).verdict is verdict


def test_strategies_under_fairness_are_refused_with_the_reason() -> None:
    text = FAIR.format(constraint="tick", wind="", formula="<c>F zero")
    system = load(text, "model").system
    assert system is not None
    (result,) = pipeline.check(system, models.questions(system), budget=Budget(seconds=20), facts=False).results
    assert result.verdict is Verdict.UNKNOWN
    assert "strategies under fairness constraints" in (result.reason or "")
    assert any("bounds" in str(one) for one in result.advice)
