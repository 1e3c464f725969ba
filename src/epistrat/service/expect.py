"""Expected verdicts in a model's own comments: ``-- expect: 1 holds, privacy fails; states 96``.

A line ``-- expect n=4: states 160`` counts only for these values of parameters, and ``-- expect knowledge=clock: 1 holds`` for this reading
of knowledge.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from epistrat.answers import Difference, Misuse, Report, Result
from epistrat.logic.formula import Reading
from epistrat.records import dataclass, field
from epistrat.service.models import question_is

_LINE = re.compile(r"^\s*(?:--|//)\s*expect((?:\s+\w+\s*=\s*(?:-?\d+|[a-z]+),?)*)\s*:(.*)$", re.MULTILINE)
_SETTING = re.compile(r"(\w+)\s*=\s*(-?\d+|[a-z]+)")
_VERDICT = re.compile(r"(\d+|[A-Za-z][\w\[\] ]*?)\s+(holds|fails|unknown)\Z")
_STATES = re.compile(r"states\s+(\d+)\Z")


@dataclass
class Expectation:
    """What a file says about itself."""

    verdicts: dict[int | str, str] = field(default_factory=dict)
    states: int | None = None

    def __bool__(self) -> bool:
        return bool(self.verdicts) or self.states is not None


def read_expectation(
    text: str, constants: Mapping[str, int] | None = None, knowledge: Reading = Reading.OBSERVATION
) -> Expectation:
    """What the ``expect`` lines of a model say for these parameters and constants and this reading of knowledge, all of them together."""
    found = Expectation()
    known = {name: str(value) for name, value in (constants or {}).items()} | {"knowledge": knowledge.value}
    for sizes, line in _LINE.findall(text):
        if any(known.get(name) != value for name, value in _SETTING.findall(sizes)):
            continue
        for part in filter(None, map(str.strip, re.split(r"[,;]", line.replace(".", " ")))):
            verdict, states = _VERDICT.match(part), _STATES.match(part)
            if verdict:
                found.verdicts[int(verdict[1]) if verdict[1].isdigit() else verdict[1]] = verdict[2]
            elif states:
                found.states = int(states[1])
            else:
                raise Misuse(f"`{part}` is no expectation: write `1 holds`, `2 fails`, `3 unknown` or `states 96`")
    return found


def _called(result: Result) -> str:
    return result.name or str(result.index)


def differences(expected: Expectation, report: Report, only: Collection[int] | None = None) -> Iterator[Difference]:
    """Where the report differs from what was expected, in words."""
    told: set[int] = set()
    for wanted, verdict in expected.verdicts.items():
        meant = [result for result in report.results if question_is(wanted)(result.question)]
        told.update(result.index for result in meant)
        if not meant and (only is None or wanted in only):
            yield Difference(f"formula {wanted}: expected: {verdict}; there is no such formula")
        wrong = [result for result in meant if result.verdict.value != verdict]
        yield from (
            Difference(f"formula {_called(result)}: expected: {verdict}; result: {result.verdict.value}", result.index)
            for result in wrong
        )
    for result in report.results:
        if result.index not in told:
            words = f"formula {_called(result)}: expected: nothing; result: {result.verdict.value}"
            yield Difference(words, result.index)
    states = report.facts.states
    if expected.states is not None and expected.states != states:
        found = "not known" if states is None else states
        yield Difference(f"reachable states: expected: {expected.states}; result: {found}")
