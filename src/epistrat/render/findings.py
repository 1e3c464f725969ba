"""Reports for machines that watch over code: JUnit XML, SARIF 2.1.0 and GitHub annotations.

All three say the same: one item for every formula that fails or is unknown, one for every message about a model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from epistrat.answers import How, Report, Result, Verdict
from epistrat.render.text import show_result
from epistrat.render.wording import Style
from epistrat.source import TITLES

_RULES = {
    "fails": "a formula that fails",
    "unknown": "a formula whose verdict is unknown",
    "difference": "a verdict that was not expected",
    "ended": "a check that ended early",
} | TITLES
_LEVELS = {Verdict.FAILS: ("fails", "error"), Verdict.UNKNOWN: ("unknown", "warning")}


class Item(NamedTuple):
    """Something to look at: a rule of `_RULES`, how bad it is, in words what, and where."""

    rule: str
    level: str
    text: str
    file: str
    line: int | None = None
    column: int | None = None


def items(report: Report) -> Iterator[Item]:
    """What a report has to say, besides what holds."""
    for diagnostic in report.diagnostics:
        place = diagnostic.position
        where = (place.line, place.column) if place is not None else (None, None)
        yield Item(diagnostic.code, diagnostic.severity.value, diagnostic.message, report.model, *where)
    if report.differences is not None:
        yield from (Item("difference", "error", words, report.model) for words in report.differences)
    else:
        yield from (_item(report, result) for result in report.results if result.verdict in _LEVELS)
    if report.ending.how not in (How.DONE, How.REJECTED):
        yield Item("ended", "error", report.ending.reason or report.ending.how.value, report.model)


def _item(report: Report, result: Result) -> Item:
    rule, level = _LEVELS[result.verdict]
    place = result.question.place
    where = (place.line, place.column) if place is not None else (None, None)
    why = result.why or result.reason
    words = f"formula {result.index} {'fails' if rule == 'fails' else 'is unknown'}: {result.title}"
    return Item(rule, level, f"{words}\n{why}" if why else words, report.model, *where)


def github(reports: Sequence[Report]) -> str:
    """Annotations: one line for each item."""
    return "\n".join(_annotation(item) for report in reports for item in items(report))


def _annotation(item: Item) -> str:
    where = {"file": item.file, "line": item.line, "col": item.column, "title": f"epistrat: {_RULES[item.rule]}"}
    given = ",".join(f"{name}={_escaped(str(value), ',:')}" for name, value in where.items() if value is not None)
    return f"::{item.level} {given}::{_escaped(item.text)}"


def _escaped(text: str, marks: str = "") -> str:
    return "".join(f"%{ord(sign):02X}" if sign in f"%\r\n{marks}" else sign for sign in text)


def sarif(reports: Sequence[Report], version: str) -> str:
    """One log with one run of this version of epistrat."""
    found = [item for report in reports for item in items(report)]
    rules = [{"id": rule, "shortDescription": {"text": _RULES[rule]}} for rule in sorted({one.rule for one in found})]
    driver = {"name": "epistrat", "version": version, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": [_logged(one) for one in found]}
    return json.dumps(
        {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}, indent=1
    )


def _logged(item: Item) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(item.file)}}
    if item.line is not None:
        place["region"] = {"startLine": item.line, "startColumn": item.column}
    where = [{"physicalLocation": place}]
    return {"ruleId": item.rule, "level": item.level, "message": {"text": item.text}, "locations": where}


def junit(reports: Sequence[Report]) -> str:
    """One suite for each model, one case for each formula, and one for the model where it has none."""
    root = Element("testsuites", name="epistrat")
    for report in reports:
        _suite(root, report)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode")


def _suite(root: Element, report: Report) -> None:
    suite = SubElement(root, "testsuite", name=report.model, time=f"{report.seconds:.3f}")
    for result in report.results:
        case = _case(suite, report, f"{result.index}: {result.title}", result.seconds)
        if result.verdict in _LEVELS:
            rule, _ = _LEVELS[result.verdict]
            problem = SubElement(
                case,
                "failure" if rule == "fails" else "error",
                type=rule,
                message=_clean(result.why or result.reason or rule),
            )
            problem.text = _clean("\n".join(show_result(report.system, result, Style())))
    if not report.results or report.ending.how not in (How.DONE, How.REJECTED):
        wrong = [item.text for item in items(report) if item.level == "error" and item.rule != "fails"]
        case = _case(suite, report, "the model", report.seconds)
        for words in wrong:
            SubElement(case, "error", type=report.ending.how.value, message=_clean(words))
    suite.set("tests", str(len(suite)))
    for kind in ("failure", "error"):
        suite.set(f"{kind}s", str(sum(case.find(kind) is not None for case in suite)))


def _case(suite: Element, report: Report, name: str, seconds: float) -> Element:
    return SubElement(suite, "testcase", classname=_clean(report.model), name=_clean(name), time=f"{seconds:.3f}")


def _clean(text: str) -> str:
    """The text without characters that XML has no place for."""
    return "".join(sign for sign in text if sign in "\t\n" or sign.isprintable())
