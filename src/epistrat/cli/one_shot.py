"""Commands that load one model, compute, and print once: run in a child process under limits, like checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit
from epistrat.cli.main import bug
from epistrat.cli.supervise import Ending, How, Limits, Message, Send, run_supervised

if TYPE_CHECKING:
    from epistrat.model.system import System
    from epistrat.solvers.budget import Budget
    from epistrat.source import Diagnostic

Work: TypeAlias = "Callable[[Reply, Budget], None]"


class Reply:
    """How the child talks: lines for standard output, complaints for standard error, and the exit status."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def say(self, *lines: str) -> None:
        """Print lines."""
        self._send({"event": "say", "lines": list(lines)})

    def complain(self, *lines: str) -> None:
        """Print lines on standard error."""
        self._send({"event": "complain", "lines": list(lines)})

    def end(self, status: Exit) -> None:
        """Say how it ends."""
        self._send({"event": "end", "status": int(status)})

    def load(self, file: str, strict: bool) -> System | None:
        """The model in a file; complains and ends if it cannot be used."""
        from epistrat import pipeline

        loaded = pipeline.load_file(file, strict=strict)
        if loaded.system is None:
            self.reject([one for one in loaded.diagnostics if one.is_error])
        return loaded.system

    def reject(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Show what is wrong with the input, and end."""
        from epistrat.cli.gather import rejection
        from epistrat.remarks import diagnostic_records

        style = console.style()
        self.complain(*rejection(diagnostic_records(diagnostics, colour=style.colour), style))
        self.end(Exit.INPUT)


def run_one_shot(work: Work, limits: Limits) -> Exit:
    """Do the work in a child; print what it says."""
    status = [Exit.HOLDS]
    broken: list[str] = []

    def receive(message: Message) -> None:
        match message["event"]:
            case "say":
                console.write(message["lines"])
            case "complain":
                console.complain(*message["lines"])
            case "end":
                status[0] = Exit(message["status"])
            case "bug":
                broken.append(str(message.get("message")))

    ending = run_supervised(lambda send, budget: work(Reply(send), budget), limits, receive)
    return _status(ending, status[0], broken)


def _status(ending: Ending, told: Exit, broken: list[str]) -> Exit:
    if broken or ending.how is How.CRASHED:
        return Exit(bug(broken[0] if broken else ending.reason or "the work ended unexpectedly"))
    if ending.how is How.INTERRUPTED:
        return Exit.INTERRUPTED
    if ending.how is not How.DONE:
        console.complain(f"unknown: {ending.reason}")
        return Exit.UNKNOWN
    return told
