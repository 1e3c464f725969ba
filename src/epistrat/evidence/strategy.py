"""Strategies: what the members of a group do, depending on what they see; and how others answer a group's choices."""

from __future__ import annotations

from typing import TypeAlias

from epistrat.logic.formula import Group
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import Act, Joint, State, View, view
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.terms import Expr

Moves: TypeAlias = tuple[tuple[View, Act], ...]
Rules: TypeAlias = tuple[tuple[Expr, Act], ...]
Choice: TypeAlias = tuple[Act | None, ...]
Acts: TypeAlias = tuple[tuple[str, Act], ...]
"""Who does what, by name."""

# The goals of an answering strategy that is not (yet) pursuing a fairness condition; see `Answers`.
REACH = -1


@dataclass(frozen=True, slots=True)
class UniformStrategy:
    """For each member, an action for each local state; local states that no outcome visits may be missing."""

    group: Group
    moves: tuple[tuple[str, Moves], ...]


@dataclass(frozen=True, slots=True)
class StateStrategy:
    """For each global state that outcomes visit, one action per member, in the order of the group's members.

    Incomplete strategies cover the first of these states only, in the order in which outcomes reach them.
    """

    group: Group
    moves: tuple[tuple[State, Choice], ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class RuleStrategy:
    """For each member, conditions and actions: it does the action of the first condition that the state satisfies.

    Conditions may compare numbers without bound, so that a strategy of an infinite system can be written down.
    """

    group: Group
    rules: tuple[tuple[str, Rules], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """In ``state``, when the group chooses ``choice``, the others can make ``joint`` happen and it can lead to ``target``."""

    state: State
    choice: Choice
    joint: Joint
    target: State
    goal: int = REACH


@dataclass(frozen=True, slots=True)
class Answers:
    """Why a group cannot enforce something: its every choice, in each state that these answers visit, has an answer.

    Under fairness the others must also keep the run fair; an answer's ``goal`` is then the fairness condition (by its number) that
    they pursue at that moment, and they turn to the next one when they have met it.  REACH means that they do not pursue one.
    """

    group: Group
    moves: tuple[Answer, ...]
    complete: bool = True

    def is_strategy(self, members: tuple[int, ...]) -> bool:
        """Whether the others' actions depend on the state alone, not on what the group chooses at the same moment.

        ``members`` are the group's positions in a joint action.
        """
        first: dict[tuple[State, int], Joint] = {}
        hidden = frozenset(members)
        for answer in self.moves:
            others = tuple(action for index, action in enumerate(answer.joint) if index not in hidden)
            if first.setdefault((answer.state, answer.goal), others) != others:
                return False
        return True


@dataclass(frozen=True, slots=True)
class Table:
    """A strategy without memory, with its name and the agents that follow it: for every reachable state what is done there."""

    variable: str
    agents: tuple[str, ...]
    rows: tuple[tuple[State, Act | None], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """In ``state``, with ``memory``, and the other side having chosen ``against`` in this step: what is done, and what is remembered then.

    ``to`` is the outcome that is taken, where outcomes are this side's choice as well.
    """

    memory: int
    state: State
    do: Acts
    after: int
    against: Acts = ()
    to: State | None = None


@dataclass(frozen=True, slots=True)
class Machine:
    """A strategy with memory for one side of a game: it starts with memory 0, and the rows say what is done for as long as plays last.

    Rows are needed for what its plays visit.  Incomplete ones cover the first of that only.
    """

    rows: tuple[Row, ...]
    complete: bool = True

    @property
    def remembers(self) -> bool:
        """Whether it does not depend on the state alone."""
        return any(row.memory or row.after for row in self.rows)


Strategy: TypeAlias = UniformStrategy | StateStrategy | RuleStrategy


def actors(strategy: Strategy) -> tuple[str, ...]:
    """The agents whose actions the strategy fixes."""
    match strategy:
        case StateStrategy(group):
            return group.members
        case UniformStrategy(_, moves):
            return tuple(name for name, _ in moves)
        case RuleStrategy(_, rules):
            return tuple(name for name, _ in rules)


class Follower:
    """Looks up what the members of a group do by their strategy."""

    def __init__(self, system: System, strategy: Strategy) -> None:
        self._system = system
        self._group = strategy.group
        self._states = dict(strategy.moves) if isinstance(strategy, StateStrategy) else {}
        self._views: dict[str, dict[View, Act]] = {}
        self._rules: dict[str, Rules] = {}
        if isinstance(strategy, UniformStrategy):
            self._views = {name: dict(moves) for name, moves in strategy.moves}
        elif isinstance(strategy, RuleStrategy):
            self._rules = dict(strategy.rules)
        self._global = isinstance(strategy, StateStrategy)
        self._evaluator = Evaluator(system)

    def at(self, state: State) -> dict[str, Act | None] | None:
        """What the members do in the state; those that the strategy never mentions are left out.

        None where the strategy says nothing although it should.  In an interleaved system a member may have nothing to choose, which is
        None too.
        """
        if self._global:
            choice = self._states.get(state)
            return None if choice is None else dict(zip(self._group.members, choice, strict=True))
        done: dict[str, Act | None] = {}
        for name, table in self._views.items():
            done[name] = table.get(view(self._system, name, state))
        for name, rules in self._rules.items():
            done[name] = next((action for when, action in rules if self._evaluator.holds(when, state)), None)
        return None if None in done.values() and not self._system.interleaved else done
