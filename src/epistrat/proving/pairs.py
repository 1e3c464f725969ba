"""Two runs side by side that look the same to an observer: one ends in a bad state, the other in one that denies what is said to be known.

Who remembers the last w observations cannot tell the ends of two runs apart that looked the same for the last w steps, or since they began
together.  Such a pair refutes knowledge for good, however long the memory, where learning would exclude one observation after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from epistrat.encoding.remembered import forgetful, remembered, with_memories
from epistrat.encoding.transitions import StepPart, Transitions, primed_key
from epistrat.model.agent import Variable
from epistrat.proving.contract import Trace, Undecided, Valuation
from epistrat.proving.finite import equality
from epistrat.proving.unrolling import Unrolling
from epistrat.records import replace
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr, Key, variables
from epistrat.terms.substitute import substitute

_OTHER = "?other "
_LONGEST = 16  # steps of pairs that begin together
_WORK = 3_000_000  # for pairs that begin together, and for one that goes on


class Pairs:
    """Pairs of runs of one system; variables that only remember are left out of the search and added to what it finds."""

    def __init__(self, system: Transitions, budget: Budget) -> None:
        self._memory = remembered(system)
        self._plain = forgetful(system, self._memory)
        self._terms = system.terms
        self._sorts = {one.key: one.domain.sort for one in (*self._plain.variables, *self._plain.inputs)}
        self._own = {one.key for one in self._plain.variables}
        self._names: dict[Expr, Expr] = {
            self._terms.variable(*key, sort): self._terms.variable(*_renamed(key), sort)
            for one, sort in self._sorts.items()
            for key in (one, primed_key(one))
        }
        self._product = self._both()
        self._budget = budget

    def _both(self) -> Transitions:
        plain = self._plain
        parts = [
            StepPart(self._other(one.relation), tuple(map(_renamed, one.defines)), self._other(one.blocks))
            for one in plain.parts
        ]
        return plain.extended(
            _renamed_all(plain.variables), map(self._other, plain.initial), parts, _renamed_all(plain.inputs)
        )

    def _other(self, condition: Expr) -> Expr:
        """The condition on the second run."""
        return substitute(self._terms, condition, self._names)

    def starting_together(self, keys: Iterable[Key], bad: Expr, denied: Expr) -> tuple[Trace, Trace] | None:
        """Two runs of the same length that look the same all the time."""
        unrolling = Unrolling(self._product, self._budget)
        until = self._budget.work + self._budget.patience.work(_WORK)
        for steps in range(self._budget.patience.most(_LONGEST) + 1):
            found = self._found(unrolling, [steps], keys, bad, denied)
            if found is not None:
                return self._run(found, ""), self._run(found, _OTHER)
            if self._budget.work > until:
                break
        return None

    def going_on(
        self, one: Trace, other: Trace, steps: int, keys: Iterable[Key], bad: Expr, denied: Expr
    ) -> tuple[Trace, Trace] | None:
        """Two given runs made longer by the same number of steps, in which they look the same."""
        unrolling = Unrolling(self._product, self._budget, from_start=False)
        for key in self._own:
            unrolling.session.add(unrolling.at(equality(self._product, key, one.last[key])))
            unrolling.session.add(unrolling.at(equality(self._product, _renamed(key), other.last[key])))
        found = self._found(unrolling, range(1, steps + 1), keys, bad, denied)
        return None if found is None else (self._run(found, "", one), self._run(found, _OTHER, other))

    def _found(
        self, unrolling: Unrolling, frames: Sequence[int], keys: Iterable[Key], bad: Expr, denied: Expr
    ) -> Trace | None:
        """A pair that ends in the last of the frames; it looks the same in all of them."""
        if not variables(bad, denied) <= self._own:
            return None
        end = frames[-1]
        unrolling.extend(end)
        for key in self._own.intersection(keys):
            seen = self._terms.variable(*key, self._sorts[key])
            same = self._terms.compare("=", seen, self._names[seen])
            unrolling.session.add(*[unrolling.at(same, frame) for frame in frames])
        with suppress(Undecided):
            if unrolling.solve([unrolling.at(bad, end), unrolling.at(self._other(denied), end)], _WORK, steps=end):
                return unrolling.trace(end)
        return None

    def _run(self, found: Trace, whose: str, before: Trace | None = None) -> Trace:
        """One of the two runs, after the one that it makes longer."""
        states = [self._only(one, whose, self._plain.variables) for one in found.states]
        inputs = [self._only(one, whose, self._plain.inputs) for one in found.inputs]
        if before is not None:
            states = [*before.states, *states[1:]]
            inputs = [*before.inputs, *inputs]
        return Trace(with_memories(self._memory, states), tuple(inputs), {})

    @staticmethod
    def _only(values: Valuation, whose: str, kept: Iterable[Variable]) -> Valuation:
        return {one.key: values[whose + one.owner, one.name] for one in kept}


def _renamed(key: Key) -> Key:
    return _OTHER + key[0], key[1]


def _renamed_all(those: Iterable[Variable]) -> list[Variable]:
    return [replace(one, owner=_OTHER + one.owner) for one in those]
