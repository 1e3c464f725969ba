"""Every verdict on the example and conformance models that can have evidence has it, it replays, and so does what its JSON says."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import jsonschema
import pytest
from tests.generators.certificates import certified

from epistrat.engines.contract import Options, Verdict
from epistrat.evidence.replay import replay
from epistrat.render.json.evidence import evidence_json
from epistrat.render.json.reading import read_evidence
from epistrat.service import File, models, pipeline
from epistrat.service.stages import rechecking
from epistrat.solvers.budget import Budget

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/schema/evidence-1.json").read_text())
VALIDATOR = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)
CONFORMANCE = ROOT.parent / "shared" / "conformance"
SMALL = (
    "bit_transmission_protocol",
    "card_games",
    "dining_cryptographers",
    "muddy_children",
    "Tianji_horse_racing_game",
)
NOTHING_TO_SHOW = {"fair_no_fair_path_everything_true", "init_empty_makes_everything_true"}


def texts() -> list[Path]:
    probes = sorted((CONFORMANCE / "probes").glob("*.ispl"))
    corpus = [CONFORMANCE / "mcmas" / f"{name}.ispl" for name in SMALL]
    return [*sorted((ROOT / "examples").glob("*.ispl")), *probes, *[path for path in corpus if path.exists()]]


@pytest.mark.parametrize("path", texts(), ids=lambda path: path.stem)
def test_evidence_exists_replays_and_survives_json(path: Path) -> None:
    system = models.read(File(str(path))).system
    if system is None:
        return  # the model is meant to be rejected; other tests look at that
    options, budget = Options(evidence=True), Budget(seconds=60)
    stages = partial(rechecking, system=system, options=options, budget=budget, replayed=False)
    report = pipeline.check(
        system, models.questions(system), options=options, budget=budget, facts=False, stages=stages
    )
    for result in report.results:
        assert result.verdict is not Verdict.UNKNOWN
        if path.stem in NOTHING_TO_SHOW:
            assert result.evidence is None
            continue
        assert result.evidence is not None, result.text
        found = replay(system, certified(result.formula, result))
        assert found.ok, found.problems
        data = json.loads(json.dumps(evidence_json(system, result.evidence)))
        VALIDATOR.validate(data)
        again = read_evidence(system, data, lambda text: models.read_formula(text, system))
        assert again == result.evidence
