"""The interleaved examples, held to what their headers say, by the judge and by explored states."""

from __future__ import annotations

from pathlib import Path

import pytest

from epistrat.engines.contract import Options
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.lang import load
from epistrat.service import models, pipeline
from epistrat.service.expect import read_expectation

FILES = sorted((Path(__file__).parents[2] / "examples" / "interleaved").glob("*.ispl"))


@pytest.mark.parametrize(("engine", "mode"), [("reference", "off"), ("explicit", "off"), ("explicit", "auto")])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_interleaved_examples(path: Path, engine: str, mode: str) -> None:
    text = path.read_text(encoding="utf-8")
    expectation = read_expectation(text)
    system = load(text, path.name).system
    assert system is not None
    options = Options(tuning=(ExplicitTuning(mode),))
    report = pipeline.check(system, models.questions(system), engine=engine, options=options)
    assert {result.index: result.verdict.value for result in report.results} == expectation.verdicts
    assert report.facts.states == expectation.states


def test_there_are_interleaved_examples() -> None:
    assert len(FILES) >= 3
