"""A graph of histories as the builder of evidence sees it: a point is a node, written as a state with one value."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from epistrat.engines.explicit.edges import Ids
from epistrat.engines.explicit.histories.settling import Settling
from epistrat.engines.explicit.history import Remembering
from epistrat.engines.explicit.layout import Mask, Numbers
from epistrat.engines.explicit.paths import joint_between, shortest
from epistrat.engines.explicit.structure import Structure
from epistrat.engines.readings import Refused
from epistrat.engines.witness.space import WitnessSpace
from epistrat.evidence import Path, UniformStrategy
from epistrat.logic import formula as logic
from epistrat.logic.formula import Coalition, Formula, Group, is_state, operands, subformulae
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper


class WorldSpace(WitnessSpace[Mask]):
    """The nodes of the last graph of one formula, with the sets where its parts hold: before announcements, and after each of them."""

    def __init__(self, settling: Settling, stepper: Stepper) -> None:
        self.settling, self.ground = settling, settling.top
        labels, self.count = self.ground.labels, len(self.ground.phase)
        worlds = np.ones(self.count, dtype=np.bool_) if labels.worlds is None else labels.worlds
        initial = np.zeros(self.count, dtype=np.bool_)
        initial[self.ground.starts] = True
        fairness = [where & worlds for where in labels.constraints] if labels.fairness else []
        super().__init__(stepper, worlds, initial & worlds, fairness)
        self._structure = labels.structure
        self._known: dict[Formula, Mask] = {}
        self._states: dict[int, State] = {}

    # Formulae

    def satisfying(self, formula: Formula) -> Mask:
        """Where the formula is true, at nodes at which it is asked."""
        if formula not in self._known:
            where = np.zeros(self.count, dtype=np.bool_)
            for phase in self.settling.phases:
                if self._is_asked(formula, phase.number):
                    label = self.ground.labels.label(self._without_past(self.settling.formula(formula, phase)))
                    where |= label & (self.ground.phase == phase.number)
            assert self.ground is self.settling.top, "evidence makes no further graphs"
            self._known[formula] = where & self.worlds
        return self._known[formula]

    @staticmethod
    def _without_past(formula: Formula) -> Formula:
        if any(isinstance(part, logic.PAST) for part in subformulae(formula)):
            raise Refused("evidence does not look back through the future")
        return formula

    def settled(self, formula: Formula) -> Formula:
        """The formula before announcements, in terms of the graph."""
        return self.settling.formula(formula, self.settling.phases[0])

    def _is_asked(self, formula: Formula, phase: int) -> bool:
        """Whether what depends on histories in the formula was found for this phase."""
        telling = len(self.settling.phases) > 1
        work, seen = [formula], {formula}
        while work:
            part = work.pop()
            past = isinstance(part, logic.PAST) and all(map(is_state, operands(part)))
            about = past or isinstance(part, logic.REMEMBERING) or (telling and isinstance(part, logic.KNOWING))
            if about and not self.settling.is_settled(part, phase):
                return False
            inside = () if isinstance(part, logic.Announced) else operands(part)
            fresh = [one for one in inside if one not in seen]
            seen.update(fresh)
            work.extend(fresh)
        return True

    # Nodes

    @staticmethod
    def point(node: int) -> State:
        """The point for a node."""
        return (node,)

    @staticmethod
    def node(point: State) -> int:
        """The node of a point."""
        (number,) = point
        assert isinstance(number, int)
        return number

    def state(self, node: int) -> State:
        """The state in which the histories of a node end."""
        if node not in self._states:
            self._states[node] = self._structure.state(node)
        return self._states[node]

    def minus(self, one: Mask, other: Mask) -> Mask:
        """The nodes in the first set only."""
        return one & ~other

    def is_empty(self, points: Mask) -> bool:
        """Whether the set has no nodes."""
        return not points.any()

    def has(self, points: Mask, point: State) -> bool:
        """Whether the node is in the set."""
        return bool(points[self.node(point)])

    def only(self, point: State) -> Mask:
        """The set of this node alone."""
        return self.those([self.node(point)])

    def those(self, nodes: object) -> Mask:
        """The set of these nodes."""
        found = np.zeros(self.count, dtype=np.bool_)
        found[nodes] = True  # type: ignore[call-overload]  # numbers of nodes, as a list or an array
        return found

    def pick(self, states: Mask) -> State:
        """The first node of the set."""
        return self.point(int(np.argmax(states)))

    def size(self, states: Mask) -> int:
        """In how many different states the histories of these nodes end."""
        structure: Structure = self._structure
        nodes: Ids = np.arange(self.count, dtype=np.int32)
        while isinstance(structure, Remembering):
            nodes, structure = structure.base_of[nodes], structure.base
        return len(np.unique(nodes[states]))

    # Steps and runs

    def before(self, points: Mask) -> Mask:
        """The nodes with a step into the set."""
        return self.ground.graph.before(points) & self.worlds

    def step(self, point: State, into: Mask) -> tuple[Joint, State] | None:
        """A step from the node into the set."""
        targets = self.ground.graph.forward.of(np.array([self.node(point)]))
        targets = targets[into[targets]]
        if not len(targets):
            return None
        target = int(targets.min())
        return self.joint(self.node(point), target), self.point(target)

    def joint(self, source: int, target: int) -> Joint:
        """Some joint action that leads from one node to the other."""
        return joint_between(self.stepper, self.state(source), self.state(target))

    def run_to(self, target: Mask) -> Path:
        """A shortest run into the set, before any announcement."""
        nodes = shortest(self.ground.graph, self.ground.starts, target & self.worlds)
        assert nodes is not None
        joints = [self.joint(*pair) for pair in pairwise(nodes)]
        return Path(tuple(map(self.point, nodes)), tuple(joints))

    # Knowledge

    def views(self, agents: tuple[str, ...]) -> Numbers:
        """Equal numbers for nodes that look the same now to all the agents together."""
        return self._structure.views(self.system.pooled_view(Group(agents)))

    def alike(self, agents: tuple[str, ...], states: Mask) -> Mask:
        """The nodes that look like one of the set now; with as many announcements behind them."""
        views = self.views(agents)
        looks = self.ground.phase * (int(views.max(initial=0)) + 1) + views
        seen = np.zeros(int(looks.max(initial=-1)) + 1, dtype=np.bool_)
        seen[looks[states]] = True
        found: Mask = seen[looks] & self.worlds
        return found

    # Games

    def _strategy(self, claim: Coalition, starts: Mask, trials: int | None) -> UniformStrategy | None:
        raise AssertionError("strategies do not go together with histories")

    def opposed(self, group: Group, bad: Mask) -> Mask:
        """Not asked."""
        raise AssertionError("strategies do not go together with histories")


def looks_back_simply(formula: Formula) -> bool:
    """Whether all past operators in the formula, outside knowledge, are about conditions."""
    if of_the_past_alone(formula) or isinstance(formula, (*logic.KNOWING, *logic.REMEMBERING)):
        return True
    return not isinstance(formula, logic.PAST) and all(map(looks_back_simply, operands(formula)))


def of_the_past_alone(formula: Formula) -> bool:
    """Whether the states of a history show the truth of the formula: conditions, connectives and past operators."""
    allowed = (*logic.ATOMS, *logic.CONNECTIVES, *logic.PAST)
    return all(isinstance(part, allowed) for part in subformulae(formula))
