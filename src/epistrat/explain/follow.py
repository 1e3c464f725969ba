"""The model whose agents follow rules: what ``epistrat strategy --ispl`` writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from epistrat.answers.explanation import Policy, Rule, Test
from epistrat.model.agent import Agent, ProtocolLine, choices_among
from epistrat.model.state import Act, actions_of
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.model.transform.rules import equals, with_rules
from epistrat.model.transform.shadow import rename, with_shadows
from epistrat.records import replace
from epistrat.terms import Expr, FiniteDomain, Key, Terms, variables

MOST_VIEWS = 4_096


def follow(system: System, policies: Sequence[Policy]) -> System:
    """The system whose agents act by the policies; agents that read more than they see get to see it."""
    hidden = {
        policy.agent: sorted(positions_read(system, policy) - set(system.views[policy.agent]))
        for policy in policies
        if not policy.uniform
    }
    target, copies = with_shadows(system, hidden) if any(hidden.values()) else (system, {})
    for policy in policies:
        places = {index: variable.key for index, variable in enumerate(system.variables)}
        places.update({index: copies[index] for index in hidden.get(policy.agent, ())})
        here = moved(policy, system, target, places)
        target = obeying(target, here)
    return target


def obeying(system: System, policy: Policy) -> System:
    """The system in which one agent acts by a policy that reads what it sees."""
    agent = _simple(system, policy)
    if agent is None:
        return with_rules(system, {policy.agent: in_turn(system, policy)})
    return replace(system, agents=tuple(agent if one.name == agent.name else one for one in system.agents))


def positions_read(system: System, policy: Policy) -> set[int]:
    """The variables that the rules of a policy read, by their positions."""
    conditions = [rule.condition for rule in policy.rules if rule.condition is not None]
    tested = {test.position for rule in policy.rules for test in rule.tests}
    return tested | {system.position[key] for key in variables(*conditions)}


def moved(policy: Policy, system: System, target: System, places: Mapping[int, Key]) -> Policy:
    """The policy with positions in the target system."""
    position = target.position
    copies = {one.key: places[index][1] for index, one in enumerate(system.variables) if places[index] != one.key}
    rules = [
        replace(
            rule,
            tests=tuple(Test(position[places[test.position]], test.values) for test in rule.tests),
            condition=None if rule.condition is None else rename(rule.condition, copies, Terms()),
        )
        for rule in policy.rules
    ]
    return replace(policy, rules=tuple(rules))


def _condition(system: System, terms: Terms, rule: Rule) -> Expr:
    tests = [equals(terms, system, test.position, test.values) for test in rule.tests]
    return terms.conjunction(tests if rule.condition is None else [*tests, rule.condition])


def in_turn(system: System, policy: Policy) -> list[tuple[Expr, Act]]:
    """The rules' conditions, each without what rules before it have decided."""
    terms = Terms()
    result: list[tuple[Expr, Act]] = []
    before: list[Rule] = []
    for rule in policy.rules:
        own = _condition(system, terms, rule)
        taken = [_condition(system, terms, other) for other in before if _clash(other, rule)]
        result.append((terms.conjunction([own, *[terms.negate(condition) for condition in taken]]), rule.action))
        before.append(rule)
    return result


def _clash(one: Rule, other: Rule) -> bool:
    """Whether two rules can apply to the same situation and say different things."""
    values = {test.position: test.values for test in one.tests}
    apart = any(not set(values.get(test.position, test.values)) & set(test.values) for test in other.tests)
    return one.action != other.action and not apart


def _simple(system: System, policy: Policy) -> Agent | None:
    """The agent with one protocol line per rule and the last rule as Other; None unless each is allowed wherever it applies."""
    agent = system.agent[policy.agent]
    if any(rule.condition is not None for rule in policy.rules):
        return None
    positions = system.views[agent.name]
    seen = [system.variables[index].domain for index in positions]
    domains = [domain for domain in seen if isinstance(domain, FiniteDomain)]
    if len(domains) < len(seen) or prod(map(len, domains)) > MOST_VIEWS:
        return None
    stepper = Stepper(system)
    state = [next(iter(v.domain)) if isinstance(v.domain, FiniteDomain) else 0 for v in system.variables]
    for values in product(*domains):
        for index, value in zip(positions, values, strict=True):
            state[index] = value
        if policy.decide(state) not in stepper.choices(agent, tuple(state)):
            return None
    *rules, last = in_turn(system, policy)
    made = [(condition, actions_of(act), choices_among(agent.actions, [actions_of(act)])) for condition, act in rules]
    chosen = actions_of(last[1])
    return replace(
        agent,
        protocol=tuple(ProtocolLine(*line) for line in made),
        other=chosen,
        other_choices=choices_among(agent.actions, [chosen]),
    )
