"""Moment by moment, what agents know and may do, until a moment comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Reading
from epistrat.logic.histories import read_as
from epistrat.model.agent import Agent, Variable, asked
from epistrat.model.initial import initial_states
from epistrat.model.programs.moments import Colour, Language, Moment, World
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass, field, replace
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import Boolean, subterms

MOST_WORLDS = 200_000
"""More worlds of one moment are not written out."""
MOST_MOMENTS = 1_000
"""After so many moments none of which came back, none is thought to come back."""

View: TypeAlias = tuple[object, ...]
Allowed: TypeAlias = tuple[bool, ...]
"""Which lines of an agent's protocol that ask for knowledge apply."""
Kept: TypeAlias = tuple[int, int]
"""What an agent that remembers has in mind: a moment, and the number of a class of worlds there; before the first moment, `NOTHING`."""
NOTHING: Kept = (-1, 0)
Row: TypeAlias = tuple[State, tuple[bool, ...], tuple[int, ...]]
"""A state, what matters of the past, and what agents that remember had in mind one step before."""


@dataclass
class Found:
    """What agents know: the moments are 0, 1, ... below ``count``, and after the last one comes moment ``back`` again.

    ``by_clock[agent][moment]`` says for each view of an agent without memory which lines apply; ``by_recall[agent][kept][view]`` says so
    for one that remembers, and what it has in mind from then on.  ``ends``: some history cannot go on.
    """

    back: int = 0
    count: int = 0
    by_clock: dict[str, list[dict[View, Allowed]]] = field(default_factory=dict)
    by_recall: dict[str, dict[Kept, dict[View, tuple[Allowed, Kept]]]] = field(default_factory=dict)
    ends: bool = False


def lines_of(agent: Agent) -> list[int]:
    """The lines of the protocol that ask what the agent knows."""
    names = {asked(agent.name, formula) for formula in agent.knows}
    return [number for number, line in enumerate(agent.protocol) if names & set(subterms(line.condition))]


def reading_of(agent: Agent, reading: Reading) -> Reading:
    """Whether the agent's own knowledge is by the clock, or by recall somewhere."""
    outer = [part for formula in agent.knows for part in _outer(read_as(formula, reading))]
    return Reading.RECALL if any(part.reading is Reading.RECALL for part in outer) else Reading.CLOCK


def _outer(formula: Formula) -> list[logic.Remembers]:
    if isinstance(formula, logic.Remembers):
        return [formula]
    return [one for part in logic.operands(formula) for one in _outer(part)]


