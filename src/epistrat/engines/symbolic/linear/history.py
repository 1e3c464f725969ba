"""States that remember: a space in which past operators over states and past are conditions on the present.

The value of such an operator is a function of the way to the present, so one memory bit per operator, written at every step, makes it a
set of states.  Quantifiers, time and knowledge are then read over the states with their memories; agents do not see memories.  A
quantifier inside a formula that looks back at how its state was reached thereby means what it should: some run with the same beginning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epistrat.encoding.lazily import lazy
from epistrat.encoding.part import mask_of
from epistrat.engines.fixpoints.fixpoint import closure
from epistrat.engines.fixpoints.graph import StateGraph
from epistrat.engines.fixpoints.label import Labelling, PathLabels
from epistrat.engines.symbolic.linear.tableau import SpareBits, Twin, first_memories, memories, values
from epistrat.logic.body import is_pure_past, path_parts
from epistrat.logic.formula import Formula, Yesterday, is_state, subformulae
from epistrat.solvers.bdd import Bdd


class HistorySpace:
    """States that carry memories of past operators, over a graph whose states may carry some already; nobody sees memories."""

    def __init__(self, below: StateGraph, written: Sequence[tuple[Twin, Bdd]], first: Bdd) -> None:
        self._below = below
        self._memories = memories(below.algebra, written)
        self.algebra, self.self_checks = below.algebra, below.self_checks
        self.sees, self.condition = below.sees, below.condition
        self.tick, self.iteration = below.tick, below.iteration
        self.state_bits = below.state_bits | mask_of([twin.now for twin, _ in written])
        self.initial = below.initial & first

    @lazy
    def reachable(self) -> Bdd:
        """All states with the memories with which they can be reached."""
        return closure(self.algebra, self.post, self.initial, self.tick)

    def pre(self, target: Bdd, within: Bdd | None = None) -> Bdd:
        """The states with a step into the target, both within a set of reachable states (by default all of them)."""
        within = self.reachable if within is None else within
        return self._memories.arrive(target & within, self._below.pre) & within

    def post(self, source: Bdd) -> Bdd:
        """The states that steps from the source lead to."""
        return self._below.post(self._memories.cross(source))


class HistoryLabelling(Labelling):
    """Labels over states that remember; ``past`` holds the values of the past operators they remember.

    What does not look back is labelled by the labelling below: coalitions among it, whose operands never look back
    (`epistrat.logic.body.refuses`).
    """

    def __init__(
        self,
        below: Labelling,
        space: HistorySpace,
        past: Mapping[Formula, Bdd],
        fresh: frozenset[Formula],
        paths: PathLabels,
    ) -> None:
        super().__init__(space, below.universe & space.reachable, below.fairness, paths)
        self.past = past
        self._below = below
        self._fresh = fresh

    def at_once(self, formula: Formula) -> Bdd | None:
        """What does not look back, from below."""
        return self._below.label(formula) if self._fresh.isdisjoint(subformulae(formula)) else super().at_once(formula)


def remembering(labelling: Labelling, formula: Formula, spare: SpareBits, paths: PathLabels) -> Labelling:
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


def _extend(labelling: Labelling, parts: Sequence[Formula], spare: SpareBits, paths: PathLabels) -> HistoryLabelling:
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
