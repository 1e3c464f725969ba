"""Deterministic automata of the parts of a path formula: each says, by marks seen again and again or not, whether its part is true.

- ``G F p`` and ``F G p`` over states need no memory.
- Formulae of X, U, and, or are decided after finitely many states if they are true, those of X, R, and, or if they are false: the
  state says what is left to be shown, as the smallest sets of obligations one of which has to be met.
- Everything else: Safra's trees.

Formulae are in the normal form of `epistrat.logic.automaton`: literals, And, Or, Next, Until, Release.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Protocol, TypeAlias, TypeVar

from epistrat.logic import formula as logic
from epistrat.logic.automaton import automaton
from epistrat.logic.deterministic import safra
from epistrat.logic.deterministic.acceptance import Condition, Every, Recurs, Some
from epistrat.logic.deterministic.decisions import Tree, Trees
from epistrat.logic.formula import Formula, Prop, operands, subformulae
from epistrat.logic.rewrite import FALSE, TRUE, disjunction

State: TypeAlias = Hashable
Marks: TypeAlias = tuple[int, ...]
Step: TypeAlias = Tree[tuple[State, Marks]]
H = TypeVar("H", bound=Hashable)
MOST_STATES = 10_000


class TooManyStates(Exception):
    """An automaton is too large."""


class Piece(Protocol):
    """A deterministic automaton; its marks are numbered from 0."""

    start: State
    marks: int
    condition: Condition

    def read(self, state: State) -> Step:
        """Where reading a state of the run leads, and which marks are seen."""


def is_boolean(formula: Formula) -> bool:
    """Whether the formula is about one state."""
    return not any(isinstance(part, logic.TEMPORAL) for part in subformulae(formula))


def is_finite(formula: Formula) -> bool:
    """Whether finitely many states show that the formula is true, if it is."""
    return not any(isinstance(part, logic.Release) for part in subformulae(formula))


def is_safe(formula: Formula) -> bool:
    """Whether finitely many states show that the formula is false, if it is."""
    return not any(isinstance(part, logic.Until) for part in subformulae(formula))


def again(formula: Formula) -> Formula | None:
    """p where the formula is ``G F p`` over states, else None."""
    match formula:
        case logic.Release(first, logic.Until(second, p)) if first == FALSE and second == TRUE and is_boolean(p):
            return p
        case _:
            return None


def for_ever(formula: Formula) -> Formula | None:
    """p where the formula is ``F G p`` over states, else None."""
    match formula:
        case logic.Until(first, logic.Release(second, p)) if first == TRUE and second == FALSE and is_boolean(p):
            return p
        case _:
            return None


def response(formula: Formula) -> tuple[Formula, Formula] | None:
    """p and q where the formula is ``G (p or F q)`` over states, else None."""
    match formula:
        case logic.Release(first, logic.Or(args)) if first == FALSE:
            later = [arg for arg in args if isinstance(arg, logic.Until) and arg.left == TRUE and is_boolean(arg.right)]
            rest = [arg for arg in args if arg not in later]
            if later and all(map(is_boolean, rest)):
                return disjunction(rest), disjunction(arg.right for arg in later)
    return None


def leaves(formula: Formula) -> list[Prop]:
    """The leaves in a formula, in its order."""
    return [part for part in subformulae(formula) if isinstance(part, Prop)]


def truth(formula: Formula, true: frozenset[Prop]) -> bool:
    """A Boolean formula in one state."""
    match formula:
        case logic.Truth(value):
            return value
        case logic.Not(arg):
            return not truth(arg, true)
        case logic.And(args):
            return all(truth(arg, true) for arg in args)
        case logic.Or(args):
            return any(truth(arg, true) for arg in args)
        case _:
            return formula in true


class Recurrence:
    """``G F p``, or ``F G p`` where not ``often``."""

    start: State = 0
    marks = 1

    def __init__(self, p: Formula, often: bool) -> None:
        self.condition: Condition = Recurs(0, often)
        trees: Trees[tuple[State, Marks]] = Trees()
        self._tree = trees.decide(leaves(p), lambda true: (0, (0,) if truth(p, true) is often else ()))

    def read(self, state: State) -> Step:
        """The mark is seen where p holds, or does not."""
        return self._tree


class Response:
    """``G (p or F q)``: whether somebody waits for q; the mark is seen where nobody does."""

    start: State = False
    marks = 1
    condition: Condition = Recurs(0)

    def __init__(self, p: Formula, q: Formula) -> None:
        trees: Trees[tuple[State, Marks]] = Trees()
        asked = list(dict.fromkeys((*leaves(q), *leaves(p))))

        def outcome(true: frozenset[Prop], waiting: bool) -> tuple[State, Marks]:
            open_now = not truth(q, true) and (waiting or not truth(p, true))
            return open_now, () if open_now else (0,)

        self._trees = {
            waiting: trees.decide(asked, lambda true, waiting=waiting: outcome(true, waiting))  # type: ignore[misc]
            for waiting in (False, True)
        }

    def read(self, state: State) -> Step:
        """Whether somebody waits now."""
        return self._trees[state is True]


Ways: TypeAlias = frozenset[frozenset[Formula]]
"""The smallest sets of obligations for the rest of the run one of which has to be met; the empty set is met, no set cannot be."""
MET: Ways = frozenset((frozenset(),))
LOST: Ways = frozenset()


class Obligations:
    """A formula that finitely many states decide one way: what is left of it."""

    marks = 1

    def __init__(self, formula: Formula, tick: Callable[[], None]) -> None:
        self._tick = tick
        self._finite = is_finite(formula)
        self.condition: Condition = Recurs(0, self._finite)
        self.start: State = frozenset((frozenset((formula,)),))
        self._trees: Trees[tuple[State, Marks]] = Trees()
        self._known: dict[State, Step] = {}

    def read(self, state: State) -> Step:
        """The mark is seen once the formula is decided."""
        if state not in self._known:
            self._tick()
            if len(self._known) > MOST_STATES:
                raise TooManyStates
            ways: Ways = state  # type: ignore[assignment]
            asked = list(dict.fromkeys(leaf for way in _sorted(ways) for one in way for leaf in _now(one)))
            decided = MET if self._finite else LOST

            def outcome(true: frozenset[Prop]) -> tuple[State, Marks]:
                after = _some(_every(_left(one, true) for one in way) for way in ways)
                return after, (0,) if after == decided else ()

            self._known[state] = self._trees.decide(asked, outcome)
        return self._known[state]


def _sorted(ways: Ways) -> list[list[Formula]]:
    return sorted((sorted(way, key=str) for way in ways), key=str)


def _now(formula: Formula) -> list[Prop]:
    """The leaves that the next step depends on."""
    if isinstance(formula, logic.Next):
        return []
    if isinstance(formula, Prop):
        return [formula]
    return [leaf for operand in operands(formula) for leaf in _now(operand)]


def _left(formula: Formula, true: frozenset[Prop]) -> Ways:
    """What is left of a formula after a state."""
    match formula:
        case logic.Truth(value):
            return MET if value else LOST
        case logic.And(args):
            return _every(_left(arg, true) for arg in args)
        case logic.Or(args):
            return _some(_left(arg, true) for arg in args)
        case logic.Next(arg):
            return frozenset((frozenset((arg,)),))
        case logic.Until(left, right):
            later: Ways = frozenset((frozenset((formula,)),))
            return _some((_left(right, true), _every((_left(left, true), later))))
        case logic.Release(left, right):
            later = frozenset((frozenset((formula,)),))
            return _every((_left(right, true), _some((_left(left, true), later))))
        case logic.Not(arg):
            return LOST if arg in true else MET
        case _:
            return MET if formula in true else LOST


def _some(choices: Iterable[Ways]) -> Ways:
    return _smallest(frozenset().union(*choices))


def _every(choices: Iterable[Ways]) -> Ways:
    result = MET
    for ways in choices:
        result = _smallest(frozenset(one | other for one in result for other in ways))
    return result


def _smallest(ways: Ways) -> Ways:
    return frozenset(way for way in ways if not any(other < way for other in ways))


class Determinised:
    """Any formula, by Safra's trees; all states are made at once, so that its priorities are known."""

    def __init__(self, formula: Formula, tick: Callable[[], None]) -> None:
        self._machine = safra.buchi(automaton(formula, lambda part: isinstance(part, Prop), tick))
        self._trees: Trees[tuple[State, Marks]] = Trees()
        self._known: dict[State, Step] = {}
        self.start: State = safra.START
        priorities = self._explore(tick)
        order = sorted(priorities)
        self._mark = {priority: number for number, priority in enumerate(order)}
        self.marks = len(order)
        condition: Condition = Some(())
        for number, priority in reversed(list(enumerate(order))):
            good = priority % 2 == 0
            condition = (Some if good else Every)((Recurs(number, good), condition))
        self.condition = condition

    def _explore(self, tick: Callable[[], None]) -> set[int]:
        priorities: set[int] = set()
        raw: Trees[tuple[State, Marks]] = Trees()
        work: list[safra.Tree] = [safra.START]
        while work:
            tick()
            tree = work.pop()
            if tree in self._known:
                continue
            if len(self._known) > MOST_STATES:
                raise TooManyStates

            def outcome(true: frozenset[Prop], tree: safra.Tree = tree) -> tuple[State, Marks]:
                after, priority = safra.step(self._machine, tree, true)
                work.append(after)
                if priority is not None:
                    priorities.add(priority)
                return after, () if priority is None else (priority,)

            asked = [leaf for leaf in safra.mentioned(self._machine, tree) if isinstance(leaf, Prop)]
            self._known[tree] = raw.decide(asked, outcome)
        return priorities

    def read(self, state: State) -> Step:
        """The mark is the priority."""
        return self._known[state]

    def mark(self, priority: int) -> int:
        """The number of a priority among those that occur."""
        return self._mark[priority]
