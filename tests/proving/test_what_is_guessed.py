"""What is guessed before it is proved: every guess fits the states it was made from, and nothing that is easy is left out."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from epistrat.encoding.transitions import transitions
from epistrat.engines.abstraction.invariants import Guesses
from epistrat.lang.load import load
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.proving.liveness import ranks
from epistrat.proving.templates import Templates
from epistrat.proving.unrolling import Unrolling
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr, Sort, Value
from epistrat.terms.linear import linear_form

MODEL = """
Agent Environment
  Vars: n: integer; m: integer; r: real; on: boolean; end Vars
  Actions = {go};
  Protocol: Other: {go}; end Protocol
  Evolution: n = n + 1 if m <= n; m = m - 1 if 2 * m > 3; end Evolution
end Agent
Agent A
  Vars: mode: {slow, fast, off}; end Vars
  Actions = {w};
  Protocol: Other: {w}; end Protocol
  Evolution: mode = slow if mode = off; end Evolution
end Agent
Evaluation p if Environment.n = 1; end Evaluation
InitStates Environment.n = 0 and Environment.m = 0; end InitStates
Formulae AG true; end Formulae
"""


def _system() -> System:
    found = load(MODEL, "guesses").system
    assert found is not None
    return found


def _states(seed: int, system: System) -> list[State]:
    """States in which m = n + 2, and in which n is fixed by the two finite variables together, and by one of them when fast."""
    rng = random.Random(seed)
    names = [one.name for one in system.variables]
    found: list[State] = []
    for on, mode in product((False, True), ("slow", "fast", "off")):
        for _ in range(3):
            n = 5 if on and mode == "slow" else 7 if mode == "fast" else rng.randint(0, 9)
            values: dict[str, Value] = {"n": n, "m": n + 2, "r": Fraction(rng.randint(0, 5), 2), "on": on, "mode": mode}
            found.append(tuple(values[name] for name in names))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_guesses_fit_the_states_and_find_what_is_there(seed: int) -> None:
    system = _system()
    states = _states(seed, system)
    evaluator = Evaluator(system)
    guesses = Guesses(system, frozenset(one.key for one in system.variables), states).all()
    for guess in guesses:
        assert all(evaluator.holds(guess, state) for state in states), guess
    names = [one.name for one in system.variables]

    def excluded(**changed: Value) -> bool:
        """Whether some guess excludes a state that differs from one that was seen."""
        values = dict(zip(names, states[0], strict=True)) | changed
        return not all(evaluator.holds(guess, tuple(values[name] for name in names)) for guess in guesses)

    assert excluded(n=3, m=4)  # the equation
    assert excluded(n=12, m=14)  # a bound
    assert excluded(n=-1, m=1)
    assert excluded(mode="fast", n=6, m=8)  # by one finite variable
    assert excluded(on=True, mode="slow", n=6, m=8)  # by two of different agents
    assert not excluded()


def test_ranks_are_both_sides_of_comparisons_and_all_unbounded_variables() -> None:
    system = _system()
    steps = transitions(system)
    n, m = (steps.terms.variable("Environment", name, Sort.NUMBER) for name in "nm")
    product_ = steps.terms.compare("<", steps.terms.arith("*", n, m), steps.terms.number(3))  # no sum: no rank
    always = steps.terms.compare("<", steps.terms.arith("-", n, n), m)
    found = {_form(rank) for rank in ranks(steps, [product_, always])}
    assert () not in found
    for name in ("n", "m", "r"):
        assert {((("Environment", name), 1),), ((("Environment", name), -1),)} <= found
    difference = ((("Environment", "m"), 1), (("Environment", "n"), -1))
    assert difference in found and tuple((key, -factor) for key, factor in difference) in found


def _form(rank: Expr) -> tuple[tuple[tuple[str, str], int], ...]:
    form = linear_form(rank)
    assert form is not None
    return tuple((key, int(factor)) for key, factor in form.factors)


TURNS = """
Agent A
  Vars: n: integer; k: integer; on: boolean; lit: boolean; mode: {slow, fast}; end Vars
  Actions = {go, wait};
  Protocol: Other: {go, wait}; end Protocol
  Evolution:
    n = n + 1 and k = k + 2 and on = true and lit = true and mode = fast if Action = go and n < 3;
    mode = slow if Action = wait;
  end Evolution
end Agent
Evaluation p if A.n = 1; end Evaluation
InitStates A.n = 0 and A.k = 1 and A.on = false and A.lit = false and A.mode = slow; end InitStates
Formulae AG true; end Formulae
"""


def test_templates_fit_the_reachable_states_and_find_what_is_there() -> None:
    system = load(TURNS, "turns").system
    assert system is not None
    steps, stepper = transitions(system), Stepper(system)
    templates = Templates(steps, Unrolling(steps, Budget()))
    first = set(templates._initial_bounds())  # about the first state alone
    guesses = [one for one in (*templates.guesses(), *templates.implications()) if one not in first]
    names = [one.name for one in system.variables]

    def excluded(**values: Value) -> bool:
        state = tuple(values[name] for name in names)
        return not all(stepper.evaluator.holds(guess, state) for guess in guesses)

    for sampled in templates._samples:
        assert not excluded(**{one.name: sampled[one.key] for one in system.variables})
    fine: dict[str, Value] = {"n": 1, "k": 3, "on": True, "lit": True, "mode": "fast"}
    assert not excluded(**fine)
    assert excluded(**{**fine, "k": 4})  # k = 2n + 1
    on, lit = (steps.terms.variable("A", name, Sort.BOOLEAN) for name in ("on", "lit"))
    for one, other in ((on, lit), (lit, on)):
        assert steps.terms.disjunction((steps.terms.negate(one), other)) in guesses
    assert excluded(**{**fine, "n": 0, "k": 1})  # where it is on, n >= 1
    assert excluded(**{**fine, "n": -1, "k": -1})
    assert excluded(**{**fine, "lit": False}) and excluded(**{**fine, "on": False, "mode": "slow"})  # on iff lit
    assert excluded(**{**fine, "n": 0, "k": 1, "on": False, "lit": False})  # fast only where it is on
