"""A group of agents that must act on what they see: their situations, and the steps they leave possible.

A *situation* is an agent with what it sees.  A uniform strategy says for every situation of a member which of the allowed actions it
takes.  Symbolically it is one relation of view bits and action bits per member; situations in which no member has a choice need none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from epistrat.encoding.part import variables_of
from epistrat.engines.symbolic.space import SymbolicSpace
from epistrat.model.state import Act, State, View
from epistrat.model.step import Stepper
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd, Cube


class Situation(NamedTuple):
    """An agent, and what it sees."""

    agent: str
    view: View


@dataclass(frozen=True, slots=True)
class Player:
    """A member that has a choice somewhere.

    ``does`` gives the set of action bits of each action, ``may`` the states in which it is allowed, ``permits`` both together; ``own`` are
    the player's action bits, ``hidden`` the state bits it does not see, ``sees`` the mask of those it sees.
    """

    name: str
    view: tuple[int, ...]
    does: Mapping[Act, Bdd]
    may: Mapping[Act, Bdd]
    permits: Bdd
    own: Cube | None
    hidden: Cube | None
    sees: int
    acts: int


Strategy = tuple[Bdd, ...]
"""One relation of view and action bits per player."""

Decisions = Mapping[Situation, Act]


class Arena:
    """Steps of a space under strategies of a group; sets are cut to a universe of states."""

    def __init__(self, space: SymbolicSpace, members: Iterable[str], universe: Bdd) -> None:
        self.space = space
        self.algebra = space.algebra
        self.universe = universe
        self.stepper = Stepper(space.system)
        self.able = self.algebra.true
        self.players: list[Player] = []
        self.bits = 0
        wanted = set(members)
        for name, protocol in space.choices.items():
            self.able = self.able & protocol.able.function
            if name in wanted and protocol.choice:
                self.players.append(self._player(name))
                self.bits |= protocol.choice
        self._cube = self.algebra.cube(variables_of(self.bits))
        self._allowed: dict[Situation, tuple[Act, ...]] = {}
        self._where: dict[Situation, Bdd] = {}

    def _player(self, name: str) -> Player:
        space, algebra = self.space, self.algebra
        protocol, layout = space.choices[name], space.encoding.layout
        view = space.system.views[name]
        seen = every = 0
        for index, variable in enumerate(space.system.variables):
            support = layout.variables[variable.key].support
            every |= support
            seen |= support if index in view else 0
        own = algebra.cube(variables_of(protocol.choice))
        does = {action: part.function for action, part in protocol.does.items()}
        may = {action: algebra.and_exists(protocol.permits.function, bits, own) for action, bits in does.items()}
        hidden = algebra.cube(variables_of(every & ~seen))
        return Player(name, view, does, may, protocol.permits.function, own, hidden, seen, protocol.choice)

    # -- steps -------------------------------------------------------------------------------------------------------

    def into(self, states: Bdd) -> Bdd:
        """States and choices of the group after which some outcome is in the set."""
        return self.space.moves_into(states & self.universe, self.bits)

    def pre(self, states: Bdd, strategy: Strategy) -> Bdd:
        """The states from which the strategy leaves a step into the set possible."""
        result = self.into(states)
        for player, relation in zip(self.players, strategy, strict=True):
            result = self.algebra.and_exists(result, relation, player.own)
        return result & self.universe

    def post(self, states: Bdd, strategy: Strategy) -> Bdd:
        """The states that steps lead to from the set under the strategy."""
        for relation in strategy:
            states = states & relation
        return self.space.moves_from(states, self.bits) & self.universe

    def some_choice(self, choices: Bdd) -> Bdd:
        """The states for which the relation of states and the group's choices has a choice."""
        return self.algebra.exists(choices, self._cube)

    @property
    def anything(self) -> Strategy:
        """Every allowed action, as a strategy that is not deterministic."""
        return tuple([player.permits for player in self.players])

    # -- situations --------------------------------------------------------------------------------------------------

    def situations(self, state: State) -> list[Situation]:
        """The situations of the players in a state, where they have a choice."""
        found = []
        for player in self.players:
            situation = Situation(player.name, tuple([state[index] for index in player.view]))
            if len(self.allowed(situation, state)) > 1:
                found.append(situation)
        return found

    def allowed(self, situation: Situation, state: State) -> tuple[Act, ...]:
        """What can be chosen in a situation; the state is one in which it arises."""
        found = self._allowed.get(situation)
        if found is None:
            agent = self.space.system.agent[situation.agent]
            found = self._allowed[situation] = self.stepper.choices(agent, state)
        return found

    def cube(self, situation: Situation) -> Bdd:
        """The states in which the situation arises."""
        found = self._where.get(situation)
        if found is None:
            found = self._where[situation] = self._arising(situation)
        return found

    def _arising(self, situation: Situation) -> Bdd:
        encoding, system = self.space.encoding, self.space.system
        parts = []
        for index, value in zip(system.views[situation.agent], situation.view, strict=True):
            field = encoding.layout.variables[system.variables[index].key]
            if field.bits:
                parts.append((field.bits[0], encoding.conditions.equals(field, value).function))
        result = self.algebra.true
        for _, part in sorted(parts, key=lambda pair: pair[0], reverse=True):
            result = part & result
        return result

    def choosing(self, player: Player, states: Bdd) -> Bdd:
        """The situations of the player in the given states, as far as it has a choice."""
        return self.algebra.exists(states & self.universe & self._several(player), player.hidden)

    def count(self, player: Player, states: Bdd) -> int:
        """In how many situations the player is in the given states, where it has a choice."""
        return self.algebra.count(self.choosing(player, states), player.sees.bit_count())

    def listed(self, player: Player, seen: Bdd) -> Iterator[Situation]:
        """The player's situations in a set that depends on what it sees only, one by one."""
        layout, variables = self.space.encoding.layout, self.space.system.variables
        fields = [layout.variables[variables[index].key] for index in player.view]
        while seen != self.algebra.false:
            valuation = self.algebra.pick(seen) or {}
            situation = Situation(player.name, tuple([field.read(valuation) for field in fields]))
            yield situation
            seen = seen & ~self.cube(situation)

    def _several(self, player: Player) -> Bdd:
        """The states in which the player may do two different things."""
        once = twice = self.algebra.false
        for allowed in player.may.values():
            twice = twice | (once & allowed)
            once = once | allowed
        return twice


