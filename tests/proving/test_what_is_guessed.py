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
from epistrat.model.system import System
from epistrat.proving.liveness import ranks
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