class Unfolding:
    """The histories of one program, guards being read in one way where they do not say it."""

    def __init__(
        self, system: System, reading: Reading, budget: Budget, tell: Callable[[int], None] = lambda _: None
    ) -> None:
        self.system, self._budget, self._tell = system, budget, tell
        self._guards = {
            agent.name: [(asked(agent.name, one).name, read_as(one, reading)) for one in agent.knows]
            for agent in system.agents
        }
        self._language = Language(system, [one for pairs in self._guards.values() for _, one in pairs])
        self._programs = [agent for agent in system.agents if agent.knows]
        self._reading = {agent.name: reading_of(agent, reading) for agent in self._programs}
        self._wide = _widened(system)
        self._stepper = Stepper(self._wide)
        self._wanted = {agent.name: lines_of(agent) for agent in self._programs}
        self._places = [self._wide.position[variable.key] for variable in system.variables]
        self._after: dict[State, list[State]] = {}
        self._table: dict[object, int] = {}
        self.found = Found()

    def run(self) -> Found:
        """All moments; raises `OutOfBudget` where none comes back within the limits."""
        found, known = self.found, dict[object, int]()
        for agent in self._programs:
            if self._reading[agent.name] is Reading.RECALL:
                found.by_recall[agent.name] = {NOTHING: {}}
            else:
                found.by_clock[agent.name] = []
        moment, origins = self._first()
        while True:
            key, joined, kept = self._joined(moment)
            place = known.get(key)
            now = found.count if place is None else place
            self._note(moment, origins, [tuple([(now, one) for one in ones]) for ones in kept], new=place is None)
            if place is not None:
                found.back = place
                return found
            known[key] = found.count
            found.count += 1
            self._tell(found.count)
            if found.count > MOST_MOMENTS:
                raise OutOfBudget(self._endless())
            moment = joined
            moment, origins = self._next(moment, now)

    def _endless(self) -> str:
        return f"what agents know did not begin to repeat itself in the first {self.found.count - 1} steps; try `clock`"

    def _first(self) -> tuple[Moment, list[tuple[Kept, ...]]]:
        states = initial_states(self.system, MOST_WORLDS, self._budget)
        nothing = (0,) * len(self._language.remembering)
        return self._moment([(state, self._language.first(), nothing) for state in states], NOTHING[0])

    def _moment(self, rows: Sequence[Row], before: int) -> tuple[Moment, list[tuple[Kept, ...]]]:
        """The worlds of these rows, and what agents that remember had in mind at the moment before."""
        remembering = self._language.remembering
        numbers: list[dict[object, int]] = [{} for _ in remembering]
        origins: dict[World, tuple[Kept, ...]] = {}
        for state, past, kept in rows:
            keys = [(one, self._language.view(name, state)) for one, name in zip(kept, remembering, strict=True)]
            seen = [known.setdefault(key, len(known)) for known, key in zip(numbers, keys, strict=True)]
            origins[World(state, past, tuple(seen))] = tuple([(before, one) for one in kept])
        if len(origins) > (self._budget.states or MOST_WORLDS):
            raise OutOfBudget(self._many())
        return Moment(self._language, list(origins)), list(origins.values())

    # -- one moment ----------------------------------------------------------------------------------------------------

    def _joined(self, moment: Moment) -> tuple[object, Moment, list[tuple[int, ...]]]:
        """What the moment is recognised by; the moment with worlds joined that agree in everything; for each of its worlds before that
        the classes in which agents that remember have it.
        """
        if not self._language.remembering:
            return frozenset((one.state, one.past) for one in moment.worlds), moment, [()] * len(moment.worlds)
        _, colours = moment.colours(self._table)
        held: list[dict[int, set[Colour]]] = [{} for _ in self._language.remembering]
        for world, colour in zip(moment.worlds, colours, strict=True):
            for classes, one in zip(held, world.seen, strict=True):
                classes.setdefault(one, set()).add(colour)
        order = [{one: self._number(frozenset(colours)) for one, colours in classes.items()} for classes in held]
        kept = [tuple([names[one] for names, one in zip(order, world.seen, strict=True)]) for world in moment.worlds]
        chosen: dict[Colour, World] = {}
        for world, colour, seen in zip(moment.worlds, colours, kept, strict=True):
            chosen.setdefault(colour, World(world.state, world.past, seen))
        return frozenset(colours), Moment(self._language, list(chosen.values())), kept

    def _number(self, colours: frozenset[Colour]) -> int:
        return self._table.setdefault(("class", colours), len(self._table))

    def _note(
        self, moment: Moment, origins: Sequence[tuple[Kept, ...]], kept: Sequence[tuple[Kept, ...]], *, new: bool
    ) -> None:
        """Write down what agents may do at this moment."""
        found = self.found
        for agent in self._programs:
            name = agent.name
            recall = self._reading[name] is Reading.RECALL
            if not recall and not new:
                continue
            rows = found.by_recall.get(name, {})
            views: dict[View, Allowed] = {}
            for number, state in enumerate(moment.states):
                view = self._language.view(name, state)
                if recall:
                    place = self._language.remembering.index(name)
                    row = rows.setdefault(origins[number][place], {})
                    if view not in row:
                        row[view] = self._allowed(agent, moment, number), kept[number][place]
                elif view not in views:
                    views[view] = self._allowed(agent, moment, number)
            if not recall:
                found.by_clock[name].append(views)

    def _allowed(self, agent: Agent, moment: Moment, number: int) -> Allowed:
        state = self._widen(moment, number)
        holds = self._stepper.evaluator.holds
        return tuple([holds(agent.protocol[line].condition, state) for line in self._wanted[agent.name]])

    def _widen(self, moment: Moment, number: int) -> State:
        """The state, with what agents know in it."""
        state: list[object] = [None] * len(self._wide.variables)
        for place, value in zip(self._places, moment.states[number], strict=True):
            state[place] = value
        for agent, pairs in self._guards.items():
            for name, formula in pairs:
                state[self._wide.position[agent, name]] = bool(moment.truth[formula][number])
        return tuple(state)  # type: ignore[arg-type]  # every place has its value now

    def _next(self, moment: Moment, now: int) -> tuple[Moment, list[tuple[Kept, ...]]]:
        """The moment one step later, and what agents had in mind before it."""
        rows: dict[Row, None] = {}
        for number, world in enumerate(moment.worlds):
            if number % 256 == 0:
                self._budget.check()
            past = moment.later(number)
            rows.update(((state, past, world.seen), None) for state in self._successors(self._widen(moment, number)))
            if len(rows) > (self._budget.states or MOST_WORLDS):
                raise OutOfBudget(self._many())
        return self._moment(list(rows), now)

    def _many(self) -> str:
        return f"more than {self._budget.states or MOST_WORLDS:,} histories differ after {self.found.count} steps"

    def _successors(self, wide: State) -> list[State]:
        """The states that the protocols lead to, with this knowledge."""
        if wide not in self._after:
            targets = dict.fromkeys(step.target for step in self._stepper.steps(wide))
            narrow = dict.fromkeys(tuple([target[place] for place in self._places]) for target in targets)
            self._after[wide] = list(narrow)
            self.found.ends |= not narrow
        return self._after[wide]


def _widened(system: System) -> System:
    """The system in which what agents know are variables, which keep their values."""
    agents = []
    for agent in system.agents:
        known = tuple(Variable(agent.name, asked(agent.name, one).name, Boolean()) for one in agent.knows)
        agents.append(replace(agent, variables=(*agent.variables, *known), knows=()))
    return replace(system, agents=tuple(agents), formulae=(), formula_names=(), fairness=(), goals=())


def steps_of(found: Found) -> Mapping[int, int]:
    """The moment after each."""
    return {moment: moment + 1 if moment + 1 < found.count else found.back for moment in range(found.count)}