class Plays:
    """Builds strategies from a default and decisions that differ from it."""

    def __init__(self, arena: Arena, default: Strategy) -> None:
        self.arena = arena
        self.default = default
        self._numbers = {player.name: number for number, player in enumerate(arena.players)}
        self._preferred: dict[Situation, Act] = {}

    def preferred(self, situation: Situation) -> Act:
        """What the default does in a situation."""
        found = self._preferred.get(situation)
        if found is None:
            arena, number = self.arena, self._numbers[situation.agent]
            here = self.default[number] & arena.cube(situation)
            does, empty = arena.players[number].does, arena.algebra.false
            found = next((act for act, bits in does.items() if here & bits != empty), None)
            assert found is not None, "the default covers every situation with a choice"
            self._preferred[situation] = found
        return found

    def strategy(self, decisions: Decisions) -> Strategy:
        """The default, changed where decisions say so."""
        algebra = self.arena.algebra
        changed: list[list[tuple[Bdd, Bdd]]] = [[] for _ in self.default]
        for situation, action in decisions.items():
            if action != self.preferred(situation):
                number = self._numbers[situation.agent]
                cube = self.arena.cube(situation)
                changed[number].append((cube, cube & self.arena.players[number].does[action]))
        result = []
        for relation, changes in zip(self.default, changed, strict=True):
            if changes:
                where = _union(algebra.false, [cube for cube, _ in changes])
                relation = (relation & ~where) | _union(algebra.false, [choice for _, choice in changes])
            result.append(relation)
        return tuple(result)


def _union(empty: Bdd, sets: Sequence[Bdd]) -> Bdd:
    """The union, built as a balanced tree."""
    while len(sets) > 1:
        sets = [one | other for one, other in zip(sets[::2], [*sets[1::2], empty], strict=False)]
    return sets[0] if sets else empty
