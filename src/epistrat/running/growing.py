"""Tables that grow: for models with too many states to list, or infinitely many, states are found while a run is followed.

Steps are those of `model.step`.  Without all states it is not known what can still happen, so `lost` and `settled` are never told and
there are no shields; state formulae have to be conditions.  What is refused or violated is so for the same reasons as with all states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from secrets import token_hex
from typing import Any

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.logic.show import show
from epistrat.model.conditions import as_condition, is_condition
from epistrat.model.evaluate import Meaning
from epistrat.model.initial import initial_states
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.render.json.report import value_json
from epistrat.running.automata import Machine, Place, Reader, machine_of
from epistrat.running.build import condition_tree, described
from epistrat.running.properties import Followed, Plan, Unusable, Wish, understood
from epistrat.running.runtime.answers import bits, sum_of
from epistrat.running.runtime.monitor import Monitor
from epistrat.running.runtime.tables import Position, Property, Tables
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import Enumeration

MOST_FOUND = 200_000
MOST_ATOMS = 8
MOST_PLACES = 200


def growing(system: System, wish: Wish, *, name: str = "<model>", most: int | None = None) -> type[Monitor]:
    """A class of monitors that find states as they need them; raises `Unusable` for what needs all states."""
    plan = understood(system, wish)
    for one in plan.properties:
        if one.group is not None:
            raise Unusable(f"{one.name} cannot be kept: a shield needs all states, and these are too many")
    return type("Monitor", (Monitor,), {"tables": GrowingTables(system, plan, name, most or MOST_FOUND)})


class GrowingTables(Tables):
    """Tables of the states that were found so far, at most ``most``; raises `OutOfBudget` beyond."""

    def __init__(self, system: System, plan: Plan, name: str, most: int) -> None:
        self._stepper, self._most = Stepper(system), most
        machines = [machine_of(one.name, one.linear) for one in plan.properties]
        self._meanings = [[self._condition(atom) for atom in machine.atoms] for machine in machines]
        self._watching = [self._condition(one.formula) for one in plan.watches]
        found = [_property(one, machine, most) for one, machine in zip(plan.properties, machines, strict=True)]
        super().__init__(
            # Numbers of states are those of this process, so snapshots of other processes are refused.
            fingerprint=f"{described(system, plan)}-{token_hex(8)}",
            interleaved=system.interleaved,
            agents=tuple((agent.name, agent.actions) for agent in system.agents),
            variables=tuple(
                (str(one), one.domain.values if isinstance(one.domain, Enumeration) else None, ())
                for one in system.variables
            ),
            states="",
            initial="0x0",
            events=(),
            steps=(),
            hidden=(),
            sees=plan.sees,
            properties=tuple(found),
            watches=tuple((one.name, one.words, "0x0") for one in plan.watches),
            about={"model": name, "form": "steps", "decided": ["violated", "perhaps violated"], "permissive": False},
        )
        self.count, self.everything = most, (1 << most) - 1
        self._concealed = frozenset(plan.hidden)
        self._values: list[dict[Any, int]] = [{} for _ in system.variables]
        self._found: list[State] = []
        self._numbers: dict[State, int] = {}
        self._events: dict[Joint, int] = {}
        self._expanded = 0
        self.marks = [(_violated(one, most), 0, 0) for one in found]
        self.initial = sum_of(self._number(one) for one in initial_states(system, most, Budget()))

    def _condition(self, formula: Formula) -> Meaning:
        if not is_condition(formula):
            raise Unusable(
                f"{show(formula)} is about all states of the model, and these are too many: --most-states N allows more"
            )
        return self._stepper.evaluator.meaning(as_condition(self._stepper.system, formula))

    def _number(self, state: State) -> int:
        """The number of a state, which is new or known."""
        number = self._numbers.get(state)
        if number is not None:
            return number
        number = self._numbers[state] = len(self._found)
        if number >= self._most:
            raise OutOfBudget(f"more than {self._most:,} states were met")
        self._found.append(state)
        self._fitting.clear()
        for place, value in enumerate(state):
            known = self._values[place]
            if value not in known:
                known[value] = len(known)
                name, names, _ = self.variables[place]
                shown = tuple(value_json(one) for one in known)
                self.variables = (*self.variables[:place], (name, names, shown), *self.variables[place + 1 :])
            self.codes[place].append(known[value])
        for track, meanings in enumerate(self._meanings):
            truths = [bool(meaning(state, ())) for meaning in meanings]
            self.letters[track].append(sum(1 << one for one, true in enumerate(truths) if true))
            self.atoms[track] = [mask | true << number for mask, true in zip(self.atoms[track], truths, strict=True)]
        for watch, meaning in enumerate(self._watching):
            name, words, mask = self.watches[watch]
            self.watches[watch] = (name, words, mask | bool(meaning(state, ())) << number)
        return number

    def _expand(self, states: int) -> None:
        """Find the steps from these states."""
        for state in bits(states & ~self._expanded):
            for joint, target in self._stepper.steps(self._found[state]):
                event, reached = self._event(joint), self._number(target)
                row = self.successors[event].setdefault(state, [])
                if reached not in row:
                    row.append(reached)
                self.sources[event] |= 1 << state
            self._expanded |= 1 << state

    def _event(self, joint: Joint) -> int:
        event = self._events.get(joint)
        if event is None:
            event = self._events[joint] = len(self._events)
            self.events = (*self.events, joint)
            self.successors.append({})
            self.sources.append(0)
            self._matching.clear()
            if any(action in self._concealed for action in joint):
                self.hidden = (*self.hidden, event)
            else:
                self.told = (*self.told, event)
        return event

    @property
    def anywhere(self) -> int:
        """All states, which are not known here."""
        raise ValueError("a run is followed from its start where the states of the model are too many to list")

    def matching(self, given: Mapping[Any, str]) -> tuple[int, ...]:
        """The events in which these agents do these actions, as far as they were met."""
        if any(action in self._concealed for action in given.values()):
            raise ValueError(f"{', '.join(given.values())} is hidden: it happens without being told")
        return super().matching(given)

    def image(self, nodes: int, events: Iterable[int], track: int | None) -> int:
        """Where one of the events leads; the steps of these nodes are found first."""
        self._expand(self.states_of(nodes))
        return super().image(nodes, events, track)

    def closed(self, nodes: int, track: int | None) -> int:
        """With everything that hidden actions lead to."""
        self._expand(self.states_of(nodes))
        return super().closed(nodes, track)

    def position(self, states: int, tracks: tuple[int, ...]) -> Position:
        """The position with these sets; all that can happen there is found first, so that nothing is missing in what is allowed."""
        self._expand(states)
        return super().position(states, tracks)


def _property(followed: Followed, machine: Machine, most: int) -> Property:
    """A property over all letters that its atoms can make."""
    atoms = machine.atoms
    if len(atoms) > MOST_ATOMS:
        raise Unusable(
            f"{followed.name} cannot be followed without all states: it has more than {MOST_ATOMS} conditions"
        )
    letters = [
        frozenset(atom for one, atom in enumerate(atoms) if letter >> one & 1) for letter in range(1 << len(atoms))
    ]
    keeps, breaks = Reader(machine.keeps, letters), Reader(machine.breaks, letters)
    numbers: dict[Place, int] = {}
    order: list[Place] = []

    def number(place: Place) -> int:
        if place not in numbers:
            numbers[place] = len(numbers)
            order.append(place)
            if len(order) > MOST_PLACES:
                raise Unusable(f"{followed.name} cannot be followed without all states: its automaton is too large")
        return numbers[place]

    def row(place: Place) -> tuple[int, ...]:
        return tuple(number((keeps.read(place[0], one), breaks.read(place[1], one))) for one in range(len(letters)))

    first = row((keeps.start(), breaks.start()))
    after = [row(place) for place in order]  # which grows meanwhile
    violated = [str(one) for one, (kept, _) in enumerate(order) if not kept]
    body = followed.linear.arg if isinstance(followed.linear, logic.Globally) else None
    return Property(
        name=followed.name,
        aim=" ".join(violated),
        group=(),
        first=first,
        after=tuple(after),
        letters="",
        violated="0x0",
        lost="0x0",
        settled="0x0",
        atoms=tuple((show(atom), "0x0") for atom in atoms),
        why=condition_tree(body, atoms) if body is not None else (),
        winning=(),
    )


def _violated(one: Property, most: int) -> int:
    """The nodes at the places where the property is violated."""
    everything = (1 << most) - 1
    return sum(everything << int(place) * most for place in one.aim.split())
