"""What could stand at a place: names in scope, values that fit, sections that are missing, operators with fields to fill in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from epistrat.ide.context import Context, context_at
from epistrat.ide.offers import Offer, end_of, infix, operators, outside, sections, types
from epistrat.ide.parameters import parameters
from epistrat.ide.values import Completion
from epistrat.ide.written import bare
from epistrat.lang.analysis import Analysis
from epistrat.lang.names import AgentNames, Names
from epistrat.lang.syntax import AgentNode
from epistrat.lang.vocabulary import COMPARISONS, EPISTEMIC, KNOWLEDGE, OF_AGENT, SELF, SETTINGS
from epistrat.model.agent import ENVIRONMENT
from epistrat.terms import Boolean, Bounded, Domain, Enumeration

_MOST_NUMBERS = 20
"""A range with more values is not listed."""

_FORMULAE = ("Goals", "Fairness", "Formulae")


def completion(analysis: Analysis, offset: int) -> list[Completion]:
    """What could stand at a place, the likeliest first; what is written there already need not be a beginning of it."""
    context = context_at(analysis, offset)
    if context is None:
        return []
    found = dict.fromkeys(_Completer(analysis, context).offers())
    return [
        Completion(offer.label, offer.kind, offer.detail, offer.insert or offer.label, context.word, bool(offer.insert))
        for offer in found
    ]


class _Completer:
    """The offers for one place."""

    def __init__(self, analysis: Analysis, context: Context) -> None:
        self._analysis = analysis
        self._names: Names = analysis.names
        self._agent = self._named(context.agent)
        self._guard = context.section == "Protocol" and _asks_knowledge(context.line)
        self._inside = bool(context.agent) and not self._guard
        self._section = "Formulae" if self._guard else context.section
        self._line = context.line
        self._before = [""] * 4 + context.line  # so that the last four words can always be looked at

    def offers(self) -> Iterable[Offer]:
        before = self._before[-1]
        if before == "[":
            return [
                Offer(one.name, "variable", one.line) for one in parameters(self._analysis) if " if " not in one.line
            ]
        if before == "end":
            return end_of(self._section or ("Agent" if self._inside else ""))
        if not self._section:
            return self._between_sections()
        match self._section:
            case "Agent":
                return [Offer(ENVIRONMENT, "agent")]
            case "Vars" | "Obsvars":
                return types() if before == ":" else self._start()
            case "Lobsvars":
                return self._lobsvars()
            case "Actions":
                return []
            case "Parameters" | "Constants":
                return self._start()
            case "Groups":
                return self._agents() if before in ("{", ",") else self._start()
            case "Protocol" if before in ("{", ","):
                return _actions(self._agent)
        return [*self._condition(), *([] if self._line else self._start())]

    def _start(self) -> Iterable[Offer]:
        """What can stand where a line begins: the end of the section."""
        return end_of(self._section, whole=True) if not self._line else ()

    def _between_sections(self) -> Iterable[Offer]:
        if self._before[-2] in SETTINGS and self._before[-1] == "=":
            words = {
                "Semantics": ("MultiAssignment", "SingleAssignment"),
                "Composition": ("Synchronous", "Interleaved"),
                "Knowledge": tuple(KNOWLEDGE),
            }
            return [Offer(word, "keyword") for word in words[self._before[-2]]]
        if self._line:
            return ()
        if not self._inside:
            return outside({name for name, _ in self._analysis.program.sections})
        written = {name for node in self._nodes() for name, _ in node.sections}
        return sections(written, environment=self._agent.name == ENVIRONMENT)

    def _named(self, name: str) -> AgentNames:
        """An agent, or the first member of a family of agents; one without anything if there is none."""
        found = self._names.agents.get(name)
        if found is None:
            found = next((one for one in self._names.agents.values() if bare(one.name) == name), None)
        return found or AgentNames(name)

    def _nodes(self) -> Iterator[AgentNode]:
        words = self._analysis.words.list
        return (node for node in self._analysis.program.agents if words[node.name] == self._agent.name)

    def _lobsvars(self) -> Iterable[Offer]:
        environment = self._names.environment
        return [_variable(name, environment) for name in _once(environment.variables) if name not in environment.public]

    def _agents(self) -> list[Offer]:
        itself = [Offer(SELF, "agent", self._agent.name)] if self._guard else []
        return [*itself, *(_indexed(name, "agent") for name in _once(self._names.agents))]

    def _groups(self) -> list[Offer]:
        return [_indexed(name, "group", ", ".join(self._names.groups[name])) for name in _once(self._names.groups)]

    # -- conditions and formulae -------------------------------------------------------------------------------------

    def _condition(self) -> Iterable[Offer]:
        before = self._before[-1]
        if before == ".":
            return self._members(self._before[-2])
        if self._section in _FORMULAE:
            who = self._who()
            if who is not None:
                return who
        if before in COMPARISONS:
            return self._values()
        if self._is_operand(before):
            return infix(self._section)
        if self._section == "Evolution" and "if" not in self._line:
            return self._own()
        if self._section == "Evaluation" and not self._line:
            return ()
        return self._operands()

    def _is_operand(self, word: str) -> bool:
        if word == ")":
            return True
        structural = word in ("and", "or", "if", "xor", "LTL", "CTL*")
        if not word or not word[0].isalnum() or structural:
            return False
        return self._section not in _FORMULAE or word not in operators_alone()

    def _who(self) -> list[Offer] | None:
        """Agents and groups, where whom a formula is about is to be named."""
        before, opened = self._before[-1], self._before[-2]
        if before == "(" and opened in EPISTEMIC:
            return self._agents() if opened in OF_AGENT else [*self._groups(), *self._agents()]
        if before == "<" and not self._is_operand(opened):
            return [*self._groups(), *self._agents()]
        rest = list(self._line)
        while rest and rest[-1] in (",", *map(bare, self._names.agents), ENVIRONMENT):
            rest.pop()
        listed = before in (",", "{") and rest and rest[-1] in ("{", "<")
        return self._agents() if listed else None

    def _operands(self) -> list[Offer]:
        if self._section in _FORMULAE:
            propositions = [_indexed(name, "proposition") for name in _once(self._names.propositions)]
            return [*propositions, *operators(), *self._owners()]
        if not self._inside:
            return [*self._owners(), *_booleans()]
        found = [*self._own(), *self._members_of_environment("Environment.")]
        if self._section == "Evolution":
            found.append(Offer("Action", "keyword", insert="Action = ${1:action}"))
            found += [_indexed(name, "keyword", behind=".Action") for name in self._others()]
        elif self._section == "Protocol":
            if not self._line:
                found.append(Offer("Other", "keyword", insert="Other : {${1:action}};"))
            found += _knowledge() if not self._names.interleaved else []
        return [*found, *_booleans()]

    def _own(self) -> list[Offer]:
        return [_variable(name, self._agent) for name in _once(self._agent.variables)]

    def _others(self) -> list[str]:
        others = [name for name in _once(self._names.agents) if name != self._agent.name or "[" in name]
        return [] if self._names.interleaved else others

    def _owners(self) -> list[Offer]:
        agents = self._names.agents
        return [_indexed(name, "agent", behind=".") for name in _once(agents) if agents[name].variables]

    def _members(self, owner: str) -> list[Offer]:
        """What can stand behind ``owner.``."""
        agent = self._named(owner)
        if not self._inside:
            colours = ("RedStates", "GreenStates") if self._section in _FORMULAE else ()
            variables = [_variable(name, agent) for name in _once(agent.variables)]
            return [*variables, *[Offer(one, "keyword") for one in colours]]
        found = self._own() if owner == bare(self._agent.name) else []
        if owner == ENVIRONMENT != self._agent.name:
            found = self._members_of_environment()
        acts = self._section == "Evolution" and "if" in self._line
        return [*found, *([Offer("Action", "keyword", insert="Action = ${1:action}")] if acts else [])]

    def _members_of_environment(self, prefix: str = "") -> list[Offer]:
        environment = self._names.environment
        if environment.name == self._agent.name:
            return []
        seen = [name for name in environment.variables if self._agent.sees(environment, name)]
        return [_variable(name, environment, prefix) for name in _once(seen)]

    def _values(self) -> list[Offer]:
        """What the left side of a comparison or assignment can be."""
        *_, before, point, name, _ = self._before
        agent = self._named(before) if point == "." else self._agent
        owner = agent.name
        if name == "Action":
            return _actions(agent)
        domain = next((known for one, known in agent.variables.items() if bare(one) == name), None)
        values = list(_of_domain(domain, f"{owner}.{name}"))
        return [*values, *self._alike(domain, name)]

    def _alike(self, domain: Domain | None, name: str) -> Iterator[Offer]:
        """Variables in scope whose values go together with a domain's."""
        if self._section in ("Goals", "Fairness", "Formulae", "Evaluation", "InitStates"):
            return
        if domain is None:
            return
        for one in _once(self._agent.variables):
            if bare(one) != name and self._agent.variables[one].sort is domain.sort:
                yield _variable(one, self._agent)
        environment = self._names.environment
        for one in _once(environment.variables) if environment.name != self._agent.name else ():
            if self._agent.sees(environment, one) and environment.variables[one].sort is domain.sort:
                yield _variable(one, environment, "Environment.")


