"""The histories of one moment, and what agents know at it.

Histories that end in the same state, with the same truth of what guards say of the past, and that agree in everything that is known of each
other, are one *world*.  Their extensions agree, too, so nothing is lost by joining them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import Formula, Group, Reading, operands, subformulae
from epistrat.model.conditions import as_condition
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.system import System

Truth: TypeAlias = NDArray[np.bool_]
Classes: TypeAlias = NDArray[np.int64]
Observer: TypeAlias = tuple[str, Reading]
"""An agent, and how it tells histories apart: by the clock or by recall."""
Colour: TypeAlias = int
"""What is true of a world, and what is known of each other there."""


class World(NamedTuple):
    """The last state, what matters of the past, and for each agent that remembers the number of what looks the same to it."""

    state: State
    past: tuple[bool, ...]
    seen: tuple[int, ...]


class Language:
    """What the guards of a system say: formulae, the past in them, and who tells histories apart in which way."""

    def __init__(self, system: System, formulae: Iterable[Formula]) -> None:
        self.system = system
        self.parts = subformulae(*formulae)
        self.past = [part for part in self.parts if isinstance(part, logic.PAST)]
        self.place: dict[Formula, int] = {part: number for number, part in enumerate(self.past)}
        found = {
            (name, part.reading)
            for part in self.parts
            if isinstance(part, logic.Remembers)
            for name in part.group.members
        }
        self.observers: list[Observer] = sorted(found, key=lambda one: (one[0], one[1].value))
        self.remembering = [name for name, reading in self.observers if reading is Reading.RECALL]
        self._evaluator = Evaluator(system)
        self._atoms: dict[Formula, Callable[[State], bool]] = {}

    def first(self) -> tuple[bool, ...]:
        """What is remembered of the past before the first moment."""
        return tuple([isinstance(part, logic.Historically) for part in self.past])

    def view(self, agent: str, state: State) -> tuple[object, ...]:
        """What the agent sees."""
        return tuple([state[place] for place in self.system.views[agent]])

    def atom(self, formula: Formula, states: Sequence[State]) -> Truth:
        """Where a condition holds."""
        meaning = self._evaluator.meaning(as_condition(self.system, formula))
        return np.array([bool(meaning(state, ())) for state in states], dtype=np.bool_)


class Moment:
    """The worlds of one moment, with the truth of all that guards say."""

    def __init__(self, language: Language, worlds: Sequence[World]) -> None:
        self.language, self.worlds = language, worlds
        self.states = [world.state for world in worlds]
        self._classes = {observer: self._look_alikes(observer) for observer in language.observers}
        self.truth: dict[Formula, Truth] = {}
        for part in language.parts:
            self.truth[part] = self._true(part)

    def later(self, number: int) -> tuple[bool, ...]:
        """What is remembered of the past one step after a world."""
        kept = [operands(part)[0] if isinstance(part, logic.Yesterday) else part for part in self.language.past]
        return tuple([bool(self.truth[part][number]) for part in kept])

    def _look_alikes(self, observer: Observer) -> Classes:
        """For each world a number, which those have in common that look the same to an observer."""
        name, reading = observer
        numbers: dict[object, int] = {}
        place = self.language.remembering.index(name) if reading is Reading.RECALL else None
        keys = [self.language.view(name, one.state) if place is None else one.seen[place] for one in self.worlds]
        return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)

    def _true(self, part: Formula) -> Truth:  # one case for each operator
        truth = self.truth
        match part:
            case logic.Truth() | logic.Prop() | logic.Test() | logic.Colour():
                return self.language.atom(part, self.states)
            case logic.ForAll(arg):
                return truth[arg]  # the past is that of the history
            case logic.Yesterday():
                return self._before(part)
            case logic.Once(arg):
                return truth[arg] | self._before(part)
            case logic.Historically(arg):
                return truth[arg] & self._before(part)
            case logic.Since(left, right):
                return truth[right] | (truth[left] & self._before(part))
            case logic.Remembers(word, reading, group, arg):
                return self._known(word, reading, group, truth[arg])
            case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
                return connect(part, [truth[arg] for arg in operands(part)], _ARRAYS)
        raise AssertionError(f"no guard says this: {type(part).__name__}")

    def _before(self, part: Formula) -> Truth:
        place = self.language.place[part]
        return np.array([world.past[place] for world in self.worlds], dtype=np.bool_)

    def _known(self, word: str, reading: Reading, group: Group, fact: Truth) -> Truth:
        views = [self._classes[name, reading] for name in group.members]
        if word == "GCK":
            return _everywhere(_joined(views, len(fact)), fact)
        if word == "GK":
            return reduce(
                np.logical_and, [_everywhere(view, fact) for view in views], np.ones(len(fact), dtype=np.bool_)
            )
        return _everywhere(_pooled(views, len(fact)), fact)

    # -- what is the same

    def colours(self, table: dict[object, int]) -> tuple[int, list[Colour]]:
        """After so many rounds no more worlds are told apart by what is known of each other; a number for each world.

        Numbers are those of ``table`` and mean the same at all moments: those of two moments are the same set, after as many
        rounds, only if worlds with one number agree in everything.
        """
        found = [table.setdefault((one.state, one.past), len(table)) for one in self.worlds]
        rounds = 0
        while True:
            finer = self._finer(found, table)
            if len(set(finer)) == len(set(found)):
                return rounds, finer
            found, rounds = finer, rounds + 1

    def _finer(self, colours: list[Colour], table: dict[object, int]) -> list[Colour]:
        signatures: list[list[object]] = [[colour] for colour in colours]
        for classes in self._classes.values():
            held: dict[int, set[Colour]] = {}
            numbers = classes.tolist()
            for number, colour in zip(numbers, colours, strict=True):
                held.setdefault(number, set()).add(colour)
            frozen = {number: table.setdefault(frozenset(one), len(table)) for number, one in held.items()}
            for signature, number in zip(signatures, numbers, strict=True):
                signature.append(frozen[number])
        return [table.setdefault(tuple(signature), len(table)) for signature in signatures]


_ARRAYS: Booleans[Truth] = Booleans(
    np.logical_not,
    lambda parts: reduce(np.logical_and, parts),
    lambda parts: reduce(np.logical_or, parts),
    np.logical_xor,
)


def _everywhere(classes: Classes, fact: Truth) -> Truth:
    """Where a fact is true of all worlds with the same number."""
    doubtful = np.zeros(int(classes.max()) + 1 if len(classes) else 0, dtype=np.bool_)
    doubtful[classes[~fact]] = True
    return ~doubtful[classes]


def _pooled(views: Sequence[Classes], count: int) -> Classes:
    """Numbers that worlds have in common that look the same to all at once."""
    numbers: dict[tuple[int, ...], int] = {}
    rows = zip(*[view.tolist() for view in views], strict=True) if views else [()] * count
    return np.array([numbers.setdefault(row, len(numbers)) for row in rows], dtype=np.int64)


def _joined(views: Sequence[Classes], count: int) -> Classes:
    """Numbers that worlds have in common to which chains lead of what looks the same to somebody."""
    found = np.arange(count, dtype=np.int64)
    while True:
        before = found
        for view in views:
            least = np.full(int(view.max()) + 1 if count else 0, count, dtype=np.int64)
            np.minimum.at(least, view, found)
            found = least[view]
        if np.array_equal(found, before):
            return found
