"""Two solvers answer every query; when they contradict one another, that is an error with the query in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from epistrat.encoding.transitions import transitions
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.lazy.tuning import LazyTuning
from epistrat.engines.registry import load as engine
from epistrat.lang import load
from epistrat.proving.bits import Bits
from epistrat.proving.unrolled import Unrolled
from epistrat.solvers.budget import Budget
from epistrat.solvers.disagreement import Disagreement
from epistrat.solvers.sat import Sat
from epistrat.solvers.smt import opinion
from epistrat.solvers.smt.answer import Answer, Status

_COUNTER = """
Agent Environment
  Vars:
    count : {domain};
  end Vars
  Actions = {{go}};
  Protocol:
    Other : {{go}};
  end Protocol
  Evolution:
    count = count + 1 if count < 3;
  end Evolution
end Agent
Evaluation
  small if Environment.count <= 3;
end Evaluation
InitStates
  Environment.count = 0;
end InitStates
Formulae
  AG small;
end Formulae
"""


def _check(domain: str) -> Verdict:
    system = load(_COUNTER.format(domain=domain), "counter").system
    assert system is not None
    session = engine("lazy").open(system, Options(tuning=(LazyTuning(cross_check=True),)), Budget())
    return session.check(system.formulae[0]).verdict


@pytest.mark.parametrize("domain", ["integer", "0 .. 4"])
def test_agreeing_solvers_change_nothing(domain: str) -> None:
    pytest.importorskip("cvc5")
    assert _check(domain) is Verdict.HOLDS


def test_a_contradiction_about_numbers_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cvc5")
    monkeypatch.setattr(opinion, "second_opinion", lambda script, seconds=10: Answer(Status.UNSAT))
    with pytest.raises(Disagreement) as raised:
        _check("integer")
    name = Path(str(raised.value).rpartition(" ")[2])
    assert "(check-sat)" in name.read_text(encoding="utf-8")
    name.unlink()


def test_a_contradiction_about_clauses_is_an_error() -> None:
    class Liar:
        def add_clause(self, clause: list[int]) -> None:
            """Forget it."""

        def solve(self, assumptions: list[int]) -> bool:
            return True

    solver = Sat(lambda: None, cross_check=True)
    second: Any = Liar()
    solver._second = second
    one = solver.variable()
    solver.add([one])
    with pytest.raises(Disagreement) as raised:
        solver.solve([-one])
    name = Path(str(raised.value).rpartition(" ")[2])
    assert name.read_text(encoding="utf-8") == "p cnf 1 2\n1 0\n-1 0\n"
    name.unlink()


def test_every_solver_of_a_finite_system_has_a_second_one() -> None:
    """That of the steps, and that of the steps laid out in time."""
    system = load(_COUNTER.format(domain="0 .. 4"), "counter").system
    assert system is not None
    for asked in (True, False):
        bits = Bits(transitions(system), lambda: None, asked)
        assert (bits.solver._second is not None) is asked
        assert (Unrolled(bits, lambda: None).solver._second is not None) is asked
