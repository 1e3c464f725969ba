"""The reference semantics, definition by definition, on systems small enough to check by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from epistrat.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from epistrat.model.explore import TooManyStates, explore
from epistrat.model.initial import initial_states
from epistrat.model.state import idle, indistinguishable, view
from epistrat.model.step import Stepper
from epistrat.model.system import Composition, Semantics, System
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import TRUE, Boolean, Bounded, Domain, Expr, Integer, Terms

terms = Terms()


def var(owner: str, name: str, domain: Domain) -> Expr:
    return terms.variable(owner, name, domain.sort)


def equals(owner: str, name: str, value: int) -> Expr:
    return terms.compare("=", var(owner, name, Bounded(0, 9)), terms.number(value))


def line(guard: Expr, **values: Expr) -> EvolutionLine:
    return EvolutionLine(tuple(Assignment(target, value) for target, value in values.items()), guard)


N = Bounded(0, 3)
n = var("A", "n", N)
m = var("A", "m", N)
more = terms.arith("+", n, terms.number(1))
go = terms.action("A", "go")


def counter(
    evolution: Sequence[EvolutionLine], semantics: Semantics = Semantics.MULTI, domain: Domain = N, **fields: object
) -> System:
    variables = (Variable("A", "n", domain), Variable("A", "m", N))
    agent = Agent("A", variables, actions=("go", "stop"), other=("go",), evolution=tuple(evolution))
    start = terms.conjunction((equals("A", "n", 0), equals("A", "m", 0)))
    return System((agent,), start, semantics=semantics, **fields)  # type: ignore[arg-type]


def targets(system: System, *state: int) -> set[tuple[object, ...]]:
    return {step.target for step in Stepper(system).successors(state)}


def test_multi_assignment_executes_one_enabled_line() -> None:
    system = counter([line(go, n=terms.number(1)), line(go, m=terms.number(2)), line(terms.negate(go), n=n)])
    assert targets(system, 0, 0) == {(1, 0), (0, 2)}


def test_single_assignment_moves_every_variable() -> None:
    lines = [line(go, n=terms.number(1)), line(go, n=terms.number(2)), line(go, m=terms.number(2))]
    assert targets(counter(lines, Semantics.SINGLE), 0, 0) == {(1, 2), (2, 2)}


def test_without_enabled_line_the_agent_stays() -> None:
    for semantics in Semantics:
        assert targets(counter([line(terms.negate(go), n=more)], semantics), 1, 1) == {(1, 1)}


def test_leaving_the_range_blocks_the_line_and_staying_does_not_come_back() -> None:
    for semantics in Semantics:
        assert targets(counter([line(go, n=more)], semantics), 3, 0) == set()
    lines = [line(go, n=more), line(go, n=terms.number(0))]
    for semantics in Semantics:
        assert targets(counter(lines, semantics), 3, 0) == {(0, 0)}
    half = terms.arith("/", terms.number(1), terms.number(2))
    assert targets(counter([line(go, n=half)]), 0, 0) == set()


def test_right_sides_read_old_values() -> None:
    swap = line(go, n=m, m=n)
    assert targets(counter([swap]), 1, 2) == {(2, 1)}


def test_protocols_unite_the_lines_that_apply() -> None:
    low = terms.compare("<", n, terms.number(2))
    agent = Agent(
        "A",
        (Variable("A", "n", N),),
        actions=("a", "b", "c"),
        protocol=(ProtocolLine(low, ("c",)), ProtocolLine(equals("A", "n", 1), ("a",))),
        other=("b",),
    )
    stepper = Stepper(System((agent,)))
    assert stepper.allowed(agent, (0,)) == ("c",)
    assert stepper.allowed(agent, (1,)) == ("a", "c")
    assert stepper.allowed(agent, (2,)) == ("b",)


def test_an_uncovered_state_is_a_dead_end() -> None:
    agent = Agent("A", (Variable("A", "n", N),), actions=("a",), protocol=(ProtocolLine(equals("A", "n", 0), ("a",)),))
    stepper = Stepper(System((agent,)))
    assert not stepper.is_dead_end((0,))
    assert stepper.is_dead_end((1,))
    assert stepper.successors((1,)) == []


def test_a_free_environment_does_anything_and_an_agent_without_actions_nothing() -> None:
    environment = Agent(ENVIRONMENT, (), actions=("left", "right"))
    silent = Agent("A", (Variable("A", "n", N),))
    joint = list(Stepper(System((environment, silent))).joint_actions((0,)))
    assert joint == [("left", None), ("right", None)]


def interleaved() -> System:
    """A works alone or meets B; B waits for the meeting."""
    first = Agent(
        "A",
        (Variable("A", "n", N),),
        actions=("work", "meet"),
        protocol=(ProtocolLine(terms.compare("<", n, terms.number(2)), ("work",)), ProtocolLine(TRUE, ("meet",))),
        evolution=(line(terms.action("A", "work"), n=more),),
    )
    b = var("B", "met", Boolean())
    second = Agent(
        "B",
        (Variable("B", "met", Boolean()),),
        actions=("meet",),
        protocol=(ProtocolLine(terms.negate(b), ("meet",)),),
        evolution=(line(terms.action("B", "meet"), met=terms.boolean(True)),),
    )
    start = terms.conjunction((equals("A", "n", 0), terms.negate(b)))
    return System((first, second), start, Composition.INTERLEAVED)


def test_interleaved_actions_need_every_agent_that_declares_them() -> None:
    system = interleaved()
    stepper = Stepper(system)
    assert set(stepper.steps((0, False))) == {(("work", None), (1, False)), (("meet", "meet"), (0, True))}
    assert [step.target for step in stepper.steps((0, True))] == [(1, True)]


def test_an_interleaved_dead_end_repeats_itself() -> None:
    system = interleaved()
    stepper = Stepper(system)
    assert stepper.is_dead_end((2, True))
    assert stepper.successors((2, True)) == [(idle(system), (2, True))]
    reached = explore(stepper, initial_states(system))
    assert len(reached.states) == 6
    assert [reached.states[number] for number in reached.dead_ends] == [(2, True)]
    number = reached.number[2, True]
    assert reached.steps[number] == [(idle(system), number)]
    states, actions = reached.path_to(number)
    assert (len(states), len(actions)) == (4, 3)
    assert states[0] == (0, False)


def test_exploration_stops_at_its_limits() -> None:
    endless = counter([line(go, n=more)], domain=Integer())
    with pytest.raises(TooManyStates, match="limit of 50 states reached: 51 found, 50 expanded") as stopped:
        explore(Stepper(endless), [(0, 0)], limit=50)
    assert len(stopped.value.seen.states) == 51
    with pytest.raises(TooManyStates, match="limit of 300 states"):
        explore(Stepper(endless), [(0, 0)], budget=Budget(states=300))
    with pytest.raises(OutOfBudget, match="time limit"):
        explore(Stepper(endless), [(0, 0)], budget=Budget(seconds=0.0))
    told: list[tuple[int, int]] = []
    explore(Stepper(counter([line(go, n=more)])), [(0, 0), (0, 0)], watch=lambda *counts: told.append(counts))
    assert told == [(1, 0)]


def test_views() -> None:
    environment = Agent(ENVIRONMENT, (Variable(ENVIRONMENT, "seen", N, True), Variable(ENVIRONMENT, "hidden", N)))
    watcher = Agent("A", (Variable("A", "n", N),), observes=("hidden",))
    other = Agent("B", (Variable("B", "n", N),))
    system = System((environment, watcher, other))
    assert view(system, "A", (1, 2, 3, 0)) == (1, 2, 3)
    assert view(system, "B", (1, 2, 3, 0)) == (1, 0)
    assert view(system, ENVIRONMENT, (1, 2, 3, 0)) == (1, 2)
    assert indistinguishable(system, "B", (1, 2, 3, 0), (1, 0, 0, 0))
    assert not indistinguishable(system, "A", (1, 2, 3, 0), (1, 0, 3, 0))
    assert view(counter([]), ENVIRONMENT, (1, 2)) == ()
