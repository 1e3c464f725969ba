"""States with very many joint actions: tried all at once, or refused soon, and never one by one for hours."""

from __future__ import annotations

import time

import pytest

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.explicit import synchronous
from epistrat.engines.explicit.explore import TooWide
from epistrat.engines.explicit.layout import Layout
from epistrat.engines.registry import load
from epistrat.lang.load import load as loaded
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.solvers.budget import Budget


def ring(count: int) -> System:
    """Agents in a circle; each may rest or act, and is lit once its neighbour and itself have acted together."""
    agents = "".join(
        f"""
Agent A{n}
    Vars: lit : boolean; end Vars
    Actions = {{rest, act}};
    Protocol: Other : {{rest, act}}; end Protocol
    Evolution: lit = true if Action = act and A{(n + 1) % count}.Action = act; end Evolution
end Agent"""
        for n in range(count)
    )
    start = " and ".join(f"A{n}.lit = false" for n in range(count))
    text = f"{agents}\nEvaluation lit if A0.lit = true; all if {' and '.join(f'A{n}.lit = true' for n in range(count))}; end Evaluation"
    text += f"\nInitStates {start}; end InitStates\nFormulae AX !lit; EX all; EX (lit and !all); end Formulae"
    system = loaded(text).system
    assert system is not None
    return system


def verdicts(system: System, engine: str) -> list[Verdict]:
    session = load(engine).open(system, Options(), Budget(seconds=20))
    return [session.check(formula).verdict for formula in formulae(system)]


def formulae(system: System) -> list[Formula]:
    return [*system.formulae]


@pytest.mark.parametrize("few", [1, 1 << 12])
def test_all_at_once_is_the_same_as_one_by_one(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(synchronous, "_FEW_STEPS", few)
    system = ring(5)
    assert (
        verdicts(system, "explicit") == verdicts(system, "reference") == [Verdict.FAILS, Verdict.HOLDS, Verdict.HOLDS]
    )


def test_more_than_can_be_laid_out_are_refused_at_once() -> None:
    session = load("explicit").open(ring(26), Options(), Budget(seconds=60))
    started = time.process_time()
    outcome = session.check(formulae(ring(26))[0])
    assert outcome.verdict is Verdict.UNKNOWN
    assert "2^26 joint actions" in (outcome.reason or "")
    assert time.process_time() - started < 5


def test_they_are_not_tried_one_by_one() -> None:
    system = ring(13)
    successors = synchronous.SynchronousSuccessors(Layout(system))
    with pytest.raises(TooWide):
        successors.step(0)
