"""Invariants by Spacer, each attempt in a child process that can be killed.

A *safety problem* is a script with three assertions over variables of the present and of the next state: initial states, steps,
bad states.  Spacer looks for an inductive invariant that excludes the bad states.  What it finds is only a claim: whoever
uses it proves it again with a solver of their own.  What it says about reachable bad states is no run; look for that by unrolling.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

from epistrat.records import dataclass
from epistrat.solvers.budget import Budget, memory_in_use

PORTFOLIO: tuple[dict[str, bool], ...] = ({"spacer.global": True}, {})
"""Settings of Spacer that complement one another: the first finds relations between counters, the second is steadier."""

_POLL = 0.01
"""Seconds between two looks at the children."""

_MEMORY = 1 << 30
"""Bytes that one attempt may use at most."""

_LEAST_MEMORY = 1 << 27
"""With fewer bytes no attempt is made."""


@dataclass(frozen=True, slots=True)
class SafetyProblem:
    """``script`` asserts initial states, steps and bad states, in this order; ``pairs`` are the names of present and next variables."""

    script: str
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Safety:
    """``safe`` is None where no attempt gave an answer; then ``reason`` says why.  ``invariant`` is a script with one assertion."""

    safe: bool | None
    invariant: str | None = None
    reason: str | None = None


def prove_safety(problem: SafetyProblem, seconds: float, budget: Budget | None = None) -> Safety:
    """Ask Spacer with all settings side by side; the first answer ends the others."""
    budget = budget or Budget()
    attempts = attempts_at(problem, seconds, budget)
    try:
        ends = time.monotonic() + seconds
        reasons: list[str] = []
        while attempts and time.monotonic() < ends:
            budget.check()
            for attempt in list(attempts):
                answer = attempt.poll()
                if answer is not None:
                    if answer.safe is not None:
                        return answer
                    reasons.append(answer.reason or "no answer")
                    attempt.stop()
                    attempts.remove(attempt)
            time.sleep(_POLL)
        return Safety(None, reason="; ".join(dict.fromkeys(reasons)) or f"no invariant found in {seconds:g} s")
    finally:
        for attempt in attempts:
            attempt.stop()


def attempts_at(problem: SafetyProblem, seconds: float, budget: Budget) -> list[Attempt]:
    """An attempt with each setting, together in at most half of the memory that is left; none where that is too little."""
    memory = _MEMORY
    if budget.memory is not None:
        memory = min(memory, (budget.memory - memory_in_use()) // (2 * len(PORTFOLIO)))
    if memory < _LEAST_MEMORY:
        return []
    return [Attempt(problem, chosen, seconds, memory) for chosen in PORTFOLIO]


class Attempt:
    """One child process at work on a safety problem, with so many bytes of memory."""

    def __init__(
        self, problem: SafetyProblem, settings: dict[str, bool], seconds: float, memory: int = _MEMORY
    ) -> None:
        question = {
            "script": problem.script,
            "pairs": problem.pairs,
            "settings": settings,
            "seconds": seconds,
            "memory": memory,
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "epistrat.solvers.smt.horn_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(question))
        self._process.stdin.close()

    def poll(self) -> Safety | None:
        """The answer, if the child is done."""
        if self._process.poll() is None:
            return None
        assert self._process.stdout is not None
        text = self._process.stdout.read()
        if not text:
            return Safety(None, reason=f"Spacer ended with status {self._process.returncode}")
        answer = json.loads(text)
        return Safety(answer["safe"], answer.get("invariant"), answer.get("reason"))

    def stop(self) -> None:
        """End the child, whatever it does."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
