"""Drives a program along paths of a model and follows what it does with a monitor."""

from __future__ import annotations

import json
import os
import random
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from epistrat.api import load
from epistrat.records import dataclass, field
from epistrat.running.build import build
from epistrat.running.properties import Wish
from epistrat.running.runtime.answers import Answer, bits, show
from epistrat.running.runtime.monitor import Monitor
from epistrat.running.runtime.tables import Position, Tables

WAIT = 10.0
"""Seconds that an agent which is not driven has to act."""
MOST_DETOURS = 5
RANDOM_STEPS = 30


class Driver(Protocol):
    """What connects a model with the program: it performs actions of the model, and says what can be seen.

    Optional: ``joint(actions)`` performs what several agents do in one step, ``wait(timeout)`` gives the next action of an agent that is
    not driven (``{"agent": ..., "action": ...}``), ``close()`` ends a run.
    """

    def reset(self, state: Mapping[str, Any]) -> None:
        """Begin a run in an initial state of the model."""

    def do(self, agent: str, action: str) -> None:
        """Perform one action."""

    def see(self) -> Mapping[str, Any]:
        """What can be seen now: variables of the model and their values; need not be everything."""


class Different(AssertionError):
    """The program did something that the model does not allow."""


@dataclass
class Coverage:
    """Which steps and actions of models were made."""

    made: dict[str, set[tuple[int, int, int]]] = field(default_factory=dict)
    tables: dict[str, Tables] = field(default_factory=dict)

    def step(self, name: str, tables: Tables, before: Position, events: Iterable[int], after: Position) -> None:
        """Remember a step, where it is clear which one it was."""
        self.tables[name] = tables
        done = self.made.setdefault(name, set())
        if before.states.bit_count() != 1 or after.states.bit_count() != 1:
            return
        source, target = next(bits(before.states)), next(bits(after.states))
        for event in events:
            if target in tables.successors[event].get(source, ()):
                done.add((source, event, target))

    def report(self) -> list[dict[str, Any]]:
        """For each model how many of its steps and actions were made."""
        found = []
        for name, tables in self.tables.items():
            made = self.made[name]
            actions = {tables.words(event) for event in range(len(tables.events)) if tables.successors[event]}
            steps = sum(len(targets) for rows in tables.successors for targets in rows.values())
            done = {tables.words(event) for _, event, _ in made}
            found.append({"model": name, "transitions": [len(made), steps], "actions": [len(done), len(actions)]})
        return found


class Paths:
    """The paths of a generated test, in the format of logs, and the model that they are from."""

    def __init__(self, file: Path, *, model: str, parameters: Mapping[str, int], drives: Sequence[str] = ()) -> None:
        self._file, self._drives = file, tuple(drives)
        self._model = Path(os.path.normpath(file.parent / model))
        self._parameters = dict(parameters)
        self._monitor: type[Monitor] | None = None
        self._runs: dict[str, list[dict[str, Any]]] = {}
        for line in file.read_text(encoding="utf-8").splitlines():
            event = json.loads(line)
            self._runs.setdefault(event["run"], []).append(event)

    def names(self, bugs: Mapping[str, str] | None = None) -> list[Any]:
        """The names of the paths, for ``parametrize``; those of bugs are expected to fail until they are mended."""
        import pytest

        marks = {name: pytest.mark.xfail(strict=True, reason=why) for name, why in (bugs or {}).items()}
        return [pytest.param(name, marks=marks[name]) if name in marks else name for name in self._runs]

    def monitor(self) -> Monitor:
        """A monitor of the model."""
        if self._monitor is None:
            self._monitor = build(load(self._model, strict=False, **self._parameters), Wish()).monitor()
        return self._monitor()

    def follow(self, name: str, driver: Any, coverage: Coverage | None = None, *, never: str | None = None) -> None:
        """Drive the program along a path; raises `Different` where it does what the model does not allow.

        ``never``: the path is a bug, described by these words; then `Different` is raised if the program can follow it to its end.
        """
        start, *events = self._runs[name]
        run = Run(self._model.name, self.monitor(), driver, self._drives, coverage)
        with run:
            try:
                run.begin(start["see"])
                run.along(events)
            except Different:
                if never:
                    return
                raise
        if never:
            raise Different(f"the program can do {', '.join(run.done)}: {never}")

    def walk(self, seed: int, driver: Any, coverage: Coverage | None = None, steps: int = RANDOM_STEPS) -> None:
        """Drive the program along a random run."""
        chance, monitor = random.Random(seed), self.monitor()
        run = Run(self._model.name, monitor, driver, self._drives, coverage)
        with run:
            run.begin(chance.choice(monitor.states(1_000)))
            for _ in range(steps):
                enabled = monitor.enabled()
                if not enabled:
                    return
                chosen = chance.choice(enabled)
                run.step({"action": chosen} if isinstance(chosen, str) else {"do": chosen})


