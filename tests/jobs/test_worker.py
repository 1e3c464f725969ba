"""The parent keeps the limits whatever the child does, and loses nothing it was told."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from epistrat.answers import Ending, How
from epistrat.jobs.limits import Limits
from epistrat.jobs.worker import Send, _listen_for_stop, run_in_worker
from epistrat.solvers.budget import Budget, Cancelled

# The command forks before it starts any thread; only here, inside pytest, there may be some.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


def supervise(work: Any, limits: Limits | None = None) -> tuple[Ending, list[Any], float]:
    told: list[Any] = []
    started = time.monotonic()
    ending = run_in_worker(work, limits or Limits(), told.append)
    return ending, told, time.monotonic() - started


def deaf(seconds: float) -> None:
    """Hold the interpreter lock in one native operation, as a library does that never looks at signals."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        sum(range(30_000_000))


def test_messages_arrive_in_order_and_the_end_is_noticed() -> None:
    def work(send: Send, budget: Budget) -> None:
        for number in range(1000):
            send({"event": "count", "number": number, "text": "x" * 300})

    ending, told, _ = supervise(work)
    assert ending == Ending(How.DONE)
    assert [message["number"] for message in told] == list(range(1000))


def test_big_integers_survive() -> None:
    ending, told, _ = supervise(lambda send, budget: send({"states": 3**2000}))
    assert ending.how is How.DONE
    assert told == [{"states": 3**2000}]


def test_a_deaf_child_is_ended_within_a_second_of_its_time() -> None:
    def work(send: Send, budget: Budget) -> None:
        send({"event": "begun"})
        deaf(30)

    ending, told, seconds = supervise(work, Limits(seconds=0.5))
    assert ending == Ending(How.TIME, "time limit of 0.5 s reached")
    assert told == [{"event": "begun"}]
    assert seconds < 8


def test_a_child_that_keeps_its_budget_says_so_itself() -> None:
    def work(send: Send, budget: Budget) -> None:
        while budget.elapsed < budget.seconds:  # type: ignore[operator]
            time.sleep(0.01)
        send({"event": "unknown"})

    ending, told, _ = supervise(work, Limits(seconds=0.3))
    assert ending.how is How.DONE
    assert told == [{"event": "unknown"}]


def test_memory_is_limited_from_outside() -> None:
    def work(send: Send, budget: Budget) -> None:
        held = []
        for _ in range(200):
            held.append(bytearray(os.urandom(1000) * 10_000))
            time.sleep(0.005)
        time.sleep(30)

    ending, _, seconds = supervise(work, Limits(memory=400_000_000))
    assert ending == Ending(How.MEMORY, "memory limit of 400 MB reached")
    assert seconds < 10


def press_ctrl_c(after: float) -> None:
    threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_ends_a_deaf_child_within_a_second() -> None:
    def work(send: Send, budget: Budget) -> None:
        send({"event": "begun"})
        deaf(30)

    press_ctrl_c(1.0)
    ending, told, seconds = supervise(work)
    assert ending.how is How.INTERRUPTED
    assert told == [{"event": "begun"}]
    assert seconds < 8


def test_ctrl_c_lets_the_child_say_how_far_it_got() -> None:
    def work(send: Send, budget: Budget) -> None:
        while not budget.cancelled:
            time.sleep(0.01)
        send({"event": "step 41"})

    press_ctrl_c(0.2)
    ending, told, _ = supervise(work)
    assert ending.how is How.INTERRUPTED
    assert told == [{"event": "step 41"}]


def test_ctrl_c_while_the_child_is_being_made(monkeypatch: pytest.MonkeyPatch) -> None:
    fork = os.fork

    def interrupted() -> int:
        pid = fork()
        os.kill(os.getpid(), signal.SIGINT)  # as the terminal does, to both
        return pid

    def work(send: Send, budget: Budget) -> None:
        while not budget.cancelled:
            time.sleep(0.01)
        send({"event": "step 41"})

    monkeypatch.setattr(os, "fork", interrupted)
    ending, told, _ = supervise(work)
    assert ending.how is How.INTERRUPTED
    assert told == [{"event": "step 41"}]


def test_the_handler_of_ctrl_c_is_put_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    supervise(lambda send, budget: None)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_child_does_not_end_what_its_parent_left_to_collect() -> None:
    """A manager of diagrams waits for its thread when it ends; a fork has no such thread, and would wait for ever or crash."""

    class Manager:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            ended.append(os.getpid())

    def work(send: Send, budget: Budget) -> None:
        gc.collect()
        send(len(ended))

    ended: list[int] = []
    gc.collect()
    gc.disable()
    try:
        Manager()
        told: list[int] = []
        assert run_in_worker(work, Limits(), told.append) == Ending(How.DONE)
    finally:
        gc.enable()
    gc.collect()
    assert told == [0]
    assert ended == [os.getpid()]


def test_an_exception_is_a_message() -> None:
    def work(send: Send, budget: Budget) -> None:
        raise ValueError("no such luck")

    ending, told, _ = supervise(work)
    assert ending.how is How.CRASHED
    assert told[0]["message"] == "ValueError: no such luck"
    assert "no such luck" in told[0]["trace"]


@pytest.mark.parametrize("sign", [signal.SIGSEGV, signal.SIGABRT])
def test_a_crash_in_a_library_is_told_in_words(sign: signal.Signals) -> None:
    def work(send: Send, budget: Budget) -> None:
        os.kill(os.getpid(), sign)

    ending, _, _ = supervise(work)
    assert ending == Ending(How.CRASHED, f"a native library crashed ({sign.name})")
    if hasattr(os, "memfd_create"):
        assert "test_worker.py" in ending.trace  # where it was, for the report of the mistake


def test_a_child_killed_by_the_system_is_taken_for_out_of_memory() -> None:
    ending, _, _ = supervise(lambda send, budget: os.kill(os.getpid(), signal.SIGKILL))
    assert ending.how is How.MEMORY


@pytest.mark.skipif(not hasattr(signal, "SIGXCPU"), reason="this system does not limit processor time")
def test_the_limit_of_the_shell_on_processor_time_is_a_time_limit() -> None:
    ending, _, _ = supervise(lambda send, budget: os.kill(os.getpid(), signal.SIGXCPU))
    assert ending == Ending(How.TIME, "the system's limit on processor time was reached")


_ORPHAN = """
import os, time
from epistrat.jobs.worker import Limits, run_in_worker
def work(send, budget):
    send({"pid": os.getpid()})
    while True:
        sum(range(30_000_000))
run_in_worker(work, Limits(), lambda message: print(message["pid"], flush=True))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends orphans")
def test_no_child_survives_its_parent() -> None:
    parent = subprocess.Popen([sys.executable, "-c", _ORPHAN], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 5
    while _alive(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _alive(child)


def _alive(pid: int) -> bool:
    """Whether the process runs; one that ended but was not yet collected does not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_order_to_stop_says_why() -> None:
    listen, order = os.pipe()
    budget = Budget(memory=10**9)
    _listen_for_stop(listen, budget)
    os.write(order, b"m")
    for _ in range(600):
        if budget.cancelled:
            break
        time.sleep(0.05)
    with pytest.raises(Cancelled, match="memory limit of 1000 MB"):
        budget.check()
