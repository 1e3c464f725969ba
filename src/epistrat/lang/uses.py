"""Names in a text: where each is declared and where it is used.

Names are resolved as in `scope`, but silently: what cannot be resolved is left out.  Broken lines are looked at too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from epistrat.lang import syntax
from epistrat.lang.lexer import Words
from epistrat.lang.names import AgentNames, Names
from epistrat.lang.syntax import Node, children
from epistrat.lang.vocabulary import SELF
from epistrat.terms import Enumeration


class Symbol(NamedTuple):
    """Something with a name.

    ``kind`` is ``agent``, ``variable``, ``action``, ``value``, ``proposition``, ``group`` or ``formula``;
    ``owner`` is the agent of a variable or action, ``agent.variable`` of a value, else empty.
    """

    kind: str
    owner: str
    name: str


class Use(NamedTuple):
    """A word that names something; ``declares`` marks the declaration, ``writes`` an assignment."""

    at: int
    symbol: Symbol
    declares: bool = False
    writes: bool = False


def find_uses(program: syntax.Program, words: Words, names: Names) -> list[Use]:
    """All declarations and uses, in the order of the text."""
    return sorted(_Finder(words, names).program(program))


class _Finder:
    def __init__(self, words: Words, names: Names) -> None:
        self._words = words.list
        self._names = names
        self._own: AgentNames | None = None
        self._self: AgentNames | None = None  # whose guard this is

    def program(self, program: syntax.Program) -> Iterator[Use]:
        for item in syntax.items(program):
            yield from self._item(item)

    def _item(self, item: syntax.Item) -> Iterator[Use]:
        match item:
            case syntax.AgentNode():
                yield from self._agent(item)
                return
            case syntax.Declaration():
                yield from self._declaration(item)
            case syntax.ProtocolRule(actions=actions) if self._own is not None:
                yield from (self._use(at, "action", self._own.name) for at in actions)
            case syntax.Marked(name=int(name)):
                yield self._use(name, "formula", declares=True)
            case syntax.Named(name=name):
                yield self._use(name, "proposition", declares=True)
            case syntax.GroupNode(name=name, members=members):
                yield self._use(name, "group", declares=True)
                yield from (self._use(at, "agent") for at in members)
            case syntax.Who():
                yield from self._who(item)
            case syntax.Assign(target=target, value=value):
                yield from self._pair(target, value, writes=True)
                return
            case syntax.Plain(start, end, op):
                yield from self._pair(syntax.Leaf(start, op), syntax.Leaf(op + 1, end))
            case syntax.Chain(level=syntax.Level.COMPARE, parts=[left, right]):
                yield from self._pair(left, right)
                return
            case syntax.Leaf():
                yield from self._leaf(item)
            case syntax.Epistemic() if self._own is not None:
                yield from self._guard(item)
                return
        for child in children(item):
            yield from self._item(child)

    def _use(self, at: int, kind: str, owner: str = "", *, declares: bool = False) -> Use:
        return Use(at, Symbol(kind, owner, self._words[at]), declares)

    def _agent(self, node: syntax.AgentNode) -> Iterator[Use]:
        name = self._words[node.name]
        yield self._use(node.name, "agent", declares=True)
        yield from (self._use(at, "action", name, declares=True) for at in node.actions)
        environment = self._names.environment
        yield from (self._use(at, "variable", environment.name) for at in node.lobsvars)
        self._own = self._names.agents.get(name)
        for child in children(node):
            yield from self._item(child)
        self._own = None

    def _declaration(self, node: syntax.Declaration) -> Iterator[Use]:
        owner = "" if self._own is None else self._own.name
        yield self._use(node.name, "variable", owner, declares=True)
        if node.kind == "{":
            variable = f"{owner}.{self._words[node.name]}"
            yield from (self._use(at, "value", variable, declares=True) for at in node.items)

    def _guard(self, node: syntax.Epistemic) -> Iterator[Use]:
        """Knowledge in a condition of an agent: inside, the rules of formulae hold."""
        own, self._own, self._self = self._own, None, self._own
        yield from self._item(node.who)
        yield from self._item(node.arg)
        self._own, self._self = own, None

    def _who(self, who: syntax.Who) -> Iterator[Use]:
        for at in who.names:
            is_group = not who.listed and self._words[at] in self._names.groups
            if self._self is not None and self._words[at] == SELF and not (is_group or self._names.is_agent(SELF)):
                continue
            yield self._use(at, "group" if is_group else "agent")

    def _pair(self, left: Node, right: Node, writes: bool = False) -> Iterator[Use]:
        """Two sides of a comparison or an assignment: beside a variable a bare name is one of its values."""
        if isinstance(left, syntax.Leaf) and self._words[left.end - 1] == "Action" and isinstance(right, syntax.Leaf):
            prefixed = left.end - left.start == 3
            actor = self._words[left.start] if prefixed else "" if self._own is None else self._own.name
            if prefixed:
                yield self._use(left.start, "agent")
            yield self._use(right.start, "action", actor)
            return
        for one, other in ((left, right), (right, left)):
            value = self._value(one, other)
            if value is not None:
                yield value
            elif isinstance(one, syntax.Leaf):
                yield from self._leaf(one, writes and one is left)
            else:
                yield from self._item(one)

    def _value(self, leaf: Node, beside: Node) -> Use | None:
        if not isinstance(leaf, syntax.Leaf) or not isinstance(beside, syntax.Leaf) or self.variable(leaf) is not None:
            return None
        variable = self.variable(beside)
        if variable is None or leaf.end - leaf.start != 1:
            return None
        domain = self._names.agents[variable.owner].variables.get(variable.name)
        if not isinstance(domain, Enumeration) or self._words[leaf.start] not in domain.values:
            return None
        return self._use(leaf.start, "value", f"{variable.owner}.{variable.name}")

    def variable(self, leaf: syntax.Leaf) -> Symbol | None:
        """The variable that a leaf names, if it names one."""
        prefixed = leaf.end - leaf.start == 3
        owner = self._names.agents.get(self._words[leaf.start]) if prefixed else self._own
        name = self._words[leaf.end - 1]
        if owner is None or (name not in owner.variables and name not in owner.unclear):
            return None
        return Symbol("variable", owner.name, name)

    def _leaf(self, leaf: syntax.Leaf, writes: bool = False) -> Iterator[Use]:
        if leaf.end - leaf.start == 3 and self._names.is_agent(self._words[leaf.start]):
            yield self._use(leaf.start, "agent")
        variable = self.variable(leaf)
        if variable is not None:
            yield Use(leaf.end - 1, variable, writes=writes)
        elif leaf.end - leaf.start == 1 and self._own is None and self._words[leaf.start] in self._names.propositions:
            yield self._use(leaf.start, "proposition")
