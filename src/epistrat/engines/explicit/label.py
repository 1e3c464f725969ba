"""Labels on explored states: one bit per node, by frontier searches along the edges.

CTL's quantifiers (``star=False``) are read by preimages and their duals, so a dead end satisfies ``AX f`` and ``AF f``, and ``EG f``
fails there.  Those of LTL and CTL* (``star=True``) range over infinite paths: arriving counts where an infinite path starts only.

With fairness every quantifier ranges over fair paths and knowledge over the states from which one starts (the *worlds*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cached_property
from typing import TypeAlias

import numpy as np

from epistrat.engines.contract import Strategies
from epistrat.engines.explicit.games import Games, games_of
from epistrat.engines.explicit.knowledge import common_views, knows
from epistrat.engines.explicit.layout import Mask, Numbers
from epistrat.engines.explicit.linear import exists_run, points
from epistrat.engines.explicit.quotient import Kinds, kinds_of, read_by, static_parts
from epistrat.engines.explicit.remembering import remembering
from epistrat.engines.explicit.scheduling import ScheduledGames
from epistrat.engines.explicit.structure import Explored, Structure
from epistrat.engines.explicit.tables.tables import Tables
from epistrat.engines.explicit.uniform import UniformGames
from epistrat.engines.fixpoints.assignment import NOTHING, Assignment
from epistrat.engines.fixpoints.evaluator import Asked, Evaluator
from epistrat.engines.fixpoints.path_laws import PathLaws
from epistrat.engines.readings import Way
from epistrat.logic import formula as logic
from epistrat.logic.body import split
from epistrat.logic.connect import Booleans
from epistrat.logic.formula import Formula, Group, operands
from epistrat.logic.fragment import is_enforced, past_at_path_level
from epistrat.logic.rewrite import negation
from epistrat.model.system import Scheduling
from epistrat.terms import FALSE

_MANY_STEPS = 1 << 20  # of which each group has a table of its own


Arrival: TypeAlias = Mask | None
"""Where a path may come to its goal; None for everywhere."""


class MaskLabels(Evaluator[Mask, Arrival]):
    """The sets of nodes of one structure in which formulae hold."""

    def __init__(
        self,
        structure: Structure,
        fairness: tuple[Formula, ...] = (),
        strategies: Strategies = Strategies.ANY,
        given: Assignment = NOTHING,
        labels: dict[Asked, Mask] | None = None,
    ) -> None:
        super().__init__(MASKS, given, labels)
        self.structure = structure
        self.strategies = strategies
        self.fairness = fairness
        self.tables: Tables | None = None
        self._games: dict[Group, Games] = {}
        self._searches: dict[Group, UniformGames | ScheduledGames] = {}
        self._kinds: dict[frozenset[int], Kinds | None] = {}

    def prepare(self, formula: Formula) -> None:
        """Find the sets of subformulae with knowledge and without steps by kinds of states, where that is possible and pays."""
        if not isinstance(self.structure, Explored) or self.fairness or self.given:
            return
        for part in static_parts(formula):
            if self.known(part) is None and (kinds := self._kinds_for(part)) is not None:
                self.know(part, MaskLabels(kinds).label(part)[kinds.kinds])

    def _kinds_for(self, formula: Formula) -> Kinds | None:
        assert isinstance(self.structure, Explored)
        positions = read_by(self.structure.system, formula)
        for known, kinds in self._kinds.items():
            if known == set(positions) or (kinds is not None and known.issuperset(positions)):
                return kinds
        found = self._kinds[frozenset(positions)] = kinds_of(self.structure, positions)
        return found

    def tick(self) -> None:
        """Raises if a limit is reached."""
        self.structure.budget.check()

    def separate(self, formula: Formula) -> bool:
        """Not a quantifier that looks back: asked about directly, it is read as if time began at the node."""
        return not _looks_back(formula)

    @contextmanager
    def tentatively(self, kept: frozenset[Formula]) -> Iterator[None]:
        """Sets that are computed in this block are not kept, except for those of some formulae."""
        before = set(self.labels)
        try:
            yield
        finally:
            for asked in [asked for asked in self.labels if asked not in before and asked[0] not in kept]:
                del self.labels[asked]

    @property
    def bytes(self) -> int:
        """How much memory the sets take."""
        kinds = sum(kinds.kinds.nbytes for kinds in self._kinds.values() if kinds is not None)
        return kinds + sum(where.nbytes for where in self.labels.values())

    # -- worlds ----------------------------------------------------------------------------------------------------------

    @cached_property
    def everything(self) -> Mask:
        """All nodes."""
        return np.ones(self.structure.count, dtype=np.bool_)

    @cached_property
    def nothing(self) -> Mask:
        """No node."""
        return np.zeros(self.structure.count, dtype=np.bool_)

    @cached_property
    def constraints(self) -> list[Mask]:
        """Where each fairness constraint holds, itself read without fairness; empty where there is no fairness."""
        facts = {asked: where for asked, where in self.labels.items() if isinstance(asked[0], logic.Prop)}
        plain = MaskLabels(self.structure, labels=facts)
        return [plain.label(constraint) for constraint in self.fairness]

    @cached_property
    def worlds(self) -> Mask | None:
        """Nodes from which a fair path starts; None stands for all nodes, where there is no fairness."""
        if not self.fairness:
            return None
        return self.structure.graph.fair_always(self.everything, self.constraints)

    @cached_property
    def endless(self) -> Mask:
        """Nodes from which an infinite (fair) path starts."""
        if self.fairness or not self.structure.dead_ends:
            return self._inside(self.everything)
        return self.structure.graph.always(self._inside(self.everything))

    def _inside(self, where: Mask) -> Mask:
        """The part of a set that lies in the worlds."""
        return where if self.worlds is None else where & self.worlds

    def within(self, worlds: Mask, given: Assignment) -> MaskLabels:
        """Labels over those of the worlds."""
        left = MaskLabels(self.structure, self.fairness, self.strategies, given, self.labels)
        left.worlds = self._inside(worlds)
        left.tables = self.tables
        return left

    # -- time and strategies -----------------------------------------------------------------------------------------------

    def atom(self, formula: Formula) -> Mask:
        """Where a condition of the model holds."""
        match formula:
            case logic.Truth(value):
                return np.full(self.structure.count, value)
            case logic.Colour(agent, green):
                owner = self.structure.system.agent.get(agent)
                red = owner.red if owner is not None else None
                where = self.structure.holds(FALSE if red is None else red)
                return ~where if green else where
            case logic.Prop(name):
                return self.structure.holds(self.structure.system.propositions[name])
            case logic.Test(condition):
                return self.structure.holds(condition)
            case _:
                raise TypeError(f"no atom: {formula}")

    def player(self, formula: logic.ForAll | logic.Exists | logic.Coalition) -> Arrival:
        """Where its paths may arrive: anywhere in the worlds, or where they can go on for ever."""
        assert not isinstance(formula, logic.Coalition)
        return self.endless if formula.star and self.structure.dead_ends else self.worlds

    def next(self, player: Arrival, goal: Mask) -> Mask:
        """EX."""
        return self.structure.graph.before(_both(goal, player))

    def until(self, player: Arrival, stay: Mask, goal: Mask, stop: Callable[[Mask], bool]) -> Mask:
        """E U."""
        return self.structure.graph.until(self._inside(stay), _both(goal, player))

    def unless(self, player: Arrival, stay: Mask, goal: Mask, stop: Callable[[Mask], bool]) -> Mask:
        """E W and EG."""
        for_ever = self.structure.graph.fair_always(self._inside(stay), self.constraints)
        return for_ever if goal is self.nothing else self.until(player, stay, goal, stop) | for_ever

    def along(self, formula: logic.ForAll | logic.Exists) -> Mask:
        """By laws of CTL*, or the product with an automaton."""
        universal = isinstance(formula, logic.ForAll)
        body = split(formula.arg, negated=universal)
        leaves = {leaf: self.label(part) for leaf, part in body.leaves.items()}

        def of_leaf(atom: Formula) -> Mask:
            assert isinstance(atom, logic.Prop)
            return leaves[atom]

        def by_automaton(path: Formula) -> Mask:
            return exists_run(self.structure, path, of_leaf, self.constraints)

        found = PathLaws(self, leaves, by_automaton).exists(body.formula)
        return ~found if universal else found

    def sentence(self, formula: Formula, care: Mask) -> Mask:
        """Where a sentence with names holds; only states of ``care`` are asked about."""
        return self._tables.sentence(formula, care)

    def guard(self) -> AbstractContextManager[None]:
        """Inside, running out of nodes for strategies is `OutOfNodes`."""
        return nullcontext() if self.tables is None else self.tables.decisions.algebra.guard()

    def at_once(self, formula: Formula) -> Mask | None:
        """Strategies with names, and equilibria."""
        match formula:
            case logic.SomeStrategy() | logic.EveryStrategy() | logic.Bound():
                return self.sentence(formula, self.everything)
            case logic.SomeEquilibrium(arg):
                return self._tables.some_equilibrium(arg)
            case logic.EveryEquilibrium(arg):
                return ~self._tables.some_equilibrium(negation(arg))
            case _:
                return None

    @property
    def _tables(self) -> Tables:
        assert self.tables is not None, "nobody said how strategies are read"
        return self.tables

    def coalition(self, formula: logic.Coalition, stop: Callable[[Mask], bool]) -> Mask:
        """What the group enforces, as strategies are read."""
        return self.enforced(formula, self.everything)

    def enforced(self, formula: logic.Coalition, care: Mask) -> Mask:
        """The nodes of ``care`` in which a coalition formula holds."""
        structure, arg = self.structure, formula.arg
        if not is_enforced(arg):
            reading = None if self.tables is None else self.tables.way
            return (remembering(self, formula) if reading is Way.HISTORY else self._tables.coalition(formula)) & care
        parts = [self.label(operand) for operand in operands(arg)]
        if self.strategies is Strategies.ANY:
            return self.games(formula.group).enforce(arg, parts) & care
        search = self.search(formula.group)
        if self.strategies is Strategies.OBJECTIVE:
            return search.objective(arg, parts, care)
        views = self._views(formula.group.members).astype(np.int64)
        result: Mask = np.zeros(structure.count, dtype=np.bool_)
        for number in np.unique(views[care]).tolist():  # one strategy has to succeed from all worlds that look the same
            alike = views == number
            if search.strategy(arg, parts, self._inside(alike)) is not None:
                result |= alike
        return result & care

    def games(self, group: Group) -> Games:
        """What a group can choose, seeing everything; where there are many steps, only that of the last group asked about is kept."""
        assert isinstance(self.structure, Explored)
        if group not in self._games:
            if len(self.structure.steps.targets) > _MANY_STEPS:
                self._games.clear()
            self._games[group] = games_of(self.structure, group, self.constraints)
        return self._games[group]

    def search(self, group: Group) -> UniformGames | ScheduledGames:
        """The search for uniform strategies of a group."""
        assert isinstance(self.structure, Explored)
        if group not in self._searches:
            fair = self.structure.system.scheduling is Scheduling.FAIR
            self._searches[group] = (ScheduledGames if fair else UniformGames)(self.structure, group, self.constraints)
        return self._searches[group]

    # -- knowledge -------------------------------------------------------------------------------------------------------

    def fact(self, arg: Formula) -> Mask:
        """Where what is said to be known holds; if it looks back through the future, on all runs that come by from time 0."""
        return self.throughout(arg.arg) if isinstance(arg, logic.ForAll) and _looks_back(arg) else super().fact(arg)

    def throughout(self, arg: Formula) -> Mask:
        """Where no run that comes by violates a path formula."""
        if past_at_path_level(arg):
            return ~points(self.structure, negation(arg), self.label, self.constraints)
        return self.label(logic.ForAll(arg, star=True))

    def knows(self, agents: tuple[str, ...], fact: Mask, about: Formula) -> Mask:
        """By the numbers of what they see."""
        return knows(self._views(agents), fact, self.worlds)

    def common(self, group: Group, fact: Mask) -> Mask:
        """Common knowledge, at states that are no worlds too: everybody knows it of the worlds."""
        if not group.members:
            return fact  # no chain leads away from a state
        seen = [self._views((member,)) for member in group.members]
        common = knows(common_views(seen, self.worlds), fact, self.worlds)
        return common if self.worlds is None else _all([knows(views, common, self.worlds) for views in seen])

    def correct(self, green: Mask, fact: Mask) -> Mask:
        """Everywhere or nowhere."""
        return np.full(self.structure.count, not self._inside(green & ~fact).any())

    def _views(self, agents: tuple[str, ...]) -> Numbers:
        system = self.structure.system
        return self.structure.views(system.views[agents[0]] if len(agents) == 1 else system.pooled_view(Group(agents)))


def _looks_back(formula: Formula) -> bool:
    """Whether this is a quantifier whose truth depends on more than the node."""
    return isinstance(formula, logic.ForAll | logic.Exists) and past_at_path_level(formula.arg)


def _both(where: Mask, player: Arrival) -> Mask:
    return where if player is None else where & player


def _all(parts: Sequence[Mask]) -> Mask:
    result: Mask = np.logical_and.reduce(parts)
    return result


def _any(parts: Sequence[Mask]) -> Mask:
    result: Mask = np.logical_or.reduce(parts)
    return result


MASKS: Booleans[Mask] = Booleans(np.logical_not, _all, _any, np.logical_xor)
"""Connectives of sets of nodes."""
