"""Truth by enumeration, as an opponent for the judge: all short lassos, all strategies.  Only for tiny systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from epistrat.logic.formula import (
    And,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Historically,
    Iff,
    Implies,
    Knows,
    Next,
    Not,
    Once,
    Or,
    Prop,
    Release,
    Since,
    Test,
    Truth,
    Until,
    WeakUntil,
    Xor,
    Yesterday,
    operands,
    subformulae,
)
from epistrat.model.explore import ReachableGraph
from epistrat.model.step import Stepper

Word = tuple[int, ...]


@dataclass(frozen=True)
class Run:
    """An ultimately periodic run: after ``states`` it repeats the last ``period`` of them for ever."""

    states: Word
    period: int

    def unrolled(self, times: int) -> Run:
        return Run(self.states + self.states[-self.period :] * times, self.period)


class Enumeration:
    """Formulae of CTL* with past and knowledge, by looking at all runs whose lasso has at most ``length`` states beyond a prefix."""

    def __init__(
        self, stepper: Stepper, reached: ReachableGraph, length: int, fair: Sequence[frozenset[int]] = ()
    ) -> None:
        self._system = stepper.system
        self._evaluator = stepper.evaluator
        self._states = reached.states
        self._initial = reached.initial
        self._next = [sorted({target for _, target in steps}) for steps in reached.steps]
        self._length = length
        self._fair = fair
        self._memo: dict[tuple[Formula, Word], bool] = {}
        self._known: dict[tuple[Formula, tuple[object, ...]], bool] = {}

    def satisfied(self, formula: Formula) -> bool:
        alive = [state for state in self._initial if not self._fair or any(self.runs((state,)))]
        return all(self.state_formula(formula, (state,)) for state in alive)

    def runs(self, prefix: Word) -> Iterator[Run]:
        """All runs that begin with the prefix and close a loop within ``length`` further states."""
        stack = [prefix]
        while stack:
            word = stack.pop()
            for start in range(len(prefix) - 1, len(word)):
                if word[start] in self._next[word[-1]] and all(fair.intersection(word[start:]) for fair in self._fair):
                    yield Run(word, len(word) - start)
            if len(word) < len(prefix) + self._length:
                stack.extend((*word, following) for following in self._next[word[-1]])

    def state_formula(self, formula: Formula, prefix: Word) -> bool:
        """Truth of a state formula after a history."""
        key = (formula, prefix)
        if key not in self._memo:
            self._memo[key] = self._state_formula(formula, prefix)
        return self._memo[key]

    def _state_formula(self, formula: Formula, prefix: Word) -> bool:
        state = self._states[prefix[-1]]
        match formula:
            case Truth(value):
                return value
            case Prop(name):
                return self._evaluator.holds(self._system.propositions[name], state)
            case Test(condition):
                return self._evaluator.holds(condition, state)
            case Exists(arg, star=True):
                return any(self.holds(arg, run, len(prefix) - 1) for run in self.runs(prefix))
            case ForAll(arg, star=True):
                return all(self.holds(arg, run, len(prefix) - 1) for run in self.runs(prefix))
            case Knows(agent, arg):
                return self._knows(agent, arg, prefix)
            case _:
                return _boolean(formula, [self.state_formula(operand, prefix) for operand in operands(formula)])

    def _knows(self, agent: str, arg: Formula, prefix: Word) -> bool:
        view = self._system.views[agent]

        def seen(number: int) -> tuple[object, ...]:
            return tuple(self._states[number][index] for index in view)

        here = seen(prefix[-1])
        key = (Knows(agent, arg), here)
        if key not in self._known:
            self._known[key] = not any(
                seen(number) == here and not value
                for state in self._initial
                for run in self.runs((state,))
                for value, number in zip(*self._values(arg, run), strict=True)
            )
        return self._known[key]

    def holds(self, formula: Formula, run: Run, position: int) -> bool:
        """Truth of a path formula at a position of a run."""
        return self._values(formula, run)[0][position]

    def _values(self, formula: Formula, run: Run) -> tuple[list[bool], Word]:
        """Truth at every position of the run, unrolled until past operators have settled."""
        depth = sum(not isinstance(part, (Truth, Prop, Test)) for part in subformulae(formula))
        long = run.unrolled(depth + 1)
        return self._along(formula, long), long.states

    def _along(self, formula: Formula, run: Run) -> list[bool]:
        size = len(run.states)
        if isinstance(formula, (Truth, Prop, Test, Exists, ForAll, Knows)):
            return [self.state_formula(formula, run.states[: index + 1]) for index in range(size)]
        args = [self._along(operand, run) for operand in operands(formula)]
        if isinstance(formula, (Not, And, Or, Implies, Iff, Xor)):
            return [_boolean(formula, [arg[index] for arg in args]) for index in range(size)]
        if isinstance(formula, (Yesterday, Once, Historically, Since)):
            return _past(formula, args, size)
        return _future(formula, args, size, run.period)


def _boolean(formula: Formula, args: list[bool]) -> bool:
    match formula:
        case Not():
            return not args[0]
        case And():
            return all(args)
        case Or():
            return any(args)
        case Implies():
            return args[1] if args[0] else True
        case Iff():
            return args[0] is args[1]
        case Xor():
            return args[0] is not args[1]
        case _:
            raise TypeError(formula)


def _past(formula: Formula, args: list[list[bool]], size: int) -> list[bool]:
    """By the definition: look at all earlier positions."""
    found: list[bool] = []
    for now in range(size):
        match formula:
            case Yesterday():
                found.append(now > 0 and args[0][now - 1])
            case Once():
                found.append(any(args[0][: now + 1]))
            case Historically():
                found.append(all(args[0][: now + 1]))
            case _:
                found.append(any(args[1][then] and all(args[0][then + 1 : now + 1]) for then in range(now + 1)))
    return found


def _future(formula: Formula, args: list[list[bool]], size: int, period: int) -> list[bool]:
    """By the definition: look at all later positions, going round the loop once more."""
    found: list[bool] = []
    for now in range(size):
        ahead = [*range(now, size), *range(size - period, size)]
        left = [args[0][index] for index in ahead]
        right = [args[-1][index] for index in ahead]
        until = any(right[k] and all(left[:k]) for k in range(len(ahead)))
        match formula:
            case Next():
                found.append(left[1])
            case Finally():
                found.append(any(left))
            case Globally():
                found.append(all(left))
            case Until():
                found.append(until)
            case WeakUntil():
                found.append(until or all(left))
            case Release():
                found.append(all(right[k] or any(left[:k]) for k in range(len(ahead))))
            case _:
                raise TypeError(formula)
    return found
