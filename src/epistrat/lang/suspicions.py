"""Warnings: what is legal but probably not meant.

Each check tries the values of the few variables that matter to it.  Where these are too many (`MOST_CASES`), or the whole model
has used up `EFFORT`, a check stays silent: a warning is a service, not a proof.

A line that is written once for all members of a family, or for all sizes, is not suspicious where it never applies to one member or in
one size only: it is not written for these alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, TypeAlias

from epistrat.lang.origins import Origins
from epistrat.logic import formula as logic
from epistrat.logic.formula import subformulae
from epistrat.model.agent import Agent, EvolutionLine, Variable
from epistrat.model.evaluate import Evaluator
from epistrat.model.system import System
from epistrat.source import Report
from epistrat.terms import (
    FALSE,
    TRUE,
    ActionIs,
    And,
    Arith,
    Compare,
    Const,
    Expr,
    FiniteDomain,
    Not,
    Value,
    Var,
    children,
)

MOST_CASES = 10_000
EFFORT = 40_000  # subexpressions that are evaluated for one model: some 20 ms
# Larger expressions are not looked into.
LARGEST = 2_000
_Place: TypeAlias = tuple[str | int, ...]
_NEVER_TRUE = ("W005", "the condition of this line is never true")


class Suspicions:
    """Looks for what is suspicious in one system."""

    def __init__(self, system: System, origins: Origins, report: Report, sizes: Collection[str] = ()) -> None:
        self.system = system
        self.origins = origins
        self.report = report
        self._sizes = re.compile(rf"\b(?:{'|'.join(map(re.escape, sizes))})\b") if sizes else None
        self._unused: dict[_Place, list[tuple[str, str, _Place]]] = {}
        self._used: set[_Place] = set()
        self.evaluator = Evaluator(system)
        self._effort = EFFORT
        self._state: list[Any] = [None] * len(system.variables)
        self._joint: list[Any] = [None] * len(system.agents)
        self._actor = {agent.name: index for index, agent in enumerate(system.agents)}

    def check(self) -> None:
        """Reports all warnings."""
        self._initial()
        self._roles()
        for agent in self.system.agents:
            self._actions(agent)
            self._coverage(agent)
            for index, rule in enumerate(agent.protocol):
                self._use(not self._never(rule.condition), *_NEVER_TRUE, "protocol", agent.name, index)
            for index, line in enumerate(agent.evolution):
                self._use(self._applies(agent, index, line), *_NEVER_TRUE, "evolution", agent.name, index)
        for place, found in self._unused.items():
            if place not in self._used:
                for code, message, key in found:
                    self._warn(code, message, *key)

    def _use(self, used: bool, code: str, message: str, *key: str | int) -> None:
        """Notes whether what is written there is of use to the member it was written out for; who is of no use to all is warned about."""
        span = self.origins.span(*key)
        place = key if span is None else (span.start, span.end)
        if used or self._decided_by_sizes(*key):
            self._used.add(place)
        else:
            self._unused.setdefault(place, []).append((code, message, key))

    def _decided_by_sizes(self, *key: str | int) -> bool:
        """Whether the condition of a line names parameters or constants and is false without a look at any state."""
        if self._sizes is None or key[0] not in ("protocol", "evolution"):
            return False
        agent = self.system.agent[str(key[1])]
        index = int(key[2])
        condition = agent.protocol[index].condition if key[0] == "protocol" else agent.evolution[index].guard
        return condition == FALSE and bool(self._sizes.search(self.origins.text(*key) or ""))

    def _warn(self, code: str, message: str, *key: str | int, label: str = "") -> None:
        self.report.warning(code, message, self.origins.span(*key), label=label)

    # trying values

    def _cases(self, *exprs: Expr, given: Expr = TRUE) -> Iterator[None] | None:
        """Sets state and joint action to every case that matters to the expressions; None if there are too many.

        Cases that are not worth trying, because ``given`` demands other values, are left out.
        """
        found, demanded = _leaves(exprs), _demanded(given)
        if found is None:
            return None
        leaves, size = found
        if demanded is None:
            return iter(())
        places: list[tuple[list[Any], int]] = []
        options: list[Sequence[Value] | FiniteDomain] = []
        for leaf in leaves:
            if isinstance(leaf, str):
                places.append((self._joint, self._actor[leaf]))
                values: Sequence[Value] | FiniteDomain = self.system.agent[leaf].actions
            else:
                if leaf.key not in self.system.position:  # what an agent knows
                    return None
                places.append((self._state, self.system.position[leaf.key]))
                domain = self.system.variables[places[-1][1]].domain
                if not isinstance(domain, FiniteDomain):
                    return None
                values = domain
            options.append([demanded[leaf]] * (demanded[leaf] in values) if leaf in demanded else values)
            if prod(map(len, options)) > MOST_CASES:
                return None
        return self._enumerate(places, options, size)

    def _enumerate(
        self, places: list[tuple[list[Any], int]], options: list[Sequence[Value] | FiniteDomain], size: int
    ) -> Iterator[None]:
        for case in product(*options):
            self._effort -= size
            if self._effort < 0:
                return
            for (target, index), value in zip(places, case, strict=True):
                target[index] = value
            yield None

    def _holds(self, expr: Expr) -> bool:
        return bool(self.evaluator.meaning(expr)(self._state, self._joint))  # type: ignore[arg-type]  # lists that change from case to case

    def _described(self, *exprs: Expr) -> str:
        """The values of the variables that the expressions read, as a condition."""
        parts: list[str] = []
        for leaf in _read(exprs):
            if isinstance(leaf, Var):
                value = self._state[self.system.position[leaf.key]]
                parts.append(f"{leaf.name} = {str(value).lower() if isinstance(value, bool) else value}")
        return " and ".join(parts[:6]) + (" and ..." if len(parts) > 6 else "")

    # the checks

    def _initial(self) -> None:
        initial = self.system.initial
        if initial == FALSE or self._never(initial):
            self._warn("W001", "no state satisfies InitStates, so every formula holds", "initial")

    def _never(self, condition: Expr) -> bool:
        if _demanded(condition) is None:
            return True
        cases = self._cases(condition, given=condition)
        if cases is None:
            return False
        return not any(self._holds(condition) for _ in cases) and self._effort >= 0

    def _roles(self) -> None:
        """An agent that no formula, proposition or other agent mentions has no influence on any verdict."""
        system = self.system
        if not system.formulae or len(system.agents) < 2:
            return
        mentioned = self._mentioned_in_formulae()
        for agent in system.agents:
            for line in agent.evolution:
                found = _leaves([line.guard, *[assignment.value for assignment in line.assignments]])
                if found is None:
                    return
                mentioned |= _owners(found[0]) - {agent.name}
            for rule in agent.protocol:
                mentioned |= _owners(_read([rule.condition])) - {agent.name}
        if system.interleaved:
            mentioned |= self._sharing()
        for agent in system.agents:
            if agent.name not in mentioned and not agent.is_environment:
                self._warn("W003", f"no formula and no other agent depends on {agent.name}", "agent", agent.name)

    def _mentioned_in_formulae(self) -> set[str]:
        system = self.system
        found: set[str] = set()
        goals = [goal for _, goal in system.goals]
        found.update(agent for agent, _ in system.goals)
        guards = [formula for agent in system.agents for formula in agent.knows]
        for part in subformulae(*system.formulae, *system.fairness, *goals, *guards):
            match part:
                case logic.Prop(name):
                    found |= _owners(_read([system.propositions[name]], None))
                case logic.Test(condition):
                    found |= _owners(_read([condition], None))
                case logic.Knows(agent) | logic.Correct(agent) | logic.Colour(agent) | logic.Bound(agent):
                    found.add(agent)
                case logic.Everybody(group) | logic.Distributed(group) | logic.Common(group) | logic.Coalition(group):
                    found.update(group.members)
                case logic.Remembers(_, _, group):
                    found.update(group.members)
        return found

    def _sharing(self) -> set[str]:
        """The agents that share an action with another one."""
        users: dict[str, list[str]] = {}
        for agent in self.system.agents:
            for action in agent.actions:
                users.setdefault(action, []).append(agent.name)
        return {name for names in users.values() if len(names) > 1 for name in names}

    def _actions(self, agent: Agent) -> None:
        if agent.free:
            return
        possible = {action for line in agent.protocol for action in line.actions} | set(agent.other or ())
        for action in agent.actions:
            message = f"{agent.name} can never do `{action}`: no line of its protocol allows it"
            self._use(action in possible, "W002", message, "action", agent.name, action)

    def _coverage(self, agent: Agent) -> None:
        """In every local state some action must be possible, or the whole system stops there; in interleaved systems others go on."""
        if agent.free or agent.other is not None or not agent.actions or self.system.interleaved:
            return
        conditions = [line.condition for line in agent.protocol]
        cases = self._cases(*conditions)
        for _ in cases if cases is not None else ():
            if not any(map(self._holds, conditions)):
                where = self._described(*conditions)
                label = f"no line applies when {where}" if where else "it has no lines"
                message = f"the protocol of {agent.name} leaves local states without action"
                self._warn("W004", message, "agent", agent.name, label=label)
                return

    def _applies(self, agent: Agent, index: int, line: EvolutionLine) -> bool:
        """Whether a guard is true somewhere; values assigned under it that leave their domains are warned about."""
        values = [
            (assignment.value, self.system.variables[self.system.position[agent.name, assignment.target]])
            for assignment in line.assignments
            if isinstance(assignment.value, (Arith, Var)) and assignment.value.sort.value == "number"
        ]
        allowed = self._allowing(agent, line.guard)
        cases = self._cases(line.guard, *[value for value, _ in values], *allowed, given=line.guard)
        if cases is None:
            allowed, cases = [], self._cases(line.guard, *[value for value, _ in values], given=line.guard)
        if cases is None:
            values, cases = [], self._cases(line.guard, given=line.guard)
        if cases is None:
            return True
        possible = False
        for _ in cases:
            if not self._holds(line.guard):
                continue
            possible = True
            if not values:
                return True
            if (not allowed or any(map(self._holds, allowed))) and self._leaves_range(agent, index, line.guard, values):
                return True
        return possible or self._effort < 0

    def _leaves_range(self, agent: Agent, index: int, guard: Expr, values: Sequence[tuple[Expr, Variable]]) -> bool:
        """Whether a value that is assigned in this case lies outside its variable's domain, which is warned about."""
        for value, target in values:
            result = self.evaluator.meaning(value)(self._state, self._joint)  # type: ignore[arg-type]  # as above
            if result not in target.domain:
                where = self._described(guard, value)
                message = f"this line can give {target.name} the value {result}, outside {target.domain}"
                label = f"when {where}" if where else ""
                self._warn("W006", message, "evolution", agent.name, index, label=label)
                return True
        return False

    def _allowing(self, agent: Agent, guard: Expr) -> list[Expr]:
        """Where the guard demands an action of the agent itself: under which conditions its protocol allows that; none: always."""
        action = (_demanded(guard) or {}).get(agent.name)
        if action is None or agent.free or action in (agent.other or ()):
            return []
        return [rule.condition for rule in agent.protocol if action in rule.actions]


