"""Uniform strategies as hints: found by deciding, one observation after the other, what a member does.

With what is decided so far, the group's value with perfect information is an upper bound: where it does not contain the start, no
completion succeeds.  Nothing here is trusted: that a strategy is uniform, and that it succeeds, are obligations (`rules`).
"""

from __future__ import annotations

from epistrat.evidence.proof import groups
from epistrat.evidence.proof.hints import Hints
from epistrat.evidence.proof.sets import Given, Uniform
from epistrat.evidence.proof.world import Strategy, World
from epistrat.logic import formula as logic
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd

_TRIALS = 400
_STRATEGIES = 12

Regions = dict[str, dict[frozenset[str], Bdd]]
"""For each member the observations at which it was decided what it chooses."""


@dataclass(frozen=True, slots=True)
class Play:
    """A strategy, the world in which it is followed with hints about it, and the states from which it succeeds."""

    strategy: Strategy
    world: World
    hints: Hints
    states: Bdd


class Search:
    """The search for strategies of one group, for one operator over sets that are known."""

    def __init__(self, world: World, hints: Hints, goal: Uniform, sets: tuple[Bdd, ...]) -> None:
        self._fair = [Given(hints.states(part)) for part in goal.fair]
        self._world = world
        self._goal = goal
        self._sets = tuple(map(Given, sets))
        self._perfect = hints.states(goal.perfect)
        self._members = [name for name in goal.group if len(world.options(name)) > 1]
        self._options = {name: dict(world.options(name)) for name in self._members}
        self._trials = _TRIALS
        until = isinstance(goal.shape, (logic.Finally, logic.Until, logic.WeakUntil))
        self._settled = sets[-1] if until else world.algebra.false

    def plays(self, first: Bdd) -> list[Play]:
        """Strategies that together serve the states that any can serve, the first states before others; perhaps not all."""
        algebra, found = self._world.algebra, list[Play]()
        waiting = [first & self._perfect, self._perfect]
        while waiting and len(found) < _STRATEGIES:
            rest = waiting[0]
            for play in found:
                rest = rest & ~play.states
            if rest == algebra.false:
                waiting.pop(0)
                continue
            served = self._play(rest) or self._play(self._one_of(rest))
            if served is None or served.states & rest == algebra.false:
                waiting.pop(0)
            else:
                found.append(served)
        return found

    def _one_of(self, states: Bdd) -> Bdd:
        """One of the states, with all that the group cannot tell from it where it must succeed from all of them."""
        world = self._world
        picked = world.algebra.pick(states)
        assert picked is not None
        bits = [bit for row in world.space.now.values() for bit in row]
        one = states
        for bit in [*bits, *world.remembered]:
            literal = world.algebra.var[bit] if picked.get(bit, False) else ~world.algebra.var[bit]
            if one & literal != world.algebra.false:
                one = one & literal
        return world.alike(self._goal.group, one) if self._goal.together else one

    def _play(self, start: Bdd) -> Play | None:
        """A strategy that succeeds from all these states."""
        empty = self._world.algebra.false
        waiting: list[Regions] = [{name: dict.fromkeys(self._options[name], empty) for name in self._members}]
        while waiting and self._trials > 0:
            self._trials -= 1
            regions = waiting.pop()
            bound = self._followed(regions, final=False)
            if not self._world.algebra.implies(start, bound.states):
                continue
            undecided = self._undecided(start, bound, regions)
            if undecided is None:
                return self._followed(regions, final=True)
            name, region, choices = undecided
            for choice in reversed(choices):
                more = {other: dict(table) for other, table in regions.items()}
                more[name][choice] = more[name][choice] | region
                waiting.append(more)
        return None

    def _followed(self, regions: Regions, final: bool) -> Play:
        """What the group enforces with these decisions; what is not decided is free, or, at last, the first choice there is."""
        world = self._world
        strategy: dict[str, dict[frozenset[str], Bdd]] = {}
        for name, table in regions.items():
            rest = ~world.space.disjunction(table.values())
            made = dict(table)
            for choice, where in self._options[name].items():
                if final:
                    here = rest & self._observed(name, where & world.found & rest)
                    made[choice] = made[choice] | here
                    rest = rest & ~here
                else:
                    made[choice] = made[choice] | rest
            strategy[name] = made
        followed = world.following(strategy)
        hints = Hints(followed, _none)
        wanted = groups.played(self._goal, self._sets, self._fair, Given(world.found))
        return Play(strategy, followed, hints, hints.states(wanted))

    def _observed(self, name: str, states: Bdd) -> Bdd:
        """All valuations that look to the agent like one of the states."""
        return self._world.algebra.exists(states, self._world.unseen(name))

    def _undecided(self, start: Bdd, bound: Play, regions: Regions) -> tuple[str, Bdd, list[frozenset[str]]] | None:
        """An observation that play from the start meets and at which a member has several choices left; the observation, the choices."""
        met = self._met(start, bound)
        for name in self._members:
            decided = self._world.space.disjunction(regions[name].values())
            left = [(one, where & met & ~decided) for one, where in self._options[name].items()]
            seen = several = self._world.algebra.false
            for _, where in left:
                several = several | (seen & where)
                seen = seen | where
            if several != self._world.algebra.false:
                region = self._observed(name, self._exactly_one(several))
                return name, region, [one for one, where in left if where & region != self._world.algebra.false]
        return None

    def _exactly_one(self, states: Bdd) -> Bdd:
        world = self._world
        picked = world.algebra.pick(states)
        assert picked is not None
        for row in world.space.now.values():
            for bit in row:
                literal = world.algebra.var[bit] if picked.get(bit, False) else ~world.algebra.var[bit]
                if states & literal != world.algebra.false:
                    states = states & literal
        return states

    def _met(self, start: Bdd, bound: Play) -> Bdd:
        """The states that play from the start can meet while the goal is open and can still be enforced."""
        found = fresh = start & ~self._settled
        if isinstance(self._goal.shape, logic.Next):
            return found
        while fresh != self._world.algebra.false:
            wider = found | (self._world.after(fresh) & bound.states & ~self._settled)
            fresh, found = wider & ~found, wider
        return found


def _none(number: int) -> Hints:
    raise LookupError(number)
