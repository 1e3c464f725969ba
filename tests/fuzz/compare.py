"""Ask every engine the questions of a case, and look for what does not fit together."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

from tests.generators.features import Asked, Case
from tests.reference import brute_force

from epistrat.answers import Facts, Verdict
from epistrat.api import Report, System
from epistrat.engines.registry import NAMES
from epistrat.solvers.budget import Budget

JUDGE = "reference"
ENGINES = (JUDGE, *(name for name in NAMES if name != JUDGE), "auto")


@dataclass(frozen=True)
class Finding:
    """Something wrong: of which kind, at which engine, and in words."""

    kind: str
    engine: str
    words: str


@dataclass(frozen=True)
class Comparison:
    """What came of a case: what is wrong, and the questions that each engine answered."""

    findings: tuple[Finding, ...]
    answered: tuple[tuple[str, Asked], ...]
    compared: int
    enumerated: int


def ask(case: Case, engine: str, seconds: float) -> Report:
    """The answers of one engine, with evidence and facts."""
    budget = Budget(seconds, nodes=case.nodes, patience=case.patience)
    return System.of(case.system).report(
        list(case.formulae),
        engine=engine,
        strategies=case.reading,
        group=case.followers,
        budget=budget,
        blocking=case.system.blocking.value,
        scheduling=case.system.scheduling.value,
        **case.switches,
    )


def compare(case: Case, seconds: float = 0.5, engines: tuple[str, ...] = ENGINES) -> Comparison:
    """Ask all engines; the reference engine decides who is right."""
    findings: list[Finding] = []
    reports: dict[str, Report] = {}
    for engine in engines:
        try:
            reports[engine] = ask(case, engine, seconds if engine == JUDGE else 8 * seconds)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            words = f"{type(error).__name__}: {error} ({where.filename.rpartition('/')[2]}:{where.lineno})"
            findings.append(Finding("crash", engine, words))
    findings += _false_evidence(reports)
    judge = reports.get(JUDGE)
    compared = 0
    answered: list[tuple[str, Asked]] = []
    for engine, report in reports.items():
        for index, result in enumerate(report.results):
            if result.verdict is Verdict.UNKNOWN:
                continue
            facts = judge.facts if judge is not None else report.facts
            answered.append((engine, Asked(case, case.formulae[index], facts, result.statistics)))
            if engine == JUDGE or judge is None or judge.results[index].verdict is Verdict.UNKNOWN:
                continue
            compared += 1
            if result.verdict is not judge.results[index].verdict:
                words = f"{engine} says {result.verdict.value}, {JUDGE} says {judge.results[index].verdict.value}"
                findings.append(Finding("verdict", engine, f"formula {index + 1}: {words}"))
        if judge is not None and engine != JUDGE:
            findings += _different_facts(engine, report.facts, judge.facts)
    enumerated, wrong = _against_brute_force(case, judge) if judge is not None else (0, [])
    return Comparison((*findings, *wrong), tuple(answered), compared, enumerated)


def _against_brute_force(case: Case, judge: Report) -> tuple[int, list[Finding]]:
    """How many of the judge's verdicts could be checked by going through everything, and those that are wrong."""
    checked, findings = 0, []
    for index, (formula, result) in enumerate(zip(case.formulae, judge.results, strict=True), 1):
        if result.verdict is Verdict.UNKNOWN:
            continue
        right = brute_force.verdict(case.system, formula, case.reading, case.followers)
        if right is None:
            continue
        checked += 1
        if right is not (result.verdict is Verdict.HOLDS):
            words = f"formula {index}: {JUDGE} says {result.verdict.value}, going through everything says {right}"
            findings.append(Finding("judge", JUDGE, words))
    return checked, findings


def _false_evidence(reports: dict[str, Report]) -> list[Finding]:
    return [
        Finding("evidence", engine, f"formula {index + 1}: {problem}")
        for engine, report in reports.items()
        for index, result in enumerate(report.results)
        if result.replay is not None
        for problem in result.replay.problems[:1]
    ]


def _different_facts(engine: str, found: Facts, expected: Facts) -> list[Finding]:
    if found.states is None or expected.states is None:
        return []
    numbers = [
        (name, getattr(found, name), getattr(expected, name))
        for name in ("states", "dead_ends", "overflows", "fair_states", "overflow_line")
    ]
    return [
        Finding("facts", engine, f"{name}: {one} instead of {other}")
        for name, one, other in numbers
        if one != other and one is not None
    ]
