"""Long work: started, listened to, cancelled.  So many at a time; a few more wait; all others are refused."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from epistrat.service.settings import FACES
from epistrat.studio.children import Child, ChildFailed, Json

AT_ONCE = max(2, min(8, os.cpu_count() or 1))
_MEMORY = int(1.25 * FACES["studio"]["memory"])
"""Bytes of a child; a check keeps its own limit, below this one."""
MOST_WAITING = 16
MOST_KEPT = 40
"""So many finished errands are kept: a page that was reloaded, or a machine that slept, hears how they ended."""

ALONE = 60.0
"""Seconds after which an errand that nobody follows is ended: the page was closed."""


class TooMany(Exception):
    """No more work is taken just now."""


@dataclass
class Errand:
    """One piece of work: what was asked, what was told so far, who listens."""

    id: str
    what: Json
    told: list[Json] = field(default_factory=list)
    done: bool = False
    cancelled: bool = False
    report: str | None = None
    address: str = field(default_factory=lambda: secrets.token_hex(16))
    child: Child | None = None
    alone: asyncio.TimerHandle | None = None
    listeners: set[asyncio.Queue[Json]] = field(default_factory=set)

    def tell(self, event: Json) -> None:
        """Note an event and pass it on; of progress only the last is kept."""
        if event["event"] == "report":
            self.report = event["html"]
            event = {"event": "report", "address": f"/reports/{self.address}"}
        if event["event"] == "progress" and self.told and self.told[-1]["event"] == "progress":
            self.told.pop()
        self.told.append(event)
        for queue in self.listeners:
            queue.put_nowait(event)


class Errands:
    """All errands of a server."""

    def __init__(self) -> None:
        self._errands: dict[str, Errand] = {}
        self._children: list[Child] = []
        self._free = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()

    def __getitem__(self, key: str) -> Errand:
        return self._errands[key]

    def get(self, key: str) -> Errand | None:
        """The errand with this identifier, where it is still known."""
        return self._errands.get(key)

    def reported(self, address: str) -> Errand | None:
        """The errand whose report has this address, which only its page was told."""
        return next((one for one in self._errands.values() if one.report is not None and one.address == address), None)

    @property
    def open(self) -> list[Errand]:
        """Those that are not done."""
        return [errand for errand in self._errands.values() if not errand.done]

    def start(self, what: Json) -> Errand:
        """Take on an errand; raises `TooMany`."""
        if len(self.open) >= AT_ONCE + MOST_WAITING:
            raise TooMany(f"{len(self.open)} pieces of work are under way or waiting already; cancel one, or wait")
        done = [errand.id for errand in self._errands.values() if errand.done]
        for old in done[: max(0, len(done) - MOST_KEPT)]:
            del self._errands[old]
        errand = Errand(secrets.token_hex(8), what)
        self._errands[errand.id] = errand
        self._leave(errand)
        task = asyncio.create_task(self._do(errand))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return errand

    async def _do(self, errand: Errand) -> None:
        errand.tell({"event": "waiting"})
        try:
            async with self._free:
                if not errand.cancelled:
                    await self._serve(errand)
        except ChildFailed as failed:
            how = "interrupted" if errand.cancelled else "crashed"
            errand.tell({"event": "finished", "how": how, "reason": str(failed)})
        self._over(errand)

    def _over(self, errand: Errand) -> None:
        """Tell the end, once."""
        if errand.done:
            return
        if errand.told[-1]["event"] != "finished":
            errand.tell({"event": "finished", "how": "interrupted", "reason": "cancelled"})
        errand.done = True
        errand.child = None
        errand.tell({"event": "over"})

    async def _serve(self, errand: Errand) -> None:
        errand.child = self._idle()
        errand.tell({"event": "started"})
        async with contextlib.aclosing(errand.child.events(errand.what)) as events:
            async for kind, value in events:
                if kind == "event":
                    errand.tell(value)

    def _idle(self) -> Child:
        taken = {id(errand.child) for errand in self.open}
        for child in self._children:
            if not child.busy and id(child) not in taken:
                return child
        self._children.append(Child(_MEMORY))
        return self._children[-1]

    def _leave(self, errand: Errand) -> None:
        """Nobody follows the errand now: if nobody comes for a while, it is ended."""

        def look() -> None:
            if not errand.listeners and not errand.done:
                task = asyncio.create_task(self.cancel(errand))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

        if errand.alone is not None:
            errand.alone.cancel()
        errand.alone = asyncio.get_running_loop().call_later(ALONE, look)

    async def cancel(self, errand: Errand) -> None:
        """Stop an errand, whether it is under way or waiting; one that is done stays as it is."""
        errand.cancelled = True
        if errand.child is not None:
            await errand.child.stop()
        elif errand.told:  # its turn has not come: nothing has to be waited for
            self._over(errand)

    async def follow(self, errand: Errand) -> AsyncIterator[Json]:
        """What was told so far, then what is told, until it is over."""
        queue: asyncio.Queue[Json] = asyncio.Queue()
        past = list(errand.told)
        errand.listeners.add(queue)
        try:
            for event in past:
                yield event
            while not (past and past[-1]["event"] == "over"):
                event = await queue.get()
                yield event
                if event["event"] == "over":
                    return
        finally:
            errand.listeners.discard(queue)
            if not errand.listeners and not errand.done:
                self._leave(errand)

    async def close(self) -> None:
        """End everything."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for child in self._children:
            await child.kill()
