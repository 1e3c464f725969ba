"""``epistrat info``: what a model consists of, how large it is, and what kinds of formulae it asks."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from epistrat.cli import console
from epistrat.cli.check import limits, misused_engine
from epistrat.cli.exit_codes import Exit, worst
from epistrat.cli.gather import Gathered, rejection
from epistrat.cli.main import bug
from epistrat.cli.supervise import Ending, How, Message, Send, run_supervised

if TYPE_CHECKING:
    from epistrat.solvers.budget import Budget

Runner = Callable[..., Ending]


def run(arguments: argparse.Namespace, runner: Runner = run_supervised) -> Exit:
    """Describe every file."""
    problem = misused_engine(arguments)
    if arguments.self_check and arguments.reduce is None:
        problem = "--self-check needs --reduce"
    if problem is not None:
        console.complain(f"epistrat info: {problem}")
        return Exit.USAGE
    codes: list[Exit] = []
    for number, file in enumerate(arguments.files):
        if number and not arguments.json:
            console.write([""])
        codes.append(_describe_file(file, arguments, runner))
        if codes[-1] is Exit.INTERRUPTED:
            break
    return worst(codes)


class _Described(Gathered):
    """What the child tells of a model."""

    def __init__(self, model: str, progress: Any) -> None:
        super().__init__(model, progress)
        self.info: dict[str, Any] = {}

    def receive(self, message: Message) -> None:
        if message["event"] == "info":
            self.info.update(message["info"])
        elif message["event"] == "reduction":
            self.info.setdefault("reductions", []).append(message["reduction"])
        else:
            super().receive(message)


def _describe_file(file: str, arguments: argparse.Namespace, runner: Runner) -> Exit:
    progress = console.progress(quiet=arguments.json)
    gathered = _Described("<stdin>" if file == "-" else file, progress)
    started = time.perf_counter()

    def work(send: Send, budget: Budget) -> None:
        from epistrat.cli.describe import describe_file

        describe_file(file, arguments, send, budget)

    ending = runner(work, limits(arguments), gathered.receive, progress.tick if progress else None)
    gathered.finish(ending, time.perf_counter() - started)
    if progress is not None:
        progress.clear()
    return _show(gathered, ending, arguments)


def _show(gathered: _Described, ending: Ending, arguments: argparse.Namespace) -> Exit:
    status = gathered.status(ending)
    report = gathered.report
    if ending.how is not How.DONE and gathered.info:
        gathered.info["reason"] = ending.reason
    if arguments.json:
        gathered.forget_texts()
        kept = {key: report[key] for key in ("schema", "model", "seconds", "diagnostics")}
        console.write([json.dumps(kept | gathered.info)])
    elif gathered.rejected:
        console.complain(*rejection(report["diagnostics"], console.style()))
    else:
        console.write(_lines(gathered, arguments))
    failed = [r["index"] for r in gathered.info.get("reductions", []) if r.get("self_check", {}).get("passed") is False]
    if failed:
        gathered.bug = f"the reduction for formula {failed[0]} does not stand the comparison with all states", ""
    if gathered.bug is not None:
        return Exit(bug(*gathered.bug))
    if ending.how is How.CRASHED:
        return Exit(bug(ending.reason or "the work ended unexpectedly"))
    return status


def _lines(gathered: _Described, arguments: argparse.Namespace) -> Iterator[str]:
    from epistrat.render.text import show_diagnostics, show_info, show_statistics

    yield from show_info(gathered.report["model"], gathered.info)
    yield from show_diagnostics(gathered.report["diagnostics"], console.style())
    if arguments.stats and gathered.info.get("statistics"):
        yield ""
        yield from show_statistics(gathered.info["statistics"])
