"""Renaming: every place that names a thing, checked by reading the new text before it is offered."""

from __future__ import annotations

import re

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
    use = analysis.use_at(offset)
    if use is None or use.symbol.name == ENVIRONMENT or analysis.definition(use.symbol) is None:
        return None
    return analysis.words.span(use.at, use.at + 1)


def rename(analysis: Analysis, offset: int, name: str) -> tuple[Edit, ...]:
    """The edits that give the thing named at a place another name; raises `CannotRename`.

    The new text is read before: every word must name what it named, and there must be no new errors.
    """
    use = analysis.use_at(offset)
    if use is None or renamable(analysis, offset) is None:
        raise CannotRename("there is nothing here that can be renamed")
    if not _NAME.fullmatch(name):
        raise CannotRename(f"`{name}` is not a name: a letter, then letters, digits and underscores")
    if name in STRUCTURE:
        raise CannotRename(f"`{name}` is a reserved word")
    edits = tuple(Edit(span, name) for span in analysis.references(use.symbol))
    if name != use.symbol.name:
        _verify(analysis, use.symbol, Fix("rename", edits).apply(analysis.source.text), name)
    return edits


def _verify(before: Analysis, symbol: Symbol, text: str, name: str) -> None:
    after = analyse(text, before.source.name)
    if len(after.report.errors) > len(before.report.errors):
        known = {error.message for error in before.report.errors}
        fresh = [error.message for error in after.report.errors if error.message not in known]
        raise CannotRename(f"with the name `{name}` there would be an error: {fresh[0]}")
    expected = {at: _renamed(use.symbol, symbol, name) for at, use in before.uses.items()}
    found = {at: use.symbol for at, use in after.uses.items()}
    merged = len(set(expected.values())) < len({use.symbol for use in before.uses.values()})
    if expected != found or merged:
        raise CannotRename(f"`{name}` has another meaning here already")


def _renamed(symbol: Symbol, changed: Symbol, name: str) -> Symbol:
    """What a symbol is called when another (or itself) has a new name."""
    if symbol == changed:
        return symbol._replace(name=name)
    owner = symbol.owner
    if changed.kind == "agent":
        agent, point, variable = owner.partition(".")
        owner = f"{name}{point}{variable}" if agent == changed.name else owner
    elif changed.kind == "variable" and symbol.kind == "value" and owner == f"{changed.owner}.{changed.name}":
        owner = f"{changed.owner}.{name}"
    return symbol._replace(owner=owner)
