"""Expected verdicts in a model's own comments: ``-- expect: 1 holds, 2 fails; states 96``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from epistrat.answers import Misuse, Report

_LINE = re.compile(r"^\s*(?:--|//)\s*expect:(.*)$", re.MULTILINE)
_VERDICT = re.compile(r"(\d+)\s+(holds|fails|unknown)\Z")
_STATES = re.compile(r"states\s+(\d+)\Z")


@dataclass
class Expectation:
    """What a file says about itself."""

    verdicts: dict[int, str] = field(default_factory=dict)
    states: int | None = None

    def __bool__(self) -> bool:
        return bool(self.verdicts) or self.states is not None


def read_expectation(text: str) -> Expectation:
    """What the ``expect`` lines of a model say, all of them together."""
    found = Expectation()
    for line in _LINE.findall(text):
        for part in filter(None, map(str.strip, re.split(r"[,;]", line.replace(".", " ")))):
            verdict, states = _VERDICT.match(part), _STATES.match(part)
            if verdict:
                found.verdicts[int(verdict[1])] = verdict[2]
            elif states:
                found.states = int(states[1])
            else:
                raise Misuse(f"`{part}` is no expectation: write `1 holds`, `2 fails`, `3 unknown` or `states 96`")
    return found


def differences(expected: Expectation, report: Report, only: Collection[int] | None = None) -> Iterator[str]:
    """Where the report differs from what was expected, in words."""
    got = {result.index: result.verdict.value for result in report.results}
    for index, verdict in sorted(expected.verdicts.items()):
        if only is not None and index not in only:
            continue
        if index not in got:
            yield f"formula {index}: expected: {verdict}; there is no such formula"
        elif got[index] != verdict:
            yield f"formula {index}: expected: {verdict}; result: {got[index]}"
    for index in sorted(got.keys() - expected.verdicts.keys()):
        yield f"formula {index}: expected: nothing; result: {got[index]}"
    states = report.facts.states
    if expected.states is not None and expected.states != states:
        yield f"reachable states: expected: {expected.states}; result: {'not known' if states is None else states}"
