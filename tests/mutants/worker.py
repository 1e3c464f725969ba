"""Runs tests in one copy of the tree, again and again: libraries are imported once, and every run is a fork of that process.

Reads lines ``{"tests": [...], "limit": seconds}`` and answers each with ``{"status": n, "said": text}``; the status is
pytest's, None if the time ran out: so many seconds of processor time, so that a busy machine makes no bug look seen.
Run in the copy, as ``python -m tests.mutants.worker``.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path

_LIBRARIES = (
    "pytest",
    "hypothesis",
    "numpy",
    "scipy.sparse.csgraph",
    "oxidd.bcdd",
    "pysat.solvers",
    "z3",
    "json",
    "fractions",
)
_WAITING = 10  # times the limit, for tests that wait instead of working
_QUIET = ("-W", "ignore::pytest.PytestAssertRewriteWarning")  # libraries were imported before pytest could rewrite them
_OPTIONS = (*_QUIET, "-m", "", "-q", "-x", "-p", "no:cacheprovider", "-p", "tests.mutants.patient")


def main() -> None:
    """Serve until the input ends."""
    for name in _LIBRARIES:
        import_module(name)
    for line in sys.stdin:
        request = json.loads(line)
        with tempfile.NamedTemporaryFile("r", suffix=".log", encoding="utf-8", errors="replace") as log:
            status = _run(request["tests"], request["limit"], log.name)
            print(json.dumps({"status": status, "said": log.read()[-3000:]}), flush=True)


def _run(tests: list[str], limit: float, log: str) -> int | None:
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 5))
        _test(tests, log)
    until = time.monotonic() + _WAITING * limit
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            _end_group(pid)  # what the tests started and did not end
            code = os.waitstatus_to_exitcode(status)
            return None if code == -signal.SIGXCPU else code
        if time.monotonic() > until:
            _end_group(pid)
            os.waitpid(pid, 0)
            return None
        time.sleep(0.02)


def _end_group(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _test(tests: list[str], log: str) -> None:
    """In the child: run the tests and end."""
    os.setpgid(0, 0)
    sys.dont_write_bytecode = True  # what is compiled of a file with a bug in it must not stay
    out = os.open(log, os.O_WRONLY | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(out, stream)
    status = 70
    try:
        status = int(import_module("pytest").main([*_OPTIONS, *tests]))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    sys.path.insert(0, str(Path.cwd()))
    main()