class Run:
    """One run of the program, driven and followed."""

    def __init__(
        self, name: str, monitor: Monitor, driver: Any, drives: Sequence[str] = (), coverage: Coverage | None = None
    ) -> None:
        self._name, self._monitor, self._driver, self._coverage = name, monitor, driver, coverage
        self._tables = monitor.tables
        self._drives = tuple(drives) or tuple(self._tables.agents)
        self.done: list[str] = []

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        if hasattr(self._driver, "close"):
            self._driver.close()

    def begin(self, state: Mapping[str, Any]) -> None:
        """Begin in an initial state of the model."""
        self._driver.reset(dict(state))
        self._monitor.start(state)
        seen = dict(self._driver.see() or {})
        for variable, value in seen.items():
            if variable in state and value is not None and state[variable] != value:
                raise Different(
                    f"start: the model says {variable} = {show(state[variable])}, the program {show(value)}"
                )

    def along(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Make the steps of a path; where the program goes another way that the model allows, go on from there to the last step."""
        detours, left = 0, deque(events)
        while left:
            event = left.popleft()
            self.step(event)
            if not self._tables.fitting(self._tables.seen(event["see"])) & self._monitor.position().states:
                detours += 1
                last = events[-1]
                way = None if detours > MOST_DETOURS else self._way(last)
                if way is None:
                    import pytest

                    pytest.skip(f"the program went another way that the model allows: {'; '.join(self.done[-3:])}")
                left = deque([*way, last] if left or event is not last else [])

    def _way(self, last: Mapping[str, Any]) -> list[dict[str, Any]] | None:
        """Steps from here to where the last step of the path can be made; None if there is no way, or it is not clear where this is."""
        tables, position = self._tables, self._monitor.position()
        if position.states.bit_count() != 1:
            return None
        wanted = self._events(last)
        here = next(bits(position.states))
        parent: dict[int, tuple[int, int] | None] = {here: None}
        queue = deque([here])
        while queue:
            state = queue.popleft()
            if any(state in tables.successors[event] for event in wanted):
                found: list[dict[str, Any]] = []
                while (origin := parent[state]) is not None:
                    found.append(self._told(origin[1], state))
                    state = origin[0]
                return found[::-1]
            for event in range(len(tables.events)):
                for target in tables.successors[event].get(state, ()):
                    if target not in parent:
                        parent[target] = (state, event)
                        queue.append(target)
        return None

    def _told(self, event: int, state: int) -> dict[str, Any]:
        tables = self._tables
        see = {name: values[tables.codes[place][state]] for place, (name, _, values) in enumerate(tables.variables)}
        joint = tables.events[event]
        if tables.interleaved:
            return {"action": tables.words(event), "see": see}
        return {
            "do": {name: act for name, act in zip(tables.agents, joint, strict=True) if act is not None},
            "see": see,
        }

    def _events(self, event: Mapping[str, Any]) -> tuple[int, ...]:
        do: dict[str | None, str] = {None: event["action"]} if "action" in event else dict(event["do"])
        return self._tables.matching(do)

    def step(self, event: Mapping[str, Any]) -> None:
        """Have one step made, and compare."""
        number, before = len(self.done) + 1, self._monitor.position()
        do = self._perform(event)
        seen = dict(self._driver.see() or {})
        answer = self._monitor.step(do, seen)
        words = ", ".join(do.values())
        if answer.kind == "refused":
            raise Different(self._difference(number, words, before, self._tables.matching(do), seen, answer))
        self.done.append(words)
        if self._coverage is not None:
            self._coverage.step(self._name, self._tables, before, self._tables.matching(do), self._monitor.position())

    def _perform(self, event: Mapping[str, Any]) -> dict[str | None, str]:
        """Have the program do what a step says; what really was done."""
        if "action" in event:
            action = event["action"]
            part = [name for name, actions in self._tables.agents.items() if action in actions]
            mine = [name for name in part if name in self._drives]
            if mine:
                self._driver.do(mine[0], action)
                return {None: action}
            return self._awaited(action)
        acts = {name: action for name, action in event["do"].items() if name in self._drives}
        if hasattr(self._driver, "joint"):
            self._driver.joint(acts)
        else:
            for name, action in acts.items():
                self._driver.do(name, action)
        return dict(acts)

    def _awaited(self, action: str) -> dict[str | None, str]:
        if not hasattr(self._driver, "wait"):
            import pytest

            pytest.skip(f"{action} belongs to nobody that is driven, and the driver has no wait()")
        happened = self._driver.wait(WAIT)
        if happened is None:
            raise Different(
                f"step {len(self.done) + 1}: nothing happened within {WAIT:g} s; the model goes on with {action}"
            )
        return {happened.get("agent"): happened["action"]}

    def _difference(
        self,
        number: int,
        words: str,
        before: Position,
        events: tuple[int, ...],
        seen: Mapping[str, Any],
        answer: Answer,
    ) -> str:
        """Both values where they differ, and the run so far."""
        tables = self._tables
        states = tables.image(before.states, events, None)
        parts: list[str] = []
        for variable, value in seen.items():
            if value is None or not states or states & tables.fitting(tables.seen({variable: value})):
                continue
            place = tables.variable[variable]
            known = dict.fromkeys(
                show(tables.variables[place][2][tables.codes[place][state]]) for state in bits(states)
            )
            parts.append(f"the model says {variable} = {' or '.join(known)}, the program {show(value)}")
        said = "; ".join(parts) or answer.text.partition(": ")[2]
        run = "\n" + f"the run: {', '.join([*self.done, words])}"
        return f"step {number}, {words}: {said}{run}"
