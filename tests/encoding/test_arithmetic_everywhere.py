"""Arithmetic on small ranges, with fractions, quotients, products and negative numbers, as clauses and on many packed states.

Each condition and each assigned value is compared with the evaluator in all states.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from epistrat.encoding.transitions import transitions
from epistrat.engines.explicit.conditions import VectorConditions
from epistrat.engines.explicit.layout import Layout
from epistrat.model.agent import Agent, Assignment, EvolutionLine, Variable
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.proving.bits import Bits
from epistrat.solvers.patience import IMPATIENT, PATIENT, Patience
from epistrat.terms import Bounded, Expr, Sort, Terms

TERMS = Terms()
DOMAINS = {"x": Bounded(-3, 3), "y": Bounded(0, 4), "z": Bounded(2, 2)}
VARIABLES = tuple(Variable("A", name, domain) for name, domain in DOMAINS.items())
STATES: list[State] = [tuple(values) for values in product(*DOMAINS.values())]
CONSTANTS = (0, 1, 2, -1, 3, Fraction(1, 2), Fraction(-2, 3))


def _number(rng: random.Random, depth: int) -> Expr:
    if depth == 0 or rng.random() < 0.15:
        if rng.random() < 0.3:
            return TERMS.number(rng.choice(CONSTANTS))
        return TERMS.variable("A", rng.choice(list(DOMAINS)), Sort.NUMBER)
    left, right = _number(rng, depth - 1), _number(rng, depth - 1)
    op = rng.choice("++--*/")
    if op == "/" and rng.random() < 0.7:
        right = TERMS.number(rng.choice([one for one in CONSTANTS if one]))
    return TERMS.arith(op, left, right)


def _conditions(seed: int, count: int) -> list[Expr]:
    rng = random.Random(seed)
    return [
        TERMS.compare(
            rng.choice(("<", "<=", "=", "<>")), _number(rng, rng.randint(1, 3)), _number(rng, rng.randint(0, 2))
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(4))
def test_as_clauses(seed: int) -> None:
    system = System((Agent("A", VARIABLES),))
    evaluator, bits = Evaluator(system), Bits(transitions(system), lambda: None)
    for condition in _conditions(seed, 20):
        literal = bits.literal(condition)
        for state in STATES:
            cube = bits.cube_of({one.key: value for one, value in zip(VARIABLES, state, strict=True)})
            expected = evaluator.holds(condition, state)
            assert bits.solve([*cube, literal if expected else -literal]), (condition, state)
            assert not bits.solve([*cube, -literal if expected else literal]), (condition, state)


@pytest.mark.parametrize("patience", [PATIENT, IMPATIENT], ids=["patient", "impatient"])
@pytest.mark.parametrize("seed", range(4))
def test_on_packed_states(seed: int, patience: Patience) -> None:
    system = System((Agent("A", VARIABLES),))
    evaluator, layout = Evaluator(system), Layout(system, patience)
    vector = VectorConditions(layout)
    block = layout.block([layout.pack(state) for state in STATES])
    for condition in _conditions(100 + seed, 25):
        expected = np.array([evaluator.holds(condition, state) for state in STATES])
        assert (vector.holds(condition, block) == expected).all(), condition


@pytest.mark.parametrize("seed", range(12))
def test_assigned_values(seed: int) -> None:
    """Values that leave the range, or are no whole numbers, have no successor; the others are written exactly."""
    rng = random.Random(seed)
    guard = _conditions(200 + seed, 1)[0]
    lines = (
        EvolutionLine((Assignment("x", _number(rng, 2)),), guard),
        EvolutionLine((Assignment("y", _number(rng, 2)), Assignment("x", _number(rng, 1))), TERMS.negate(guard)),
    )
    agent = Agent("A", VARIABLES, (), ("go",), other=("go",), evolution=lines)
    system = System((agent,))
    stepper, bits = Stepper(system), Bits(transitions(system), lambda: None)
    for state in STATES[::3]:
        cube = bits.cube_of({one.key: value for one, value in zip(VARIABLES, state, strict=True)})
        expected = {step.target for step in stepper.successors(state)}
        found: set[State] = set()
        excluded: list[int] = []
        while bits.solve([bits.step, *cube, *excluded]):
            later = bits.next_cube()
            values = bits.values(later, system.variables)
            found.add(tuple(values[one.key] for one in system.variables))
            excluded.append(bits.temporary([-bits.primed(literal) for literal in later]))
        assert found == expected, (state, [str(line) for line in lines])
