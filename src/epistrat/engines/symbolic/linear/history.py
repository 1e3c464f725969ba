"""States that remember: a space in which past operators over states and past are conditions on the present.

The value of such an operator is a function of the way to the present, so one memory bit per operator, written at every step, makes it a
set of states.  Quantifiers, time and knowledge are then read over the states with their memories; agents do not see memories.  A
quantifier inside a formula that looks back at how its state was reached thereby means what it should: some run with the same beginning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epistrat.encoding.lazily import lazy
from epistrat.encoding.part import mask_of
from epistrat.engines.symbolic.fixpoint import Stop
from epistrat.engines.symbolic.knowledge import Knowledge
from epistrat.engines.symbolic.label import Labelling, PathLabel
from epistrat.engines.symbolic.linear.body import is_pure_past, path_parts
from epistrat.engines.symbolic.linear.tableau import Memories, SpareBits, Twin, first_memories, values
from epistrat.engines.symbolic.space import Space
from epistrat.logic.formula import Formula, Yesterday, is_state, subformulae
from epistrat.solvers.bdd import Algebra, Bdd


class StepFrame:
    """The steps of a space, forwards too."""

    def __init__(self, space: Space) -> None:
        self._space = space

    @property
    def algebra(self) -> Algebra:
        """Where the sets live."""
        return self._space.algebra

    def pre(self, target: Bdd) -> Bdd:
        """The reachable states with a step into the target."""
        return self._space.pre(target)

    def post(self, source: Bdd) -> Bdd:
        """The states that steps from the source lead to; an interleaved dead end steps into itself."""
        if isinstance(self._space, HistorySpace):
            return self._space.post(source)
        following = self._space.relation.image(source)
        if self._space.system.interleaved:
            following = following | (source & self._space.dead_ends)
        return following


class HistorySpace(Space):
    """A space whose states carry memories of past operators."""

    def __init__(self, below: Space, written: Sequence[tuple[Twin, Bdd]], first: Bdd) -> None:
        super().__init__(below.encoding, below.work)
        self.below = below
        self._frame = StepFrame(below)
        self._memories = Memories(below.algebra, written)
        self._first = first
        self.memory_bits: int = mask_of([twin.now for twin, _ in written])
        if isinstance(below, HistorySpace):
            self.memory_bits |= below.memory_bits

    @property
    def initial(self) -> Bdd:
        """The initial states, with the memories of time 0."""
        return self.below.initial & self._first

    @lazy
    def single_initial(self) -> bool:
        """Whether there is exactly one initial state."""
        return self.below.single_initial

    @lazy
    def reachable(self) -> Bdd:
        """All states with the memories with which they can be reached."""
        with self.work.doing("reachable states with memories"):
            found = new = self.initial
            while new != self.algebra.false:
                new = self.post(new) & ~found
                found = found | new
            return found

    @lazy
    def dead_ends(self) -> Bdd:
        """The reachable states without a step."""
        return self.reachable & self.below.dead_ends

    def pre(self, target: Bdd, within: Bdd | None = None) -> Bdd:
        """The states with a step into the target, both within a set of reachable states (by default all of them)."""
        within = self.reachable if within is None else within
        return self._memories.pre(target & within, self._frame.pre) & within

    def post(self, source: Bdd) -> Bdd:
        """The states that steps from the source lead to."""
        return self._memories.post(source, self._frame.post)

    def count(self, states: Bdd) -> int:
        """How many reachable states, memories apart, are in the set."""
        return self.below.count(self.algebra.exists(states & self.reachable, self._memories.now))


class _ForgetfulKnowledge(Knowledge):
    """Knowledge of agents that do not see the memories."""

    def _all_bits(self) -> int:
        memory = self.space.memory_bits if isinstance(self.space, HistorySpace) else 0
        return super()._all_bits() | memory


class HistoryLabelling(Labelling):
    """Labels over states that remember; ``past`` holds the values of the past operators they remember.

    What does not look back is labelled by the labelling below.
    """

    def __init__(
        self,
        below: Labelling,
        space: HistorySpace,
        past: Mapping[Formula, Bdd],
        fresh: frozenset[Formula],
        paths: PathLabel,
    ) -> None:
        super().__init__(space, below.universe & space.reachable, below.fairness, paths)
        self.knowledge = _ForgetfulKnowledge(space, self.universe)
        self.past = past
        self._below = below
        self._fresh = fresh

    def label(self, formula: Formula) -> Bdd:
        """The states of the universe in which the formula holds."""
        if formula not in self._labels and self._fresh.isdisjoint(subformulae(formula)):
            return self._below.label(formula)
        return super().label(formula)

    def bound(self, formula: Formula, stop: Stop) -> Bdd:
        """As `label`; the outermost fixpoint may end early."""
        if self._fresh.isdisjoint(subformulae(formula)):
            return self._below.bound(formula, stop)
        return super().bound(formula, stop)


def remembering(labelling: Labelling, formula: Formula, spare: SpareBits, paths: PathLabel) -> Labelling:
    """A labelling for the formula: the given one, or one over states that remember what the formula asks of the past."""
    waiting = [part for part in subformulae(formula) if is_pure_past(part)]
    while waiting:
        pending = frozenset(waiting)
        ready = [part for part in waiting if pending.isdisjoint(_inside_leaves(part))]
        labelling = _extend(labelling, ready, spare, paths)
        waiting = [part for part in waiting if part not in set(ready)]
    return labelling


def _inside_leaves(part: Formula) -> frozenset[Formula]:
    """Everything within the state formulae that the past operator looks at."""
    return frozenset(subformulae(*(inner for inner in path_parts(part) if is_state(inner))))


def _extend(labelling: Labelling, parts: Sequence[Formula], spare: SpareBits, paths: PathLabel) -> HistoryLabelling:
    """One more layer of memories, for past operators whose leaves the labelling knows."""
    algebra = labelling.algebra
    known = dict(labelling.past) if isinstance(labelling, HistoryLabelling) else {}
    bits = {part: spare.lend() for part in parts}
    inner = list(dict.fromkeys(inner for part in parts for inner in path_parts(part)))

    def leaf(part: Formula) -> Bdd | None:
        return labelling.label(part) if is_state(part) else known.get(part)

    found = values(algebra, inner, leaf, {part: algebra.var[twin.now] for part, twin in bits.items()})
    written = [(bits[part], found[part.arg if isinstance(part, Yesterday) else part]) for part in parts]
    space = HistorySpace(labelling.space, written, first_memories(algebra, bits))
    past = {**known, **{part: found[part] for part in parts}}
    return HistoryLabelling(labelling, space, past, frozenset(parts), paths)
