"""The engine behind its contract: limits, interrupts, refusals, notes, small and large levels."""

from __future__ import annotations

import threading
import time

import pytest
from benchmarks.interleaved import dining_cryptographers, free_rings, train_gate_controller

from epistrat.answers import Setting
from epistrat.engines.contract import Options, Progress, Strategies, Verdict
from epistrat.engines.explicit.layout import Layout
from epistrat.engines.explicit.paths import as_path, path_to, shortest
from epistrat.engines.explicit.space import ExplicitSpace, full_successors
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load
from epistrat.logic.formula import Coalition, Exists, Finally, ForAll, Formula, Globally, Group, Next, Not, Once, Prop
from epistrat.model.builder import Builder
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

OFF = Options(tuning=(ExplicitTuning("off"),))


def counters(agents: int, size: int, interleaved: bool = True) -> System:
    """Agents that count up to size - 1 and stop: size ** agents states."""
    model = Builder(interleaved=interleaved)
    for index in range(agents):
        agent = model.agent(f"C{index}")
        at = agent.range("at", 0, size - 1)
        agent.actions(f"up{index}", f"rest{index}")
        agent.may(f"up{index}", when=at < size - 1)
        agent.may(f"rest{index}", when=(at == size - 1) if interleaved else True)
        agent.evolve((agent.action == f"up{index}"), at=at + 1)
        model.initial(at == 0)
        model.proposition(f"end{index}", at == size - 1)
    return model.build()


def chain(length: int) -> System:
    """One agent that walks along a line: as many levels as states."""
    return counters(1, length)


@pytest.mark.parametrize("interleaved", [True, False])
def test_large_levels_and_small_ones_give_the_same_states(interleaved: bool) -> None:
    system = counters(4, 6, interleaved)
    found = []
    for small in (0, 10**9):
        layout = Layout(system)
        successors = full_successors(layout)
        successors.few = small
        space = ExplicitSpace(layout, successors, Budget(), lambda _: None)
        explored = space.explored()
        states = layout.integers(explored.states.block)
        found.append(
            (dict(zip(states, explored.graph.forward.degrees().tolist(), strict=True)), space.explorer.dead_ends)
        )
    assert found[0] == found[1]
    assert len(found[0][0]) == 6**4


def test_states_wider_than_a_word() -> None:
    system = counters(20, 40)
    outcome = load("explicit").open(system, OFF, Budget(states=20_000)).check(ForAll(Globally(Not(Prop("end0")))))
    assert outcome.verdict is Verdict.UNKNOWN
    assert Layout(system).words == 2
    small = free_rings(3, 40)
    assert Layout(small).words > 1
    reduced = load("explicit").open(small, Options(), Budget()).check(small.formulae[0])
    assert reduced.verdict is Verdict.HOLDS


def test_a_long_chain_is_quick() -> None:
    system = chain(20_000)
    started = time.process_time()
    outcome = load("explicit").open(system, OFF, Budget()).check(Exists(Finally(Prop("end0"))))
    assert outcome.verdict is Verdict.HOLDS
    assert outcome.statistics["states"] == 20_000
    assert time.process_time() - started < 20


def test_an_invariant_fails_before_all_states_are_seen() -> None:
    system = counters(6, 20)
    session = load("explicit").open(system, OFF, Budget())
    never: Formula = ForAll(Globally(Not(Prop("end0"))))
    assert session.check(never).verdict is Verdict.FAILS
    assert session.statistics()["states"] < 20**6 / 10


@pytest.mark.parametrize(
    ("budget", "word"), [(Budget(states=50_000), "states"), (Budget(seconds=1.0), "time"), (Budget(memory=1), "memory")]
)
def test_limits_end_with_unknown_and_what_is_known(budget: Budget, word: str) -> None:
    system = counters(8, 10)
    session = load("explicit").open(system, OFF, budget)
    started = time.process_time()
    outcome = session.check(Exists(Globally(Not(Prop("end0")))))
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.reason is not None
    assert word in outcome.reason
    assert "states" in outcome.reason
    assert outcome.advice is not None
    assert session.facts().states is None
    assert time.process_time() - started < 20


