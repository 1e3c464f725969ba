"""Knowledge and correct behaviour over a universe of states.

Two states look the same to an agent when the bits it sees agree, so "some state that looks the same" is quantification over the bits it
does not see.  For the K's of one agent over conditions on few variables the universe is projected once onto those variables and
what the agent sees; each K then works on the small projection.
"""

from __future__ import annotations

from epistrat.encoding.part import variables_of
from epistrat.engines.fixpoints.graph import StateGraph
from epistrat.logic.formula import Group
from epistrat.solvers.bdd import Bdd, Cube


class Knowledge:
    """Knowledge operators over a universe of states; with ``wider``, what is known at states outside it is asked as well."""

    def __init__(self, space: StateGraph, universe: Bdd, wider: bool = False) -> None:
        self.wider = wider
        self.space = space
        self.universe = universe
        self._hidden: dict[int, Cube | None] = {}
        self._wanted: dict[int, int] = {}
        self._projection: dict[int, tuple[int, Bdd]] = {}

    def expect(self, agent: str, support: int) -> None:
        """Say beforehand that knowledge of a condition with this support will be asked, so that one projection serves all."""
        seen = self.space.sees((agent,))
        self._wanted[seen] = self._wanted.get(seen, 0) | support

    def hidden(self, agents: tuple[str, ...]) -> Cube | None:
        """The bits of a state that the agents do not see together."""
        return self._unseen(self.space.sees(agents))

    def _unseen(self, seen: int) -> Cube | None:
        if seen not in self._hidden:
            self._hidden[seen] = self.space.algebra.cube(variables_of(self.space.state_bits & ~seen))
        return self._hidden[seen]

    def look_alikes(self, agents: tuple[str, ...], states: Bdd) -> Bdd:
        """The states of the universe that look to the agents together like one of ``states``."""
        return self.universe & self.space.algebra.exists(states & self.universe, self.hidden(agents))

    def knows(self, agents: tuple[str, ...], fact: Bdd, support: int | None = None) -> Bdd:
        """The fact holds in all states of the universe that look the same to the agents together; ``support`` bounds what it depends on."""
        self.space.tick()
        seen = self.space.sees(agents)
        unsure = self.space.algebra.and_exists
        if support is None:
            return ~unsure(self.universe, ~fact, self._unseen(seen))
        known = ~unsure(self._projected(seen, support), ~fact, self._unseen(seen))
        assert not self.space.self_checks or known == ~unsure(self.universe, ~fact, self._unseen(seen))
        return known

    def _projected(self, seen: int, support: int) -> Bdd:
        """The universe without the bits that are neither seen nor mentioned by the condition.

        A projection that was made for other conditions serves this one only if it kept all the bits that this one depends on.
        """
        known = self._projection.get(seen)
        if known is not None and support & ~known[0] == 0:
            return known[1]
        wanted = support | self._wanted.get(seen, 0)
        cube = self.space.algebra.cube(variables_of(self.space.state_bits & ~(seen | wanted)))
        projection = self.space.algebra.exists(self.universe, cube)
        self._projection[seen] = wanted, projection
        return projection

    def everybody(self, group: Group, fact: Bdd, support: int | None = None) -> Bdd:
        """Every member knows."""
        result = self.space.algebra.true
        for member in group.members:
            result = result & self.knows((member,), fact, support)
        return result

    def common(self, group: Group, fact: Bdd) -> Bdd:
        """The fact holds in all states that chains of look-the-same steps of members lead to."""
        observers = {self.space.sees((member,)): (member,) for member in group.members}.values()
        doubtful = self.universe & ~fact
        step = self.space.iteration("GCK")
        unchanged = 0
        while unchanged < len(observers):
            for observer in observers:
                self.space.tick()
                wider = doubtful | self.look_alikes(observer, doubtful)
                unchanged = unchanged + 1 if wider == doubtful else 0
                doubtful = wider
                if unchanged == len(observers):
                    break
            step(doubtful)
        if self.wider and group.members:  # at states outside, too: everybody knows it of the states inside
            return self.everybody(group, ~doubtful)
        return ~doubtful

    def correct(self, green: Bdd, fact: Bdd) -> Bdd:
        """The fact holds in all green states of the universe: everywhere or nowhere."""
        algebra = self.space.algebra
        return algebra.true if algebra.implies(self.universe & green, fact) else algebra.false
