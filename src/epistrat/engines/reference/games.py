"""Coalitions: what a group can enforce, step by step and with perfect information.

A *choice* of the group at a node is one action for each member such that the protocols allow it together with some actions of the
others; its outcomes are all nodes that any such joint action leads to.  Free choice inside evolution functions, also that of members, is
among the outcomes, so it is resolved against the group.

In an interleaved system a choice of the group is one choice of each member's protocol, and its outcomes are those of `epistrat.model.play`:
all outcomes of the events that are left, or the node itself where the group waits.  Where plays that end do not count, D are the nodes from
which the group can bring every play to an end, and reaching D is as good as reaching the goal.

Without fairness ``<g>`` is defined by fixpoints of ``<g>X``, which also settles dead ends: where the protocols allow no
joint action there is no choice and ``<g>X f`` is false; a choice that leads nowhere is vacuously good.

With fairness ``<g>f`` asks for a memoryless strategy of g such that f holds on all fair paths consistent with it.  The others try to
produce a fair path that violates f.  What they can force is computed with `against`; g has a memoryless strategy wherever they cannot,
because "not fair, or f" is a Rabin objective on a game in which g moves first and the others answer.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from epistrat.engines.reference.graph import Nodes, World
from epistrat.logic.formula import Finally, Formula, Globally, Group, Next, Release, Until, WeakUntil
from epistrat.model.play import Play
from epistrat.model.state import Act, Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import Blocking

Choice = tuple[Act | None, ...]
Permitted = Callable[[int, Choice], bool]
NOTHING: Nodes = frozenset()


class Arena:
    """The choices of every group at every node of a world."""

    def __init__(self, world: World, stepper: Stepper, states: list[State], number: dict[State, int]) -> None:
        self.world = world
        self.stepper = stepper
        self.states = states
        self._number = number
        self._joint: dict[int, list[tuple[Joint, list[int]]]] = {}
        self._play = Play(stepper)

    def members(self, group: Group) -> list[int]:
        """The positions of the members among the system's agents; an Environment that is not written has no actions."""
        names = set(group.members)
        return [index for index, agent in enumerate(self.stepper.system.agents) if agent.name in names]

    def choices(self, node: int, members: list[int]) -> dict[Choice, frozenset[int]]:
        """The group's choices at a node, each with its outcomes; empty where no joint action is allowed."""
        if self.stepper.system.interleaved:
            return self._asynchronous(node, members)
        found: dict[Choice, set[int]] = {}
        for joint, outcomes in self._joint_outcomes(self.world.graph.state[node]):
            chosen = tuple([joint[member] for member in members])
            children = self.world.graph.child[node]
            found.setdefault(chosen, set()).update(children[outcome] for outcome in outcomes)
        return {choice: frozenset(outcomes) for choice, outcomes in found.items()}

    def _asynchronous(self, node: int, members: list[int]) -> dict[Choice, frozenset[int]]:
        state, children = self.states[self.world.graph.state[node]], self.world.graph.child[node]
        names = [self.stepper.system.agents[member].name for member in members]
        found: dict[Choice, frozenset[int]] = {}
        for choice in product(*[self._play.options(name, state) for name in names]):
            steps = self._play.steps(state, dict(zip(names, choice, strict=True))) or ()
            found[choice] = frozenset(
                node if target == state and not any(joint) else children[self._number[target]]
                for joint, target in steps
            )
        return found

    def _joint_outcomes(self, state: int) -> list[tuple[Joint, list[int]]]:
        found = self._joint.get(state)
        if found is None:
            now = self.states[state]
            found = self._joint[state] = [
                (joint, [self._number[target] for target in self.stepper.outcomes(now, joint)])
                for joint in self.stepper.joint_actions(now)
            ]
        return found


class Game:
    """One group against all others, its choices possibly restricted."""

    def __init__(self, arena: Arena, group: Group) -> None:
        self.world = arena.world
        self.members = arena.members(group)
        self.choices = [arena.choices(node, self.members) for node in range(len(self.world.graph.state))]
        self.ends_do_not_count = arena.stepper.system.blocking is Blocking.IGNORE

    def value(self, shape: Formula, args: list[Nodes], permitted: Permitted | None = None) -> Nodes:
        """Where the group can enforce a temporal operator, given the nodes that satisfy its operands."""
        round_ = _Round(self, permitted)
        if self.world.fair is not None:
            return _Fair(self.world, round_.against, self.world.fair).value(shape, args)
        if self.ends_do_not_count:
            shape, args = _or_ended(least(round_.enforce), shape, args)
        return _plain_value(self.world, round_.enforce, shape, args)


