"""Compares all engines, reduced and not, with the reference engine on random interleaved systems with strategic formulae.

    python -m tests.asynchronous.random_systems 10000 [first]        or        make fuzz SYSTEMS=10000

takes so many systems, in every reading and under all rules of play, and says how many verdicts were compared for each.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tests.generators.asynchronous import COMBINATIONS, Combination, asynchronous_system, strategic_formula

from epistrat.engines.contract import Options, Outcome, Strategies, Verdict
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load as engine_of
from epistrat.logic.formula import Formula
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

PLAYERS = (("symbolic", "off"), ("explicit", "off"), ("explicit", "auto"), ("explicit", "singleton"))
"""The engines, with the reduction that explicit states may have."""

UNREDUCED = (("symbolic", "off"), ("explicit", "auto"))
"""Where strategies are read on all states anyway."""


def asked(engine: str, system: System, formula: Formula, reading: Strategies, reduce: str = "auto") -> Outcome | None:
    """What an engine answers; None if the question is not one of its kind.  Read as uniform, the first agents fix what they do."""
    followers = system.groups["pair"] if reading is Strategies.UNIFORM and len(system.agents) > 2 else None
    options = Options(reading, followers, tuning=(ExplicitTuning(reduce=reduce),))
    if refusal(engine_of(engine), system, formula, options) is not None:
        return None
    session = engine_of(engine).open(system, options, Budget())
    try:
        return session.check(formula)
    finally:
        session.close()


def verdict(engine: str, system: System, formula: Formula, reading: Strategies, reduce: str = "auto") -> Verdict:
    """What an engine says to a question that it accepts."""
    outcome = asked(engine, system, formula, reading, reduce)
    assert outcome is not None
    return outcome.verdict


@dataclass(frozen=True)
class Comparison:
    """One verdict beside that of the reference engine; ``smaller`` if reduction left states out."""

    combination: Combination
    engine: str
    reduce: str
    said: Verdict
    expected: Verdict
    smaller: bool

    @property
    def agrees(self) -> bool:
        """Whether both say the same."""
        return self.said is self.expected

    def __str__(self) -> str:
        words = f"{self.engine} (reduction: {self.reduce}) says {self.said.value}"
        return f"{self.combination}: {words}, reference {self.expected.value}"


def comparisons(system: System, formula: Formula) -> Iterator[Comparison]:
    """All combinations of a reading with rules of play, by every engine that knows them."""
    for combination in COMBINATIONS:
        played = combination.rules.of(system)
        expected = verdict("reference", played, formula, combination.reading)
        states = 0
        for engine, reduce in PLAYERS if combination.bears_reduction else UNREDUCED:
            outcome = asked(engine, played, formula, combination.reading, reduce)
            if outcome is None:
                continue
            count = int(outcome.statistics.get("states", 0))
            states = count if reduce == "off" else states
            smaller = engine == "explicit" and count < states
            yield Comparison(combination, engine, reduce, outcome.verdict, expected, smaller)


def disagreements(system: System, formula: Formula) -> list[str]:
    """Where an engine contradicts the reference engine."""
    return [str(one) for one in comparisons(system, formula) if not one.agrees]


def main(count: int, first: int) -> int:
    """Compare on so many systems; the number of disagreements."""
    table: Counter[tuple[str, str, str]] = Counter()
    smaller: Counter[tuple[str, str, str]] = Counter()
    wrong = fair = 0
    for number in range(first, first + count):
        rng = random.Random(number)
        system = asynchronous_system(rng)
        formula = strategic_formula(rng, system)
        fair += bool(system.fairness)
        for one in comparisons(system, formula):
            key = (str(one.combination), one.engine, one.reduce)
            table[key] += 1
            smaller[key] += one.smaller
            if not one.agrees:
                wrong += 1
                print(f"system {number}: {show(formula)}: {one}", flush=True)
                print(to_ispl(system) if wrong == 1 else "", flush=True)
        if (number - first + 1) % 500 == 0:
            print(f"{number - first + 1} systems, {wrong} disagreements", flush=True)
    print("compared  reduced  reading, engine, reduction")
    for key, times in table.items():
        print(f"{times:8}  {smaller[key]:7}  {key[0]}; {key[1]}, {key[2]}")
    print(f"{count} systems ({fair} with fairness), {table.total()} verdicts compared, {wrong} disagreements")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)))
