"""What words name where they are written.  A word of a family is written once and names several members."""

from __future__ import annotations

import re
from collections.abc import Iterator

from epistrat.lang.analysis import Analysis
from epistrat.lang.uses import Symbol, Use
from epistrat.source import JoinedText, Span

_INDICES = re.compile(r"\[[^\]]*\]")


def own_text(analysis: Analysis) -> str:
    """The text itself, without the files that it includes."""
    source = analysis.source
    return source.parts[0][1].text if isinstance(source, JoinedText) else source.text


def bare(name: str) -> str:
    """A name without indices."""
    return _INDICES.sub("", name) if "[" in name else name


def family(symbol: Symbol) -> Symbol:
    """What all members of a family have in common: the names without indices."""
    return Symbol(symbol.kind, bare(symbol.owner), bare(symbol.name))


def uses_at(analysis: Analysis, offset: int) -> list[Use]:
    """The uses of the word at an offset, one for each member that it stands for; a place directly behind a name belongs to it."""
    if analysis.words is analysis.words.written:
        use = analysis.use_at(offset)
        return [] if use is None else [use]
    words = analysis.words.written
    at = words.at(offset)
    for place in (at, at + 1):
        span = words.span(place, place + 1)
        if span.start <= offset <= span.end:
            found = [use for use in analysis.uses.values() if analysis.words.origin(use.at) == place]
            if found:
                return found
    return []


def written_uses(analysis: Analysis) -> dict[int, Use]:
    """By the index of a written word what it names; of several members the first, which assigns or declares if any does."""
    if analysis.words is analysis.words.written:
        return analysis.uses
    found: dict[int, Use] = {}
    for use in analysis.uses.values():
        at = analysis.words.origin(use.at)
        first = found.get(at, use)
        found[at] = first._replace(declares=first.declares or use.declares, writes=first.writes or use.writes)
    return dict(sorted(found.items()))


def same(analysis: Analysis, symbol: Symbol) -> Iterator[tuple[Span, Use]]:
    """Every written word of the text itself that names a thing or, in families, one of its kin."""
    wanted, end = family(symbol), len(own_text(analysis))
    words = analysis.words.written
    for at, use in written_uses(analysis).items():
        if family(use.symbol) == wanted:
            span = words.span(at, at + 1)
            if span.end <= end:
                yield span, use


def declared(analysis: Analysis, symbol: Symbol) -> Span | None:
    """Where something is declared in the text itself."""
    return next((span for span, use in same(analysis, symbol) if use.declares), None)
