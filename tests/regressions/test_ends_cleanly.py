"""A program that ends after a check has run out of time ends with its own exit status, not with a crash.

The symbolic engine computes in threads.  A thread that is still at work while the interpreter is taken down crashes the process.  So the
threads notice a limit soon, wherever they are, and the end of the program waits for the operation they are in.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import epistrat

# The product makes the engine look at the values of w one by one: far too many.
WIDE = """
Agent A
  Vars: x : 0..3; w : 0..268435455; end Vars
  Actions = {up, stay};
  Protocol: w * w <= x : {up, stay}; Other : {stay}; end Protocol
  Evolution: w = w + 1 if Action = up; end Evolution
end Agent
Evaluation zero if A.w = 0; end Evaluation
InitStates A.x = 1 and A.w = 0; end InitStates
"""

AFTER_A_LIMIT = f"""
import epistrat, threading
system = epistrat.load({WIDE!r})
(result,) = system.check("AG zero", engine="symbolic", time=0.3)
for thread in threading.enumerate():
    if thread is not threading.main_thread():
        thread.join(20)
print(result.verdict.value, threading.active_count())
"""

IN_THE_MIDDLE = """
import time
from queue import SimpleQueue
from epistrat.jobs.runner import Job, Runner
from epistrat.solvers.bdd.oxidd_space import OxiddAlgebra
from epistrat.solvers.budget import Budget

class Slow:  # the interpreter is being taken down for a while
    def __del__(self):
        time.sleep(1)

class Session:
    def work(self):
        algebra = OxiddAlgebra(20, 1 << 16, 1 << 12)
        started = time.monotonic()
        while time.monotonic() - started < 1:
            algebra.var[0] & algebra.var[1]
        print("the operation has ended", flush=True)

    def close(self):
        pass

runner = Runner(lambda budget: Session(), Budget(), SimpleQueue())
runner.take(Job("work"))
runner.run(1 << 40)
slow = Slow()
time.sleep(0.2)
"""


def run(program: str) -> tuple[int, str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(epistrat.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.strip()


def test_a_limit_is_noticed_while_the_values_of_a_variable_are_gone_through() -> None:
    assert run(AFTER_A_LIMIT) == (0, "unknown 1")


def test_the_end_of_the_program_waits_for_the_operation_of_a_runner() -> None:
    assert run(IN_THE_MIDDLE) == (0, "the operation has ended")
