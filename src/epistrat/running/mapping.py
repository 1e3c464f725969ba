"""Logs of other programs: a mapping in TOML says where in their lines the action, the agent and the values stand."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from epistrat.model.system import System
from epistrat.records import dataclass, field
from epistrat.running.logs import BadLog, Log, LogEvent, objects, seconds_of

_PATHS = ("action", "agent", "run", "time", "id")
_HOLE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Case:
    """Where these paths have these values, the action is this text; paths in braces stand for values."""

    action: str
    when: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mapped:
    """A mapping.  ``timeout`` are seconds of silence, and the action that they mean."""

    name: str
    paths: Mapping[str, str]
    cases: Mapping[str, tuple[Case, ...]]
    see: Mapping[str, str]
    values: Mapping[str, Mapping[str, Any]]
    hidden: tuple[str, ...] = ()
    strict: bool = False
    timeout: tuple[float, str] | None = None


def read_mapping(name: str, text: str, system: System) -> Mapped:
    """A mapping for a model; raises `BadLog` where it cannot be meant, with what may be."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise BadLog(f"{name}: {wrong}") from None
    return _Reader(name, system).mapping(found)


class _Reader:
    """Reads one mapping; names are compared with those of the model."""

    def __init__(self, name: str, system: System) -> None:
        self._name = name
        self._actions = [action for agent in system.agents for action in agent.actions]
        self._variables = [str(variable) for variable in system.variables]

    def mapping(self, found: dict[str, Any]) -> Mapped:
        self._keys(found, ("events", "timeout"), "the mapping")
        events = self._table(found.get("events", {}), "[events]")
        self._keys(events, (*_PATHS, "hidden", "unmapped", "actions", "see", "values"), "[events]")
        if events.get("unmapped", "ignore") not in ("ignore", "error"):
            raise self._wrong('[events] unmapped is "ignore" or "error"')
        hidden = events.get("hidden", [])
        if not isinstance(hidden, list) or not all(isinstance(one, str) for one in hidden):
            raise self._wrong("[events] hidden is a list of actions")
        see = self._texts(events.get("see", {}), "[events.see]")
        values = self._table(events.get("values", {}), "[events.values]")
        for variable in (*see, *values):
            self._known(variable, self._variables, "variable")
        return Mapped(
            self._name,
            self._texts({key: events[key] for key in _PATHS if key in events}, "[events]"),
            {
                raw: self._cases(raw, given)
                for raw, given in self._table(events.get("actions", {}), "[events.actions]").items()
            },
            see,
            {one: self._table(table, f"[events.values.{one!r}]") for one, table in values.items()},
            tuple(hidden),
            events.get("unmapped") == "error",
            self._timeout(found.get("timeout")),
        )

    def _cases(self, raw: str, given: Any) -> tuple[Case, ...]:
        found: list[Case] = []
        for one in given if isinstance(given, list) else [given]:
            case = {"action": one} if isinstance(one, str) else self._table(one, f"[events.actions] {raw!r}")
            self._keys(case, ("when", "action"), f"[events.actions] {raw!r}")
            if not isinstance(case.get("action"), str):
                raise self._wrong(f"[events.actions] {raw!r} names no action")
            if not _HOLE.search(case["action"]):
                self._known(case["action"], self._actions, "action")
            found.append(Case(case["action"], self._table(case.get("when", {}), "when")))
        return tuple(found)

    def _timeout(self, given: Any) -> tuple[float, str] | None:
        if given is None:
            return None
        table = self._table(given, "[timeout]")
        self._keys(table, ("after", "action"), "[timeout]")
        after, action = table.get("after"), table.get("action")
        if isinstance(after, bool) or not isinstance(after, (int, float)) or after <= 0 or not isinstance(action, str):
            raise self._wrong("[timeout] has `after`, seconds above 0, and the `action` that so much silence means")
        self._known(action, self._actions, "action")
        return float(after), action

    def _table(self, given: Any, where: str) -> dict[str, Any]:
        if not isinstance(given, dict):
            raise self._wrong(f"{where} is a table")
        return given

    def _texts(self, given: Any, where: str) -> dict[str, str]:
        for key, one in self._table(given, where).items():
            if not isinstance(one, str):
                raise self._wrong(f'{where} {key} is a path, such as "event.name"')
        return dict(given)

    def _keys(self, given: Iterable[str], known: Sequence[str], where: str) -> None:
        for key in given:
            if key not in known:
                raise self._wrong(f"{where} has no {key!r}; it has {', '.join(known)}")

    def _known(self, name: str, names: Sequence[str], kind: str) -> None:
        if name not in names:
            near = get_close_matches(name, names, 1, 0.5)
            raise self._wrong(f"the model has no {kind} {name}{f'; did you mean {near[0]}?' if near else ''}")

    def _wrong(self, words: str) -> BadLog:
        return BadLog(f"{self._name}: {words}")


