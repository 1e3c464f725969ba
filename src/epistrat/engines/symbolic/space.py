"""The state space of a system: reachable states, predecessors, dead ends, overflows, paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from epistrat.encoding.encode import Encoding, Overflow
from epistrat.encoding.lazily import lazy
from epistrat.encoding.part import Part, variables_of
from epistrat.encoding.protocol import Choices
from epistrat.engines.fixpoints.condition import FormulaConditions
from epistrat.engines.fixpoints.fixpoint import closure
from epistrat.engines.fixpoints.graph import GameGraph
from epistrat.engines.symbolic.reach import Seen, reachable
from epistrat.engines.symbolic.work import Work
from epistrat.logic.formula import Formula
from epistrat.solvers.bdd import Algebra, Bdd

if TYPE_CHECKING:
    from epistrat.encoding.events import Events


class _Reached(Exception):
    """The search found what it was looking for."""


_BETWEEN_COUNTS = 200_000  # work of the search between two counts of what was found


class SymbolicSpace(GameGraph):
    """The states of one system, as values of bits; ``found`` are reachable states that are known already, initial ones among them."""

    def __init__(self, encoding: Encoding, work: Work, search: str = "auto", found: Bdd | None = None) -> None:
        self.encoding = encoding
        self.system = encoding.system
        self.relation = encoding.relation
        self.work = work
        self._search = search
        self.states: int | None = None  # how many can be reached, once that is known
        self.fewest = 0  # how many can be reached at least, counted now and then
        self._next_count = 0
        self._found = found
        self._counted: tuple[Bdd, int] | None = None
        self._seen: dict[tuple[str, ...], int] = {}
        self.relation.tick = work.tick
        work.measure(encoding.algebra)

    # -- what is encoded ---------------------------------------------------------------------------------------------

    @property
    def algebra(self) -> Algebra:
        """Where sets of states live."""
        return self.encoding.algebra

    @lazy
    def state_bits(self) -> int:
        """The mask of the bits that make up a state."""
        return self._bits(range(len(self.system.variables)))

    @property
    def choices(self) -> Mapping[str, Choices]:
        """What each agent may do; in an interleaved system, what it may choose."""
        return self._events.choices if self.system.interleaved else self.encoding.choices

    @lazy
    def _events(self) -> Events:
        from epistrat.encoding.events import Events

        return Events(self.encoding, self.reachable)

    @property
    def single_valued(self) -> bool:
        """Whether nothing but actions is ever chosen; in an interleaved system somebody chooses what happens next."""
        return self.encoding.single_valued and not self.system.interleaved

    @lazy
    def _conditions(self) -> FormulaConditions:
        encoded = self.encoding.conditions
        return FormulaConditions(self.system, self.algebra, encoded.part, encoded.join)

    def condition(self, formula: Formula) -> Part | None:
        """The states in which a formula without modal operators holds, with what that depends on; None for other formulae."""
        return self._conditions.of(formula)

    def sees(self, agents: tuple[str, ...]) -> int:
        """The mask of the bits that the agents see together."""
        if agents not in self._seen:
            self._seen[agents] = self._bits(index for agent in agents for index in self.system.views[agent])
        return self._seen[agents]

    def _bits(self, positions: Iterable[int]) -> int:
        mask = 0
        for index in positions:
            mask |= self.encoding.layout.variables[self.system.variables[index].key].support
        return mask

    def tick(self) -> None:
        """Called between operations; raises if a limit is reached."""
        self.work.tick()

    def iteration(self, what: str) -> Callable[[Bdd], None]:
        """What a fixpoint of this operator calls at each iteration."""

        def step(_: Bdd) -> None:
            self.work.count("iterations of fixpoints")
            self.work.report(
                lambda: {
                    "operator": what,
                    "iteration": self.work.counts["iterations of fixpoints"],
                    "nodes": self.algebra.nodes(),
                }
            )

        return step

    @property
    def self_checks(self) -> bool:
        """Whether short cuts are to be compared with the long way."""
        return self.work.budget.patience.self_checks

    # -- states ------------------------------------------------------------------------------------------------------

    @property
    def initial(self) -> Bdd:
        """The initial states."""
        return self.encoding.initial

    @lazy
    def single_initial(self) -> bool:
        """Whether there is exactly one initial state."""
        return self.encoding.count(self.initial) == 1

    @lazy
    def reachable(self) -> Bdd:
        """All states that can be reached."""
        return self._explore(self._progress)

    def _explore(self, seen: Seen) -> Bdd:
        """The search, taken up where an earlier one was left."""
        with self.work.doing("reachable states"):
            start = self.initial if self._found is None else self._found
            found = reachable(self.relation, start, self._search, seen)
            self.states = self._number_of(found)
            return found

    def reaches(self, goal: Bdd) -> bool:
        """Whether some reachable state is in the goal; the search goes on only until it finds one."""
        known = self.reachable if self.explored else self.initial if self._found is None else self._found
        if known & goal != self.algebra.false:
            return True
        if self.explored:
            return False

        def seen(found: Bdd, new: Bdd) -> None:
            self._progress(found, new)
            if new & goal != self.algebra.false:
                raise _Reached

        try:
            self.__dict__["reachable"] = self._explore(seen)
        except _Reached:
            return True
        return False

    @property
    def explored(self) -> bool:
        """Whether the reachable states are known."""
        return "reachable" in self.__dict__

    def _progress(self, found: Bdd, new: Bdd) -> None:
        self._found = found
        if self.work.budget.meter.work >= self._next_count:
            self.fewest = self._number_of(found)
            self._next_count = self.work.budget.meter.work + _BETWEEN_COUNTS
        self.work.count("steps of the search")
        self.work.report(self.so_far)

    @property
    def seen(self) -> int:
        """How many states the search has found."""
        return 0 if self._found is None else self._number_of(self._found)

    def so_far(self) -> dict[str, int | float | str]:
        """How far the search for reachable states has come."""
        return {
            "iteration": self.work.counts.get("steps of the search", 0),
            "states": self.seen,
            "nodes": self.algebra.nodes(),
        }

    def pre(self, target: Bdd, within: Bdd | None = None) -> Bdd:
        """The states with a step into ``target``, both within a set of reachable states (by default all of them).

        An interleaved dead end steps into itself.
        """
        within = self.reachable if within is None else within
        target = target & within
        into = self.relation.preimage(target)
        if self.system.interleaved and self.dead_ends != self.algebra.false:
            into = into | (target & self.dead_ends)
        return into & within

    def post(self, source: Bdd) -> Bdd:
        """The states that steps from the source lead to; an interleaved dead end steps into itself."""
        following = self.relation.image(source)
        if self.system.interleaved:
            following = following | (source & self.dead_ends)
        return following

    def moves_into(self, target: Bdd, kept: int) -> Bdd:
        """The states, with values of the action bits in the mask ``kept``, from which some step leads into the target."""
        return (
            self._events.moves_into(target, kept) if self.system.interleaved else self.relation.moves_into(target, kept)
        )

    def moves_from(self, choices: Bdd, kept: int) -> Bdd:
        """The states that steps lead to from states with values of the action bits in the mask ``kept``."""
        return (
            self._events.moves_from(choices, kept)
            if self.system.interleaved
            else self.relation.moves_from(choices, kept)
        )

    def arrivals(self, source: Bdd) -> Bdd:
        """The states that choices of some group can lead to from the source: in an interleaved system the group may wait."""
        return self.post(source) | source if self.system.interleaved else self.post(source)

    def closure(self, states: Bdd) -> Bdd:
        """The states that can be reached from some of these.  (That an interleaved dead end steps into itself adds nothing.)"""
        image, count = self.relation.image, self.work.count
        return closure(self.algebra, image, states & self.reachable, lambda: count("iterations of fixpoints"))

    @lazy
    def dead_ends(self) -> Bdd:
        """The reachable states without a step.

        In a synchronous system a state has none only if some agent may do nothing, or if some allowed joint action meets a line without
        a move; so the preimage of all states, which can cost more than the search itself, is needed only where the latter happens.
        """
        if self.system.interleaved or self.blocked:
            return self.reachable & ~self.relation.preimage(self.reachable)
        stuck = self.algebra.false
        for protocol in self.encoding.choices.values():
            stuck = stuck | (self.reachable & ~protocol.able.function)
        assert not self.self_checks or stuck == self.reachable & ~self.relation.preimage(self.reachable)
        return stuck

    @lazy
    def overflowing(self) -> Bdd:
        """The reachable states in which some allowed joint action enables a line that leaves its range."""
        result = self.algebra.false
        for overflow in self.encoding.overflows:
            result = result | self.overflow(overflow)
        return result

    @lazy
    def blocked(self) -> bool:
        """Whether some allowed joint action in some reachable state enables a line that has no move."""
        return not self.is_empty(self.some_choice(self.encoding.blocked))

    def overflow(self, overflow: Overflow) -> Bdd:
        """The reachable states in which this line can leave its range."""
        self.work.tick()
        return self.reachable & self.some_choice(overflow.where)

    def some_choice(self, condition: Part) -> Bdd:
        """The states in which some allowed joint action satisfies a condition on state and actions."""
        result, quantified = condition.function, 0
        for protocol in self.encoding.choices.values():
            if protocol.choice & condition.support:
                result = result & protocol.permits.function
                quantified |= protocol.choice
            else:
                result = result & protocol.able.function
        return self.algebra.exists(result, self.algebra.cube(variables_of(quantified)))

    def is_empty(self, states: Bdd) -> bool:
        """Whether no reachable state is in the set."""
        return states & self.reachable == self.algebra.false

    def count(self, states: Bdd) -> int:
        """How many reachable states are in the set."""
        return self._number_of(states & self.reachable)

    def _number_of(self, states: Bdd) -> int:
        """How many states are in the set; the last answer is kept, for counting millions of nodes takes a second."""
        if self._counted is None or self._counted[0] != states:
            self._counted = states, self.encoding.count(states)
        return self._counted[1]
