"""From a text to its `Template`: the families' pieces, laid out once, go through the ordinary parser, whose tree is copied."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from epistrat.lang import syntax
from epistrat.lang.families import Include, included
from epistrat.lang.families.constants import Constant
from epistrat.lang.families.pieces import Range, Repeat
from epistrat.lang.lexer import Words
from epistrat.lang.parse.model import ModelParser
from epistrat.lang.templates import tree
from epistrat.lang.templates.holes import Laid, NotATree as NotATree, OpenReader
from epistrat.lang.templates.index import Index, folded, named, number
from epistrat.lang.templates.terms import TermReader
from epistrat.source import Report, SourceText, Span, TooMany


def template(
    text: str, parameter: str, given: Mapping[str, int], name: str = "<text>", include: Include | None = None
) -> tree.Template:
    """The tree of a text in which one parameter is open; raises `NotATree` where there is none.

    ``given`` are the values of other parameters; those without have their default.
    """
    source = SourceText(text, name)
    words = included(Words(source, Report(source)), include)
    reader = OpenReader(words, dict(given))
    laid = program = None
    with suppress(TooMany):
        laid = Laid(words, reader.program(), reader.ends)
        if words.report.ok:
            program = syntax.Program()
            ModelParser(laid.words).program(program)
    if program is None or laid is None or not words.report.ok:
        raise NotATree(next((one.message for one in words.report.diagnostics), "the text"), 0)
    if parameter not in reader.parameters:
        raise NotATree(f"there is no parameter `{parameter}`", 0)
    return _Reading(words, laid, reader, parameter).template(program)


class Indices:
    """Index terms of the reader's as those of the tree: the open parameter and indices stay, all else is put in."""

    def __init__(self, reader: OpenReader, parameter: str) -> None:
        self._known: dict[str, Index] = {parameter: named(parameter)}
        for name, value in reader.env.items():
            if name not in self._known:
                written = reader.expressions.get(name)
                self._known[name] = number(value) if written is None else self.index(written)

    def index(self, constant: Constant) -> Index:
        """The expression."""
        if constant.op == "#":
            return number(constant.number)
        if constant.op == "name":
            return self._known.get(constant.name, named(constant.name))
        return folded(Index(constant.op, tuple([self.index(arg) for arg in constant.args])))

    def scope(self, written: Range, at: int) -> tree.Scope:
        """A range."""
        where = None if written.where is None else self.index(written.where)
        binders = [tree.Binder(one.name, self.index(one.low), self.index(one.high)) for one in written.binders]
        return tree.Scope(tuple(binders), where, at)


