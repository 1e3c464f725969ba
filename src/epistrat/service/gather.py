"""Makes a report of events: complete even if the work was not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from epistrat.answers import Advice, Ending, How, Report, Result, Setting, Verdict
from epistrat.answers.backing import Standing
from epistrat.service.events import Answered, Event, Finished, Loaded, Produced, Progress, Warned, Withdrawn
from epistrat.service.models import unread_questions
from epistrat.service.requests import CheckRequest, Request

_SMALLER = "fewer agents (epistrat info shows the sizes)"
_ADVICE: dict[How, Advice] = {
    How.TIME: (Setting("time"), "another engine", _SMALLER),
    How.MEMORY: (Setting("memory"), "another engine", _SMALLER),
}
_LIMITS = (How.TIME, How.MEMORY, How.LIMIT, How.INTERRUPTED)


class Gathering:
    """The events of one request, as they come, and the report they make."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._report = Report(request.model.name)
        self._doing: Progress | None = None
        self._finished = False
        self.produced: object = None

    def receive(self, event: Event) -> None:
        """Take one event."""
        report = self._report
        match event:
            case Progress():
                self._doing = event
            case Loaded(system, questions, recall, program):
                self._report = replace(report, system=system, planned=questions, recall=recall, program=program)
            case Warned(diagnostic):
                self._report = replace(report, diagnostics=(*report.diagnostics, diagnostic))
            case Withdrawn():
                kept = tuple(one for one in report.diagnostics if not event.concerns(one))
                self._report = replace(report, diagnostics=kept)
            case Answered(result):
                self._report = replace(report, results=(*report.results, result))
            case Produced(value):
                self.produced = value
            case Finished(ending, facts, statistics, differences):
                self._finished = True
                self._report = replace(
                    report, facts=facts, statistics=statistics, differences=differences, ending=ending
                )
            case _:
                assert_never(event)

    @property
    def planned(self) -> bool:
        """Whether it was told what is asked."""
        return bool(self._report.planned)

    def missing(self, ending: Ending) -> Iterator[Event]:
        """What has to be told at the end: that what was planned and not answered is unknown, for the reason the work ended."""
        if ending.how is How.DONE:
            ending = self._report.ending if self._finished else Ending(How.CRASHED, "the work ended unexpectedly")
        if ending.how in _LIMITS:
            if self._report.system is None and isinstance(self._request, CheckRequest):
                self._report = replace(self._report, planned=tuple(unread_questions(self._request)))
            yield from map(Answered, self._unanswered(ending))
        if ending != self._report.ending:
            yield Finished(ending, self._report.facts, self._report.statistics, self._report.differences)

    def _unanswered(self, ending: Ending) -> Iterator[Result]:
        answered = {result.index for result in self._report.results}
        doing = self._doing
        for question in self._report.planned:
            if question.index not in answered:
                advice = _ADVICE.get(ending.how, ())
                reason = f"{ending.reason or 'the check ended early'}{f' (at: {doing})' if doing is not None else ''}"
                read = self._report.system is not None
                yield Result(Verdict.UNKNOWN, reason, advice if read else advice[:1], question=question)
                doing = None

    def report(self, seconds: float) -> Report:
        """The report."""
        in_order = sorted(self._report.results, key=lambda result: result.index)
        report = replace(self._report, results=tuple(in_order), seconds=seconds)
        how = report.ending.how
        if how is How.INTERRUPTED:  # who stopped it needs no advice on how to let it finish
            report = replace(report, results=tuple(replace(result, advice=()) for result in report.results))
        if how is How.MEMORY:  # the worker knew only that it had to stop, not why
            report = replace(report, results=tuple(_for_memory(result, report.ending) for result in report.results))
        if how in (How.DONE, How.TIME, How.MEMORY, How.LIMIT):
            report = replace(report, ending=_contradicted(report))
        return report


def _contradicted(report: Report) -> Ending:
    """Evidence that independent code cannot confirm is a mistake of ours, whatever the verdict."""
    for result in report.results:
        problems = result.replay.problems if result.replay is not None else ()
        if result.backing is not None and result.backing.standing is Standing.REFUTED:
            words = f"the proof of formula {result.index} fails: {result.backing.reason}"
            return Ending(How.CRASHED, words, trace=result.reason or "")
        if problems:
            words = f"the evidence for formula {result.index} does not replay: {problems[0]}"
            return Ending(How.CRASHED, words, trace="\n".join(problems))
    return report.ending


def _for_memory(result: Result, ending: Ending) -> Result:
    if result.reason is None or not result.reason.startswith("interrupted"):
        return result
    reason = (ending.reason or "") + result.reason.removeprefix("interrupted")
    return replace(result, reason=reason, advice=_ADVICE[How.MEMORY])
