"""The worlds of one moment: histories by the state in which they end, and by what each agent cannot tell apart.

Which histories look the same says the model (`Knowledge = Recall;`).  Read by observation all reachable states are worlds, at every moment;
read by the clock or by recall those histories are worlds that are as long as the run, and histories that end in one state and look the same
to the same others are one.  An announcement takes away the worlds in which it is not true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading
from epistrat.logic.histories import read_as
from epistrat.model.conditions import NoCondition, as_condition, is_condition
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass, replace

MOST_HISTORIES = 5_000
"""More worlds of one moment are not written out."""

Said = tuple[int, Formula]
"""At which moment of a run something was announced, and what."""
Marks = tuple[int, ...]
"""For each agent that sees anything, what it cannot tell apart from others has the same number."""


@dataclass(frozen=True)
class Level:
    """Worlds of one moment, the actual one first; ``origins``: from which of the moment before; ``left``: possible after what was said."""

    states: tuple[State, ...]
    marks: tuple[Marks, ...]
    origins: tuple[int | None, ...]
    left: tuple[bool, ...]

    @property
    def here(self) -> Iterator[int]:
        """The worlds that are still possible."""
        return (number for number, left in enumerate(self.left) if left)

    def after(self, true: Sequence[bool]) -> Level:
        """What is left once everybody was told something."""
        return replace(self, left=tuple([was and now for was, now in zip(self.left, true, strict=True)]))

    def classes(self, places: Sequence[int]) -> dict[Marks, list[int]]:
        """The worlds that are left, with those together that nobody at these places can tell apart, even with the others' help."""
        found: dict[Marks, list[int]] = {}
        for number in self.here:
            found.setdefault(tuple([self.marks[number][place] for place in places]), []).append(number)
        return found

    def components(self, places: Sequence[int]) -> Iterator[list[int]]:
        """The worlds that are left, with those together that are joined by what agents at these places cannot tell apart."""
        alike, open_ = self._alike(places), set(self.here)
        for start in list(self.here):
            if start in open_:
                found = list(self._joined(places, start, alike))
                open_.difference_update(found)
                yield found

    def joined(self, places: Sequence[int], most: int) -> tuple[list[int], bool]:
        """The worlds that are joined to the actual one, itself first, and whether there are more than so many."""
        found = list(islice(self._joined(places, 0, self._alike(places)), most + 1))
        return found[:most], len(found) > most

    def _alike(self, places: Sequence[int]) -> dict[tuple[int, int], list[int]]:
        alike: dict[tuple[int, int], list[int]] = {}
        for number in self.here:
            for place in places:
                alike.setdefault((place, self.marks[number][place]), []).append(number)
        return alike

    def _joined(self, places: Sequence[int], start: int, alike: dict[tuple[int, int], list[int]]) -> Iterator[int]:
        """Each class is gone through once, and taken out of ``alike``."""
        found, pending = {start}, [start]
        for one in pending:
            yield one
            for place in places:
                for other in alike.pop((place, self.marks[one][place]), ()):
                    if other not in found:
                        found.add(other)
                        pending.append(other)


