"""Serves the calls of the simulator: a run so far in, what can happen next, who knows what and what is true here out.

Calls carry the whole run, so nothing is lost if this process ends; what was loaded is kept for the next call.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import islice

from epistrat.explain.words import acts, facts
from epistrat.logic.formula import Formula
from epistrat.logic.show import show
from epistrat.model.state import State, show_act
from epistrat.model.step import Step
from epistrat.model.system import System
from epistrat.render.json.cursor import Datum
from epistrat.render.json.reading import EvidenceReader
from epistrat.render.json.report import joint_json, state_json, value_json
from epistrat.service import InputError, SimulateRequest, Text
from epistrat.service.models import read_formula
from epistrat.service.simulation import MOST_CHOICES, Simulation, open_simulation
from epistrat.studio import shapes
from epistrat.studio.data import Parameters, Tell, given_parameters, message_data, model_of, run_data, system_data
from epistrat.studio.parts import same_parts, version_of_parts

_MOST_STEPS = 1_000
_MOST_LOOK_ALIKES = 40
_MOST_WATCHED = 12
MOST_SAID = 20
"""So many announcements can be made on one run."""


@lru_cache(maxsize=4)
def _opened(text: str, name: str, given: Parameters, folder: str | None, _parts: str) -> Simulation:
    model = Text(text, name, dict(given), folder)
    opened = open_simulation(SimulateRequest(model=model, steps=0))
    if version_of_parts(model) != _parts:
        raise LookupError("A file that this text includes has just changed; ask again.")
    return opened


def open_simulation_of(call: Datum) -> Simulation:
    """The simulation of the model in a call, at its first initial state; raises LookupError."""
    try:
        model = model_of(call)
        simulation = _opened(model.content, model.name, given_parameters(call), model.folder, same_parts(call))
    except InputError as rejected:
        first = next((one for one in rejected.diagnostics if one.is_error), rejected.diagnostics[0])
        raise LookupError(f"The model has a mistake: {first.message}") from None
    simulation.start()
    return simulation


def simulation_along(call: Datum) -> Simulation:
    """The same, where the run of the call has led to."""
    simulation = open_simulation_of(call)
    if "run" in call and call["run"].value is not None:
        told = (
            [(one["moment"].count(), _formula(one["formula"], simulation)) for one in call["said"]]
            if "said" in call
            else []
        )
        run = reader_of(simulation).path(call["run"])
        times = [moment for moment, _ in told]
        if times != sorted(times) or (times and times[-1] >= len(run.states)):
            raise LookupError("what was said is not in the order of time")
        simulation.follow(run, told[:MOST_SAID])
    return simulation


def reader_of(simulation: Simulation) -> EvidenceReader:
    """What reads states and strategies of this model."""
    return EvidenceReader(simulation.system, partial(read_formula, system=simulation.system))


def walk(call: Datum, _: Tell) -> shapes.Here:
    """Go on: ``start`` in an initial state, ``take`` a step, ``back``, ``random`` steps, ``seek`` a condition, ``say`` something."""
    simulation = simulation_along(call)
    remark = ""
    if "start" in call:
        simulation.start(call["start"].count())
    if "back" in call:
        simulation.back(call["back"].count())
    if "take" in call:
        steps = simulation.steps()
        chosen = call["take"].count()
        if chosen >= len(steps):
            raise LookupError(f"there is no step {chosen + 1} here")
        simulation.take(steps[chosen])
    if "random" in call:
        wanted = min(call["random"].count(), _MOST_STEPS)
        made = simulation.walk(wanted)
        remark = "" if made == wanted else f"A dead end was reached after {made} steps."
    if "seek" in call and not simulation.seek(_formula(call["seek"], simulation)):
        remark = "No such state was found nearby."
    if "say" in call:
        if len(simulation.said) == MOST_SAID:
            raise LookupError(f"on one run {MOST_SAID} things can be said")
        simulation.say(_formula(call["say"], simulation))
    return _here(call, simulation, remark)


def _formula(data: Datum, simulation: Simulation) -> Formula:
    try:
        return read_formula(data.text(), simulation.system)
    except InputError as rejected:
        raise LookupError(rejected.diagnostics[0].message) from None


def _here(call: Datum, simulation: Simulation, remark: str = "") -> shapes.Here:
    system = simulation.system
    steps = simulation.steps(MOST_CHOICES + 1)
    return {
        "system": system_data(system),
        "initial": [state_json(system, state) for state in simulation.initial_states],
        "more_initial": simulation.more_initial_states,
        "run": run_data(system, simulation.run),
        "said": [{"moment": moment, "formula": show(formula)} for moment, formula in simulation.said],
        "initially": simulation.begins,
        "acts": [list(acts(system, joint)) for joint in simulation.run.actions],
        "steps": [_step(system, simulation.state, step) for step in steps[:MOST_CHOICES]],
        "more_steps": len(steps) > MOST_CHOICES,
        "true": simulation.true_at(simulation.depth),
        "why": [
            {"agent": fired.agent, "lines": [simulation.written(fired.agent, n, line) for n, line in fired.lines]}
            for fired in (simulation.why() if simulation.depth else ())
            if fired.changes
        ],
        "remark": remark,
        "parts": same_parts(call),
    }


def _step(system: System, state: State, step: Step) -> shapes.Step:
    changed = [index for index, value in enumerate(step.target) if value != state[index]]
    return {
        "joint": joint_json(system, step.joint),
        "acts": list(acts(system, step.joint)),
        "target": state_json(system, step.target),
        "changes": list(facts(system, changed, step.target)),
    }


def knows(call: Datum, _: Tell) -> shapes.Knowledge:
    """What an agent sees and knows here, and the states that look like this one to it."""
    simulation = simulation_along(call)
    agent = call["agent"].text()
    known = simulation.knowledge(agent)
    states = [state for state in simulation.look_alikes(agent) or () if state != simulation.state]
    return {
        "agent": agent,
        "reading": known.reading.value,
        "sees": {name: value_json(value) for name, value in known.sees},
        "count": known.look_alikes,
        "knows": list(known.knows_true),
        "knows_not": list(known.knows_false),
        "unsure": list(known.unsure),
        "undecided": list(known.undecided),
        "states": [state_json(simulation.system, state) for state in states[:_MOST_LOOK_ALIKES]],
    }


def truth(call: Datum, _: Tell) -> shapes.Truth:
    """Whether a formula is true here."""
    simulation = simulation_along(call)
    try:
        formula = read_formula(call["formula"].text(), simulation.system)
    except InputError as rejected:
        return {"true": None, "diagnostics": [message_data(one) for one in rejected.diagnostics]}
    return {"true": simulation.holds(formula), "diagnostics": []}


def film(call: Datum, _: Tell) -> shapes.Film:
    """What is true at each moment of a run: the model's propositions, and the formulae that are watched."""
    simulation = simulation_along(call)
    rows = [_row(simulation, formula) for formula in islice(call["formulae"], _MOST_WATCHED)]
    facts_at = [simulation.true_at(moment) for moment in range(simulation.depth + 1)]
    return {"rows": rows, "true": facts_at}


