"""Strategies and answers, from the layers of the fixpoints that decide a coalition formula.

``Opp(Z)`` are the states where every choice of the group has an outcome in Z.  What the others can force is a fixpoint of Opp:

- to violate G: reach a bad state, a least fixpoint; the answer in a state leads one layer closer;
- to deny F and U: stay where the goal is not met, a greatest fixpoint; the answer leads back into it;
- under fairness, on a fair run: the nested fixpoint of Emerson and Lei with Opp for EX.  Its answers pursue one fairness condition after
  the other.  Its complement is built in stages: a state removed in a stage has a choice that avoids what the stage computed, after which
  either an earlier stage is entered or the stage's fairness condition never holds again.  That choice is the group's strategy there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, product

from epistrat.engines.witness.forced import Arena, Forced
from epistrat.engines.witness.space import S
from epistrat.evidence import Answer, Answers, Choice, StateStrategy, Strategy
from epistrat.evidence.strategy import REACH, Follower
from epistrat.logic.formula import Coalition, Globally, Group, Next
from epistrat.model.state import Joint, State


class Games(Arena[S]):
    """Strategies and answers in one space.  ``limit`` bounds the states that a table lists."""

    # The group's strategy

    def strategy(self, claim: Coalition, starts: list[State]) -> tuple[StateStrategy, list[State]]:
        """A strategy of the group that enforces the claim, which holds in all the states; and what its outcomes visit."""
        move, met = self._strategy_moves(claim, starts)
        moves: dict[State, Choice] = {}
        pending, seen = list(starts), set(starts)
        complete = True
        for current in pending:
            if met(current) or not self._can_act(current):
                continue
            if len(moves) >= self._limit:
                complete = False
                break
            choice = move(current)
            if choice is None:
                raise AssertionError("a winning state has no winning choice")
            moves[current] = choice
            targets = self._outcomes(claim.group, current, choice)
            if targets is None:
                complete = False
                break
            fresh = [target for target in targets if target not in seen]
            seen.update(fresh)
            pending.extend(fresh)
        return StateStrategy(claim.group, tuple(moves.items()), complete), pending

    def outcomes_of(self, strategy: Strategy, starts: list[State], most: int) -> list[State] | None:
        """The states that outcomes of a strategy visit; None if they are more than so many."""
        follower = Follower(self._space.system, strategy)
        pending, seen = list(starts), set(starts)
        for state in pending:
            done = follower.at(state) if self._can_act(state) else None
            if done is None:
                continue
            targets = self._outcomes(strategy.group, state, tuple(done.get(name) for name in strategy.group.members))
            fresh = [target for target in targets or () if target not in seen]
            seen.update(fresh)
            pending.extend(fresh)
            if targets is None or len(seen) > most:
                return None
        return pending

    def _strategy_moves(
        self, claim: Coalition, starts: list[State]
    ) -> tuple[Callable[[State], Choice | None], Callable[[State], bool]]:
        """What to do in a state, and whether nothing has to be done there any more."""
        if self._space.fairness:
            return self._fair_strategy(claim, starts)
        space, group = self._space, claim.group
        if isinstance(claim.arg, Next):
            bad = self._outside(space.satisfying(claim.arg.arg))
            return lambda s: space.choice(group, s, bad), lambda s: s not in starts
        hold, goal = self._goal(claim.arg)
        if isinstance(claim.arg, Globally):
            lost = self._outside(space.satisfying(claim))
            return lambda s: space.choice(group, s, lost), lambda s: False
        layers = []
        for near in space.growing(goal, lambda near: space.minus(hold, space.opposed(group, self._outside(near)))):
            layers.append(near)
            if all(space.has(near, start) for start in starts):
                break
        return lambda s: self._closer(group, layers, s), lambda s: space.has(goal, s)

    def _closer(self, group: Group, layers: list[S], state: State) -> Choice | None:
        rank = next(index for index, layer in enumerate(layers) if self._space.has(layer, state))
        return self._space.choice(group, state, self._outside(layers[rank - 1]))

    def _fair_strategy(
        self, claim: Coalition, starts: list[State]
    ) -> tuple[Callable[[State], Choice | None], Callable[[State], bool]]:
        space, group = self._space, claim.group
        free = self.fair_forced(group)
        if isinstance(claim.arg, Next):
            bad = space.minus(free.states, space.satisfying(claim.arg.arg))
            satisfied = space.satisfying(claim.arg.arg)
            return (
                lambda s: self._staged(group, free, s) or space.choice(group, s, bad),
                lambda s: s not in starts and space.has(space.meet(satisfied, free.states), s),
            )
        hold, goal = self._goal(claim.arg)
        if isinstance(claim.arg, Globally):
            lost = self._outside(space.satisfying(claim))
            return lambda s: self._staged(group, free, s) or space.choice(group, s, lost), lambda s: False
        open_states = space.minus(hold, goal)
        bad = space.minus(free.states, space.join(hold, goal))
        denied = self._force(group, open_states, bad)
        # A run that was lost on the way, and hence must be unfair, may come through states that meet the goal: they need moves too.
        return (
            lambda s: self._staged(group, free, s) or self._staged(group, denied, s),
            lambda s: space.has(goal, s) and space.has(free.states, s),
        )

    def _staged(self, group: Group, forced: Forced[S], state: State) -> Choice | None:
        """The choice of the stage that removed the state; None if it was never removed."""
        space = self._space
        if not space.has(space.worlds, state):
            return space.choice(group, state, self._nothing)
        for stage in forced.stages:
            if space.has(stage.removed, state):
                return space.choice(group, state, stage.avoided)
        return None

    # The others' answers

    def answers(self, claim: Coalition, state: State, lost: S | None = None) -> Answers:
        """Answers of the others by which the claim, which fails in the state, fails; ``lost`` is where it does, if that is known."""
        into, after, start = self._answer_rules(claim, state, lost)
        moves: list[Answer] = []
        pending, seen = [start], {start}
        complete = True
        for current, goal in pending:
            target_set = into(current, goal)
            if target_set is None:
                continue
            if len(seen) > self._limit:
                complete = False
                break
            found = self._answer_all(claim.group, current, target_set, goal)
            if found is None:
                complete = False
                break
            moves.extend(found)
            for answer in found:
                node = after(current, goal, answer.target)
                if node is not None and node not in seen:
                    seen.add(node)
                    pending.append(node)
        return Answers(claim.group, tuple(moves), complete)

    def _answer_rules(
        self, claim: Coalition, state: State, lost: S | None
    ) -> tuple[
        Callable[[State, int], S | None],
        Callable[[State, int, State], tuple[State, int] | None],
        tuple[State, int],
    ]:
        """Where answers lead from a state with a goal (None: none needed), what comes after, and where it starts."""
        if self._space.fairness:
            return self._fair_answers(claim, state)
        space = self._space
        if isinstance(claim.arg, Next):
            bad = self._outside(space.satisfying(claim.arg.arg))
            return lambda s, _: bad, lambda s, _, t: None, (state, REACH)
        hold, _ = self._goal(claim.arg)
        if isinstance(claim.arg, Globally):
            rings = self._attractor(claim.group, self._outside(hold), state)
            return (lambda s, _: self._nearer(rings, s)), (lambda s, _, t: (t, REACH)), (state, REACH)
        denied = self._outside(space.satisfying(claim)) if lost is None else lost
        return (
            lambda s, _: denied if space.has(hold, s) else None,
            lambda s, _, t: (t, REACH),
            (state, REACH),
        )

    def _attractor(self, group: Group, bad: S, state: State) -> list[S]:
        layers = []
        for near in self._space.growing(bad, lambda near: self._space.opposed(group, near)):
            layers.append(near)
            if self._space.has(near, state):
                return layers
        raise AssertionError("the others cannot force what they are said to force")

    def _nearer(self, layers: list[S], state: State) -> S | None:
        rank = next(index for index, layer in enumerate(layers) if self._space.has(layer, state))
        return layers[rank - 1] if rank else None

    def _fair_answers(
        self, claim: Coalition, state: State
    ) -> tuple[
        Callable[[State, int], S | None],
        Callable[[State, int, State], tuple[State, int] | None],
        tuple[State, int],
    ]:
        space, group, count = self._space, claim.group, len(self._space.fairness)
        free = self.fair_forced(group)
        if isinstance(claim.arg, (Next, Globally)):
            goal_open = self._outside(self._nothing) if isinstance(claim.arg, Next) else self._goal(claim.arg)[0]
            met = self._nothing
            denied = free
            if isinstance(claim.arg, Next):
                layers = [space.minus(free.states, space.satisfying(claim.arg.arg)), space.worlds]
            else:
                layers = self._attractor(group, space.minus(free.states, goal_open), state)
        else:
            goal_open, met = self._goal(claim.arg)
            denied = self._force(
                group, space.minus(goal_open, met), space.minus(free.states, space.join(goal_open, met))
            )
            layers = []

        def into(s: State, goal: int) -> S | None:
            if goal == REACH:
                return layers[0] if isinstance(claim.arg, Next) else self._nearer(layers, s)
            forced = free if goal >= count else denied
            return self._pursue(forced, s, goal % count)

        def after(s: State, goal: int, t: State) -> tuple[State, int] | None:
            if goal == REACH:
                arrived = isinstance(claim.arg, Next) or not space.has(goal_open, t)
                return t, (count if arrived else REACH)
            if space.has(space.fairness[goal % count], s):
                goal = goal // count * count + (goal + 1) % count
            if goal < count and not space.has(space.join(goal_open, met), t):
                return t, count
            return t, goal

        return into, after, (state, self._start(claim, state, goal_open, count))

    def _start(self, claim: Coalition, state: State, goal_open: S, count: int) -> int:
        if isinstance(claim.arg, Next):
            return REACH
        if not self._space.has(goal_open, state):
            return count
        return REACH if isinstance(claim.arg, Globally) else 0

    def _pursue(self, forced: Forced[S], state: State, goal: int) -> S:
        """Where to lead next when pursuing a fairness condition: closer to it, or, where it holds, on to the next one."""
        space = self._space
        if space.has(space.fairness[goal], state):
            return forced.layers[(goal + 1) % len(forced.layers)][-1]
        layers = forced.layers[goal]
        rank = next(index for index, layer in enumerate(layers) if space.has(layer, state))
        return layers[max(rank - 1, 0)]

    def _answer_all(self, group: Group, state: State, into: S, goal: int) -> list[Answer] | None:
        """One answer to each choice of the group, the same one to all where that is possible; None if there are too many."""
        if not self._can_act(state):
            return []
        options = [self._play.options(name, state) for name in group.members]
        choices = list(islice(product(*options), self._limit + 1))
        if len(choices) > self._limit:
            return None
        found: list[Answer] = []
        for choice in choices:
            step = self._space.answer(group, state, choice, into)
            if step is None:
                raise AssertionError("a losing state has a choice without an answer")
            found.append(Answer(state, choice, step[0], step[1], goal))
        return self._same_for_all(found, group, into) or found

    def _same_for_all(self, found: list[Answer], group: Group, into: S) -> list[Answer] | None:
        """The same answers with the others doing one and the same thing, if one of those found works against all choices."""
        if self._space.system.interleaved:
            return None
        for pattern in dict.fromkeys(answer.joint for answer in found):
            same = [self._adapted(answer, pattern, group, into) for answer in found]
            good = [answer for answer in same if answer is not None]
            if len(good) == len(found):
                return good
        return None

    def _adapted(self, answer: Answer, pattern: Joint, group: Group, into: S) -> Answer | None:
        joint = list(pattern)
        for name, action in zip(group.members, answer.choice, strict=True):
            if name in self._actor:
                assert not isinstance(action, tuple), "one action in a synchronous system"
                joint[self._actor[name]] = action
        for target in self._stepper.outcomes(answer.state, tuple(joint)):
            if self._space.has(into, target):
                return Answer(answer.state, answer.choice, tuple(joint), target, answer.goal)
        return None


def visited(answers: Answers) -> Iterator[State]:
    """The states that answers speak of, each once."""
    yield from dict.fromkeys(state for answer in answers.moves for state in (answer.state, answer.target))
