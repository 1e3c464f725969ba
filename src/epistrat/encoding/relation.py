"""A transition relation in factors, with image and preimage.

A relation is a union of *branches*.  A branch is a conjunction of factors over current bits, next bits and private bits (actions), and
moves some variables; all others stay as they are and are neither quantified nor renamed in it.  A synchronous system has one
branch, or one per value of an action that nearly everything depends on; an interleaved system has one per action.

Nothing here knows agents or lines, so an abstraction can use it for relations of its own making.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.encoding.branch import Branch
from epistrat.encoding.part import Part, Tick, mask_of, no_tick, variables_of
from epistrat.encoding.schedule import Plan, clusters, plan, total_size
from epistrat.encoding.split import Splitter, choose_splitter, split
from epistrat.records import dataclass, field
from epistrat.solvers.bdd import Algebra, Bdd, Renaming
from epistrat.solvers.patience import PATIENT, Patience

_MANY_CLUSTERS = 4  # a relation of so many clusters is split though it grows (docs/symbolic.md)
_TOO_LARGE_TO_SPLIT = 100_000  # nodes
_SIMPLER = 4  # a split into single clusters may have so many times the nodes (caches 20: 0.4 s, with 1 1.6 s)


@dataclass(slots=True)
class _Compiled:
    """A branch with its clusters and schedules."""

    branch: Branch
    clusters: list[Part]
    forwards: Plan
    backwards: Plan
    to_next: Renaming | None
    to_current: Renaming | None
    games: dict[int, Plan] = field(default_factory=dict)
    departures: dict[int, Plan] = field(default_factory=dict)


class Relation:
    """A transition relation over an algebra.

    ``private`` is the mask of all action bits.  ``tick`` is called between operations; it may raise to end the computation.  A branch is
    split by the value of one of the ``splitters`` where that has fewer nodes.
    """

    def __init__(
        self,
        algebra: Algebra,
        branches: Sequence[Branch],
        private: int,
        plain: bool = False,
        tick: Tick = no_tick,
        splitters: Sequence[Splitter] = (),
        patience: Patience = PATIENT,
    ) -> None:
        self.algebra = algebra
        self.private = private
        self.tick = tick
        self._patience = patience
        self._plain = plain
        self.given = tuple(branches)
        self._branches = [compiled for branch in branches for compiled in self._arrange(branch, splitters)]

    def _arrange(self, branch: Branch, splitters: Sequence[Splitter]) -> list[_Compiled]:
        """The branch as it is, or split: where that has fewer nodes, or where it turns many clusters into one each.

        Between clusters the intermediate results are kept, and those can be much larger than what goes in and comes out.
        """
        whole = self._compile(branch)
        splitter = choose_splitter(branch, splitters, self._patience.split_factors)
        before = total_size(self.algebra, whole.clusters)
        if splitter is None or self._plain or before > _TOO_LARGE_TO_SPLIT:
            return [whole]
        pieces = [self._compile(piece) for piece in split(self.algebra, branch, splitter)]
        nodes = sum(total_size(self.algebra, piece.clusters) for piece in pieces)
        simple = len(whole.clusters) >= _MANY_CLUSTERS and all(len(piece.clusters) == 1 for piece in pieces)
        if not self._patience.split_factors:
            return pieces
        return pieces if nodes < (_SIMPLER * before if simple else before) else [whole]

    def _compile(self, branch: Branch) -> _Compiled:
        algebra = self.algebra
        current = mask_of([old for old, _ in branch.pairs])
        following = mask_of([new for _, new in branch.pairs])
        if self._plain:
            joined = list(branch.parts)
            forwards = _at_the_end(algebra, joined, current | self.private)
            backwards = _at_the_end(algebra, joined, following | self.private)
        else:
            joined = clusters(algebra, branch.parts, self.private, current, self._patience.cluster_nodes, self.tick)
            forwards = plan(algebra, joined, current | self.private)
            backwards = plan(algebra, joined, following | self.private)
        to_next = algebra.renaming(branch.pairs)
        to_current = algebra.renaming([(new, old) for old, new in branch.pairs])
        return _Compiled(branch, joined, forwards, backwards, to_next, to_current)

    @property
    def branches(self) -> int:
        """The number of branches."""
        return len(self._branches)

    def size(self) -> int:
        """The nodes of all clusters."""
        return sum(total_size(self.algebra, compiled.clusters) for compiled in self._branches)

    def clusters(self) -> int:
        """The number of clusters."""
        return sum(len(compiled.clusters) for compiled in self._branches)

    def image(self, states: Bdd) -> Bdd:
        """The states that some step leads to from ``states``."""
        result = self.algebra.false
        for index in range(len(self._branches)):
            result = result | self.branch_image(states, index)
        return result

    def branch_image(self, states: Bdd, index: int) -> Bdd:
        """The states that a step of one branch leads to."""
        compiled = self._branches[index]
        return self.algebra.rename(self._run(states, compiled.forwards), compiled.to_current)

    def branch_preimage(self, states: Bdd, index: int) -> Bdd:
        """The states from which a step of one branch leads into ``states``."""
        compiled = self._branches[index]
        return self._run(self.algebra.rename(states, compiled.to_next), compiled.backwards)

    def preimage(self, states: Bdd) -> Bdd:
        """The states from which some step leads into ``states``."""
        result = self.algebra.false
        for index in range(len(self._branches)):
            result = result | self.branch_preimage(states, index)
        return result

    def moves_into(self, states: Bdd, kept: int) -> Bdd:
        """The states and values of the private bits ``kept`` for which some step leads into ``states``.

        All other private bits are quantified on the way: they are the choices of those who want to get there.
        """
        result = self.algebra.false
        for compiled in self._branches:
            schedule = compiled.games.get(kept)
            if schedule is None:
                schedule = compiled.games[kept] = self._game_plan(compiled.branch, kept)
            into = self._run(self.algebra.rename(states, compiled.to_next), schedule)
            when = compiled.branch.when
            if when is not None and when.support & kept:
                others = self.algebra.cube(variables_of(when.support & ~kept))
                into = into & self.algebra.exists(when.function, others)
            result = result | into
        return result

    def moves_between(self, source: Bdd, target: Bdd) -> Bdd:
        """Values of the private bits, with the bits of both states, for which a step leads from one state to another.

        Where all other bits have a value, a conjunction of factors stays small: no clusters are needed.
        """
        for compiled in self._branches:
            branch = compiled.branch
            found = source & self.algebra.rename(target, compiled.to_next)
            for part in (*branch.parts, *([branch.when] if branch.when is not None else [])):
                if found == self.algebra.false:
                    break
                found = found & part.function
            self.tick()
            if found != self.algebra.false:
                return found
        return self.algebra.false

    def moves_from(self, choices: Bdd, kept: int) -> Bdd:
        """The states that steps lead to from states with values of the private bits ``kept``, both given by ``choices``."""
        result = self.algebra.false
        for compiled in self._branches:
            schedule = compiled.departures.get(kept)
            if schedule is None:
                schedule = compiled.departures[kept] = self._departure_plan(compiled.branch, kept)
            when = compiled.branch.when
            source = choices if when is None else choices & when.function
            result = result | self.algebra.rename(self._run(source, schedule), compiled.to_current)
        return result

    def _departure_plan(self, branch: Branch, kept: int) -> Plan:
        current = mask_of([old for old, _ in branch.pairs])
        if self._plain:
            return _at_the_end(self.algebra, branch.parts, current | self.private)
        joined = clusters(self.algebra, branch.parts, self.private & ~kept, current, self._patience.cluster_nodes)
        return plan(self.algebra, joined, current | self.private)

    def _game_plan(self, branch: Branch, kept: int) -> Plan:
        following = mask_of([new for _, new in branch.pairs])
        others = self.private & ~kept
        if self._plain:
            return _at_the_end(self.algebra, branch.parts, following | others)
        joined = clusters(
            self.algebra, branch.parts, others, mask_of([old for old, _ in branch.pairs]), self._patience.cluster_nodes
        )
        return plan(self.algebra, joined, following | others)

    def _run(self, states: Bdd, schedule: Plan) -> Bdd:
        algebra = self.algebra
        result = algebra.exists(states, schedule.first)
        for cluster, cube in zip(schedule.clusters, schedule.cubes, strict=True):
            self.tick()
            result = algebra.and_exists(result, cluster, cube)
        return result


def _at_the_end(algebra: Algebra, parts: Sequence[Part], quantified: int) -> Plan:
    """Conjoin everything, then quantify everything."""
    functions = [part.function for part in parts]
    return Plan((*functions, algebra.true), None, (*[None] * len(functions), algebra.cube(variables_of(quantified))))
