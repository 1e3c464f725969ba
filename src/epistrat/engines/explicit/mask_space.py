"""Evidence from explored states: the shared builder over sets that are one bit per state.

On a reduced space the runs shown are runs of the system all the same; sizes of sets count the states that were explored.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

import numpy as np

from epistrat.engines.explicit.label import MaskLabels
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.paths import as_path, joint_between, path_to
from epistrat.engines.explicit.structure import Explored
from epistrat.engines.witness.space import WitnessSpace
from epistrat.evidence import Chosen, Path, UniformStrategy
from epistrat.logic.formula import Coalition, Formula, Group, operands
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper


class MaskSpace(WitnessSpace[Mask]):
    """Explored states, as the builder of evidence sees them."""

    def __init__(self, labels: MaskLabels, reduced: bool = False) -> None:
        assert isinstance(labels.structure, Explored)
        worlds = labels.everything if labels.worlds is None else labels.worlds
        initial = np.zeros(labels.structure.count, dtype=np.bool_)
        initial[labels.structure.initial] = True
        fairness = [where & worlds for where in labels.constraints] if labels.fairness else []
        stepper = Stepper(labels.structure.system)
        super().__init__(stepper, worlds, initial & worlds, fairness, labels.strategies, reduced)
        self._labels = labels
        self._structure = labels.structure

    def satisfying(self, formula: Formula) -> Mask:
        """The states of W where a state formula holds."""
        return self._labels.label(formula) & self.worlds

    def tentatively(self, kept: frozenset[Formula]) -> AbstractContextManager[None]:
        """What is computed in this block is not kept, except for the sets of some formulae."""
        return self._labels.tentatively(kept)

    # Sets

    def minus(self, one: Mask, other: Mask) -> Mask:
        """The states in the first set only."""
        return one & ~other

    def is_empty(self, points: Mask) -> bool:
        """Whether the set has no states."""
        return not points.any()

    def has(self, points: Mask, point: State) -> bool:
        """Whether the state is in the set."""
        node = self._node(point)
        return node >= 0 and bool(points[node])

    def only(self, point: State) -> Mask:
        """The set of this state alone."""
        found = np.zeros(self._structure.count, dtype=np.bool_)
        found[self._node(point)] = True
        return found

    def _node(self, state: State) -> int:
        layout = self._structure.layout
        return int(self._structure.states.find(layout.block([layout.pack(state)]))[0])

    def pick(self, states: Mask) -> State:
        """The state of the set with the least id."""
        return self._structure.state(int(np.argmax(states)))

    def size(self, states: Mask) -> int:
        """How many states the set has."""
        return int(states.sum())

    # Steps and runs

    def before(self, points: Mask) -> Mask:
        """The states of W with a step into the set."""
        return self._structure.graph.before(points) & self.worlds

    def step(self, point: State, into: Mask) -> tuple[Joint, State] | None:
        """A step from the state into the set; the target with the least id."""
        targets = self._structure.graph.forward.of(np.array([self._node(point)]))
        targets = targets[into[targets]]
        if not len(targets):
            return None
        target = self._structure.state(int(targets.min()))
        return joint_between(self.stepper, point, target), target

    def run_to(self, target: Mask) -> Path:
        """A shortest run from an initial state into the set."""
        ids = path_to(self._structure, target)
        assert ids is not None
        return as_path(self._structure, ids, self.stepper)

    # Knowledge

    def alike(self, agents: tuple[str, ...], states: Mask) -> Mask:
        """The states of W that the agents together cannot tell from some state of the set."""
        views = self._structure.views(self.system.pooled_view(Group(agents)))
        seen = np.zeros(int(views.max(initial=-1)) + 1, dtype=np.bool_)
        seen[views[states]] = True
        return seen[views] & self.worlds

    def tables(self, claim: Formula, state: State, holds: bool) -> Chosen | None:
        """Strategies without memory that show a claim."""
        tables = self._labels.tables
        if tables is None:
            return None
        from epistrat.engines.explicit.tables.chosen import chosen

        return chosen(tables, claim, self._node(state), holds)

    # Games

    def _strategy(self, claim: Coalition, starts: Mask, trials: int | None) -> UniformStrategy | None:
        search = self._labels.search(claim.group)
        parts = [self._labels.label(operand) for operand in operands(claim.arg)]
        decisions = search.strategy(claim.arg, parts, starts, trials)
        assert decisions is not None or trials is not None, (
            "the strategy that decided the formula cannot be found again"
        )
        return None if decisions is None else search.as_strategy(claim.group, decisions)

    def opposed(self, group: Group, bad: Mask) -> Mask:
        """The states of W where each choice of the group has an outcome in ``bad``, or where nobody may act."""
        return self._labels.games(group).opposed(bad) & self.worlds