def _row(simulation: Simulation, data: Datum) -> shapes.FilmRow:
    text = data.text()
    try:
        formula = read_formula(text, simulation.system)
        return {"formula": text, "cells": simulation.film(formula), "problem": ""}
    except InputError as rejected:
        problem = rejected.diagnostics[0].message
    except LookupError as refused:
        problem = str(refused.args[0] if refused.args else refused)
    return {"formula": text, "cells": [], "problem": problem}


def play(call: Datum, _: Tell) -> shapes.PlayHere:
    """What a strategy does here, and what the others can answer; ``take`` is their choice."""
    simulation = simulation_along(call)
    system = simulation.system
    strategy = reader_of(simulation).strategy(call["strategy"])
    if "take" in call:
        answers = simulation.steps_under(strategy)[1]
        chosen = call["take"].count()
        if chosen >= len(answers):
            raise LookupError(f"there is no answer {chosen + 1} here")
        simulation.take(answers[chosen])
    choice, steps = simulation.steps_under(strategy)
    return {
        **_here(call, simulation),
        "choice": None if choice is None else {name: show_act(act) for name, act in choice.items() if act is not None},
        "members": list(strategy.group.members),
        "steps": [_step(system, simulation.state, step) for step in steps],
        "more_steps": len(steps) == MOST_CHOICES,
    }