def test_an_interrupt_is_felt_within_a_second() -> None:
    system = counters(8, 10)
    budget = Budget()
    session = load("explicit").open(system, OFF, budget)
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.process_time())
        budget.cancel()

    timer = threading.Timer(1.5, press)
    timer.start()
    outcome = session.check(Exists(Globally(Not(Prop("end0")))))
    assert outcome.verdict is Verdict.UNKNOWN
    assert time.process_time() - pressed[0] < 10  # one second on an idle machine


def test_exploration_goes_on_after_a_limit() -> None:
    system = counters(4, 8)
    budget = Budget(states=500)
    session = load("explicit").open(system, OFF, budget)
    assert session.check(Exists(Finally(Prop("end0")))).verdict is Verdict.UNKNOWN
    budget.states = None
    assert session.check(Exists(Finally(Prop("end0")))).verdict is Verdict.HOLDS
    facts = session.facts()
    assert (facts.states, facts.dead_ends) == (8**4, 0)


def test_progress_is_told() -> None:
    events: list[Progress] = []
    system = dining_cryptographers(4)
    load("explicit").open(system, OFF, Budget(), events.append).check(system.formulae[0])
    assert events
    assert events[-1].counts["states"] == 6480


def test_formulae_that_count_steps_are_checked_in_full_and_the_reason_is_told() -> None:
    system = train_gate_controller(3)
    outcome = load("explicit").open(system, Options(), Budget()).check(ForAll(Next(Not(Prop("in_tunnel1")))))
    assert outcome.verdict is Verdict.FAILS
    assert "X or Y" in outcome.notes[0]
    assert "reduced" not in outcome.statistics


def test_linear_mode_refuses_branching_formulae() -> None:
    system = train_gate_controller(3)
    formula = ForAll(Globally(Exists(Finally(Prop("in_tunnel1")))))
    outcome = load("explicit").open(system, Options(tuning=(ExplicitTuning("linear"),)), Budget()).check(formula)
    assert outcome.verdict is Verdict.HOLDS
    assert "not linear" in outcome.notes[0]


def test_past_without_next_is_reduced() -> None:
    system = train_gate_controller(5)
    formula = ForAll(Globally(Once(Not(Prop("in_tunnel1")))), star=True)
    outcome = load("explicit").open(system, Options(), Budget()).check(formula)
    assert outcome.verdict is Verdict.HOLDS
    assert outcome.statistics["reduced"]


def test_refusals() -> None:
    engine = load("explicit")
    system = train_gate_controller(2)
    game = Coalition(Group(("Train1",)), Finally(Prop("in_tunnel1")))
    assert refusal(engine, system, game, Options()) is None
    assert refusal(engine, system, game, Options(strategies=Strategies.UNIFORM)) is None
    assert "uniform" in (refusal(engine, counters(2, 2, False), game, Options(strategies=Strategies.UNIFORM)) or "")
    assert refusal(engine, system, system.formulae[0], Options()) is None
    with pytest.raises(ValueError, match="reduce"):
        engine.open(system, Options(tuning=(ExplicitTuning("sometimes"),)), Budget())


def test_reduced_checks_still_know_the_dead_ends() -> None:
    system = free_rings(30, 4)
    session = load("explicit").open(system, Options(), Budget())
    assert session.check(system.formulae[0]).verdict is Verdict.HOLDS
    facts = session.facts()
    assert facts.states is None
    assert facts.dead_ends == 0
    assert facts.advice == (Setting("reduce", "off"),)


def test_paths_are_runs_of_the_model() -> None:
    system = train_gate_controller(3)
    layout = Layout(system)
    explored = ExplicitSpace(layout, full_successors(layout), Budget(), lambda _: None).explored()
    stepper = Stepper(system)
    goal = explored.holds(system.propositions["in_tunnel2"])
    without_edges = path_to(explored, goal)
    with_edges = shortest(explored.graph, explored.initial, goal)
    assert without_edges is not None
    assert with_edges is not None
    assert len(without_edges) == len(with_edges) == 2
    path = as_path(explored, with_edges, stepper)
    assert path.last in set(stepper.outcomes(path.states[0], path.actions[0]))
