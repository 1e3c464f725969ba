"""Loops taken many times at once: every leap is a run of the system, whatever the model does in between."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
import z3
from tests.fuzz.unbounded import text

from epistrat.encoding.transitions import Transitions, primed_key, transitions
from epistrat.lang.load import load
from epistrat.model.fold import fold
from epistrat.proving import acceleration, leaps
from epistrat.proving.acceleration import Macro, Macros, convex, literals
from epistrat.proving.contract import Valuation
from epistrat.proving.forever import STILL, endless, forever
from epistrat.proving.leaping import Leaping
from epistrat.proving.leaps import is_step
from epistrat.proving.unrolling import Unrolling
from epistrat.solvers.budget import Budget
from epistrat.terms import TRUE, Bounded, Const, Enumeration, Expr, Key, Terms, Value, variables

WATCHER = """Agent A Vars: c : boolean; end Vars Actions = {n}; Protocol: Other : {n}; end Protocol
Evolution: c = c if c; end Evolution end Agent"""


def system(variables: str, lines: str, start: str) -> Transitions:
    """The steps of a model with one agent that acts."""
    found = load(
        f"Agent Environment Vars: {variables} end Vars Actions = {{go, rest}}; Protocol: Other : {{go, rest}}; end Protocol\n"
        f"Evolution: {lines} end Evolution end Agent\n{WATCHER}\n"
        f"InitStates {start} and A.c = false; end InitStates Formulae AG true; end Formulae"
    ).system
    assert found is not None
    return transitions(found)


def macros_of(found: Transitions) -> list[Macro]:
    """The macros that hold in all states."""
    return Macros(found, (), Budget()).find()


def rounds(
    found: Transitions, macro: Macro, state: Valuation, count: int
) -> Iterator[tuple[Valuation, Valuation, Valuation]]:
    """The steps of so many rounds: source, inputs and target, computed from what the parts write."""
    searcher = Macros(found, (), Budget())
    for _ in range(count):
        for inputs in macro.inputs:
            step = searcher.step(state, inputs)
            target: dict[Key, Value] = {}
            for key, value in step.values.items():
                folded = fold(found.terms, value, state)
                assert isinstance(folded, Const)
                target[key] = folded.value
            yield state, inputs, target
            state = target


def real(found: Transitions, source: Valuation, inputs: Valuation, target: Valuation) -> bool:
    """Whether it is a step, with all values in their domains."""
    inside = all(target[one.key] in one.domain for one in found.variables)
    return inside and is_step(found, source, inputs, target)


def shifted(macro: Macro, state: Valuation, count: int) -> dict[Key, Value]:
    """The state after so many rounds, as the macro has it."""
    adds = dict(macro.adds)
    moved: dict[Key, Value] = {}
    for key, value in state.items():
        sum_ = Fraction(value) + count * adds[key] if key in adds else None
        moved[key] = value if sum_ is None else int(sum_) if sum_.denominator == 1 else sum_
    return moved


def some_state(rng: random.Random, found: Transitions) -> dict[Key, Value]:
    """Any values in the domains, reachable or not."""
    state: dict[Key, Value] = {}
    for one in found.variables:
        match one.domain:
            case Bounded(low, high):
                state[one.key] = rng.randint(low, high)
            case _ if one.domain.finite:
                state[one.key] = rng.choice(list(one.domain))  # type: ignore[arg-type]  # a finite domain lists its values
            case _:
                state[one.key] = rng.randint(-3, 12)
    return state


@pytest.mark.parametrize("seed", range(40))
def test_leaps_are_runs(seed: int) -> None:
    """Where the guard holds before the first and before the last of k rounds, all of them are possible and add what they should."""
    model = load(text(random.Random(seed))).system
    assert model is not None
    found = transitions(model)
    rng = random.Random(seed)
    terms = found.terms
    for macro in macros_of(found)[:6]:
        for _ in range(60):
            state, count = some_state(rng, found), rng.randint(1, 9)
            last = shifted(macro, state, count - 1)
            if all(fold(terms, one, point) == TRUE for one in macro.guard for point in (state, last)):
                steps = list(rounds(found, macro, state, count))
                assert all(real(found, *step) for step in steps), (macro, state, count)
                assert steps[-1][2] == shifted(macro, state, count)


def test_a_domain_ends_in_the_middle_of_a_round() -> None:
    """Up by 50 and down by 49 in a range of 100: not from 51 on, though the round as a whole would end inside."""
    lines = "x = x + 50 and p = true if p = false; x = x - 49 and p = false and y = y + 1 if p = true;"
    found = system("x : 0..100; y : integer; p : boolean;", lines, "Environment.x = 0 and Environment.y = 0")
    double = [macro for macro in macros_of(found) if len(macro.inputs) == 2]
    assert double
    x = next(one for one in found.variables if one.name == "x")
    for macro in double:
        known = {("Environment", "p"): False, ("Environment", "y"): 0, ("A", "c"): False}
        inside = {**known, x.key: 50}
        outside = {**known, x.key: 51}
        if all(fold(found.terms, one, inside) == TRUE for one in macro.guard):
            assert not all(fold(found.terms, one, outside) == TRUE for one in macro.guard)


def test_a_counter_in_a_range_does_not_count_for_ever() -> None:
    """The range is part of the guard, so that it ceases to hold."""
    found = system(
        "n : 0..20; u : integer;", "n = n + 1 and u = u + 1 if true;", "Environment.n = 0 and Environment.u = 0"
    )
    macros = macros_of(found)
    assert macros
    assert forever(found, macros, [])[1] == []


def test_an_unbounded_counter_counts_for_ever() -> None:
    """And stands still in its place."""
    found = system("u : integer;", "u = u + 1 if u >= 0;", "Environment.u = 0")
    still, used = forever(found, macros_of(found), [])
    assert used
    assert STILL in still.variables


def test_guards_that_are_not_convex() -> None:
    """A square may hold before and after, not between."""
    terms = Terms()
    x = terms.variable(
        "E", "x", next(iter(system("x : integer;", "x = x + 1 if true;", "Environment.x = 0").variables)).domain.sort
    )
    square = terms.compare("<=", terms.number(4), terms.arith("*", x, x))
    assert not convex(square, {("E", "x")})
    assert convex(square, {("E", "y")})
    assert convex(terms.compare("<", x, terms.number(4)), {("E", "x")})
    assert not convex(terms.negate(terms.compare("=", x, terms.number(4))), {("E", "x")})


def test_a_loop_whose_guard_is_not_convex_is_not_taken_many_times_at_once() -> None:
    """From 0 and before 6 the counter may go up, but not from 3: there is no leap over the gap."""
    found = system("x : integer;", "x = x + 1 if (x - 3) * (x - 3) > 0;", "Environment.x = 0")
    ways = [macro for macro in macros_of(found) if macro.adds]
    state: dict[Key, Value] = {("Environment", "x"): 0, ("A", "c"): False}
    for macro in ways:
        before_last = shifted(macro, state, 6)
        assert not all(fold(found.terms, one, point) == TRUE for one in macro.guard for point in (state, before_last))


@pytest.mark.parametrize(
    ("variables_", "line", "leaf", "expected"),
    [
        ("x : integer;", "x = x + 1 if x >= 0;", "x >= 0", True),
        ("x : integer;", "x = x + 1 if x < 9;", "x >= 0", False),
        ("x : 0..9;", "x = x + 1 if true;", "x >= 0", False),
        ("x : integer;", "x = x + 1 if true;", "x < 100", False),
        ("x : integer;", "x = x + 1 if true;", "x = 0", False),
        ("x : integer;", "x = x + 1 if true;", "x < 0", True),
        ("x : integer;", "x = x + 2 if true;", "x >= 0", False),
        ("x : real;", "x = x + 1 if true;", "x >= 0", True),
    ],
)
def test_endless(variables_: str, line: str, leaf: str, expected: bool) -> None:
    """A run is endless iff every round is possible, inside the domains, adds what is claimed (1), and keeps the leaves."""
    found = system(variables_, line, "Environment.x = 0")
    model = load(
        f"Agent Environment Vars: {variables_} end Vars Actions = {{n}}; Protocol: Other : {{n}}; end Protocol Evolution: x = x if true;"
        f" end Evolution end Agent {WATCHER} Evaluation p if Environment.{leaf}; end Evaluation"
        " InitStates Environment.x = 0; end InitStates Formulae AG p; end Formulae"
    ).system
    assert model is not None
    inputs = {one.key: one.domain.values[0] for one in found.inputs if isinstance(one.domain, Enumeration)}
    state: dict[Key, Value] = {("Environment", "x"): 0, ("A", "c"): False}
    adds = {("Environment", "x"): Fraction(1)}
    assert endless(found, state, inputs, adds, [model.propositions["p"]], Budget()) is expected
    assert variables(model.propositions["p"]) == {("Environment", "x")}


def test_who_stands_still_moves_no_more() -> None:
    """A step after some rounds would start from another state."""
    found = system("u : integer; b : boolean;", "u = u + 1 if b = false; b = true if u > 3;", "Environment.u = 0")
    still, used = forever(found, macros_of(found), [])
    assert used
    unrolling = Unrolling(still, Budget())
    unrolling.extend(2)
    stands = [unrolling.at(STILL.reference, frame) for frame in (1, 2)]
    assert unrolling.solve(stands, steps=2)
    assert not unrolling.solve([stands[0], z3.Not(stands[1])], steps=2)


@pytest.mark.parametrize("lost", range(4))
def test_a_guard_that_lost_a_literal_makes_no_leap(lost: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read off a run is proved: whatever literal is forgotten, a leap that is left is one."""

    def forgetful(terms: Terms, condition: Expr, state: Valuation) -> list[Expr]:
        found = literals(terms, condition, state)
        return [one for place, one in enumerate(found) if place != lost]

    lines = "x = x + 2 if p = false and x < 9 and y > 0 and y < 5; y = y - 1 if p = true;"
    found = system("x : 0..12; y : integer; p : boolean;", lines, "Environment.x = 0")
    monkeypatch.setattr(acceleration, "literals", forgetful)
    rng = random.Random(lost)
    for macro in macros_of(found):
        for _ in range(300):
            state = some_state(rng, found)
            if all(fold(found.terms, one, state) == TRUE for one in macro.guard):
                steps = list(rounds(found, macro, state, 1))
                assert all(real(found, *step) for step in steps)
                assert steps[-1][2] == shifted(macro, state, 1)


