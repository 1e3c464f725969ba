"""Strategies without memory: names, coalitions over path formulae, equilibria; all tables at once, as variables of decision diagrams.

<<x>> f     f for some values of x's variables;  [[x]] f  for all
<g> f       for some tables of the members, no run that they leave violates f
ENash(f)    for some tables of all agents f holds, and who does not get its goal gets it by no other table of its own
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from epistrat.engines.contract import Strategies
from epistrat.engines.explicit.layout import Mask, Numbers
from epistrat.engines.explicit.tables.decisions import Decisions, Strategy, Vector
from epistrat.engines.explicit.tables.expansion import Expansion, TooManyProposals
from epistrat.engines.explicit.tables.guided import guided
from epistrat.engines.explicit.tables.labels import VECTORS, DecisionLabels
from epistrat.engines.explicit.tables.plays import Plays
from epistrat.engines.explicit.tables.runs import Edges, Runs
from epistrat.engines.explicit.tables.suspects import Suspects
from epistrat.engines.fixpoints.goals import Universe, enforced
from epistrat.engines.readings import Readings, Way
from epistrat.logic import formula as logic
from epistrat.logic.body import split, unsigned
from epistrat.logic.formula import EveryStrategy, Formula, Group, SomeStrategy, Tag, subformulae
from epistrat.logic.fragment import is_enforced
from epistrat.logic.sentences import Crossing, OneGoal, one_goal, sharing

if TYPE_CHECKING:
    from epistrat.engines.explicit.label import MaskLabels


class Tables:
    """Answers what `MaskLabels` asks about strategies without memory, in one reading."""

    def __init__(self, labels: MaskLabels, plays: Plays, readings: Readings, nodes: int) -> None:
        self._labels, self._structure, self._readings = labels, plays.structure, readings
        self._nodes = nodes
        self.plays = plays
        self._edges: dict[tuple[tuple[str, int], ...], Edges] = {}

    @property
    def tag(self) -> Tag:
        """How strategies with names are read."""
        return self._readings.names

    @cached_property
    def decisions(self) -> Decisions:
        """The diagrams."""
        return Decisions(self.plays, self._nodes)

    def tick(self) -> None:
        """Raises if a limit is reached."""
        self._labels.tick()

    # -- questions -----------------------------------------------------------------------------------------------------

    def sentence(self, formula: Formula, care: Mask) -> Mask:
        """Where a sentence holds that depends on no strategy from outside; only states of ``care`` are asked about."""
        self.plays.require_next_states(protocols=False)
        surely = self._against_all_plays(formula)
        if surely is not None and not (care & ~surely).any():
            return surely
        self.prepare(formula)
        return self.decisions.mask(DecisionLabels(self, ()).label(formula))

    def _against_all_plays(self, sentence: Formula) -> Mask | None:
        """Where a sentence with one goal holds even if agents whose strategies are any do what they like: fewer strategies are tried.

        None where the shape is another one.  Every agent has to be bound once, so that nobody else restricts a strategy.  In interleaved
        systems strategies that fit nobody else's leave nothing and make a state repeat itself, a run that the system alone need not have.
        """
        shape = self._once_bound(sentence)
        if shape is None or self.plays.system.interleaved:
            return None
        chosen = [
            (one.agents, self.decisions.strategy(("alone", one.agents), one.agents, self.tag))
            for one in shape.players
            if one.some
        ]
        following = {agent: strategy for agents, strategy in chosen for agent in agents}
        if len(following) == len(self.plays.acting) or not all(strategy.exists for _, strategy in chosen):
            return None
        found = ~self.some_run(self.edges(following), shape.goal, self.plain, negated=True)
        for _, strategy in chosen:
            found = self.decisions.some(strategy, found)
        return self.decisions.mask(found)

    def prepare(self, formula: Formula) -> None:
        """Makes all strategies that are quantified in a formula."""
        quantified = (part for part in subformulae(formula) if isinstance(part, (SomeStrategy, EveryStrategy)))
        self.decisions.prepare([(part, sharing(part.variable, part.arg), self.tag) for part in quantified])

    def forget_edges(self) -> None:
        """Strategies are other ones now."""
        self._edges.clear()

    def expanded(self, formula: Formula, care: Mask) -> bool | None:
        """Whether all states of ``care`` satisfy a sentence, or its negation, by one proposal after the other; None for others."""
        if self.tag is Tag.PERFECT:
            return None
        self.plays.require_next_states(protocols=False)
        search = Expansion(self)
        try:
            found = [search.holds(formula, int(node)) for node in np.flatnonzero(care)]
        except TooManyProposals:
            return None
        return None if None in found else all(found)

    def guided(self, formula: Formula, care: Mask) -> bool | None:
        """Whether all states of ``care`` satisfy a sentence with one goal, or its negation, by proposals and replies; None for others."""
        if isinstance(formula, logic.Not):
            return self._guided(formula.arg, care, False)
        return self._guided(formula, care, True)

    def _guided(self, sentence: Formula, care: Mask, wanted: bool) -> bool | None:
        shape = self._once_bound(sentence)
        if shape is None or self.tag is Tag.PERFECT:
            return None
        self.plays.require_next_states(protocols=False)
        holds = guided(self.plays, self.decisions, shape, self.tag, self._labels.label, self.tick)
        return None if holds is None else all(holds(int(node)) is wanted for node in np.flatnonzero(care))

    def _once_bound(self, sentence: Formula) -> OneGoal | None:
        """The shape of a sentence with one goal in which every agent is bound once; None for others."""
        if not isinstance(sentence, logic.NAMING):
            return None
        try:
            shape = one_goal(sentence, self.plays.acting)
        except Crossing:
            return None
        return shape if isinstance(shape, OneGoal) and _bindings(sentence) == len(self.plays.acting) else None

    def coalition(self, formula: logic.Coalition) -> Mask:
        """Where a group enforces its aim by tables."""
        found = self.decisions.mask(self._aim(DecisionLabels(self, ()), formula))
        return found if self._labels.worlds is None else found & self._labels.worlds

    def some_equilibrium(self, fact: Formula) -> Mask:
        """Where some equilibrium has a run that satisfies the path formula."""
        if self._readings.equilibria is Tag.PERFECT:
            self.plays.require_next_states(protocols=True)
            self.plays.require_one_outcome()
            return Suspects(self.plays, self._labels).some(fact)
        found, profile = self.profiles(fact)
        for strategy in profile.values():
            found = self.decisions.some(strategy, found)
        return self.decisions.mask(found)

    def profiles(self, fact: Formula) -> tuple[Vector, dict[str, Strategy]]:
        """For which strategies of all agents nobody gains, and the run satisfies the path formula."""
        self.plays.require_next_states(protocols=True)
        self.plays.require_one_outcome()
        decisions, tag = self.decisions, self._readings.equilibria
        acting = self.plays.acting
        profile = {agent: decisions.strategy(("profile", agent), (agent,), tag) for agent in acting}
        found = ~self.some_run(self.edges(profile), fact, self.plain, negated=True)
        for agent, goal in self.plays.system.goals:
            if agent in acting:
                other = decisions.strategy(("deviation", agent), (agent,), tag)
                content = ~self.some_run(self.edges(profile), goal, self.plain, negated=True)
                left = ~self.some_run(self.edges({**profile, agent: other}), goal, self.plain, negated=True)
                found = found & (content | ~decisions.some(other, left))
        return found, profile

    def aim(self, formula: logic.Coalition) -> tuple[Vector, dict[str, tuple[tuple[str, ...], Strategy]]]:
        """For which tables of the members of a group it enforces its aim."""
        found, following = self._tables_for(DecisionLabels(self, ()), formula)
        return found, {name: ((name,), strategy) for name, strategy in following.items()}

    # -- parts ---------------------------------------------------------------------------------------------------------

    def plain(self, formula: Formula) -> Vector:
        """What depends on no strategy."""
        return self.decisions.of_mask(self._labels.label(formula))

    def views(self, agents: tuple[str, ...]) -> Numbers:
        """What agents see together, as numbers."""
        system = self.plays.system
        positions = system.views[agents[0]] if len(agents) == 1 else system.pooled_view(Group(agents))
        return self._structure.views(positions)

    @cached_property
    def whole(self) -> Edges:
        """All steps of the system."""
        return self.edges({})

    def edges(self, following: Mapping[str, Strategy]) -> Edges:
        """The steps that are left."""
        key = tuple(sorted((agent, id(strategy)) for agent, strategy in following.items()))
        if key not in self._edges:
            self._edges[key] = Edges(self.plays, self.decisions, following, self._labels.worlds)
        return self._edges[key]

    def some_run(self, edges: Edges, path: Formula, label: Callable[[Formula], Vector], negated: bool) -> Vector:
        """Where some (fair) run along the edges satisfies a path formula, or violates it where ``negated``."""
        body = split(path, negated=negated)
        runs = Runs(edges, self.decisions, self._labels.constraints, self.tick)
        return runs.some(body.formula, lambda leaf: label(body.leaves[leaf]))

    # -- coalitions ----------------------------------------------------------------------------------------------------

    def enforced(self, labels: DecisionLabels, formula: logic.Coalition) -> Vector:
        """Where a group enforces an aim that depends on strategies from outside."""
        perfect = self._readings.strategies is Strategies.ANY and is_enforced(formula.arg)  # memory makes no difference
        return self._game(labels, formula) if perfect or self.way is Way.HISTORY else self._aim(labels, formula)

    def _aim(self, labels: DecisionLabels, formula: logic.Coalition) -> Vector:
        """By tables of the members."""
        found, following = self._tables_for(labels, formula)
        for strategy in following.values():
            found = self.decisions.some(strategy, found)
        return found

    def _tables_for(self, labels: DecisionLabels, formula: logic.Coalition) -> tuple[Vector, dict[str, Strategy]]:
        self.plays.require_next_states(protocols=True)
        decisions, way = self.decisions, self.way
        tag = Tag.STATES if way is Way.STATE else Tag.VIEWS
        members = [name for name in formula.group.members if name in self.plays.acting]
        following = {name: decisions.strategy(("member", name, tag), (name,), tag) for name in members}
        found = ~self.some_run(self.edges(following), formula.arg, labels.label, negated=True)
        if way is Way.POOLED:
            positions = self.plays.system.pooled_view(formula.group)
            found = labels.alike(self._structure.views(positions), found, self._labels.worlds)
        return found, following

    @property
    def way(self) -> Way:
        """What strategies of a coalition depend on."""
        return self._readings.coalitions

    def _game(self, labels: DecisionLabels, formula: logic.Coalition) -> Vector:
        """With memory, or where it does not matter: by what the members can force step by step."""
        if not is_enforced(formula.arg):
            self.plays.require_next_states(protocols=True)
        decisions = self.decisions
        members = [name for name in formula.group.members if name in self.plays.acting]
        body = split(formula.arg, unsigned)

        def force(target: Vector) -> Vector:
            found = []
            for node in range(self.plays.count):
                value = decisions.algebra.false
                for acts in product(*[self.plays.options(name, node) for name in members]):
                    chosen = dict(zip(members, acts, strict=True))
                    good = decisions.algebra.true
                    for after in self.plays.targets(node, chosen):
                        good = good & target[after]
                    value = value | good
                found.append(value)
            return decisions.vector(found)

        false = decisions.algebra.false
        universe = Universe(
            VECTORS, decisions.true, lambda some: all(one == false for one in some), decisions.same, self.tick
        )
        return enforced(universe, force, body.formula, lambda leaf: labels.label(body.leaves[leaf]))


def _bindings(sentence: Formula) -> int:
    """How many bindings stand in the prefix of a sentence."""
    count = 0
    while isinstance(sentence, logic.NAMING):
        count += isinstance(sentence, logic.Bound)
        sentence = sentence.arg
    return count
