"""Knowledge and correct behaviour over a universe of states.

Two states look the same to an agent when the bits it sees agree, so "some state that looks the same" is quantification over the bits it
does not see.  For the K's of one agent over conditions on few variables the universe is projected once onto those variables and
what the agent sees; each K then works on the small projection.
"""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.encoding.part import variables_of
from epistrat.engines.symbolic.space import StateGraph
from epistrat.logic.formula import Group
from epistrat.solvers.bdd import Bdd, Cube


class Knowledge:
    """K and its kin within a universe."""

    def __init__(self, space: StateGraph, universe: Bdd) -> None:
        self.space = space
        self.universe = universe
        self._hidden: dict[tuple[int, ...], Cube | None] = {}
        self._wanted: dict[tuple[int, ...], int] = {}
        self._projection: dict[tuple[int, ...], tuple[int, Bdd]] = {}

    def expect(self, view: tuple[int, ...], support: int) -> None:
        """Say beforehand that knowledge of a condition with this support will be asked, so that one projection serves all."""
        self._wanted[view] = self._wanted.get(view, 0) | support

    def _bits(self, view: Iterable[int]) -> int:
        mask = 0
        for index in view:
            mask |= self.space.encoding.layout.variables[self.space.system.variables[index].key].support
        return mask

    def _all_bits(self) -> int:
        """The bits of a state; memories are among them, and nobody sees those."""
        return self._bits(range(len(self.space.system.variables))) | self.space.memory_bits

    def hidden(self, view: tuple[int, ...]) -> Cube | None:
        """The bits that somebody with this view does not see."""
        if view not in self._hidden:
            unseen = self._all_bits() & ~self._bits(view)
            self._hidden[view] = self.space.algebra.cube(variables_of(unseen))
        return self._hidden[view]

    def look_alikes(self, view: tuple[int, ...], states: Bdd) -> Bdd:
        """The states of the universe that look like one of ``states``."""
        return self.universe & self.space.algebra.exists(states & self.universe, self.hidden(view))

    def knows(self, view: tuple[int, ...], fact: Bdd, support: int | None = None) -> Bdd:
        """The fact holds in all states of the universe that look the same; ``support`` bounds what it depends on, if known."""
        self.space.work.tick()
        among = self.universe if support is None else self._projected(view, support)
        return ~self.space.algebra.and_exists(among, ~fact, self.hidden(view))

    def _projected(self, view: tuple[int, ...], support: int) -> Bdd:
        """The universe without the bits that neither the view nor the condition mentions."""
        known = self._projection.get(view)
        if known is not None and support & ~known[0] == 0:
            return known[1]
        wanted = support | self._wanted.get(view, 0)
        needed = self._bits(view) | wanted
        cube = self.space.algebra.cube(variables_of(self._all_bits() & ~needed))
        projection = self.space.algebra.exists(self.universe, cube)
        self._projection[view] = wanted, projection
        return projection

    def everybody(self, group: Group, fact: Bdd, support: int | None = None) -> Bdd:
        """Every member knows."""
        result = self.space.algebra.true
        for member in group.members:
            result = result & self.knows(self.space.system.views[member], fact, support)
        return result

    def distributed(self, group: Group, fact: Bdd) -> Bdd:
        """Known to somebody who sees what the members see together."""
        return self.knows(self.space.system.pooled_view(group), fact)

    def common(self, group: Group, fact: Bdd) -> Bdd:
        """The fact holds in all states that chains of look-the-same steps of members lead to."""
        views = list(dict.fromkeys(self.space.system.views[member] for member in group.members))
        doubtful = self.universe & ~fact
        step = self.space.iteration("GCK")
        unchanged = 0
        while unchanged < len(views):
            for view in views:
                self.space.work.tick()
                wider = doubtful | self.look_alikes(view, doubtful)
                unchanged = unchanged + 1 if wider == doubtful else 0
                doubtful = wider
                if unchanged == len(views):
                    break
            step(doubtful)
        return ~doubtful

    def correct(self, green: Bdd, fact: Bdd) -> Bdd:
        """The fact holds in all green states of the universe: everywhere or nowhere."""
        algebra = self.space.algebra
        return algebra.true if algebra.implies(self.universe & green, fact) else algebra.false