def _or_ended(ended: Nodes, shape: Formula, args: list[Nodes]) -> tuple[Formula, list[Nodes]]:
    """The operator that counts coming to ``ended`` as success."""
    match shape:
        case Globally(arg):
            return WeakUntil(arg, arg), [args[0], ended]
        case _:
            return shape, [*args[:-1], args[-1] | ended]


class _Round:
    """One step of the game, under the given restriction of the group's choices."""

    def __init__(self, game: Game, permitted: Permitted | None) -> None:
        self._options = [
            [outcomes for choice, outcomes in choices.items() if permitted is None or permitted(node, choice)]
            for node, choices in enumerate(game.choices)
        ]
        self._world = game.world

    def enforce(self, goal: Nodes) -> Nodes:
        """``<g>X goal``: some choice has all its outcomes in the goal."""
        return frozenset(n for n in self._world.nodes if any(outcomes <= goal for outcomes in self._options[n]))

    def against(self, goal: Nodes) -> Nodes:
        """Where the others can force the next node into the goal: every choice has an outcome there.

        Nodes without any choice are no part of an infinite path and do not count.
        """
        return frozenset(
            node
            for node in self._world.nodes
            if self._options[node] and not any(outcomes.isdisjoint(goal) for outcomes in self._options[node])
        )


def _plain_value(world: World, enforce: Callable[[Nodes], Nodes], shape: Formula, args: list[Nodes]) -> Nodes:
    """``<g>`` without fairness: X, and the fixpoints that unfold the other operators by it."""
    match shape:
        case Next():
            return enforce(args[0])
        case Finally():
            return least(lambda z: args[0] | enforce(z))
        case Globally():
            return greatest(world.nodes, lambda z: args[0] & enforce(z))
        case Until():
            return least(lambda z: args[1] | (args[0] & enforce(z)))
        case WeakUntil():
            return greatest(world.nodes, lambda z: args[1] | (args[0] & enforce(z)))
        case Release():
            return greatest(world.nodes, lambda z: args[1] & (args[0] | enforce(z)))
        case _:
            raise TypeError(f"a coalition stands above X, F, G, U, W or R, not above {shape}")


class _Fair:
    """``<g>`` with fairness: the complement of where the others can force a fair path that violates the operator."""

    def __init__(self, world: World, against: Callable[[Nodes], Nodes], fair: tuple[Nodes, ...]) -> None:
        self._world = world
        self._against = against
        self._fair = fair
        self._forced = self.force_fair(world.nodes, NOTHING)

    def value(self, shape: Formula, args: list[Nodes]) -> Nodes:
        everything = self._world.nodes
        match shape:
            case Next():
                return everything - self._against(self._forced - args[0])
            case Finally():
                return everything - self._against_until(everything, args[0])
            case Globally():
                return everything - self._against_weak(args[0], NOTHING)
            case Until():
                return everything - self._against_until(args[0], args[1])
            case WeakUntil():
                return everything - self._against_weak(args[0], args[1])
            case Release():
                return everything - self._against_weak(args[1], args[0] & args[1])
            case _:
                raise TypeError(f"a coalition stands above X, F, G, U, W or R, not above {shape}")

    def force_fair(self, stay: Nodes, won: Nodes) -> Nodes:
        """Where the others can force a fair path inside ``stay``, or into ``won``.

        The largest Z such that from every node of Z outside ``won``, for every constraint c, the others can force at least one step and
        then a visit to c or to ``won`` without leaving Z.
        """

        def shrink(z: Nodes) -> Nodes:
            kept = stay & z
            for constraint in self._fair:
                goal = (z & constraint) | won
                kept &= self._against(least(lambda y, goal=goal: goal | (z & self._against(y))))  # type: ignore[misc]  # mypy cannot type the default
            return kept | won

        return greatest(stay | won, shrink)

    def _against_until(self, f: Nodes, g: Nodes) -> Nodes:
        """Where the others can force a fair path on which f U g fails: g never holds, or f fails before it."""
        lost = self._forced - f - g
        return self.force_fair((self._world.nodes - g) & f, lost)

    def _against_weak(self, f: Nodes, g: Nodes) -> Nodes:
        """Where the others can force a fair path on which f W g fails: f fails before g holds."""
        lost = self._forced - f - g
        return least(lambda z: lost | (self._against(z) - g))


def least(step: Callable[[Nodes], Nodes]) -> Nodes:
    """The least fixpoint of a monotone function."""
    return _iterate(NOTHING, step)


def greatest(everything: Nodes, step: Callable[[Nodes], Nodes]) -> Nodes:
    """The greatest fixpoint of a monotone function."""
    return _iterate(everything, step)


def _iterate(start: Nodes, step: Callable[[Nodes], Nodes]) -> Nodes:
    current = start
    while True:
        following = step(current)
        if following == current:
            return current
        current = following
