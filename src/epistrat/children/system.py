"""What the operating system is asked about processes."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

PACKAGE = str(Path(__file__).parents[2])


def command(module: str) -> list[str]:
    """The command line of a child that calls ``main`` of a module of this very installation."""
    program = f"import sys; sys.path.insert(0, {PACKAGE!r}); from {module} import main; main()"
    return [sys.executable, "-c", program]


def end_group(leader: int) -> None:
    """End a process that leads a group of its own and what it has started; where the system has no groups, the process alone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(leader, signal.SIGKILL)
        else:
            os.kill(leader, signal.SIGTERM)


def die_with_parent() -> None:
    """Ask the kernel to end this process when its parent ends, however busy it is; only Linux can."""
    if sys.platform == "linux":
        import ctypes

        set_parent_death_signal = 1
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)


def adopt_orphans() -> None:
    """Ask the kernel to hand the processes of a child that was killed to this process, which can then wait for them; only Linux can.

    This is for a program that is ours as a whole, such as the command: it is a setting of the process.
    """
    if sys.platform == "linux":
        import ctypes

        set_child_subreaper = 36
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(set_child_subreaper, 1)


def end_tree(pid: int) -> list[int]:
    """End a child and all that it has started, groups of their own included; the numbers of those that it has started."""
    started = list(_all_started_by(pid))
    for one in (pid, *started):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(one, signal.SIGKILL)
    return started


def wait_for_orphans(started: Sequence[int]) -> None:
    """Wait for processes that a child, which has ended, had started, as far as they were handed to this one."""
    for one in started:
        with contextlib.suppress(OSError):  # not ours: whoever it was handed to waits for it
            os.waitpid(one, 0)


def orphaned(parent: int) -> Callable[[], None]:
    """Ends the process once its parent is another one: for systems whose kernel does not."""

    def look() -> None:
        if os.getppid() != parent:
            os._exit(1)

    return look


def memory_of(pid: int) -> int:
    """Resident memory of a process and of those it has started, in bytes; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(map(memory_of, _started_by(pid)))


def _all_started_by(pid: int) -> Iterator[int]:
    for one in _started_by(pid):
        yield one
        yield from _all_started_by(one)


def _started_by(pid: int) -> Iterator[int]:
    """The processes that a process has started, from any of its threads; none where the system does not tell."""
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            yield from map(int, (thread / "children").read_text(encoding="ascii").split())
