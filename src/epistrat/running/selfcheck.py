"""Compares a generated file with the model: a second process follows random runs, good and damaged, and so does `model.step`.

The tracker here takes the steps of the reference semantics and the definition of a set of possible states, and nothing of the tables.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from epistrat.model.initial import initial_states
from epistrat.model.state import Joint, State
from epistrat.model.step import Step, Stepper
from epistrat.model.system import System
from epistrat.render.json.report import value_json
from epistrat.running.build import Built

CHECKED_STATES = 2_000
WALKS = 10_000
LENGTH = 6

_CHILD = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("guard", sys.argv[1])
guard = importlib.util.module_from_spec(spec)
sys.modules["guard"] = guard
spec.loader.exec_module(guard)
monitor = guard.Monitor()
for line in sys.stdin:
    monitor.reset()
    found = []
    for do, see in json.loads(line):
        answer = monitor.step({None if agent == "" else agent: action for agent, action in do.items()}, see)
        found.append(-1 if answer.kind == "refused" else answer.possible)
    print(json.dumps(found))
"""


class Tracker:
    """The states that are possible after events, by the definition: every step that agrees with what was told."""

    def __init__(self, system: System, hidden: tuple[str, ...]) -> None:
        self._system, self._hidden = system, frozenset(hidden)
        self._stepper = Stepper(system)
        self._steps: dict[State, list[Step]] = {}
        self._place = {agent.name: place for place, agent in enumerate(system.agents)}
        self._variable = {str(variable): place for place, variable in enumerate(system.variables)}
        self.initial = list(initial_states(system, CHECKED_STATES + 1))

    def steps(self, state: State) -> list[Step]:
        """The steps from a state."""
        if state not in self._steps:
            self._steps[state] = list(self._stepper.steps(state))
        return self._steps[state]

    def closed(self, states: frozenset[State]) -> frozenset[State]:
        """With all that hidden actions lead to."""
        found, work = set(states), list(states) if self._hidden else []
        while work:
            for joint, target in self.steps(work.pop()):
                if target not in found and any(action in self._hidden for action in joint):
                    found.add(target)
                    work.append(target)
        return frozenset(found)

    def after(self, states: frozenset[State], do: dict[str, str], see: dict[str, Any]) -> frozenset[State]:
        """The states that are possible after one more event; none if it is not allowed."""
        return frozenset(
            target
            for state in states
            for joint, target in self.steps(state)
            if self._agrees(joint, do) and self._fits(target, see)
        )

    def _agrees(self, joint: Joint, do: dict[str, str]) -> bool:
        if self._system.interleaved:
            return all(action in joint for action in do.values()) and not any(one in self._hidden for one in joint)
        return all(joint[self._place[agent]] == action for agent, action in do.items())

    def _fits(self, state: State, see: dict[str, Any]) -> bool:
        return all(value_json(state[self._variable[name]]) == value for name, value in see.items())


def random_walk(
    system: System, tracker: Tracker, chance: random.Random, hidden: tuple[str, ...]
) -> list[tuple[Any, Any]]:
    """The events of a run as they might be told: a part of each step, some values after it, and sometimes something wrong."""
    state = chance.choice(tracker.initial)
    told: list[tuple[Any, Any]] = []
    while len(told) < LENGTH and chance.random() > 0.05:
        steps = tracker.steps(state)
        if not steps:
            break
        joint, state = chance.choice(steps)
        acting = [(agent, one) for agent, one in zip(system.agents, joint, strict=True) if one is not None]
        if any(one in hidden for one in joint):
            continue
        some = [pair for pair in acting if chance.random() < 0.7]
        do = {"": acting[0][1]} if system.interleaved else {agent.name: one for agent, one in some}
        shown = [pair for pair in zip(system.variables, state, strict=True) if chance.random() < 0.2]
        told.append((do, {str(variable): value_json(value) for variable, value in shown}))
    if told and chance.random() < 0.5:
        _damage(system, told, chance, hidden)
    return told


def _damage(system: System, told: list[tuple[Any, Any]], chance: random.Random, hidden: tuple[str, ...]) -> None:
    """Make one event another one."""
    place = chance.randrange(len(told))
    do = dict(told[place][0])
    for agent in do:
        owners = [one for one in system.agents if agent in ("", one.name)]
        actions = [action for one in owners for action in one.actions if action not in hidden]
        do[agent] = chance.choice(actions)
        break
    told[place] = (do, told[place][1])


def differences(text: str, built: Built, walks: int = WALKS, seed: int = 0) -> str | None:
    """What the file answers differently from the model, in words; None if nothing was found."""
    system, hidden = built.system, built.plan.hidden
    tracker, chance = Tracker(system, hidden), random.Random(seed)
    if not tracker.initial:
        return None
    logs = [random_walk(system, tracker, chance, hidden) for _ in range(walks)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "guard.py"
        file.write_text(text, encoding="utf-8")
        answered = subprocess.run(
            [sys.executable, "-I", "-c", _CHILD, str(file)],
            input="\n".join(map(json.dumps, logs)),
            capture_output=True,
            text=True,
            check=False,
        )
    if answered.returncode:
        return answered.stderr.strip().splitlines()[-1] if answered.stderr.strip() else "it cannot be imported"
    for log, line in zip(logs, answered.stdout.splitlines(), strict=True):
        expected, states = [], tracker.closed(frozenset(tracker.initial))
        for do, see in log:
            states = tracker.closed(tracker.after(states, do, see)) if states else states
            expected.append(len(states) or -1)
        if expected != json.loads(line):
            return f"after {json.dumps(log)}: {line} states are possible, by the model {expected}"
    return None
