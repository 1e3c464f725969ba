"""Runs that show what the abstraction found: whichever outcome of a step leads nearer is taken; and conditions that no sum decides."""

from __future__ import annotations

import pytest
from tests.generators.certificates import certified

from epistrat.engines.abstraction.concrete import _smaller
from epistrat.engines.abstraction.engine import AbstractionEngine
from epistrat.engines.abstraction.tuning import AbstractionTuning
from epistrat.engines.contract import Options, Verdict
from epistrat.evidence import Abstract, Along
from epistrat.evidence.replay import replay
from epistrat.lang import load
from epistrat.model.system import System
from epistrat.proving.fresh import FreshProver
from epistrat.solvers.budget import Budget

UNSEEN = AbstractionTuning(first_look=0)
"""No state is explored first."""


def system_of(text: str) -> System:
    loaded = load(text)
    assert loaded.system is not None, [str(one) for one in loaded.report.errors]
    return loaded.system


# One action, two lines: it goes up or down as it likes.
DRIFT = """
Agent A
  Vars: n : integer; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: LINES end Evolution
end Agent
InitStates A.n = 0; end InitStates
Formulae FORMULA; end Formulae
"""


@pytest.mark.parametrize("lines", ["n = n + 1 if true; n = n - 1 if true;", "n = n - 1 if true; n = n + 1 if true;"])
@pytest.mark.parametrize("formula", ["EF A.n >= 40", "EF A.n <= -40"])
def test_a_way_takes_the_outcome_that_leads_nearer(lines: str, formula: str) -> None:
    system = system_of(DRIFT.replace("LINES", lines).replace("FORMULA", formula))
    options = Options(evidence=True, examples=1, tuning=(UNSEEN,))
    outcome = AbstractionEngine().open(system, options, Budget(seconds=60)).check(system.formulae[0])
    assert outcome.verdict is Verdict.HOLDS
    found = replay(system, certified(system.formulae[0], outcome, options), prover=FreshProver())
    assert found.complete, (found.problems, found.trusted)
    assert outcome.evidence is not None
    shown = [one for one in outcome.evidence.because if isinstance(one, (Along, Abstract))]
    assert shown


def test_measures_fall_by_one_and_not_below_zero() -> None:
    """From 0 a step below it is one that counts; from below 0 none does."""
    assert [_smaller((new,), (old,)) for new, old in ((0, 1), (-1, 0), (-2, -1), (1, 1), (2, 1))] == [  # type: ignore[arg-type]
        True,
        True,
        False,
        False,
        False,
    ]
    assert _smaller((3, 0), (3, 1)) and not _smaller((4, 0), (3, 1))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("formula", "expected"), [("AF A.n * A.n > 20", Verdict.HOLDS), ("AG A.n * A.n < 20", Verdict.FAILS)]
)
def test_a_product_of_what_changes_is_no_rank(formula: str, expected: Verdict) -> None:
    system = system_of(DRIFT.replace("LINES", "n = n + 1 if true;").replace("FORMULA", formula))
    session = AbstractionEngine().open(system, Options(tuning=(UNSEEN,)), Budget(seconds=60))
    assert session.check(system.formulae[0]).verdict is expected
