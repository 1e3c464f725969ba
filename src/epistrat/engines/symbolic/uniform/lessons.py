"""What trials teach: clauses about decisions, shared by all strategies and all starting points.

A *decision* says which action an agent takes in a situation.  A *visit* says that a play can come to a node.  Refutations become
implications between them:

- a step: a visit to a node, and the decisions in its state, lead to a visit to the next node;
- a lost node is not visited;
- a cycle: a visit to its first node excludes the decisions on it, taken together.

They hold for every strategy, so nothing learnt is ever forgotten.  When no decisions are left, no strategy wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from epistrat.engines.symbolic.uniform.arena import Arena, Plays, Situation
from epistrat.engines.symbolic.uniform.trial import Node, Phase, Refutation
from epistrat.engines.symbolic.work import Work
from epistrat.model.state import Act, State
from epistrat.solvers.bdd import Bdd
from epistrat.solvers.sat import Sat

TRIED, LEARNT = "strategies tried", "lessons learnt"
SITUATIONS, IN_PLAY = "situations with a choice", "situations that came into play"


def begin(work: Work) -> None:
    """A new question: nothing was tried for it yet."""
    for what in (TRIED, LEARNT, IN_PLAY, SITUATIONS):
        work.counts.pop(what, None)


def note_trial(work: Work, lessons: Lessons) -> None:
    """Note and report that one more strategy is being tried."""
    work.count(TRIED)
    work.counts[LEARNT] = lessons.clauses
    work.counts[IN_PLAY] = lessons.situations
    work.report(lambda: {what: work.counts.get(what, 0) for what in (TRIED, LEARNT, IN_PLAY, SITUATIONS)})


def how_far(counts: Mapping[str, int]) -> str:
    """How much of the space of strategies was searched, in words; nothing if no strategy was tried."""
    if TRIED not in counts:
        return ""
    return (
        f"{counts[TRIED]} uniform strategies were tried and {counts[LEARNT]} lessons learnt; "
        f"{counts[IN_PLAY]} of {counts[SITUATIONS]} situations with a choice have come into play"
    )


class Lessons:
    """Clauses over the decisions of a group."""

    def __init__(self, arena: Arena, plays: Plays) -> None:
        self._arena = arena
        self._plays = plays
        self._sat = Sat(arena.space.work.tick)
        self._decision: dict[Situation, dict[Act, int]] = {}
        self._visit: dict[Node, int] = {}
        self._known: set[tuple[int, ...]] = set()

    @property
    def clauses(self) -> int:
        """How many lessons were learnt."""
        return len(self._known)

    @property
    def situations(self) -> int:
        """In how many situations a decision is known to matter."""
        return len(self._decision)

    def literals(self, state: State) -> list[Situation]:
        """The situations of the players in a state, each known to the solver afterwards."""
        found = self._arena.situations(state)
        for situation in found:
            if situation not in self._decision:
                self._introduce(situation, self._arena.allowed(situation, state))
        return found

    def _introduce(self, situation: Situation, actions: Sequence[Act]) -> None:
        """Exactly one of the actions is taken."""
        preferred = self._plays.preferred(situation)
        known = {action: self._sat.variable(action == preferred) for action in actions}
        self._decision[situation] = known
        numbers = list(known.values())
        self._sat.add(numbers)
        for index, one in enumerate(numbers):
            for other in numbers[:index]:
                self._sat.add((-one, -other))

    def visit(self, node: Node) -> int:
        """The literal of a visit."""
        found = self._visit.get(node)
        if found is None:
            found = self._visit[node] = self._sat.variable()
        return found

    def start(self) -> int:
        """A literal for a set of starting points, which are added as they are needed."""
        return self._sat.variable()

    def begins(self, start: int, node: Node) -> None:
        """A play of this start begins in the node."""
        self._learn([-start, self.visit(node)])

    def learn(self, refutation: Refutation, taken: dict[Situation, Act]) -> None:
        """The refutation of a strategy; ``taken`` are the decisions it was tried with, completed by what the default does."""
        nodes, loop = refutation.nodes, refutation.loop
        last = len(nodes) - 1
        for index, node in enumerate(nodes[: last if loop is None else loop]):
            following = nodes[index + 1]
            turns = node.phase is Phase.WAITING and following.phase is Phase.VIOLATED  # in the same state: not a step
            because = [] if turns else self._against(node.state, taken)
            self._learn([-self.visit(node), *because, self.visit(following)])
        if loop is None:
            self._learn([-self.visit(nodes[last])])
            return
        excluded = {literal for node in nodes[loop:] for literal in self._against(node.state, taken)}
        self._learn([-self.visit(nodes[loop]), *excluded])

    def exclude(self, visited: Node, choice: Iterable[tuple[Situation, Act]]) -> None:
        """At a visit to the node the players do not take these decisions together."""
        self._learn([-self.visit(visited), *(-self._decision[s][action] for s, action in choice)])

    def taken_on(self, refutation: Refutation, taken: dict[Situation, Act]) -> list[tuple[Situation, Act]]:
        """The decisions that a refutation rests on."""
        nodes = refutation.nodes if refutation.loop is not None else refutation.nodes[:-1]
        found: dict[Situation, Act] = {}
        for node in nodes:
            for situation in self.literals(node.state):
                found[situation] = taken.get(situation) or self._plays.preferred(situation)
        return list(found.items())

    def never_together(self, start: int, decisions: Iterable[tuple[Situation, Act]]) -> None:
        """These decisions lose, whatever else is decided."""
        self._learn([-start, *(-self._decision[situation][action] for situation, action in decisions)])

    def require(self, alternatives: Iterable[tuple[Situation, Act, Bdd]]) -> None:
        """At least one of these decisions must be taken; with each situation come the states in which it arises."""
        clause = []
        for situation, action, states in alternatives:
            if situation not in self._decision:
                state = self._arena.space.encoding.pick(states & self._arena.universe)
                assert state is not None, "the situation arises somewhere"
                self._introduce(situation, self._arena.allowed(situation, state))
            clause.append(self._decision[situation][action])
        self._learn(clause)

    def _against(self, state: State, taken: dict[Situation, Act]) -> list[int]:
        """The negated decisions of the players in a state."""
        result = []
        for situation in self.literals(state):
            action = taken.get(situation)
            if action is None:
                action = taken[situation] = self._plays.preferred(situation)
            result.append(-self._decision[situation][action])
        return result

    def _learn(self, clause: Sequence[int]) -> None:
        key = tuple(sorted(clause))
        if key not in self._known:
            self._known.add(key)
            self._sat.add(clause)

    def decide(self, *assumed: int) -> dict[Situation, Act] | None:
        """Decisions that contradict nothing learnt so far; None if there are none."""
        if not self._sat.solve(assumed):
            return None
        return {
            situation: next(action for action, literal in known.items() if self._sat.value(literal))
            for situation, known in self._decision.items()
        }

    def close(self) -> None:
        """Release the solver."""
        self._sat.close()