def _asks_knowledge(line: list[str]) -> bool:
    """Whether a bracket behind an operator of knowledge is still open."""
    opened: list[bool] = []
    for at, word in enumerate(line):
        if word == "(":
            opened.append(line[at - 1] in EPISTEMIC if at else False)
        elif word == ")" and opened:
            opened.pop()
    return any(opened)


def _knowledge() -> list[Offer]:
    """What a guard can ask the agent to know."""
    return [
        Offer("K", "keyword", "this agent knows", "K(self, ${1:f})"),
        Offer("KW", "keyword", "this agent knows whether", "KW(self, ${1:f})"),
        Offer("GCK", "keyword", "it is common knowledge of a group with this agent", "GCK(${1:group}, ${2:f})"),
    ]


def operators_alone() -> frozenset[str]:
    """Words that are operators of formulae, so that an operand follows."""
    return frozenset(offer.label for offer in operators()) | {"U", "W", "R", "S"}


def _once(names: Iterable[str]) -> list[str]:
    """Of each family the first member."""
    return list({bare(name): name for name in reversed(list(names))}.values())[::-1]


def _indexed(name: str, kind: str, detail: str = "", before: str = "", behind: str = "") -> Offer:
    """A name; that of a family with fields for the indices."""
    if "[" not in name:
        return Offer(before + name + behind, kind, detail)
    indices = name[len(bare(name)) + 1 : -1].split(",")
    letters = ["ijklmn"[place % 6] for place in range(len(indices))]
    fields = ", ".join(f"${{{place}:{letter}}}" for place, letter in enumerate(letters, start=1))
    label = f"{before}{bare(name)}[{', '.join(letters)}]{behind}"
    return Offer(label, kind, detail, f"{before}{bare(name)}[{fields}]{behind}")


def _variable(name: str, agent: AgentNames, prefix: str = "") -> Offer:
    return _indexed(name, "variable", str(agent.variables[name]), prefix)


def _actions(agent: AgentNames) -> list[Offer]:
    return [_indexed(action, "action", agent.name) for action in _once(agent.actions)]


def _booleans() -> list[Offer]:
    return [Offer("true", "keyword"), Offer("false", "keyword")]


def _of_domain(domain: Domain | None, of: str) -> Iterable[Offer]:
    match domain:
        case Boolean():
            return _booleans()
        case Enumeration(values):
            return [Offer(value, "value", of) for value in values]
        case Bounded(low, high) if high - low < _MOST_NUMBERS:
            return [Offer(str(number), "value", of) for number in range(low, high + 1)]
    return ()
