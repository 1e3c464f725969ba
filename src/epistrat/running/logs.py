"""Logs of programs: one JSON object for each event, and what else can be made into that.

An event is ``{"action": "lease[1]", "agent": "Orchestrator", "see": {...}, "time": 12.5, "run": "r7", "id": "1"}``, in a synchronous model
``{"do": {"Voter[1]": "say_yes"}}``; ``{"start": true, "see": {...}}`` begins a run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import Any, TypeAlias

from epistrat.records import dataclass, field

Json: TypeAlias = Any
_KEYS = ("action", "agent", "do", "see", "time", "run", "id", "start")
LONGEST_LINE = 1_000_000


class BadLog(ValueError):
    """A log or mapping that cannot be read; says what is wrong and where."""


@dataclass(frozen=True, slots=True)
class LogEvent:
    """What a line of a log tells.  ``do`` is None where a run begins, and empty where a step is told without who did what."""

    line: int
    do: Mapping[str | None, str] | None
    see: Mapping[str, Any] = field(default_factory=dict)
    time: float | None = None
    run: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Log:
    """The events of one log, in their order; ``ignored`` lines told nothing of the model."""

    name: str
    events: tuple[LogEvent, ...]
    ignored: int = 0


def objects(name: str, lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Json]]]:
    """The JSON objects of a log, with the numbers of their lines; raises `BadLog`."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if len(line) > LONGEST_LINE:
            raise BadLog(f"{name}:{number}: the line has more than {LONGEST_LINE:,} characters")
        try:
            found = json.loads(line)
        except ValueError as wrong:
            raise BadLog(f"{name}:{number}: this is no JSON: {wrong}") from None
        except RecursionError:
            raise BadLog(f"{name}:{number}: this JSON is nested too deeply") from None
        if not isinstance(found, dict):
            raise BadLog(f"{name}:{number}: an event is a JSON object, not {line.strip()[:40]}")
        yield number, found


def read_log(name: str, lines: Iterable[str]) -> Log:
    """A log in epistrat's own format; raises `BadLog`."""
    return Log(name, tuple(event_of(name, number, found) for number, found in objects(name, lines)))


def event_of(name: str, number: int, found: Mapping[str, Json]) -> LogEvent:
    """One event; raises `BadLog` with the place where something is wrong."""

    def wrong(words: str) -> BadLog:
        return BadLog(f"{name}:{number}: {words}")

    for key in found:
        if key not in _KEYS:
            raise wrong(f"an event has no {key!r}; it has {', '.join(_KEYS)} (a mapping reads other logs: --map)")
    see, do = found.get("see") or {}, found.get("do")
    if not isinstance(see, dict):
        raise wrong("`see` is an object of variables and their values")
    if do is not None and not (isinstance(do, dict) and all(isinstance(one, str) for one in do.values())):
        raise wrong("`do` is an object of agents and their actions")
    time = found.get("time")
    if time is not None and (isinstance(time, bool) or not isinstance(time, (int, float))):
        raise wrong("`time` is a number of seconds")
    time = seconds_of(name, number, time)
    for key in ("action", "agent"):
        if not isinstance(found.get(key, ""), (str, type(None))):
            raise wrong(f"`{key}` is a text")
    told: Mapping[str | None, str] | None
    if found.get("start"):
        told = None
    elif do is not None:
        told = do
    elif found.get("action") is not None:
        told = {found.get("agent"): found["action"]}
    else:
        raise wrong("nothing is told: an event has an `action`, or `do`, or it is the `start`")
    run, known = found.get("run"), found.get("id")
    return LogEvent(number, told, see, time, None if run is None else str(run), None if known is None else str(known))


def seconds_of(name: str, number: int, time: float | None) -> float | None:
    """A time as a float; raises `BadLog` for one that is no time, such as NaN."""
    try:
        found = None if time is None else float(time)
    except OverflowError:
        found = float("inf")
    if found is not None and not isfinite(found):
        raise BadLog(f"{name}:{number}: the time is no number of seconds that can be counted with")
    return found


def as_logs(found: Json) -> Iterator[dict[str, Json]]:
    """The runs in what ``simulate --json`` or ``check --json --evidence`` printed, as lines of a log."""
    runs = list(_runs(found))
    for number, (name, states, actions) in enumerate(runs, start=1):
        run = {"run": name or str(number)} if len(runs) > 1 else {}
        yield {"start": True, "see": states[0], **run}
        for joint, state in zip(actions, states[1:], strict=False):
            if not joint:
                continue
            told = {"action": joint["action"]} if set(joint) == {"action"} else {"do": joint}
            yield {**told, "see": state, **run}


def _runs(found: Json, name: str = "") -> Iterator[tuple[str, list[Json], list[Json]]]:
    """Everything that has states and the actions between them."""
    if isinstance(found, list):
        for one in found:
            yield from _runs(one, name)
    elif isinstance(found, dict):
        name = str(found.get("name") or found.get("index") or name)
        states, actions = found.get("states"), found.get("actions")
        if isinstance(states, list) and isinstance(actions, list) and states and isinstance(states[0], dict):
            yield name, states, actions
            return
        for one in found.values():
            yield from _runs(one, name)
