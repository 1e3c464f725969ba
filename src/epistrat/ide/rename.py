"""Renaming: every place that names a thing, checked by reading the new text before it is offered."""

from __future__ import annotations

import re
from collections.abc import Callable

from epistrat.ide.navigate import references
from epistrat.ide.parameters import parameter_at
from epistrat.ide.written import bare, declared, family, own_text, uses_at
from epistrat.lang.analysis import Analysis, analyse
from epistrat.lang.uses import Symbol
from epistrat.lang.vocabulary import STRUCTURE
from epistrat.model.agent import ENVIRONMENT
from epistrat.source import Edit, Fix, Span

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class CannotRename(ValueError):
    """Why a name cannot be changed, in words."""


def renamable(analysis: Analysis, offset: int) -> Span | None:
    """The word at a place, if it can be given another name."""
    uses = uses_at(analysis, offset)
    if not uses and parameter_at(analysis, offset) is None:
        return None
    if uses and (bare(uses[0].symbol.name) == ENVIRONMENT or declared(analysis, uses[0].symbol) is None):
        return None
    return next(one.span for one in references(analysis, offset) if one.span.start <= offset <= one.span.end)


def rename(
    analysis: Analysis, offset: int, name: str, read: Callable[[str, str], Analysis] = analyse
) -> tuple[Edit, ...]:
    """The edits that give the thing named at a place (of a family: all members) another name; raises `CannotRename`.

    The new text is read before (by ``read``, which takes a text and its name): every word must name what it named, and there must be no
    new errors.
    """
    here = renamable(analysis, offset)
    if here is None:
        raise CannotRename("there is nothing here that can be renamed")
    if not _NAME.fullmatch(name):
        raise CannotRename(f"`{name}` is not a name: a letter, then letters, digits and underscores")
    if name in STRUCTURE:
        raise CannotRename(f"`{name}` is a reserved word")
    edits = tuple(Edit(one.span, name) for one in references(analysis, offset))
    if name != analysis.source.cut(here):
        text = Fix("rename", edits).apply(own_text(analysis))
        uses = uses_at(analysis, offset)
        after = read(text, analysis.source.name)
        _verify(analysis, after, family(uses[0].symbol) if uses else None, name)
    return edits


def _verify(before: Analysis, after: Analysis, symbol: Symbol | None, name: str) -> None:
    if len(after.report.errors) > len(before.report.errors):
        known = {error.message for error in before.report.errors}
        fresh = [error.message for error in after.report.errors if error.message not in known]
        raise CannotRename(f"with the name `{name}` there would be an error: {fresh[0]}")
    expected = {at: _renamed(use.symbol, symbol, name) for at, use in before.uses.items()}
    found = {at: use.symbol for at, use in after.uses.items()}
    merged = len(set(expected.values())) < len({use.symbol for use in before.uses.values()})
    if expected != found or merged:
        raise CannotRename(f"`{name}` has another meaning here already")


def _renamed(symbol: Symbol, changed: Symbol | None, name: str) -> Symbol:
    """What a symbol is called when another (or itself, or a family) has a new name."""
    if changed is None:
        return symbol
    if family(symbol) == changed:
        return symbol._replace(name=name + symbol.name[len(bare(symbol.name)) :])
    agent, point, variable = symbol.owner.partition(".")
    if changed.kind == "agent" and bare(agent) == changed.name:
        agent = name + agent[len(changed.name) :]
    elif changed.kind == "variable" and symbol.kind == "value" and (bare(agent), bare(variable)) == changed[1:]:
        variable = name + variable[len(changed.name) :]
    return symbol._replace(owner=f"{agent}{point}{variable}")
