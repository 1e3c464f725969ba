"""``epistrat check``: verdicts."""

from __future__ import annotations

import argparse
import json
import shlex
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, worst
from epistrat.cli.expect import differences
from epistrat.cli.gather import Gathered, rejection
from epistrat.cli.main import bug
from epistrat.cli.supervise import Ending, How, Limits, Send, run_supervised
from epistrat.engines.registry import NAMES, options, read_options
from epistrat.engines.tuning import BadOption, Tuning

if TYPE_CHECKING:
    from epistrat.render.as_json import ReportRecord
    from epistrat.solvers.budget import Budget

Runner = Callable[..., Ending]


def run(arguments: argparse.Namespace, runner: Runner = run_supervised) -> Exit:
    """Check every file; the exit status that stands for all."""
    problem = _misuse(arguments)
    if problem is not None:
        console.complain(f"epistrat check: {problem}")
        return Exit.USAGE
    codes: list[Exit] = []
    for number, file in enumerate(arguments.files):
        if number and not arguments.json:
            console.write([""])
        codes.append(_check_file(file, arguments, runner))
        if codes[-1] is Exit.INTERRUPTED:
            break
    return worst(codes)


def _misuse(arguments: argparse.Namespace) -> str | None:
    """What is wrong with the command line beyond its syntax."""
    if arguments.expect and arguments.formula:
        return "--expect compares the model's own formulae; it does not go together with -f"
    return misused_strategies(arguments) or misused_engine(arguments)


def misused_strategies(arguments: argparse.Namespace) -> str | None:
    """What is wrong with the reading of strategies."""
    if arguments.group is not None and arguments.strategies != "uniform":
        return "--group needs --strategies uniform"
    return None


def misused_engine(arguments: argparse.Namespace) -> str | None:
    """What is wrong with the choice of an engine and its switches."""
    if arguments.engine not in ("auto", "all", *NAMES):
        return f"there is no engine {arguments.engine!r}; there are {', '.join(NAMES)}"
    try:
        tuning_of(arguments)
    except BadOption as bad:
        return str(bad)
    return None


def tuning_of(arguments: argparse.Namespace) -> tuple[Tuning, ...]:
    """The options of single engines that were given."""
    return read_options({name: getattr(arguments, name, None) for name in options()})


def limits(arguments: argparse.Namespace) -> Limits:
    """The limits given on the command line."""
    return Limits(arguments.time, arguments.memory, arguments.nodes, arguments.states)


def _check_file(file: str, arguments: argparse.Namespace, runner: Runner) -> Exit:
    progress = console.progress(quiet=arguments.json)
    gathered = Gathered("<stdin>" if file == "-" else file, progress)
    started = time.perf_counter()

    def work(send: Send, budget: Budget) -> None:
        from epistrat.cli.work import check_file

        check_file(file, arguments, send, budget)

    ending = runner(work, limits(arguments), gathered.receive, progress.tick if progress else None)
    gathered.finish(ending, time.perf_counter() - started)
    if progress is not None:
        progress.clear()
    return _show(gathered, ending, arguments)


def _show(gathered: Gathered, ending: Ending, arguments: argparse.Namespace) -> Exit:
    status = gathered.status(ending)
    report = gathered.report
    surprises = None
    if arguments.expect and status in (Exit.HOLDS, Exit.FAILS, Exit.UNKNOWN):
        surprises = list(differences(gathered.expected, report, arguments.only))
        status = Exit.FAILS if surprises else Exit.HOLDS
    if not arguments.stats:
        report.pop("statistics", None)
    if gathered.misuse is not None:
        console.complain(f"epistrat check: {report['model']}: {gathered.misuse}")
    if arguments.json:
        gathered.forget_texts()
        console.write([json.dumps(report)])
    else:
        _show_text(gathered, ending, arguments)
        if surprises is not None:
            console.write(surprises or ["All as expected."])
    if gathered.bug is None:
        gathered.bug = _unreplayed(report)
    if gathered.bug is not None:
        return Exit(bug(*gathered.bug))
    if ending.how is How.CRASHED:
        return Exit(bug(ending.reason or "the check ended unexpectedly"))
    return status


def _show_text(gathered: Gathered, ending: Ending, arguments: argparse.Namespace) -> None:
    from epistrat.render.text import show_report, show_statistics

    report = gathered.report
    style = console.style()
    if gathered.misuse is not None:
        return
    if gathered.rejected and ending.how is How.INTERRUPTED:  # the text was not read to its end
        console.complain("interrupted")
        return
    if gathered.rejected:
        console.complain(*rejection(report["diagnostics"], style))
        return
    if ending.how is How.INTERRUPTED:
        known, planned = gathered.decided()
        console.complain(f"interrupted: {known} of {planned} formulae decided")
    console.write(show_report(report, style, hint=_hint(gathered, arguments)))
    if "statistics" in report:
        console.write(["", *show_statistics(report["statistics"])])


def _unreplayed(report: ReportRecord) -> tuple[str, str] | None:
    """A piece of evidence that independent code could not follow is a bug of ours, whatever the verdict."""
    for result in report["results"]:
        problems = result["replay"]["problems"] if "replay" in result else []
        if problems:
            return f"the evidence for formula {result['index']} does not replay: {problems[0]}", "\n".join(problems)
    return None


def _hint(gathered: Gathered, arguments: argparse.Namespace) -> str | None:
    """How to see why a formula fails, for the first that does."""
    failing = [r["index"] for r in gathered.report["results"] if r["verdict"] == "fails" and "property" not in r]
    if not failing or arguments.evidence or arguments.formula or arguments.expect:
        return None
    model = gathered.report["model"]
    file = "-" if model == "<stdin>" else shlex.quote(model)
    return f"See why: epistrat check {file} --only {failing[0]} --evidence"
