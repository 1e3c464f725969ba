"""Child processes that do the work: one call at a time in, events and an answer out.

A child that is asked to stop gets the signal of Ctrl-C, which ends the work in it as in the command line: with a report of how far it
got.  One that does not answer is killed, and replaced when it is needed again; what it was working on ends with a message in words.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Any, TypeAlias

from epistrat.children.asynchronous import AsyncChild
from epistrat.children.child import ChildEnded

Json: TypeAlias = Any

_PATIENCE = 3.0
"""Seconds between asking a child to stop and killing it."""


class ChildFailed(Exception):
    """The child could not do it: the words say why."""


class Child:
    """One process, started when it is first needed, with so many bytes of memory.  It serves one call at a time."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._process: AsyncChild | None = None
        self._turn = asyncio.Lock()

    @property
    def busy(self) -> bool:
        """Whether a call is being served."""
        return self._turn.locked()

    async def call(self, what: Json, seconds: float) -> Json:
        """The answer to a call that has one; after so many seconds the child is killed."""
        try:
            async with asyncio.timeout(seconds):
                async with contextlib.aclosing(self.events(what)) as events:
                    async for kind, value in events:
                        if kind == "answer":
                            return value
        except TimeoutError:
            raise ChildFailed(f"this took longer than {seconds:g} s and was stopped") from None
        raise ChildFailed("there was no answer")

    async def events(self, what: Json) -> AsyncGenerator[tuple[str, Json], None]:
        """What a call tells: pairs ``("event", value)``, at the end ``("answer", value)``.  Raises `ChildFailed`."""
        async with self._turn:
            process = await self._running()
            ready = False  # for the next call
            try:
                await process.send(what)
                while not ready:
                    kind, value = await process.receive()
                    ready = kind in ("answer", "error")
                    if kind == "error":
                        raise ChildFailed(value)
                    yield kind, value
            except ChildEnded as ended:
                raise ChildFailed(str(ended)) from None
            finally:
                if not ready:  # it is in the middle of something, or dead
                    await self.kill()

    async def _running(self) -> AsyncChild:
        if self._process is None or self._process.ended:
            self._process = await AsyncChild.of("epistrat.studio.worker", memory=self._memory, stderr=None)
        return self._process

    async def stop(self) -> None:
        """Ask for an end of the call being served; where that does not come soon, kill the child."""
        process = self._process
        for _ in range(int(_PATIENCE / 0.1)):
            if not self.busy or process is None or process.ended:
                return
            process.interrupt()
            await asyncio.sleep(0.1)
        if self._process is process:
            await self.kill()

    async def kill(self) -> None:
        """End the process and what it started."""
        process, self._process = self._process, None
        if process is not None:
            await process.kill()
