"""``epistrat check`` again and again, and of several files side by side: each check is a command of its own."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, worst

_LOOKS = 0.3
"""Seconds between two looks at the files that are watched."""


def side_by_side(arguments: argparse.Namespace, options: Sequence[str]) -> Exit:
    """Check the files, so many at a time; what they print comes in their order."""
    commands = [[sys.executable, "-P", "-m", "epistrat", "check", *options, "--", file] for file in arguments.files]
    codes: list[Exit] = []
    pool = ThreadPoolExecutor(arguments.jobs)
    try:
        for number, done in enumerate(pool.map(_done, commands)):
            if number and arguments.format == "text":
                console.write([""])
            console.write(done.stdout.splitlines())
            if done.stderr:
                console.complain(done.stderr.rstrip("\n"))
            codes.append(Exit(done.returncode) if done.returncode in set(Exit) else Exit.BUG)
    finally:
        pool.shutdown(cancel_futures=True)
    return worst(codes)


def _done(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


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
