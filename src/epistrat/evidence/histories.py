"""Knowledge that counts or remembers, and announcements, by the plainest means: on all histories of a small system.

`epistrat.evidence.unfolded` makes a graph of worlds.  On it such knowledge is about nodes, as knowledge by observation is about states:
of the same level for the clock, that looked the same all the time for recall.  After an announcement fewer histories are possible; time
goes on from those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from epistrat.evidence.labels import Labels, States, TooMuch
from epistrat.evidence.points import point_claim
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.survey import Survey
from epistrat.evidence.trace import Lasso
from epistrat.evidence.tree import Tree
from epistrat.evidence.unfolded import Sketch, Unfolded, Views
from epistrat.logic import formula as logic
from epistrat.logic.announced import in_front
from epistrat.logic.formula import Formula, Group, Reading, is_state, operands, subformulae
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.model.visited import Visited
from epistrat.records import dataclass


class Histories:
    """The histories of one system, where its states are few; ``tick`` is called now and then, and raises if a limit is reached."""

    def __init__(
        self, system: System, most: int, visited: Visited | None = None, tick: Callable[[], object] = lambda: None
    ) -> None:
        self._runs = RunChecker(system)
        self._survey = Survey(self._runs, most, visited=visited)
        self._tick = tick
        self._labels: dict[Formula, HistoryLabels | None] = {}
        self._good: dict[Formula, States] = {}

    def holds(self, formula: Formula) -> bool | None:
        """Whether the formula is true at the start; None: that cannot be told here."""
        base = self._survey.labels
        if base is None:
            return None
        asked = in_front(point_claim(formula))
        if asked is None:
            return None
        try:
            return self._true_at_the_start(base, asked)
        except (TooMuch, RecursionError):
            return None

    def value(self, formula: Formula, history: Sequence[State]) -> bool | None:
        """Whether a state formula is true of a history, before anything is announced; None: that cannot be told here."""
        found = self._walked(formula, history)
        return None if found is None or found[1] is None else found[1] in self._good[formula]

    def in_all_rounds(self, tree: Tree, lasso: Lasso, position: int, past: Sequence[State]) -> bool | None:
        """Whether a claim about a position of the repeated part is true in every round; ``past`` comes to the lasso's beginning."""
        length = len(lasso.states)
        found = self._walked(tree.claim, [*past[:-1], *lasso.states[: position + 1]])
        if found is None or found[1] is None:
            return None
        labels, node = found
        good, seen = self._good[tree.claim], set[int]()
        while node is not None and node not in seen:
            seen.add(node)
            if (node in good) is not tree.holds:
                return False
            for place in [*range(position + 1, length), *range(lasso.loop, position + 1)]:
                node = None if node is None else labels.unfolded.step(node, lasso.states[place])
        return None if node is None else True

    def _walked(self, formula: Formula, history: Sequence[State]) -> tuple[HistoryLabels, int | None] | None:
        """The worlds of one formula, and the one to which a history leads."""
        if formula not in self._labels:
            self._labels[formula] = self._evaluated(formula)
        labels = self._labels[formula]
        if labels is None:
            return None
        states = labels.graph.states
        node = next((one for one in labels.graph.initial if states[one] == history[0]), None)
        for state in history[1:]:
            node = None if node is None else labels.unfolded.step(node, state)
        return labels, node

    def _evaluated(self, formula: Formula) -> HistoryLabels | None:
        """The worlds for one formula, of which it is known where it is true; None: that cannot be told."""
        base = self._survey.labels
        if base is None:
            return None
        asked = in_front(formula)
        if asked is None:
            return None
        try:
            labels = self._from_the_start(base, asked)
            self._good[formula] = labels.where(asked)
        except (TooMuch, RecursionError):
            return None
        return labels

    def _true_at_the_start(self, base: Labels, formula: Formula) -> bool:
        labels = self._from_the_start(base, formula)
        return labels.where(formula).issuperset(labels.graph.initial)

    def _from_the_start(self, base: Labels, formula: Formula) -> HistoryLabels:
        observers = _observers(self._runs.system, formula)
        first: list[Sketch] = []
        for number in base.graph.initial:
            if number in base.everything:
                state = base.graph.states[number]
                first.append((number, tuple([tuple([state[position] for position in views]) for views in observers])))
        return HistoryLabels(_Given(self._runs, base, observers, self._tick), first)


def _observers(system: System, formula: Formula) -> tuple[Views, ...]:
    """What those see who are asked what they remember."""
    found: dict[Views, None] = {}
    for part in subformulae(formula):
        if isinstance(part, logic.Remembers) and part.reading is Reading.RECALL:
            found.update(dict.fromkeys(_views(system, part)))
    return tuple(found)


def _views(system: System, claim: logic.Remembers) -> list[Views]:
    if claim.word == "DK":
        return [system.pooled_view(claim.group)]
    return [system.pooled_view(Group((member,))) for member in claim.group.members]


