"""Strategies that were found, for people and notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from epistrat.answers.explanation import Policy
from epistrat.api.states import values_at
from epistrat.explain.follow import positions_read
from epistrat.model.evaluate import Evaluator
from epistrat.model.show import to_ispl
from epistrat.model.state import Act, State, show_act
from epistrat.model.system import System
from epistrat.records import dataclass, field, replace
from epistrat.service.plans import Plan
from epistrat.service.strategy import Synthesis
from epistrat.terms import Value


@dataclass(frozen=True, slots=True)
class AgentRules:
    """What one agent does when: rules that are tried from top to bottom.  Call it with what the agent sees to get the action.

    >>> plan["Prisoner"]({"light": True})
    'switch_off'
    """

    system: System = field(repr=False)
    policy: Policy = field(repr=False)

    @property
    def agent(self) -> str:
        """Whose rules these are."""
        return self.policy.agent

    @property
    def reads(self) -> tuple[str, ...]:
        """The variables that the rules read."""
        return tuple(str(self.system.variables[index]) for index in sorted(positions_read(self.system, self.policy)))

    @property
    def uniform(self) -> bool:
        """Whether the rules read only what the agent sees."""
        return self.policy.uniform

    def __call__(self, seen: Mapping[str, Value] | State | None = None, /, **values: Value) -> Act | None:
        """The action for what is seen: values by name, a state, or the tuple of what the agent sees; None if no rule applies."""
        known = values_at(self.system, self.agent, values if seen is None else seen)
        missing = [
            str(self.system.variables[index])
            for index in sorted(positions_read(self.system, self.policy))
            if index not in known
        ]
        if missing:
            raise LookupError(f"the rules of {self.agent} read {', '.join(missing)}, which is not given")
        state = tuple(known.get(index, False) for index in range(len(self.system.variables)))
        holds = Evaluator(self.system).holds
        for rule in self.policy.rules:
            if all(state[test.position] in test.values for test in rule.tests) and (
                rule.condition is None or holds(rule.condition, state)
            ):
                return rule.action
        return None

    def lines(self) -> list[tuple[str, str]]:
        """The rules in words: when, and what is done."""
        from epistrat.render.tree import conditions

        return [(conditions(self.system, self.agent, rule), show_act(rule.action)) for rule in self.policy.rules]

    def __str__(self) -> str:
        return "\n".join(f"{when} -> {action}" for when, action in self.lines())


@dataclass(frozen=True, slots=True)
class FoundStrategy:
    """What came of looking for a strategy: true if there is one.  Prints as ``epistrat strategy`` does.

    ``plan["A"]`` are the rules of an agent.  Where each initial state needs a strategy of its own, these are the rules of the first;
    `parts` are all of them.
    """

    synthesis: Synthesis = field(repr=False)

    def __bool__(self) -> bool:
        return self.synthesis.exists

    def __str__(self) -> str:
        from epistrat.render.strategy import show_synthesis, show_verified
        from epistrat.render.wording import Style, Wording

        style = Style(wording=Wording.PYTHON)
        return "\n".join([*show_synthesis(self.synthesis, style), *show_verified(self.synthesis)])

    @property
    def rules(self) -> dict[str, AgentRules]:
        """The rules of each agent; empty where there is no strategy."""
        policies = self.synthesis.plans[0].policies if self.synthesis.plans else ()
        return {policy.agent: AgentRules(self.synthesis.system, policy) for policy in policies}

    @property
    def parts(self) -> tuple[FoundStrategy, ...]:
        """The strategies one by one, where initial states need strategies of their own."""
        return tuple(FoundStrategy(replace(self.synthesis, plans=(plan,))) for plan in self.synthesis.plans)

    @property
    def uniform(self) -> bool:
        """Whether all agents act only on what they see."""
        return all(rules.uniform for rules in self.rules.values())

    def __getitem__(self, agent: str) -> AgentRules:
        rules = self.rules
        if agent not in rules:
            known = f"it has rules for {', '.join(rules)}" if rules else "there is none"
            raise KeyError(f"the strategy has no rules for {agent!r}: {known}")
        return rules[agent]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rules)

    def plan_from(self, start: State) -> Plan:
        """The strategy that serves an initial state; raises LookupError if there is none."""
        for plan in self.synthesis.plans:
            if not plan.starts or tuple(start) in plan.starts:
                return plan
        raise LookupError("there is no strategy" + (" from this state" if self.synthesis.plans else ""))

    def _repr_html_(self) -> str:
        """For notebooks: the rules of each agent as a table."""
        if not self:
            return f"<pre>{escape(str(self))}</pre>"
        rows = "".join(
            f"<tr><th>{escape(name) if place == 0 else ''}</th><td>{escape(when)}</td><td>{escape(action)}</td></tr>"
            for name, rules in self.rules.items()
            for place, (when, action) in enumerate(rules.lines())
        )
        return f"<table><tr><th>agent</th><th>when</th><th>does</th></tr>{rows}</table>"

    def to_ispl(self) -> str:
        """The model restricted to the (first) strategy; raises ValueError where there is none, or it cannot be written."""
        plan = self.synthesis.plans[0] if self.synthesis.plans else None
        if plan is None or plan.restricted is None:
            raise ValueError("there is no strategy to write" if plan is None else plan.entangled or "not asked for")
        return to_ispl(plan.restricted)

    def to_json(self) -> dict[str, Any]:
        """The strategy as plain data."""
        from epistrat.render.strategy import synthesis_json

        return synthesis_json(self.synthesis, "<model>")
