"""The same child for a program that must not wait: a server."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from typing import Any

from epistrat.children.child import ChildEnded
from epistrat.children.frames import LENGTH, framed
from epistrat.children.system import command, end_group, memory_of
from epistrat.solvers.budget import memory_reached

_LOOK = 0.2
"""Seconds between two looks at a child's memory."""


class AsyncChild:
    """A process that runs ``main`` of a module and speaks by frames.  It is killed where it needs more than so many bytes."""

    def __init__(self, process: Process, memory: int | None) -> None:
        self._process = process
        self.killed: str | None = None
        self._watching = None if memory is None else asyncio.create_task(self._watch(memory))

    @classmethod
    async def of(cls, module: str, *, memory: int | None = None, stderr: int | None = DEVNULL) -> AsyncChild:
        """Start a child."""
        line = command(module)
        process = await asyncio.create_subprocess_exec(
            *line, stdin=PIPE, stdout=PIPE, stderr=stderr, start_new_session=True
        )
        return cls(process, memory)

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether it is no more."""
        return self._process.returncode is not None

    async def send(self, value: object) -> None:
        """Tell the child something; raises `ChildEnded`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(framed(value))
            await self._process.stdin.drain()
        except ConnectionError as broken:
            raise ChildEnded(self._why) from broken

    async def receive(self) -> Any:
        """What the child says next; raises `ChildEnded`."""
        assert self._process.stdout is not None
        try:
            length = int.from_bytes(await self._process.stdout.readexactly(LENGTH), "big")
            return pickle.loads(await self._process.stdout.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError) as broken:
            raise ChildEnded(self._why) from broken

    @property
    def _why(self) -> str:
        return self.killed or "the process that worked on it ended unexpectedly"

    def interrupt(self) -> None:
        """Ask the child to stop, as Ctrl-C does."""
        with contextlib.suppress(ProcessLookupError, ValueError):  # Windows has no such signal
            self._process.send_signal(signal.SIGINT)

    async def kill(self) -> None:
        """End the child and all it has started."""
        if self._watching is not None:
            self._watching.cancel()
        end_group(self._process.pid)
        if self._process.stdin is not None:
            self._process.stdin.close()
        await asyncio.shield(self._process.wait())

    async def _watch(self, memory: int) -> None:
        while not self.ended:
            if memory_of(self.pid) > memory:
                self.killed = memory_reached(memory)
                end_group(self.pid)
                return
            await asyncio.sleep(_LOOK)
