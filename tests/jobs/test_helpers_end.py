"""Processes that work beside: they end with the question, what they took is counted, and none outlives the command."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from benchmarks.zoo import text

from epistrat.answers import Ending, How, Question
from epistrat.engines.contract import Options
from epistrat.jobs import Portfolio
from epistrat.jobs.limits import Limits
from epistrat.jobs.worker import run_in_worker
from epistrat.lang import load
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import Patience

pytestmark = pytest.mark.alone

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process has started")


def _children() -> list[int]:
    found: list[int] = []
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # the thread has ended since it was listed
            found += map(int, (thread / "children").read_text(encoding="ascii").split())
    return found


@linux
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="no core is free")
def test_after_the_questions_no_helper_is_left_and_its_time_is_counted() -> None:
    system = load(text("bakery", 5)).system  # large enough that a helper works for a while before the answer
    assert system is not None
    before, known = resource.getrusage(resource.RUSAGE_CHILDREN), set(_children())
    with Portfolio(system, "auto", Options(), Budget(patience=Patience(turn=0, joining=0.0), cores=2)) as portfolio:
        for place, formula in enumerate(system.formulae, start=1):
            assert portfolio.answer(Question(place, formula, "")).decided
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert set(_children()) <= known
    # a helper that has only just begun when the answer comes has taken little, but never nothing
    assert after.ru_utime + after.ru_stime > before.ru_utime + before.ru_stime


_COMMAND = """
import subprocess, sys, time
from epistrat.children.system import adopt_orphans
from epistrat.jobs.limits import Limits
from epistrat.jobs.worker import run_in_worker
adopt_orphans()
def work(send, budget):
    helper = subprocess.Popen([sys.executable, "-c", "while True: sum(range(1_000_000))"], start_new_session=True)
    send(helper.pid)
    while True:
        sum(range(30_000_000))
run_in_worker(work, Limits(seconds=1.0), lambda pid: print(pid, flush=True))
"""


@linux
def test_a_helper_of_a_worker_that_is_killed_is_ended_and_counted_too() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([sys.executable, "-c", _COMMAND], capture_output=True, text=True, timeout=60, check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    assert not Path(f"/proc/{int(done.stdout)}").exists()  # not even as one that nobody has waited for
    assert used > 0.5, "worker and helper were at work for a second, on a busy machine perhaps less"


_LIMITED = """
from epistrat.jobs.limits import Limits
from epistrat.jobs.worker import run_in_worker
def work(send, budget):
    while True:
        sum(range(1_000_000))
print(run_in_worker(work, Limits(), lambda _: None))
"""


@linux
def test_a_worker_that_the_limit_on_processor_time_kills_has_not_run_out_of_memory() -> None:
    """With one limit for both, as the shell sets it, the system kills without a word."""
    line = ["sh", "-c", 'ulimit -t 2; exec "$0" -c "$1"', sys.executable, _LIMITED]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == str(Ending(How.TIME, "the system's limit on processor time was reached"))


def test_a_worker_that_is_killed_early_has_run_out_of_memory() -> None:
    def work(send: object, budget: object) -> None:
        time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGKILL)

    assert run_in_worker(work, Limits(), lambda _: None).how is How.MEMORY
