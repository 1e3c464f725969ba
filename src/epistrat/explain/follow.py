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
from epistrat.terms import Expr, FiniteDomain, Terms, variables

MOST_VIEWS = 4_096


def follow(system: System, policies: Sequence[Policy]) -> System:
    """The system whose agents act by the policies; agents that read more than they see get to see it."""
    hidden = {
        policy.agent: sorted(positions_read(system, policy) - set(system.views[policy.agent]))
        for policy in policies
        if not policy.uniform
    }
    target, copies = with_shadows(system, hidden) if any(hidden.values()) else (system, {})
    rules: dict[str, list[tuple[Expr, Act]]] = {}
    for policy in policies:
        places = {index: variable.key for index, variable in enumerate(system.variables)}
        places.update({index: copies[index] for index in hidden.get(policy.agent, ())})
        here = _moved(policy, system, target, places)
        simple = _simple(target, here)
        if simple is not None:
            agents = tuple(simple if agent.name == simple.name else agent for agent in target.agents)
            target = replace(target, agents=agents)
        else:
            rules[policy.agent] = _exclusive(target, here)
    return with_rules(target, rules)


def positions_read(system: System, policy: Policy) -> set[int]:
    """The variables that the rules of a policy read, by their positions."""
    conditions = [rule.condition for rule in policy.rules if rule.condition is not None]
    tested = {test.position for rule in policy.rules for test in rule.tests}
    return tested | {system.position[key] for key in variables(*conditions)}


def _moved(policy: Policy, system: System, target: System, places: Mapping[int, tuple[str, str]]) -> Policy:
    """The policy with positions in the target system."""
    position = target.position
    copies = {
        system.variables[index].key: key[1] for index, key in places.items() if system.variables[index].key != key
    }
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


def _exclusive(system: System, policy: Policy) -> list[tuple[Expr, Act]]:
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
    *rules, last = _exclusive(system, policy)
    made = [(condition, actions_of(act), choices_among(agent.actions, [actions_of(act)])) for condition, act in rules]
    chosen = actions_of(last[1])
    return replace(
        agent,
        protocol=tuple(ProtocolLine(*line) for line in made),
        other=chosen,
        other_choices=choices_among(agent.actions, [chosen]),
    )
