"""Evidence from decision diagrams: the shared builder over sets that are never enumerated.

A state is picked from a set, a step from the image of a single state, a choice or an answer from the moves into a set, restricted to a
single state; so the work per state shown is small, and the rest are preimages like those of the check itself.
"""

from __future__ import annotations

from epistrat.encoding.part import cube, variables_of
from epistrat.engines.contract import STRATEGY_STATES, Strategies
from epistrat.engines.fixpoints.label import Labelling
from epistrat.engines.symbolic.checker import Checker
from epistrat.engines.symbolic.path import joint_between, path_to
from epistrat.engines.witness.space import WitnessSpace
from epistrat.evidence import Choice, Path, UniformStrategy
from epistrat.logic.formula import Coalition, Formula, Group
from epistrat.model.state import Act, Joint, State, idle
from epistrat.model.step import Stepper
from epistrat.solvers.bdd import Bdd

_AGAIN = 20  # work for each node of a set that a step leads back from (remark on robots 16: 12 s for 2 M units without)
_LOOK = 100  # work for the moves of one agent in one state: 300 us for 3 agents, 3 ms for 40


class BddSpace(WitnessSpace[Bdd]):
    """The states of a symbolic session, as the builder of evidence sees them."""

    def __init__(self, checker: Checker, strategy_states: int = STRATEGY_STATES) -> None:
        labels, worlds = checker.labels, checker.labels.universe
        fairness = [goal & worlds for goal in checker.fairness]
        super().__init__(Stepper(checker.system), worlds, checker.space.initial & worlds, fairness, _reading(labels))
        self._strategy_states = strategy_states
        self._space = checker.space
        self._algebra = checker.space.algebra
        self._encoding = checker.space.encoding
        self._labels = labels
        self._single: dict[State, Bdd] = {}
        self._moves: dict[tuple[int, Bdd], Bdd] = {}

    def satisfying(self, formula: Formula) -> Bdd:
        """The states of W where a state formula holds."""
        return self._labels.label(formula) & self.worlds

    # -- sets --------------------------------------------------------------------------------------------------------

    def minus(self, one: Bdd, other: Bdd) -> Bdd:
        """The states in the first set only."""
        return one & ~other

    def is_empty(self, points: Bdd) -> bool:
        """Whether the set has no states."""
        return points == self._algebra.false

    def has(self, points: Bdd, point: State) -> bool:
        """Whether the state is in the set."""
        return self._algebra.implies(self.only(point), points)

    def only(self, point: State) -> Bdd:
        """The set of this state alone."""
        found = self._single.get(point)
        if found is None:
            found = self._single[point] = self._encoding.singleton(point)
        return found

    def pick(self, states: Bdd) -> State:
        """Some state of the set."""
        state = self._encoding.pick(states)
        if state is None:
            raise ValueError("the set is empty")
        return state

    def size(self, states: Bdd) -> int:
        """How many states the set has."""
        return self._encoding.count(states)

    # -- steps and runs ----------------------------------------------------------------------------------------------

    def before(self, points: Bdd) -> Bdd:
        """The states of W with a step into the set."""
        self._repeat(points)
        return self._space.pre(points) & self.worlds

    def step(self, point: State, into: Bdd) -> tuple[Joint, State] | None:
        """A step from the state into the set."""
        self._look()
        target = self._encoding.pick(self._space.relation.image(self.only(point)) & into)
        if target is not None:
            return joint_between(self._space, point, target, self.stepper), target
        if self.system.interleaved and self.has(into, point) and self.has(self._space.dead_ends, point):
            return idle(self.system), point
        return None

    def run_to(self, target: Bdd) -> Path:
        """A shortest run from an initial state into the set."""
        return path_to(self._space, target, self.stepper)

    # -- knowledge ---------------------------------------------------------------------------------------------------

    def alike(self, agents: tuple[str, ...], states: Bdd) -> Bdd:
        """The states of W that the agents together cannot tell from some state of the set."""
        return self._labels.knowledge.look_alikes(agents, states)

    # -- games -------------------------------------------------------------------------------------------------------

    def opposed(self, group: Group, bad: Bdd) -> Bdd:
        """The states of W where each choice of the group has an outcome in ``bad``, or where nobody may act."""
        self._repeat(bad)
        strategic = self._labels.strategic
        if self.fairness:
            return self.worlds & ~strategic.avoids(group, bad)
        return self.worlds & ~strategic.enforces(group, self.worlds & ~bad)

    def choice(self, group: Group, state: State, bad: Bdd) -> Choice | None:
        """What the group can choose in the state so that no outcome is in ``bad``."""
        self._look()
        protocols = self._space.choices
        members = [protocols[name] for name in group.members if name in protocols]
        bits = 0
        good = self.only(state)
        for protocol in members:
            bits |= protocol.choice
            good = good & protocol.permits.function
        valuation = self._algebra.pick(good & ~self._into(bad, bits))
        if valuation is None:
            return None
        return tuple(self._action(name, state, valuation) for name in group.members)

    def answer(self, group: Group, state: State, choice: Choice, into: Bdd) -> tuple[Joint, State] | None:
        """A joint action in which the group chooses ``choice``, and an outcome of it in the set ``into``."""
        self._look()
        if self.system.interleaved:
            return super().answer(group, state, choice, into)
        moves = self._into(into, self._space.relation.private) & self.only(state)
        for name, action in zip(group.members, choice, strict=True):
            if action is not None and self._space.choices[name].choice:
                moves = moves & self._space.choices[name].does[action].function
        valuation = self._algebra.pick(moves)
        if valuation is None:
            return None
        done = [self._action(agent.name, state, valuation) for agent in self.system.agents]
        joint = tuple(act if isinstance(act, str) else None for act in done)
        target = next((t for t in self.stepper.outcomes(state, joint) if self.has(into, t)), None)
        return None if target is None else (joint, target)

    def _strategy(self, claim: Coalition, starts: Bdd, trials: int | None) -> UniformStrategy | None:
        from epistrat.engines.symbolic.uniform.label import UniformLabelling  # only here: they need the SAT solver
        from epistrat.engines.symbolic.uniform.strategy_table import uniform_strategy

        labels = self._labels
        assert isinstance(labels, UniformLabelling)
        first = self.some(starts, self._strategy_states + 1)
        if len(first) > self._strategy_states:
            return None
        return uniform_strategy(labels, claim, starts, first, self._strategy_states, trials)

    def _look(self) -> None:
        """Count a look at the moves of all agents in one state: it makes few nodes, and takes long all the same."""
        self._space.work.budget.spend(_LOOK * len(self.system.agents))
        self._space.tick()

    def _repeat(self, states: Bdd) -> None:
        """Count a step back from the set by its size: the nodes were made for the question already, but are looked for again."""
        self._space.work.budget.spend(_AGAIN * self._algebra.size(states))
        self._space.tick()

    def _into(self, states: Bdd, kept: int) -> Bdd:
        """The states and values of the action bits ``kept`` for which some step leads into the set."""
        key = (kept, states)
        if key not in self._moves:
            self._moves[key] = self._space.moves_into(states, kept)
        return self._moves[key]

    def _action(self, name: str, state: State, valuation: dict[int, bool]) -> Act | None:
        """What the agent does: as its action bits say, or, where it never has a choice, what its protocol allows."""
        agent = self.system.agent.get(name)
        if agent is None or not agent.actions:
            return None
        protocol = self._space.choices[name]
        options = self.stepper.choices(agent, state)
        if self.system.interleaved and protocol.choice:
            bits = cube(self._algebra, [(bit, valuation.get(bit, False)) for bit in variables_of(protocol.choice)])
            return next((act for act in options if bits & protocol.does[act].function != self._algebra.false), None)
        if protocol.choice:
            return str(self._encoding.layout.actions[name].read(valuation))
        return options[0] if options else None


def _reading(labels: Labelling) -> Strategies:
    subjective = getattr(labels, "subjective", None)
    return Strategies.ANY if subjective is None else Strategies.SUBJECTIVE if subjective else Strategies.OBJECTIVE
