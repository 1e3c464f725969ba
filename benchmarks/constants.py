"""What the constants of the symbolic engine are worth: ``python -m benchmarks.constants [--only NAME]``.

Every model of the zoo (its second size to measure) and of the families (their first) is checked with one constant changed at a time.
What counts is work: nodes made and operations, the same on every machine.  The table gives the geometric mean of the work over that with
the constant as it is, and the models on which it changed most.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from importlib import import_module

from benchmarks.zoo import SHAPES, text

from benchmarks import families
from epistrat.engines.contract import Options
from epistrat.engines.symbolic.engine import SymbolicEngine
from epistrat.lang import load
from epistrat.solvers.budget import Budget, OutOfBudget

SECONDS = 6.0
"""A model that takes longer as it is is left out; with a constant changed it counts with the work done so far."""

ORDER, CANDIDATES = "epistrat.encoding.order", "epistrat.engines.symbolic.candidates"
VALUES: list[tuple[str, str, tuple[float, ...]]] = [
    (ORDER, "_HUGE", (0.1, 1.0)),
    (ORDER, "_HUB", (0.15, 2.0)),
    (ORDER, "_GAIN", (0.5, 1.0)),
    (ORDER, "_SMALL_EDGE", (4, 1000)),
    (CANDIDATES, "_SPAN_GAIN", (0.0, 1.0)),
    (CANDIDATES, "_INTERLEAVE_GAIN", (0.0, 1.0)),
    ("epistrat.encoding.schedule", "_GREEDY_GAIN", (0.0, 1.0)),
    ("epistrat.encoding.relation", "_MANY_CLUSTERS", (1, 1000)),
]


def source(name: str) -> str:
    """The model of that name as ISPL."""
    if name in SHAPES:
        return text(name, SHAPES[name].sizes[1])
    n = families.FAMILIES[name].sizes[0]
    return families.text(name, n, next(iter(families.model(name, n).specs)))


def work(name: str) -> tuple[int, bool]:
    """The work for all questions of a model, and whether they were answered in time."""
    system = load(source(name)).system
    assert system is not None
    budget = Budget(seconds=SECONDS, cores=1)
    try:
        session = SymbolicEngine().open(system, Options(), budget)
        answers = [session.check(formula).verdict.value for formula in system.formulae]
    except OutOfBudget:
        return budget.meter.work, False
    return budget.meter.work, "unknown" not in answers


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.constants", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", metavar="NAME", help="only this constant (repeatable)")
    options = parser.parse_args(arguments)
    usual = {name: found for name in {**SHAPES, **families.FAMILIES} for found, done in [work(name)] if done and found}
    print(f"{len(usual)} models\n\n| constant | value | work | changed most |\n|---|--:|--:|---|", flush=True)
    for module, constant, values in VALUES:
        if options.only and constant not in options.only:
            continue
        place = import_module(module)
        kept = getattr(place, constant)
        for value in values:
            setattr(place, constant, value)
            ratios = {name: work(name)[0] / before for name, before in usual.items()}
            mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
            most = sorted(ratios, key=lambda name: -abs(math.log(ratios[name])))[:3]
            told = ", ".join(f"{name} {ratios[name]:.2f}" for name in most if abs(math.log(ratios[name])) > 0.05)
            print(f"| `{constant}` = {kept} | {value} | {mean:.3f} | {told} |", flush=True)
        setattr(place, constant, kept)


if __name__ == "__main__":
    main()
