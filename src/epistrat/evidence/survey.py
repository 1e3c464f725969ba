"""Visiting all states again, where they are few: what an engine says about all states of a set can then be checked as well.

A survey lists the reachable states with `model.step` and evaluates time, knowledge, correct behaviour and, without fairness, what groups
can enforce with perfect information, by the plainest means.  It is no engine: it gives up where states or joint actions are many, and
at formulae that look back.  How much it does depends on the model alone, never on the clock.
"""

from __future__ import annotations

from functools import cached_property
from math import prod

from epistrat.answers.verdict import Strategies
from epistrat.evidence.labels import Labels, TooMuch
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.tree import Fixpoint, Tree
from epistrat.logic.formula import Formula
from epistrat.logic.histories import about_histories
from epistrat.model.explore import ReachableGraph
from epistrat.model.state import State
from epistrat.model.visited import Visited

MOST_JOINT_ACTIONS = 512
"""Where agents have more choices together than this, and than the states that may be visited, states are not visited."""


class Survey:
    """The reachable states of one system, if they are at most ``most``; who has ``visited`` them already shares that.

    ``too_many`` becomes true when something is asked that cannot be told because there are more states (or joint actions).
    """

    def __init__(
        self, runs: RunChecker, most: int, reading: Strategies = Strategies.ANY, visited: Visited | None = None
    ) -> None:
        self._runs = runs
        self._system = runs.system
        self._visited = visited or Visited(runs.system)
        self._most = most
        self._reading = reading
        self.too_many = False

    @cached_property
    def _graph(self) -> ReachableGraph | None:
        choices = prod(len(agent.actions) or 1 for agent in self._system.agents)
        busy = not self._system.interleaved and choices > max(MOST_JOINT_ACTIONS, self._most)
        return None if busy or self._most <= 0 else self._visited.within(self._most)

    @cached_property
    def _plain(self) -> Labels | None:
        """The truth of formulae without fairness."""
        if self._graph is None:
            return None
        return Labels(self._runs, self._graph, games=self._reading is Strategies.ANY)

    @property
    def labels(self) -> Labels | None:
        """The truth of formulae, over fair paths where there is fairness."""
        self.too_many = self.too_many or (self._most > 0 and self._graph is None)
        return self._over_fair_paths

    @cached_property
    def _over_fair_paths(self) -> Labels | None:
        plain = self._plain
        if plain is None or not self._system.fairness:
            return plain
        try:
            goals = [plain.where(condition) for condition in self._system.fairness]
        except TooMuch:
            return None
        return Labels(self._runs, plain.graph, goals, games=False)

    def value(self, formula: Formula, state: State) -> bool | None:
        """The formula's truth in a reachable state (under fairness: from which a fair path starts); None: cannot tell."""
        return _value(self.labels, formula, state)

    def condition(self, formula: Formula, state: State) -> bool | None:
        """The truth of a fairness condition, which is read without fairness."""
        return _value(self._plain, formula, state)

    def counts(self, state: State) -> bool | None:
        """Whether formulae range over the state: it is reachable, and a fair path starts there; None: cannot tell."""
        labels = self.labels
        return None if labels is None else labels.graph.number.get(state, -1) in labels.everything

    def reachable(self) -> list[State] | None:
        """The states that formulae range over; None: cannot tell."""
        labels = self.labels
        return None if labels is None else [labels.graph.states[number] for number in sorted(labels.everything)]

    def starts(self) -> list[State] | None:
        """The initial states that formulae range over; None: cannot tell."""
        labels = self.labels
        if labels is None:
            return None
        return [labels.graph.states[number] for number in labels.graph.initial if number in labels.everything]

    def look_alikes(self, agents: tuple[str, ...], state: State) -> list[State] | None:
        """The states that the agents together cannot tell from this one; None: cannot tell."""
        labels = self.labels
        if labels is None or state not in labels.graph.number:
            return None
        found = labels.alike(agents, frozenset((labels.graph.number[state],)))
        return [labels.graph.states[number] for number in sorted(found)]

    def fits(self, tree: Tree, reason: Fixpoint) -> bool | None:
        """Whether the set that decides the claim has the size it is said to have; None: cannot tell."""
        labels = self.labels
        if labels is None or tree.state not in labels.graph.number:
            return None
        try:
            sizes = labels.sizes(tree.claim, labels.graph.number[tree.state], reason.kind, reason.rounds)
        except (TooMuch, RecursionError):
            return None
        return reason.size <= max(sizes) if reason.reduced else reason.size in sizes


def _value(labels: Labels | None, formula: Formula, state: State) -> bool | None:
    if labels is None or about_histories(formula):
        return None
    number = labels.graph.number.get(state)
    if number is None or number not in labels.everything:
        return None
    try:
        return number in labels.where(formula)
    except (TooMuch, RecursionError):
        return None
