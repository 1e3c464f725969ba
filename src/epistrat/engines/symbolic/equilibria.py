"""Nash equilibria of strategies with memory that see states and actions, on decision diagrams.

For each agent with a goal an automaton reads the run.  *Punished(i)* are the pairs of a state and a state of i's automaton from which all
others together keep i from its goal: a game that they begin.  A step is *safe* for i if i is punished wherever it may lead instead, the
others doing as they do.  A run is that of an equilibrium iff every agent gets its goal on it, or all its steps are safe for that agent.
`epistrat.engines.symbolic.profiles` looks for such a run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from epistrat.encoding.part import variables_of
from epistrat.engines.fixpoints.goals import reading
from epistrat.engines.readings import Refused, several_outcomes
from epistrat.engines.symbolic.profiles import Profiles, Watched
from epistrat.logic.body import split, unsigned
from epistrat.logic.deterministic.parity import Parity
from epistrat.logic.deterministic.pieces import TooManyStates
from epistrat.logic.formula import Formula
from epistrat.logic.rewrite import negation
from epistrat.logic.sentences import Player
from epistrat.solvers.bdd import Bdd
from epistrat.solvers.budget import OutOfBudget

if TYPE_CHECKING:
    from epistrat.engines.fixpoints.label import Labelling
    from epistrat.engines.symbolic.linear.tableau import SpareBits
    from epistrat.engines.symbolic.remembering import Remembering
    from epistrat.engines.symbolic.space import SymbolicSpace


class Equilibria:
    """The equilibria of one system."""

    def __init__(self, games: Remembering, space: SymbolicSpace, spare: SpareBits, labels: Labelling) -> None:
        self._games, self._space, self._spare, self._labels = games, space, spare, labels
        self._universe = games.universe()
        self._acting = [agent.name for agent in space.system.agents if agent.actions]
        self._goals = {name: goal for name, goal in space.system.goals if name in self._acting}
        self._bits = 0
        for name in self._acting:
            self._bits |= space.choices[name].choice
        self._everybody = space.algebra.cube(variables_of(self._bits))

    def some(self, fact: Formula) -> Bdd:
        """The states in which some equilibrium has a run that satisfies the path formula."""
        self._games.require_next_states()
        self._require_one_outcome()
        try:
            watched = [self._watched(name, goal) for name, goal in self._goals.items()]
        except TooManyStates:
            raise OutOfBudget("an automaton of the goals has too many states") from None
        allowed = self._space.reachable
        for name in self._acting:
            allowed = allowed & self._space.choices[name].permits.function
        return Profiles(self._space, self._spare, allowed, self._bits, watched).with_a_run(fact, self._labels.label)

    def _watched(self, name: str, goal: Formula) -> Watched:
        """The automaton of a goal, and the steps after which the agent is punished whatever it does instead of its own part."""
        body = split(negation(goal), unsigned)
        reader = reading(
            self._universe,
            Parity(body.formula, self._space.tick),
            lambda leaf: self._labels.label(body.leaves[leaf]) & self._space.reachable,
        )
        others = [Player(True, (other,)) for other in self._acting if other != name]
        force = self._games.in_order([*others, Player(False, (name,))])
        punished = reader.won(lambda _, target: force(target))
        own = self._space.choices[name]
        cube = self._space.algebra.cube(variables_of(own.choice))
        safe = {}
        for state, where in punished.items():
            escaping = self._leading(self._space.reachable & ~where)
            safe[state] = ~self._space.algebra.and_exists(own.permits.function, escaping, cube)
        return Watched(name, goal, reader, safe)

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
