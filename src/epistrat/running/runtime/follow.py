"""Follows one run: what was told so far, and what is possible now."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from epistrat.running.runtime.answers import Answer, bits, listing, meant, show
from epistrat.running.runtime.tables import Position, Tables

# What follows is copied into generated files.

STATUSES = ("violated", "perhaps violated", "lost", "open", "settled")
STANDING = {"violated": "is violated", "perhaps violated": "is perhaps violated", "lost": "is lost"}
KEPT_IDS = 10_000
KEPT_ANSWERS = 1_000


class Follower:
    """Follows one run of the program.  ``log`` is called with each event as plain data."""

    tables: Tables

    def __init__(
        self,
        *,
        start: str = "initial",
        most: int = 100_000,
        mode: str = "enforce",
        log: Callable[[dict[str, Any]], object] | None = None,
    ) -> None:
        if start not in ("initial", "any") or mode not in ("enforce", "shadow"):
            raise ValueError('start is "initial" or "any", mode is "enforce" or "shadow"')
        self._from, self._most, self._mode, self._log = start, most, mode, log
        self._changed = threading.Condition(threading.RLock())
        self._ids: dict[str, None] = {}
        self._begin(None)

    def _begin(self, see: Mapping[str, Any] | None, anywhere: bool = False) -> Answer:
        tables = self.tables
        seen = tables.seen(see)
        begins = tables.anywhere if anywhere or self._from == "any" else tables.initial
        states = begins & tables.fitting(seen)
        self._step, self._ended = 0, ""
        self._told: deque[str] = deque(maxlen=KEPT_ANSWERS)
        self._missing = self._untold(see)
        self._position = tables.at(states)
        if not states:
            return self._stop("refused", "start: no state of the model where a run begins has these values")
        return self._answer("start", tables.changes(None, self._position))

    def _untold(self, see: Mapping[str, Any] | None) -> str:
        names = [self.tables.variables[one][0] for one in self.tables.sees]
        return listing([name for name in names if (see or {}).get(name) is None])

    def start(self, see: Mapping[str, Any] | None = None) -> Answer:
        """Begin a run, in the initial states that fit what is seen."""
        with self._changed:
            self.tables.seen(see)  # raises before anything is changed
            if self._log is not None:
                self._log({"start": True, **({"see": dict(see)} if see else {})})
            self._ids.clear()
            return self._begin(see)

    def reset(self, see: Mapping[str, Any] | None = None) -> Answer:
        """Forget the run and begin another."""
        return self.start(see)

    def resync(self, see: Mapping[str, Any] | None = None) -> Answer:
        """Follow the run again, from all reachable states that fit what is seen now."""
        with self._changed:
            step = self._step
            answer = self._begin(see, anywhere=True)
            self._step = step
            self._changed.notify_all()
            return answer

    def event(
        self, agent: str | None, action: str, see: Mapping[str, Any] | None = None, id: str | None = None
    ) -> Answer:
        """Record that an action has happened; ``see`` holds values after it, ``id`` marks reports that may be sent twice."""
        return self.step({agent: action}, see, id)

    def step(self, actions: Mapping[Any, str], see: Mapping[str, Any] | None = None, id: str | None = None) -> Answer:
        """Record one step: what some agents did, the others may have done anything."""
        with self._changed:
            return self._record(actions, see, id)

    def _record(
        self, actions: Mapping[str | None, str], see: Mapping[str, Any] | None = None, id: str | None = None
    ) -> Answer:
        tables = self.tables
        try:
            events, seen = tables.matching(actions), tables.seen(see) if see else ()
        except ValueError as wrong:
            raise ValueError(f"step {self._step + 1}: {wrong}") from None
        if id is not None:
            if id in self._ids:
                return self._again(id)
            self._ids[id] = None
            if len(self._ids) > KEPT_IDS:
                del self._ids[next(iter(self._ids))]
        if self._log is not None:
            self._log(self._logged(actions, see, id))
        if self._ended:
            return self._not_followed()
        position = self._position
        move = position.moves.get((events, seen))
        if move is None:
            move = position.moves[events, seen] = tables.move(position, events, seen)
        self._step += 1
        after, why, changes = move
        if after is None:
            return self._refuse(actions, why)
        self._position = after
        if after.states.bit_count() > self._most:
            return self._stop(
                "lost track", f"more than {self._most:,} states are possible; the run is no longer followed."
            )
        if tables.sees:
            self._missing = self._untold(see)
        self._changed.notify_all()
        return self._answer(f"step {self._step}", changes)

    def _not_followed(self) -> Answer:
        return Answer("lost track" if "no longer" in self._ended else "refused", self._step, self._ended)

    def _again(self, id: str) -> Answer:
        """How things stand, for a report that was sent before."""
        if self._ended:
            return self._not_followed()
        worst = self.property
        kind = "conforms" if worst == "open" else worst
        text = f"step {self._step}: {id} was told before"
        return Answer(kind, self._step, text, possible=self.possible(), property=worst)

    def _logged(
        self, actions: Mapping[str | None, str], see: Mapping[str, Any] | None, id: str | None
    ) -> dict[str, Any]:
        if self.tables.interleaved and len(actions) == 1:
            ((agent, action),) = actions.items()
            found: dict[str, Any] = {"action": action, **({"agent": agent} if agent else {})}
        else:
            found = {"do": dict(actions)}
        return found | ({"see": dict(see)} if see else {}) | ({"id": id} if id else {})

    def _refuse(self, actions: Mapping[str | None, str], why: str) -> Answer:
        words = listing(actions.values()) if self.tables.interleaved else self._joint(actions)
        if why:
            return self._stop("refused", f"{words} is allowed here, but {why}.")
        allowed = self._enabled()
        some = f"Allowed: {listing(allowed)}." if allowed else "The model allows nothing here."
        return self._stop("refused", f"the model does not allow {words} here. {some}")

    def _joint(self, actions: Mapping[str | None, str]) -> str:
        return ", ".join(f"{agent}: {action}" for agent, action in actions.items()) or "a step"

    def _stop(self, kind: str, words: str) -> Answer:
        answer = self._kept(Answer(kind, self._step, f"step {self._step}: {words}", allowed=tuple(self._enabled())))
        self._ended = f"not followed since step {self._step}"
        if kind == "lost track":
            self._ended = f"step {self._step}: {words}"
        self._changed.notify_all()
        return answer

    def _answer(self, where: str, changes: tuple[str, ...]) -> Answer:
        position = self._position
        worst = min(position.statuses, key=STATUSES.index, default="open")
        count = position.states.bit_count()
        text = f"{where}: {' '.join(changes)}"
        if not changes:
            text += f"conforms; {count:,} state{' is' if count == 1 else 's are'} possible"
            named = zip(self.tables.properties, position.statuses, strict=True)
            text += "".join([f"; {one.name} {STANDING[status]}" for one, status in named if status in STANDING])
        if self._missing:
            text += f" Not told: {self._missing}."
        allowed = tuple([self.tables.words(event) for event in position.enabled[:8]])
        kind = "conforms" if worst == "open" else worst
        return self._kept(Answer(kind, self._step, text, changes, allowed, count, worst))

    def _kept(self, answer: Answer) -> Answer:
        self._told.append(answer.text)
        return answer

    def _enabled(self) -> list[str]:
        return [self.tables.words(event) for event in self._position.enabled]

    def position(self) -> Position:
        """What is possible now; positions never change."""
        return self._position

    def possible(self) -> int:
        """How many states of the model are possible."""
        return self._position.states.bit_count()

    def states(self, most: int = 10) -> list[dict[str, Any]]:
        """Some of the possible states, as values by the names of variables."""
        tables = self.tables
        found: list[dict[str, Any]] = []
        for state in bits(self._position.states):
            if len(found) >= most:
                break
            places = enumerate(tables.variables)
            found.append({name: values[tables.codes[place][state]] for place, (name, _, values) in places})
        return found

    def value(self, name: str) -> Any:
        """The value of a variable (``"Agent.variable"``), where it is the same in all possible states; else None."""
        self.tables.seen({name: None})
        place = self.tables.variable[name]
        codes = {self.tables.codes[place][state] for state in bits(self._position.states)}
        return self.tables.variables[place][2][codes.pop()] if len(codes) == 1 else None

    def holds(self, name: str) -> bool | None:
        """Whether a watch is true in all possible states, in none (False), or that is not known (None).

        Of a property: whether it is settled, violated, or neither.
        """
        watched = [one for one, _, _ in self.tables.watches]
        if name in watched:
            return self._position.watched[watched.index(name)]
        if name in self.properties:
            return {"settled": True, "violated": False}.get(self.properties[name])
        raise ValueError(f"there is no watch or property {name}{meant(name, [*watched, *self.properties])}")

    def knows(self, name: str) -> bool | None:
        """The same as `holds`, for watches about knowledge."""
        return self.holds(name)

    def enabled(self) -> list[Any]:
        """What the model allows now: actions; in a synchronous model joint actions, by agent."""
        tables = self.tables
        if self._ended:
            return []
        if tables.interleaved:
            return self._enabled()
        joints = [zip(tables.agents, tables.events[event], strict=True) for event in self._position.enabled]
        return [{agent: action for agent, action in joint if action is not None} for joint in joints]

    def explain(self) -> str:
        """The run so far and what is possible now, in words."""
        now = [", ".join(f"{name} = {show(value)}" for name, value in one.items()) for one in self.states(5)]
        more = self.possible() - len(now)
        lines = [*self._told, f"possible now: {self.possible():,}", *now, *([f"and {more:,} more"] if more > 0 else [])]
        return "\n".join([*lines, *(f"{name}: {status}" for name, status in self.properties.items())])

    def snapshot(self) -> str:
        """The run as JSON, to go on with `restore`, perhaps in another process."""
        with self._changed:
            sets = [hex(self._position.states), *map(hex, self._position.tracks)]
            kept = {"step": self._step, "ended": self._ended, "missing": self._missing, "ids": list(self._ids)}
            return json.dumps({"fingerprint": self.tables.fingerprint, "sets": sets, **kept})

    def restore(self, text: str) -> None:
        """Go on with a run that was saved; raises ValueError for one of another model."""
        found = json.loads(text)
        if not isinstance(found, dict) or found.get("fingerprint") != self.tables.fingerprint:
            raise ValueError("this is no snapshot of a monitor for this model with these options")
        try:
            states, *tracks = (int(one, 16) for one in found["sets"])
            step, ended, missing = int(found["step"]), str(found["ended"]), str(found["missing"])
            ids = dict.fromkeys(map(str, found["ids"]))
        except (KeyError, TypeError, ValueError):
            raise ValueError("this snapshot is damaged") from None
        with self._changed:
            if not self.tables.has(states, tracks):
                raise ValueError("this snapshot is damaged, or was made where other states had been found")
            self._position = self.tables.position(states, tuple(tracks))
            self._step, self._ended, self._missing, self._ids = step, ended, missing, ids
            self._changed.notify_all()

    def about(self) -> dict[str, Any]:
        """What this monitor was made from, and what it decides."""
        return {**self.tables.about, "fingerprint": self.tables.fingerprint, "states": self.tables.count}

    @property
    def properties(self) -> dict[str, str]:
        """The status of each property."""
        names = [one.name for one in self.tables.properties]
        return dict(zip(names, self._position.statuses, strict=True))

    @property
    def property(self) -> str:
        """The worst status of a property."""
        return min(self._position.statuses, key=STATUSES.index, default="open")
