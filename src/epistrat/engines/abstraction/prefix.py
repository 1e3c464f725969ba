"""The first part of the concrete state space, labelled with three truth values.

States are explored breadth first.  Where exploration stopped, nothing is known but what an abstraction says of those states; where
all successors are known, operators are evaluated by their definitions.  So a short run, a look-alike or a strategy that wins soon is
found at once, whatever the rest of the system is like; and a system with few reachable states is decided for good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import NamedTuple, TypeAlias

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, is_state, operands, subformulae
from epistrat.model.explore import FoundStates
from epistrat.model.state import Joint, State, idle
from epistrat.model.step import Stepper
from epistrat.records import dataclass, field
from epistrat.solvers.budget import Budget

Guess: TypeAlias = Callable[[Formula, State], bool | None]
"""What is known of a formula in a reachable state from elsewhere; None for nothing."""

_MOST_WORK = 50  # joint actions per state asked for
_EXPANSION = 100  # work of finding the outcomes of a joint action
_KNOWLEDGE = (*logic.KNOWLEDGE, logic.Correct)


@dataclass
class Prefix(FoundStates):
    """Explored states; ``moves[n]`` exists for expanded ones: the joint actions with the states they lead to."""

    stepper: Stepper = field(kw_only=True)
    budget: Budget = field(kw_only=True)
    moves: list[list[tuple[Joint, tuple[int, ...]]]] = field(default_factory=list)
    all_initial: bool = True
    work: int = 0

    def start(self, states: Iterable[State], complete: bool) -> None:
        """Begin with initial states; ``complete`` says that there are no others."""
        self.all_initial = complete
        for state in states:
            self.initial.append(self.add(state, None))

    @property
    def complete(self) -> bool:
        """Whether all reachable states are here."""
        return self.all_initial and len(self.moves) == len(self.states)

    @property
    def endless(self) -> bool:
        """Whether no explored state is a dead end, and all were explored."""
        return self.complete and all(any(targets for _, targets in found) for found in self.moves)

    def expand(self, count: int) -> None:
        """Explore until so many states are expanded, or all are, or their joint actions become too many."""
        while len(self.moves) < min(count, len(self.states)):
            if len(self.moves) % 64 == 0:
                self.budget.check()
            now = len(self.moves)
            state = self.states[now]
            actions = self._joint_actions(state)
            self.work += actions
            self.budget.spend(_EXPANSION * actions)
            if self.work > self.budget.patience.most(_MOST_WORK * count):
                return
            found: list[tuple[Joint, tuple[int, ...]]] = []
            for joint in self.stepper.joint_actions(state):
                targets = self.stepper.outcomes(state, joint)
                found.append((joint, tuple([self.add(target, (now, joint)) for target in targets])))
            if self.stepper.system.interleaved and not any(targets for _, targets in found):
                found = [(idle(self.stepper.system), (now,))]
            self.moves.append(found)

    def _joint_actions(self, state: State) -> int:
        """How many joint actions are allowed (at most)."""
        if self.stepper.system.interleaved:
            return 1
        agents = self.stepper.system.agents
        return prod(max(1, len(self.stepper.allowed(agent, state))) for agent in agents if agent.actions)


Nodes: TypeAlias = set[int]


class Known(NamedTuple):
    """The explored states where a formula is true, and those where it is false."""

    yes: Nodes
    no: Nodes


class PrefixLabels:
    """Labels on a prefix, with the help of an abstraction's guesses."""

    def __init__(self, prefix: Prefix, guess: Guess) -> None:
        self._prefix = prefix
        self._guess = guess
        self._system = prefix.stepper.system
        self._nodes = range(len(prefix.states))
        self._expanded = range(len(prefix.moves))
        self._known: dict[Formula, Known] = {}

    def of(self, formula: Formula) -> Known:
        """The label of a state formula."""
        for part in subformulae(formula):
            if part not in self._known and is_state(part):
                self._prefix.budget.check()
                known = self._one(part)
                self._known[part] = known if self._prefix.complete else self._with_guesses(part, known)
        return self._known[formula]

    def _with_guesses(self, formula: Formula, known: Known) -> Known:
        if not isinstance(formula, (logic.ForAll, logic.Exists, logic.Coalition, *_KNOWLEDGE)):
            return known
        seeds = self._seeds(formula)
        return Known(known.yes | seeds.yes, known.no | seeds.no)

    def _seeds(self, formula: Formula) -> Known:
        found = Known(set(), set())
        if self._prefix.complete:
            return found
        for node in self._nodes:
            value = self._guess(formula, self._prefix.states[node])
            if value is not None:
                (found.yes if value else found.no).add(node)
        return found

    def _one(self, formula: Formula) -> Known:
        match formula:
            case logic.Truth(value):
                return self._where(lambda state: value)
            case logic.Prop(name):
                meaning = self._prefix.stepper.evaluator.meaning(self._system.propositions[name])
                return self._where(lambda state: bool(meaning(state, ())))
            case logic.Test(condition):
                test = self._prefix.stepper.evaluator.meaning(condition)
                return self._where(lambda state: bool(test(state, ())))
            case logic.Colour(agent, green):
                return self._where(lambda state: self._is_green(agent, state) == green)
            case logic.ForAll(arg) | logic.Exists(arg) | logic.Coalition(arg=arg):
                return self._temporal(formula, arg)
            case _ if isinstance(formula, _KNOWLEDGE):
                return self._epistemic(formula)
            case _:
                return self._boolean(formula, [self._known[operand] for operand in operands(formula)])

    def _where(self, holds: Callable[[State], bool]) -> Known:
        yes = {node for node in self._nodes if holds(self._prefix.states[node])}
        return Known(yes, set(self._nodes) - yes)

    def _is_green(self, agent: str, state: State) -> bool:
        found = self._system.agent.get(agent)
        return found is None or found.red is None or not self._prefix.stepper.evaluator.holds(found.red, state)

    def _boolean(self, formula: Formula, args: list[Known]) -> Known:
        match formula:
            case logic.Not():
                return Known(args[0].no, args[0].yes)
            case logic.And():
                return Known(set.intersection(*[a.yes for a in args]), set.union(*[a.no for a in args]))
            case logic.Or():
                return Known(set.union(*[a.yes for a in args]), set.intersection(*[a.no for a in args]))
            case logic.Implies():
                return Known(args[0].no | args[1].yes, args[0].yes & args[1].no)
            case _:
                one, two = args
                same = Known((one.yes & two.yes) | (one.no & two.no), (one.yes & two.no) | (one.no & two.yes))
                return same if isinstance(formula, logic.Iff) else Known(same.no, same.yes)

    # -- time and strategies --------------------------------------------------------------------------------------

    def _temporal(self, formula: Formula, shape: Formula) -> Known:
        args = [self._known[operand] for operand in operands(shape)]
        f, g = args[0], args[-1]
        seeds = self._seeds(formula)
        yes, no = self._rules(formula)
        everywhere = set(self._nodes)
        match shape:
            case logic.Next():
                return Known({n for n in self._expanded if yes(n, f.yes)}, {n for n in self._expanded if no(n, f.no)})
            case logic.Finally():
                return Known(
                    self._least(yes, everywhere, f.yes | seeds.yes), self._greatest(no, f.no, seeds.no, seeds.no)
                )
            case logic.Globally():
                return Known(
                    self._greatest(yes, f.yes, seeds.yes, seeds.yes), self._least(no, everywhere, f.no | seeds.no)
                )
            case logic.Until():
                return Known(
                    self._least(yes, f.yes, g.yes | seeds.yes),
                    self._greatest(no, g.no, (f.no & g.no) | seeds.no, seeds.no),
                )
            case logic.WeakUntil():
                return Known(
                    self._greatest(yes, f.yes, g.yes | seeds.yes, seeds.yes),
                    self._least(no, g.no, (f.no & g.no) | seeds.no),
                )
            case logic.Release():
                return Known(
                    self._greatest(yes, g.yes, (f.yes & g.yes) | seeds.yes, seeds.yes),
                    self._least(no, f.no, g.no | seeds.no),
                )
            case _:
                raise TypeError(f"no temporal operator: {shape}")

    def _rules(self, formula: Formula) -> tuple[Callable[[int, Nodes], bool], Callable[[int, Nodes], bool]]:
        """For one step: whether a node forces a set for the formula's player, and for its opponent."""
        moves = self._prefix.moves

        def every(node: int, goal: Nodes) -> bool:
            return all(target in goal for _, targets in moves[node] for target in targets)

        def some(node: int, goal: Nodes) -> bool:
            return any(target in goal for _, targets in moves[node] for target in targets)

        if isinstance(formula, logic.ForAll):
            return every, some
        if isinstance(formula, logic.Exists):
            return some, every
        assert isinstance(formula, logic.Coalition)
        choices = self._choices(formula.group)

        def enforce(node: int, goal: Nodes) -> bool:
            return any(outcomes <= goal for outcomes in choices[node])

        def against(node: int, goal: Nodes) -> bool:
            return all(not outcomes.isdisjoint(goal) for outcomes in choices[node])

        return enforce, against

    def _choices(self, group: Group) -> list[list[frozenset[int]]]:
        """The outcomes of each choice of the group, by node."""
        members = [index for index, agent in enumerate(self._system.agents) if agent.name in group.members]
        found = []
        for node in self._expanded:
            outcomes: dict[Joint, set[int]] = {}
            for joint, targets in self._prefix.moves[node]:
                outcomes.setdefault(tuple([joint[member] for member in members]), set()).update(targets)
            found.append([frozenset(targets) for targets in outcomes.values()])
        return found

    def _least(self, step: Callable[[int, Nodes], bool], before: Nodes, goal: Nodes) -> Nodes:
        found = set(goal)
        open_nodes = [node for node in reversed(self._expanded) if node in before and node not in found]
        while True:
            self._prefix.budget.check()
            left = []
            for node in open_nodes:
                if step(node, found):
                    found.add(node)
                else:
                    left.append(node)
            if len(left) == len(open_nodes):
                return found
            open_nodes = left

    def _greatest(self, step: Callable[[int, Nodes], bool], stay: Nodes, leave: Nodes, seeds: Nodes) -> Nodes:
        won = leave | seeds
        current = won | {node for node in self._expanded if node in stay}
        while True:
            self._prefix.budget.check()
            gone = {node for node in current if node not in won and not step(node, current)}
            if not gone:
                return current
            current -= gone

    # -- knowledge ------------------------------------------------------------------------------------------------

    def _epistemic(self, formula: Formula) -> Known:
        system = self._system
        match formula:
            case logic.Knows(agent, arg):
                return self._certain([system.views[agent]], self._known[arg])
            case logic.Everybody(group, arg):
                return self._certain([system.views[member] for member in group.members], self._known[arg])
            case logic.Distributed(group, arg):
                return self._certain([system.pooled_view(group)], self._known[arg])
            case logic.Common(group, arg):
                return self._common(group, self._known[arg])
            case logic.Correct(agent, arg):
                body = self._known[arg]
                green = {node for node in self._nodes if self._is_green(agent, self._prefix.states[node])}
                everything, nothing = set(self._nodes), set[int]()
                sure = self._prefix.complete and green <= body.yes
                return Known(everything if sure else nothing, everything if green & body.no else nothing)
            case _:
                raise TypeError(f"not a state formula: {formula}")

    def _classes(self, positions: tuple[int, ...]) -> dict[State, Nodes]:
        classes: dict[State, Nodes] = {}
        for node, state in enumerate(self._prefix.states):
            classes.setdefault(tuple([state[position] for position in positions]), set()).add(node)
        return classes

    def _certain(self, views: list[tuple[int, ...]], body: Known) -> Known:
        yes, no = set(self._nodes) if self._prefix.complete else set(), set(body.no) if views else set()
        for positions in views:
            for nodes in self._classes(positions).values():
                if nodes & body.no:
                    no |= nodes
                if not nodes <= body.yes:
                    yes -= nodes
        return Known(yes, no)

    def _common(self, group: Group, body: Known) -> Known:
        views = [self._system.views[member] for member in group.members]
        yes = set(self._nodes) - self._linked(views, set(self._nodes) - body.yes) if self._prefix.complete else set()
        return Known(yes, self._linked(views, body.no))

    def _linked(self, views: list[tuple[int, ...]], start: Nodes) -> Nodes:
        found = set(start)
        while True:
            size = len(found)
            for positions in views:
                for nodes in self._classes(positions).values():
                    if nodes & found:
                        found |= nodes
            if len(found) == size:
                return found
