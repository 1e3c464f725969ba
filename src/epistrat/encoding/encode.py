"""A finite system as Boolean functions: initial states, transition relation, protocols, and the way back to states.

`encode` puts the pieces together: items are ordered, bits placed, protocols and evolutions turned into factors, factors into a relation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epistrat.encoding.bits import Layout
from epistrat.encoding.branch import Branch
from epistrat.encoding.conditions import Conditions
from epistrat.encoding.evolution import Evolution, encode_evolution
from epistrat.encoding.footprint import Footprint
from epistrat.encoding.lazily import lazy
from epistrat.encoding.part import Part, Tick, cube, no_tick
from epistrat.encoding.protocol import Choices, allowed, encode_protocol
from epistrat.encoding.relation import Relation
from epistrat.encoding.split import Splitter
from epistrat.model.agent import Agent
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.solvers.bdd import Algebra, Bdd
from epistrat.solvers.patience import PATIENT, Patience
from epistrat.terms import Expr


@dataclass(frozen=True, slots=True)
class Overflow:
    """Where an evolution line is enabled and its value leaves the range, as a condition on state and action bits.

    In an interleaved system ``action`` is the action that happens.
    """

    agent: str
    line: int
    where: Part
    action: str | None = None


@dataclass(frozen=True)
class Encoding:
    """A system over the bits of an algebra.

    ``starts`` are the conjuncts of the initial condition.

    ``blocked`` are the states and actions for which an enabled line has no move; ``single_valued`` says that nothing but actions is ever
    chosen.
    """

    system: System
    algebra: Algebra
    layout: Layout
    conditions: Conditions
    choices: Mapping[str, Choices]
    starts: tuple[Expr, ...]
    relation: Relation
    overflows: tuple[Overflow, ...]
    blocked: Part
    single_valued: bool

    @lazy
    def initial(self) -> Bdd:
        """The initial states."""
        return encode_initial(self.system, self.starts, self.conditions)

    @property
    def used_variables(self) -> int:
        """The number of BDD variables that functions can depend on: action bits of agents without choice are not."""
        idle = sum(len(f.bits) for name, f in self.layout.actions.items() if not self.choices[name].choice)
        return self.layout.size - idle

    def count(self, states: Bdd) -> int:
        """How many states a set has."""
        return self.algebra.count(states, self.layout.state_bits)

    def pick(self, states: Bdd) -> State | None:
        """One state of a set, always the same one; None if it is empty."""
        valuation = self.algebra.pick(states)
        if valuation is None:
            return None
        fields = self.layout.variables
        return tuple([fields[variable.key].read(valuation) for variable in self.system.variables])

    def singleton(self, state: State) -> Bdd:
        """The set with this one state."""
        literals: list[tuple[int, bool]] = []
        for variable, value in zip(self.system.variables, state, strict=True):
            field = self.layout.variables[variable.key]
            code = field.code(value)
            assert code is not None
            literals += [(bit, bool(code >> place & 1)) for place, bit in enumerate(reversed(field.bits))]
        return cube(self.algebra, literals)


def encode(
    footprint: Footprint,
    algebra: Algebra,
    layout: Layout,
    plain: bool = False,
    tick: Tick = no_tick,
    patience: Patience = PATIENT,
) -> Encoding:
    """The encoding of a system.  ``plain`` does without the refinements: for comparison only."""
    system = footprint.system
    conditions = Conditions(algebra, layout, {}, tick=tick)
    if system.interleaved:
        pieces = _interleaved(system, conditions, plain, tick, patience)
    else:
        pieces = _synchronous(system, conditions, plain, tick, patience)
    return Encoding(
        system=system,
        algebra=algebra,
        layout=layout,
        conditions=conditions,
        choices=pieces.protocols,
        starts=footprint.starts,
        relation=pieces.relation,
        overflows=tuple(pieces.overflows),
        blocked=conditions.join.any(pieces.blocked),
        single_valued=pieces.single_valued,
    )


@dataclass(frozen=True, slots=True)
class _Pieces:
    protocols: dict[str, Choices]
    relation: Relation
    overflows: list[Overflow]
    blocked: list[Part]
    single_valued: bool


def valid_views(system: System, conditions: Conditions) -> dict[str, Part]:
    """For each agent, where what it sees are values that exist."""
    ranges = [conditions.in_range(conditions.layout.variables[variable.key]) for variable in system.variables]
    partial = {index for index, part in enumerate(ranges) if part.support}
    return {
        agent.name: conditions.join.all([ranges[index] for index in partial.intersection(system.views[agent.name])])
        for agent in system.agents
    }


def _synchronous(system: System, conditions: Conditions, plain: bool, tick: Tick, patience: Patience) -> _Pieces:
    valid = valid_views(system, conditions)
    protocols = {
        agent.name: encode_protocol(agent, conditions, valid[agent.name], plain and len(agent.actions) > 1)
        for agent in system.agents
    }
    actions = {
        (name, str(action)): part for name, protocol in protocols.items() for action, part in protocol.does.items()
    }
    stepping = conditions.under(actions)
    parts: list[Part] = []
    overflows: list[Overflow] = []
    blocked: list[Part] = []
    single_valued = True
    for agent in system.agents:
        tick()
        evolution = encode_evolution(agent, stepping, system.semantics, valid[agent.name], plain)
        own = [*evolution.parts, protocols[agent.name].permits]
        parts += [conditions.join.all(own)] if plain else own
        overflows += [Overflow(agent.name, number, where) for number, where in evolution.overflows]
        blocked += evolution.blocked
        single_valued = single_valued and evolution.single_valued
    private = 0
    for protocol in protocols.values():
        private |= protocol.choice
    parts = [part for part in parts if part.function != conditions.algebra.true]
    branch = Branch(tuple(parts), tuple(conditions.layout.pairs))
    splitters = [Splitter(p.choice, tuple(p.does.values())) for p in protocols.values() if p.choice]
    relation = Relation(
        conditions.algebra, [branch], private, plain=plain, tick=tick, splitters=splitters, patience=patience
    )
    return _Pieces(protocols, relation, overflows, blocked, single_valued)


def _interleaved(system: System, conditions: Conditions, plain: bool, tick: Tick, patience: Patience) -> _Pieces:
    """One branch for each action: its participants' factors; everybody else stays."""
    algebra = conditions.algebra
    may = {agent.name: allowed(agent, conditions) for agent in system.agents}
    valid = valid_views(system, conditions)
    names = dict.fromkeys(action for agent in system.agents for action in agent.actions)
    yes, no = Part(algebra.true, 0), Part(algebra.false, 0)
    branches: list[Branch] = []
    overflows: list[Overflow] = []
    single_valued = True
    for name in names:
        tick()
        participants = [agent for agent in system.agents if name in agent.actions]
        parts: list[Part] = [may[agent.name][name] for agent in participants]
        pairs: list[tuple[int, int]] = []
        for agent in participants:
            meaning = {(agent.name, action): yes if action == name else no for action in agent.actions}
            evolution = encode_evolution(agent, conditions.under(meaning), system.semantics, valid[agent.name], plain)
            moved, kept = _split_frames(evolution, agent, conditions)
            parts += kept
            pairs += moved
            single_valued = single_valued and evolution.single_valued
            able = conditions.join.all([may[other.name][name] for other in participants])
            for number, where in evolution.overflows:
                leaving = conditions.join.all([where, able])
                if leaving.function != algebra.false:
                    overflows.append(Overflow(agent.name, number, leaving, name))
        if all(part.function != algebra.false for part in parts):
            parts = [part for part in parts if part.function != algebra.true]
            branches.append(Branch(tuple(parts), tuple(pairs), name=name))
    return _Pieces(
        {}, Relation(algebra, branches, 0, plain=plain, tick=tick, patience=patience), overflows, [], single_valued
    )


