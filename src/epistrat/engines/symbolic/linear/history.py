"""States that remember: a space in which past operators over states and past are conditions on the present.

The value of such an operator is a function of the way to the present, so one memory bit per operator, written at every step, makes it a
set of states.  Quantifiers, time and knowledge are then read over the states with their memories; agents do not see memories.  A
quantifier inside a formula that looks back at how its state was reached thereby means what it should: some run with the same beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from epistrat.encoding.lazily import lazy
from epistrat.encoding.part import Part, mask_of
from epistrat.engines.fixpoints.fixpoint import Stop
from epistrat.engines.fixpoints.graph import StateGraph
from epistrat.engines.fixpoints.label import Labelling, PathLabel
from epistrat.engines.symbolic.linear.body import is_pure_past, path_parts
from epistrat.engines.symbolic.linear.tableau import Memories, SpareBits, Twin, first_memories, values
from epistrat.logic.formula import Formula, Yesterday, is_state, subformulae
from epistrat.solvers.bdd import Algebra, Bdd


class HistorySpace(StateGraph):
    """States that carry memories of past operators, over a graph whose states may carry some already."""

    def __init__(self, below: StateGraph, written: Sequence[tuple[Twin, Bdd]], first: Bdd) -> None:
        self._below = below
        self._memories = Memories(below.algebra, written)
        self._first = first
        self._state_bits = below.state_bits | mask_of([twin.now for twin, _ in written])

    @property
    def algebra(self) -> Algebra:
        """Where sets of states live."""
        return self._below.algebra

    @property
    def state_bits(self) -> int:
        """The bits of the graph below and of the memories."""
        return self._state_bits

    def sees(self, agents: tuple[str, ...]) -> int:
        """As below: nobody sees memories."""
        return self._below.sees(agents)

    def condition(self, formula: Formula) -> Part | None:
        """As below."""
        return self._below.condition(formula)

    def tick(self) -> None:
        """As below."""
        self._below.tick()

    @property
    def self_checks(self) -> bool:
        """As below."""
        return self._below.self_checks

    def iteration(self, what: str) -> Callable[[Bdd], None]:
        """As below."""
        return self._below.iteration(what)

    @property
    def initial(self) -> Bdd:
        """The initial states, with the memories of time 0."""
        return self._below.initial & self._first

    @lazy
    def reachable(self) -> Bdd:
        """All states with the memories with which they can be reached."""
        found = new = self.initial
        while new != self.algebra.false:
            self.tick()
            new = self.post(new) & ~found
            found = found | new
        return found

    def pre(self, target: Bdd, within: Bdd | None = None) -> Bdd:
        """The states with a step into the target, both within a set of reachable states (by default all of them)."""
        within = self.reachable if within is None else within
        return self._memories.pre(target & within, self._below.pre) & within

    def post(self, source: Bdd) -> Bdd:
        """The states that steps from the source lead to."""
        return self._memories.post(source, self._below.post)


class HistoryLabelling(Labelling):
    """Labels over states that remember; ``past`` holds the values of the past operators they remember.

    What does not look back is labelled by the labelling below: coalitions among it, whose operands never look back
    (`epistrat.engines.symbolic.linear.body.refuses`).
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
