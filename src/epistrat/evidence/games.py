"""Do these moves enforce it?  Strategies and answers are played out against everything the other side can do.

*Strategy* (the group enforces the goal).  Its outcomes form a graph, explored up to a limit.  A run is in *play* until the goal is met
or violated.  Without fairness: a violation must not occur, U and F must not leave a cycle in play, and somebody must be able to
act wherever the goal is still open.  With fairness only fair runs count: a run that violates the goal, or stays in play for ever where it
should not, must not be fair.

In an interleaved system choices leave events (`epistrat.model.play`); where they leave nothing the group waits, which is a step like any
other, and where plays that end do not count, a run that violated the goal must end.  Under fair scheduling a run must not stay in play for
ever unless it passes over an event; a violation needs no more than its beginning, which always goes on to a run that passes over nothing.

*Answers* (the group cannot enforce it).  Dually: in every state that the answers visit, each choice of the group has one; they never let
the goal be met; to violate G they must not walk in circles; under fairness they meet every fairness condition again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice, product

from epistrat.evidence.cycles import components, passes_over
from epistrat.evidence.followed import acts_on_hidden
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.strategy import (
    REACH,
    Answer,
    Answers,
    Choice,
    Follower,
    StateStrategy,
    Strategy,
    actors,
)
from epistrat.logic.formula import Coalition, Finally, Formula, Globally, Group, Next, Truth, Until
from epistrat.model.play import Play
from epistrat.model.state import Act, State
from epistrat.model.step import Step
from epistrat.model.system import Blocking, Scheduling

Known = Callable[[Formula, State], bool | None]
Node = tuple[State, int]
PLAY, LOST = 0, 1


class Trusted(Exception):
    """What remains cannot be checked by playing: too large, left out, or depending on conditions not seen in states."""


class Wrong(Exception):
    """The moves do not show what they should; the message says why."""


class GameChecker:
    """Plays strategies and answers of one system, up to ``limit`` states; ``condition`` tells where fairness conditions hold."""

    def __init__(self, runs: RunChecker, limit: int, condition: Known) -> None:
        self._runs = runs
        self._system = runs.system
        self._condition = condition
        self._limit = limit
        self._index = {agent.name: index for index, agent in enumerate(runs.system.agents)}
        self._fairness = runs.system.fairness
        self._forgiving = bool(self._fairness) or runs.system.blocking is Blocking.IGNORE
        self._play = Play(runs.stepper)
        self._followers: dict[int, Follower] = {}

    # Strategies

    def enforced(self, claim: Coalition, states: list[State], strategy: Strategy, truth: Known) -> None:
        """Raise `Wrong` unless the strategy enforces the claim from all the states; `Trusted` if that cannot be found out."""
        _must_be_theirs(claim.group, strategy.group)
        if not set(actors(strategy)) <= set(claim.group.members):
            raise Wrong("the strategy says what agents outside the group do")
        graph: dict[Node, list[Node]] = {}
        if isinstance(claim.arg, Next):
            inner = claim.arg.arg
            first = [target for state in states for target in self._outcomes((state, PLAY), strategy, claim)]
            pending = [(target, LOST) for target in first if self._lost_next(truth(inner, target))]
            self._explore(pending, strategy, claim, truth, graph)
            pending_cycles = {LOST}
        else:
            self._explore([(state, PLAY) for state in states], strategy, claim, truth, graph)
            pending_cycles = {LOST} if isinstance(claim.arg, Globally) else {PLAY, LOST}
        self._no_bad_cycle({node: t for node, t in graph.items() if node[1] in pending_cycles}, strategy)

    def must_be_uniform(self, strategy: Strategy) -> None:
        """Raise `Wrong` unless what each member does depends on what it sees alone."""
        if isinstance(strategy, StateStrategy):
            raise Wrong("the strategy depends on what the members cannot see")
        name = acts_on_hidden(self._system, strategy)
        if name is not None:
            raise Wrong(f"{name} acts on what it cannot see")

    def _lost_next(self, value: bool | None) -> bool:
        if value is not True and not self._forgiving:
            raise Wrong("an outcome of the first step is not shown to satisfy the goal")
        return value is not True

    def _explore(
        self, start: list[Node], strategy: Strategy, claim: Coalition, truth: Known, graph: dict[Node, list[Node]]
    ) -> None:
        pending = list(start)
        while pending:
            node = pending.pop()
            if node in graph:
                continue
            if len(graph) >= self._limit:
                raise Trusted("too many outcomes to follow them all")
            phase = self._phase(node, claim, truth)
            if phase is None:
                graph[node] = []
                continue
            graph[node] = [(target, phase) for target in self._outcomes(node, strategy, claim)]
            pending.extend(graph[node])

    def _phase(self, node: Node, claim: Coalition, truth: Known) -> int | None:
        """The phase in which the run goes on from the node; None if the goal is met there."""
        state, phase = node
        if phase == LOST:
            return LOST
        hold, goal = _goal(claim.arg)
        if goal is not None and truth(goal, state) is True:
            return None
        if truth(hold, state) is True:
            return PLAY
        if not self._forgiving:
            raise Wrong("an outcome reaches a state that is not shown to be good")
        return LOST

    def _outcomes(self, node: Node, strategy: Strategy, claim: Coalition) -> list[State]:
        state = node[0]
        if not self._play.can_act(state):
            if self._fairness:
                return []
            raise Wrong("nobody can act in a state where the goal is still open")
        return list(dict.fromkeys(step.target for step in self._steps(state, strategy)))

    def _steps(self, state: State, strategy: Strategy) -> list[Step]:
        """What can happen under the strategy."""
        steps = self._play.steps(state, self._chosen(strategy, state), self._limit)
        if steps is None:
            raise Trusted("too many joint actions to try them all")
        return steps

    def _chosen(self, strategy: Strategy, state: State) -> dict[str, Act | None]:
        """What the members choose by the strategy, each something it may choose.

        In an interleaved system a member restricts what happens by its choice, so none may be left out unless it has only one.
        """
        chosen: dict[str, Act | None] = {}
        for name, act in self._choice(strategy, state).items():
            if name in self._index:
                if act not in self._play.options(name, state):
                    raise Wrong(f"{name} may not do {act}")
                chosen[name] = act
        if self._system.interleaved:
            for name in strategy.group.members:
                options = self._play.options(name, state)
                if name not in chosen and len(options) > 1:
                    raise Wrong(f"the strategy does not say what {name} chooses")
                chosen.setdefault(name, options[0])
        return chosen

    def _choice(self, strategy: Strategy, state: State) -> Mapping[str, Act | None]:
        follower = self._followers.get(id(strategy))
        if follower is None:
            follower = self._followers[id(strategy)] = self._follower(strategy)
        found = follower.at(state)
        if found is None:
            if isinstance(strategy, StateStrategy) and not strategy.complete:
                raise Trusted("the strategy is shown in part only")
            raise Wrong("the strategy says nothing about a state its outcomes visit")
        return found

    def _follower(self, strategy: Strategy) -> Follower:
        if isinstance(strategy, StateStrategy):
            if len(dict(strategy.moves)) != len(strategy.moves):
                raise Wrong("the strategy names a state twice")
            if any(len(choice) != len(strategy.group.members) for _, choice in strategy.moves):
                raise Wrong("the strategy does not say what each member does")
        return Follower(self._system, strategy)

    def _no_bad_cycle(self, graph: dict[Node, list[Node]], strategy: Strategy) -> None:
        for component in components(graph):
            states = [node[0] for node in component]  # all in one phase: none leads back to an earlier one
            fair = all(any(self._meets_condition(f, s) for s in states) for f in self._fairness)
            if fair and not self._unfairly_scheduled(states, strategy):
                raise Wrong("an outcome can go on for ever without reaching the goal")

    def _unfairly_scheduled(self, states: list[State], strategy: Strategy) -> bool:
        """Whether all runs that stay in the component pass over an event; otherwise one that takes all its steps does not."""
        if self._system.scheduling is not Scheduling.FAIR:
            return False
        steps = {state: self._steps(state, strategy) for state in states}
        left = [{step.joint for step in here if any(step.joint)} for here in steps.values()]
        return passes_over(left, [step.joint for here in steps.values() for step in here if step.target in steps])

    def _meets_condition(self, condition: Formula, state: State) -> bool:
        value = self._condition(condition, state)
        if value is None:
            raise Trusted("a fairness condition depends on more than the state")
        return value

    # Answers

    def answered(self, claim: Coalition, state: State, answers: Answers, truth: Known) -> None:
        """Raise `Wrong` unless the answers defeat every strategy of the group; `Trusted` if that cannot be found out."""
        _must_be_theirs(claim.group, answers.group)
        if self._system.scheduling is Scheduling.FAIR:
            raise Trusted("under fair scheduling answers are not followed")
        if self._system.interleaved and self._system.blocking is Blocking.IGNORE:
            # After a violation the group may still end the play, which then does not count.
            raise Trusted("where plays that end do not count, answers are not followed")
        table: dict[Node, dict[Choice, Answer]] = {}
        for answer in answers.moves:
            table.setdefault((answer.state, answer.goal), {})[answer.choice] = answer
        graph: dict[Node, list[Node]] = {}
        pending = [self._enter((state, self._first_goal(claim)), claim, truth)]
        while pending:
            node = pending.pop()
            if node is None or node in graph:
                continue
            targets = self._answers_at(node, table, answers)
            graph[node] = []
            for target in targets:
                entered = self._after(node, target, claim, truth)
                if entered is not None:
                    graph[node].append(entered)
            pending.extend(graph[node])
        self._answers_progress(graph, claim)

    def _first_goal(self, claim: Coalition) -> int:
        return 0 if self._fairness and isinstance(claim.arg, (Finally, Until)) else REACH

    def _after(self, node: Node, target: State, claim: Coalition, truth: Known) -> Node | None:
        """Where the run is, and what is pursued, after an answer led to the target; None where nothing more is needed."""
        count = len(self._fairness)
        if isinstance(claim.arg, Next) and node[1] == REACH:
            if truth(claim.arg.arg, target) is not False:
                raise Wrong("an answer to the first step is not shown to violate the goal")
            return (target, count) if count else None
        if node[1] == REACH:
            return self._enter((target, REACH), claim, truth)
        goal = node[1]
        if self._meets_condition(self._fairness[goal % count], node[0]):
            goal = goal // count * count + (goal + 1) % count
        return self._enter((target, goal), claim, truth)

    def _enter(self, node: Node, claim: Coalition, truth: Known) -> Node | None:
        """The node at which the others go on from here: the goal may have been violated for good."""
        state, goal = node
        count = len(self._fairness)
        if isinstance(claim.arg, Next) or (count and goal >= count):
            return node
        hold, met = _goal(claim.arg)
        if met is not None and truth(met, state) is not False:
            raise Wrong("an answer lets the group meet its goal")
        if truth(hold, state) is False:
            return (state, count) if count else None
        return node

    def _answers_at(self, node: Node, table: dict[Node, dict[Choice, Answer]], answers: Answers) -> list[State]:
        state = node[0]
        if not self._play.can_act(state):
            if self._fairness:
                raise Wrong("nobody can act in a state from which the run must go on fairly")
            return []
        if node not in table:
            if not answers.complete:
                raise Trusted("the answers are shown in part only")
            raise Wrong("no answers are given for a state that the answers visit")
        members = answers.group.members
        options = [self._play.options(name, state) for name in members]
        choices = list(islice(product(*options), self._limit + 1))
        if len(choices) > self._limit:
            raise Trusted("the group has too many choices to try them all")
        return [self._answer(state, choice, members, table[node]) for choice in choices]

    def _answer(self, state: State, choice: Choice, members: tuple[str, ...], given: dict[Choice, Answer]) -> State:
        answer = given.get(choice)
        if answer is None:
            raise Wrong(f"the choice {choice} of the group has no answer")
        if self._system.interleaved:
            steps = self._play.steps(state, dict(zip(members, choice, strict=True))) or ()
            if (answer.joint, answer.target) not in steps:
                raise Wrong("an answer is impossible: the choices of the group do not leave it")
            return answer.target
        wrong = self._runs.step(state, answer.joint, answer.target)
        if wrong is not None:
            raise Wrong(f"an answer is impossible: {wrong}")
        if tuple(answer.joint[self._index[name]] if name in self._index else None for name in members) != choice:
            raise Wrong("an answer changes what the group chose")
        return answer.target

    def _answers_progress(self, graph: dict[Node, list[Node]], claim: Coalition) -> None:
        """No circles where the others must come to something: within one goal, and on the way to violating G."""
        for goal in {node[1] for node in graph}:
            if goal == REACH and not isinstance(claim.arg, Globally):
                continue
            part = {node: targets for node, targets in graph.items() if node[1] == goal and not self._meets(node)}
            for _ in components(part):
                raise Wrong("the answers walk in circles")

    def _meets(self, node: Node) -> bool:
        """Whether the fairness condition that is pursued is met at the node."""
        state, goal = node
        return goal != REACH and self._meets_condition(self._fairness[goal % len(self._fairness)], state)


def _must_be_theirs(asked: Group, shown: Group) -> None:
    if sorted(asked.members) != sorted(shown.members):
        raise Wrong(f"the moves are those of {{{', '.join(shown.members)}}}, not of {{{', '.join(asked.members)}}}")


def _goal(arg: Formula) -> tuple[Formula, Formula | None]:
    """What must hold while the goal is open, and what meets it (None: it stays open for ever)."""
    match arg:
        case Finally(goal):
            return Truth(True), goal
        case Globally(hold):
            return hold, None
        case Until(hold, goal):
            return hold, goal
        case _:
            raise Wrong("this operator is not one a group can enforce")
