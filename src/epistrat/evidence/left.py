"""What strategies with memory leave: the states of the system paired with what is remembered, and whether all runs there are as claimed.

*For a group, or named strategies with memory*: players choose in the order of the formula, the group's members before everybody else; then
the step has an outcome.  The side that wins follows its machine, which may answer what the other side has chosen in this step; the other
side does whatever it may.  Outcomes are the opponents': a machine of theirs may say which.  The goal, or its negation, must hold on all
(fair) runs from the state with memory 0: no run is accepted by the automaton of the opposite.

*For an equilibrium*: see `epistrat.evidence.balance`, which uses the same graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from epistrat.evidence.automata import TooLarge, some_path
from epistrat.evidence.games import Trusted, Wrong
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.strategy import Acts, Machine, Row
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.logic.sentences import Crossing, OneGoal, Player, one_goal
from epistrat.logic.show import show
from epistrat.model.play import Play
from epistrat.model.state import Act, State
from epistrat.records import dataclass

Truth: TypeAlias = Callable[[Formula, State], bool | None]
Node: TypeAlias = tuple[State, int]


@dataclass(frozen=True, slots=True)
class Contest:
    """Who chooses in which order, and what for: ``some`` players want the goal."""

    players: tuple[Player, ...]
    goal: Formula


def beneath(runs: RunChecker, claim: Formula) -> Formula | None:
    """The state formula below the prefix of a sentence with names and memory, where it depends on no strategy; else None."""
    try:
        shape = one_goal(claim, [agent.name for agent in runs.system.agents if agent.actions])
    except Crossing:
        return None
    return None if isinstance(shape, OneGoal) else shape


def contest(runs: RunChecker, claim: Formula) -> Contest:
    """The game that a claim about strategies with memory speaks of; raises `Wrong` for other claims."""
    acting = [agent.name for agent in runs.system.agents if agent.actions]
    if isinstance(claim, logic.Coalition):
        members = [name for name in claim.group.members if name in acting]
        return Contest(tuple(Player(True, (name,)) for name in members), claim.arg)
    if isinstance(claim, logic.NAMING):
        try:
            shape = one_goal(claim, acting)
        except Crossing as crossing:
            raise Wrong(str(crossing)) from None
        if isinstance(shape, OneGoal):
            return Contest(shape.players, shape.goal)
    raise Wrong("a strategy with memory is no reason for it")


class Left:
    """Explores what a machine leaves of one system, up to ``limit`` pairs of a state and a memory."""

    def __init__(self, runs: RunChecker, machine: Machine, limit: int) -> None:
        self._runs, self._limit = runs, limit
        self._play = Play(runs.stepper)
        self._complete = machine.complete
        self._rows: dict[Node, dict[Acts, Row]] = {}
        self.nodes: list[Node] = []
        self.steps: list[list[int]] = []
        self._number: dict[Node, int] = {}
        self.known = self._number.keys()
        for row in machine.rows:
            known = self._rows.setdefault((row.state, row.memory), {})
            if row.memory < 0 or row.after < 0:
                raise Wrong("memories are numbers from 0")
            if _sorted(row.against) in known:
                raise Wrong("the strategy says twice what to do in one situation")
            known[_sorted(row.against)] = row
            if len({one.after for one in known.values()}) > 1:
                raise Wrong("what is remembered depends on more than the state and what was remembered")

    def number(self, node: Node) -> int:
        """The number of a node, which is explored later if it is new."""
        if node not in self._number:
            if len(self.nodes) >= self._limit:
                raise Trusted("too many outcomes to follow them all")
            self._number[node] = len(self.nodes)
            self.nodes.append(node)
        return self._number[node]

    def explore(self, players: Sequence[Player], side: bool) -> None:
        """Follow everything that the machine of one side leaves, from the nodes that have numbers."""
        while len(self.steps) < len(self.nodes):
            state = self.nodes[len(self.steps)][0]
            rows = self._rows.get(self.nodes[len(self.steps)])
            if rows is None:
                if not self._complete:
                    raise Trusted("the strategy is shown in part only")
                raise Wrong("the strategy says nothing about a situation that its plays visit")
            after = next(iter(rows.values())).after
            targets = dict.fromkeys(self._targets(state, rows, players, side))
            if not targets:
                raise Wrong("nothing can happen in a state that plays visit")
            self.steps.append([self.number((target, after)) for target in targets])

    def _targets(self, state: State, rows: dict[Acts, Row], players: Sequence[Player], side: bool) -> Iterator[State]:
        pending: list[tuple[int, dict[str, Act | None], Acts]] = [(0, {}, ())]
        tried = 0
        while pending:
            tried += 1
            if tried > self._limit:
                raise Trusted("too many joint actions to try them all")
            place, chosen, theirs = pending.pop()
            if place == len(players):
                yield from self._outcomes(state, chosen, None if side else _row(rows, theirs))
                continue
            player = players[place]
            options = self._options(player.agents, state)
            if options == [None]:  # in an interleaved system there may be nothing to choose
                pending.append((place + 1, {**chosen, **dict.fromkeys(player.agents)}, theirs))
                continue
            if player.some is side:
                done = _done(_row(rows, theirs), player.agents)
                if done not in options:
                    raise Wrong(f"{' and '.join(player.agents)} may not do {done}")
                pending.append((place + 1, {**chosen, **dict.fromkeys(player.agents, done)}, theirs))
                continue
            for act in options:
                assert act is not None
                acts = tuple((agent, act) for agent in player.agents)
                pending.append((place + 1, {**chosen, **dict(acts)}, _sorted((*theirs, *acts))))

    def _options(self, agents: tuple[str, ...], state: State) -> list[Act | None]:
        """What all of them may do."""
        offered = [self._play.options(agent, state) for agent in agents]
        return [act for act in offered[0] if all(act in other for other in offered)]

    def _outcomes(self, state: State, chosen: dict[str, Act | None], row: Row | None) -> Iterator[State]:
        steps = self._play.steps(state, chosen, self._limit)
        if steps is None:
            raise Trusted("too many joint actions to try them all")
        if row is None:
            yield from (step.target for step in steps)
            return
        place = {agent.name: index for index, agent in enumerate(self._runs.system.agents)}
        left = [
            step.target
            for step in steps
            if all(step.joint[place[agent]] == act for agent, act in row.do if agent in place)
            and row.to in (None, step.target)
        ]
        if not left:
            raise Wrong("an answer is impossible")
        yield from left


def all_runs(left: Left, wanted: Formula, truth: Truth, fair: Sequence[Formula] = ()) -> None:
    """Raises `Wrong` unless the path formula is true on all runs from the first node, on fair ones where that is said."""

    def where(formula: Formula) -> frozenset[int]:
        values = [truth(formula, state) for state, _ in left.nodes]
        if None in values:
            raise Trusted(f"where {show(formula)} holds")
        return frozenset(number for number, value in enumerate(values) if value)

    goals = [where(condition) for condition in fair]
    for part in _conjuncts(wanted):
        try:
            if 0 in some_path(left.steps, where, goals, logic.Not(part)):
                raise Wrong("a run that the strategy leaves is not as claimed")
        except TooLarge:
            raise Trusted("the automaton of the goal is too large") from None


def enforced(
    runs: RunChecker,
    claim: Formula,
    holds: bool,
    state: State,
    machine: Machine,
    truth: Truth,
    limit: int,
) -> None:
    """Raises `Wrong` unless the machine of the side that is said to win does win from the state; `Trusted` if that cannot be found out."""
    shape = contest(runs, claim)
    left = Left(runs, machine, limit)
    left.number((state, 0))
    left.explore(shape.players, holds)
    fairness = runs.system.fairness
    if holds:
        all_runs(left, shape.goal, truth, fairness)
    else:  # the opponents keep the run fair too
        often = [logic.Globally(logic.Finally(condition)) for condition in fairness]
        all_runs(left, logic.And((*often, logic.Not(shape.goal))) if often else logic.Not(shape.goal), truth)


def _conjuncts(wanted: Formula) -> Iterator[Formula]:
    match wanted:
        case logic.And(args):
            for arg in args:
                yield from _conjuncts(arg)
        case logic.Not(logic.Or(args)):
            for arg in args:
                yield from _conjuncts(logic.Not(arg))
        case logic.Not(logic.Not(arg)):
            yield from _conjuncts(arg)
        case logic.Not(logic.Implies(left, right)):
            yield from _conjuncts(left)
            yield from _conjuncts(logic.Not(right))
        case _:
            yield wanted


def _sorted(acts: Acts) -> Acts:
    return tuple(sorted(acts))


def _row(rows: dict[Acts, Row], theirs: Acts) -> Row:
    found = rows.get(theirs)
    if found is None:
        raise Wrong("the strategy has no answer to what the other side may do")
    return found


def _done(row: Row, agents: tuple[str, ...]) -> Act:
    done = dict(row.do)
    acts = {done.get(agent) for agent in agents}
    if len(acts) != 1 or None in acts:
        raise Wrong(f"the strategy does not say what {' and '.join(agents)} {'do' if len(agents) > 1 else 'does'}")
    (act,) = acts
    assert act is not None
    return act