@pytest.mark.parametrize("seed", range(12))
def test_a_leap_as_it_is_written_down_takes_no_round_without_its_guard(seed: int) -> None:
    """The leap's condition is true of k rounds exactly where the guard holds before the first and before the last."""
    model = load(text(random.Random(seed))).system
    assert model is not None
    found, rng = transitions(model), random.Random(seed)
    terms = found.terms
    macros = macros_of(found)[:4]
    assert leaps.proved(found, macros, Budget()) == macros
    for macro in macros:
        for _ in range(40):
            state, count = some_state(rng, found), rng.randint(1, 6)
            target = shifted(macro, state, count)
            known = {**state, **{primed_key(key): value for key, value in target.items()}, leaps.ROUNDS.key: count}
            taken = fold(terms, leaps._leap(found, macro), known) == TRUE
            last = shifted(macro, state, count - 1)
            assert taken is all(fold(terms, one, point) == TRUE for one in macro.guard for point in (state, last))


def test_a_leap_that_forgets_the_last_round_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written down is proved: without the guard before the last round there is no leap."""
    found = system("x : integer;", "x = x + 1 if x < 9;", "Environment.x = 0")
    assert Leaping(found, (), Budget(), Unrolling(found, Budget())).macros
    terms = found.terms

    def careless(_: Transitions, macro: Macro) -> Expr:
        x = found.variables[0]
        new = terms.variable(*primed_key(x.key), x.domain.sort)
        return terms.conjunction((*macro.guard, terms.compare("<", x.reference, new)))

    monkeypatch.setattr(leaps, "_leap", careless)
    assert Leaping(found, (), Budget(), Unrolling(found, Budget())).macros == []
