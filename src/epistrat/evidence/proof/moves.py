"""What can happen, as Boolean functions: the definitions of `epistrat.model.step`, one by one.

A *branch* is a way to step: the functions that state, actions and next state must satisfy together, and the variables that may differ
afterwards.  A synchronous system has one branch, an interleaved one a branch for each event.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from epistrat.evidence.proof.bits import Slot, Space, written
from epistrat.evidence.proof.conditions import Conditions
from epistrat.model.agent import Agent, EvolutionLine, ProtocolLine
from epistrat.model.system import Semantics, System
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd
from epistrat.terms import ActionIs, Expr, Key, Sort, Var, subterms, variables

Support = frozenset[int]


@dataclass(frozen=True, slots=True)
class Part:
    """A function, and the bits that it may depend on."""

    function: Bdd
    support: Support


@dataclass(frozen=True, slots=True)
class Branch:
    """A way to step.  ``event`` is what happens in an interleaved system; ``actors`` are its participants."""

    parts: tuple[Part, ...]
    changing: tuple[Slot, ...]
    event: str | None = None


class Moves:
    """The branches of a system, and what its agents may do."""

    def __init__(self, system: System, space: Space) -> None:
        self.system = system
        self.space = space
        self._changing = written(system)
        self._does: dict[tuple[str, str], Bdd] = {}
        self._choosers: set[str] = set()
        self._reads: dict[str, Support] = {}
        self.conditions = Conditions(system, space, lambda agent, action: space.algebra.false)
        self.permits: dict[str, Part] = {}
        self.able: dict[str, Bdd] = {}
        if not system.interleaved:
            self._choose()

    # -- protocols ----------------------------------------------------------------------------------------------------

    def allowed(self, agent: Agent) -> dict[str, Bdd]:
        """Where the agent may do which of its actions."""
        algebra, truth = self.space.algebra, self.conditions.truth
        if agent.free:
            return dict.fromkeys(agent.actions, algebra.true)
        may = dict.fromkeys(agent.actions, algebra.false)
        applies = [truth(line.condition) for line in agent.protocol]
        for line, where in zip(agent.protocol, applies, strict=True):
            for action in line.actions:
                may[action] = may[action] | where
        rest = ~self.space.disjunction(applies)
        for action in agent.other or ():
            may[action] = may[action] | rest
        return may

    def _choose(self) -> None:
        """Synchronous: what each agent does.  Where its protocol leaves no choice that is a function of the state, else its bits say it."""
        space = self.space
        for agent in self.system.agents:
            if not agent.actions:
                continue
            self.space.tick()
            may = self.allowed(agent)
            seen = frozenset(
                bit for line in agent.protocol for key in variables(line.condition) for bit in space.now[key]
            )
            self.able[agent.name] = space.disjunction(may.values())
            if _disjoint(space, list(may.values())):
                self._does.update({(agent.name, action): where for action, where in may.items()})
                self._reads[agent.name] = seen
                self.permits[agent.name] = Part(self.able[agent.name], seen)
                continue
            self._choosers.add(agent.name)
            bits = space.now[agent.name, None]
            chosen = {action: space.code(bits, number) for number, action in enumerate(agent.actions)}
            self._does.update({(agent.name, action): code for action, code in chosen.items()})
            self._reads[agent.name] = frozenset(bits)
            permitted = space.disjunction(chosen[action] & where for action, where in may.items())
            self.permits[agent.name] = Part(permitted, seen | frozenset(bits))

    def free_bits(self, names: Sequence[str]) -> Support:
        """The bits of the agents' actions, of those who have a choice."""
        return frozenset(bit for name in names if name in self._choosers for bit in self.space.now[name, None])

    # -- steps --------------------------------------------------------------------------------------------------------

    def branches(self) -> Iterator[Branch]:
        """All ways to step."""
        if self.system.interleaved:
            names = dict.fromkeys(action for agent in self.system.agents for action in agent.actions)
            yield from (self._event(name) for name in names)
            return
        parts = list(self.permits.values())
        for agent in self.system.agents:
            self.space.tick()
            parts += self._moves(agent, self.acting, agent.evolution)
        slots = tuple(variable.key for variable in self.system.variables if variable.key in self._changing)
        yield Branch(tuple(parts), slots)

    @cached_property
    def acting(self) -> Conditions:
        """Conditions on states and on what agents do, in a synchronous step."""
        return Conditions(self.system, self.space, self._action, self.conditions)

    def _action(self, agent: str, action: str) -> Bdd:
        return self._does.get((agent, action), self.space.algebra.false)

    def participants(self, event: str) -> list[Agent]:
        """The agents that declare an event."""
        return [agent for agent in self.system.agents if event in agent.actions]

    def _event(self, name: str) -> Branch:
        """An interleaved step: who declares the event allows it and moves, all others stay."""
        space, algebra = self.space, self.space.algebra
        actors = self.participants(name)
        present = {agent.name for agent in actors}
        happens = lambda agent, action: algebra.true if agent in present and action == name else algebra.false  # noqa: E731
        does = Conditions(self.system, space, happens, self.conditions)
        parts: list[Part] = []
        slots: list[Slot] = []
        for agent in actors:
            seen = frozenset(
                bit for line in agent.protocol for key in variables(line.condition) for bit in space.now[key]
            )
            parts.append(Part(self.allowed(agent)[name], seen))
            lines = [line for line in agent.evolution if does.truth(line.guard) != algebra.false]
            targets = {one.target for line in lines for one in line.assignments}
            slots += [variable.key for variable in agent.variables if variable.name in targets]
            parts += self._moves(agent, does, lines)
        return Branch(tuple(part for part in parts if part.function != algebra.true), tuple(slots), name)

    def _moves(self, agent: Agent, does: Conditions, lines: Sequence[EvolutionLine]) -> list[Part]:
        """An agent's moves by the lines that may be enabled; a variable that none of them writes is left out, for it stays."""
        guards = [does.truth(line.guard) for line in lines]
        owned = {variable.name: variable for variable in agent.variables}
        targets = list(dict.fromkeys(one.target for line in lines for one in line.assignments))
        apart = self.system.semantics is Semantics.SINGLE or _disjoint(self.space, guards)
        if apart:
            return [self._variable(owned[name], lines, guards, does) for name in targets]
        return [self._together([owned[name] for name in targets], lines, guards, does)] if targets else []

    def _variable(self, variable: Any, lines: Sequence[EvolutionLine], guards: Sequence[Bdd], does: Conditions) -> Part:
        """One variable: it takes a value that an enabled line assigns, chosen freely; it stays where none assigns one.

        SingleAssignment by definition; MultiAssignment where at most one line is enabled at a time.
        """
        space, algebra = self.space, self.space.algebra
        result, idle = algebra.false, algebra.true
        support = frozenset((*space.now[variable.key], *space.later[variable.key]))
        for line, guard in zip(lines, guards, strict=True):
            values = [one.value for one in line.assignments if one.target == variable.name]
            for value in values if self.system.semantics is Semantics.SINGLE else values[-1:]:
                result = result | guard & self._becomes(variable, value, does)
                idle = idle & ~guard
                support |= self._support(line.guard, value)
        return Part(result | idle & self._stays(variable), support)

    def _together(
        self, targets: Sequence[Any], lines: Sequence[EvolutionLine], guards: Sequence[Bdd], does: Conditions
    ) -> Part:
        """MultiAssignment: one enabled line is executed, and what it does not assign stays; if none is enabled all stays."""
        space = self.space
        stays = {variable.name: self._stays(variable) for variable in targets}
        result = space.conjunction([*stays.values(), *(~guard for guard in guards)])
        support = frozenset(bit for one in targets for bit in (*space.now[one.key], *space.later[one.key]))
        for line, guard in zip(lines, guards, strict=True):
            given = {one.target: one.value for one in line.assignments}
            moved = [
                self._becomes(variable, given[variable.name], does) if variable.name in given else stays[variable.name]
                for variable in targets
            ]
            result = result | guard & space.conjunction(moved)
            support |= self._support(line.guard, *given.values())
        return Part(result, support)

    def _stays(self, variable: Any) -> Bdd:
        return self.space.same(self.space.now[variable.key], self.space.later[variable.key])

    def _becomes(self, variable: Any, value: Expr, does: Conditions) -> Bdd:
        """The variable's value after the step is that of the expression before it; nowhere where that is not in the domain."""
        space, domain = self.space, variable.domain
        later = space.later[variable.key]
        if isinstance(value, Var) and self.conditions_domain(value.key) == domain:
            return space.same(space.now[value.key], later)
        meaning = does.truth(value) if value.sort is Sort.BOOLEAN else does.values(value)
        if not isinstance(meaning, dict):
            if True not in domain:
                return space.algebra.false
            return ~space.algebra.xor(space.code(later, 1), meaning)
        return space.disjunction(
            where & space.code(later, domain.code(one)) for one, where in meaning.items() if one in domain
        )

    def conditions_domain(self, key: Key) -> Any:
        """The domain of a variable."""
        return self.system.variables[self.system.position[key]].domain

    def _support(self, *terms: Expr) -> Support:
        """The bits that the value of an expression may depend on."""
        found = frozenset(bit for key in variables(*terms) for bit in self.space.now[key])
        for term in subterms(*terms):
            if isinstance(term, ActionIs):
                found |= self._reads.get(term.agent, frozenset())
        return found

    def choices(self, agent: Agent) -> list[tuple[frozenset[str], Bdd]]:
        """Interleaved: what the agent can choose, with the states where it can; as `Stepper.choices`."""
        found: dict[frozenset[str], Bdd] = {}
        applies = [self.conditions.truth(line.condition) for line in agent.protocol]
        lines: list[tuple[Bdd, ProtocolLine | None]] = list(zip(applies, agent.protocol, strict=True))
        lists = [
            (where, line.choices or tuple((one,) for one in line.actions)) for where, line in lines if line is not None
        ]
        if agent.other is not None:
            rest = ~self.space.disjunction(applies)
            lists.append((rest, agent.other_choices or tuple((one,) for one in agent.other)))
        if agent.free:
            lists = [(self.space.algebra.true, tuple((one,) for one in agent.actions))]
        for where, sets in lists:
            for one in sets:
                key = frozenset(one)
                found[key] = found.get(key, self.space.algebra.false) | where
        return list(found.items())


def _disjoint(space: Space, functions: Sequence[Bdd]) -> bool:
    """Whether no two of them hold together."""
    seen = space.algebra.false
    for function in functions:
        if function & seen != space.algebra.false:
            return False
        seen = seen | function
    return True
