"""A brute-force tracker, written from the definitions alone: what a step is, and which states are possible after events.

It shares nothing with the code it judges: expressions are evaluated here, steps are made here, sets are sets of dictionaries' items.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from epistrat import terms as t
from epistrat.model.agent import Agent
from epistrat.model.system import Semantics, System

World = frozenset[tuple[str, Any]]
"""A state: pairs of a variable's full name and its value."""
Acts = tuple[tuple[str, str], ...]
"""A step: who does what."""


def value(expr: Any, world: Mapping[str, Any], acts: Mapping[str, str]) -> Any:
    """What an expression is worth, by its meaning."""

    def of(one: Any) -> Any:
        return value(one, world, acts)

    if isinstance(expr, t.Const):
        return expr.value
    if isinstance(expr, t.Var):
        return world[f"{expr.agent}.{expr.name}"]
    if isinstance(expr, t.ActionIs):
        return acts.get(expr.agent) == expr.action
    if isinstance(expr, t.Not):
        return not of(expr.arg)
    if isinstance(expr, t.And):
        return all(of(one) for one in expr.args)
    if isinstance(expr, t.Or):
        return any(of(one) for one in expr.args)
    if isinstance(expr, t.AtLeast):
        return len([one for one in expr.args if of(one)]) >= expr.number
    if isinstance(expr, t.Xor):
        return bool(of(expr.left)) is not bool(of(expr.right))
    left, right = of(expr.left), of(expr.right)
    if isinstance(expr, t.Compare):
        return {"=": left == right, "<": _less(left, right), "<=": left == right or _less(left, right)}[expr.op.value]
    if expr.op.value == "/":
        if right == 0:
            return 0 if left == 0 else float("inf") if left > 0 else float("-inf")
        quotient = Fraction(left) / right
        return int(quotient) if quotient.denominator == 1 else quotient
    return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right}[expr.op.value]()


def _less(left: Any, right: Any) -> bool:
    return not isinstance(left, (str, bool)) and bool(left < right)


def allowed(agent: Agent, world: Mapping[str, Any]) -> set[str]:
    if agent.name == "Environment" and not agent.protocol and agent.other is None:
        return set(agent.actions)
    lines = [line.actions for line in agent.protocol if value(line.condition, world, {})]
    if not lines and agent.other is not None:
        lines = [agent.other]
    return {action for line in lines for action in line}


