"""Short texts that an editor may show though nobody wrote them: the numbers of formulae, which messages and `--only` use."""

from __future__ import annotations

from epistrat.ide.lenses import lenses
from epistrat.ide.values import Hint
from epistrat.lang.analysis import Analysis
from epistrat.source import Span


def hints(analysis: Analysis, span: Span | None = None) -> list[Hint]:
    """The hints in a range, or everywhere."""
    found = [Hint(lens.span.start, f"{lens.number}:") for lens in lenses(analysis)]
    return [hint for hint in found if span is None or span.start <= hint.offset <= span.end]
