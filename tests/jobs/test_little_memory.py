"""Where memory or address space is short: unknown with a reason, never a crash."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from epistrat.answers.ending import How
from epistrat.children.system import memory_of
from epistrat.jobs import worker
from epistrat.jobs.limits import Limits
from epistrat.solvers import budget as budgets
from epistrat.solvers.budget import Budget, OutOfBudget, require_address_space
from epistrat.solvers.smt import horn
from epistrat.solvers.smt.horn import SafetyProblem, Spacer

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="limits on the address space are those of Linux")
COUNTING = """
Agent Environment Obsvars: done : boolean; end Obsvars Vars: n : integer; m : integer; end Vars
  Actions = {tick}; Protocol: Other : {tick}; end Protocol
  Evolution: n = n + 1 and m = m + 2 if n < 900; done = true if m >= 1500; end Evolution end Agent
InitStates Environment.n = 0 and Environment.m = 0 and Environment.done = false; end InitStates
Formulae AG Environment.m <= 2 * Environment.n; AF Environment.done = true; end Formulae
"""


@LINUX
@pytest.mark.parametrize("space", [1_200_000_000, 2_500_000_000])
def test_little_address_space_is_unknown_with_a_reason(space: int, tmp_path: Path) -> None:
    """A manager of diagrams that does not fit is not opened: the library would end the process."""
    model = tmp_path / "counting.ispl"
    model.write_text(COUNTING, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "epistrat", "check", str(model), "--engine", "abstraction", "--time", "30"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (space, space)),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode in (0, 4), done.stdout + done.stderr
    if space < 2_000_000_000:
        assert "address space" in done.stdout
        assert done.returncode == 4


def test_address_space_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit everything may be asked for; with one, not more than is left."""
    require_address_space(1 << 60 if sys.platform != "linux" or budgets._address_space() is None else 1)
    monkeypatch.setattr(budgets, "_address_space", lambda: 10**9)
    monkeypatch.setattr(budgets, "_address_space_left", lambda: 3 * 10**8)
    require_address_space(2 * 10**8)
    with pytest.raises(OutOfBudget, match=r"1\.0 GB of address space"):
        require_address_space(4 * 10**8)


@pytest.mark.parametrize(
    ("words", "how"), [("memory allocation of 99 bytes failed", How.MEMORY), ("assertion failed", How.CRASHED)]
)
def test_a_library_that_ends_the_process_says_why(words: str, how: How) -> None:
    """What a library writes before it aborts tells memory from other crashes."""

    def work(send: object, budget: Budget) -> None:
        os.write(2, words.encode())
        os.abort()

    ending = worker.run_in_worker(work, Limits(), lambda message: None)
    assert ending.how is how


@LINUX
@pytest.mark.parametrize("thread", [False, True])
def test_what_was_started_counts(thread: bool) -> None:
    """The memory of a process is that of its children, too, whichever thread has started them."""
    large = "x = bytearray(200_000_000); print(1, flush=True); input()"
    start = (
        f"c.append(subprocess.Popen([sys.executable, '-c', '{large}'], stdin=-1, stdout=-1)); c[0].stdout.readline()"
    )
    code = (
        f"import subprocess, sys, threading, time\nc = []\ndef start():\n  {start}; done.set(); time.sleep(60)\n"
        f"done = threading.Event()\n{'threading.Thread(target=start, daemon=True).start()' if thread else start}\n"
        f"{'done.wait()' if thread else ''}\nprint(1, flush=True); input()"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert parent.stdout is not None
        parent.stdout.readline()
        assert memory_of(parent.pid) > 200_000_000
    finally:
        parent.kill()
        parent.communicate()


def test_a_child_for_invariants_gets_half_of_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """With too little there is none."""
    monkeypatch.setattr(horn, "memory_in_use", lambda: 10**9)
    problem = SafetyProblem("", ())
    assert Spacer(problem, Budget())._memory == 1 << 31
    assert Spacer(problem, Budget(memory=3 * 10**9))._memory == 10**9
    none = Spacer(problem, Budget(memory=10**9 + 10**8))
    none.begin(1000)
    assert none.over and none.answer().safe is None


def test_limits_become_the_budget() -> None:
    """None of them gets lost."""
    found = Limits(seconds=1.0, memory=2, nodes=3, states=4, cores=5).budget()
    assert (found.seconds, found.memory, found.nodes, found.states, found.cores) == (1.0, 2, 3, 4, 5)
