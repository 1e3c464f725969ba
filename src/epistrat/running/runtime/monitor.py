"""What may still be done: questions to a monitor, and functions that ask before they act."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from epistrat.running.runtime.answers import Answer, Blocked, bits, listing, meant
from epistrat.running.runtime.follow import STANDING, Follower
from epistrat.running.runtime.tables import Position

# What follows is copied into generated files.

SEARCHED = 500
POLL = 0.005


class Monitor(Follower):
    """Follows one run of the program and says what may still be done; one monitor per conversation, not per process.

    ``start`` "any": the program was running before.  ``most``: so many states may be possible, beyond that the run is no longer followed.
    ``mode`` "shadow" never blocks, it only says what it would have blocked.
    """

    def ask(self, agent: str | None, action: str) -> Answer:
        """Whether an action may be done now, whatever others do in the same step: ``conforms``, ``blocked`` by a shield, or ``refused``."""
        with self._changed:
            return self._alone(agent, action)

    def _ask(self, actions: Mapping[str | None, str]) -> Answer:
        tables, position = self.tables, self._position
        events = [one for one in tables.matching(actions) if one in position.enabled]
        if self._ended:
            return Answer("refused", self._step, self._ended)
        forbids = [tables.permits(position, one) for one in events]
        if None in forbids:
            return Answer("conforms", self._step, f"{listing(actions.values())} is allowed", possible=self.possible())
        who, what = next(iter(actions.items()))
        after = self._after(tables.matching(actions))
        later = "It does not become possible any more." if after is None else f"Not yet: it may become possible{after}."
        now = " now" if after is not None else ""
        if not events:
            words = f"the model does not allow {what} here. {later}"
            return Answer("refused", self._step, words, allowed=tuple(self._enabled()), later=after is not None)
        track = forbids[0]
        assert track is not None
        actor = who or " and ".join(tables.properties[track].group)
        allowed = self._allowed(who, {})
        words = f"{actor} must not {what}{now}: {self._danger(track, events)}. {later}"
        if after is None and allowed:
            words += f" Allowed: {listing(allowed)}."
        if self._missing:
            words += f" Not told: {self._missing}."
        if self._mode == "shadow":
            return Answer("conforms", self._step, f"would be blocked: {words}", (words,), tuple(allowed))
        return Answer("blocked", self._step, words, allowed=tuple(allowed), later=after is not None)

    def _danger(self, track: int, events: list[int]) -> str:
        """Why a shield forbids these events."""
        tables, position = self.tables, self._position
        name, status = tables.properties[track].name, position.statuses[track]
        if status in STANDING:
            stands = f"{name} {STANDING[status]}" if status != "lost" else f"it knows no way to keep {name} any more"
            return f"{stands}, so the shield allows nothing that it controls"
        broken = tables.closed(tables.image(position.tracks[track], events, track), track) & tables.marks[track][0]
        reason = f" ({tables.reason(track, broken, ' ', ', ')})" if broken else ""
        return f"that could break {name}{reason}"

    def _after(self, wanted: tuple[int, ...]) -> str | None:
        """After which event the wanted one may become allowed; None if never."""
        tables, known, queue = self.tables, {self._position: ""}, [self._position]
        for position in queue if not self._ended else ():
            for event in position.enabled:
                if tables.permits(position, event) is not None:
                    continue
                for after in self._parts(position, event):
                    if after in known:
                        continue
                    first = known[after] = known[position] or f" after {tables.words(event)}"
                    if any(one in after.enabled and tables.permits(after, one) is None for one in wanted):
                        return first
                    if len(known) >= SEARCHED:
                        return ""
                    queue.append(after)
        return None

    def _parts(self, position: Position, event: int) -> list[Position]:
        """The positions after an event, by what is told then."""
        tables = self.tables
        found: list[Position] = []
        for part in tables.parts(tables.image(position.states, (event,), None)):
            state = next(bits(part))
            seen = tuple((one, tables.variables[one][2][tables.codes[one][state]]) for one in tables.sees)
            after = tables.move(position, (event,), seen)[0]
            found += [after] if after is not None else []
        return found

    def allowed(self, agent: str | None = None, given: Mapping[str, str] | None = None) -> list[str]:
        """What may be done now: by anybody, or by one agent; ``given`` what others in the same step have chosen."""
        with self._changed:
            return [] if self._ended else self._allowed(agent, dict(given or {}))

    def _allowed(self, agent: str | None, given: Mapping[str, str]) -> list[str]:
        tables, position = self.tables, self._position
        if agent is not None and agent not in tables.agents:
            raise ValueError(f"there is no agent {agent}{meant(agent, tables.agents)}")
        for name in given:
            if name not in tables.agents:
                raise ValueError(f"there is no agent {name}{meant(name, tables.agents)}")
        chosen = {tables.place[name]: action for name, action in given.items()}
        place = None if agent is None else tables.place[agent]
        found: dict[str, None] = {}
        for event in position.enabled:
            joint = tables.events[event]
            if (
                any(joint[one] != action for one, action in chosen.items())
                or tables.permits(position, event) is not None
            ):
                continue
            mine = tables.words(event) if place is None else joint[place]
            found.update({mine: None} if mine is not None else {})
        return list(found)

    def alone(self, agent: str) -> list[str]:
        """What the agent may do now by itself, whatever others do in the same step."""
        with self._changed:
            return [] if self._ended else [one for one in self._allowed(agent, {}) if self._alone(agent, one)]

    def choose(
        self,
        agent: str,
        wanted: str | None = None,
        given: Mapping[str, str] | None = None,
        among: Iterable[str] | None = None,
    ) -> str:
        """What the agent should do: what it wants if that is allowed, else the first that is; raises `Blocked` if nothing is.

        ``among``: the actions that it has to choose from, if not all.
        """
        some = None if among is None else set(among)
        allowed = [one for one in self.allowed(agent, given) if some is None or one in some]
        if wanted in allowed and wanted is not None:
            return wanted
        if allowed:
            return allowed[0]
        raise Blocked(Answer("blocked", self._step, self._ended or f"{agent} may do nothing now"))

    def act(self, agent: str | None, action: str, see: Mapping[str, Any] | None = None) -> Answer:
        """Ask, and record the action, as one step; raises `Blocked`."""
        with self._changed:
            decision = self._alone(agent, action)
            if not decision and self._mode == "enforce":
                raise Blocked(decision)
            return self._record({agent: action}, see)

    def _alone(self, agent: str | None, action: str) -> Answer:
        """Whether an action may be done, whatever other members of the group do in the same step."""
        decision, tables, position = self._ask({agent: action}), self.tables, self._position
        if not decision or tables.interleaved:
            return decision
        events = [one for one in tables.matching({agent: action}) if one in position.enabled]
        track = next((track for one in events if (track := tables.permits(position, one)) is not None), None)
        if track is None or self._mode == "shadow":
            return decision
        words = (
            f"{agent} must not {action} by itself: whether that could break {tables.properties[track].name} depends on"
        )
        words += " what others do in the same step. Ask allowed(agent, given), and record all of it with step."
        return Answer("blocked", self._step, words, allowed=decision.allowed)

    def act_otherwise(self, agent: str) -> str:
        """Record another action of the agent, one that is allowed; raises `Blocked` if none is."""
        with self._changed:
            safe = self.alone(agent)
            chosen = self.choose(agent, among=safe)
            self._record({agent: chosen})
            return chosen

    def admit(
        self, agent: str | None, action: str, see: Mapping[str, Any] | None, blocked: str, timeout: float
    ) -> Answer:
        """As `act`, but says why not instead of raising; with ``blocked`` "wait" it waits as long as that makes sense."""
        end = time.monotonic() + timeout
        with self._changed:
            while True:
                decision = self._try(agent, action, see)
                left = end - time.monotonic()
                if decision.kind not in ("blocked", "refused") or blocked != "wait" or not decision.later or left <= 0:
                    return decision
                self._changed.wait(left)

    def _try(self, agent: str | None, action: str, see: Mapping[str, Any] | None) -> Answer:
        decision = self._alone(agent, action)
        if not decision and self._mode == "enforce":
            return decision
        answer = self._record({agent: action}, see)
        return answer if self._mode == "enforce" or answer.kind != "refused" else answer._replace(kind="conforms")

    async def admit_later(
        self, agent: str | None, action: str, see: Mapping[str, Any] | None, blocked: str, timeout: float
    ) -> Answer:
        """As `admit`, for functions that are awaited: others go on while this one waits."""
        import asyncio

        end = time.monotonic() + timeout
        while True:
            decision = self.admit(agent, action, see, "tell", 0)
            if decision.kind not in ("blocked", "refused") or blocked != "wait" or not decision.later:
                return decision
            if time.monotonic() >= end:
                return decision
            await asyncio.sleep(POLL)

    def guard(
        self,
        agent: str | None,
        action: str | Callable[..., str],
        *,
        see: Callable[..., Mapping[str, Any]] | Mapping[str, Any] | None = None,
        blocked: str = "raise",
        timeout: float = 10,
        done: str | None = None,
        failed: str | None = None,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """A decorator for functions and coroutine functions: the action is recorded before the call, if it is allowed.

        ``blocked``: "raise" `Blocked`; "tell": the sentence is the result; "wait" until it is allowed, cannot become so, or the
        timeout; "instead": another allowed action is recorded, and its name is the result.

        ``done`` and ``failed`` name events that are recorded after the call.
        """
        guarded = Guarded(self, agent, action, see, blocked, timeout)
        return lambda function: guarded.wrap(function, done, failed)

    def copy(self) -> Monitor:
        """Another monitor, at the same place of the same run."""
        made = type(self)(start=self._from, most=self._most, mode=self._mode)
        made.restore(self.snapshot())
        return made


class Guarded:
    """Functions that ask a monitor before they are called."""

    def __init__(
        self,
        monitor: Monitor,
        agent: str | None,
        action: str | Callable[..., str],
        see: Callable[..., Mapping[str, Any]] | Mapping[str, Any] | None,
        blocked: str,
        timeout: float,
    ) -> None:
        if blocked not in ("raise", "tell", "wait", "instead"):
            raise ValueError('blocked is "raise", "tell", "wait" or "instead"')
        self._monitor, self._agent, self._action, self._see = monitor, agent, action, see
        self._blocked, self._timeout = blocked, timeout

    def question(self, args: Any, kwargs: Any) -> tuple[str | None, str, Mapping[str, Any] | None, str, float]:
        """What is asked before a call with these arguments."""
        action = self._action if isinstance(self._action, str) else self._action(*args, **kwargs)
        see = self._see(*args, **kwargs) if callable(self._see) else self._see
        return self._agent, action, see, self._blocked, self._timeout

    def refused(self, decision: Answer) -> Any:
        """What comes of a call that is not made."""
        if self._blocked == "instead" and self._agent is not None:
            return self._monitor.act_otherwise(self._agent)
        if self._blocked == "tell":
            return decision.text
        raise Blocked(decision)

    def wrap(self, function: Callable[..., Any], done: str | None, failed: str | None) -> Callable[..., Any]:
        """The function, guarded."""
        from inspect import iscoroutinefunction

        def ended(name: str | None) -> None:
            if name is not None:
                self._monitor.event(self._agent, name)

        @functools.wraps(function)
        def plain(*args: Any, **kwargs: Any) -> Any:
            decision = self._monitor.admit(*self.question(args, kwargs))
            if decision.kind in ("blocked", "refused"):
                return self.refused(decision)
            try:
                result = function(*args, **kwargs)
            except BaseException:
                ended(failed)
                raise
            ended(done)
            return result

        @functools.wraps(function)
        async def awaited(*args: Any, **kwargs: Any) -> Any:
            decision = await self._monitor.admit_later(*self.question(args, kwargs))
            if decision.kind in ("blocked", "refused"):
                return self.refused(decision)
            try:
                result = await function(*args, **kwargs)
            except BaseException:
                ended(failed)
                raise
            ended(done)
            return result

        return awaited if iscoroutinefunction(function) else plain
