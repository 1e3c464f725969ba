"""Uniform strategies at real sizes: known games, MCMAS's probes, and what an exhausted budget says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.generators.certificates import certified
from tests.uniform.games import castles, voting

from epistrat.engines.contract import Options, Strategies, Verdict, silent
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.engines.symbolic.engine import SymbolicEngine
from epistrat.engines.symbolic.session import SymbolicSession
from epistrat.evidence.replay import replay
from epistrat.lang import load
from epistrat.model.system import System
from epistrat.solvers.budget import Budget, OutOfBudget

CONFORMANCE = Path(__file__).parents[3] / "shared" / "conformance"
READINGS = tuple(Strategies)
needs_conformance = pytest.mark.skipif(not CONFORMANCE.is_dir(), reason="the conformance models are not here")


def _system(text: str) -> System:
    loaded = load(text, "game")
    assert loaded.system is not None, loaded.diagnostics
    return loaded.system


def _verdicts(system: System, options: Options, seconds: float = 60) -> list[Verdict]:
    session = SymbolicEngine().open(system, options, Budget(seconds))
    verdicts = [session.check(formula).verdict for formula in system.formulae]
    session.close()
    return verdicts


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("text", [castles((1, 1, 1), 2), voting(2, 2)], ids=["castles", "voting"])
def test_small_games_as_the_judge_has_them(text: str, reading: Strategies) -> None:
    system = _system(text)
    options = Options(reading)
    found = _verdicts(system, options)
    for formula, verdict in zip(system.formulae, found, strict=True):
        right = ReferenceEngine().open(system, options, Budget(1)).check(formula).verdict
        assert right is Verdict.UNKNOWN or verdict is right, formula


def test_a_coercer_who_cannot_see_votes() -> None:
    """The coercer can punish everybody, but exactly the disobedient only if it could look into the ballot box: 50,625 states."""
    system = _system(voting(4, 2))
    informed, uniform = (_verdicts(system, Options(r)) for r in (Strategies.ANY, Strategies.OBJECTIVE))
    holds, fails = Verdict.HOLDS, Verdict.FAILS
    assert informed == [holds, holds, fails, holds, fails]
    assert uniform == [holds, fails, fails, holds, fails]


def test_workers_who_must_agree_beforehand() -> None:
    """Two castles can hold out together, but only with a plan that none of the simple bounds finds."""
    system = _system(castles((2, 2, 2), 3))
    session = SymbolicEngine().open(system, Options(Strategies.OBJECTIVE), Budget(60))
    assert session.check(system.formulae[3]).verdict is Verdict.HOLDS
    assert 0 < session.statistics()["strategies tried"] < 1000
    session.close()


class _Impatient(Budget):
    """Gives up when a few strategies were tried."""

    counts: dict[str, int]

    def check(self) -> None:
        if self.counts.get("strategies tried", 0) >= 3:
            raise OutOfBudget("patience has run out")


def test_an_exhausted_budget_says_how_far_the_search_came() -> None:
    system = _system(castles((2, 2, 2), 3))
    budget = _Impatient()
    session = SymbolicSession(system, Options(Strategies.OBJECTIVE), budget, silent)
    budget.counts = session.work.counts
    outcome = session.check(system.formulae[3])
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.reason is not None and outcome.advice is not None
    assert outcome.reason.startswith(
        "patience has run out in the search for strategies: 3 uniform strategies were tried"
    )
    assert "situations with a choice have come into play" in outcome.reason
    session.budget = Budget()
    assert session.check(system.formulae[3]).verdict is Verdict.HOLDS, "the session stays usable"
    session.close()


def _probes() -> list[tuple[str, str, dict[str, object]]]:
    if not CONFORMANCE.is_dir():
        return []
    probes = json.loads((CONFORMANCE / "probes" / "expected.json").read_text())["probes"]
    return [
        (probe["file"], run["options"], run)
        for probe in probes.values()
        for run in probe["runs"]
        if run["options"] == "-atlk 2" or run["options"].startswith("-uniform")
    ]


@needs_conformance
@pytest.mark.parametrize(("file", "switches", "run"), _probes())
def test_probes_of_mcmas(file: str, switches: str, run: dict[str, list[dict[str, object]]]) -> None:
    system = _system((CONFORMANCE / "probes" / file).read_text())
    words = switches.split()
    group = system.groups[words[-1]] if "-ufgroup" in words else None
    reading = Strategies.SUBJECTIVE if switches == "-atlk 2" else Strategies.UNIFORM
    right = [Verdict.HOLDS if verdict["right"] else Verdict.FAILS for verdict in run["verdicts"]]
    assert _verdicts(system, Options(reading, group)) == right


@needs_conformance
@pytest.mark.parametrize(
    ("file", "uniform"),
    [("Tianji_horse_racing_game.ispl", [True, True, True]), ("simple_card_game.ispl", [False])],
)
def test_games_of_mcmas(file: str, uniform: list[bool]) -> None:
    system = _system((CONFORMANCE / "mcmas" / file).read_text())
    session = SymbolicEngine().open(system, Options(Strategies.UNIFORM, evidence=True), Budget(30))
    for formula, holds in zip(system.formulae, uniform, strict=True):
        outcome = session.check(formula)
        assert outcome.verdict is (Verdict.HOLDS if holds else Verdict.FAILS)
        if holds:
            assert outcome.evidence is not None
            assert not replay(system, certified(formula, outcome, Options(Strategies.UNIFORM))).problems
    session.close()


def test_the_reference_engine_shows_the_strategy_under_which_a_formula_is_true() -> None:
    model = """
    Agent A Vars: x : boolean; end Vars Actions = {go, stay}; Protocol: Other : {go, stay}; end Protocol
      Evolution: x = true if Action = go; end Evolution end Agent
    Evaluation there if A.x; end Evaluation InitStates !A.x; end InitStates Groups g = {A}; end Groups
    Formulae AX there; end Formulae
    """
    system = _system(model)
    options = Options(strategies=Strategies.UNIFORM, evidence=True)
    outcome = ReferenceEngine().open(system, options, Budget()).check(system.formulae[0])
    assert outcome.verdict is Verdict.HOLDS
    assert outcome.evidence is not None
    assert not replay(system, certified(system.formulae[0], outcome, options)).problems
