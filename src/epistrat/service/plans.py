"""From the evidence for single initial states to strategies, each with the initial states from which it works.

Read objectively or subjectively, a formula may need another strategy in each initial state.  Strategies that agree wherever both say
something are one strategy: each outcome of either is an outcome of both together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from epistrat.answers import Verdict
from epistrat.answers.explanation import Policy
from epistrat.evidence import Enforced, Restricted, StateStrategy, Strategy, Tree, UniformStrategy, walk
from epistrat.explain.policy import merged, policies
from epistrat.model.state import Act, State, View
from epistrat.model.system import System
from epistrat.records import dataclass

MOST_STARTS = 20
"""For more initial states no strategies of their own are listed."""


Served = tuple[Strategy, tuple[State, ...]]
"""A strategy and the initial states it is for."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A strategy with its rules, and the initial states it is for; none named: it serves them all.

    ``restricted`` is the model restricted to the strategy; where it cannot be written, ``entangled`` says why.  ``verified`` is the answer
    there, ``only_because`` the trivial reason for it, if it has one.
    """

    strategy: Strategy
    policies: tuple[Policy, ...]
    starts: tuple[State, ...] = ()
    restricted: System | None = None
    entangled: str | None = None
    verified: Verdict | None = None
    only_because: str | None = None

    @property
    def complete(self) -> bool:
        """Whether the table covers every state that can occur."""
        return not isinstance(self.strategy, StateStrategy) or self.strategy.complete


def strategy_of(tree: Tree) -> Strategy | None:
    """The first strategy that a tree shows."""
    for part in walk(tree):
        for reason in part.because:
            if isinstance(reason, (Enforced, Restricted)):
                return reason.strategy
    return None


def plans(system: System, trees: Sequence[Tree], *, separate: bool) -> Iterator[Plan]:
    """The strategies that the trees show, as few as possible.

    ``separate``: each tree speaks of its own initial state only.
    """
    found = [(strategy, tree.state) for tree in trees if (strategy := strategy_of(tree)) is not None]
    if not separate:
        yield from (Plan(strategy, policies(system, strategy)) for strategy, _ in found[:1])
        return
    each: list[Served] = [(strategy, (start,)) for strategy, start in found]
    few = merged(each, _together)
    covered = len(found) == len(trees) <= MOST_STARTS and len(few) == 1
    for strategy, starts in few:
        yield Plan(strategy, policies(system, strategy), () if covered else starts)


def _together(one: Served, other: Served) -> Served | None:
    both = _both(one[0], other[0])
    return None if both is None else (both, one[1] + other[1])


def _both(one: Strategy, other: Strategy) -> Strategy | None:
    """The strategy that does what either says; None where they differ, or are not tables of what members see."""
    if not (isinstance(one, UniformStrategy) and isinstance(other, UniformStrategy)):
        return None
    tables: dict[str, dict[View, Act]] = {}
    for name, moves in (*one.moves, *other.moves):
        table = tables.setdefault(name, {})
        for seen, action in moves:
            if table.setdefault(seen, action) != action:
                return None
    return UniformStrategy(one.group, tuple((name, tuple(table.items())) for name, table in tables.items()))
