"""Text to checked system, in one call."""

from __future__ import annotations

from contextlib import suppress

from epistrat.lang.lexer import Words
from epistrat.lang.lower import Lowerer
from epistrat.lang.lower_formula import FormulaLowering
from epistrat.lang.names import Names
from epistrat.lang.origins import Origins
from epistrat.lang.parse_formula import FormulaParser, whole_formula
from epistrat.lang.parse_model import ModelParser
from epistrat.lang.rules import check_sections
from epistrat.lang.scope import Scope
from epistrat.lang.strict import StrictProgram
from epistrat.lang.strict_formula import StrictFormulae
from epistrat.lang.suspicions import Suspicions
from epistrat.lang.syntax import Program
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.records import dataclass
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
    words, _, lowerer, system = read(text, name, strict, equal_enumerations)
    return Loaded(system, words.report, lowerer.origins, words.source)


def read(text: str, name: str, strict: bool, equal_enumerations: bool) -> tuple[Words, Program, Lowerer, System | None]:
    """All stages in their order: words, tree, sections, names, types and terms, what looks suspicious; no system if there are errors."""
    source = SourceText(text, name)
    report = Report(source)
    words, program = Words(source, report), Program()
    lowerer = Lowerer(words, equal_sets=equal_enumerations)
    system = None
    with suppress(TooMany):
        if not words.too_long:
            ModelParser(words, strict).program(program)
            check_sections(program, words)
            system = lowerer.system(program)
            if strict:
                StrictProgram(words, lowerer.names).check(program)
            if report.ok:
                Suspicions(system, lowerer.origins, report).check()
    report.sort()
    return words, program, lowerer, system if report.ok else None


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
