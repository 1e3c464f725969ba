"""A step whose values leave their range is none: from above and from below, whether or not the formula speaks of the variable."""

from __future__ import annotations

import pytest

from epistrat.engines.abstraction.cone import cone_of
from epistrat.engines.abstraction.engine import AbstractionEngine
from epistrat.engines.abstraction.tuning import AbstractionTuning
from epistrat.engines.contract import Options, Verdict
from epistrat.lang import load
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

PLAIN = AbstractionTuning(first_look=0, exact_range=0, without="ranks,invariants")


def system_of(text: str) -> System:
    loaded = load(text)
    assert loaded.system is not None, [str(one) for one in loaded.report.errors]
    return loaded.system


# What is counted is copied, one step late, into a variable with a small range.
COPIED = """
Agent A
  Vars: n : integer; small : -3..3; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: n = n STEP and small = n if true; end Evolution
end Agent
InitStates A.n = 0 and A.small = 0; end InitStates
Formulae FORMULA; end Formulae
"""


@pytest.mark.parametrize("tuning", [PLAIN, AbstractionTuning()], ids=["plain", "default"])
@pytest.mark.parametrize(
    ("step", "formula", "expected"),
    [
        ("+ 1", "AG A.n < 5", Verdict.HOLDS),
        ("+ 1", "AG A.n < 4", Verdict.FAILS),
        ("- 1", "AG A.n > -5", Verdict.HOLDS),
        ("- 1", "AG A.n > -4", Verdict.FAILS),
        ("+ 1", "AG EX true", Verdict.FAILS),
        ("- 1", "AG EX true", Verdict.FAILS),
        ("+ 1", "EF AX false", Verdict.HOLDS),
        ("- 1", "EF AX false", Verdict.HOLDS),
        ("+ 1", "AG (A.n < 4 -> EX true)", Verdict.HOLDS),
        ("- 1", "AG (A.n > -4 -> EX true)", Verdict.HOLDS),
        ("+ 1", "EG true", Verdict.FAILS),
        ("- 1", "EG true", Verdict.FAILS),
    ],
)
def test_a_value_outside_its_range_ends_the_run(
    step: str, formula: str, expected: Verdict, tuning: AbstractionTuning
) -> None:
    system = system_of(COPIED.replace("STEP", step).replace("FORMULA", formula))
    session = AbstractionEngine().open(system, Options(tuning=(tuning,)), Budget(seconds=60))
    assert session.check(system.formulae[0]).verdict is expected


# The second colour follows the first, and nobody asks for either.
COLOURS = """
Agent A
  Vars: n : integer; first : {red, green}; second : {red, green}; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: n = n + 1 if true; second = first if true; end Evolution
end Agent
InitStates A.n = 0 and A.first = red and A.second = red; end InitStates
Formulae AG A.n >= 0; end Formulae
"""


def test_copies_that_fit_do_not_matter() -> None:
    """Between variables with the same values every value fits, so nothing depends on the copy."""
    system = system_of(COLOURS)
    assert cone_of(system, system.formulae[0]).keys == {("A", "n")}
