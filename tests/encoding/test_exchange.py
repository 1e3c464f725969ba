"""Models for other tools: VMT-LIB is read by an SMT solver, AIGER circuits are run step by step."""

from __future__ import annotations

import random
import re

import z3
from tests.generators.systems import random_system

from epistrat.encoding.aiger import aiger
from epistrat.encoding.vmt import vmt
from epistrat.logic import formula as logic
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper


def test_vmt_has_the_same_initial_states_and_steps() -> None:
    for seed in range(12):
        system = random_system(random.Random(seed), fairness=False)
        formulae = [logic.ForAll(logic.Globally(logic.Knows(next(iter(system.views)), logic.Prop("p0"))))]
        text = vmt(system, formulae)
        assert ":knows" in text and ":invar-property 0" in text
        script = re.sub(
            r"\(! (.*) :(?:next \|.*\||init true|trans true|observer \".*\"|knows \".*\"|invar-property \d+)\)\)",
            r"\1)",
            text,
        )
        checked = z3.Solver()
        checked.from_string(script + "(assert .init)")
        assert (checked.check() == z3.sat) == bool(initial_states(system, 1000)), seed
        checked = z3.Solver()
        checked.from_string(script + "(assert (and .init .trans))")
        stepper = Stepper(system)
        some = any(stepper.successors(state) for state in initial_states(system, 1000))
        assert (checked.check() == z3.sat) == some, seed


def _unsafe(circuit: str) -> bool:
    """Whether the bad output of a circuit can become true, by unrolling it in an SMT solver for as long as small systems need."""
    lines = circuit.splitlines()
    _, most, inputs, latches, _, gates, _ = lines[0].split()
    body = lines[1:]
    latch_lines = [tuple(map(int, line.split())) for line in body[int(inputs) : int(inputs) + int(latches)]]
    bad = int(body[int(inputs) + int(latches)])
    gate_lines = body[int(inputs) + int(latches) + 1 :][: int(gates)]
    solver = z3.Solver()

    def at(literal: int, frame: int) -> z3.BoolRef:
        variable = z3.BoolVal(False) if literal < 2 else z3.Bool(f"v{literal // 2}@{frame}")
        return z3.Not(variable) if literal % 2 else variable

    for latch, _ in latch_lines:
        solver.add(z3.Not(at(latch, 0)))
    assert int(most) >= len(latch_lines)
    for frame in range(30):
        for line in gate_lines:
            gate, one, other = map(int, line.split())
            solver.add(at(gate, frame) == z3.And(at(one, frame), at(other, frame)))
        if solver.check(at(bad, frame)) == z3.sat:
            return True
        for latch, new in latch_lines:
            solver.add(at(latch, frame + 1) == at(new, frame))
    return False


def test_aiger_circuits_say_what_exploration_says() -> None:
    for seed in range(6):
        system = random_system(random.Random(seed), fairness=False)
        stepper = Stepper(system)
        reached = explore(stepper, initial_states(system, 500), 2000)
        if len(reached.states) > 25:
            continue
        for name, condition in system.propositions.items():
            fails = any(not stepper.evaluator.holds(condition, state) for state in reached.states)
            assert _unsafe(aiger(system, logic.ForAll(logic.Globally(logic.Prop(name))))) == fails, (seed, name)
