"""One contract, two libraries: what `epistrat.solvers.bdd.algebra.Algebra` promises."""

from __future__ import annotations

import gc
import importlib.util
import random
import threading
import time
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from epistrat.engines.contract import silent
from epistrat.engines.symbolic.work import Work
from epistrat.solvers.bdd import Algebra, Bdd, OutOfNodes, open_algebra
from epistrat.solvers.budget import Budget

needs_cudd = pytest.mark.skipif(
    importlib.util.find_spec("dd") is None or importlib.util.find_spec("dd.cudd") is None,
    reason="CUDD's wheel does not exist here",
)
Maker = Callable[..., Algebra]


@pytest.fixture(params=["oxidd", pytest.param("cudd", marks=needs_cudd)])
def make(request: pytest.FixtureRequest) -> Maker:
    def maker(variables: int, nodes: int = 1 << 18, **more: Any) -> Algebra:
        return open_algebra(variables, request.param, nodes, cache=1 << 14, **more)

    return maker


ROWS = list(product((False, True), repeat=3))


def from_table(algebra: Algebra, table: int) -> Bdd:
    """The function of variables 0 to 2 whose value in row r is bit r of the table."""
    result = algebra.false
    for row, values in enumerate(ROWS):
        if table >> row & 1:
            cube = algebra.true
            for variable, value in enumerate(values):
                cube = cube & (algebra.var[variable] if value else ~algebra.var[variable])
            result = result | cube
    return result


def project(table: int, variable: int) -> int:
    """The table of "for some value of the variable"."""
    result = 0
    for row, values in enumerate(ROWS):
        if any(
            table >> ROWS.index((*values[:variable], value, *values[variable + 1 :])) & 1 for value in (False, True)
        ):
            result |= 1 << row
    return result


def test_all_functions_of_three_variables(make: Maker) -> None:
    algebra = make(6)
    functions = [from_table(algebra, table) for table in range(256)]
    assert len(set(functions)) == 256
    cubes = [algebra.cube([variable]) for variable in range(3)]
    renaming, back = algebra.renaming([(0, 3), (1, 4), (2, 5)]), algebra.renaming([(3, 0), (4, 1), (5, 2)])
    for table, function in enumerate(functions):
        assert ~function == functions[255 ^ table]
        assert algebra.count(function, 3) == table.bit_count()
        for variable in range(3):
            assert algebra.exists(function, cubes[variable]) == functions[project(table, variable)]
        assert algebra.exists(function, None) == function
        assert algebra.exists(function, algebra.cube(range(3))) == (algebra.true if table else algebra.false)
        assert algebra.rename(algebra.rename(function, renaming), back) == function
        valuation = algebra.pick(function)
        assert (valuation is None) == (table == 0)
        if valuation is not None:
            rows = [r for r, values in enumerate(ROWS) if all(values[v] == value for v, value in valuation.items())]
            assert rows and all(table >> row & 1 for row in rows)


def test_binary_operations_on_all_pairs(make: Maker) -> None:
    algebra = make(3)
    functions = [from_table(algebra, table) for table in range(256)]
    cube = algebra.cube([1])
    for one in range(256):
        for other in range(0, 256, 7):
            f, g = functions[one], functions[other]
            assert f & g == functions[one & other]
            assert f | g == functions[one | other]
            assert algebra.xor(f, g) == functions[one ^ other]
            assert algebra.implies(f, g) == (one & ~other == 0)
            assert algebra.and_exists(f, g, cube) == functions[project(one & other, 1)]
            assert algebra.ite(f, g, functions[90]) == functions[one & other | ~one & 90]


def test_counts_are_exact_beyond_floating_point(make: Maker) -> None:
    algebra = make(1500)
    odd = algebra.false
    for variable in reversed(range(1500)):
        odd = algebra.xor(odd, algebra.var[variable])
    assert algebra.count(odd, 1500) == 1 << 1499
    assert algebra.count(algebra.true, 1500) == 1 << 1500
    assert algebra.count(algebra.false, 1500) == 0
    conjunction = algebra.true
    for variable in reversed(range(1400)):
        conjunction = conjunction & algebra.var[variable]
    assert algebra.count(~conjunction, 1400) == (1 << 1400) - 1


def test_size_counts_nodes(make: Maker) -> None:
    algebra = make(8)
    one = algebra.size(algebra.var[0])
    assert algebra.size(algebra.var[0] & algebra.var[1]) == one + 1


def test_growing_keeps_what_was_there(make: Maker) -> None:
    algebra = make(2)
    both = algebra.var[0] & algebra.var[1]
    new = algebra.grow(2)
    assert list(new) == [2, 3] and algebra.variables == 4
    assert algebra.count(both, 2) == 1
    assert algebra.exists(both & algebra.var[3], algebra.cube([3])) == both


def large(algebra: Algebra, clauses: int) -> Bdd:
    """A function without small diagram."""
    dice = random.Random(5)
    result = algebra.true
    for _ in range(clauses):
        clause = algebra.false
        for variable in dice.sample(range(algebra.variables), 4):
            literal = algebra.var[variable]
            clause = clause | (literal if dice.random() < 0.5 else ~literal)
        result = result & clause
    return result


def test_node_limit_and_life_after_it(make: Maker) -> None:
    algebra = make(100, nodes=1 << 15)
    kept = algebra.var[3] & algebra.var[50]
    with pytest.raises(OutOfNodes), algebra.guard():
        large(algebra, 400)
    algebra.collect()
    assert algebra.exists(kept, algebra.cube([3])) == algebra.var[50]
    assert algebra.count(large(algebra, 5), 100) > 0


