"""The examples of the specification: what each reading makes of them, by every engine that answers, by the judge, and by the plain way.

The table is the one of the specification: T and F for the formulae of a file in their order, ``-`` for what is refused.  (There m08 and m19
have verdicts for common knowledge by changes, too, which it refuses elsewhere.)
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from tests.histories.contexts import Judge, TooMany

import epistrat
from epistrat.answers import Verdict
from epistrat.engines import needs, registry
from epistrat.engines.contract import Options
from epistrat.evidence.histories import Histories
from epistrat.lang import load
from epistrat.logic.formula import Formula
from epistrat.logic.histories import read_as
from epistrat.logic.nodes import Reading
from epistrat.model.system import System
from epistrat.service.expect import read_expectation
from epistrat.solvers.budget import Budget

FILES = sorted((Path(__file__).parent / "examples").glob("*.ispl"))
VERDICTS = {
    "m01": ("FFTTTT", "TFTTTT", "TFTTTT", "FFTTTT"),
    "m02": ("TFFF", "TFFF", "TTTT", "TTTT"),
    "m03": ("FFFF", "TTTT", "TTTT", "FFFF"),
    "m04": ("FFTFFF", "FTFFTF", "FTFFTF", "FFTFFF"),
    "m05": ("FFFTT", "FFTTT", "TTTTT", "TTFTT"),
    "m06": ("FTTFFF", "FTTFFF", "TTTFFF", "TTTFFF"),
    "m07": ("TFTFTT", "TFTFTT", "TFTFTT", "TFTFTT"),
    "m08": ("FTTFTTTTF", "FTTFTTTTF", "FTTFTTTTF", "FTTFTT-T-"),
    "m10": ("FFTFFF", "TTTTFF", "TTTTTT", "FFTFTF"),
    "m11": ("FTFF", "FTTT", "FTTT", "FTFF"),
    "m12": ("TTFTTT", "TTFTTT", "TTFTTT", "TTFT-T"),
    "m13": ("FFFFFF", "FTTTFF", "FTTTFF", "FFFFFF"),
    "m14": ("FFFT", "TTTT", "TTTT", "FFFT"),
    "m15": ("T-----F---", "TFTTFTTTFT", "TFTTFTTTFT", "T-----F---"),
    "m18": ("TF", "TF", "TF", "TF"),
    "m19": ("TTF", "TTF", "TTF", "T-F"),
    "m20": ("FTFFFF", "FTFFFF", "TTTFTF", "TTTFTF"),
}
READINGS = (Reading.OBSERVATION, Reading.CLOCK, Reading.RECALL, Reading.CHANGES)
PROGRAMS = ("m09", "m16", "m17")
"""These are in `tests.programs`."""
RESTING = 9
"""Histories are written out up to here, to see whether a model comes to rest."""


def test_all_are_here() -> None:
    assert {path.name[:3] for path in FILES} == VERDICTS.keys() | set(PROGRAMS)


def _asked() -> list[tuple[Path, Reading]]:
    return [(path, reading) for path in FILES if path.name[:3] in VERDICTS for reading in READINGS]


@pytest.mark.parametrize(("path", "reading"), _asked(), ids=lambda one: getattr(one, "stem", str(one)))
def test_verdicts_of_the_specification(path: Path, reading: Reading) -> None:
    expected = VERDICTS[path.name[:3]][READINGS.index(reading)]
    results = epistrat.load(path).check(knowledge=reading.value)
    letters = {Verdict.HOLDS: "T", Verdict.FAILS: "F", Verdict.UNKNOWN: "-"}
    assert "".join(letters[one.verdict] for one in results) == expected
    said = dict(re.findall(r"(\d+) (holds|fails)", str(read_expectation(path.read_text(), {}, reading))))
    assert all(expected[int(number) - 1] == verdict[0].upper().replace("H", "T") for number, verdict in said.items())


def test_each_way_by_itself() -> None:
    """Explicit states, decision diagrams, written-out contexts and going through all histories, wherever they answer."""
    counts: Counter[str] = Counter()
    for path, reading in _asked():
        system = load(path.read_text(encoding="utf-8")).system
        assert system is not None
        sessions = {
            name: registry.load(name).open(system, Options(), Budget(seconds=60)) for name in ("explicit", "symbolic")
        }
        plainly, judge = Histories(system, 300), _judge(system)
        expected = VERDICTS[path.name[:3]][READINGS.index(reading)]
        for formula, letter in zip(system.formulae, expected, strict=True):
            asked = read_as(formula, reading)
            found: dict[str, bool | None] = {"plainly": plainly.holds(asked) if letter != "-" else None}
            for name, session in sessions.items():
                if needs.refusal(registry.load(name), system, asked, Options()) is None:
                    verdict = session.check(asked).verdict
                    found[name] = None if verdict is Verdict.UNKNOWN else verdict is Verdict.HOLDS
            found["judge"] = _judged(judge, asked) if letter != "-" else None
            for name, answer in found.items():
                assert answer in (None, letter == "T"), (path.name, reading, asked, name)
                counts[name] += answer is not None
            assert letter == "-" or any(answer is not None for answer in found.values())
    assert counts["explicit"] == sum(len(one.replace("-", "")) for four in VERDICTS.values() for one in four)
    assert counts["symbolic"] > 180
    assert counts["judge"] > 180
    assert counts["plainly"] > 200


def _judge(system: System) -> Judge | None:
    """A judge with histories that are long enough to come to rest; None where they do not."""
    for last in range(3, RESTING):
        try:
            Judge(system, last - 2, rests=True)
        except AssertionError:
            continue
        except TooMany:
            return None
        return Judge(system, last, rests=True)
    return None


def _judged(judge: Judge | None, formula: Formula) -> bool | None:
    return None if judge is None else judge.holds(formula)