def _split_frames(
    evolution: Evolution, agent: Agent, conditions: Conditions
) -> tuple[list[tuple[int, int]], list[Part]]:
    """The bits that the agent moves, and its factors without those that say that a bit stays."""
    pairs = [
        pair
        for variable in agent.variables
        for pair in zip(
            conditions.layout.variables[variable.key].bits, conditions.layout.variables[variable.key].next, strict=False
        )
    ]
    frames = {conditions.same_bits((old,), (new,)).function: (old, new) for old, new in pairs}
    still = {frames[part.function] for part in evolution.parts if part.function in frames}
    kept = [part for part in evolution.parts if part.function not in frames]
    return [pair for pair in pairs if pair not in still], kept


def encode_initial(system: System, starts: Sequence[Expr], conditions: Conditions) -> Bdd:
    """The initial states: ranges first, then the conjuncts, those that start lowest in the order first."""
    algebra = conditions.algebra
    result = valid_states(system, conditions)
    buckets: dict[int, list[Part]] = {}
    for conjunct in starts:
        part = conditions.part(conjunct)
        buckets.setdefault(part.support & -part.support, []).append(part)
    for top in sorted(buckets, reverse=True):
        together = algebra.true
        for part in buckets[top]:
            together = together & part.function
        result = result & together
    return result


def valid_states(system: System, conditions: Conditions) -> Bdd:
    """The bits that are codes of values."""
    fields: Sequence[Part] = [conditions.in_range(field) for field in conditions.layout.variables.values()]
    return conditions.join.all(fields).function
