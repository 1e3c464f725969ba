"""Puts together what a supervised check tells: a report that is complete even if the check was not."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from epistrat.cli.exit_codes import Exit
from epistrat.cli.expect import Expectation
from epistrat.cli.supervise import Ending, How, Message
from epistrat.render.as_json import SCHEMA, DiagnosticRecord, ReportRecord, ResultRecord
from epistrat.render.progress import ProgressLine, describe
from epistrat.render.text import Style, show_diagnostics

_ADVICE = {
    How.TIME: "a larger --time, another --engine, or fewer agents (epistrat info shows the sizes)",
    How.MEMORY: "a larger --memory, another --engine, or fewer agents (epistrat info shows the sizes)",
}


class Gathered:
    """The messages of one check, as they come, and the report they make."""

    def __init__(self, model: str, progress: ProgressLine | None = None) -> None:
        self.report: ReportRecord = {
            "schema": SCHEMA,
            "model": model,
            "agents": None,
            "states": None,
            "seconds": 0.0,
            "results": [],
            "diagnostics": [],
        }
        self.bug: tuple[str, str] | None = None
        self.rejected = False
        self.misuse: str | None = None
        self.expected = Expectation()
        self._progress = progress
        self._planned: list[tuple[int, str]] = []
        self._doing = ""

    def receive(self, message: Message) -> None:
        """Take one message."""
        match message["event"]:
            case "progress":
                self._doing = describe(message["phase"], message["counts"])
                if self._progress is not None:
                    self._progress.show(message["phase"], message["counts"])
            case "loaded":
                self.report["agents"] = message["agents"]
                self._planned = [(index, text) for index, text in message["questions"]]
            case "diagnostics":
                self.report["diagnostics"].extend(message["diagnostics"])
            case "refuted":
                kept = [one for one in self.report["diagnostics"] if one["code"] != message["code"]]
                self.report["diagnostics"] = kept
            case "rejected":
                self.rejected = True
            case "misuse":
                self.misuse = message["message"]
            case "expectation":
                self.expected = Expectation(dict(message["verdicts"]), message["states"])
            case "result":
                self.report["results"].append(message["result"])
            case "more":
                self._add(message["index"], message["summary"], message["notes"])
            case "facts":
                self.report["states"] = message["states"]
                self.report["statistics"] = message["statistics"]
            case "memory":
                self._doing = "memory ran out"
            case "bug":
                self.bug = message["message"], message["trace"]

    def _add(self, index: int, summary: str, notes: list[str]) -> None:
        """A sentence and notes for an answer that was told before."""
        for result in self.report["results"]:
            if result["index"] == index:
                result["notes"] = list(dict.fromkeys([*result["notes"], *notes]))
                if summary:
                    result["explanation"] = [*result.get("explanation", []), *wrap(summary, 80)]

    def finish(self, ending: Ending, seconds: float) -> None:
        """The check is over: what was planned and not told is unknown, for the reason it ended."""
        self.report["seconds"] = round(seconds, 6)
        if ending.how is How.DONE:
            return
        if ending.how is How.INTERRUPTED:  # nobody needs advice on how not to stop
            for result in self.report["results"]:
                result["advice"] = None
        if ending.how is How.MEMORY:  # the child knew only that it had to stop, not why
            for result in self.report["results"]:
                if result["reason"] and result["reason"].startswith("interrupted"):
                    result["reason"] = (ending.reason or "") + result["reason"].removeprefix("interrupted")
        told = {result["index"] for result in self.report["results"]}
        running = True
        for index, text in self._planned:
            if index in told:
                continue
            reason = ending.reason or "the check ended early"
            if running and self._doing:
                reason += f" (at: {self._doing})"
            self.report["results"].append(_unknown(index, text, reason, _ADVICE.get(ending.how)))
            running = False

    def status(self, ending: Ending) -> Exit:
        """The exit status this report deserves."""
        if ending.how is How.INTERRUPTED:
            return Exit.INTERRUPTED
        if self.bug is not None or ending.how is How.CRASHED:
            return Exit.BUG
        if self.misuse is not None:
            return Exit.USAGE
        if self.rejected:
            return Exit.INPUT
        verdicts = {result["verdict"] for result in self.report["results"]}
        if "fails" in verdicts:
            return Exit.FAILS
        if "unknown" in verdicts or ending.how is not How.DONE:
            return Exit.UNKNOWN
        return Exit.HOLDS

    def forget_texts(self) -> None:
        """Leave out what is only for people."""
        for diagnostic in self.report["diagnostics"]:
            diagnostic.pop("shown", None)

    def decided(self) -> tuple[int, int]:
        """How many formulae are decided, and of how many."""
        known = sum(result["verdict"] != "unknown" for result in self.report["results"])
        return known, max(len(self._planned), len(self.report["results"]))


def _unknown(index: int, text: str, reason: str, advice: str | None) -> ResultRecord:
    return {
        "index": index,
        "formula": text,
        "verdict": "unknown",
        "engine": None,
        "seconds": 0.0,
        "reason": reason,
        "advice": advice,
        "notes": [],
    }


def rejection(diagnostics: list[DiagnosticRecord], style: Style) -> Iterator[str]:
    """What is wrong with a model that was not accepted, with a last line that counts the errors."""
    yield from list(show_diagnostics(diagnostics, style))[1:]
    errors = [diagnostic for diagnostic in diagnostics if diagnostic["severity"] == "error"]
    if errors:
        yield ""
        yield f"{len(errors)} error{'' if len(errors) == 1 else 's'}. `epistrat explain {errors[0]['code']}` says more."
