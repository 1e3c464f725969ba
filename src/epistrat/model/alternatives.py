"""What an agent's lines mean beside each other: which protocol lines are offered where, and of which evolution lines one is executed.

The definitions are those of `epistrat.model.step`, written out as conditions: an Environment without protocol, the Other line, and the two
ways of assignment need no case of their own below.  Diagrams, transition systems, exploration and abstraction all read this; the
reference semantics and what proves verdicts again keep their own reading, against which this one is tested.
"""

from __future__ import annotations

from epistrat.model.agent import Agent, EvolutionLine, ProtocolLine
from epistrat.model.system import Semantics
from epistrat.records import dataclass
from epistrat.terms import TRUE, Expr, Terms


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Variables that change together: one of the enabled lines is executed, and where none is enabled they stay as they are.

    ``lines`` come with their numbers in the model (from 1) and assign none but these variables.
    """

    variables: tuple[str, ...]
    lines: tuple[tuple[int, EvolutionLine], ...]


def alternatives(agent: Agent, semantics: Semantics) -> tuple[Alternatives, ...]:
    """All variables of the agent with all of its lines, or (SingleAssignment) each variable with the lines that assign it."""
    numbered = tuple(enumerate(agent.evolution, 1))
    if semantics is Semantics.MULTI:
        return (Alternatives(tuple(variable.name for variable in agent.variables), numbered),)
    written: dict[str, list[tuple[int, EvolutionLine]]] = {variable.name: [] for variable in agent.variables}
    for number, line in numbered:
        for one in line.assignments:
            written[one.target].append((number, EvolutionLine((one,), line.guard)))
    return tuple(Alternatives((name,), tuple(lines)) for name, lines in written.items())


def offers(terms: Terms, agent: Agent) -> tuple[ProtocolLine, ...]:
    """Lines each of which lets the agent do its actions wherever its condition holds: the protocol, with its Other line written out."""
    if agent.free:
        return (ProtocolLine(TRUE, agent.actions),)
    if agent.other is None:
        return agent.protocol
    uncovered = terms.negate(terms.disjunction(line.condition for line in agent.protocol))
    return (*agent.protocol, ProtocolLine(uncovered, agent.other, agent.other_choices))


def allowed_where(terms: Terms, agent: Agent) -> dict[str, Expr]:
    """For each action, the condition under which the agent's protocol allows it."""
    where: dict[str, list[Expr]] = {action: [] for action in agent.actions}
    for line in offers(terms, agent):
        for action in line.actions:
            where[action].append(line.condition)
    return {action: terms.disjunction(conditions) for action, conditions in where.items()}
