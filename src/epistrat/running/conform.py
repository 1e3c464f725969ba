"""Whether logs are runs of a model: each run followed by itself, or several logs of one run put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from epistrat.records import dataclass, field, replace
from epistrat.running.logs import BadLog, Log, LogEvent
from epistrat.running.runtime.answers import Answer, listing
from epistrat.running.runtime.monitor import Monitor
from epistrat.running.runtime.tables import Position, Tables
from epistrat.solvers.budget import OutOfBudget

SCHEMA = "epistrat-conform/1"
MOST_SEARCHED = 200_000

MakeMonitor = Callable[[], Monitor]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one run of a log: ``conforms``, ``refused``, ``violated``, ``unknown`` or ``empty``; by which line."""

    log: str
    run: str | None
    verdict: str
    events: int = 0
    line: int | None = None
    text: str = ""
    allowed: tuple[str, ...] = ()
    possible: int = 0
    properties: dict[str, str] = field(default_factory=dict)
    ignored: int = 0
    told: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        names = ("log", "run", "verdict", "line", "events", "text", "possible", "properties", "ignored")
        return {**{name: getattr(self, name) for name in names}, "allowed": list(self.allowed)}

    def __str__(self) -> str:
        place = (
            self.log if self.line is None or self.verdict not in ("refused", "violated") else f"{self.log}:{self.line}"
        )
        run = f" (run {self.run})" if self.run is not None else ""
        ignored = f", {self.ignored:,} lines ignored" if self.ignored else ""
        if self.verdict == "conforms":
            states = f"{self.possible:,} state{' is' if self.possible == 1 else 's are'} possible"
            more = "".join(f"; {name}: {status}" for name, status in self.properties.items() if status != "open")
            return f"{place}{run}: conforms ({self.events:,} event{'' if self.events == 1 else 's'}{ignored}; {states}{more})"
        return f"{place}{run}: {self.verdict}: {self.text}{f' ({ignored[2:]})' if ignored else ''}"


def conforms(log: Log, make: MakeMonitor) -> list[Finding]:
    """Follow each run of a log; raises `BadLog` for names that the model does not have."""
    runs = split(log)
    if not runs:
        return [Finding(log.name, None, "empty", text="no event was recognised", ignored=log.ignored)]
    several = len(runs) > 1
    found = [_followed(log.name, run if several or run else None, events, make()) for run, events in runs]
    if log.ignored:
        found[0] = replace(found[0], ignored=log.ignored)
    return found


def split(log: Log) -> list[tuple[str | None, list[LogEvent]]]:
    """The runs of a log: by the names that events give, and wherever one starts anew."""
    current: dict[str | None, list[LogEvent]] = {}
    found: list[tuple[str | None, list[LogEvent]]] = []
    for event in log.events:
        begun = current.get(event.run)
        if begun is None or (event.do is None and begun):
            begun = current[event.run] = []
            found.append((event.run, begun))
        begun.append(event)
    unnamed = [events for run, events in found if run is None]
    if len(unnamed) > 1:
        numbers = iter(range(1, len(unnamed) + 1))
        return [(run if run is not None else str(next(numbers)), events) for run, events in found]
    return found


def told(name: str, monitor: Monitor, event: LogEvent) -> Answer:
    """Tell a monitor what a line says; raises `BadLog` for names that the model does not have."""
    try:
        if event.do is None:
            return monitor.start(event.see)
        return monitor.step(event.do, event.see, event.id)
    except ValueError as wrong:
        words = str(wrong).partition(": ")[2] if str(wrong).startswith("step ") else str(wrong)
        raise BadLog(f"{name}:{event.line}: {words}") from None


def _followed(name: str, run: str | None, events: Sequence[LogEvent], monitor: Monitor) -> Finding:
    done: list[str] = []
    count = sum(event.do is not None for event in events)
    for event in events:
        before = monitor.position()
        try:
            answer = told(name, monitor, event)
        except OutOfBudget as limit:
            return Finding(name, run, "unknown", count, event.line, str(limit), told=tuple(done))
        done.append(f"{event.line}: {answer.text}")
        words = answer.text.partition(": ")[2]
        if answer.kind in ("refused", "violated"):
            hints = hinted(monitor.tables, before, event) if answer.kind == "refused" else ()
            return Finding(
                name, run, answer.kind, count, event.line, words, answer.allowed, answer.possible, monitor.properties,
                told=tuple(done), hints=hints,
            )  # fmt: skip
        if answer.kind == "lost track":
            return Finding(name, run, "unknown", count, event.line, words, told=tuple(done))
    if not count:
        return Finding(name, run, "empty", text="no event was recognised")
    return Finding(name, run, "conforms", count, None, "", (), monitor.possible(), monitor.properties, told=tuple(done))


def hinted(tables: Tables, position: Position, event: LogEvent) -> tuple[str, ...]:
    """What would have to happen unreported for a refused line to fit: single actions, before it."""
    if event.do is None or not tables.interleaved:
        return ()
    wanted, seen = tables.matching(event.do), tables.seen(event.see)
    found: list[str] = []
    for other in position.enabled:
        after = tables.move(position, (other,), ())[0]
        if after is not None and tables.move(after, wanted, seen)[0] is not None:
            found.append(tables.words(other))
    if not found:
        return ()
    action = listing(event.do.values())
    return (f"It fits if {' or '.join(found[:5])} happens before {action} without being told: --hidden {found[0]}",)


@dataclass(frozen=True, slots=True)
class Order:
    """How events of different logs follow each other: by their times if ``timed``, those closer than ``skew`` in either order."""

    timed: bool = False
    skew: float = 0.0


