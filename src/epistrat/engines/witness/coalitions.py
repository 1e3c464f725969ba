"""Evidence about what groups can enforce: strategies, and what the others answer to every choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from epistrat import evidence as e
from epistrat.encoding.lazily import lazy
from epistrat.engines.witness.space import S
from epistrat.evidence import Tree
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.state import State
from epistrat.model.system import Blocking, Scheduling

if TYPE_CHECKING:
    from epistrat.engines.witness.games import Games
    from epistrat.engines.witness.tree import TreeBuilder

FEWEST_TRIALS, MOST_TRIALS, TRIED_STATES = 10, 500, 1_000_000
"""How many strategies are tried to find one that serves all initial states: so many, or so many states in all."""
MOST_VISITED = 2_000
"""States that outcomes of a uniform strategy may visit where they are claimed about."""


class Enforcement(Generic[S]):
    """The builder's reasons for claims about groups."""

    def __init__(self, site: TreeBuilder[S], strategy_states: int) -> None:
        self._site = site
        self._space = site.space
        self._strategy_states = strategy_states
        self._serving: dict[Formula, tuple[S, e.Reason | None]] = {}

    @lazy
    def _games(self) -> Games[S]:
        from epistrat.engines.witness.games import Games

        return Games(self._space, self._strategy_states)

    def reason(self, state: State, claim: logic.Coalition, holds: bool, first: bool) -> e.Reason:
        """The strategy that succeeds, or the others' answers to every choice."""
        starts, found = self._uniform(state, claim, holds, first)
        if not isinstance(claim.arg, (logic.Next, logic.Finally, logic.Globally, logic.Until)):
            return found or self._site.word(claim, holds)
        from epistrat.engines.witness.forced import hold_and_goal
        from epistrat.engines.witness.games import visited

        hold, goal = hold_and_goal(claim.arg)
        if isinstance(found, e.Enforced):
            return self._visiting(starts, claim, found, hold, goal)
        if self._leaves_worlds():
            return found or self._site.word(claim, holds)
        lost = None
        if found is not None:  # whoever fails with perfect information fails with less
            lost = None if holds else self._games.lost(claim)
            if lost is None or not self._space.has(lost, state):
                return found
        if holds:
            strategy, states = self._games.strategy(
                claim, self._all_starts(state) if first and claim == self._site.asked else [state]
            )
            return e.Enforced(strategy, self._claims(states, hold, goal))
        answers = self._games.answers(claim, state, lost)
        return e.Answered(answers, self._claims([state, *visited(answers)], hold, goal))

    def _leaves_worlds(self) -> bool:
        """Whether plays may lead where formulae do not range, or end: in an interleaved system a group that waits may make a run fair."""
        system = self._space.system
        return system.interleaved and (
            bool(self._space.fairness) or system.blocking is Blocking.IGNORE or system.scheduling is Scheduling.FAIR
        )

    def _uniform(self, state: State, claim: logic.Coalition, holds: bool, first: bool) -> tuple[S, e.Reason | None]:
        """The states from which one strategy succeeds (fails), and the reason.

        At the start one that serves all initial states is looked for first: a strategy for one of them alone is easily taken for it.
        """
        space = self._space
        if first and holds and space.size(space.initial) > 1:
            if claim not in self._serving:
                self._serving[claim] = self._for_all(claim)
            starts, found = self._serving[claim]
            if isinstance(found, e.Enforced):
                return starts, found
        starts = space.starts(claim, space.only(state))
        return starts, space.uniform(claim, starts, holds)

    def _for_all(self, claim: logic.Coalition) -> tuple[S, e.Reason | None]:
        """All initial states and one strategy for them, if there is one."""
        space = self._space
        starts = space.starts(claim, space.initial)
        true = space.is_empty(space.minus(space.initial, space.satisfying(claim)))
        trials = max(FEWEST_TRIALS, min(MOST_TRIALS, TRIED_STATES // max(space.size(space.worlds), 1)))
        return starts, space.uniform(claim, starts, True, trials) if true else None

    def _visiting(self, starts: S, claim: logic.Coalition, found: e.Enforced, hold: Formula, goal: Formula) -> e.Reason:
        """The uniform strategy with claims about what its outcomes visit, where these do not show what the goal asks."""
        if all(map(self._site.conditions.decides, (hold, goal))):
            return found
        visited = self._games.outcomes_of(found.strategy, self._space.some(starts, MOST_VISITED), MOST_VISITED)
        if visited is None:
            return self._site.word(claim, holds=True)
        return e.Enforced(found.strategy, self._claims(visited, hold, goal))

    def _all_starts(self, state: State) -> list[State]:
        """The state and the other initial states, as many as a table may list: one strategy serves them all."""
        rest = self._space.minus(self._space.initial, self._space.only(state))
        return [state, *self._space.some(rest, self._strategy_states - 1)]

    def _claims(self, states: list[State], hold: Formula, goal: Formula) -> tuple[Tree, ...]:
        """The truth of the goal's parts where the states do not show it."""
        parts = [part for part in dict.fromkeys((hold, goal)) if not self._site.conditions.decides(part)]
        worlds = [state for state in states if parts and self._space.has(self._space.worlds, state)]
        known = dict.fromkeys(worlds)
        return tuple(self._site.tree(state, part, self._site.true(state, part)) for state in known for part in parts)
