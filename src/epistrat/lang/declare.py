"""From declarations to tables of names: types are read, repeated and reserved names are found."""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.lang.lexer import Words
from epistrat.lang.names import AgentNames, Names, closest
from epistrat.lang.syntax import AgentNode, Declaration, Program
from epistrat.model.agent import ENVIRONMENT
from epistrat.source import Related, Report
from epistrat.terms import Boolean, Bounded, Domain, Enumeration, Integer, Real

# Bounds are numbers of 32 bits, as everywhere in ISPL; the types `integer` and `real` have no bounds.
LARGEST_BOUND = 2**31 - 1


class Declarer:
    """Fills the tables of names for one program."""

    def __init__(self, words: Words) -> None:
        self.source = words
        self.words = words.list
        self.report: Report = words.report
        self.names = Names()
        self._domains: dict[tuple[str, ...], Domain | None] = {}

    def declare(self, program: Program) -> list[tuple[AgentNode, AgentNames]]:
        """All names of the program; the agents that count, the Environment first, with what they declare."""
        for setting, at in program.settings:
            if setting == "Composition" and self.words[at] == "Interleaved":
                self.names.interleaved = True
        found: list[tuple[AgentNode, AgentNames]] = []
        for node in program.agents:
            name = self.words[node.name]
            if name in self.names.agents:
                self._twice("agent", node.name, [one.name for one in program.agents], "the first one counts")
                continue
            agent = AgentNames(name)
            self.names.agents[name] = agent
            found.append((node, agent))
        found.sort(key=lambda pair: pair[1].name != ENVIRONMENT)
        for node, agent in found:
            self._agent(node, agent)
        for node, agent in found:
            self._observed(node, agent)
            self._collisions(node, agent)
        self._groups(program)
        for named in program.evaluation:
            name = self.words[named.name]
            if name in self.names.propositions:
                self._twice("proposition", named.name, [one.name for one in program.evaluation], "the last one counts")
            self.names.propositions[name] = None
        titles = [marked.name for marked in program.formulae if marked.name is not None]
        for position, at in enumerate(titles):
            if self.words[at] in (self.words[before] for before in titles[:position]):
                self._twice("formula's name", at, titles, "both are meant by it")
        return found

    def _agent(self, node: AgentNode, agent: AgentNames) -> None:
        for declaration in node.obsvars:
            self._variable(agent, declaration)
            if self.words[declaration.name] in agent.variables:
                agent.public.add(self.words[declaration.name])
        for declaration in node.vars:
            self._variable(agent, declaration)
        agent.vague = node.vague
        for at in node.actions:
            action = self.words[at]
            if action in agent.actions:
                self._twice("action", at, node.actions, "once is enough")
            agent.actions[action] = None

    def _variable(self, agent: AgentNames, declaration: Declaration) -> None:
        name = self.words[declaration.name]
        if name in agent.variables:
            self._twice("variable", declaration.name, [agent.declared[name]], "the first one counts")
            return
        agent.declared.setdefault(name, declaration.name)
        key = (declaration.kind, *[self.words[at] for at in declaration.items])
        if declaration.kind == "..":
            key = tuple(self.words[declaration.items[0] : declaration.end])
        if key not in self._domains:
            self._domains[key] = self._domain(declaration)
        domain = self._domains[key]
        if domain is not None:
            agent.variables[name] = domain
        else:
            agent.unclear.add(name)

    def _domain(self, declaration: Declaration) -> Domain | None:
        kind = declaration.kind
        if not kind:
            return None
        if kind == "{":
            values: dict[str, None] = {}
            for at in declaration.items:
                value = self.words[at]
                if value in values:
                    self._twice("value", at, declaration.items, "once is enough")
                values[value] = None
            return Enumeration(tuple(values))
        if kind == "..":
            return self._range(declaration)
        if kind == "boolean":
            return Boolean()
        return Integer() if kind == "integer" else Real()

    def _range(self, declaration: Declaration) -> Domain | None:
        bounds = [self._bound(at) for at in declaration.items]
        low, high = bounds
        if low is not None and high is not None and low <= high:
            return Bounded(low, high)
        place = declaration.items[0], declaration.end - 1
        if low is None or high is None:
            message = f"a bound lies between -{LARGEST_BOUND} and {LARGEST_BOUND}"
            self.source.error("E023", message, *place, label="the type `integer` has no bounds")
        else:
            self.source.error("E023", f"the range {low}..{high} is empty", *place, suggestion=f"{high}..{low}")
        return None

    def _bound(self, at: int) -> int | None:
        negative = self.words[at] == "-"
        digits = self.words[at + 1] if negative else self.words[at]
        if len(digits) > 12 or int(digits) > LARGEST_BOUND:
            return None
        return -int(digits) if negative else int(digits)

    def _observed(self, node: AgentNode, agent: AgentNames) -> None:
        """Lobsvars lists private variables of the Environment."""
        environment = self.names.environment
        for at in node.lobsvars:
            name = self.words[at]
            if name in agent.observes:
                self._twice("observed variable", at, node.lobsvars, "once is enough")
            elif name in environment.public:
                self.source.error("E019", f"everybody sees `{name}` already: it is in Obsvars", at)
            elif name in environment.unclear:
                pass
            elif name not in environment.variables or agent is environment:
                meant = closest(name, environment.variables.keys() - environment.public)
                message = f"the Environment has no variable `{name}` in its Vars"
                self.source.error("E019", message, at, suggestion=meant)
            else:
                agent.observes[name] = None

    def _collisions(self, node: AgentNode, agent: AgentNames) -> None:
        """A variable must not be called like a value of its own agent or of a variable that everybody sees."""
        environment = self.names.environment
        seen = [agent.variables[name] for name in agent.variables]
        if agent is not environment:
            seen += [environment.variables[name] for name in environment.public]
        values = {value for domain in set(seen) if isinstance(domain, Enumeration) for value in domain.values}
        if values.isdisjoint(agent.variables):
            return
        for declaration in node.obsvars + node.vars:
            name = self.words[declaration.name]
            if name in values:
                self.source.error("E018", f"`{name}` is a variable and also an enumeration value", declaration.name)

    def _groups(self, program: Program) -> None:
        for group in program.groups:
            name = self.words[group.name]
            members: dict[str, None] = {}
            for at in group.members:
                member = self.words[at]
                if not self.names.is_agent(member):
                    meant = closest(member, self.names.agents)
                    self.source.error("E013", f"there is no agent `{member}`", at, suggestion=meant)
                if member in members:
                    self._twice("member", at, group.members, "once is enough")
                members[member] = None
            if name in self.names.groups:
                self._twice("group", group.name, [one.name for one in program.groups], "the last one counts")
            self.names.groups[name] = tuple(members)

    def _twice(self, what: str, at: int, places: Iterable[int], label: str) -> None:
        """Warns of a name that stands at one of these places already."""
        name = self.words[at]
        first = next(place for place in places if self.words[place] == name)
        related = (Related(self.source.span(first, first + 1), "first written here"),)
        span = self.source.span(at, at + 1)
        self.report.warning("W007", f"the {what} `{name}` is written twice", span, label=label, related=related)
