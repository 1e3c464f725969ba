"""What agents and strategies remember, read back from a report: the system that it is about."""

from __future__ import annotations

from epistrat.logic.formula import Reading
from epistrat.model.system import System
from epistrat.model.transform.memory import MOST_STATES, StrategyMemory
from epistrat.model.transform.recall import MOST_RECALLED, Recalling
from epistrat.render.json.cursor import Datum


def read_guards(report: Datum) -> Reading | None:
    """How the guards of a program were read, where the report says it."""
    if "guards" not in report:
        return None
    said = report["guards"].text()
    known = {one.value: one for one in (Reading.CLOCK, Reading.RECALL)}
    if said not in known:
        raise report["guards"].wrong(f"this should be {' or '.join(known)}")
    return known[said]


def read_recall(system: System, report: Datum) -> System:
    """The system that a report is about: the model, or the model whose agents remember more."""
    if "strategy_memory" in report:
        return _read_memory(system, report["strategy_memory"]).of(_read_recall(system, report))
    return _read_recall(system, report)


def _read_memory(system: System, memory: Datum) -> StrategyMemory:
    states, agents = memory["states"], list(memory["agents"])
    if not 2 <= states.count() <= MOST_STATES:
        raise states.wrong(f"this should be a number between 2 and {MOST_STATES}")
    if system.interleaved:
        raise memory.wrong("strategies of an interleaved system have no memory")
    for agent in agents:
        if agent.text() not in system.agent:
            raise agent.wrong("the model has no such agent")
    return StrategyMemory(states.count(), tuple(agent.text() for agent in agents), memory["free"].flag())


def _read_recall(system: System, report: Datum) -> System:
    if "recall" not in report:
        return system
    steps, agents = report["recall"]["steps"], list(report["recall"]["agents"])
    if not 1 <= steps.count() <= MOST_RECALLED:
        raise steps.wrong(f"this should be a number between 1 and {MOST_RECALLED}")
    for agent in agents:
        if agent.text() not in system.views:
            raise agent.wrong("the model has no such agent")
    return Recalling(steps.count(), tuple(agent.text() for agent in agents)).of(system)
