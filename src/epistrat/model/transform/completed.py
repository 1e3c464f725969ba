"""Systems whose runs never end: where a run of the original would end, a public flag is set instead.

A synchronous run ends where some agent is allowed no action, or where every enabled line of some agent (of some variable, under
SingleAssignment) leaves its range.  In the completed system such an agent does ``halt``, or stays as it is, and the Environment's
public variable ``stuck`` becomes true and stays so.  Everybody sees the flag, so that states without it look alike exactly where they did
before.  Comparing a verdict with the one on the completed system tells whether a formula holds only because runs end.
"""

from __future__ import annotations

from epistrat.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from epistrat.model.alternatives import Alternatives, alternatives
from epistrat.model.system import System
from epistrat.model.transform import fresh
from epistrat.records import dataclass, replace
from epistrat.terms import Arith, Boolean, Bounded, Const, Domain, Expr, Operation, Terms, subterms


@dataclass(frozen=True, slots=True)
class Completed:
    """A system without dead ends, and the condition that a run of the original would have ended by now."""

    system: System
    stuck: Expr


def completed(system: System) -> Completed | None:
    """The system with a flag where runs end; None where this cannot be written (interleaved runs never end; fractions)."""
    if system.interleaved or any(_divides(line) for agent in system.agents for line in agent.evolution):
        return None
    return _Completion(system).result()


def _divides(line: EvolutionLine) -> bool:
    """Whether a fraction could be assigned, which blocks a line without leaving a range."""
    found = subterms(*(assigned.value for assigned in line.assignments))
    return any(isinstance(term, Arith) and term.op is Operation.DIVIDE for term in found)


class _Completion:
    """The completion of one system."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._terms = Terms()
        own = {variable.name for variable in system.environment.variables} if system.environment else set()
        self._flag = Variable(ENVIRONMENT, fresh("stuck", own), Boolean(), public=True)

    def result(self) -> Completed:
        """The completed system."""
        terms, system = self._terms, self._system
        halting = {agent.name: self._halting(agent) for agent in system.agents}
        halted = [terms.action(agent.name, agent.actions[-1]) for agent in halting.values() if agent is not None]
        blocked = [
            self._blocked(agent, group) for agent in system.agents for group in alternatives(agent, system.semantics)
        ]
        ends = terms.disjunction([*halted, *blocked])
        agents = [self._tame(halting[agent.name] or agent) for agent in system.agents]
        if system.environment is None:
            agents.insert(0, Agent(ENVIRONMENT))
        agents[0] = self._flagging(agents[0], ends)
        flag = self._flag.reference
        initial = terms.conjunction([system.initial, terms.negate(flag)])
        return Completed(replace(system, agents=tuple(agents), initial=initial), flag)

    def _halting(self, agent: Agent) -> Agent | None:
        """The agent with an action for where it is allowed none, or None if that cannot be."""
        if not agent.actions or agent.free or agent.other:
            return None
        terms = self._terms
        halt = fresh("halt", agent.actions)
        idle = terms.negate(terms.disjunction([line.condition for line in agent.protocol if line.actions]))
        lines = (*agent.protocol, ProtocolLine(idle, (halt,)))
        return replace(agent, actions=(*agent.actions, halt), protocol=lines)

    def _blocked(self, agent: Agent, group: Alternatives) -> Expr:
        """Some of the lines are enabled, and none of those can be executed."""
        terms = self._terms
        some = terms.disjunction([line.guard for _, line in group.lines])
        none = [terms.negate(terms.conjunction([line.guard, self._fits(agent, line)])) for _, line in group.lines]
        return terms.conjunction([some, *none])

    def _fits(self, agent: Agent, line: EvolutionLine) -> Expr:
        """All values that a line of the agent assigns are in their ranges."""
        domain = {variable.name: variable.domain for variable in agent.variables}
        return self._terms.conjunction(
            [self._within(assigned.value, domain[assigned.target]) for assigned in line.assignments]
        )

    def _within(self, value: Expr, domain: Domain) -> Expr:
        terms = self._terms
        if not isinstance(domain, Bounded):
            return terms.boolean(True)
        if isinstance(value, Const):
            return terms.boolean(value.value in domain)
        low, high = terms.number(domain.low), terms.number(domain.high)
        return terms.conjunction([terms.compare("<=", low, value), terms.compare("<=", value, high)])

    def _tame(self, agent: Agent) -> Agent:
        """The agent whose lines are enabled only where they can be executed."""
        terms = self._terms
        lines = tuple(
            replace(line, guard=terms.conjunction([line.guard, self._fits(agent, line)])) for line in agent.evolution
        )
        return replace(agent, evolution=lines)

    def _flagging(self, environment: Agent, ends: Expr) -> Agent:
        """The Environment that sets the flag; in that step it does nothing else, since one line is executed."""
        terms = self._terms
        goes_on = terms.negate(ends)
        lines = [replace(line, guard=terms.conjunction([line.guard, goes_on])) for line in environment.evolution]
        lines.append(EvolutionLine((Assignment(self._flag.name, terms.boolean(True)),), ends))
        return replace(environment, variables=(*environment.variables, self._flag), evolution=tuple(lines))
