"""The states that formulae range over, and the few functions between sets of states that operators are made of.

A `World` reads a system by the encoder of this package.  All its sets lie inside ``found``, which is to contain the reachable states; where
``found`` is larger than them, what is said of steps and of everything that looks alike still holds of all reachable states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

from epistrat.evidence.proof.bits import NotProvable, Order, Space, lay_out, size_of
from epistrat.evidence.proof.moves import Branch, Moves, Part
from epistrat.evidence.proof.relation import Extra, Pairs, Relation
from epistrat.evidence.proof.sets import Kind, Through
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd, Cube
from epistrat.solvers.bdd.algebra import CACHE, NODES
from epistrat.terms import And, Expr, variables

Strategy: TypeAlias = Mapping[str, Mapping[frozenset[str], Bdd]]
"""For agents, by name, where they choose what: one of their options."""

Search: TypeAlias = Callable[[Relation, Bdd], Bdd]

_MOST_CHOICES = 256
"""Of a group in an interleaved system, one for each combination of what its members can choose."""


Tick: TypeAlias = Callable[[], object]
"""Called between two operations; it may raise to end the work."""


@dataclass(frozen=True, slots=True)
class Means:
    """With what diagrams are built: the library, how many nodes it may use, and who is told between two operations."""

    library: str = "oxidd"
    nodes: int = NODES
    cache: int = CACHE
    tick: Tick = lambda: None


class Encoded:
    """A system in the bits of a space: what never depends on which states are reachable."""

    def __init__(self, system: System, order: Order = (), means: Means | None = None) -> None:
        self.system = system
        self.means = means or Means()
        means = self.means
        self.space: Space = lay_out(system, order, means.library, means.nodes, means.cache, means.tick)
        self.moves = Moves(system, self.space)
        self._collects = self.space.algebra.library == "oxidd"
        private = self.moves.free_bits([agent.name for agent in system.agents])
        self.relation = Relation(self.space, self.moves.branches(), private, self.tick)
        self.initial = self._initial()

    def tick(self) -> None:
        """Between two operations: whoever watches is told, and nodes that nobody needs are freed before the table is full."""
        self.means.tick()
        algebra = self.space.algebra
        if self._collects and algebra.nodes() > algebra.due:
            algebra.collect()

    def _initial(self) -> Bdd:
        """The initial condition, and every value in its domain, from the bottom of the order upwards."""
        system, space = self.system, self.space
        found: list[tuple[int, Bdd]] = []
        for conjunct in conjuncts(system.initial):
            read = [bit for key in variables(conjunct) for bit in space.now[key]]
            found.append((min(read, default=0), self.moves.conditions.truth(conjunct)))
        for variable in system.variables:
            bits, size = space.now[variable.key], size_of(variable.domain)
            if bits and size < 1 << len(bits):
                found.append((min(bits), space.disjunction(space.code(bits, code) for code in range(size))))
        groups: dict[int, Bdd] = {}
        for top, function in found:
            groups[top] = groups.get(top, space.algebra.true) & function
        result = space.algebra.true
        for top in sorted(groups, reverse=True):
            result = result & groups[top]
        return result

    def hidden(self, agents: Sequence[str]) -> frozenset[int]:
        """The bits of variables that none of the agents sees."""
        seen = {index for agent in agents for index in self.system.views[agent]}
        return frozenset(
            bit
            for index, variable in enumerate(self.system.variables)
            if index not in seen
            for bit in self.space.now[variable.key]
        )


class World:
    """One system with the states found in it.

    ``relation`` and ``initial`` may be about more bits than the system's: ``remembered`` ones, and those ``guessed`` by an automaton.
    """

    def __init__(
        self,
        encoded: Encoded,
        relation: Relation,
        initial: Bdd,
        found: Bdd,
        remembered: frozenset[int] = frozenset(),
        guessed: frozenset[int] = frozenset(),
        dead: Bdd | None = None,
    ) -> None:
        self.encoded = encoded
        self.system = encoded.system
        self.space = encoded.space
        self.algebra = encoded.space.algebra
        self.base = relation
        self.initial = initial
        self.found = found
        self.remembered = remembered
        self.guessed = guessed
        self.strategy: Strategy | None = None
        self._memo: dict[object, Bdd] = {}
        self._alike: dict[tuple[tuple[str, ...], Bdd], tuple[Bdd, Bdd]] = {}
        if dead is None and self.system.interleaved:
            dead = found & ~relation.before(self.algebra.true)
        self.dead = dead  # the states of the system without a step
        self.relation = self._repeating(relation)

    def _repeating(self, relation: Relation) -> Relation:
        """In an interleaved system a state without a step repeats itself."""
        if self.dead is None or self.dead == self.algebra.false:
            return relation
        state = frozenset(bit for bits in self.space.now.values() for bit in bits)
        waiting = Branch((Part(self.dead, state | self.remembered),), ())
        branches = (*relation.branches, waiting)
        return Relation(self.space, branches, relation.private, relation.tick, relation.extra, relation.pairs)

    def remembering(self, initial: Bdd, extra: Sequence[Extra], pairs: Pairs, search: Search) -> World:
        """The same with bits that remember; all states, found by a search."""
        start = self.initial & initial
        found = search(self.relation.widened(extra, pairs), start)
        bits = self.remembered | {now for now, _ in pairs}
        return World(self.encoded, self.base.widened(extra, pairs), start, found, bits, dead=self.dead)

    def following(self, strategy: Strategy) -> World:
        """The same where some agents choose by a strategy."""
        other = World(self.encoded, self.base, self.initial, self.found, self.remembered, self.guessed, self.dead)
        other.strategy = strategy
        return other

    def guessing(self, extra: Sequence[Extra], pairs: Pairs) -> World:
        """The same with bits that an automaton guesses."""
        guessed = frozenset(now for now, _ in pairs)
        relation = self.base.widened(extra, pairs)
        return World(self.encoded, relation, self.initial, self.found, self.remembered, guessed, self.dead)

    def _once(self, key: object, make: Callable[[], Bdd]) -> Bdd:
        if key not in self._memo:
            self.encoded.tick()
            self._memo[key] = make()
        return self._memo[key]

    # -- steps --------------------------------------------------------------------------------------------------------

    def after(self, states: Bdd) -> Bdd:
        """Where steps from the states lead to."""
        return self._once(("after", states), lambda: self.relation.after(states))

    def before(self, states: Bdd) -> Bdd:
        """The found states from which some step leads into the states."""
        return self._once(("before", states), lambda: self.found & self.relation.before(states & self.found))

    # -- observation --------------------------------------------------------------------------------------------------

    def alike(self, agents: tuple[str, ...], states: Bdd, among: Bdd | None = None) -> Bdd:
        """The found states, of those among them or of all, that the agents together cannot tell from one of the states."""
        among = self.found if among is None else among & self.found
        known, found = self._alike.get((agents, states), (self.algebra.false, self.algebra.false))
        if not self.algebra.implies(among, known):
            self.encoded.tick()
            known, found = among, self._looking_alike(agents, states & self.found, among)
            self._alike[agents, states] = known, found
        return found & among

    def _looking_alike(self, agents: tuple[str, ...], states: Bdd, among: Bdd) -> Bdd:
        """All that looks like one of the states and one of those among which it is asked.

        Looking alike is mutual: if the latter are fewer, the states are first left with what looks like some of them.
        """
        hidden = self.algebra.cube(self.encoded.hidden(agents) | self.remembered)
        if among != self.found and self.algebra.size(among) < self.algebra.size(states):
            states = states & self.algebra.exists(among, hidden)
        return self.algebra.exists(states, hidden)

    def unseen(self, agent: str) -> Cube | None:
        """All bits but those of the variables that the agent sees: what its decisions must not depend on, actions included."""
        system = self.system
        seen = (self.space.now[system.variables[index].key] for index in system.views[agent])
        return self.algebra.cube(frozenset(range(self.algebra.variables)).difference(*seen))

    def through_guess(self, states: Bdd) -> Bdd:
        """The found states that some values of the bits beside the system's put among the states."""
        return self.algebra.exists(states & self.found, self.algebra.cube(self.guessed))

    def through(self, through: Through, states: Bdd, among: Bdd | None = None) -> Bdd:
        """From which found states one comes into the states; of those that are not ``among`` them some may be left out."""
        match through.kind:
            case Kind.STEP:
                return self.before(states)
            case Kind.ENFORCED:
                return self.enforced(through.agents, states)
            case Kind.ANSWERED:
                return self.answered(through.agents, states)
            case Kind.ALIKE:
                return self.alike(through.agents, states, among)
            case Kind.LINKED:
                return self.space.disjunction(self.alike((one,), states, among) for one in through.agents)
            case Kind.GUESSED:
                return self.through_guess(states)

    # -- groups -------------------------------------------------------------------------------------------------------

    def enforced(self, group: tuple[str, ...], states: Bdd) -> Bdd:
        """The found states in which some choice of the group has all its outcomes in the states."""
        key = ("enforced", group, states)
        return self._once(key, lambda: self._some_choice(group, self.found & ~states, all_of_them=True))

    def answered(self, group: tuple[str, ...], states: Bdd) -> Bdd:
        """The found states in which the group has choices, and every one has an outcome in the states."""

        def make() -> Bdd:
            return self._can_choose(group) & ~self._some_choice(group, states & self.found, all_of_them=True)

        return self._once(("answered", group, states), make)

    def _can_choose(self, group: tuple[str, ...]) -> Bdd:
        return self._once(("chooses", group), lambda: self._some_choice(group, self.algebra.false, all_of_them=True))

    def _some_choice(self, group: tuple[str, ...], avoided: Bdd, all_of_them: bool) -> Bdd:
        """Where some choice of the group leads into ``avoided`` for no answer of the others."""
        if self.system.interleaved:
            return self._some_choice_of_sets(group, avoided)
        moves = self.encoded.moves
        kept = moves.free_bits(group)
        able = self.space.conjunction([self.found, *moves.able.values()])
        chosen = [self.permitted(name) for name in group if name in moves.permits]
        leads = self.relation.before(avoided, kept)
        good = self.space.conjunction([*chosen, ~leads])
        return able & self.algebra.exists(good, self.algebra.cube(kept))

    def options(self, name: str) -> list[tuple[frozenset[str], Bdd]]:
        """What an agent can choose, with the states where it can."""
        agent = self.system.agent.get(name)
        if agent is None or not agent.actions:
            return []
        if self.system.interleaved:
            return self.encoded.moves.choices(agent)
        return [(frozenset({action}), where) for action, where in self.encoded.moves.allowed(agent).items()]

    def narrowed(self, name: str, options: list[tuple[frozenset[str], Bdd]]) -> list[tuple[frozenset[str], Bdd]]:
        """The options that the agent's strategy leaves it."""
        if self.strategy is None or name not in self.strategy:
            return options
        chosen = self.strategy[name]
        return [(one, where & chosen.get(one, self.algebra.false)) for one, where in options]

    def permitted(self, name: str) -> Bdd:
        """Synchronous: the actions an agent may do, by its bits, as far as its strategy leaves them."""
        moves = self.encoded.moves
        if self.strategy is None or name not in self.strategy or not moves.free_bits([name]):
            return moves.permits[name].function
        codes = {action: number for number, action in enumerate(self.system.agent[name].actions)}
        row = self.space.now[name, None]
        left = self.narrowed(name, self.options(name))
        return self.space.disjunction(self.space.code(row, codes[next(iter(one))]) & where for one, where in left)

    def _some_choice_of_sets(self, group: tuple[str, ...], avoided: Bdd) -> Bdd:
        """Interleaved: members choose sets of actions; what is left are the events that every member who declares them has chosen."""
        if self.system.blocking is not Blocking.WAIT or self.system.scheduling is not Scheduling.ANY:
            raise NotProvable("groups under this blocking or scheduling")
        moves, algebra = self.encoded.moves, self.algebra
        members = [agent for agent in self.system.agents if agent.name in group]  # each once, however often it is named
        options = []
        for agent in members:
            own = self.narrowed(agent.name, moves.choices(agent))
            nothing = ~self.space.disjunction(where for _, where in own)
            options.append([*own, (frozenset[str](), nothing)])
        if prod(map(len, options)) > _MOST_CHOICES:
            raise NotProvable("a group has too many choices at once")
        leads: dict[str, Bdd] = {}
        possible: dict[str, Bdd] = {}
        for way in self.base.ways:
            event = way.branch.event
            assert event is not None
            leads[event] = way.before(avoided)
            possible[event] = self._once(("possible", event), lambda way=way: self.found & way.before(self.found))  # type: ignore[misc]
        result = algebra.false
        for choice in product(*options):
            can = self.space.conjunction([self.found, *(where for _, where in choice)])
            if can == algebra.false:
                continue
            left = [
                event
                for event in leads
                if all(
                    event in chosen
                    for agent, (chosen, _) in zip(members, choice, strict=True)
                    if event in agent.actions
                )
            ]
            waits = can & ~self.space.disjunction(possible[event] for event in left)
            bad = self.space.disjunction([*(leads[event] for event in left), waits & avoided])
            result = result | can & ~bad
        return result


def conjuncts(condition: Expr) -> tuple[Expr, ...]:
    """The operands of a conjunction, or the condition itself."""
    return condition.args if isinstance(condition, And) else (condition,)
