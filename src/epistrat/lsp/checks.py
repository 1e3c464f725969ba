"""Checks: each in a process of its own that can be ended, and the last verdict on every formula."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from epistrat.answers import How, Result, Verdict
from epistrat.children.asynchronous import AsyncChild
from epistrat.children.child import ChildEnded
from epistrat.lsp.document import Document
from epistrat.service import CheckRequest
from epistrat.service.events import Answered, Event, Finished

_SIGNS = {Verdict.HOLDS: "✓ holds", Verdict.FAILS: "✗ fails", Verdict.UNKNOWN: "? unknown"}


@dataclass(frozen=True)
class Known:
    """A verdict, and of which model (see `Document.model_key`)."""

    model: int
    verdict: Verdict
    words: str


@dataclass
class Checks:
    """What is being checked and what is known."""

    at_once: int = field(default_factory=lambda: max(1, (os.cpu_count() or 1) // 2))
    _known: dict[tuple[str, str], Known] = field(default_factory=dict)
    _running: dict[tuple[str, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._free = asyncio.Semaphore(self.at_once)

    def title(self, document: Document, formula: str) -> str:
        """What the line above a formula says."""
        key = (document.uri, formula)
        if self._running.get(key):
            return "checking ..."
        known = self._known.get(key)
        if known is None:
            return "check"
        return known.words if known.model == document.model_key else f"before the last change: {known.words}"

    def verdict(self, document: Document, formula: str) -> Verdict | None:
        """The last verdict on a formula of this very model."""
        known = self._known.get((document.uri, formula))
        return known.verdict if known is not None and known.model == document.model_key else None

    def forget(self, uri: str) -> None:
        """Forget what is known of a document."""
        for key in [key for key in self._known if key[0] == uri]:
            del self._known[key]

    async def check(
        self, document: Document, request: CheckRequest, formulae: dict[int, str]
    ) -> AsyncGenerator[Result, None]:
        """The answers as they come; ``formulae`` are the words of those asked about, by number.  Raises `Failed`."""
        keys = [(document.uri, formula) for formula in formulae.values()]
        for key in keys:
            self._running[key] = self._running.get(key, 0) + 1
        try:
            async with self._free, contextlib.aclosing(events_of(request)) as events:
                async for event in events:
                    if isinstance(event, Answered):
                        result = event.result
                        known = Known(document.model_key, result.verdict, words(result))
                        self._known[document.uri, formulae[result.index]] = known
                        yield result
                    elif isinstance(event, Finished) and event.ending.how in (How.CRASHED, How.MISUSED, How.REJECTED):
                        raise Failed(event.ending.reason or "the model has errors")
        finally:
            for key in keys:
                self._running[key] -= 1


class Failed(Exception):
    """A check came to nothing; the words say why."""


def words(result: Result) -> str:
    """A verdict in a few words."""
    sign = _SIGNS[result.verdict]
    if result.verdict is Verdict.UNKNOWN and result.reason:
        return f"{sign}: {result.reason}"
    if result.only_because:
        sign += f", only because {result.only_because}"
    return f"{sign} ({result.seconds:.2g} s)" if result.seconds >= 0.1 else sign


async def events_of(request: CheckRequest) -> AsyncGenerator[Event, None]:
    """What a process tells while it serves a request; closing this generator ends the process and all it has started."""
    child = await AsyncChild.of("epistrat.service.child")
    event: Event | None = None
    try:
        await child.send(request)
        while True:
            event = await child.receive()
            yield event
    except ChildEnded as ended:
        if not isinstance(event, Finished):
            raise Failed(str(ended)) from None
    finally:
        await child.kill()
