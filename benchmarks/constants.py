"""What the constants of the engines are worth: ``python -m benchmarks.constants [--only NAME]``.

Every model of the zoo (its second size to measure) and of the families (their first) is checked with one constant of the symbolic engine
changed at a time; with ``--limits ENGINE``, the examples without bounds are checked by that engine with all its limits of one kind changed
together (`Patience.extent`: steps, guesses, cases, parts; `Patience.clocks`: seconds of a query or an attempt).  What counts is work:
nodes made, operations and queries, the same on every machine.  The table gives the geometric mean of the work over that with the constant
as it is, and the models on which it changed most, or whose verdicts did.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from benchmarks.zoo import SHAPES, text

from benchmarks import families
from epistrat.engines import registry
from epistrat.engines.contract import Options
from epistrat.lang import load
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.solvers.patience import PATIENT, Patience

SECONDS = 6.0
"""A model that takes longer as it is is left out; with a constant changed it counts with the work done so far."""

ORDER, CANDIDATES = "epistrat.encoding.order", "epistrat.engines.symbolic.candidates"
VALUES: list[tuple[str, str, tuple[float, ...]]] = [
    ("epistrat.encoding.footprint", "_HUGE", (0.1, 1.0)),
    (ORDER, "_HUB", (0.15, 2.0)),
    (ORDER, "_GAIN", (0.5, 1.0)),
    (ORDER, "_SMALL_EDGE", (4, 1000)),
    (ORDER, "_END_GAIN", (0.0, 1.0)),
    (ORDER, "_ROUNDS", (10, 300)),
    (ORDER, "_PATIENCE", (2, 60)),
    ("epistrat.encoding.footprint", "_FEW_ITEMS", (4, 1000)),
    ("epistrat.encoding.footprint", "_MOST_OBSERVERS", (0, 6)),
    ("epistrat.encoding.rank", "_ROUNDS", (3, 40)),
    (CANDIDATES, "_SPAN_GAIN", (0.0, 1.0)),
    (CANDIDATES, "_GAIN", (0.0, 1.0)),
    ("epistrat.encoding.schedule", "_GREEDY_GAIN", (0.0, 1.0)),
    ("epistrat.encoding.schedule", "_GREEDY_LIMIT", (0, 2000)),
    ("epistrat.encoding.relation", "_MANY_CLUSTERS", (1, 1000)),
    ("epistrat.encoding.relation", "_TOO_LARGE_TO_SPLIT", (1000,)),
    ("epistrat.encoding.split", "_SHARE", (0.25, 0.8)),
    ("epistrat.encoding.split", "_MOST_VALUES", (8, 1000)),
]
LIMITS = {
    "a quarter of the steps, guesses, cases, parts": replace(PATIENT, extent=0.25),
    "four times as many": replace(PATIENT, extent=4.0),
    "a quarter of the work of solvers": replace(PATIENT, effort=0.25),
    "four times as much": replace(PATIENT, effort=4.0),
}


def source(name: str) -> str:
    """The model of that name as ISPL."""
    if name in SHAPES:
        return text(name, SHAPES[name].sizes[1])
    n = families.FAMILIES[name].sizes[0]
    return families.text(name, n, next(iter(families.model(name, n).specs)))


def work(name: str) -> tuple[int, bool]:
    """The work for all questions of a model, and whether they were answered in time."""
    found, answers = answered("symbolic", source(name), Budget(seconds=SECONDS, cores=1))
    return found, "?" not in answers


def answered(engine: str, text: str, budget: Budget) -> tuple[int, str]:
    """The work for all questions of a model, and the first letters of the answers; "?" where there is none."""
    system = load(text).system
    assert system is not None
    answers = ""
    try:
        session = registry.load(engine).open(system, Options(), budget)
        for formula in system.formulae:
            answers += session.check(formula).verdict.value[0].replace("u", "?")
    except OutOfBudget:
        answers += "?"
    return budget.meter.work, answers


def limits(engine: str, models: Sequence[Path]) -> None:
    """The table for the limits of one engine."""

    def all_answered(patience: Patience) -> dict[str, tuple[int, str]]:
        done = {}
        for model in models:
            done[model.stem] = answered(
                engine, model.read_text(), Budget(seconds=10 * SECONDS, cores=1, patience=patience)
            )
        return done

    usual = {name: found for name, found in all_answered(PATIENT).items() if found[0]}
    print(f"{engine}, {len(usual)} models\n\n| limits | work | changed most |\n|---|--:|---|", flush=True)
    for name, patience in LIMITS.items():
        changed = all_answered(patience)
        ratios = {name: changed[name][0] / before for name, (before, _) in usual.items()}
        told = [
            f"{name} {ratios[name]:.2f}" + (f" ({before} to {changed[name][1]})" if before != changed[name][1] else "")
            for name, (_, before) in sorted(usual.items(), key=lambda one: -abs(math.log(ratios[one[0]])))
            if abs(math.log(ratios[name])) > 0.05 or before != changed[name][1]
        ]
        mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        print(f"| {name} | {mean:.3f} | {', '.join(told[:5])} |", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.constants", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", metavar="NAME", help="only this constant (repeatable)")
    parser.add_argument("--limits", metavar="ENGINE", help="the limits of this engine instead (abstraction, lazy)")
    parser.add_argument("models", nargs="*", type=Path, metavar="MODEL", help="for --limits; examples/unbounded/*.ispl")
    options = parser.parse_args(arguments)
    if options.limits:
        limits(options.limits, options.models or sorted(Path("examples/unbounded").glob("*.ispl")))
        return
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
