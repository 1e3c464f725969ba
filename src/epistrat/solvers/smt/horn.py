"""Invariants by Spacer, in a child process that can be killed.

A *safety problem* is a script with three assertions over variables of the present and of the next state: initial states, steps,
bad states.  Spacer looks for an inductive invariant that excludes the bad states.  What it finds is only a claim: whoever
uses it proves it again with a solver of their own.  What it says about reachable bad states is no run; look for that by unrolling.

How far Spacer goes is counted by Z3 itself, so the answer depends on no clock: whoever asks gives it work in slices, each larger than the
one before and begun anew, and may do something else meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

from epistrat.children.child import Child, ChildEnded
from epistrat.records import dataclass
from epistrat.solvers.budget import Budget, memory_in_use
from epistrat.solvers.smt.session import RESOURCES

PORTFOLIO: tuple[dict[str, bool], ...] = ({"spacer.global": True}, {})
"""Settings of Spacer that complement one another: the first finds relations between counters, the second is steadier."""

FIRST_SLICE = 500_000
"""Work of the first slice, with each setting: about a second."""

GROWTH = 4
"""Each slice is so many times as large as the one before."""

_POLL = 0.01
"""Seconds between two looks at the limits while the child is at work."""

_MEMORY = 1 << 31
"""Bytes that the child may use at most."""

_LEAST_MEMORY = 1 << 28
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


class Spacer:
    """Spacer and one safety problem.  ``over``: more work would bring nothing more."""

    def __init__(self, problem: SafetyProblem, budget: Budget) -> None:
        self._problem = problem
        self._budget = budget
        self._child: Child | None = None
        self._told: tuple[Safety, int] | None = None
        self._heard = threading.Event()
        self._memory = _allowed_memory(budget)
        self.over = self._memory < _LEAST_MEMORY

    def begin(self, work: int) -> None:
        """Begin a slice: each setting in turn may do so much."""
        if self.over:
            return
        if self._child is None:
            self._child = Child.of("epistrat.solvers.smt.horn_child")
            self._child.send((self._problem.script, self._problem.pairs, PORTFOLIO, self._memory))
        self._told = None
        self._heard.clear()
        self._child.send(RESOURCES * self._budget.patience.work(work))
        threading.Thread(target=self._listen, args=(self._child,), daemon=True).start()

    def _listen(self, child: Child) -> None:
        try:
            *answer, used = child.receive()
            self._told = Safety(*answer), used
        except ChildEnded as ended:
            self.over = True
            self._told = Safety(None, reason=f"Spacer: {ended}"), 0
        self._heard.set()

    def answer(self) -> Safety:
        """What came of the slice that was begun last; waits for it."""
        if self._child is None:
            return Safety(None, reason="there is too little memory")
        while self._told is None:
            self._budget.limits()
            self._heard.wait(_POLL)
        found, used = self._told
        self._budget.spend(used // RESOURCES)
        self.over = self.over or found.safe is not None
        return found

    def stop(self) -> None:
        """End the child, whatever it does."""
        if self._child is not None:
            self._child.end()


def slices(most: int | None) -> Iterator[int]:
    """The work of one slice after the other, together about so much; without end if None."""
    size, done = FIRST_SLICE, 0
    while most is None or done < most:
        yield size
        done, size = done + size * len(PORTFOLIO), size * GROWTH


def prove_safety(problem: SafetyProblem, work: int, budget: Budget | None = None) -> Safety:
    """Ask Spacer, with about so much work."""
    budget = budget or Budget()
    spacer = Spacer(problem, budget)
    found = Safety(None, reason="there is too little memory")
    try:
        for size in slices(budget.patience.work(work)):
            spacer.begin(size)
            found = spacer.answer()
            if spacer.over:
                break
        return found
    finally:
        spacer.stop()


def _allowed_memory(budget: Budget) -> int:
    """At most half of the memory that is left."""
    return _MEMORY if budget.memory is None else min(_MEMORY, (budget.memory - memory_in_use()) // 2)