def _read(exprs: Iterable[Expr], limit: int | None = LARGEST) -> list[Var | str]:
    """The variables and (by name) the acting agents that the expressions read; none if the expressions are too large."""
    found = _leaves(exprs, limit)
    return [] if found is None else found[0]


def _leaves(exprs: Iterable[Expr], limit: int | None = LARGEST) -> tuple[list[Var | str], int] | None:
    """The same, and how many subexpressions there are; None if they are too many."""
    found: dict[Var | str, None] = {}
    stack = list(exprs)
    seen: set[int] = set()
    while stack:
        expr = stack.pop()
        if id(expr) in seen:
            continue
        seen.add(id(expr))
        if limit is not None and len(seen) > limit:
            return None
        if isinstance(expr, Var):
            found[expr] = None
        elif isinstance(expr, ActionIs):
            found[expr.agent] = None
        else:
            stack.extend(children(expr))
    return list(found), len(seen)


def _owners(leaves: Iterable[Var | str]) -> set[str]:
    return {leaf if isinstance(leaf, str) else leaf.agent for leaf in leaves}


def _demanded(condition: Expr) -> dict[Var | str, Value] | None:
    """The values that a conjunction demands of variables and (by name) acting agents; None if it demands two of one."""
    demanded: dict[Var | str, Value] = {}
    for part in condition.args if isinstance(condition, And) else (condition,):
        leaf: Var | str
        value: Value
        match part:
            case Var():
                leaf, value = part, True
            case Not(Var() as leaf):
                value = False
            case ActionIs(leaf, value):
                pass
            case Compare(left=Var() as leaf, right=Const(value)) if part.op.value == "=":
                pass
            case _:
                continue
        if demanded.setdefault(leaf, value) != value:
            return None
    return demanded
