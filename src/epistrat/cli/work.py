"""What the child process does: load a model, check it, and tell what is found as plain messages."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from pathlib import Path as FilePath
from typing import cast

from epistrat import pipeline
from epistrat.answers import Question, Report
from epistrat.api.result import Result
from epistrat.cli import console
from epistrat.cli.check import tuning_of
from epistrat.cli.expect import BadExpectation, read_expectation
from epistrat.cli.supervise import Send
from epistrat.engines.contract import Facts, Options, Progress, Strategies, Verdict
from epistrat.lang.load import Loaded
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.render.as_json import DiagnosticRecord, ResultRecord, path_json, plain
from epistrat.render.text import Style
from epistrat.solvers.budget import Budget
from epistrat.source import Diagnostic
from epistrat.terms.domain import Real
from epistrat.terms.expr import Arith, Const, Operation, Var, subterms

_SMALL, _FEW, _QUICK = 500, 12, 0.5
"""So many states, formulae and seconds at most, and a report says a little more than it was asked."""

_PACE = 0.1
"""Seconds between two progress messages."""


def load_file(file: str, arguments: argparse.Namespace, send: Send) -> Loaded | None:
    """Load a model and tell what is wrong with it; None if it cannot be used."""
    loaded = pipeline.load_file(
        file, strict=arguments.strict, equal_enumerations=getattr(arguments, "equal_enumerations", False)
    )
    send({"event": "diagnostics", "diagnostics": _records(loaded.diagnostics)})
    if loaded.system is None:
        send({"event": "rejected"})
        return None
    return loaded


def _records(diagnostics: Collection[Diagnostic]) -> list[DiagnosticRecord]:
    if not diagnostics:
        return []
    from epistrat.remarks import diagnostic_records

    return diagnostic_records(diagnostics, colour=console.style().colour)


def check_file(
    file: str,
    arguments: argparse.Namespace,
    send: Send,
    budget: Budget,
    wording: Callable[[Question], str] | None = None,
    telling: Callable[[Result], list[str]] | None = None,
    on_property: Callable[[System, str, Facts], list[str]] | None = None,
) -> None:
    """Check one file.

    ``wording`` says how formulae are shown, ``telling`` how answers are explained, ``on_property`` what is said of dead ends and overflows,
    if not as usual.
    """
    send({"event": "progress", "phase": "reading the model", "counts": {}})
    loaded = load_file(file, arguments, send)
    if loaded is None or loaded.system is None:
        return
    system = loaded.system
    try:
        asked = _questions(loaded, system, arguments)
        if wording is not None:
            asked = [replace(question, text=wording(question)) for question in asked]
        options = options_of(system, arguments)
        _known_agents(system, getattr(arguments, "agents", None))
        if arguments.expect:
            _tell_expectation(loaded, send)
    except pipeline.InputError as rejection:
        send({"event": "diagnostics", "diagnostics": _records(rejection.diagnostics)})
        send({"event": "rejected"})
        return
    except (LookupError, BadExpectation) as misuse:
        send({"event": "misuse", "message": str(misuse.args[0])})
        return
    if arguments.formula:  # who plays a role was judged by the formulae of the model
        send({"event": "refuted", "code": "W003"})
    send({"event": "loaded", "agents": len(system.agents), "questions": [[q.index, q.text] for q in asked]})
    started = time.perf_counter()
    report = pipeline.check(
        system,
        asked,
        engine=arguments.engine,
        options=options,
        budget=budget,
        watch=paced(send),
        replayed=not arguments.no_replay,
        tell=lambda result: send(
            {"event": "result", "result": result_record(Result.about(system, result), arguments, telling)}
        ),
    )
    tell_facts(loaded, system, report.facts, send)
    spent = time.perf_counter() - started
    if getattr(arguments, "html", None):
        _write_page(system, report, file, arguments, send)
    if telling is None and not arguments.evidence and not arguments.json:
        _tell_more(system, report, options, spent, send)
    for index, name in enumerate(_properties(arguments), start=len(asked) + 1):
        record = property_record(index, name, system, report.facts, spent, arguments)
        if on_property is not None:
            record["explanation"] = on_property(system, name, report.facts)
        send({"event": "result", "result": record})
    send({"event": "facts", "states": report.facts.states, "statistics": plain(dict(report.statistics))})


def _questions(loaded: Loaded, system: System, arguments: argparse.Namespace) -> list[Question]:
    if not arguments.formula:
        return pipeline.questions(system, only=arguments.only, origins=loaded.origins)
    formulae: list[Formula] = [
        pipeline.read_formula(text, system, strict=arguments.strict) for text in arguments.formula
    ]
    return pipeline.questions(system, formulae, arguments.only)


def options_of(system: System, arguments: argparse.Namespace) -> Options:
    """What the command line asks of the engines."""
    members = None
    if arguments.group is not None:
        if arguments.group not in system.groups:
            raise LookupError(f"there is no group {arguments.group!r}; there are {', '.join(system.groups) or 'none'}")
        members = tuple(system.groups[arguments.group])
    evidence = arguments.evidence or getattr(arguments, "html", None) is not None
    return Options(Strategies(arguments.strategies), members, evidence, tuning_of(arguments), arguments.all)


def _known_agents(system: System, names: Collection[str] | None) -> None:
    for name in names or ():
        if name not in system.views:
            raise LookupError(f"there is no agent {name!r}; there are {', '.join(system.views)}")


def _tell_expectation(loaded: Loaded, send: Send) -> None:
    expected = read_expectation(loaded.source.text)
    if not expected:
        raise LookupError("the file says nothing to compare with: no line `-- expect: 1 holds, 2 fails`")
    send({"event": "expectation", "verdicts": list(expected.verdicts.items()), "states": expected.states})


def result_record(
    result: Result, arguments: argparse.Namespace, telling: Callable[[Result], list[str]] | None = None
) -> ResultRecord:
    """The answer as data, with as much beside it as was asked for."""
    record = cast("ResultRecord", result.to_json())
    if arguments.stats:
        record["statistics"] = plain(dict(result.statistics))
    if not arguments.json:
        record["explanation"] = (telling or (lambda one: _explained(one, arguments)))(result)
        record.pop("evidence", None)
    return record


def _tell_more(system: System, report: Report, options: Options, spent: float, send: Send) -> None:
    """A sentence on why a formula fails, a note where one holds for a trivial reason: where that costs next to nothing.

    The judge finds evidence in a small state space faster than a large engine starts, and nobody waits for it.
    """
    small = report.facts.states is not None and report.facts.states <= _SMALL
    undecided = any(result.verdict is Verdict.UNKNOWN for result in report.results)
    if not small or undecided or spent > _QUICK or options.strategies is not Strategies.ANY:
        return
    asked = [Question(result.index, result.formula, result.text) for result in report.results[:_FEW]]
    budget = Budget(seconds=max(spent, 0.1))
    again = pipeline.check(
        system,
        asked,
        engine="reference",
        options=replace(options, evidence=True),
        budget=budget,
        facts=False,
        replayed=False,
    )
    for result in again.results:
        summary = Result.about(system, result).summary() if result.verdict is Verdict.FAILS else ""
        send({"event": "more", "index": result.index, "summary": summary, "notes": list(result.notes)})


def _write_page(system: System, report: Report, file: str, arguments: argparse.Namespace, send: Send) -> None:
    from epistrat.explain import Focus
    from epistrat.render.page import page

    text = page(system, FilePath(file).name, report.results, Focus(arguments.full, arguments.agents, arguments.depth))
    try:
        FilePath(arguments.html).write_text(text, encoding="utf-8")
    except OSError as error:
        send({"event": "misuse", "message": f"{arguments.html} cannot be written: {error.strerror}"})


def _explained(result: Result, arguments: argparse.Namespace) -> list[str]:
    if not arguments.evidence or result.verdict is Verdict.UNKNOWN:  # the reason of an unknown verdict is shown anyway
        return []
    from epistrat.explain import Focus

    words = result.explain(Focus(arguments.full, arguments.agents, arguments.depth), _beside(console.style()))
    return words.split("\n") if words else []


def _beside(style: Style) -> Style:
    """The style for what stands indented below a formula."""
    return replace(style, width=max(style.width - 12, 60))


def _properties(arguments: argparse.Namespace) -> list[str]:
    return [name for name in ("deadlock", "overflow") if getattr(arguments, name)]


def property_record(
    index: int, name: str, system: System, facts: Facts, seconds: float, arguments: argparse.Namespace
) -> ResultRecord:
    """``--deadlock`` or ``--overflow`` as an answer: it holds if there is none."""
    count, path, text = {
        "deadlock": (facts.dead_ends, facts.dead_end, "no reachable state is a dead end"),
        "overflow": (facts.overflows, facts.overflow, "no assignment leaves its range"),
    }[name]
    verdict = Verdict.UNKNOWN if count is None else Verdict.FAILS if count else Verdict.HOLDS
    record: ResultRecord = {
        "index": index,
        "formula": text,
        "verdict": verdict.value,
        "engine": None,
        "seconds": round(seconds, 6),
        "reason": (facts.reason or "the states were not explored") if count is None else None,
        "advice": None,
        "notes": [],
        "property": name,
    }
    if path is not None and arguments.json and arguments.evidence:
        record["evidence"] = path_json(system, path)
    return record


def tell_facts(loaded: Loaded, system: System, facts: Facts, send: Send) -> None:
    """Tell what is wrong with the state space, as warnings with a path; take back what only seemed possible from the text."""
    if facts.overflows == 0 and any(one.code == "W006" for one in loaded.diagnostics) and not _fractions(system):
        send({"event": "refuted", "code": "W006"})
    if facts.dead_ends or facts.overflows or facts.states == 0 or facts.fair_states == 0:
        from epistrat.remarks import fact_records

        found = fact_records(loaded, system, facts, colour=console.style().colour)
        send({"event": "diagnostics", "diagnostics": found})


def _fractions(system: System) -> bool:
    """Whether a line could assign a fraction: that blocks it too, and is not counted among the overflows."""
    values = (assigned.value for agent in system.agents for line in agent.evolution for assigned in line.assignments)
    return any(
        (isinstance(term, Arith) and term.op is Operation.DIVIDE)
        or (isinstance(term, Const) and isinstance(term.value, Fraction))
        or (isinstance(term, Var) and isinstance(system.variables[system.position[term.key]].domain, Real))
        for term in subterms(*values)
    )


def paced(send: Send) -> Callable[[Progress], None]:
    """A watcher that passes on a few events a second; a new phase is always told."""
    last = {"time": 0.0}
    phase: list[str] = [""]

    def watch(event: Progress) -> None:
        now = time.monotonic()
        if event.phase == phase[0] and now - last["time"] < _PACE:
            return
        last["time"] = now
        phase[0] = event.phase
        send({"event": "progress", "phase": event.phase, "counts": plain(dict(event.counts))})

    return watch