def moves(system: System, agent: Agent, world: Mapping[str, Any], acts: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """What the agent's variables may become."""
    own = {variable.name: world[str(variable)] for variable in agent.variables}
    domain = {variable.name: variable.domain for variable in agent.variables}
    if system.interleaved and agent.name not in acts:
        yield own
        return
    lines = [
        {one.target: value(one.value, world, acts) for one in line.assignments}
        for line in agent.evolution
        if value(line.guard, world, acts)
    ]
    if system.semantics is Semantics.MULTI:
        for new in [own | line for line in lines] or [own]:
            if all(new[name] in domain[name] for name in new):
                yield new
        return
    written = {name: [line[name] for line in lines if name in line] for name in own}
    choices = [[one for one in some if one in domain[name]] if some else [own[name]] for name, some in written.items()]
    for combination in itertools.product(*choices):
        yield dict(zip(written, combination, strict=True))


class BruteForce:
    """Which states are possible, by the definition, with hidden actions and partial observation."""

    def __init__(self, system: System, hidden: Iterable[str] = ()) -> None:
        self.system, self.hidden = system, set(hidden)
        self._known: dict[World, list[tuple[Acts, World]]] = {}

    def initial(self) -> set[World]:
        names = [str(variable) for variable in self.system.variables]
        domains = [list(variable.domain) for variable in self.system.variables]  # type: ignore[arg-type]
        worlds = [dict(zip(names, values, strict=True)) for values in itertools.product(*domains)]
        return {frozenset(one.items()) for one in worlds if value(self.system.initial, one, {})}

    def steps(self, world: World) -> list[tuple[Acts, World]]:
        if world not in self._known:
            self._known[world] = list(self._steps(dict(world)))
        return self._known[world]

    def _steps(self, world: dict[str, Any]) -> Iterator[tuple[Acts, World]]:
        agents = self.system.agents
        for acts in self._joint(world):
            for parts in itertools.product(*[list(moves(self.system, agent, world, acts)) for agent in agents]):
                new = {
                    f"{agent.name}.{name}": one
                    for agent, part in zip(agents, parts, strict=True)
                    for name, one in part.items()
                }
                yield tuple(sorted(acts.items())), frozenset(new.items())

    def _joint(self, world: dict[str, Any]) -> Iterator[dict[str, str]]:
        agents = self.system.agents
        if self.system.interleaved:
            for name in {action for agent in agents for action in agent.actions}:
                part = [agent for agent in agents if name in agent.actions]
                if all(name in allowed(agent, world) for agent in part):
                    yield {agent.name: name for agent in part}
            return
        acting = [agent for agent in agents if agent.actions]
        for chosen in itertools.product(*[sorted(allowed(agent, world)) for agent in acting]):
            yield {agent.name: action for agent, action in zip(acting, chosen, strict=True)}

    def with_hidden(self, worlds: set[World]) -> set[World]:
        found, work = set(worlds), list(worlds)
        while work:
            for acts, target in self.steps(work.pop()):
                if target not in found and any(action in self.hidden for _, action in acts):
                    found.add(target)
                    work.append(target)
        return found

    def after(self, worlds: set[World], do: Mapping[str | None, str], see: Mapping[str, Any]) -> set[World]:
        """The states possible after an event; none: it is refused."""
        found = {
            target
            for world in self.with_hidden(worlds)
            for acts, target in self.steps(world)
            if not any(action in self.hidden for _, action in acts)
            and all(
                (action in dict(acts).values()) if who is None else dict(acts).get(who) == action
                for who, action in do.items()
            )
            and all(seen is None or _shown(dict(target)[name]) == seen for name, seen in see.items())
        }
        return self.with_hidden(found)

    def reachable(self, most: int) -> set[World] | None:
        """All states; None if they are more than ``most``."""
        found = self.initial()
        work = list(found)
        while work:
            for _, target in self.steps(work.pop()):
                if target not in found:
                    found.add(target)
                    work.append(target)
            if len(found) > most:
                return None
        return found


def _shown(one: Any) -> Any:
    """A value as JSON output has it."""
    return str(one) if isinstance(one, Fraction) else one


Event = tuple[dict[str | None, str], dict[str, Any]]


def random_log(judge: BruteForce, rng: random.Random, longest: int = 8, *, wrong: bool = False) -> list[Event]:
    """The events of a random run, told in part; with ``wrong`` one of them is changed."""
    system = judge.system
    world = rng.choice(sorted(judge.initial(), key=lambda one: sorted(map(repr, one))))
    log: list[Event] = []
    for _ in range(longest):
        steps = judge.steps(world)
        if not steps:
            break
        acts, world = rng.choice(sorted(steps, key=lambda one: (one[0], sorted(map(repr, one[1])))))
        if any(action in judge.hidden for _, action in acts):
            continue
        see = {
            name: (None if rng.random() < 0.1 else _shown(one))
            for name, one in sorted(world, key=repr)
            if rng.random() < 0.25
        }
        do: dict[str | None, str]
        if system.interleaved:
            agent, action = rng.choice(acts)
            do = {rng.choice((agent, None)): action}
        else:
            do = {agent: action for agent, action in acts if rng.random() < 0.7}
        log.append((do, see))
    if wrong and log:
        _spoil(system, judge, log, rng)
    return log


def _spoil(system: System, judge: BruteForce, log: list[Event], rng: random.Random) -> None:
    place = rng.randrange(len(log))
    do, see = dict(log[place][0]), dict(log[place][1])
    if do and (rng.random() < 0.7 or not see):
        who = rng.choice(sorted(do, key=str))
        known = [one for agent in system.agents if who in (None, agent.name) for one in agent.actions]
        others = [one for one in known if one not in judge.hidden and one != do[who]]
        do[who] = rng.choice(others) if others else do[who]
    elif see:
        name = rng.choice(sorted(see))
        variable = next(one for one in system.variables if str(one) == name)
        see[name] = _shown(rng.choice(list(variable.domain)))  # type: ignore[arg-type]
    log[place] = (do, see)