def test_a_table_that_was_full_is_crowded_where_another_thread_collects(make: Maker) -> None:
    algebra = make(100, nodes=1 << 15)
    assert not algebra.crowded()
    with pytest.raises(OutOfNodes), algebra.guard():
        large(algebra, 400)
    assert algebra.crowded() is (algebra.library == "oxidd")


def test_other_errors_pass_the_guard(make: Maker) -> None:
    algebra = make(2)
    with pytest.raises(ValueError, match="mine"), algebra.guard():
        raise ValueError("mine")


def test_collection_frees_nodes(make: Maker) -> None:
    algebra = make(40)
    function: Bdd | None = large(algebra, 30)
    algebra.collect()
    before = algebra.nodes()
    function = None
    algebra.collect()
    assert function is None
    assert algebra.nodes() < before


def test_garbage_in_oxidd_does_not_run_out_of_nodes_and_goes_at_the_same_moments() -> None:
    """Work counts nodes, and collects before the library's own thread would."""

    def run() -> list[int]:
        algebra, dice, work = open_algebra(40, nodes=1 << 12, cache=1 << 10), random.Random(1), Work(Budget(), silent)
        work.measure(algebra)
        counted = []
        with algebra.guard():
            for _ in range(700):
                function = algebra.true
                for variable in dice.sample(range(40), 14):
                    function = function & (algebra.var[variable] if dice.random() < 0.5 else ~algebra.var[variable])
                    work.tick()
                counted.append(work.budget.meter.work)
        return counted

    first = run()
    assert all(run() == first for _ in range(3))


def test_an_exception_between_operations_does_no_harm(make: Maker) -> None:
    algebra = make(30)

    def interrupted() -> None:
        large(algebra, 10)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert algebra.count(algebra.var[0], 30) == 1 << 29


def test_another_thread_can_work_on_the_same_algebra(make: Maker) -> None:
    algebra = make(30)
    expected = large(algebra, 20)
    found: list[Bdd] = []
    thread = threading.Thread(target=lambda: found.append(large(algebra, 20)))
    thread.start()
    thread.join()
    assert found == [expected]


def test_oxidd_lets_other_threads_run_during_an_operation() -> None:
    algebra = open_algebra(40, "oxidd", 1 << 20, 1 << 18)
    ticks: list[float] = []
    done = threading.Event()

    def watchdog() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=watchdog, daemon=True)
    thread.start()
    started = time.monotonic()
    while time.monotonic() - started < 0.2:
        large(algebra, 30)
    done.set()
    thread.join()
    assert len(ticks) > 5


@needs_cudd
def test_cudd_reorders_by_itself() -> None:
    algebra = open_algebra(24, "cudd", 1 << 20, reorder=True)
    function = algebra.true
    for variable in range(12):
        function = function & ~algebra.xor(algebra.var[variable], algebra.var[variable + 12])
    assert algebra.count(function, 24) == 1 << 12
    assert algebra.exists(function, algebra.cube(range(12))) == algebra.true


class _Exhausted:
    """A manager that has no room for one more variable's function, once."""

    def __init__(self, manager: Any, after: int) -> None:
        self._manager = manager
        self._left = after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._manager, name)

    def var(self, which: Any) -> Any:
        self._left -= 1
        if self._left == 0:
            raise MemoryError
        return self._manager.var(which)


@pytest.mark.parametrize("after", [1, 2])
def test_variables_keep_their_numbers_when_nodes_run_out_while_they_are_added(make: Maker, after: int) -> None:
    algebra: Any = make(3)
    algebra._manager = _Exhausted(algebra._manager, after)
    with pytest.raises(MemoryError):
        algebra.grow(2)
    assert algebra.variables == len(algebra.var) == 3
    assert list(algebra.grow(2)) == [3, 4]
    renamed = algebra.rename(algebra.var[0] & ~algebra.var[1], algebra.renaming([(0, 3), (1, 4)]))
    assert renamed == algebra.var[3] & ~algebra.var[4]
    assert algebra.pick(renamed) == {3: True, 4: False}
    assert algebra.exists(renamed, algebra.cube([4])) == algebra.var[3]


@needs_cudd
def test_cudd_ends_quietly_when_its_functions_go_in_a_circle(capfd: pytest.CaptureFixture[str]) -> None:
    class Knot:
        def __init__(self, function: Bdd) -> None:
            self.function, self.itself = function, self

    algebra: Algebra | None = open_algebra(8, "cudd", 1 << 18)
    assert algebra is not None
    Knot(algebra.var[0] & algebra.var[1])
    algebra = None
    gc.collect()
    open_algebra(8, "cudd", 1 << 18)
    assert "referenced upon shutdown" not in capfd.readouterr().err


@needs_cudd
@pytest.mark.parametrize("operation", ["and", "xor", "ite"])
def test_cudd_runs_out_of_nodes_in_every_operation(operation: str, capfd: pytest.CaptureFixture[str]) -> None:
    algebra = open_algebra(80, "cudd", 1 << 10)
    rng = random.Random(1)
    found = algebra.false
    with pytest.raises(OutOfNodes), algebra.guard():
        while True:
            one, other = (algebra.var[index] for index in rng.sample(range(80), 2))
            match operation:
                case "and":
                    found = (found & ~(one & other)) | (~found & (one & other))
                case "xor":
                    found = algebra.xor(found, one & other)
                case _:
                    found = algebra.ite(one & other, ~found, found)
    del algebra, found, one, other
    open_algebra(2, "cudd", 1 << 10)
    gc.collect()
    assert "referenced upon shutdown" not in capfd.readouterr().err
