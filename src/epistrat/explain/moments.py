"""At which moments of an infinite run a linear formula is decided: ``at moment 3 `p` is true, and `q` is never true from then on``.

A path formula is followed down to conditions on states: a G that fails to the first moment without its operand, an F that fails to the
moment from which on its operand is never true, and so on.  What cannot be told this way is not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum

from epistrat.answers.explanation import Assertion, Say, Truth
from epistrat.evidence import Lasso
from epistrat.evidence.linear import LassoTruth, Value
from epistrat.explain.sentences import short, together
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands
from epistrat.records import dataclass

Fact = Callable[[Formula, bool, int], Say]
"""A state formula with its truth at a position of the run, in words."""

_MOST_FACTS = 4


class Stretch(Enum):
    """Of which moments something is said, seen from one of them."""

    FROM = 1
    UP_TO = 2
    AGAIN = 3


class _Untold(Exception):
    """The formula is of a kind, or its truth so distributed, that there is no short sentence."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """Something said of one moment; or of a stretch of the run: of all from it on, of all up to it, or of infinitely many.

    ``again``: it is about a later round through the repeated part, in which the moment comes again.
    """

    moment: int
    said: Say
    stretch: Stretch | None = None
    again: bool = False

    @property
    def at(self) -> str:
        """The moment, as a sentence names it."""
        return f"moment {self.moment}, when it comes again," if self.again else f"moment {self.moment}"


class Moments:
    """Tells about one run.  ``known(position, formula)`` is the truth of state formulae, None where that is not known."""

    def __init__(self, lasso: Lasso, known: Callable[[int, Formula], Value], fact: Fact) -> None:
        self._lasso = lasso
        self._known = known
        self._fact = fact
        self._truth = LassoTruth(len(lasso.states), lasso.loop, known)

    def told(self, formula: Formula, holds: bool) -> Say | None:
        """Why the formula holds, or does not, on this run; None where no short sentence says it."""
        try:
            if self._value(formula, 0) is not holds:
                return None
            pieces = list(self._pieces(formula, holds, 0))
        except _Untold:
            return None
        return _sentence(pieces) if 0 < len(pieces) <= _MOST_FACTS else None

    def _value(self, formula: Formula, point: int) -> bool:
        value = self._truth.word(formula).at(point)
        if value is None:
            raise _Untold
        return value

    def _first(self, formula: Formula, holds: bool, start: int) -> int | None:
        """The first point from ``start`` on at which the formula has this truth."""
        word = self._truth.word(formula)
        return next((n for n in range(start, start + len(word.values)) if self._value(formula, n) is holds), None)

    def _place(self, point: int) -> int:
        """The moment of the run as it is written, which shows its repeated part once."""
        if point < len(self._lasso.states):
            return point
        return self._lasso.loop + (point - self._lasso.loop) % self._lasso.period

    def _later(self, point: int) -> bool:
        """Whether a point lies in a later round than the one that is written."""
        return point >= len(self._lasso.states)

    def _since(self, point: int) -> str:
        """From where an until counts, where that is not the start of the run."""
        return f"from {_Piece(self._place(point), Say(''), again=self._later(point)).at} " if point else ""

    def _pieces(self, formula: Formula, holds: bool, point: int) -> Iterable[_Piece]:
        """Why a formula has its truth at a point."""
        if is_state(formula):
            place = self._place(point)
            if self._known(place, formula) is not holds:
                raise _Untold
            return [_Piece(place, self._fact(formula, holds, place), again=self._later(point))]
        match formula, holds:
            case logic.Not(arg), _:
                return self._pieces(arg, not holds, point)
            case ((logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor()), _):
                return self._connective(formula, holds, point)
            case logic.Next(arg), _:
                return self._pieces(arg, holds, point + 1)
            case (logic.Globally(arg), False) | (logic.Finally(arg), True):
                return self._at_first(arg, holds, point)
            case (logic.Globally(arg), True) | (logic.Finally(arg), False):
                return [self._from(arg, holds, point)]
            case ((logic.Until(f, g) | logic.WeakUntil(f, g)), _):
                return self._until(formula, f, g, holds, point)
            case (logic.Historically(arg), False) | (logic.Once(arg), True):
                return self._back(arg, holds, point)
            case (logic.Historically(arg), True) | (logic.Once(arg), False) if is_state(arg):
                word = "has been true" if holds else "has not been true"
                return [_Piece(self._within(point), Say(f"{short(arg)} {word}"), Stretch.UP_TO)]
            case logic.Yesterday(arg), _ if point:
                return self._pieces(arg, holds, self._within(point) - 1)
        raise _Untold

    def _within(self, point: int) -> int:
        """A point that is written as it is: what is said of the past must not be said of a later round."""
        if point >= len(self._lasso.states):
            raise _Untold
        return point

    def _connective(self, formula: Formula, holds: bool, point: int) -> Iterable[_Piece]:
        values = [(part, self._value(part, point)) for part in operands(formula)]
        if isinstance(formula, logic.Implies):
            values[0] = logic.Not(values[0][0]), not values[0][1]
        both = isinstance(formula, (logic.Iff, logic.Xor))
        if both or holds is isinstance(formula, logic.And):
            chosen = values
        else:  # one operand decides; one that the states show is the shorter story
            deciding = [one for one in values if one[1] is holds]
            chosen = [min(deciding, key=lambda one: not is_state(one[0]))]
        return [piece for part, value in chosen for piece in self._pieces(part, value, point)]

    def _at_first(self, arg: Formula, holds: bool, point: int) -> Iterable[_Piece]:
        found = self._first(arg, holds, point)
        assert found is not None
        return self._pieces(arg, holds, found)

    def _back(self, arg: Formula, holds: bool, point: int) -> Iterable[_Piece]:
        found = next((n for n in range(self._within(point), -1, -1) if self._value(arg, n) is holds), None)
        assert found is not None
        return self._pieces(arg, holds, found)

    def _from(self, arg: Formula, holds: bool, point: int) -> _Piece:
        """What is true (or never true) from a moment on, or again and again."""
        place = self._place(point)
        rest = self._rest(place)
        match arg, holds:
            case _ if is_state(arg):
                whole: Formula = logic.Globally(arg) if holds else logic.Finally(arg)
                text = f"{short(arg)} is true" if holds else f"{short(arg)} is never true"
            case (logic.Finally(f), True) | (logic.Globally(f), False) if is_state(f):
                whole = logic.Globally(arg) if holds else logic.Finally(arg)
                word = "true" if holds else "false"
                said = Say(f"again and again {short(f)} is {word}", self._on(whole, holds, rest))
                return _Piece(place, said, Stretch.AGAIN)
            case _:
                raise _Untold
        return _Piece(place, Say(text, self._on(whole, holds, rest)), Stretch.FROM)

    def _until(self, formula: Formula, f: Formula, g: Formula, holds: bool, point: int) -> Iterable[_Piece]:
        first = self._first(g, True, point)
        if not (is_state(f) and is_state(g)):
            raise _Untold
        if holds:
            if first is None or not all(self._value(f, n) for n in range(point, first)):
                return [self._from(f, True, point)]
            before = Say(f"{self._since(point)}until then {short(f)}")
            until = [_Piece(self._place(first), before, again=self._later(first))] if first > point else []
            return [*self._pieces(g, True, first), *until]
        neither = next((n for n in range(point, point + 2 * len(self._lasso.states)) if not self._value(f, n)), None)
        if neither is None or (first is not None and first <= neither):
            return [self._from(g, False, point)]
        broken = self._pieces(f, False, neither)
        if neither == point > 0:
            return [*broken, *self._pieces(g, False, point)]
        missing = Say(f"{short(g)} has not been true {self._since(point)}until then")
        return [*broken, _Piece(self._place(neither), missing, again=self._later(neither))]

    def _rest(self, place: int) -> Lasso:
        """The run from a moment on."""
        states, actions, loop = self._lasso.states, self._lasso.actions, self._lasso.loop
        if place <= loop:
            return Lasso(states[place:], actions[place:], loop - place)
        return Lasso(states[place:] + states[loop:place], actions[place:] + actions[loop:place], 0)

    @staticmethod
    def _on(formula: Formula, holds: bool, run: Lasso) -> tuple[Assertion, ...]:
        return (Truth(formula, holds, run.states[0], run),)


def _sentence(pieces: list[_Piece]) -> Say:
    """The pieces in one sentence; those of one moment together."""
    parts: list[Say] = []
    last: str | None = None
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        if piece.stretch is not None:
            parts.append(_stretch(piece, last))
            index += 1
            continue
        same = [piece]
        while index + len(same) < len(pieces) and _goes_with(piece, pieces[index + len(same)]):
            same.append(pieces[index + len(same)])
        said = together(one.said for one in same)
        parts.append(said if piece.at == last else said.within(f"at {piece.at} "))
        last = piece.at
        index += len(same)
    texts = ", and ".join(part.text for part in parts)
    return Say(texts, tuple(one for part in parts for one in part.asserts))


def _goes_with(one: _Piece, other: _Piece) -> bool:
    return one.at == other.at and other.stretch is None and "until then" not in other.said.text


def _stretch(piece: _Piece, last: str | None) -> Say:
    if piece.stretch is Stretch.AGAIN:
        return piece.said
    if piece.stretch is Stretch.UP_TO:
        return piece.said.within("", f" up to moment {piece.moment}")
    if last == piece.at:
        return piece.said.within("", " from then on")
    if piece.moment == 0:
        return piece.said.within("", " all the time") if "never" not in piece.said.text else piece.said
    return piece.said.within("", f" from moment {piece.moment} on")
