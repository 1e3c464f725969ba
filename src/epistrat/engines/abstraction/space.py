"""The abstract system: initial states, the relations *may* and *must*, who may do what, and the reachable states.

An abstract state is a truth value for every predicate and a value for every finite variable.  *May* relates two of them, under given
actions and choices, if some concrete step does; *must* if every concrete state of the first is led there.  Protocols and guards are
decided exactly by the predicates; the abstraction loses only what an update does to predicates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from epistrat.encoding.branch import Branch
from epistrat.encoding.part import Part, cube, mask_of, negated, variables_of
from epistrat.encoding.protocol import allowed
from epistrat.encoding.relation import Relation
from epistrat.engines.abstraction.choices import domains_of
from epistrat.engines.abstraction.conditions import PredicateConditions
from epistrat.engines.abstraction.cone import Cone
from epistrat.engines.abstraction.enumerate import Enumerator, Rank
from epistrat.engines.abstraction.layout import STEP, AbstractLayout, lay_out, values_of
from epistrat.engines.abstraction.predicates import Predicate
from epistrat.engines.abstraction.updates import Updates
from epistrat.engines.fixpoints.fixpoint import closure
from epistrat.model.agent import Agent
from epistrat.records import dataclass
from epistrat.solvers.bdd import Algebra, Bdd, open_algebra
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr, Key, Real

_NODES, _CACHE = 1 << 22, 1 << 20


@dataclass(frozen=True, slots=True)
class Basis:
    """What an abstraction is made from: predicates, ranks to watch, and conditions known to hold in all reachable states."""

    predicates: tuple[Predicate, ...]
    ranks: tuple[Rank, ...] = ()
    invariants: tuple[Expr, ...] = ()


class Diagrams:
    """One manager of decision diagrams for all abstractions of a session: each of its own would cost a gigabyte of address space."""

    def __init__(self) -> None:
        self._algebra: Algebra | None = None

    def over(self, variables: int) -> Algebra:
        """The algebra with at least so many variables; what earlier abstractions left behind is collected."""
        if self._algebra is None:
            self._algebra = open_algebra(variables, nodes=_NODES, cache=_CACHE)
        else:
            self._algebra.collect()
            self._algebra.grow(max(0, variables - self._algebra.variables))
        return self._algebra


class AbstractSpace:
    """One abstraction of a system."""

    def __init__(self, cone: Cone, basis: Basis, enumerator: Enumerator, diagrams: Diagrams, budget: Budget) -> None:
        system, units = cone.system, cone.units
        self.system = system
        self._start = cone.initial
        self.basis = basis
        self.budget = budget
        self._units = units
        domains = domains_of(system)
        self.grid = enumerator.grid
        self.on_grids = any(isinstance(domains[key], Real) and enumerator.grid(key) is not None for key in cone.keys)
        self.layout: AbstractLayout = lay_out(cone, basis.predicates, basis.ranks)
        self.algebra: Algebra = diagrams.over(self.layout.count)
        self.conditions = PredicateConditions(system, self.algebra, self.layout, enumerator.grid)
        self.state_mask = mask_of([now for now, _ in self.layout.pairs])
        self.action_mask = mask_of([bit for bits in self.layout.actions.values() for bit in bits])
        choice_mask = mask_of([bit for bits in self.layout.choices for bit in bits])
        self.private = self.action_mask | choice_mask
        self._forget = self.algebra.cube([now for now, _ in self.layout.change_pairs])
        acting = [one for one in system.agents if system.interleaved or one.name in self.layout.actions]
        self._may = {agent.name: allowed(agent, self.conditions) for agent in acting}
        self.allowed = {name: self._allowed(name) for name in self.layout.actions}
        self._build()
        self._updates = [
            Updates(cluster, units, self.layout, self.conditions, self.algebra, enumerator, cone.initial)
            for cluster in self.layout.clusters
        ]
        self.initial = self._initial()
        self._relate()
        self.reached = self._reach()

    # -- relations ------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        common = list(self.allowed.values())
        common += [self._chosen(index) for index in range(len(self._units))]
        if self.system.interleaved:
            common = self._with_idling(common)
        self.enabled_parts = tuple(common)
        self._enabled: Bdd | None = None
        self._fixed_parts = [*common, *self._finite_parts()]

    def _relate(self) -> None:
        """The relations, from what is known of the updates so far."""
        pairs = (*self.layout.pairs, *self.layout.change_pairs)
        may = [*self._fixed_parts, *(updates.may() for updates in self._updates)]
        must = [*self._fixed_parts, *(updates.must() for updates in self._updates)]
        self.may = Relation(self.algebra, [Branch(tuple(may), pairs)], self.private, tick=self.budget.check)
        self.must = Relation(self.algebra, [Branch(tuple(must), pairs)], self.private, tick=self.budget.check)

    @property
    def incomplete(self) -> bool:
        """Whether the solver could not tell something, so that more was taken as possible than is."""
        return any(updates.incomplete for updates in self._updates)

    @property
    def enabled(self) -> Bdd:
        """Which actions and choices make a step in which state."""
        if self._enabled is None:
            self._enabled = self.conditions.join.all(self.enabled_parts).function
        return self._enabled

    def _allowed(self, name: str) -> Part:
        """The protocol allows the action that the agent does."""
        if name == STEP:
            happening = [self._happens(action) for action in self.layout.names[STEP] if action is not None]
            return self.conditions.join.any([*happening, self.conditions.does(STEP, None)])
        may, does = self._may[name], self.conditions.does
        return self.conditions.join.any([self.conditions.join.all((does(name, one), may[one])) for one in may])

    def _happens(self, action: str) -> Part:
        takers = [self._may[agent.name][action] for agent in self.system.agents if action in agent.actions]
        return self.conditions.join.all([self.conditions.does(STEP, action), *takers])

    def _chosen(self, index: int) -> Part:
        """The unit's choice is one that its guards allow: an alternative that is enabled and fits, or none if no guard holds."""
        unit, bits = self._units[index], self.layout.choices[index]
        conditions, join = self.conditions, self.conditions.join
        domains = domains_of(self.system)
        acts = self._acts(unit.agent)
        quiet = join.any([conditions.part(guard) for guard in unit.guards])
        stay = ~(acts.function & quiet.function)
        options = [join.all((conditions.code(0, bits), Part(stay, acts.support | quiet.support)))]
        for number, alternative in enumerate(unit.alternatives, 1):
            guard = join.any([conditions.part(guard) for guard in alternative.guards])
            fits = [conditions.fits(value, domains[key]) for key, value in alternative.assignments]
            options.append(join.all((conditions.code(number, bits), acts, guard, *fits)))
        return join.any(options)

    def _acts(self, agent: Agent) -> Part:
        """The agent takes part in the step."""
        if not self.system.interleaved:
            return Part(self.algebra.true, 0)
        return self.conditions.join.any([self.conditions.does(agent.name, action) for action in agent.actions])

    def _with_idling(self, parts: list[Part]) -> list[Part]:
        """In an interleaved system a dead end repeats itself: idling is allowed exactly where nothing can happen."""
        idle = self.conditions.does(STEP, None)
        working = self.conditions.join.all([*parts, negated(idle)])
        some = self.algebra.exists(working.function, self.algebra.cube(variables_of(self.private)))
        return [*parts, Part(~(idle.function & some), idle.support | self.state_mask)]

    def _finite_parts(self) -> Iterator[Part]:
        """How the variables that are kept in bits change."""
        writers: dict[Key, int] = {key: index for index, unit in enumerate(self._units) for key in unit.keys}
        for key in self.layout.finite:
            index = writers.get(key)
            if index is None:
                yield self.conditions.stays(key)
                continue
            bits = self.layout.choices[index]
            options = [(0, self.conditions.stays(key))]
            for number, alternative in enumerate(self._units[index].alternatives, 1):
                made = dict(alternative.assignments)
                change = self.conditions.becomes(key, made[key]) if key in made else self.conditions.stays(key)
                options.append((number, change))
            yield self.conditions.join.any(
                [self.conditions.join.all((self.conditions.code(number, bits), part)) for number, part in options]
            )

    # -- states ---------------------------------------------------------------------------------------------------

    def _initial(self) -> Bdd:
        """The abstract states of the initial states; exact, since predicates decide the initial condition."""
        result = self.conditions.part(self._start).function
        for updates in self._updates:
            result = result & updates.initial()
        domains = domains_of(self.system)
        for key, pairs in self.layout.finite.items():
            codes = [
                self.conditions.code(index, [b for b, _ in pairs]) for index in range(len(values_of(domains[key])))
            ]
            result = result & self.conditions.join.any(codes).function
        return result

    def _reach(self) -> Bdd:
        """The abstract states that may be reached, an over-approximation; updates are learnt for the states that come up."""
        within = self.algebra.true
        for invariant in self.basis.invariants:
            within = within & self.conditions.part(invariant).function
        reached = frontier = self.initial & within
        lazy = [updates for updates in self._updates if updates.lazy]
        while frontier != self.algebra.false:
            self.budget.check()
            if [updates for updates in lazy if updates.learn(frontier, self.enabled)]:
                self._relate()
            frontier = self.following(frontier) & within & ~reached
            reached = reached | frontier
        return reached

    def following(self, states: Bdd, sure: bool = False) -> Bdd:
        """The states that a step may (or, if ``sure``, must) lead to."""
        relation = self.must if sure else self.may
        return self.algebra.exists(relation.image(states), self._forget)

    def surely_reached(self, start: Bdd) -> Bdd:
        """States that stand for some reachable state each: from ``start``, which do, along steps that must be."""
        return closure(self.algebra, lambda states: self.following(states, sure=True), start, self.budget.check)

    def dead_ends(self) -> Bdd:
        """The reachable states that may have no step."""
        some = self.algebra.exists(self.enabled, self.algebra.cube(variables_of(self.private)))
        return self.reached & ~some

    def visible(self, positions: Sequence[int]) -> int:
        """The mask of the bits that an observer of these variables (by their positions in a state) can compute."""
        seen = {self.system.variables[position].key for position in positions}
        finite = [bit for key, pairs in self.layout.finite.items() if key in seen for bit, _ in pairs]
        numbers = [pair[0] for predicate, pair in self.layout.predicates.items() if predicate.keys <= seen]
        return mask_of([*finite, *numbers])

    def exact(self, positions: Sequence[int]) -> bool:
        """Whether an observer of these variables sees only values that are kept in bits."""
        return all(self.system.variables[position].key in self.layout.finite for position in positions)

    def cube(self, values: Mapping[int, bool]) -> Bdd:
        """The states with these values of bits."""
        return cube(self.algebra, values.items())

    def count(self, states: Bdd) -> int:
        """The number of abstract states in a set."""
        return self.algebra.count(states, len(self.layout.pairs))
