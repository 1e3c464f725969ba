"""Looks for what proves a claim: which of the candidates are invariants of every size.

The whole of it is a search: nothing that is found here counts before `obligations` are shown again, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import z3

from epistrat.every.places.clauses import Clause
from epistrat.every.places.first_order import Condition
from epistrat.every.places.obligations import Obligations

_WORK = 2_000_000  # of Z3's own count, for one question


class Inductive:
    """Drops clauses until no step leaves the others.

    One solver knows what is assumed of a state and of a step; clauses are switched on by literals, so that what it learns serves all
    questions, and it says which clauses a proof needed.
    """

    def __init__(self, obligations: Obligations, clauses: Sequence[Clause], tick: Callable[[], None]) -> None:
        self._tick = tick
        context = obligations.family.context
        self._solver = z3.Solver(ctx=context)
        self._solver.set("rlimit", _WORK)
        self._solver.add(obligations.family.size >= obligations.least)
        self._on = {one: z3.Bool(f"on {number}", context) for number, one in enumerate(clauses)}
        self._wrong = {one: z3.Bool(f"wrong {number}", context) for number, one in enumerate(clauses)}
        self._numbers = {literal.get_id(): one for one, literal in self._on.items()}
        self._places = obligations.usual(clauses)
        self._solver.add(*obligations.told(obligations.stepping(), self._places))
        for one in clauses:
            self._switch(self._on[one], obligations, obligations.reached([one], obligations.now)[1:])
            self._switch(self._wrong[one], obligations, (one.denied(obligations.family, obligations.later),))
        self._left = dict.fromkeys(clauses)
        self._needs: dict[Clause, set[Clause]] = {}
        self._drop()

    def _switch(self, literal: Any, obligations: Obligations, conditions: Sequence[Condition]) -> None:
        for term in obligations.told(conditions, self._places):
            self._solver.add(z3.Implies(literal, term))

    def _drop(self) -> None:
        """Drop what steps leave, until nothing is left to drop."""
        pending = list(self._left)
        while pending:
            one = pending.pop()
            if one not in self._left or (one in self._needs and self._needs[one] <= self._left.keys()):
                continue
            self._tick()
            if self._solver.check(self._wrong[one], *[self._on[other] for other in self._left]) == z3.unsat:
                core = {self._numbers.get(literal.get_id()) for literal in self._solver.unsat_core()}
                self._needs[one] = {other for other in core if other is not None}
                continue
            del self._left[one]
            pending += [other for other in self._left if one in self._needs.get(other, ())]

    @property
    def clauses(self) -> list[Clause]:
        """The clauses that are left."""
        return list(self._left)

    def closed(self, wanted: Sequence[Clause]) -> list[Clause]:
        """These clauses with those that are needed so that no step leaves them."""
        found = dict.fromkeys(wanted)
        pending = list(found)
        while pending:
            for other in self._needs[pending.pop()]:
                if other not in found:
                    found[other] = None
                    pending.append(other)
        return [one for one in self._left if one in found]
