"""Sizes of full and reduced state spaces that are known exactly."""

from __future__ import annotations

import pytest
from benchmarks.interleaved import (
    dining_cryptographers,
    free_rings,
    leader_election,
    mutual_exclusion,
    train_gate_controller,
    write_once_caches,
)

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.explicit.reduction import reduction_report, self_check
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.engines.registry import load
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.solvers.budget import Budget


def states(system: System, formula: Formula, mode: str = "auto") -> tuple[Verdict, int]:
    outcome = load("explicit").open(system, Options(tuning=(ExplicitTuning(mode),)), Budget()).check(formula)
    return outcome.verdict, outcome.statistics["states"]


@pytest.mark.parametrize("all_hear", [False, True])
@pytest.mark.parametrize(
    ("n", "with_knowledge", "without"), [(3, 448, 352), (4, 2160, 1600), (5, 9984, 7104), (6, 45248, 31360)]
)
def test_dining_cryptographers(n: int, with_knowledge: int, without: int, all_hear: bool) -> None:
    system = dining_cryptographers(n, all_hear)
    knows, some = system.formulae
    assert states(system, knows) == (Verdict.HOLDS, with_knowledge)
    assert states(system, some) == (Verdict.HOLDS, without)
    assert states(system, knows, "singleton") == (Verdict.HOLDS, with_knowledge)
    assert states(system, knows, "off") == (Verdict.HOLDS, (n + 1) * 6**n)


def test_dining_cryptographers_read_as_linear_time() -> None:
    system = dining_cryptographers(4, star=True)
    assert states(system, system.formulae[0]) == (Verdict.HOLDS, 2160)


@pytest.mark.parametrize("n", [2, 5, 10, 40, 100])
def test_train_gate_controller(n: int) -> None:
    system = train_gate_controller(n)
    knows, alone = system.formulae
    assert states(system, knows) == (Verdict.HOLDS, 4 * n - 1)
    assert states(system, alone) == (Verdict.HOLDS, 2 * n + 1)


@pytest.mark.parametrize("n", [2, 5, 10])
def test_train_gate_controller_in_full(n: int) -> None:
    system = train_gate_controller(n)
    assert states(system, system.formulae[0], "off") == (Verdict.HOLDS, 2**n + n * 2 ** (n - 1))


@pytest.mark.parametrize(("length", "width"), [(10, 3), (20, 3), (10, 4), (20, 5)])
def test_free_rings_reduce_to_a_sum(length: int, width: int) -> None:
    system = free_rings(length, width)
    reach, inevitable, _ = system.formulae
    verdict, count = states(system, reach)
    assert verdict is Verdict.HOLDS
    assert count <= 3 * length * width
    assert states(system, inevitable)[0] is Verdict.FAILS


@pytest.mark.parametrize(("n", "full", "with_knowledge", "without"), [(2, 272, 241, 211), (3, 1920, 1396, 1174)])
def test_write_once_caches(n: int, full: int, with_knowledge: int, without: int) -> None:
    system = write_once_caches(n)
    knows, alone = system.formulae
    assert states(system, knows, "off") == (Verdict.HOLDS, full)
    assert states(system, knows) == (Verdict.HOLDS, with_knowledge)
    assert states(system, alone) == (Verdict.HOLDS, without)


@pytest.mark.parametrize(
    "system",
    [
        dining_cryptographers(3),
        dining_cryptographers(3, True),
        train_gate_controller(4),
        write_once_caches(2),
        leader_election(3),
        mutual_exclusion(3),
        free_rings(4, 3),
    ],
)
def test_families_pass_the_self_check(system: System) -> None:
    for formula in system.formulae:
        for mode in ("singleton", "auto"):
            assert self_check(system, formula, mode, samples=5).passed


def test_report_tells_what_was_left_out() -> None:
    system = train_gate_controller(3)
    report = reduction_report(system, system.formulae[0])
    assert (report.full_states, report.reduced_states, report.reason) == (20, 11, None)
    assert "in_1" in report.visible
    assert "back_2" not in report.visible
    assert dict(report.taken).keys() <= {"back_2", "back_3"}