class _Reading:
    """Copies the syntax tree."""

    def __init__(self, words: Words, laid: Laid, reader: OpenReader, parameter: str) -> None:
        self._source, self._laid = words.source, laid
        self._words = laid.list
        self._parameter = reader.parameters[parameter]
        self._indices = Indices(reader, parameter)
        self._terms = TermReader(words, self._indices, reader.ends)
        self._scopes: dict[int, tree.Scope] = {}

    def template(self, program: syntax.Program) -> tree.Template:
        """The whole."""
        if program.goals:
            raise NotATree("goals", self._laid.origin[program.goals[0].start])
        return tree.Template(
            self._parameter,
            tuple((name, self._words[at]) for name, at in program.settings),
            tuple([self._agent(one) for one in program.agents]),
            tuple([self._proposition(one) for one in program.evaluation]),
            None if program.initial is None else self._term(program.initial),
            tuple([self._group(one) for one in program.groups]),
            tuple([self._formula(one) for one in program.fairness]),
            tuple([self._formula(one) for one in program.formulae]),
            self._source,
        )

    def _span(self, item: syntax.WordRange) -> Span:
        return self._laid.span(item.start, item.end)

    def _term(self, node: syntax.Node, marked: syntax.Marked | None = None) -> tree.Term:
        return self._terms.term(node, self._laid, marked)

    def _scopes_of(self, item: syntax.WordRange, outside: int = 0) -> tuple[tree.Scope, ...]:
        """The scopes of the lines in which an item begins, without so many of the outermost."""
        return tuple([self._scope(one) for one in self._laid.lines[item.start][outside:]])

    def _scope(self, repeat: Repeat) -> tree.Scope:
        key = id(repeat)
        if key not in self._scopes:
            self._scopes[key] = self._indices.scope(repeat.range, len(self._scopes) + 1)
        return self._scopes[key]

    def _name(self, at: int) -> tree.Name:
        return self._terms.name(self._words[at])

    def _listed(self, places: list[int]) -> tuple[tree.Listed, ...]:
        return tuple([self._terms.listed(self._laid, at) for at in places])

    # agents

    def _agent(self, node: syntax.AgentNode) -> tree.AgentTree:
        if node.broken:
            raise NotATree("a line that cannot be read", self._laid.origin[node.broken[0].start])
        outside = len(self._laid.lines[node.start])
        return tree.AgentTree(
            self._scopes_of(node),
            self._name(node.name),
            tuple([self._declared(one, outside) for one in node.obsvars]),
            tuple([self._declared(one, outside) for one in node.vars]),
            self._listed(node.lobsvars),
            None if node.red is None else self._term(node.red),
            self._listed(node.actions),
            tuple([self._rule(one, outside) for one in node.protocol]),
            tuple([self._move(one, outside) for one in node.evolution]),
            self._span(node),
        )

    def _declared(self, node: syntax.Declaration, outside: int) -> tree.Declared:
        scopes, name, at = self._scopes_of(node, outside), self._name(node.name), self._span(node)
        if node.kind == "..":
            low, high = [self._bound(place) for place in node.items]
            return tree.Declared(scopes, name, "..", low, high, at=at)
        values = self._listed(node.items) if node.kind == "{" else ()
        return tree.Declared(scopes, name, node.kind, values=values, at=at)

    def _bound(self, at: int) -> Index:
        if self._words[at] == "-":
            return folded(Index("negative", (self._bound(at + 1),)))
        return self._terms.bound(self._words[at])

    def _rule(self, node: syntax.ProtocolRule, outside: int) -> tree.Rule:
        together = {at for places in node.sets for at in places}
        first = {places[0]: places for places in node.sets}
        choices = [
            self._listed(first[at]) if at in first else self._listed([at])[0]
            for at in node.actions
            if at in first or at not in together
        ]
        condition = None if node.condition is None else self._term(node.condition)
        return tree.Rule(self._scopes_of(node, outside), condition, tuple(choices), self._span(node))

    def _move(self, node: syntax.Move, outside: int) -> tree.Move:
        assigns = []
        for one in node.assigns:
            target = self._term(one.target)
            assert isinstance(target, tree.Ref)
            assigns.append((target, self._term(one.value)))
        return tree.Move(self._scopes_of(node, outside), tuple(assigns), self._term(node.guard), self._span(node))

    # behind the agents

    def _proposition(self, node: syntax.Named) -> tree.Proposition:
        assert node.condition is not None
        return tree.Proposition(
            self._scopes_of(node), self._name(node.name), self._term(node.condition), self._span(node)
        )

    def _group(self, node: syntax.GroupNode) -> tree.GroupTree:
        return tree.GroupTree(
            self._scopes_of(node), self._name(node.name), self._listed(node.members), self._span(node)
        )

    def _formula(self, node: syntax.Marked) -> tree.FormulaTree:
        start = node if node.name is None else syntax.WordRange(node.name, node.end)
        return tree.FormulaTree(
            self._scopes_of(start),
            None if node.name is None else self._name(node.name),
            tree.Unread("strategies with names", self._span(node)) if node.named else self._term(node.body, node),
            node.marker,
            node.tag,
            self._span(start),
        )
