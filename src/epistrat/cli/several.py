"""``epistrat check`` again and again, and of several files side by side: each check in a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from epistrat.answers import Report
from epistrat.cli import console
from epistrat.cli.exit_codes import Exit
from epistrat.service import CheckRequest, ask_child
from epistrat.service.events import Event

if TYPE_CHECKING:
    from epistrat.children.child import Child

_LOOKS = 0.3
"""Seconds between two looks at the files that are watched."""


def side_by_side(requests: Sequence[CheckRequest], jobs: int) -> Iterator[tuple[Report, list[Event]]]:
    """The reports on several requests in their order, with their events; so many are served at a time.  Ctrl-C interrupts them all."""
    from concurrent.futures import Future, ThreadPoolExecutor  # a check of one file does without it

    running: set[Child] = set()
    stopped = False

    def begun(child: Child) -> None:
        running.add(child)
        if stopped:
            child.interrupt()

    def done(request: CheckRequest) -> tuple[Report, list[Event]]:
        events: list[Event] = []
        report, _, _ = ask_child(request, events.append, begun)
        return report, events

    def waited_for(one: Future[tuple[Report, list[Event]]]) -> tuple[Report, list[Event]]:
        nonlocal stopped
        while True:
            try:
                return one.result()
            except KeyboardInterrupt:
                stopped = True
                for child in list(running):
                    child.interrupt()
                pool.shutdown(wait=False, cancel_futures=True)

    pool = ThreadPoolExecutor(jobs)
    try:
        for one in [pool.submit(done, request) for request in requests]:
            yield waited_for(one)
            if stopped:
                return
    finally:
        pool.shutdown(cancel_futures=True)


def watched(files: Sequence[str], check: Callable[[], Exit]) -> Exit:
    """Check whenever a file has changed, or another one of its folder with the same ending, which it may include; until Ctrl-C."""
    status = Exit.HOLDS
    try:
        while status is not Exit.INTERRUPTED:
            seen = _stamps(files)
            status = check()
            console.write([f"-- {time.strftime('%H:%M:%S')}, waiting for a change; Ctrl-C ends", ""])
            while _stamps(files) == seen:
                time.sleep(_LOOKS)
    except KeyboardInterrupt:
        pass
    return status


def _stamps(files: Sequence[str]) -> dict[Path, tuple[int, int]]:
    """When the files were written, and how long they are."""
    found: dict[Path, tuple[int, int]] = {}
    for file in map(Path, files):
        for one in sorted(file.parent.glob(f"*{file.suffix}")) if file.suffix else [file]:
            try:
                about = one.stat()
            except OSError:  # just being written
                continue
            found[one] = about.st_mtime_ns, about.st_size
    return found
