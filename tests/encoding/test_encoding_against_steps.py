"""The encoding against the reference steps: reachable states, images, preimages, dead ends, overflows, on random systems."""

from __future__ import annotations

import random

import pytest
from tests.generators import random_system

import epistrat
from epistrat.encoding.bits import Layout
from epistrat.encoding.encode import Encoding, encode
from epistrat.encoding.evolution import frozen_variables
from epistrat.encoding.footprint import Footprint
from epistrat.encoding.order import Arrangement, Orders, mcmas_order
from epistrat.engines.contract import silent
from epistrat.engines.symbolic.path import path_to
from epistrat.engines.symbolic.space import SymbolicSpace
from epistrat.engines.symbolic.work import Work
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import Composition, System
from epistrat.solvers.bdd import open_algebra
from epistrat.solvers.budget import Budget
from epistrat.terms import Bounded

ORDERS = ("index", "declared", "random", "top", "interleaved", 1, 2, 3, 4)


def encoded(system: System, order: object = "index", library: str = "oxidd", plain: bool = False) -> Encoding:
    footprint = Footprint(system, freeze=not plain)
    if isinstance(order, int):
        blocks = mcmas_order(footprint.items, order)
    elif order in ("top", "interleaved"):
        blocks = Orders(footprint).blocks(Arrangement("index", order == "top", order == "interleaved"))
    else:
        blocks = Orders(footprint).blocks(Arrangement(str(order)))
    layout = Layout(footprint.items, blocks)
    return encode(footprint, open_algebra(layout.size, library, 1 << 18, 1 << 14), layout, plain)


def explored(system: System) -> tuple[list[State], set[State]]:
    stepper = Stepper(system)
    initial = [state for state in all_states(system) if stepper.evaluator.holds(system.initial, state)]
    seen, stack = set(initial), list(initial)
    while stack:
        for step in stepper.steps(stack.pop()):
            if step.target not in seen:
                seen.add(step.target)
                stack.append(step.target)
    return initial, seen


def all_states(system: System) -> list[State]:
    states: list[State] = [()]
    for variable in system.variables:
        assert variable.domain.finite
        states = [(*state, value) for state in states for value in variable.domain]  # type: ignore[union-attr]
    return states


def overflows(system: System, state: State) -> bool:
    stepper = Stepper(system)
    for joint in stepper.joint_actions(state):
        for index, agent in enumerate(system.agents):
            if system.interleaved and joint[index] is None:
                continue
            for line in stepper.enabled_lines(agent, state, joint):
                for assignment in line.assignments:
                    domain = next(v.domain for v in agent.variables if v.name == assignment.target)
                    value = stepper.evaluator.value(assignment.value, state, joint)
                    if isinstance(domain, Bounded) and not domain.low <= value <= domain.high:
                        return True
    return False


@pytest.mark.parametrize("composition", list(Composition))
@pytest.mark.parametrize("seed", range(60))
def test_states_steps_dead_ends_and_overflows(seed: int, composition: Composition) -> None:
    rng = random.Random(seed)
    system = random_system(rng, composition=composition, fairness=False)
    order = ORDERS[seed % len(ORDERS)]
    encoding = encoded(system, order, ("oxidd", "cudd")[seed % 2], plain=seed % 7 == 0)
    space = SymbolicSpace(
        encoding, Work(Budget(), silent), ("full", "image", "frontier", "smaller", "chaining")[seed % 5]
    )
    initial, states = explored(system)
    algebra, stepper = encoding.algebra, Stepper(system)

    def as_set(members: object) -> object:
        result = algebra.false
        for state in members:  # type: ignore[attr-defined]
            result = result | encoding.singleton(state)
        return result

    assert encoding.initial == as_set(initial)
    assert space.reachable == as_set(states)
    assert encoding.count(space.reachable) == len(states)
    dead = {state for state in states if stepper.is_dead_end(state)}
    assert space.dead_ends == as_set(dead)
    assert space.overflowing == as_set(state for state in states if overflows(system, state))
    half = {state for state in sorted(states, key=repr) if rng.random() < 0.5}
    before = {state for state in states if any(step.target in half for step in stepper.successors(state))}
    assert space.pre(as_set(half)) == as_set(before)  # type: ignore[arg-type]
    after = {step.target for state in half for step in stepper.steps(state)}
    assert encoding.relation.image(as_set(half)) == as_set(after)  # type: ignore[arg-type]
    if states:
        goal = rng.choice(sorted(states, key=repr))
        path = path_to(space, encoding.singleton(goal))
        assert path.states[0] in initial and path.last == goal
        for source, joint, target in zip(path.states, path.actions, path.states[1:], strict=False):
            assert (joint, target) in [(step.joint, step.target) for step in stepper.steps(source)]


COPY = """
Agent Environment
  Obsvars: x : boolean; end Obsvars
  Actions = {flip, wait};
  Protocol: Other : {flip, wait}; end Protocol
  Evolution: x = ~x if Action = flip; end Evolution
end Agent
Agent A
  Vars: x : boolean; y : boolean; end Vars
  Actions = {copy, none};
  Protocol: Other : {copy, none}; end Protocol
  Evolution:
    x = Environment.x if Action = copy;
    y = y if Action = copy;
  end Evolution
end Agent
Evaluation x if A.x = true; y if A.y = true; end Evaluation
InitStates Environment.x = false and A.x = false and A.y = false; end InitStates
"""


@pytest.mark.parametrize("semantics", ["", "Semantics = SingleAssignment;\n"])
def test_a_variable_that_copies_its_namesake_is_not_frozen(semantics: str) -> None:
    system = epistrat.load(semantics + COPY)
    assert frozen_variables(system.agent["A"]) == {"y"}
    assert [bool(one) for one in system.check(["EF x", "EF y"], engine="symbolic")] == [True, False]
    assert system.report("AG !y", engine="symbolic").facts.states == 4


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("plain", [False, True])
def test_moves_between_two_states_are_their_steps(seed: int, plain: bool) -> None:
    system = random_system(random.Random(seed))
    encoding, stepper = encoded(system, plain=plain), Stepper(system)
    _, reached = explored(system)
    states = sorted(reached, key=repr)[:12]
    for source in states:
        targets = {step.target for step in stepper.steps(source)}
        for target in states:
            moves = encoding.relation.moves_between(encoding.singleton(source), encoding.singleton(target))
            into = encoding.relation.moves_into(encoding.singleton(target), encoding.relation.private)
            assert (moves != encoding.algebra.false) is (target in targets)
            assert (into & encoding.singleton(source) != encoding.algebra.false) is (target in targets)
