"""Reports for machines that watch over code: JUnit XML, SARIF 2.1.0 and GitHub annotations.

All three say the same: one item for everything that is not as it should be, one for every message about a model.  They agree with the exit
status of the command: it is 0 if and only if no item is an error and none says *unknown*.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from epistrat.answers import How, Report, Result, Verdict
from epistrat.answers.explanation import Block, Compare, Detail, Moment, Scene
from epistrat.render.text import show_result
from epistrat.render.wording import Style
from epistrat.source import TITLES, Position

_RULES = {
    "fails": "a formula that fails",
    "unknown": "a formula whose verdict is unknown",
    "difference": "a verdict that was not expected",
    "trivial": "formulae that hold for a trivial reason only",
    "ended": "a check that ended early",
} | TITLES
_LEVELS = {Verdict.FAILS: ("fails", "error"), Verdict.UNKNOWN: ("unknown", "warning")}


class Strictness(NamedTuple):
    """What else counts as a failure: warnings, and that everything holds for a trivial reason only."""

    warnings: bool = False
    trivial: bool = True


USUAL = Strictness()


class Step(NamedTuple):
    """One moment of a run, in words, and where in the model's text stands what was done, if that is known."""

    words: str
    place: Position | None


class Item(NamedTuple):
    """Something to look at: a rule of `_RULES`, how bad it is, in words what, and where.

    ``formula`` is the number of the formula that it is about, ``runs`` are runs of the model that show it, moment by moment.
    """

    rule: str
    level: str
    text: str
    file: str
    line: int | None = None
    column: int | None = None
    formula: int | None = None
    runs: tuple[tuple[Step, ...], ...] = ()


def items(report: Report, strictness: Strictness = USUAL) -> Iterator[Item]:
    """What a report has to say, besides what is as it should be."""
    for diagnostic in report.diagnostics:
        place = diagnostic.position
        where = (place.line, place.column) if place is not None else (None, None)
        level = "error" if strictness.warnings else diagnostic.severity.value
        yield Item(diagnostic.code, level, diagnostic.message, report.model, *where)
    numbers = {result.index: result for result in report.results}
    if report.differences is not None:
        for one in report.differences:
            result = numbers.get(one.formula) if one.formula is not None else None
            line, column = _place(result) if result is not None else (None, None)
            yield Item("difference", "error", one.words, report.model, line, column, one.formula)
    else:
        yield from (_item(report, result) for result in report.results if result.verdict in _LEVELS)
        if strictness.trivial and (report.vacuous or report.trivial):
            yield Item("trivial", "error", _trivial(report), report.model)
    if report.ending.how not in (How.DONE, How.REJECTED):
        yield Item("ended", "error", report.ending.reason or report.ending.how.value, report.model)


def _trivial(report: Report) -> str:
    if report.vacuous:
        return (
            "there is nothing that formulae range over: no initial state, or no fair run (--allow-vacuous accepts it)"
        )
    reasons = list(dict.fromkeys(result.only_because for result in report.results if result.only_because))
    return f"everything holds only because {' or because '.join(reasons)} (--allow-vacuous accepts it)"


def _place(result: Result) -> tuple[int | None, int | None]:
    place = result.question.place
    return (place.line, place.column) if place is not None else (None, None)


def _item(report: Report, result: Result) -> Item:
    rule, level = _LEVELS[result.verdict]
    why = result.why or result.reason
    words = f"formula {result.index} {'fails' if rule == 'fails' else 'is unknown'}: {result.title}"
    text = f"{words}\n{why}" if why else words
    runs = tuple(run for one in result.explanations for block in one.blocks for run in _runs(block))
    return Item(rule, level, text, report.model, *_place(result), result.index, runs)


def _runs(block: Block) -> Iterator[tuple[Step, ...]]:
    """The runs that a part of an explanation shows, moment by moment."""
    if isinstance(block, Scene):
        yield tuple(Step(_moment(block.title, moment), moment.place) for moment in block.moments)
    elif isinstance(block, Compare):
        yield from (run for scene in (block.left, block.right) for run in _runs(scene))
    elif isinstance(block, Detail):
        yield from (run for part in block.blocks for run in _runs(part))


def _moment(title: str, moment: Moment) -> str:
    done = ", ".join(moment.acts)
    facts = "; ".join(moment.facts)
    said = f"{done}: {facts}" if done and facts else done or facts or "nothing changes that matters"
    return f"{title}, {moment.index}: {said}" if title else f"{moment.index}: {said}"


