"""Answers of engines beside the judge's."""

from __future__ import annotations

from epistrat.engines import registry
from epistrat.engines.contract import Options, Outcome, Verdict
from epistrat.engines.needs import refusal
from epistrat.logic.formula import Formula
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.solvers.budget import Budget


def answer(engine: str, system: System, formula: Formula, options: Options, seconds: float = 60) -> Outcome:
    return registry.load(engine).open(system, options, Budget(seconds=seconds)).check(formula)


def compare(
    system: System,
    formula: Formula,
    options: Options,
    engines: tuple[str, ...],
    all_of_it: bool = True,
    seconds: float = 60,
) -> int:
    """How many verdicts of engines were compared with the judge's: they say the same, and refuse what it refuses.

    Without ``all_of_it`` an engine may refuse the question from the start.
    """
    judge = answer("reference", system, formula, options, seconds)
    compared = 0
    for engine in engines:
        refused = refusal(registry.load(engine), system, formula, options)
        assert refused is None or not all_of_it or judge.verdict is Verdict.UNKNOWN, (refused, show(formula))
        if refused is not None:
            continue
        other = answer(engine, system, formula, options, seconds)
        if other.verdict is Verdict.UNKNOWN and judge.verdict is not Verdict.UNKNOWN:
            unsolved = "too many states", "time limit"
            assert any(word in (other.reason or "") for word in unsolved), (
                other.reason,
                show(formula),
                to_ispl(system),
            )
        elif judge.verdict is not Verdict.UNKNOWN or "(E0" in (
            judge.reason or ""
        ):  # the judge goes through few strategies
            assert judge.verdict is other.verdict, (engine, judge, other.reason, show(formula), to_ispl(system))
            compared += judge.verdict is not Verdict.UNKNOWN
    return compared
