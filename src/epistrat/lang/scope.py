"""What a name means at a place: inside an agent, or where all variables are seen."""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.lang.lexer import Words
from epistrat.lang.names import AgentNames, Names, closest, listing
from epistrat.lang.syntax import Leaf, WordRange
from epistrat.model.agent import ENVIRONMENT
from epistrat.source import Related, Report
from epistrat.terms import Domain, Expr, Terms, Var


class Scope:
    """Resolves names where all variables are seen and each must name its owner: Evaluation, InitStates, formulae."""

    own: AgentNames | None = None

    def __init__(self, names: Names, terms: Terms, words: Words) -> None:
        self.names = names
        self.terms = terms
        self.source = words
        self.words = words.list
        self.report: Report = words.report

    def error(
        self,
        code: str,
        message: str,
        at: WordRange,
        label: str = "",
        meant: str | None = None,
        about: Iterable[Var] = (),
    ) -> None:
        """Reports a mistake at some words; ``about`` are variables whose declarations are worth a look."""
        related = [
            Related(self.source.span(place, place + 1), f"{variable.agent}.{variable.name} is declared here")
            for variable in about
            if (place := self.names.agents[variable.agent].declared.get(variable.name)) is not None
        ]
        span = self.source.span(at.start, at.end)
        self.report.error(code, message, span, label=label, suggestion=meant, related=tuple(related))

    def domain(self, agent: str, name: str) -> Domain:
        """The domain of a variable that exists."""
        return self.names.agents[agent].variables[name]

    def bare(self, name: str, leaf: Leaf) -> Expr | None:
        """A name without prefix: a value of an enumeration; whether it fits, its other side will tell."""
        return self.terms.name(name)

    def prefixed(self, owner: str, name: str, leaf: Leaf) -> Expr | None:
        """``owner.name``"""
        agent = self.names.agents.get(owner)
        if agent is None:
            self.no_agent(owner, leaf.start)
            return None
        return self.variable(agent, name, leaf)

    def variable(self, agent: AgentNames, name: str, leaf: Leaf) -> Expr | None:
        """A variable of the agent."""
        domain = agent.variables.get(name)
        if domain is None and name in agent.unclear:
            return None
        if domain is None:
            meant = closest(name, agent.known)
            if meant is not None and leaf.end - leaf.start > 1:
                meant = f"{self.words[leaf.start]}.{meant}"
            self.error("E012", f"{agent.name} has no variable `{name}`", leaf, agent.variables_in_words, meant)
            return None
        return self.terms.variable(agent.name, name, domain.sort)

    def no_agent(self, name: str, at: int) -> None:
        """Reports an agent that does not exist."""
        self.error("E013", f"there is no agent `{name}`", WordRange(at, at + 1), "", closest(name, self.names.agents))

    def action(self, owner: str | None, action: str, leaf: Leaf) -> Expr | None:
        """``Action = action`` or ``owner.Action = action``: only evolutions can test actions."""
        self.error("E032", "actions can only be tested in Evolution", leaf)
        return None

    def unknown_value(self, name: str, leaf: Leaf) -> None:
        """Reports a bare name that cannot be a value here."""
        owners = self.names.owners(name)
        meant = f"{owners[0]}.{name}" if owners else None
        label = "write the owner's name in front" if owners else ""
        self.error("E012", f"`{name}` is not a variable here", leaf, label, meant)


class AgentScope(Scope):
    """Resolves names inside an agent: its own variables bare, what it sees of the Environment as ``Environment.x``."""

    def __init__(self, names: Names, terms: Terms, words: Words, own: AgentNames, acts: bool = False) -> None:
        super().__init__(names, terms, words)
        self.own: AgentNames = own
        self.acts = acts

    def bare(self, name: str, leaf: Leaf) -> Expr | None:
        """The agent's own variable, if there is one, else a value."""
        domain = self.own.variables.get(name)
        if domain is None:
            return None if name in self.own.unclear else self.terms.name(name)
        return self.terms.variable(self.own.name, name, domain.sort)

    def prefixed(self, owner: str, name: str, leaf: Leaf) -> Expr | None:
        """``Environment.x``, or an own variable with the agent's own name in front."""
        if owner == self.own.name:
            return self.variable(self.own, name, leaf)
        agent = self.names.agents.get(owner)
        if agent is None:
            self.no_agent(owner, leaf.start)
            return None
        if owner != ENVIRONMENT:
            self.error("E017", f"{self.own.name} cannot see the variables of {owner}", leaf, f"in {self.own.name}")
            return None
        if name in agent.variables and not self.own.sees(agent, name):
            label = "it is neither in Obsvars nor in this agent's Lobsvars"
            self.error("E017", f"{self.own.name} cannot see Environment.{name}", leaf, label)
            return None
        return self.variable(agent, name, leaf)

    def action(self, owner: str | None, action: str, leaf: Leaf) -> Expr | None:
        """The condition that an agent does an action."""
        if not self.acts:
            return super().action(owner, action, leaf)
        actor = self.own if owner is None else self.names.agents.get(owner)
        if actor is None:
            self.no_agent(str(owner), leaf.start)
            return None
        if self.names.interleaved and actor is not self.own:
            self.error("E037", "in an interleaved system an agent tests only its own Action", leaf)
            return None
        if action not in actor.actions and actor.vague:
            return None
        if action not in actor.actions:
            label = f"its actions are {listing(actor.actions)}" if actor.actions else "it has no actions"
            meant = closest(action, actor.actions)
            self.error(
                "E014", f"{actor.name} has no action `{action}`", WordRange(leaf.end - 1, leaf.end), label, meant
            )
            return None
        return self.terms.action(actor.name, action)

    def unknown_value(self, name: str, leaf: Leaf) -> None:
        """Reports a bare name that is neither variable nor value."""
        label = self.own.variables_in_words
        if name in self.names.propositions:
            label = "it is a proposition, which only formulae can use; a condition gets a name in `Definitions:`"
        meant = closest(name, self.own.known)
        if meant is None and name in self.names.environment.variables:
            meant = f"Environment.{name}"
        self.error("E012", f"{self.own.name} has no variable `{name}`", leaf, label, meant)
