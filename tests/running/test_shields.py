"""Shields against the definition: on tiny models every set of states is a position, and winning sets are found by trying everything.

``EPISTRAT_SHIELDS=2000`` compares so many models; without it a sample is compared.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.generators import random_system
from tests.generators.asynchronous import asynchronous_system
from tests.running.test_words import AGENTS
from tests.running.tracker import Acts, BruteForce, World, allowed, value

import epistrat
from epistrat.logic.formula import Coalition, Globally, Group, Not, Prop
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.running.build import CannotKeep, build
from epistrat.running.properties import Wish
from epistrat.running.recheck import unsound

SHIELDS = int(os.environ.get("EPISTRAT_SHIELDS", "120"))
PARTS = 8
Worlds = frozenset[World]
Done = tuple[tuple[str, str], ...]
"""What members of the group do in a step."""


class ByDefinition:
    """The winning sets of a tiny model, by the definition."""

    def __init__(
        self,
        system: System,
        group: tuple[str, ...],
        keep: str,
        sign: bool,
        hidden: tuple[str, ...],
        sees: tuple[str, ...],
    ) -> None:
        self.system, self.group, self.sees = system, group, sees
        self.judge = BruteForce(system, hidden)
        self.hidden = set(hidden)
        states = self.judge.reachable(8)
        assert states is not None
        self.good = {world for world in states if value(system.propositions[keep], dict(world), {}) is sign}
        subsets = itertools.chain.from_iterable(
            itertools.combinations(states, size) for size in range(1, len(states) + 1)
        )
        closed = {self.closed(frozenset(some)) for some in subsets}
        family = {some for some in closed if some <= self.good}
        while True:
            smaller = {some for some in family if self._wins(some, family)}
            if smaller == family:
                break
            family = smaller
        self.winning = family

    def closed(self, worlds: Worlds) -> Worlds:
        return frozenset(self.judge.with_hidden(set(worlds)))

    def mine(self, acts: Acts) -> Done:
        return tuple((who, what) for who, what in acts if who in self.group)

    def after(self, worlds: Worlds, done: Done, exactly: Acts | None) -> list[Worlds]:
        """The sets after the group has done something (or one event of others), split by what is seen."""
        parts: dict[tuple[Any, ...], set[World]] = {}
        for world in worlds:
            for acts, target in self.judge.steps(world):
                told = not any(action in self.hidden for _, action in acts)
                if told and (self.mine(acts) == done if exactly is None else acts == exactly):
                    parts.setdefault(tuple(dict(target)[name] for name in self.sees), set()).add(target)
        return [self.closed(frozenset(some)) for some in parts.values()]

    def permitted(self, worlds: Worlds, family: set[Worlds] | None = None) -> set[Done]:
        """What the group may do: everything that leads to winning sets only."""
        won = self.winning if family is None else family
        steps = {
            self.mine(acts)
            for world in worlds
            for acts, _ in self.judge.steps(world)
            if not any(action in self.hidden for _, action in acts)
        }
        return {done for done in steps if done and all(some in won for some in self.after(worlds, done, None))}

    def _wins(self, worlds: Worlds, family: set[Worlds]) -> bool:
        for world in worlds:
            for acts, _ in self.judge.steps(world):
                told = not any(action in self.hidden for _, action in acts)
                if told and not self.mine(acts) and not all(some in family for some in self.after(worlds, (), acts)):
                    return False
        good = self.permitted(worlds, family)
        views = sorted({(name, self._view(name, world)) for name in self.group for world in worlds}, key=repr)
        options = [list(self._options(name, seen, worlds)) for name, seen in views]
        return any(
            self._stays(worlds, dict(zip(views, chosen, strict=True)), good) for chosen in itertools.product(*options)
        )

    def _stays(self, worlds: Worlds, chosen: dict[Any, set[str]], good: set[Done]) -> bool:
        for world in worlds:
            for acts, _ in self.judge.steps(world):
                done = self.mine(acts)
                if not done or any(action in self.hidden for _, action in acts):
                    continue
                left = all(what in chosen[who, self._view(who, world)] for who, what in done)
                if left and done not in good:
                    return False
        return True

    def _view(self, name: str, world: World) -> tuple[Any, ...]:
        agent = self.system.agent[name]
        seen = [str(variable) for variable in agent.variables]
        public = [one for one in self.system.variables if one.owner == "Environment" and name != "Environment"]
        seen += [str(one) for one in public if one.public or one.name in agent.observes]
        return tuple(dict(world)[one] for one in seen)

    def _options(self, name: str, seen: tuple[Any, ...], worlds: Worlds) -> Iterator[set[str]]:
        agent = self.system.agent[name]
        world = dict(next(one for one in worlds if self._view(name, one) == seen))
        if not self.system.interleaved:
            yield from ({action} for action in sorted(allowed(agent, world))) if allowed(agent, world) else [set()]
            return
        lines = [line for line in agent.protocol if value(line.condition, world, {})]
        found = [set(one) for line in lines for one in (line.choices or [(action,) for action in line.actions])]
        if not lines and agent.other is not None:
            found = [set(one) for one in (agent.other_choices or [(action,) for action in agent.other])]
        yield from found or [set()]


def tiny(rng: random.Random) -> tuple[System, tuple[str, ...]]:
    while True:
        system = (
            asynchronous_system(rng) if rng.random() < 0.6 else random_system(rng, fairness=False, environment=None)
        )
        if not system.finite or system.fairness:
            continue
        size = 1
        for variable in system.variables:
            size *= len(list(variable.domain))  # type: ignore[arg-type]
        if size > 300:
            continue
        actions = sorted({action for agent in system.agents for action in agent.actions})
        hidden = tuple(rng.sample(actions, min(len(actions), rng.choice((0, 0, 1))))) if system.interleaved else ()
        found = BruteForce(system).reachable(7)
        if found is not None and len(found) > 2:
            return system, hidden


def played(seed: int) -> str:
    rng = random.Random(seed)
    system, hidden = tiny(rng)
    acting = [agent.name for agent in system.agents if agent.actions]
    group = tuple(rng.sample(acting, min(len(acting), rng.choice((1, 1, 1, 2)))))
    starting = BruteForce(system).initial()
    values = {name: {value(one, dict(world), {}) for world in starting} for name, one in system.propositions.items()}
    settled = [name for name in sorted(values) if len(values[name]) == 1]
    keep = rng.choice(settled or sorted(values))
    sign = values[keep] == {True}
    names = [str(variable) for variable in system.variables]
    sees = tuple(rng.sample(names, rng.choice((0, 0, 0, 1, min(2, len(names))))))
    truth = ByDefinition(system, group, keep, sign, hidden, sees)
    parts: dict[tuple[Any, ...], set[World]] = {}
    for world in truth.judge.initial():
        parts.setdefault(tuple(dict(world)[name] for name in sees), set()).add(world)
    starts = [truth.closed(frozenset(some)) for some in parts.values()]
    body = Prop(keep) if sign else Not(Prop(keep))
    wish = Wish((Coalition(Group(group), Globally(body)),), hidden=hidden, sees=sees)
    try:
        built = build(system, wish)
        assert unsound(built) is None
        monitor = built.monitor()()
    except CannotKeep:
        assert not all(some in truth.winning for some in starts)
        return "lost"
    assert all(some in truth.winning for some in starts)
    blocked = 0
    for _ in range(6):
        world = rng.choice(sorted(truth.judge.initial(), key=lambda one: sorted(map(repr, one))))
        seen = {name: dict(world)[name] for name in sees}
        monitor.start(seen)
        worlds = truth.closed(
            frozenset(one for one in truth.judge.initial() if all(dict(one)[n] == v for n, v in seen.items()))
        )
        for _ in range(6):
            assert worlds in truth.winning
            good = truth.permitted(worlds)
            every = {truth.mine(acts) for one in worlds for acts, _ in truth.judge.steps(one)}
            every = {done for done in every if done and not any(action in hidden for _, action in done)}
            for done in every:
                who, what = done[0]
                if len(done) == 1 or system.interleaved:
                    assert monitor.ask(who, what).ok is (done in good), (system, done, sees)
                else:
                    assert (what in monitor.allowed(who, dict(done[1:]))) is (done in good)
                blocked += done not in good
            steps = [
                (acts, target)
                for one in sorted(worlds, key=lambda one: sorted(map(repr, one)))
                for acts, target in truth.judge.steps(one)
                if not any(action in hidden for _, action in acts)
                and (not truth.mine(acts) or truth.mine(acts) in good)
            ]
            if not steps:
                break
            acts, target = rng.choice(steps)
            told = {name: dict(target)[name] for name in sees}
            if system.interleaved:
                answer = monitor.event(None, acts[0][1], told)
                after = truth.judge.after(set(worlds), {None: acts[0][1]}, told)
            else:
                done = truth.mine(acts)
                answer = monitor.step(dict(done), told)
                after = truth.judge.after(set(worlds), dict(done), told)
            assert answer.ok, str(answer)
            worlds = frozenset(after)
    return "blocked" if blocked else "won"


@pytest.mark.parametrize("part", range(PARTS))
def test_shields_allow_exactly_what_the_definition_allows(part: int) -> None:
    outcomes = [played(seed) for seed in range(part, SHIELDS, PARTS)]
    assert len(set(outcomes)) > 1


def test_all_outcomes_come_up() -> None:
    assert {played(seed) for seed in range(10_000, 10_030)} == {"lost", "won", "blocked"}


def test_a_set_that_does_not_win_is_found() -> None:
    system = epistrat.load(AGENTS / "guardrail_race.ispl")
    built = build(system, Wish(("can_keep",), hidden=("ask_tool", "finish")))
    assert unsound(built) is None
    (one,) = built.values["properties"]
    for wrong, words in ((hex((1 << 14) - 1), "does not"), (one.violated, "is violated")):
        lied = one._replace(winning=(wrong,))
        assert words in str(unsound(replace(built, values=built.values | {"properties": (lied,)})))
