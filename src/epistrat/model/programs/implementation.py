"""The ordinary system that a program is: guards become conditions on what agents see, on a clock, and on what they keep in mind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from epistrat.logic.formula import Reading, Remembers, subformulae
from epistrat.logic.histories import read_as
from epistrat.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from epistrat.model.programs.covers import Cover, Row, cover
from epistrat.model.programs.machines import Clock, Memory, clock_of, memory_of
from epistrat.model.programs.unfolding import Allowed, Found, Unfolding, View, lines_of
from epistrat.model.system import Semantics, System
from epistrat.records import dataclass, replace
from epistrat.solvers.budget import Budget
from epistrat.terms import FALSE, TRUE, Bounded, Expr, Terms

CLOCK, MEMORY = "clock", "memory"


class NotImplementable(ValueError):
    """There is no such system, or not one alone; the message says why."""


@dataclass(frozen=True)
class Guard:
    """A protocol line that asks for knowledge, as a condition.

    ``at`` says for each value of the clock or the memory (None where there is none) under which condition on its view the agent may do so
    (of the guards that are printed, where a table was asked for); ``mind`` is the variable in question.
    """

    agent: str
    line: int
    condition: Expr
    at: tuple[tuple[int | None, Expr], ...]
    mind: str

    @property
    def is_always(self) -> bool:
        """Whether the line applies in every history."""
        return self.condition == TRUE

    @property
    def is_never(self) -> bool:
        """Whether the line applies in no history."""
        return self.condition == FALSE


@dataclass(frozen=True)
class Implementation:
    """A program and the system that it is.

    In ``system`` the clock and what agents keep in mind belong to agents of their own, whom nobody sees: what is known in it is what is
    known in the program, in every reading.  In ``printed`` the clock is seen by all, and each agent sees what it keeps in mind, as ISPL
    has it: that changes nothing for the clock and for recall, since both are functions of time and of what was seen.  Where nothing is to
    be printed both are the same.
    """

    program: System
    reading: Reading
    system: System
    printed: System
    guards: tuple[Guard, ...]
    clock: Clock | None
    memories: Mapping[str, Memory]
    moments: int
    back: int
    ends: bool = False
    printed_guards: tuple[Guard, ...] = ()


def problem(system: System, reading: Reading) -> str | None:
    """Why a program has no implementation in this reading; None if it has one."""
    if not system.finite:
        return "a program with variables without bounds is not implemented"
    if system.interleaved:
        return "programs that ask for knowledge are synchronous"
    if reading in (Reading.OBSERVATION, Reading.CHANGES):
        asked = [read_as(one, reading) for agent in system.agents for one in agent.knows]
        unmarked = any(
            not isinstance(part, Remembers) or part.reading is reading
            for one in asked
            for part in subformulae(one)
            if isinstance(part, Remembers) or type(part).__name__ in ("Knows", "Everybody", "Distributed", "Common")
        )
        if unmarked:
            return f"knowledge is read by {reading.value}, and then there may be no system in which all do what they know, or several"
    return None


def implement(
    system: System,
    reading: Reading | None = None,
    budget: Budget | None = None,
    tell: Callable[[int], None] = lambda _: None,
    *,
    to_print: bool = True,
) -> Implementation:
    """The implementation of a program whose guards are read so (as the system says, if not said here), perhaps ``to_print``.

    Raises `NotImplementable`, and `OutOfBudget` where no moment comes back within the limits.
    """
    reading = system.knowledge if reading is None else reading
    why = problem(system, reading)
    if why is not None and system.is_program:
        raise NotImplementable(why)
    if not system.is_program:
        return Implementation(system, reading, system, system, (), None, {}, 0, 0)
    found = Unfolding(system, reading, budget or Budget(), tell).run()
    return _Building(system, reading, found).implementation(to_print)


class _Building:
    def __init__(self, system: System, reading: Reading, found: Found) -> None:
        self._system, self._reading, self._found = system, reading, found
        self._terms = Terms()
        clock = clock_of(found)
        self._clock = clock
        self._memories = {name: memory_of(rows) for name, rows in found.by_recall.items()}
        self._covers: dict[tuple[object, ...], Cover] = {}

    def implementation(self, to_print: bool) -> Implementation:
        hidden, guards = self._hidden()
        printed, shown = self._printed() if to_print else (hidden, guards)
        found = self._found
        return Implementation(
            self._system,
            self._reading,
            hidden,
            printed,
            guards,
            self._clock,
            self._memories,
            found.count,
            found.back,
            found.ends,
            shown,
        )

    # -- conditions ----------------------------------------------------------------------------------------------------

    def _rows(self, agent: Agent) -> list[tuple[int, View, Allowed]]:
        """Which lines apply with which value in mind, in which view."""
        memory = self._memories.get(agent.name)
        if memory is not None:
            return [
                (value, view, allowed) for value, row in enumerate(memory.rows) for view, (allowed, _) in row.items()
            ]
        assert self._clock is not None
        return [
            (value, view, allowed)
            for value, table in enumerate(self._clock.allowed)
            for (name, view), allowed in table.items()
            if name == agent.name
        ]

    def _guards(self, agent: Agent, mind: Variable | None, tables: bool) -> list[Guard]:
        rows, seen = self._rows(agent), self._view(agent)
        guards = []
        for place, line in enumerate(lines_of(agent)):
            at: list[tuple[int | None, Expr]] = []
            for value in (sorted({one for one, _, _ in rows}) if mind is not None else [None]) if tables else []:
                here = [(view, allowed[place]) for one, view, allowed in rows if value is None or one == value]
                at.append((value, self._condition(("at", agent.name, place, value), seen, here)))
            joint = [(view if mind is None else (one, *view), allowed[place]) for one, view, allowed in rows]
            key = "guard", agent.name, place, mind is not None
            whole = self._condition(key, seen if mind is None else [mind, *seen], joint)
            guards.append(Guard(agent.name, line, whole, tuple(at), "" if mind is None else mind.name))
        return guards

    def _condition(
        self, key: tuple[object, ...], variables: Sequence[Variable], rows: Sequence[tuple[Row, bool]]
    ) -> Expr:
        """What is true of some rows and not of others; the ``key`` says which, whatever the variables are called."""
        if key not in self._covers:
            yes = list(dict.fromkeys(row for row, applies in rows if applies))
            no = list(dict.fromkeys(row for row, applies in rows if not applies))
            self._covers[key] = cover(variables, yes, no)
        return self._covers[key].written(self._terms, variables)

    def _view(self, agent: Agent) -> list[Variable]:
        return [self._system.variables[place] for place in self._system.views[agent.name]]

    # -- the system ----------------------------------------------------------------------------------------------------

    def _clock_needed(self) -> bool:
        return self._clock is not None and self._clock.last > 0

    def _hidden(self) -> tuple[System, tuple[Guard, ...]]:
        """Clock and memories belong to agents of their own."""
        taken = {agent.name for agent in self._system.agents} | self._system.groups.keys()
        added: list[Agent] = []
        clock = None
        if self._clock_needed():
            clock = self._variable(_fresh("Clock", taken), CLOCK, self._last_of_clock)
            added.append(self._ticking(clock))
        minds: dict[str, Variable] = {}
        for name, memory in self._memories.items():
            if len(memory.rows) > 1:
                minds[name] = self._variable(_fresh(f"Memory_of_{name}", taken), MEMORY, len(memory.rows) - 1)
                added.append(self._remembering(minds[name], self._system.agent[name]))
        agents, guards = self._agents(clock, minds, tables=False)
        starts = [self._starts(one) for one in [clock, *minds.values()] if one is not None]
        initial = self._terms.conjunction([self._system.initial, *starts])
        return replace(self._system, agents=(*agents, *added), initial=initial), guards

    def _printed(self) -> tuple[System, tuple[Guard, ...]]:
        """The clock is the Environment's, and each agent has its memory."""
        system = self._system
        clock = None
        if self._clock_needed():
            names = {variable.name for agent in system.agents for variable in agent.variables}
            clock = replace(self._variable(ENVIRONMENT, _fresh(CLOCK, names), self._last_of_clock), public=True)
            if system.environment is None:
                system = replace(system, agents=(Agent(ENVIRONMENT), *system.agents))
        minds: dict[str, Variable] = {}
        for name, memory in self._memories.items():
            if len(memory.rows) > 1:
                names = {variable.name for variable in system.agent[name].variables}
                minds[name] = self._variable(name, _fresh(MEMORY, names), len(memory.rows) - 1)
        agents, guards = self._agents(clock, minds, tables=True)
        if system.environment is not self._system.environment:
            agents = (Agent(ENVIRONMENT), *agents)
        kept = []
        for agent in agents:
            if agent.is_environment and clock is not None:
                kept.append(self._with(agent, clock, self._ticks(clock)))
            else:
                kept.append(agent)
        done = tuple(
            self._with(agent, minds[agent.name], self._updates(minds[agent.name], agent))
            if agent.name in minds
            else agent
            for agent in kept
        )
        starts = [self._starts(one) for one in [clock, *minds.values()] if one is not None]
        initial = self._terms.conjunction([system.initial, *starts])
        return replace(system, agents=done, initial=initial), guards

    @property
    def _last_of_clock(self) -> int:
        assert self._clock is not None
        return self._clock.last

    def _variable(self, owner: str, name: str, last: int) -> Variable:
        return Variable(owner, name, Bounded(0, last))

    def _starts(self, variable: Variable) -> Expr:
        return self._terms.compare("=", variable.reference, self._terms.number(0))

    def _agents(
        self, clock: Variable | None, minds: Mapping[str, Variable], tables: bool
    ) -> tuple[tuple[Agent, ...], tuple[Guard, ...]]:
        """The agents with conditions in place of guards."""
        agents: list[Agent] = []
        guards: list[Guard] = []
        for agent in self._system.agents:
            if not agent.knows:
                agents.append(agent)
                continue
            mind = minds.get(agent.name) if agent.name in self._memories else clock
            found = self._guards(agent, mind, tables)
            guards += found
            lines: list[ProtocolLine] = list(agent.protocol)
            for one in found:
                lines[one.line] = replace(lines[one.line], condition=one.condition)
            agents.append(replace(agent, protocol=tuple(lines), knows=()))
        return tuple(agents), tuple(guards)

    # -- what is kept in mind ------------------------------------------------------------------------------------------

    def _ticks(self, clock: Variable) -> list[tuple[Expr, Expr]]:
        """The next value of the clock, and when it has it."""
        assert self._clock is not None
        terms, reference = self._terms, clock.reference
        last = terms.number(self._clock.last)
        ticks = [(terms.arith("+", reference, terms.number(1)), terms.compare("<", reference, last))]
        if self._clock.back < self._clock.last:
            ticks.append((terms.number(self._clock.back), terms.compare("=", reference, last)))
        return ticks

    def _updates(self, mind: Variable, agent: Agent) -> list[tuple[Expr, Expr]]:
        """The next values of the memory, and when it has them."""
        updates: list[tuple[Expr, Expr]] = []
        terms, seen = self._terms, self._view(agent)
        for value, row in enumerate(self._memories[agent.name].rows):
            here = terms.compare("=", mind.reference, terms.number(value))
            for target in sorted({after for _, after in row.values()} - {value}):
                key = "memory", agent.name, value, target
                when = self._condition(key, seen, [(view, after == target) for view, (_, after) in row.items()])
                updates.append((terms.number(target), terms.conjunction([here, when])))
        return updates

    def _ticking(self, clock: Variable) -> Agent:
        return self._alone(clock, self._ticks(clock))

    def _remembering(self, mind: Variable, agent: Agent) -> Agent:
        return self._alone(mind, self._updates(mind, agent))

    def _alone(self, variable: Variable, updates: Sequence[tuple[Expr, Expr]]) -> Agent:
        lines = tuple(EvolutionLine((Assignment(variable.name, value),), when) for value, when in updates)
        return Agent(variable.owner, (variable,), evolution=lines)

    def _with(self, agent: Agent, variable: Variable, updates: Sequence[tuple[Expr, Expr]]) -> Agent:
        """The agent with one more variable, which every move of its own brings up to date."""
        terms = self._terms
        made = [EvolutionLine((Assignment(variable.name, value),), when) for value, when in updates]
        if self._system.semantics is Semantics.SINGLE:
            lines = [*agent.evolution, *made]
        else:
            stays = terms.negate(terms.disjunction(when for _, when in updates))
            lines = []
            for line in agent.evolution:
                for one in made:
                    both = (*line.assignments, *one.assignments)
                    lines.append(EvolutionLine(both, terms.conjunction([line.guard, one.guard])))
                if stays != FALSE:
                    lines.append(EvolutionLine(line.assignments, terms.conjunction([line.guard, stays])))
            still = terms.negate(terms.disjunction(line.guard for line in agent.evolution))
            lines += [EvolutionLine(one.assignments, terms.conjunction([still, one.guard])) for one in made]
        return replace(agent, variables=(*agent.variables, variable), evolution=tuple(lines))


def _fresh(name: str, taken: set[str]) -> str:
    """The name, with underscores behind it where it is taken."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name
