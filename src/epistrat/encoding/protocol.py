"""Protocols as Boolean functions: when an agent may do an action, and what it means that it does.

An agent that never has a choice needs no action bits: it does an action exactly where its protocol allows it, so the protocol's condition
stands for the action everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping

from epistrat.encoding.boolean import BooleanConditions
from epistrat.encoding.conditions import Conditions
from epistrat.encoding.part import Part
from epistrat.model.agent import Agent
from epistrat.model.alternatives import offers
from epistrat.model.state import Act
from epistrat.records import dataclass
from epistrat.terms import Terms


@dataclass(frozen=True, slots=True)
class Choices:
    """What the agent's protocol says.

    ``does`` gives for each action (in an interleaved system: each choice) the condition that the agent does it;
    ``permits`` is the relation of states and action bits that the
    protocol allows (without action bits: the states in which some action is allowed); ``able`` the states in which some action is
    allowed; ``choice`` the mask of the action bits, 0 where there is never a choice.
    """

    does: Mapping[Act, Part]
    permits: Part
    able: Part
    choice: int


def allowed(agent: Agent, conditions: BooleanConditions) -> dict[str, Part]:
    """For each action, where the agent may do it."""
    where: dict[str, list[Part]] = {action: [] for action in agent.actions}
    for line in offers(Terms(), agent):
        condition = conditions.part(line.condition)
        for action in line.actions:
            where[action].append(condition)
    return {action: conditions.join.any(parts) for action, parts in where.items()}


def encode_protocol(agent: Agent, conditions: Conditions, valid: Part, keep_bits: bool) -> Choices:
    """The protocol of an agent of a synchronous system; ``valid`` restricts what it sees to values that exist.

    With ``keep_bits`` the action bits are kept even where there is no choice.
    """
    algebra, join = conditions.algebra, conditions.join
    if not agent.actions:
        true = Part(algebra.true, 0)
        return Choices({}, true, true, 0)
    where = allowed(agent, conditions)
    able = _within(join.any(list(where.values())), valid, conditions)
    if not keep_bits and not _overlap(list(where.values()), valid, conditions):
        return Choices({action: where[action] for action in agent.actions}, able, able, 0)
    field = conditions.layout.actions[agent.name]
    does: dict[Act, Part] = {action: conditions.equals(field, action) for action in agent.actions}
    permits = join.any([join.all([does[action], where[action]]) for action in agent.actions])
    return Choices(does, permits, able, field.support)


def _within(part: Part, valid: Part, conditions: Conditions) -> Part:
    """True where the part holds of everything valid, else the part itself."""
    if conditions.algebra.implies(valid.function, part.function):
        return Part(conditions.algebra.true, 0)
    return part


def _overlap(parts: list[Part], valid: Part, conditions: Conditions) -> bool:
    """Whether two of the parts can hold together."""
    algebra = conditions.algebra
    seen = algebra.false
    for part in parts:
        both = seen & part.function
        if both != algebra.false and both & valid.function != algebra.false:
            return True
        seen = seen | part.function
    return False
