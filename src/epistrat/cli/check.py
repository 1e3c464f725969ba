"""``epistrat check``: verdicts."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from epistrat import __version__
from epistrat.answers import How, Report, Verdict
from epistrat.cli import console
from epistrat.cli.ask import asked, complain, model, serve
from epistrat.cli.exit_codes import Exit, Refused, status_of, worst
from epistrat.cli.several import side_by_side, watched
from epistrat.model.system import System
from epistrat.render.text import header, show_end, show_result
from epistrat.service import CheckRequest
from epistrat.service.events import Answered, Event, Loaded


def run(arguments: argparse.Namespace) -> Exit:
    """Check every file, once or whenever one changes; the exit status that stands for all."""
    if arguments.sizes is not None:
        from epistrat.cli import every

        return every.run(arguments)
    wrong = _impossible(arguments)
    if wrong:
        raise Refused(Exit.USAGE, f"epistrat check: {wrong}")
    once = partial(_check_all, arguments)
    return watched(arguments.files, once) if arguments.watch else once()


def _impossible(arguments: argparse.Namespace) -> str | None:
    """What cannot be meant."""
    if arguments.simulate is not None and (len(arguments.files) > 1 or arguments.files[0] == "-"):
        return "--simulate needs one file, and standard input to talk to you"
    if arguments.watch and ("-" in arguments.files or arguments.simulate is not None):
        return "--watch needs files that can change, and shows no simulation"
    if arguments.proof is not None and len(arguments.files) > 1:
        return "--proof keeps the proofs about one file: give each its own directory"
    if arguments.upto is not None:
        return "--upto needs --every: it says up to which size models are checked"
    if arguments.jobs > 1 and "-" in arguments.files:
        return "--jobs needs files"
    return None


def _check_all(arguments: argparse.Namespace) -> Exit:
    requests = [request_of(arguments, file) for file in arguments.files]
    codes: list[Exit] = []
    reports: list[Report] = []
    for report in _reports(requests, arguments):
        reports.append(report)
        codes.append(_status(report, arguments))
        if codes[-1] is Exit.INTERRUPTED:
            break
    return _concluded(reports, codes, arguments)


def _reports(requests: list[CheckRequest], arguments: argparse.Namespace) -> Iterator[Report]:
    """The reports in the order of the files, shown as they come: one after the other, or several side by side."""
    many = arguments.jobs > 1 and len(requests) > 1
    served = side_by_side(requests, arguments.jobs) if many else None
    for number, request in enumerate(requests):
        shown = _Shown(request, arguments)
        blank = [""] if number and arguments.format == "text" else []
        if served is None:
            console.write(blank)
            report, _ = serve(request, shown.hear, quiet=arguments.format != "text")
        else:
            done = next(served, None)
            if done is None:  # the others were interrupted
                return
            report, events = done
            console.write(blank)
            for event in events:
                shown.hear(event)
        yield _told(report, shown, arguments)


def _concluded(reports: list[Report], codes: list[Exit], arguments: argparse.Namespace) -> Exit:
    """Make of all reports together what was asked for: one document, one page, a simulation."""
    if arguments.format in ("junit", "sarif", "github"):
        console.write(filter(None, [_for_machines(reports, arguments)]))
    if arguments.html is not None and not _write_page(reports, arguments.html):
        codes = [*codes, Exit.USAGE]
    if arguments.simulate is not None and worst(codes) in (Exit.HOLDS, Exit.FAILS):
        return _simulate(reports[0], arguments)
    return worst(codes)


def _simulate(report: Report, arguments: argparse.Namespace) -> Exit:
    """Let a person go on from where the evidence ends."""
    from epistrat.cli.simulate import walk
    from epistrat.explain.story import run_of
    from epistrat.service import SimulateRequest

    result = report.results[0]
    if result.evidence is None:
        console.complain(f"epistrat check: there is no evidence for formula {result.index} to start from")
        return Exit.UNKNOWN
    request = SimulateRequest(model=model(arguments.files[0], arguments), strict=arguments.strict, steps=0)
    return walk(request, run_of(result.evidence))


def _for_machines(reports: list[Report], arguments: argparse.Namespace) -> str:
    from epistrat.render.findings import Strictness, github, junit, sarif

    strictness = Strictness(arguments.werror, not arguments.allow_vacuous)
    if arguments.format == "sarif":
        return sarif(reports, __version__, strictness)
    return {"github": github, "junit": junit}[arguments.format](reports, strictness)


def request_of(arguments: argparse.Namespace, file: str) -> CheckRequest:
    """What the command line asks about one file."""
    only = arguments.only if arguments.simulate is None else [arguments.simulate]
    evidence = arguments.evidence or arguments.html is not None or arguments.simulate is not None
    return asked("check", CheckRequest, model(file, arguments), arguments, only=only, evidence=evidence)


def _told(report: Report, shown: _Shown, arguments: argparse.Namespace) -> Report:
    """The report without the warnings that are not wanted; what is left to show of it is shown."""
    left = tuple(one for one in report.diagnostics if one.is_error or one.code not in arguments.no_warn)
    report = replace(report, diagnostics=left)
    if arguments.format == "json":
        import json

        from epistrat.render.json.report import report_json

        console.write([json.dumps(report_json(report, statistics=arguments.stats))])
    elif arguments.format == "text":
        shown.end(report)
    return report


def _status(report: Report, arguments: argparse.Namespace) -> Exit:
    """The exit status of one report; what went wrong is said, unless the output says it."""
    told = report.ending.how is How.REJECTED and arguments.format != "text"
    wrong = None if told else complain("check", report)
    status = wrong or status_of(report, allow_vacuous=arguments.allow_vacuous)
    warned = arguments.werror and any(not one.is_error for one in report.diagnostics)
    return worst([status, Exit.FAILS]) if warned else status


class _Shown:
    """The report as text: answers as they come, the rest at the end."""

    def __init__(self, request: CheckRequest, arguments: argparse.Namespace) -> None:
        self._request = request
        self._arguments = arguments
        self._style = replace(console.style(), all_warnings=arguments.all_warnings, verbose=arguments.verbose)
        self._system: System | None = None
        self._program: System | None = None
        self._begun = False
        self._planned = 1

    def hear(self, event: Event) -> None:
        """Show what is new."""
        if self._arguments.format != "text":
            return
        if isinstance(event, Loaded):
            self._system, self._planned, self._program = event.system, len(event.questions), event.program
            self._begin()
        elif isinstance(event, Answered):
            if not self._begun:  # a limit was reached before the model was read
                self._begin()
            if self._arguments.quiet and event.result.verdict is Verdict.HOLDS:
                return
            result = event.result if self._arguments.evidence else replace(event.result, explanations=())
            stats = self._arguments.stats
            console.write(show_result(self._system, result, self._style, self._planned, statistics=stats))

    def _begin(self) -> None:
        self._begun = True
        if self._arguments.quiet:
            return
        console.write([header(self._request.model.name, self._system, self._program), ""])

    def end(self, report: Report) -> None:
        """Show what comes below the answers."""
        if report.ending.how is How.INTERRUPTED:
            console.complain(f"interrupted: {report.decided} of {len(report.planned)} formulae decided")
        if self._begun and not self._arguments.quiet:
            hint = _hint(report, self._arguments)
            console.write(show_end(report, self._style, statistics=self._arguments.stats, hint=hint))


def _write_page(reports: list[Report], file: str) -> bool:
    """One page about all models that could be read; none where there is no such model."""
    from epistrat.render.page import page

    read = [report for report in reports if report.system is not None]
    try:
        if read:
            Path(file).write_text(page(read, __version__), encoding="utf-8")
    except OSError as error:
        console.complain(f"epistrat check: {read[0].model}: {file} cannot be written: {error.strerror}")
        return False
    return True


def _hint(report: Report, arguments: argparse.Namespace) -> str | None:
    """How to see why a formula fails, for the first that does: the same command for this file and that formula, with evidence."""
    failing = [r.index for r in report.results if r.verdict is Verdict.FAILS and r.question.property is None]
    if not failing or arguments.evidence or arguments.expect:
        return None
    file = "-" if report.model == "<stdin>" else report.model
    given = _without(arguments.given, arguments.files, "--only", "--simulate", "-f", "--formula")
    chosen = ["-f", arguments.formulae[failing[0] - 1]] if arguments.formulae else ["--only", str(failing[0])]
    wanted = f"epistrat check {shlex.join([file, *given, *chosen])} --evidence"
    return f"See why: {wanted}{console.standard_input() if file == '-' else ''}"


def _without(given: list[str], files: list[str], *options: str) -> list[str]:
    """What was given on the command line, without the files and without some options that have a value."""
    left = list(given)
    for file in files:
        left.remove(file)
    for option in options:
        while option in left:
            place = left.index(option)
            del left[place : place + 2]
        joined = option if len(option) == 2 else f"{option}="  # -f'AF lit', --formula='AF lit'
        left = [word for word in left if not word.startswith(joined)]
    return [word for word in left if word not in ("--", "--watch")]
