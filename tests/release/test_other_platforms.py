"""What Windows and macOS lack is not needed: every module is imported and models are checked where it is hidden."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.studio.conftest import long_check

ROOT = Path(__file__).parents[2]
HIDDEN = """
import asyncio, importlib, multiprocessing, os, pkgutil, signal, sqlite3, subprocess, sys, tempfile
for name in ("numpy", "scipy.sparse", "z3", "prompt_toolkit.shortcuts", "distributed", "pygls.lsp.server", "starlette.routing", "uvicorn",
             "networkx", "cvc5", "dd.cudd"):  # what they need of a platform is their own affair
    try:
        importlib.import_module(name)
    except ImportError:
        pass
for name in ("resource", "fcntl", "termios", "tty", "pty", "pwd", "grp", "readline", "syslog"):
    sys.modules[name] = None
for name in ("fork", "killpg", "wait4", "getpgid", "setsid", "sysconf", "sched_getaffinity", "getuid", "geteuid", "uname", "getloadavg"):
    delattr(os, name)
for name in ("SIGKILL", "SIGALRM", "SIGUSR1", "SIGHUP", "setitimer"):
    delattr(signal, name)
import pathlib
def hidden(path, *rest, before=pathlib.Path.read_bytes):
    if str(path).startswith("/proc"):
        raise FileNotFoundError(path)
    return before(path, *rest)
pathlib.Path.read_bytes = hidden
"""
IMPORTS = """
import epistrat
for found in pkgutil.walk_packages(epistrat.__path__, "epistrat."):
    if not found.name.endswith("__main__") and found.name != "epistrat.assistants.server":  # which needs the extra mcp
        importlib.import_module(found.name)
"""
CHECKS = """
from epistrat.cli.main import main
def status(*words):
    print(*words, "gives", main(words))
status("check", "examples/dining_cryptographers.ispl", "--time", "60", "--memory", "4GB", "--expect")
status("strategy", "examples/prisoners.ispl", "-f", "<prisoners>F free")
status("mcmas", "examples/bit_transmission.ispl")
status("doctor")
status("check", "-", "--engine", "explicit", "--time", "0.2")
"""


def test_every_module_is_imported_and_models_are_checked_without_what_platforms_lack() -> None:
    """Without a process of its own a check keeps its time limit itself, and says where it ended."""
    told = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HIDDEN + IMPORTS + CHECKS],
        cwd=ROOT,
        input=long_check(8),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    statuses = [line.split()[0] + line[-1] for line in told.stdout.splitlines() if " gives " in line]
    assert statuses == ["check0", "strategy0", "mcmas1", "doctor0", "check4"], told.stdout + told.stderr
    assert "time limit of 0.2 s reached" in told.stdout
    assert "worker processes: cannot be started on this system" in told.stdout
    assert "internal error" not in told.stderr
