"""What is known of a text, whether it is a model already or half of one: tree, names, uses, types, messages.

The tree stays as it was read; what is found out about it stands beside it, keyed by node or by word.  Nothing but the messages is
computed before it is asked for, so that checking a large model pays for none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from epistrat.lang.families import Include
from epistrat.lang.lexer import Words
from epistrat.lang.load import read
from epistrat.lang.lower.expr import Lowering
from epistrat.lang.names import AgentNames, Names
from epistrat.lang.origins import Origins
from epistrat.lang.scope import AgentScope, Scope
from epistrat.lang.syntax import AgentNode, Chain, Item, Leaf, Plain, Prefix, Program, children, items
from epistrat.lang.uses import Symbol, Use, find_uses
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.source import Diagnostic, Report, SourceText, Span
from epistrat.terms import Domain, Sort, Terms, Var


@dataclass(frozen=True)
class Analysis:
    """A text and what is known of it.  ``system`` is None if there are errors; everything else is there all the same."""

    words: Words
    program: Program
    names: Names
    origins: Origins
    report: Report
    system: System | None

    @property
    def source(self) -> SourceText:
        """The text."""
        return self.words.source

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All messages, in the order of the text."""
        return self.report.diagnostics

    def span(self, item: Item) -> Span:
        """The characters of an item of the tree."""
        return self.words.span(item.start, item.end)

    # -- names -------------------------------------------------------------------------------------------------------

    @cached_property
    def uses(self) -> dict[int, Use]:
        """Every word that names something, by its index, in the order of the text."""
        return {use.at: use for use in find_uses(self.program, self.words, self.names)}

    def use_at(self, offset: int) -> Use | None:
        """The use or declaration at an offset; a place directly behind a name belongs to it."""
        at = self.words.at(offset)
        found = self.uses.get(at)
        if found is None or self.words.span(at, at + 1).start > offset:
            following = self.words.span(at + 1, at + 2).start == offset
            return self.uses.get(at + 1) if following else None
        return found

    def definition(self, symbol: Symbol) -> Span | None:
        """Where something is declared (the first time, if several); None if nowhere."""
        return next((self._place(use) for use in self.uses.values() if use.declares and use.symbol == symbol), None)

    def references(self, symbol: Symbol) -> list[Span]:
        """Every place that names something, its declarations included."""
        return [self._place(use) for use in self.uses.values() if use.symbol == symbol]

    def _place(self, use: Use) -> Span:
        return self.words.span(use.at, use.at + 1)

    # -- nodes -------------------------------------------------------------------------------------------------------

    def items_at(self, offset: int) -> list[Item]:
        """The items of the tree around an offset, outermost first."""
        at = self.words.at(offset)
        found: list[Item] = []
        level = items(self.program)
        while level:
            inside = [item for item in level if item.start <= at < item.end]
            found += inside[-1:]
            level = children(inside[-1]) if inside else []
        return found

    def agent_at(self, offset: int) -> AgentNames | None:
        """The agent whose lines stand around an offset."""
        agents = [item for item in self.items_at(offset) if isinstance(item, AgentNode)]
        return self.names.agents.get(self.words.list[agents[0].name]) if agents else None

    def type_of(self, item: Item, agent: AgentNames | None) -> Domain | Sort | None:
        """What values an expression has inside an agent (or, with None, outside all): a variable's domain, else a sort."""
        if not isinstance(item, (Leaf, Plain, Chain, Prefix)):
            return None
        words, terms = self.words.muted(), Terms()
        scope = (
            Scope(self.names, terms, words) if agent is None else AgentScope(self.names, terms, words, agent, acts=True)
        )
        if not _is_expression(item):
            return None
        expr = Lowering(scope).value(item)
        if expr is None:
            return None
        return scope.domain(expr.agent, expr.name) if isinstance(expr, Var) else expr.sort


def _is_expression(item: Item) -> bool:
    """Whether there are no operators of time, knowledge or strategies in it."""
    if isinstance(item, Prefix) and item.op not in ("!", "~"):
        return False
    return isinstance(item, (Leaf, Plain, Chain, Prefix)) and all(map(_is_expression, children(item)))


def analyse(
    text: str,
    name: str = "<text>",
    *,
    parameters: Mapping[str, int] | None = None,
    include: Include | None = None,
) -> Analysis:
    """What is known of a text; see `epistrat.lang.load.load` for the options."""
    words, program, lowerer, system = read(text, name, False, False, parameters or {}, include)
    return Analysis(words, program, lowerer.names, lowerer.origins, words.report, system)