def github(reports: Sequence[Report], strictness: Strictness = USUAL) -> str:
    """Annotations: one line for each item."""
    return "\n".join(_annotation(item) for report in reports for item in items(report, strictness))


def _annotation(item: Item) -> str:
    where = {"file": item.file, "line": item.line, "col": item.column, "title": f"epistrat: {_RULES[item.rule]}"}
    given = ",".join(f"{name}={_escaped(str(value), ',:')}" for name, value in where.items() if value is not None)
    return f"::{item.level} {given}::{_escaped(item.text)}"


def _escaped(text: str, marks: str = "") -> str:
    return "".join(f"%{ord(sign):02X}" if sign in f"%\r\n{marks}" else sign for sign in text)


def sarif(reports: Sequence[Report], version: str, strictness: Strictness = USUAL) -> str:
    """One log with one run of this version of epistrat; runs of a model that evidence shows are code flows."""
    found = [item for report in reports for item in items(report, strictness)]
    rules = [{"id": rule, "shortDescription": {"text": _RULES[rule]}} for rule in sorted({one.rule for one in found})]
    driver = {"name": "epistrat", "version": version, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": [_logged(one) for one in found]}
    return json.dumps(
        {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}, indent=1
    )


def _logged(item: Item) -> dict[str, Any]:
    where = _located(item.file, item.line, item.column)
    found = {"ruleId": item.rule, "level": item.level, "message": {"text": item.text}, "locations": [where]}
    if item.runs:
        flows = [{"locations": [{"location": _step(item.file, step)} for step in run]} for run in item.runs if run]
        found["codeFlows"] = [{"threadFlows": [flow]} for flow in flows]
    return found


def _located(file: str, line: int | None, column: int | None) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(file, errors="surrogateescape")}}
    if line is not None:
        place["region"] = {"startLine": line, "startColumn": column}
    return {"physicalLocation": place}


def _step(file: str, step: Step) -> dict[str, Any]:
    """A moment of a run; without a place where it is not known which line did it."""
    where = {} if step.place is None else _located(file, step.place.line, step.place.column)
    return {**where, "message": {"text": step.words}}


def junit(reports: Sequence[Report], strictness: Strictness = USUAL) -> str:
    """One suite for each model, one case for each formula, and one for each other thing that is wrong with a model."""
    root = Element("testsuites", name="epistrat")
    for report in reports:
        _suite(root, report, strictness)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode")


def _suite(root: Element, report: Report, strictness: Strictness) -> None:
    suite = SubElement(root, "testsuite", name=_clean(report.model), time=f"{report.seconds:.3f}")
    found = list(items(report, strictness))
    about = {item.formula: item for item in found if item.formula is not None}
    for result in report.results:
        case = _case(suite, report, f"{result.index}: {result.title}", result.seconds, _place(result)[0])
        item = about.get(result.index)
        if item is not None:
            message = item.text if item.rule == "difference" else result.why or result.reason or item.rule
            problem = SubElement(
                case, "error" if item.rule == "unknown" else "failure", type=item.rule, message=_clean(message)
            )
            problem.text = _clean("\n".join(show_result(report.system, result, Style())))
    for item in found:
        if item.formula is None and item.level == "error":
            place = f"line {item.line}: " if item.line is not None else ""
            seconds = report.seconds if not report.results else 0.0
            case = _case(suite, report, f"{place}{_RULES[item.rule]}", seconds, item.line)
            kind = "failure" if item.rule in ("difference", "trivial") else "error"
            SubElement(case, kind, type=item.rule, message=_clean(f"{_called(item)}{item.text}"))
    if len(suite) == 0:
        _case(suite, report, "the model", report.seconds)
    suite.set("tests", str(len(suite)))
    for kind in ("failure", "error"):
        suite.set(f"{kind}s", str(sum(case.find(kind) is not None for case in suite)))


def _called(item: Item) -> str:
    """The place of an item, as compilers write it."""
    return f"{item.file}:{item.line}:{item.column}: " if item.line is not None else ""


def _case(suite: Element, report: Report, name: str, seconds: float, line: int | None = None) -> Element:
    case = SubElement(suite, "testcase", classname=_clean(report.model), name=_clean(name), time=f"{seconds:.3f}")
    if line is not None:
        case.set("file", _clean(report.model))
        case.set("line", str(line))
    return case


def _clean(text: str) -> str:
    """The text without characters that XML has no place for."""
    return "".join(sign for sign in text if sign in "\t\n" or sign.isprintable())
