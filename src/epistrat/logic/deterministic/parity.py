"""One deterministic parity automaton for a path formula: automata of its parts side by side, and Zielonka's tree of what they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from epistrat.logic import formula as logic
from epistrat.logic.automaton import normal
from epistrat.logic.deterministic import pieces
from epistrat.logic.deterministic.acceptance import Condition, Every, Recurs, Some, TooManyLeaves, Zielonka
from epistrat.logic.deterministic.decisions import Reads, Tree, Trees
from epistrat.logic.deterministic.pieces import (
    MOST_STATES,
    Determinised,
    Obligations,
    Piece,
    Recurrence,
    Response,
    TooManyStates,
)
from epistrat.logic.formula import Formula, Prop
from epistrat.logic.rewrite import FALSE, TRUE, with_operands

Outcome: TypeAlias = tuple[int, int]
"""The next state, and the priority: of those seen again and again the smallest decides, and even is good."""
_Inside: TypeAlias = tuple[tuple[pieces.State, ...], int]


class Parity:
    """A deterministic parity automaton over the leaves of a formula; its states are made when they are asked for; 0 is initial.

    Raises `TooManyStates` where it is too large.
    """

    def __init__(self, formula: Formula, tick: Callable[[], None] = lambda: None) -> None:
        self._tick = tick
        self._pieces: list[Piece] = []
        self._first: list[int] = []
        self._marks = 0
        condition = self._condition(simplified(normal(formula, lambda part: isinstance(part, Prop))))
        try:
            self._tree = Zielonka(condition, self._marks, tick)
        except TooManyLeaves:
            raise TooManyStates from None
        self._trees: Trees[Outcome] = Trees()
        start: _Inside = (tuple(piece.start for piece in self._pieces), self._tree.start)
        self._numbers: dict[_Inside, int] = {start: 0}
        self._states: list[_Inside] = [start]

    def __len__(self) -> int:
        """How many states there are so far."""
        return len(self._states)

    def read(self, state: int) -> Tree[Outcome]:
        """Where reading a state of the run leads, and with which priority."""
        self._tick()
        before, leaf = self._states[state]
        known: dict[tuple[tuple[pieces.State, ...], int, int], Tree[Outcome]] = {}
        here = [piece.read(one) for piece, one in zip(self._pieces, before, strict=True)]

        def after(states: tuple[pieces.State, ...], leaf: int, depth: int) -> Tree[Outcome]:
            key = states, leaf, depth
            if key not in known:
                if len(states) == len(self._pieces):
                    known[key] = self._trees.then((self._number((states, leaf)), depth))
                else:
                    known[key] = walk(here[len(states)], states, leaf, depth)
            return known[key]

        def walk(
            part: Tree[tuple[pieces.State, pieces.Marks]], states: tuple[pieces.State, ...], leaf: int, depth: int
        ) -> Tree[Outcome]:
            if isinstance(part, Reads):
                yes, no = walk(part.yes, states, leaf, depth), walk(part.no, states, leaf, depth)
                return self._trees.reads(part.leaf, yes, no)
            state, marks = part.outcome
            place = len(states)
            for mark in marks:
                piece = self._pieces[place]
                number = piece.mark(mark) if isinstance(piece, Determinised) else mark
                leaf, passed = self._tree.read(leaf, self._first[place] + number)
                depth = min(depth, passed)
            return after((*states, state), leaf, depth)

        return after((), leaf, self._tree.depth(leaf))

    def _number(self, inside: _Inside) -> int:
        found = self._numbers.get(inside)
        if found is None:
            found = self._numbers[inside] = len(self._states)
            if found >= MOST_STATES:
                raise TooManyStates
            self._states.append(inside)
        return found

    def _condition(self, formula: Formula) -> Condition:
        """The condition of a formula on marks of new pieces."""
        if formula in (TRUE, FALSE):
            return Every(()) if formula == TRUE else Some(())
        p = pieces.again(formula)
        if p is not None:
            return self._add(Recurrence(p, True))
        p = pieces.for_ever(formula)
        if p is not None:
            return self._add(Recurrence(p, False))
        response = pieces.response(formula)
        if response is not None:
            return self._add(Response(*response))
        if pieces.is_finite(formula) or pieces.is_safe(formula):
            return self._add(Obligations(formula, self._tick))
        match formula:
            case logic.And(args) | logic.Or(args):
                kind = Every if isinstance(formula, logic.And) else Some
                return kind(tuple(self._condition(part) for part in _gathered(type(formula), args)))
            case _:
                return self._add(Determinised(formula, self._tick))

    def _add(self, piece: Piece) -> Condition:
        first = self._marks
        self._pieces.append(piece)
        self._first.append(first)
        self._marks += piece.marks
        return _shifted(piece.condition, first)


def _gathered(kind: type[logic.And] | type[logic.Or], args: Sequence[Formula]) -> list[Formula]:
    """Operands of one connective: those that finitely many states decide become one part for each side."""
    finite = [arg for arg in args if pieces.is_finite(arg)]
    safe = [arg for arg in args if pieces.is_safe(arg) and arg not in finite]
    rest = [arg for arg in args if arg not in finite and arg not in safe]
    together = [part[0] if len(part) == 1 else kind(tuple(part)) for part in (finite, safe) if part]
    return [*together, *rest]


def _shifted(condition: Condition, by: int) -> Condition:
    match condition:
        case Recurs(mark, often):
            return Recurs(mark + by, often)
        case Every(parts):
            return Every(tuple(_shifted(part, by) for part in parts))
        case Some(parts):
            return Some(tuple(_shifted(part, by) for part in parts))


def simplified(formula: Formula) -> Formula:
    """With G over each conjunct, F over each disjunct, and without operators that change nothing above ``G F`` and ``F G``."""
    match formula:
        case logic.And(args) | logic.Or(args):
            kind = type(formula)
            flat: dict[Formula, None] = {}
            for arg in map(simplified, args):
                flat.update(dict.fromkeys(arg.args if isinstance(arg, kind) else (arg,)))
            if kind is logic.Or:  # p or F p is F p
                flat = {arg: None for arg in flat if logic.Until(TRUE, arg) not in flat}
            return kind(tuple(flat)) if len(flat) > 1 else next(iter(flat))
        case logic.Next(arg) | logic.Until(logic.Truth(True), arg) | logic.Release(logic.Truth(False), arg):
            return _spread(formula, simplified(arg))
        case logic.Until() | logic.Release():
            return with_operands(formula, (simplified(formula.left), simplified(formula.right)))
        case _:
            return formula


def _spread(above: Formula, inner: Formula) -> Formula:
    """X, F or G above a formula."""
    if not isinstance(inner, (logic.And, logic.Or)) and (pieces.again(inner) or pieces.for_ever(inner)):
        return inner
    over = (logic.Next, logic.Release) if isinstance(inner, logic.And) else (logic.Next, logic.Until)
    if isinstance(inner, (logic.And, logic.Or)) and isinstance(above, over) and not pieces.is_boolean(inner):
        return type(inner)(tuple(_spread(above, arg) for arg in inner.args))
    if isinstance(above, logic.Next):
        return logic.Next(inner)
    assert isinstance(above, (logic.Until, logic.Release))
    if type(inner) is type(above) and inner.left == above.left:
        return inner
    return type(above)(above.left, inner)
