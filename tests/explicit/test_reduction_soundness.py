"""Reduced graphs compared with full ones, by direct computation; and wrong rules that this comparison must catch."""

from __future__ import annotations

import random

import pytest
from tests.explicit.local_automata import random_automata, system_of
from tests.explicit.printed_rules import EnabledOnly, TwoStacks, VisibleAlone, rules_for, try_mutant

from epistrat.engines.contract import silent
from epistrat.engines.explicit.reduction import self_check
from epistrat.engines.explicit.reduction.rules import Rules
from epistrat.engines.explicit.reduction.self_check import labelled
from epistrat.engines.explicit.reduction.stuttering import trace_equivalent
from epistrat.engines.explicit.reduction.visibility import eyes
from epistrat.engines.explicit.space import ExplicitSpace
from epistrat.logic.formula import Exists, Finally, ForAll, Formula, Globally, Implies, Prop
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

RANDOM_SYSTEMS = 2_000
CASES = 20
QUICK_CASES = 7


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.long] * (case >= QUICK_CASES)) for case in range(CASES)]
)
def test_random_systems_pass_the_self_check(case: int) -> None:
    size = RANDOM_SYSTEMS // CASES
    reduced = 0
    for seed in range(case * size, (case + 1) * size):
        system, formula = random_automata(random.Random(seed))
        for mode in ("singleton", "linear"):
            found = self_check(system, formula, mode, samples=2, seed=seed)
            assert found.passed, (seed, mode, found)
            reduced += found.reduced_states < found.full_states
    assert reduced > size // 10


def test_line_11_is_caught_on_random_systems() -> None:
    caught = 0
    for seed in range(300):
        system, formula = random_automata(random.Random(seed), choices=0)
        caught += not try_mutant(EnabledOnly, system, formula).passed
    assert caught > 0


def test_visible_singletons_are_caught_on_random_systems() -> None:
    caught = 0
    for seed in range(300):
        system, formula = random_automata(random.Random(seed), choices=0)
        if try_mutant(Rules, system, formula, cycles=False).passed:
            caught += not try_mutant(VisibleAlone, system, formula, cycles=False).passed
    assert caught > 0


def test_leaving_out_the_cycle_condition_is_caught_on_random_systems() -> None:
    caught = 0
    for seed in range(300):
        system, formula = random_automata(random.Random(seed), choices=0)
        caught += not try_mutant(Rules, system, formula, cycles=False).passed
    assert caught > 0


def blocked_partner() -> tuple[System, Formula]:
    """One agent may do a or, with a partner who is not ready yet, b: putting everything but a off loses b."""
    system = system_of(
        [{0: {"a": [1], "b": [2]}, 1: {}, 2: {}}, {0: {"c": [1]}, 1: {"b": [1]}}],
        {"there": (0, [2])},
    )
    return system, Exists(Finally(Prop("there")))


def two_visible() -> tuple[System, Formula]:
    """c, and b after the invisible a, are both visible and in different agents: choosing c alone loses "b before c"."""
    system = system_of(
        [{0: {"c": [1]}, 1: {}}, {0: {"a": [1]}, 1: {"b": [2]}, 2: {}}],
        {"c_done": (0, [1]), "b_done": (1, [2])},
    )
    return system, ForAll(Globally(Implies(Prop("b_done"), Prop("c_done"))))


def test_the_blocked_partner_catches_line_11() -> None:
    system, formula = blocked_partner()
    found = try_mutant(EnabledOnly, system, formula)
    assert not found.traces_equal
    assert found.disagreeing
    assert self_check(system, formula).passed


def test_two_visible_actions_catch_visible_singletons() -> None:
    system, formula = two_visible()
    found = try_mutant(VisibleAlone, system, formula)
    assert (found.full_states, found.reduced_states) == (6, 4)
    assert not found.traces_equal
    assert found.disagreeing
    assert self_check(system, formula).passed


def two_stacks(system: System, formula: Formula) -> tuple[bool, bool]:
    """Whether the printed search breaks condition C2 with sets of several actions, and whether that changes traces."""
    rules = rules_for(Rules, system, formula, linear=True)
    successors = rules.automata.successors
    full = ExplicitSpace(successors.layout, successors, Budget(), silent).explored()
    graph = labelled(full, eyes(system, [formula]))
    packed = successors.layout.integers(full.states.block)
    initial = [packed[node] for node in graph.initial]
    search = TwoStacks(rules, initial)
    reduced = search.labelled(dict(zip(packed, graph.labels, strict=True)), initial)
    return search.lazy_cycle(), trace_equivalent(graph, reduced)


def test_two_stacks_are_right_for_single_actions() -> None:
    for seed in range(200):
        system, formula = random_automata(random.Random(seed), choices=0)
        rules = rules_for(Rules, system, formula, linear=False)
        layout = rules.automata.successors.layout
        full = ExplicitSpace(layout, rules.automata.successors, Budget(), silent).explored()
        initial = [layout.integers(full.states.block[node : node + 1])[0] for node in full.initial]
        assert not TwoStacks(rules, initial).lazy_cycle(), seed


def second_way_round() -> tuple[System, Formula]:
    """From its first place an agent goes round by a, meeting a state that must be expanded fully, or by b, meeting none."""
    system = system_of(
        [
            {0: {"a": [1], "b": [2]}, 1: {"c": [3]}, 2: {"e": [3]}, 3: {"g": [0]}},
            {0: {"c": [0], "z": [1]}, 1: {}},
            {0: {"d": [1]}, 1: {}},
        ],
        {"stopped": (1, [1]), "done": (2, [1])},
    )
    return system, ForAll(Globally(Implies(Prop("stopped"), Prop("done"))))


def test_the_second_way_round_catches_two_stacks_with_larger_sets() -> None:
    system, formula = second_way_round()
    lazy, _ = two_stacks(system, formula)
    assert lazy, "the cycle by b puts d and z off for ever, and nobody noticed"
    assert self_check(system, formula).passed