class Levels:
    """The worlds of the moments of one run of a system, after what was said on the way."""

    def __init__(self, system: System, states: Callable[[], Iterable[State]]) -> None:
        """``states``: the reachable states; or the initial ones, where knowledge is read by clock or recall."""
        self.system = system
        self._stepper = Stepper(system)
        self._states = states
        self._agents = list(system.views)
        self._numbers: dict[object, int] = {}

    def along(self, run: Sequence[State], said: Sequence[Said]) -> Iterator[tuple[Level, Level]]:
        """For each moment its worlds, and what is left of them after what was said there.  Raises LookupError where that cannot be told."""
        timeless = self.system.knowledge is Reading.OBSERVATION
        if self.system.knowledge is Reading.CHANGES:
            raise LookupError(
                "the worlds of agents who remember changes are not listed; read knowledge by `clock` or `recall`"
            )
        if timeless and any(moment < len(run) - 1 for moment, _ in said):
            raise LookupError(
                "what was said is a step ago, and agents who compare what they see now cannot tell how long: "
                "write `Knowledge = Recall;` or `Knowledge = Clock;` into the model"
            )
        level: Level | None = None
        for moment, actual in enumerate(run):
            level = self._first(actual) if level is None or timeless else self._next(level, actual)
            before = level
            for formula in (formula for at, formula in said if at == moment):
                level = level.after(self.truths(level, read_as(formula, self.system.knowledge)))
                if not level.left[0]:
                    raise LookupError("what was said is not true there")
            yield before, level

    def place(self, agent: str) -> int:
        """The place of an agent in the marks."""
        return self._agents.index(agent)

    def _first(self, actual: State) -> Level:
        states = list(dict.fromkeys([actual, *self._states()]))
        return _level([(state, tuple(self._seen(None, state)), None) for state in states])

    def _next(self, level: Level, actual: State) -> Level:
        """One step later; the run goes on in ``actual``."""
        found: dict[tuple[State, Marks], int | None] = {(actual, tuple(self._seen(level.marks[0], actual))): 0}
        for number in level.here:
            for target in dict.fromkeys(step.target for step in self._stepper.successors(level.states[number])):
                found.setdefault((target, tuple(self._seen(level.marks[number], target))), number)
            if len(found) > MOST_HISTORIES:
                raise LookupError(
                    f"more than {MOST_HISTORIES:,} histories are as long as this run, which is not listed"
                )
        return _level([(state, marks, origin) for (state, marks), origin in found.items()])

    def _seen(self, before: Marks | None, state: State) -> Iterator[int]:
        """For each agent a number for what it sees, and has seen where it remembers."""
        recall = self.system.knowledge is Reading.RECALL
        for place, name in enumerate(self._agents):
            view = tuple([state[index] for index in self.system.views[name]])
            past = before[place] if recall and before is not None else None
            yield self._numbers.setdefault((place, past, view), len(self._numbers))

    # -- what is true in the worlds

    def truths(self, level: Level, formula: Formula) -> list[bool]:
        """In which worlds a formula about states and knowledge is true; raises LookupError for others."""
        if is_condition(formula):
            try:
                condition = as_condition(self.system, formula)
            except NoCondition as problem:
                raise LookupError(str(problem)) from None
            meaning = self._stepper.evaluator.meaning(condition)
            return [bool(meaning(state, ())) for state in level.states]
        match formula:
            case logic.Announced(said, arg):
                true = self.truths(level, said)
                inner = self.truths(level.after(true), arg)
                return [not one or other for one, other in zip(true, inner, strict=True)]
            case logic.Remembers(word, reading, group, arg) if reading is self.system.knowledge:
                return self._known(level, word, group, arg)
            case _ if self.system.knowledge is not Reading.OBSERVATION:
                pass
            case logic.Knows(agent, arg):
                return self._known(level, "K", Group((agent,), agent), arg)
            case logic.KnowsWhether(agent, arg):
                return self.truths(level, logic.Or((logic.Knows(agent, arg), logic.Knows(agent, logic.Not(arg)))))
            case logic.Everybody(group, arg):
                return self._known(level, "GK", group, arg)
            case logic.Distributed(group, arg):
                return self._known(level, "DK", group, arg)
            case logic.Common(group, arg):
                return self._known(level, "GCK", group, arg)
        return self._connected(level, formula)

    def _connected(self, level: Level, formula: Formula) -> list[bool]:
        if not isinstance(formula, logic.CONNECTIVES):
            raise LookupError(
                "worlds are crossed out by what is true of a state and by what agents know there, read as in the model"
            )
        parts = [self.truths(level, part) for part in logic.operands(formula)]
        return [_connective(formula, values) for values in zip(*parts, strict=True)]

    def _known(self, level: Level, word: str, group: Group, arg: Formula) -> list[bool]:
        true = self.truths(level, arg)
        places = [self.place(name) for name in group.members]
        if word == "GK" and not places:
            return [True] * len(true)
        if word == "GCK":
            return _everywhere(len(true), level.components(places), true)
        alike = (
            [level.classes([place]).values() for place in places] if word == "GK" else [level.classes(places).values()]
        )
        return [all(each) for each in zip(*(_everywhere(len(true), one, true) for one in alike), strict=True)]


def _everywhere(count: int, together: Iterable[Sequence[int]], true: Sequence[bool]) -> list[bool]:
    """Where something is true in all worlds that are together."""
    found = [False] * count
    for numbers in together:
        if all(true[number] for number in numbers):
            for number in numbers:
                found[number] = True
    return found


def _level(worlds: list[tuple[State, Marks, int | None]]) -> Level:
    states, marks, origins = zip(*worlds, strict=True)
    return Level(states, marks, origins, (True,) * len(worlds))


def _connective(formula: Formula, values: Sequence[bool]) -> bool:
    match formula:
        case logic.Not():
            return not values[0]
        case logic.And():
            return all(values)
        case logic.Or():
            return any(values)
        case logic.Implies():
            return not values[0] or values[1]
        case logic.Iff():
            return values[0] == values[1]
    return values[0] != values[1]
