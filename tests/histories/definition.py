"""What formulae about histories mean, line by line, on models whose runs come to rest.

All histories up to a time are written out.  The models rest long before it, so what is true of a history that ends there stays true.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading, is_state, operands
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

History = tuple[State, ...]


@dataclass(frozen=True)
class Said:
    """What was announced, when, and in which context; the history of the moment does not matter beyond its length."""

    formula: Formula
    time: int
    before: Said | None


class Definition:
    """One system; ``last`` is the time at which histories end."""

    def __init__(self, system: System, last: int) -> None:
        self.system, self.last = system, last
        self._stepper = Stepper(system)
        self.histories: list[list[History]] = [[(state,) for state in initial_states(system, 1000, Budget())]]
        while len(self.histories) <= last:
            grown = [(*history, state) for history in self.histories[-1] for state in self._next(history[-1])]
            self.histories.append(list(dict.fromkeys(grown)))
            assert len(grown) < 3000
        self.true = cache(self._true)

    def _next(self, state: State) -> list[State]:
        found = [
            target for joint in self._stepper.joint_actions(state) for target in self._stepper.outcomes(state, joint)
        ]
        assert found
        return list(dict.fromkeys(found))

    def holds(self, formula: Formula) -> bool:
        """Whether all histories of one state satisfy the formula."""
        if not is_state(formula):
            formula = logic.ForAll(formula, True)
        return all(self.true(formula, history, None) for history in self.histories[0])

    def _true(self, formula: Formula, history: History, said: Said | None) -> bool:  # noqa: C901  # one case for each operator
        match formula:
            case logic.Truth(value):
                return value
            case logic.Prop(name):
                return self._stepper.evaluator.holds(self.system.propositions[name], history[-1])
            case logic.Not(arg):
                return not self.true(arg, history, said)
            case logic.And(args):
                return all(self.true(arg, history, said) for arg in args)
            case logic.Or(args):
                return any(self.true(arg, history, said) for arg in args)
            case logic.Implies(left, right):
                return not self.true(left, history, said) or self.true(right, history, said)
            case logic.ForAll(arg):
                return all(self._along(arg, run, len(history) - 1, said) for run in self._runs(history))
            case logic.Exists(arg):
                return any(self._along(arg, run, len(history) - 1, said) for run in self._runs(history))
            case logic.Announced(announced, arg):
                if not self.true(announced, history, said):
                    return True
                return self.true(arg, history, Said(announced, len(history) - 1, said))
            case logic.Knows(agent, arg):
                return self._known("K", Reading.OBSERVATION, Group((agent,)), arg, history, said)
            case logic.Everybody(group, arg):
                return self._known("GK", Reading.OBSERVATION, group, arg, history, said)
            case logic.Distributed(group, arg):
                return self._known("DK", Reading.OBSERVATION, group, arg, history, said)
            case logic.Common(group, arg):
                return self._known("GCK", Reading.OBSERVATION, group, arg, history, said)
            case logic.Remembers(word, reading, group, arg):
                return self._known(word, reading, group, arg, history, said)
        raise AssertionError(formula)

    def _runs(self, history: History) -> list[History]:
        return [run for run in self.histories[self.last] if run[: len(history)] == history]

    def _along(self, path: Formula, run: History, at: int, said: Said | None) -> bool:  # noqa: C901  # one case for each operator
        """A path formula at one moment of a run, which rests at its end."""

        def sub(formula: Formula, moment: int) -> bool:
            return self._along(formula, run, moment, said)

        later, earlier = range(at, self.last + 1), range(at, -1, -1)
        match path:
            case logic.Next(arg):
                return sub(arg, min(at + 1, self.last))
            case logic.Finally(arg):
                return any(sub(arg, moment) for moment in later)
            case logic.Globally(arg):
                return all(sub(arg, moment) for moment in later)
            case logic.Until(left, right):
                return any(sub(right, end) and all(sub(left, one) for one in range(at, end)) for end in later)
            case logic.Yesterday(arg):
                return at > 0 and sub(arg, at - 1)
            case logic.Once(arg):
                return any(sub(arg, moment) for moment in earlier)
            case logic.Historically(arg):
                return all(sub(arg, moment) for moment in earlier)
            case logic.Since(left, right):
                return any(sub(right, end) and all(sub(left, one) for one in range(end + 1, at + 1)) for end in earlier)
            case logic.Announced(announced, arg) if not is_state(arg):
                here = run[: at + 1]
                return not self.true(announced, here, said) or self._along(arg, run, at, Said(announced, at, said))
        if is_state(path):
            return self.true(path, run[: at + 1], said)
        args = [sub(operand, at) for operand in operands(path)]
        match path:
            case logic.Not():
                return not args[0]
            case logic.And():
                return all(args)
            case logic.Or():
                return any(args)
            case logic.Implies():
                return not args[0] or args[1]
        raise AssertionError(path)

    # -- knowledge -------------------------------------------------------------------------------------------------------

    def _known(
        self, word: str, reading: Reading, group: Group, arg: Formula, history: History, said: Said | None
    ) -> bool:
        arg = arg if is_state(arg) else logic.ForAll(arg, True)
        possible = list(self._possible(reading, history, said))
        members = [self.system.views[name] for name in group.members]
        if word in ("K", "DK"):
            seen = [self.system.pooled_view(group)]
        elif word == "GK":
            seen = members
        else:
            seen = members
            reached, fresh = {history}, [history]
            while fresh:
                one = fresh.pop()
                new = [
                    other
                    for other in possible
                    if other not in reached and any(self._alike(reading, view, one, other) for view in members)
                ]
                reached.update(new)
                fresh += new
            return all(self.true(arg, other, said) for other in reached)
        return all(
            self.true(arg, other, said)
            for view in seen
            for other in possible
            if self._alike(reading, view, history, other)
        )

    def _possible(self, reading: Reading, history: History, said: Said | None) -> Iterator[History]:
        """The histories of the context that may look like this one."""
        timeless = reading in (Reading.OBSERVATION, Reading.CHANGES)
        for time in range(self.last + 1) if timeless else [len(history) - 1]:
            yield from (one for one in self.histories[time] if self._left(one, said, timeless))

    def _left(self, history: History, said: Said | None, timeless: bool) -> bool:
        """Whether a history is possible after what was said."""
        if said is None:
            return True
        if not self._left(history, said.before, timeless):
            return False
        if timeless:
            return bool(self.true(said.formula, history, said.before))
        return len(history) - 1 < said.time or bool(self.true(said.formula, history[: said.time + 1], said.before))

    def _alike(self, reading: Reading, view: tuple[int, ...], one: History, other: History) -> bool:
        def seen(history: History) -> list[tuple[object, ...]]:
            return [tuple(state[place] for place in view) for state in history]

        first, second = seen(one), seen(other)
        match reading:
            case Reading.OBSERVATION:
                return first[-1] == second[-1]
            case Reading.CLOCK:
                return len(first) == len(second) and first[-1] == second[-1]
            case Reading.RECALL:
                return first == second
            case _:
                return changes(first) == changes(second)


def changes(views: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """What was seen, repetitions left out."""
    return [view for place, view in enumerate(views) if place == 0 or view != views[place - 1]]
