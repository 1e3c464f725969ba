"""Partial order reduction under coalitions: what is kept, and the cases in which a weaker rule would give a wrong verdict."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.interleaved.strategies import coerced_voting, controlled_trains
from tests.asynchronous.worked_examples import MODELS

from epistrat.cli.main import main
from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.engines.explicit.reduction.applicability import is_linear
from epistrat.engines.explicit.session import ExplicitSession
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget


def _check(system: System, text: str, reading: Strategies, reduce: str) -> tuple[Verdict, dict[str, object]]:
    session = ExplicitSession(
        system, Options(reading, tuning=(ExplicitTuning(reduce=reduce),)), Budget(), lambda _: None
    )
    outcome = session.check(read_formula(text, system))
    session.close()
    return outcome.verdict, dict(outcome.statistics)


@pytest.mark.parametrize(
    ("model", "formula", "reading"),
    [
        # With perfect information Alice would see Bob's move in the reduced graph before she makes hers.
        ("unseen move", "<alice>F won", Strategies.ANY),
        # The same for an inner operator, which starts when Bob has moved already.
        ("unseen move", "AF (<alice>F won)", Strategies.ANY),
        ("unseen move", "AF (<alice>F won)", Strategies.OBJECTIVE),
        # s changes nothing that is seen, but Alice may refuse it.
        ("refusable", "<alice>F done", Strategies.OBJECTIVE),
        ("refusable", "<alice>F done", Strategies.ANY),
        # X counts steps.
        ("order", "<alice>X l1", Strategies.OBJECTIVE),
    ],
)
def test_what_a_weaker_rule_would_get_wrong(model: str, formula: str, reading: Strategies) -> None:
    full, _ = _check(MODELS[model], formula, reading, "off")
    assert _check(MODELS[model], formula, reading, "auto")[0] is full
    assert _check(MODELS[model], formula, reading, "singleton")[0] is full


def test_several_steps_at_once_only_for_flat_uniform_strategies() -> None:
    system = MODELS["unseen move"]
    flat, nested = read_formula("<alice>F won", system), read_formula("AF (<alice>F won)", system)
    assert is_linear(system, flat, uniform=True)
    assert not is_linear(system, flat)
    assert not is_linear(system, nested, uniform=True)


def test_the_statistics_say_what_a_coalition_makes_visible() -> None:
    _, said = _check(controlled_trains(4), "<controller>F in_tunnel1", Strategies.OBJECTIVE, "auto")
    assert said["visible because of a coalition"] == [f"{kind}_{i}" for i in range(1, 5) for kind in ("in", "out")]


@pytest.mark.parametrize("n", [3, 20])
def test_trains_with_a_controller_need_few_states(n: int) -> None:
    verdict, said = _check(controlled_trains(n), "<controller>F in_tunnel1", Strategies.OBJECTIVE, "auto")
    assert verdict is Verdict.HOLDS
    assert isinstance(said["states"], int)
    assert said["states"] <= 3 * n + 1


def test_voters_and_their_coercer() -> None:
    system = coerced_voting(2)
    found = [
        ExplicitSession(system, Options(Strategies.OBJECTIVE), Budget(), lambda _: None).check(formula).verdict.value
        for formula in system.formulae
    ]
    assert found == ["holds", "holds", "fails", "holds"]


def test_info_shows_the_reduction_for_a_reading(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With perfect information only single steps may be moved forward, and those fixed beforehand bear no reduction."""
    file = tmp_path / "trains.ispl"
    system = MODELS["unseen move"]
    file.write_text(to_ispl(replace(system, formulae=(read_formula("<alice>F won", system),))))
    found = []
    for reading in ("objective", "any", "uniform"):
        main(["info", str(file), "--reduce", "--strategies", reading, "--self-check", "--json"])
        (said,) = json.loads(capsys.readouterr().out)["reductions"]
        found.append((said["reduced_states"], said.get("self_check", {}).get("passed")))
    assert found == [(9, True), (11, True), (None, None)]
