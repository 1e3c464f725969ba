"""Text to checked system, in one call."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from epistrat import garbage
from epistrat.lang.consequences import independent
from epistrat.lang.lexer import Words
from epistrat.lang.lower.formula import FormulaLowering
from epistrat.lang.lower.model import Lowerer
from epistrat.lang.names import Names
from epistrat.lang.origins import Origins
from epistrat.lang.parse.formula import FormulaParser, whole_formula
from epistrat.lang.parse.model import ModelParser
from epistrat.lang.rules import check_sections
from epistrat.lang.scope import Scope
from epistrat.lang.suspicions import Suspicions
from epistrat.lang.syntax import Program
from epistrat.lang.vocabulary import FAMILY_WORDS
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.records import dataclass, replace
from epistrat.source import Diagnostic, Report, SourceText, TooMany
from epistrat.terms import Terms

if TYPE_CHECKING:
    from epistrat.lang.families import Include


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


def without_text(system: System | None, report: Report | None = None) -> Loaded:
    """A system that was not written but built, or messages alone: nothing has a place."""
    report = report or Report(SourceText("", ""))
    return Loaded(system, report, Origins(Words(report.source, Report(report.source))), report.source)


def load(
    text: str,
    name: str = "<text>",
    *,
    strict: bool = False,
    equal_enumerations: bool = False,
    parameters: Mapping[str, int] | None = None,
    include: Include | None = None,
) -> Loaded:
    """The system that an ISPL text describes.

    ``strict`` refuses everything that MCMAS 1.3.0 would refuse; ``equal_enumerations`` refuses comparisons of enumerations
    with different value sets (MCMAS's option ``-n``).  ``parameters`` are values for the parameters of the text, ``include`` finds the
    files that it includes.
    """
    with garbage.put_off():
        words, _, lowerer, system = read(text, name, strict, equal_enumerations, parameters or {}, include)
    return Loaded(system, words.report, lowerer.origins, words.report.source)


def read(
    text: str,
    name: str,
    strict: bool,
    equal_enumerations: bool,
    parameters: Mapping[str, int],
    include: Include | None,
) -> tuple[Words, Program, Lowerer, System | None]:
    """All stages: words, families, tree, sections, names, types and terms, what looks suspicious; no system if there are errors."""
    source = SourceText(text, name)
    report = Report(source)
    written, program = Words(source, report), Program()
    words = written
    constants: dict[str, int] = {}
    with suppress(TooMany):
        words, constants = _plain(written, strict, parameters, include)
    report = words.report
    # What is wrong with words and families has been told; of the rest, what does not follow from it.
    stages = words if report.ok else words.muted()
    lowerer = Lowerer(stages, equal_sets=equal_enumerations)
    system = None
    with suppress(TooMany):
        if not words.too_long:
            ModelParser(stages, strict).program(program)
            check_sections(program, stages)
            system = replace(lowerer.system(program), constants=constants)
            if strict:
                from epistrat.lang.strict.program import StrictProgram

                StrictProgram(stages, lowerer.names).check(program)
            if report.ok:
                Suspicions(system, lowerer.origins, report, constants).check()
    if stages is not words:
        with suppress(TooMany):
            report.extend(independent(report.diagnostics, stages.report.diagnostics, written))
    _hinted(report)
    report.sort()
    return words, program, lowerer, system if report.ok else None


def _plain(
    words: Words, strict: bool, parameters: Mapping[str, int], include: Include | None
) -> tuple[Words, dict[str, int]]:
    """The words with included files in their places and families written out, and the values of constants."""
    if words.too_long or (not parameters and words.distinct.isdisjoint(FAMILY_WORDS)):
        return words, {}
    from epistrat.lang.families import expanded, included  # most models have none

    joined = included(words, include)
    plain, constants, first = expanded(joined, parameters)
    if joined is not words:
        first = 0
    if strict and first is not None:
        message = "MCMAS has no families and no included files: `epistrat expand` writes them out"
        joined.error("E050", message, first)
    return plain, constants


def parse_formula(text: str, system: System, *, strict: bool = False) -> tuple[Formula | None, list[Diagnostic]]:
    """The formula that a text denotes over the names of a system; None if there are errors."""
    report = Report(SourceText(text, "<formula>"))
    formula = None
    with suppress(TooMany):
        words = Words(report.source, report)
        if not (words.too_long or words.distinct.isdisjoint(FAMILY_WORDS | system.constants.keys())):
            from epistrat.lang.families import expanded

            words = expanded(words, {}, system.constants)[0]
        if not report.ok:  # what follows from a word without meaning is not told
            words = words.muted()
        marked = None if words.too_long else whole_formula(FormulaParser(words, strict))
        if marked is not None:
            names = Names.of(system)
            formula = FormulaLowering(Scope(names, Terms(), words), system.propositions).formula(marked)
            if strict:
                from epistrat.lang.strict.formula import StrictFormulae

                StrictFormulae(words, names).formula(marked)
    _hinted(report, "Formulae")
    report.sort()
    return (formula if report.ok else None), report.diagnostics


def _hinted(report: Report, section: str = "") -> None:
    """Give errors hints, where there are errors: the table is made when it is first needed."""
    if not report.ok:
        from epistrat.lang.hints import add_hints

        add_hints(report, section)