def mapped_log(mapping: Mapped, system: System, name: str, lines: Iterable[str]) -> Log:
    """The events that a mapping finds in a log; raises `BadLog`."""
    actions = {action for agent in system.agents for action in agent.actions}
    found: list[LogEvent] = []
    ignored = 0
    last: dict[str | None, float] = {}
    for number, line in objects(name, lines):
        action = _action(mapping, line, actions)
        if action is None:
            ignored += 1
            if mapping.strict:
                raise BadLog(
                    f"{name}:{number}: no entry of {mapping.name} is about {_at(line, mapping.paths.get('action', 'action'))!r}"
                )
            continue
        event = _event(mapping, name, number, line, action)
        if mapping.timeout is not None and event.time is not None:
            before = last.get(event.run)
            if before is not None and event.time - before >= mapping.timeout[0]:
                found.append(
                    LogEvent(number, {None: mapping.timeout[1]}, time=before + mapping.timeout[0], run=event.run)
                )
            last[event.run] = event.time
        found.append(event)
    return Log(name, tuple(found), ignored)


def _event(mapping: Mapped, name: str, number: int, line: Mapping[str, Any], action: str) -> LogEvent:
    def at(key: str) -> Any:
        return _at(line, mapping.paths[key]) if key in mapping.paths else None

    time = at("time")
    if time is not None and (isinstance(time, bool) or not isinstance(time, (int, float))):
        raise BadLog(f"{name}:{number}: {mapping.paths['time']} is {time!r}, no number of seconds")
    time = seconds_of(name, number, time)
    see: dict[str, Any] = {}
    for variable, path in mapping.see.items():
        value = _at(line, path)
        table = mapping.values.get(variable, {})
        see[variable] = table.get(_text(value), value) if value is not None else None
    agent, run, known = at("agent"), at("run"), at("id")
    return LogEvent(
        number,
        {None if agent is None else str(agent): action},
        {variable: value for variable, value in see.items() if value is not None},
        time,
        None if run is None else str(run),
        None if known is None else str(known),
    )


def _action(mapping: Mapped, line: Mapping[str, Any], actions: set[str]) -> str | None:
    """The action of a line; None if it is about none."""
    raw = _at(line, mapping.paths.get("action", "action"))
    for case in mapping.cases.get(_text(raw), ()):
        if all(_at(line, path) == value for path, value in case.when.items()):
            return _HOLE.sub(lambda hole: _text(_at(line, hole[1])), case.action)
    return raw if isinstance(raw, str) and raw in actions else None


def _at(line: Any, path: str) -> Any:
    """What stands at a path such as ``event.name``; None if nothing does."""
    if isinstance(line, dict) and path in line:
        return line[path]
    for part in path.split("."):
        if isinstance(line, list) and part.isdecimal() and len(part) < 10 and int(part) < len(line):
            line = line[int(part)]
        elif isinstance(line, dict) and part in line:
            line = line[part]
        else:
            return None
    return line


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
