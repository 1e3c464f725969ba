"""The counted system of one size beside the model of that size: every state of the model has an image, and steps go to the images of steps.

This guards against mistakes of the translation; what is proved does not rest on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from epistrat.every.layout import Layout, Place, values_of
from epistrat.every.quotient import Counted, observer
from epistrat.every.spots import Fresh, New, Special
from epistrat.model.evaluate import Evaluator
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.terms import Bounded, Integer, Key, Value


class TooLarge(Exception):
    """There are more states than may be looked at."""


def difference(counted: Counted, system: System, size: int, most: int) -> str | None:
    """How the counted system differs from the model of a size, in words; None if it does not.  Raises `TooLarge`."""
    return _Comparison(counted, system, size, most).difference()


def of_size(counted: Counted, size: int) -> System:
    """The counted system of one size alone: where all numbers of the model have bounds, it is finite."""
    layout, system = counted.layout, counted.system
    domains = {layout.size: Bounded(size, size)}
    domains |= {
        key: Bounded(0, max(size, 0)) for key in (*counted.counters.values(), *counted.sums, *counted.choices.values())
    }
    for (one, divisor), key in layout.quotients.items():
        found = (one.factor * size + one.number) // divisor
        domains[key] = Bounded(found, found)
    for key, (low, high) in layout.bounds.items():
        domains[key] = Bounded(low.value({layout.parameter: size}), high.value({layout.parameter: size}))
    first, *others = system.agents
    variables = tuple([replace(one, domain=domains.get(one.key, one.domain)) for one in first.variables])
    return replace(system, agents=(replace(first, variables=variables), *others))


class _Comparison:
    def __init__(self, counted: Counted, system: System, size: int, most: int) -> None:
        self._counted, self._system, self._size, self._most = counted, system, size, most
        self._layout: Layout = counted.layout
        self._position = system.position
        self._members = self._indices()
        self._steps, self._counted_steps = Stepper(system), Stepper(counted.system)
        self._evaluator = Evaluator(counted.system)

    def _indices(self) -> list[int]:
        """The indices of the members, those of the specials first, in their order; new ones are the smallest of the others."""
        layout = self._layout
        if layout.low is None or layout.high is None:
            return []
        everybody = range(layout.low, layout.high.factor * self._size + layout.high.number + 1)
        named = [one.factor * self._size + one.number for one in layout.named if isinstance(one, Special)]
        return [*named, *(one for one in everybody if one not in named)]

    def _index(self, one: Special | New) -> int:
        if isinstance(one, Special):
            return one.factor * self._size + one.number
        specials = sum(isinstance(other, Special) for other in self._layout.named)
        return self._members[specials + one.rank]

    def _value(self, state: State, place: Place, member: int | None) -> Value:
        """The value of a variable in a state of the model."""
        kinds = self._layout.kinds
        agent = self._name(place.agent, kinds.agents(place.agent), place.agent_at, None if place.cell else member)
        of_name = kinds.variables(place.agent, place.name)
        name = self._name(place.name, of_name, place.at, member if place.cell else None)
        value = state[self._position[agent, name]]
        return int(value) if isinstance(value, bool) and member is not None else value

    @staticmethod
    def _name(word: str, kinds: tuple[bool, ...], at: tuple[int, ...], member: int | None) -> str:
        rest = iter(at)
        indices = [str(member if kind else next(rest)) for kind in kinds]
        return f"{word}[{','.join(indices)}]" if indices else word

    def image(self, state: State) -> State | None:
        """The state of the counted system; None if a member has a record that it does not know."""
        counted, layout = self._counted, self._layout
        values: dict[tuple[str, str], Value] = {layout.size: self._size}
        for place, spot in layout.places():
            if not isinstance(spot, Fresh):
                key = layout.key(place, spot)
                assert key is not None
                values[key] = self._value(state, place, None if spot is None else self._index(spot))
        numbers = dict.fromkeys(counted.counters, 0)
        for member in self._members[len(layout.named) :]:
            record = tuple([self._value(state, place, member) for place in layout.columns])
            if record not in numbers:
                return None
            numbers[record] += 1
        values |= {key: numbers[record] for record, key in counted.counters.items()}
        values |= {key: sum(numbers[one] for one in records) for key, records in counted.sums.items()}
        values |= dict.fromkeys(counted.choices.values(), 0) | self._quotients()
        return tuple([values.get(one.key, 1) for one in counted.system.variables])

    def difference(self) -> str | None:
        """What differs."""
        starts = initial_states(self._system, self._most)
        images = {self.image(state) for state in starts}
        wanted = set(self._starts())
        if images != wanted:
            return f"{len(images)} kinds of initial states, where the counted system has {len(wanted)}"
        seen, waiting = set(starts), list(starts)
        while waiting:
            state = waiting.pop()
            after = {step.target for step in self._steps.successors(state)}
            image = self.image(state)
            if image is None:
                return "a member has a record that is not counted"
            counted = self._after(image)
            found = {self.image(one) for one in after}
            if found != counted:
                shown = dict(zip((one.name for one in self._counted.system.variables), image, strict=True))
                return f"{len(found)} kinds of next states, where the counted system has {len(counted)}, in {shown}"
            waiting += after - seen
            seen |= after
            if len(seen) > self._most:
                raise TooLarge
        return self._views(seen)

    def _after(self, image: State) -> set[State]:
        """The settled states that come next."""
        found: set[State] = set()
        seen, waiting = {image}, [image]
        while waiting:
            for step in self._counted_steps.successors(waiting.pop()):
                if self._settled(step.target):
                    found.add(step.target)
                elif step.target not in seen:
                    seen.add(step.target)
                    waiting.append(step.target)
        return found

    def _quotients(self) -> dict[Key, Value]:
        found = self._layout.quotients.items()
        return {key: (one.factor * self._size + one.number) // divisor for (one, divisor), key in found}

    def _settled(self, state: State) -> bool:
        return self._evaluator.holds(self._counted.settled, state)

    def _views(self, states: set[State]) -> str | None:
        """Whether agents confuse images of states just where they confuse some states with these images."""
        for actor in self._counted.layout.actors:
            if isinstance(actor.spot, Fresh):
                continue
            member = None if actor.spot is None else self._index(actor.spot)
            kinds = self._layout.kinds.agents(actor.word)
            mine = self._system.views[self._name(actor.word, kinds, actor.at, member)]
            its = self._counted.system.views[observer(actor.title)]
            seen: dict[State, set[State | None]] = {}
            counted: dict[State, set[State | None]] = {}
            for state in states:
                image = self.image(state)
                assert image is not None
                seen.setdefault(tuple([state[one] for one in mine]), set()).add(image)
                counted.setdefault(tuple([image[one] for one in its]), set()).add(image)
            for state in states:
                image = self.image(state)
                assert image is not None
                alike = counted[tuple([image[one] for one in its])]
                if seen[tuple([state[one] for one in mine])] != alike:
                    return f"what {actor.title} sees"
        return None

    def _starts(self) -> Iterator[State]:
        """All initial states of the counted system of this size."""
        counted = self._counted
        system = of_size(counted, self._size)
        sums = dict(counted.sums)
        bound = {*sums, *self._quotients(), *counted.counters.values(), *counted.choices.values()}
        free = [one for one in system.variables if one.key not in bound]
        if any(isinstance(one.domain, Integer) for one in free):
            raise TooLarge
        number = len(self._members) - len(self._layout.named)
        holds = Evaluator(counted.system)
        tried = 0
        for chosen in product(*(values_of(one.domain) for one in free)):
            for counts in _shares(number, len(counted.counters)):
                tried += 1
                if tried > 50 * self._most:
                    raise TooLarge
                values = dict(zip((one.key for one in free), chosen, strict=True))
                by_record = dict(zip(counted.counters, counts, strict=True))
                values |= {key: by_record[record] for record, key in counted.counters.items()}
                values |= {key: sum(by_record[one] for one in records) for key, records in sums.items()}
                values |= dict.fromkeys(counted.choices.values(), 0) | self._quotients()
                state = tuple([values[one.key] for one in counted.system.variables])
                if holds.holds(counted.system.initial, state):
                    yield state


def _shares(number: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """All ways to divide a number of members among kinds."""
    if kinds == 0:
        if number == 0:
            yield ()
        return
    for first in range(number + 1) if kinds > 1 else [number]:
        for rest in _shares(number - first, kinds - 1):
            yield (first, *rest)