def together(logs: Sequence[Log], make: MakeMonitor, order: Order, most: int = MOST_SEARCHED) -> Finding:
    """Whether the logs, put together in some order, are one run.  Inside a log the order is kept."""
    name = " + ".join(log.name for log in logs)
    lines = [[event for event in log.events if event.do is not None] for log in logs]
    if not any(lines):
        return Finding(name, None, "empty", text="no event was recognised")
    if order.timed:
        for log, events in zip(logs, lines, strict=True):
            for event in events:
                if event.time is None:
                    raise BadLog(f"{log.name}:{event.line}: there is no time, and the logs are ordered by time")
    monitor = make()
    _started(logs, monitor)
    try:
        return _Together(name, logs, lines, monitor, order, most).found()
    except OutOfBudget as limit:
        return Finding(name, None, "unknown", sum(map(len, lines)), text=str(limit))


def _started(logs: Sequence[Log], monitor: Monitor) -> None:
    """Begin the one run, in the states that fit what all logs saw at the start; raises `BadLog` for logs of several runs."""
    see: dict[str, Any] = {}
    runs: dict[str, None] = {}
    for log in logs:
        begun = False
        for number, event in enumerate(log.events):
            runs |= {} if event.run is None else {event.run: None}
            if len(runs) > 1 or (event.do is None and (begun or number)):
                raise BadLog(f"{log.name}:{event.line}: another run begins; --together is for logs of one run")
            if event.do is None:
                begun = True
                for name, value in event.see.items():
                    if see.setdefault(name, value) != value:
                        raise BadLog(f"{log.name}:{event.line}: another log saw {name} = {see[name]} at the start")
                told(log.name, monitor, replace(event, see=dict(see)))


class _Together:
    """The search for an order: positions in the logs, and what is possible there."""

    def __init__(
        self,
        name: str,
        logs: Sequence[Log],
        lines: Sequence[Sequence[LogEvent]],
        monitor: Monitor,
        order: Order,
        most: int,
    ) -> None:
        self._name, self._logs, self._lines, self._order, self._most = name, logs, lines, order, most
        self._monitor, self._tables = monitor, monitor.tables
        self._first: list[dict[str, int]] = [{} for _ in lines]
        for known, events in zip(self._first, lines, strict=True):
            for place, event in enumerate(events):
                if event.id is not None:
                    known.setdefault(event.id, place)

    def found(self) -> Finding:
        """The finding."""
        total = sum(map(len, self._lines))
        start = (tuple(0 for _ in self._lines), self._monitor.position())
        seen, stack, furthest = {start}, [start], start
        while stack:
            at, position = node = stack.pop()
            if sum(at) > sum(furthest[0]):
                furthest = node
            if sum(at) == total:
                status = dict(zip([one.name for one in self._tables.properties], position.statuses, strict=True))
                broken = [one for one, what in status.items() if what == "violated"]
                if not broken:
                    return Finding(
                        self._name, None, "conforms", total, possible=position.states.bit_count(), properties=status
                    )
            for following in self._next(at, position):
                if following not in seen:
                    if len(seen) >= self._most:
                        words = f"more than {self._most:,} ways to put the logs together were looked at"
                        return Finding(self._name, None, "unknown", total, text=words)
                    seen.add(following)
                    stack.append(following)
        return self._stuck(*furthest, total)

    def _next(self, at: tuple[int, ...], position: Position) -> list[tuple[tuple[int, ...], Position]]:
        heads = [
            (log, events[place])
            for log, (events, place) in enumerate(zip(self._lines, at, strict=True))
            if place < len(events)
        ]
        times = [event.time for _, event in heads if event.time is not None]
        latest = min(times) + self._order.skew if self._order.timed and times else None
        found = []
        for log, event in heads:
            if latest is not None and event.time is not None and event.time > latest:
                continue
            after = position if self._told_before(event, at) else self._moved(log, event, position)[0]
            if after is not None:
                found.append(((*at[:log], at[log] + 1, *at[log + 1 :]), after))
        return found

    def _told_before(self, event: LogEvent, at: tuple[int, ...]) -> bool:
        """Whether a report with the same id stands before these places, in any of the logs."""
        if event.id is None:
            return False
        return any(known.get(event.id, place) < place for known, place in zip(self._first, at, strict=True))

    def _moved(self, log: int, event: LogEvent, position: Position) -> tuple[Position | None, str]:
        assert event.do is not None
        try:
            events, seen = self._tables.matching(event.do), self._tables.seen(event.see)
        except ValueError as wrong:
            raise BadLog(f"{self._logs[log].name}:{event.line}: {wrong}") from None
        after, why, _ = self._tables.move(position, events, seen)
        return after, why

    def _stuck(self, at: tuple[int, ...], position: Position, total: int) -> Finding:
        if sum(at) == total:
            status = dict(zip([one.name for one in self._tables.properties], position.statuses, strict=True))
            return Finding(
                self._name, None, "violated", total, text="in every order a property is violated", properties=status
            )
        words = [f"no order is a run of the model; the longest part that fits has {sum(at):,} of {total:,} events."]
        for log, (events, place) in enumerate(zip(self._lines, at, strict=True)):
            if place < len(events):
                event = events[place]
                assert event.do is not None
                why = self._moved(log, event, position)[1] or "the model does not allow it there"
                words.append(f"{self._logs[log].name}:{event.line}: {listing(event.do.values())}: {why}.")
        allowed = tuple(self._tables.words(event) for event in position.enabled)
        return Finding(
            self._name,
            None,
            "refused",
            total,
            text=" ".join(words),
            allowed=allowed,
            possible=position.states.bit_count(),
        )
