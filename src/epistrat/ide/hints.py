"""Short texts that an editor may show though nobody wrote them: the numbers of formulae, and how many members a family has."""

from __future__ import annotations

from epistrat.ide.lenses import lenses
from epistrat.ide.values import Hint
from epistrat.ide.written import family, own_text, written_uses
from epistrat.lang.analysis import Analysis
from epistrat.source import Span


def hints(analysis: Analysis, span: Span | None = None) -> list[Hint]:
    """The hints in a range, or everywhere, in the order of the text."""
    found = sorted([*_numbers(analysis), *_sizes(analysis)])
    return [hint for hint in found if span is None or span.start <= hint.offset <= span.end]


def _numbers(analysis: Analysis) -> list[Hint]:
    """The number of a formula, or, of formulae that a family writes, the first and the last."""
    numbers: dict[int, list[int]] = {}
    for lens in lenses(analysis):
        numbers.setdefault(lens.span.start, []).append(lens.number)
    return [
        Hint(offset, f"{min(some)}:" if len(some) == 1 else f"{min(some)}-{max(some)}:")
        for offset, some in numbers.items()
    ]


def _sizes(analysis: Analysis) -> list[Hint]:
    """How many members a family has, behind its declaration."""
    if analysis.words is analysis.words.written:
        return []
    members: dict[object, set[str]] = {}
    for use in analysis.uses.values():
        if use.declares and "[" in use.symbol.name:
            members.setdefault(family(use.symbol), set()).add(use.symbol.name)
    found: list[Hint] = []
    for use in written_uses(analysis).values():
        if use.declares and use.symbol.kind != "formula" and (size := len(members.get(family(use.symbol), ()))):
            end = analysis.words.span(use.at, use.at + 1).end
            if end <= len(own_text(analysis)):
                found.append(Hint(end, f"{size} members" if size > 1 else "1 member"))
    return found
