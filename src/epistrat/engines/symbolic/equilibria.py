"""Nash equilibria of strategies with memory that see states and actions, on decision diagrams.

For each agent with a goal an automaton reads the run.  *Punished(i)* are the pairs of a state and a state of i's automaton from which all
others together keep i from its goal: a game that they begin.  A step is *safe* for i if i is punished wherever it may lead instead, the
others doing as they do.  A run is that of an equilibrium iff every agent gets its goal on it, or all its steps are safe for that agent.
So for each choice of the agents for which all steps are safe, one search: for a run of such steps that satisfies the goals of all others.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING

from epistrat.encoding.part import variables_of
from epistrat.engines.fixpoints.goals import Game, Sets, beside, reading
from epistrat.engines.readings import Refused, several_outcomes
from epistrat.logic.body import Body, split, unsigned
from epistrat.logic.deterministic.parity import Parity
from epistrat.logic.deterministic.pieces import TooManyStates
from epistrat.logic.formula import Formula, Prop
from epistrat.logic.rewrite import conjunction, negation
from epistrat.logic.sentences import Player
from epistrat.solvers.bdd import Bdd
from epistrat.solvers.budget import OutOfBudget

if TYPE_CHECKING:
    from epistrat.engines.fixpoints.label import Labelling
    from epistrat.engines.symbolic.remembering import Remembering
    from epistrat.engines.symbolic.space import SymbolicSpace


class Equilibria:
    """The equilibria of one system."""

    def __init__(self, games: Remembering, space: SymbolicSpace, labels: Labelling) -> None:
        self._games, self._space, self._labels = games, space, labels
        self._universe = games.universe()
        self._acting = [agent.name for agent in space.system.agents if agent.actions]
        self._goals = {name: goal for name, goal in space.system.goals if name in self._acting}
        self._bits = 0
        for name in self._acting:
            self._bits |= space.choices[name].choice
        self._everybody = space.algebra.cube(variables_of(self._bits))
        self._safe: dict[tuple[str, int], Bdd] = {}

    def some(self, fact: Formula) -> Bdd:
        """The states in which some equilibrium has a run that satisfies the path formula."""
        self._games.require_next_states()
        self._require_one_outcome()
        try:
            readers = {name: self._reader(negation(goal)) for name, goal in self._goals.items()}
            punished = {name: self._punished(name, reader) for name, reader in readers.items()}
            return self._runs(fact, readers, punished)
        except TooManyStates:
            raise OutOfBudget("an automaton of the goals has too many states") from None

    def _runs(self, fact: Formula, readers: dict[str, Game[Bdd]], punished: dict[str, Sets[Bdd]]) -> Bdd:
        found = self._space.algebra.false
        for many in range(len(readers) + 1):
            for kept in combinations(readers, many):
                if found == self._space.reachable:
                    return found
                content = [goal for name, goal in self._goals.items() if name not in kept]
                found = found | self._safely(conjunction((*content, fact)), kept, readers, punished)
        return found

    def _reader(self, path: Formula) -> Game[Bdd]:
        body = split(path, unsigned)
        return reading(self._universe, Parity(body.formula, self._space.tick), self._leaves(body))

    def _leaves(self, body: Body) -> Callable[[Prop], Bdd]:
        return lambda leaf: self._labels.label(body.leaves[leaf]) & self._space.reachable

    def _punished(self, name: str, reader: Game[Bdd]) -> Sets[Bdd]:
        """Where all others together keep the agent from its goal, for each state of its automaton."""
        others = [Player(True, (other,)) for other in self._acting if other != name]
        force = self._games.in_order([*others, Player(False, (name,))])
        return reader.won(lambda _, target: force(target))

    def _safely(
        self, wanted: Formula, kept: tuple[str, ...], readers: dict[str, Game[Bdd]], punished: dict[str, Sets[Bdd]]
    ) -> Bdd:
        """Where a run begins that satisfies what is wanted, all its steps being safe for those who are kept from their goals."""
        game, after = beside(self._universe, self._reader(wanted), [readers[name] for name in kept])
        allowed: dict[tuple[int, ...], Bdd] = {}

        def force(state: int, target: Bdd) -> Bdd:
            where = after[state]
            if not where:
                return self._space.pre(target)
            if where not in allowed:
                allowed[where] = self._allowed(kept, where, punished)
            return self._space.algebra.and_exists(allowed[where], self._leading(target), self._everybody)

        return game.won(force)[0]

    def _allowed(self, kept: tuple[str, ...], where: tuple[int, ...], punished: dict[str, Sets[Bdd]]) -> Bdd:
        """The joint actions, with states, that are allowed and safe, the automata being in these states afterwards."""
        found = self._space.reachable
        for name in self._acting:
            found = found & self._space.choices[name].permits.function
        for name, state in zip(kept, where, strict=True):
            if (name, state) not in self._safe:
                own = self._space.choices[name]
                escaping = self._leading(self._space.reachable & ~punished[name][state])
                cube = self._space.algebra.cube(variables_of(own.choice))
                self._safe[name, state] = ~self._space.algebra.and_exists(own.permits.function, escaping, cube)
            found = found & self._safe[name, state]
        return found

    def _leading(self, target: Bdd) -> Bdd:
        """The joint actions, with states, that lead into the target."""
        return self._space.moves_into(target, self._bits)

    def _require_one_outcome(self) -> None:
        """Raises `Refused` where a joint action has several outcomes: they differ in some bit."""
        space, algebra = self._space, self._space.algebra
        if space.single_valued:
            return
        allowed = space.reachable
        for name in self._acting:
            allowed = allowed & space.choices[name].permits.function
        for bit in variables_of(space.state_bits):
            space.tick()
            one, other = space.reachable & algebra.var[bit], space.reachable & ~algebra.var[bit]
            several = algebra.exists(allowed & self._leading(one) & self._leading(other), self._everybody)
            state = space.encoding.pick(several)
            if state is not None:
                raise Refused(several_outcomes(space.system, state))
