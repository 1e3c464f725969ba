"""Child processes that do the work: one JSON value a line in, lines of JSON out.

A child that is asked to stop gets the signal of Ctrl-C, which ends the work in it as in the command line: with a report of how far it
got.  One that does not answer is killed, and replaced when it is needed again; what it was working on ends with a message in words.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from typing import Any, TypeAlias

from epistrat.jobs.worker import end_group

Json: TypeAlias = Any

_LONGEST_LINE = 1 << 28
_PATIENCE = 3.0
"""Seconds between asking a child to stop and killing it."""


class ChildFailed(Exception):
    """The child could not do it: the words say why."""


class Child:
    """One process, started when it is first needed.  It serves one call at a time."""

    def __init__(self) -> None:
        self._process: Process | None = None
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
            assert process.stdin is not None and process.stdout is not None
            ready = False  # for the next call
            try:
                process.stdin.write(json.dumps(what).encode() + b"\n")
                await process.stdin.drain()
                while True:
                    line = await process.stdout.readline()
                    if not line:
                        raise ChildFailed("the process that worked on it ended unexpectedly")
                    (kind, value), *_ = json.loads(line).items()
                    if kind == "error":
                        ready = True
                        raise ChildFailed(value)
                    ready = kind == "answer"
                    yield kind, value
                    if ready:
                        return
            except (ConnectionError, ValueError) as broken:
                raise ChildFailed("the process that worked on it ended unexpectedly") from broken
            finally:
                if not ready:  # it is in the middle of something, or dead
                    await self.kill()

    async def _running(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "epistrat.studio.worker",
                stdin=PIPE,
                stdout=PIPE,
                limit=_LONGEST_LINE,
                start_new_session=True,
            )
        return self._process

    async def stop(self) -> None:
        """Ask for an end of the call being served; where that does not come soon, kill the child."""
        process = self._process
        for _ in range(int(_PATIENCE / 0.1)):
            if not self.busy or process is None or process.returncode is not None:
                return
            with contextlib.suppress(ProcessLookupError, ValueError):  # Windows has no such signal
                process.send_signal(signal.SIGINT)
            await asyncio.sleep(0.1)
        if self._process is process:
            await self.kill()

    async def kill(self) -> None:
        """End the process and what it started."""
        process, self._process = self._process, None
        if process is None:
            return
        end_group(process.pid)
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()
