"""Text to checked system, in one call."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from epistrat.lang.analysis import analyse
from epistrat.lang.lexer import Words
from epistrat.lang.lower_formula import FormulaLowering
from epistrat.lang.names import Names
from epistrat.lang.origins import Origins
from epistrat.lang.parse_formula import FormulaParser, whole_formula
from epistrat.lang.scope import Scope
from epistrat.lang.strict_formula import StrictFormulae
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.source import Diagnostic, Report, SourceText, TooMany
from epistrat.terms import Terms


@dataclass(frozen=True)
class Loaded:
    """What came of a text: the system (None if there are errors), the messages, and where everything stands."""

    system: System | None
    report: Report
    origins: Origins
    source: SourceText

    @property
    def ok(self) -> bool:
        """Whether there is a system."""
        return self.system is not None

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All messages, in the order of the text."""
        return self.report.diagnostics


def load(text: str, name: str = "<text>", *, strict: bool = False, equal_enumerations: bool = False) -> Loaded:
    """The system that an ISPL text describes.

    ``strict`` refuses everything that MCMAS 1.3.0 would refuse; ``equal_enumerations`` refuses comparisons of enumerations
    with different value sets (MCMAS's option ``-n``).
    """
    found = analyse(text, name, strict=strict, equal_enumerations=equal_enumerations)
    return Loaded(found.system, found.report, found.origins, found.source)


def parse_formula(text: str, system: System, *, strict: bool = False) -> tuple[Formula | None, list[Diagnostic]]:
    """The formula that a text denotes over the names of a system; None if there are errors."""
    report = Report(SourceText(text, "<formula>"))
    formula = None
    with suppress(TooMany):
        words = Words(report.source, report)
        marked = None if words.too_long else whole_formula(FormulaParser(words, strict))
        if marked is not None:
            names = Names.of(system)
            formula = FormulaLowering(Scope(names, Terms(), words)).formula(marked)
            if strict:
                StrictFormulae(words, names).check(marked)
    report.sort()
    return (formula if report.ok else None), report.diagnostics
