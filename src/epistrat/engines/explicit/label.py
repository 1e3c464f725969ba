"""Where formulae hold: one set of nodes per state formula, innermost first.

CTL's quantifiers (``star=False``) are read by preimages and their duals, so a dead end satisfies ``AX f`` and ``AF f``, and ``EG f``
fails there.  Those of LTL and CTL* (``star=True``) range over infinite paths; where the path formula has CTL's shape after all, the same
fixpoints serve, restricted to nodes from which an infinite path starts, and only the rest goes through automata.

With fairness every quantifier ranges over fair paths and knowledge over the states from which one starts (the *worlds*).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

import numpy as np

from epistrat.engines.contract import Strategies
from epistrat.engines.explicit.games import Games, games_of
from epistrat.engines.explicit.knowledge import common_views, knows
from epistrat.engines.explicit.layout import Mask, Numbers
from epistrat.engines.explicit.linear import exists_run, points
from epistrat.engines.explicit.quotient import Kinds, kinds_of, read_by, static_parts
from epistrat.engines.explicit.scheduling import ScheduledGames
from epistrat.engines.explicit.structure import Explored, Structure
from epistrat.engines.explicit.uniform import UniformGames
from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import Formula, Group, is_state, operands
from epistrat.logic.fragment import past_at_path_level
from epistrat.logic.rewrite import negation, opposite
from epistrat.model.system import Scheduling
from epistrat.terms import FALSE

_MANY_STEPS = 1 << 20  # of which each group has a table of its own


class Labels:
    """The sets of nodes of one structure in which formulae hold, each computed once."""

    def __init__(
        self, structure: Structure, fairness: tuple[Formula, ...] = (), strategies: Strategies = Strategies.ANY
    ) -> None:
        self.structure = structure
        self.strategies = strategies
        self._games: dict[Group, Games] = {}
        self._searches: dict[Group, UniformGames | ScheduledGames] = {}
        self.fairness = fairness
        self._known: dict[Formula, Mask] = {}
        self._kinds: dict[frozenset[int], Kinds | None] = {}

    def know(self, formula: Formula, where: Mask) -> None:
        """Take a formula's set as given."""
        self._known[formula] = where

    def holds(self, formula: Formula) -> Mask:
        """The nodes in which a state formula holds.  Do not change the result.

        A quantifier that looks back, asked about directly, is read as if time began at the node.
        """
        found = self._known.get(formula)
        if found is None:
            self._consider_kinds(formula)
            for part in self._unknown(formula):  # innermost first, so that deep formulae need no deep recursion
                if is_state(part) and (part == formula or not _looks_back(part)):
                    self.structure.budget.check()
                    self._known[part] = self._compute(part)
            found = self._known[formula]
        return found

    def _unknown(self, formula: Formula) -> list[Formula]:
        """The subformulae whose sets are not known, except for those inside of known ones; operands first."""
        order: dict[Formula, None] = {}
        stack = [(formula, False)]
        while stack:
            part, ready = stack.pop()
            if ready:
                order[part] = None
            elif part not in self._known and part not in order:
                stack.append((part, True))
                stack.extend((operand, False) for operand in reversed(operands(part)))
        return list(order)

    def _consider_kinds(self, formula: Formula) -> None:
        """Find the sets of subformulae with knowledge and without steps by kinds of states, where that is possible and pays."""
        if not isinstance(self.structure, Explored) or self.fairness:
            return
        for part in static_parts(formula):
            if part not in self._known and (kinds := self._kinds_for(part)) is not None:
                self._known[part] = Labels(kinds).holds(part)[kinds.kinds]

    def _kinds_for(self, formula: Formula) -> Kinds | None:
        assert isinstance(self.structure, Explored)
        positions = read_by(self.structure.system, formula)
        for known, kinds in self._kinds.items():
            if known == set(positions) or (kinds is not None and known.issuperset(positions)):
                return kinds
        found = self._kinds[frozenset(positions)] = kinds_of(self.structure, positions)
        return found

    @contextmanager
    def tentatively(self, kept: frozenset[Formula]) -> Iterator[None]:
        """Sets that are computed in this block are not kept, except for those of some formulae."""
        before = kept.union(self._known)
        try:
            yield
        finally:
            for formula in [formula for formula in self._known if formula not in before]:
                del self._known[formula]

    @property
    def bytes(self) -> int:
        """How much memory the sets take."""
        kinds = sum(kinds.kinds.nbytes for kinds in self._kinds.values() if kinds is not None)
        return kinds + sum(where.nbytes for where in self._known.values())

    @property
    def everything(self) -> Mask:
        """All nodes."""
        return np.ones(self.structure.count, dtype=np.bool_)

    @cached_property
    def constraints(self) -> list[Mask]:
        """Where each fairness constraint holds, itself read without fairness."""
        plain = Labels(self.structure)
        plain._known.update(self._facts())
        return [plain.holds(constraint) for constraint in self.fairness]

    def _facts(self) -> dict[Formula, Mask]:
        return {formula: where for formula, where in self._known.items() if isinstance(formula, logic.Prop)}

    @cached_property
    def worlds(self) -> Mask | None:
        """Nodes from which a fair path starts; None stands for all nodes, where there is no fairness."""
        if not self.fairness:
            return None
        return self.structure.graph.fair_always(self.everything, self.constraints)

    @cached_property
    def endless(self) -> Mask:
        """Nodes from which an infinite (fair) path starts."""
        if self.worlds is not None:
            return self.worlds
        if not self.structure.dead_ends:
            return self.everything
        return self.structure.graph.always(self.everything)

    def _compute(self, formula: Formula) -> Mask:
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
            case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
                return connect(formula, [self.holds(operand) for operand in operands(formula)], MASKS)
            case logic.ForAll() | logic.Exists():
                return self._quantified(formula)
            case logic.Coalition():
                return self.enforced(formula, self.everything)
            case _:
                return self._epistemic(formula)

    def _inside(self, where: Mask) -> Mask:
        """The part of a set that lies in the worlds."""
        return where if self.worlds is None else where & self.worlds

    def _quantified(self, formula: logic.Exists | logic.ForAll) -> Mask:
        if isinstance(formula, logic.Exists):
            return self._exists(formula.arg, formula.star)
        return ~self._exists(negation(formula.arg), formula.star)

    def _exists(self, path: Formula, star: bool) -> Mask:
        """Nodes from which some path satisfies a path formula."""
        match path:
            case logic.Not(arg) if not is_state(arg):
                dual = opposite(arg)
                if dual != path:
                    return self._exists(dual, star)
            case logic.Or(args) if star:
                return _any([self._exists(arg, star) for arg in args])
            case logic.And(args) if star and any(is_state(arg) for arg in args):
                return self._exists_both(args)
        if star and is_state(path):
            return self.holds(path) & self.endless
        if all(is_state(operand) for operand in operands(path)) and not isinstance(
            path, logic.Not | logic.And | logic.Or
        ):
            found = self._shape(path, star)
            if found is not None:
                return found
        assert star, path
        return self._by_automaton(path)

    def _exists_both(self, args: tuple[Formula, ...]) -> Mask:
        """What is said about the first state alone can be asked separately."""
        here = [self.holds(arg) for arg in args if is_state(arg)]
        rest = [arg for arg in args if not is_state(arg)]
        path = logic.Truth(True) if not rest else rest[0] if len(rest) == 1 else logic.And(tuple(rest))
        return _all([*here, self._exists(path, star=True)])

    def _shape(self, path: Formula, star: bool) -> Mask | None:
        """The fixpoint of one operator over state formulae; None for other operators."""
        graph = self.structure.graph
        match path:
            case logic.Next(arg):
                return graph.before(self._arrival(arg, star))
            case logic.Finally(arg):
                return graph.until(self._inside(self.everything), self._arrival(arg, star))
            case logic.Globally(arg):
                return self._for_ever(self.holds(arg))
            case logic.Until(left, right):
                return graph.until(self._inside(self.holds(left)), self._arrival(right, star))
            case logic.WeakUntil(left, right):
                reach = graph.until(self._inside(self.holds(left)), self._arrival(right, star))
                return reach | self._for_ever(self.holds(left))
            case logic.Release(left, right):
                both = self.holds(left) & self.holds(right)
                goal = both & self.endless if star else self._inside(both)
                return graph.until(self._inside(self.holds(right)), goal) | self._for_ever(self.holds(right))
            case _:
                return None

    def _arrival(self, goal: Formula, star: bool) -> Mask:
        """Where a path may arrive at its goal: with ``star`` only where it can go on for ever."""
        where = self.holds(goal)
        return where & self.endless if star else self._inside(where)

    def _for_ever(self, where: Mask) -> Mask:
        constraints = self.constraints if self.fairness else []
        return self.structure.graph.fair_always(self._inside(where), constraints)

    def _by_automaton(self, path: Formula) -> Mask:
        constraints = self.constraints if self.fairness else []
        return exists_run(self.structure, path, self.holds, constraints)

    def enforced(self, formula: logic.Coalition, care: Mask) -> Mask:
        """The nodes of ``care`` in which a coalition formula holds."""
        structure, arg = self.structure, formula.arg
        assert isinstance(structure, Explored), "strategies are read on states, not on histories"
        parts = [self.holds(operand) for operand in operands(arg)]
        if self.strategies is Strategies.ANY:
            return self.games(formula.group).enforce(arg, parts) & care
        search = self.search(formula.group)
        if self.strategies is Strategies.OBJECTIVE:
            return search.objective(arg, parts, care)
        views = structure.views(structure.system.pooled_view(formula.group)).astype(np.int64)
        worlds = self.everything if self.worlds is None else self.worlds
        result: Mask = np.zeros(structure.count, dtype=np.bool_)
        for number in np.unique(views[care]).tolist():  # one strategy has to succeed from all worlds that look the same
            alike = views == number
            if search.strategy(arg, parts, alike & worlds) is not None:
                result |= alike
        return result & care

    def games(self, group: Group) -> Games:
        """What a group can choose, seeing everything; where there are many steps, only that of the last group asked about is kept."""
        assert isinstance(self.structure, Explored)
        if group not in self._games:
            if len(self.structure.steps.targets) > _MANY_STEPS:
                self._games.clear()
            self._games[group] = games_of(self.structure, group, self.constraints if self.fairness else [])
        return self._games[group]

    def search(self, group: Group) -> UniformGames | ScheduledGames:
        """The search for uniform strategies of a group."""
        assert isinstance(self.structure, Explored)
        if group not in self._searches:
            constraints = self.constraints if self.fairness else []
            fair = self.structure.system.scheduling is Scheduling.FAIR
            self._searches[group] = (ScheduledGames if fair else UniformGames)(self.structure, group, constraints)
        return self._searches[group]

    def _epistemic(self, formula: Formula) -> Mask:
        assert isinstance(formula, logic.Knows | logic.Everybody | logic.Distributed | logic.Common | logic.Correct), (
            formula
        )
        fact = self._known_fact(formula.arg if is_state(formula.arg) else logic.ForAll(formula.arg, star=True))
        if isinstance(formula, logic.Correct):
            green = self.holds(logic.Colour(formula.agent, True))
            return np.full(self.structure.count, not self._inside(green & ~fact).any())
        if isinstance(formula, logic.Knows):
            return knows(self._view(formula.agent), fact, self.worlds)
        if isinstance(formula, logic.Everybody | logic.Common) and not formula.group.members:
            # Nobody need know anything; and no chain leads away from a state, in which the fact holds or not.
            return np.ones_like(fact) if isinstance(formula, logic.Everybody) else fact
        if isinstance(formula, logic.Everybody):
            members = formula.group.members
            return _all([knows(self._view(member), fact, self.worlds) for member in members])
        if isinstance(formula, logic.Distributed):
            views = self.structure.views(self.structure.system.pooled_view(formula.group))
        else:
            seen = [self._view(member) for member in formula.group.members]
            common = knows(common_views(seen, self.worlds), fact, self.worlds)
            # At states that are no worlds, too: everybody knows it of the worlds.
            return common if self.worlds is None else _all([knows(views, common, self.worlds) for views in seen])
        return knows(views, fact, self.worlds)

    def _known_fact(self, fact: Formula) -> Mask:
        """Where what is said to be known holds; if it looks back through the future, on all runs that come by from time 0."""
        if isinstance(fact, logic.ForAll) and _looks_back(fact):
            constraints = self.constraints if self.fairness else []
            return ~points(self.structure, negation(fact.arg), self.holds, constraints)
        return self.holds(fact)

    def _view(self, agent: str) -> Numbers:
        return self.structure.views(self.structure.system.views[agent])


def _looks_back(formula: Formula) -> bool:
    """Whether this is a quantifier whose truth depends on more than the node."""
    return isinstance(formula, logic.ForAll | logic.Exists) and past_at_path_level(formula.arg)


def _all(parts: Sequence[Mask]) -> Mask:
    result: Mask = np.logical_and.reduce(parts)
    return result


def _any(parts: Sequence[Mask]) -> Mask:
    result: Mask = np.logical_or.reduce(parts)
    return result


MASKS: Booleans[Mask] = Booleans(np.logical_not, _all, _any, np.logical_xor)
"""Connectives of sets of nodes."""
