"""Invariants by Spacer, each attempt in a child process that can be killed.

A *safety problem* is a script with three assertions over variables of the present and of the next state: initial states, steps,
bad states.  Spacer looks for an inductive invariant that excludes the bad states.  What it finds is only a claim: whoever
uses it proves it again with a solver of their own.  What it says about reachable bad states is no run; look for that by unrolling.
"""

from __future__ import annotations

import threading
import time

from epistrat.children.child import Child, ChildEnded
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
        self._child = Child.of("epistrat.solvers.smt.horn_child")
        self._child.send((problem.script, problem.pairs, settings, seconds, memory))
        self._answer: Safety | None = None
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            self._answer = Safety(*self._child.receive())
        except ChildEnded as ended:
            self._answer = Safety(None, reason=f"Spacer: {ended}")

    def poll(self) -> Safety | None:
        """The answer, if the child is done."""
        return self._answer

    def stop(self) -> None:
        """End the child, whatever it does."""
        self._child.end()
