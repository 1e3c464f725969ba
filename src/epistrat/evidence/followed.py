"""Rules that a group follows, as part of a proof: whether they are a strategy at all, and whether time goes on under them.

A proof looks at the steps of the system whose members follow the rules (`restrict`).  These are the plays of a strategy only if

- the rules are those of the group that is asked about, and of nobody else;
- under the readings with imperfect information each member acts on what it sees, and its rules decide wherever it has a choice (in a
  synchronous system what they leave open may be anything: all of it is looked at, and protocols read nothing but what is seen);
- nobody can end or delay the play where the goal must still be met.  Synchronous: everybody is allowed some action.  Interleaved: where
  nothing is left the state repeats itself, which is a step of the restricted system too.  Under `Blocking.ADVERSARY` others may leave
  nothing by their choices, so that an event is needed which no outsider declares.

Under the subjective reading plays from other states count as well; nothing is proved about these here.
"""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.answers.verdict import Strategies
from epistrat.evidence.prover import Prover
from epistrat.evidence.restrict import restrict, rules_of
from epistrat.evidence.strategy import RuleStrategy, Strategy, UniformStrategy, actors
from epistrat.logic.formula import Group
from epistrat.model.agent import Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from epistrat.model.alternatives import allowed_where
from epistrat.model.system import Blocking, System
from epistrat.model.transform.rules import decided_where
from epistrat.records import replace
from epistrat.terms import TRUE, ActionIs, Boolean, Expr, Terms, subterms, variables

Answer = bool | None
_WATCH = "?watch"


def acts_on_hidden(system: System, strategy: Strategy) -> str | None:
    """The first agent whose rules read what it does not see; what is written by views cannot."""
    if isinstance(strategy, RuleStrategy):
        for name, rules in strategy.rules:
            seen = {system.variables[index].key for index in system.views[name]}
            if any(variables(condition) - seen for condition, _ in rules):
                return name
    return None


def speaks_of_states(system: System, *conditions: Expr) -> bool:
    """Whether expressions read variables of the system only, and no actions: so they have a value in every state."""
    known = {variable.key: variable.domain.sort for variable in system.variables}
    acting = any(isinstance(part, ActionIs) for part in subterms(*conditions))
    return not acting and variables(*conditions) <= known.keys()


class Followed:
    """The rules of a group in one system, read in one way."""

    def __init__(self, system: System, group: Group, strategy: Strategy | None, reading: Strategies) -> None:
        self._system = system
        self._group = group
        self._strategy = strategy
        self._reading = reading
        self._terms = Terms()

    def suits(self) -> Answer:
        """Whether a proof may rest on the rules; None: they are no rules, or the reading asks for more than is proved."""
        rules = self._strategy
        if not isinstance(rules, (RuleStrategy, UniformStrategy)):
            return None
        members = set(self._group.members)
        known = {agent.name for agent in self._system.agents}
        if set(rules.group.members) != members or not set(actors(rules)) <= members & known:
            return False
        if isinstance(rules, RuleStrategy):
            conditions = [condition for _, table in rules.rules for condition, _ in table]
            if not speaks_of_states(self._system, *conditions):
                return False
        if self._reading is not Strategies.ANY and acts_on_hidden(self._system, rules) is not None:
            return False
        return None if self._reading is Strategies.SUBJECTIVE else True

    def narrowed(self, system: System) -> System:
        """A system with the agents of this one, and perhaps more, whose members follow the rules; assumes `suits`."""
        assert isinstance(self._strategy, (RuleStrategy, UniformStrategy))
        return restrict(system, self._strategy)

    def goes_on(self, prover: Prover, system: System, still: Expr, lasting: bool) -> Iterator[Answer]:
        """Whether, in the narrowed system, time goes on from all these states; ``lasting``: to stay in a state does no harm."""
        if not system.interleaved:
            yield prover.entails(system, still, everybody_may_act(system))
            return
        if self._reading is not Strategies.ANY:
            yield from self._decides(prover, system, still)
        if system.blocking is Blocking.ADVERSARY and not lasting:
            yield self._unblocked(prover, system, still)

    def _decides(self, prover: Prover, system: System, still: Expr) -> Iterator[Answer]:
        """Whether the rules say, for each member with several actions, what it chooses wherever it may do something."""
        assert isinstance(self._strategy, (RuleStrategy, UniformStrategy))
        terms = self._terms
        tables = rules_of(self._system, self._strategy)
        for agent in self._system.agents:
            if agent.name in self._group.members and len(agent.actions) > 1:
                decided = decided_where(terms, agent, tables.get(agent.name, ()))
                nothing = terms.negate(terms.disjunction(allowed_where(terms, agent).values()))
                yield prover.entails(system, still, terms.disjunction((decided, nothing)))

    def _unblocked(self, prover: Prover, system: System, still: Expr) -> Answer:
        """Whether some event happens in which members take part alone: a watcher allows these only, and notes that one happened."""
        outside = {
            action for agent in system.agents if agent.name not in self._group.members for action in agent.actions
        }
        actions = tuple(dict.fromkeys(action for agent in system.agents for action in agent.actions))
        own = tuple(action for action in actions if action not in outside)
        moved = Variable(_WATCH, "moved", Boolean())
        watcher = Agent(
            _WATCH,
            variables=(moved,),
            actions=actions,
            protocol=(ProtocolLine(TRUE, own),) if own else (),
            evolution=(EvolutionLine((Assignment("moved", TRUE),), TRUE),),
        )
        watched = replace(system, agents=(*system.agents, watcher))
        before = self._terms.conjunction((still, self._terms.negate(moved.reference)))
        return prover.some_step(watched, before, moved.reference)


def everybody_may_act(system: System) -> Expr:
    """That all agents are allowed some action.  A choice may have no outcome all the same: it leaves nothing that could go wrong."""
    acting = [agent for agent in system.agents if agent.actions]
    terms = Terms()
    return terms.conjunction(terms.disjunction(allowed_where(terms, agent).values()) for agent in acting)
