"""``epistrat check`` again and again, and of several files side by side: each check is a command of its own."""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from epistrat.answers import Report
from epistrat.cli import console
from epistrat.cli.exit_codes import Exit

if TYPE_CHECKING:
    from subprocess import CompletedProcess

Conclude = Callable[[list[Report], list[Exit], argparse.Namespace], Exit]
_REPORT = "EPISTRAT_REPORT"
"""The variable that names the file to which the command for one of several files writes its report."""
_LOOKS = 0.3
"""Seconds between two looks at the files that are watched."""


def side_by_side(arguments: argparse.Namespace, options: Sequence[str], conclude: Conclude) -> Exit:
    """Check the files, so many at a time; what they print comes in their order, and their reports are concluded together."""
    from concurrent.futures import ThreadPoolExecutor  # each check of one file does without these
    from tempfile import TemporaryDirectory

    command = [sys.executable, "-P", "-m", "epistrat", "check", *options, "--"]
    codes: list[Exit] = []
    reports: list[Report] = []
    pool = ThreadPoolExecutor(arguments.jobs)
    with TemporaryDirectory() as folder:
        kept = [Path(folder, str(number)) for number, _ in enumerate(arguments.files)]
        try:
            for report, done in zip(kept, pool.map(partial(_done, command), arguments.files, kept), strict=True):
                if codes and arguments.format == "text":
                    console.write([""])
                console.write(done.stdout.splitlines())
                if done.stderr:
                    console.complain(done.stderr.rstrip("\n"))
                codes.append(Exit(done.returncode) if done.returncode in set(Exit) else Exit.BUG)
                reports += pickle.loads(report.read_bytes()) if report.exists() else []
        finally:
            pool.shutdown(cancel_futures=True)
    return conclude(reports, codes, arguments)


def _done(command: Sequence[str], file: str, report: Path) -> CompletedProcess[str]:
    from subprocess import DEVNULL, run

    environment = {**os.environ, _REPORT: str(report)}
    return run([*command, file], stdin=DEVNULL, capture_output=True, text=True, check=False, env=environment)


def hand_over(reports: list[Report]) -> bool:
    """Give the reports to the command that started this one for one of its files; False if none did."""
    file = os.environ.get(_REPORT)
    if file is not None:
        Path(file).write_bytes(pickle.dumps(reports))
    return file is not None


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