@dataclass(frozen=True, slots=True)
class _Given:
    """What all graphs of one formula share."""

    runs: RunChecker
    base: Labels
    observers: tuple[Views, ...]
    tick: Callable[[], object]

    def unfolded(self, first: Sequence[Sketch]) -> Unfolded:
        """The graph of the worlds that begin like this."""
        return Unfolded(self.base, self.observers, first, self.tick)

    def fair(self, unfolded: Unfolded) -> list[States]:
        """The sets of worlds that a fair path visits again and again."""
        number, states = self.base.graph.number, unfolded.graph.states
        return [frozenset(n for n, state in enumerate(states) if number[state] in goal) for goal in self.base.fair]


class HistoryLabels(Labels):
    """Where formulae hold on a graph of worlds; or, with ``outside``, where only some are ``possible`` after what was just announced."""

    def __init__(
        self,
        given: _Given,
        first: Sequence[Sketch] = (),
        outside: HistoryLabels | None = None,
        possible: States = frozenset(),
    ) -> None:
        unfolded: Unfolded = given.unfolded(first) if outside is None else outside.unfolded
        games = not given.base.fair and not given.runs.system.interleaved
        super().__init__(given.runs, unfolded.graph, given.fair(unfolded), games)
        self.unfolded: Unfolded = unfolded
        self._given = given
        self._outside = outside
        self._possible = self.everything if outside is None else possible

    def _compute(self, formula: Formula) -> States:
        outside = self._outside
        match formula:
            case logic.Announced(said, arg):
                true = self.where(said) & self._possible
                return (self.everything - true) | (true & self._after(true).where(arg))
            case logic.Remembers():
                return self._remembered(formula)
            case logic.Knows() | logic.Everybody() | logic.Distributed() | logic.Common() | logic.Correct() if (
                outside is not None
            ):
                return self._observed(formula)
            case logic.ForAll() | logic.Exists() | logic.Coalition() if outside is not None:
                return self._from_here(formula) if _tells(formula) else outside.where(formula)
        return super()._compute(formula)

    def _after(self, possible: States) -> HistoryLabels:
        """The same graph; of all histories, of any length, these are possible."""
        return HistoryLabels(self._given, outside=self._outside or self, possible=possible)

    def _from_here(self, formula: Formula) -> States:
        """Time goes on after an announcement: a graph for each level, which begins with the worlds that are left."""
        found: set[int] = set()
        for place in sorted({self.unfolded.place[node] for node in self._possible}):
            here = frozenset(node for node in self._possible if self.unfolded.place[node] == place)
            later = HistoryLabels(self._given, self.unfolded.sketches(here))
            true = later.where(formula)
            found.update(node for node, start in zip(sorted(here), later.unfolded.start, strict=True) if start in true)
        return frozenset(found)

    def _remembered(self, claim: logic.Remembers) -> States:
        if claim.reading is Reading.CHANGES:
            raise TooMuch
        arg = claim.arg if is_state(claim.arg) else logic.ForAll(claim.arg, star=True)
        doubtful = self._possible - self.where(arg)
        system = self._system
        links = [self._links(views, claim.reading) for views in _views(system, claim)]
        if claim.word != "GCK":
            return self.everything - self._linked_by(links, doubtful)
        while (wider := doubtful | self._linked_by(links, doubtful)) != doubtful:
            doubtful = wider
        return self.everything - doubtful

    def _linked_by(self, links: Sequence[Sequence[object]], doubtful: States) -> States:
        """The nodes that look like one of these to some observer."""
        found: set[int] = set()
        for link in links:
            names = {link[node] for node in doubtful}
            found.update(node for node in self._possible if link[node] in names)
        return frozenset(found)

    def _links(self, views: Views, reading: Reading) -> list[object]:
        """For each node a name of those that the observer cannot tell from it."""
        place, states = self.unfolded.place, self.graph.states
        if reading is Reading.CLOCK:
            return [(place[node], tuple([state[one] for one in views])) for node, state in enumerate(states)]
        observer = self._given.observers.index(views)
        return [alike[observer] for alike in self.unfolded.alike]

    def _observed(self, claim: logic.Knowing) -> States:
        """Knowledge by observation of what is possible after an announcement."""
        arg = claim.arg if is_state(claim.arg) else logic.ForAll(claim.arg, star=True)
        doubtful = self._possible - self.where(arg)
        groups: list[tuple[str, ...]]
        match claim:
            case logic.Correct(agent):
                green = self.where(logic.Colour(agent, green=True))
                return self.everything if not (doubtful & green) else frozenset()
            case logic.Knows(agent):
                groups = [(agent,)]
            case logic.Distributed(group):
                groups = [group.members]
            case logic.Everybody(group) | logic.Common(group):
                groups = [(member,) for member in group.members]
        while True:
            near = frozenset[int]().union(*[self.alike(agents, doubtful) & self._possible for agents in groups])
            if not isinstance(claim, logic.Common) or near <= doubtful:
                return self.everything - (near | (doubtful if isinstance(claim, logic.Common) else near))
            doubtful |= near


def _tells(formula: Formula) -> bool:
    return any(
        isinstance(part, (*logic.KNOWING, logic.Remembers, logic.Announced)) for part in subformulae(*operands(formula))
    )
