"""Random verdicts about histories beside the judge that writes contexts out: `python -m tests.histories.verdicts 20000 SEED`.

Each model is asked eight questions; both engines answer, and where states are few the plain way through all histories.  Models that go
round are asked four more, about which these agree with each other.  The first difference is printed with its model, and ends the run with
status 1.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from tests.histories.contexts import Judge, TooMany
from tests.histories.motley import Asking, Kind, random_system

from epistrat.engines import needs, registry
from epistrat.engines.contract import Options, Verdict
from epistrat.evidence.histories import Histories
from epistrat.logic.formula import Formula, Next, Reading, subformulae
from epistrat.logic.histories import read_as, unreadable
from epistrat.logic.nodes import PAST
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

QUESTIONS = 8
ENGINES = ("explicit", "symbolic")


def compared(seed: int, counts: Counter[str]) -> Iterator[str]:
    """The answers about one random model are compared; yields what differs."""
    rng = random.Random(seed)
    system, kind, text = random_system(rng)
    agents = tuple(agent.name for agent in system.agents if agent.name != "Environment")
    formulae: list[Formula] = []
    while len(formulae) < QUESTIONS:
        plays = not system.interleaved and not system.fairness
        formula = Asking(rng, agents, kind.rest is not None, plays=plays).formula(rng.choice((1, 2, 2, 3)))
        if unreadable(read := read_as(formula, Reading.OBSERVATION)) is None:
            formulae.append(read)
    sessions = {name: registry.load(name).open(system, Options(), Budget(seconds=60)) for name in ENGINES}
    plainly = Histories(system, 1_000)
    for formula in formulae:
        try:
            expected = _judged(system, kind, formula)
        except TooMany:
            counts["not judged"] += 1
            continue
        answers: dict[str, bool | None] = {"plainly": plainly.holds(formula)}
        for name, session in sessions.items():
            if needs.refusal(registry.load(name), system, formula, Options()) is not None:
                counts[f"{name} refused"] += 1
                continue
            outcome = session.check(formula)
            known = outcome.verdict is not Verdict.UNKNOWN
            answers[name] = outcome.verdict is Verdict.HOLDS if known else None
            if not known:
                counts[f"{name} unknown: {(outcome.reason or '')[:60]}"] += 1
        for name, answer in answers.items():
            if answer is not None:
                counts["compared"] += 1
                counts[f"{name} {'holds' if expected else 'fails'}"] += 1
            if answer not in (None, expected):
                yield f"seed {seed}: {name} says {answer}, the judge {expected}:\n{show(formula)}\n{text}"

    if kind.rest is None:
        yield from _agreeing(seed, rng, system, agents, text, counts)


def _agreeing(
    seed: int, rng: random.Random, system: System, agents: tuple[str, ...], text: str, counts: Counter[str]
) -> Iterator[str]:
    """On runs that go round, without an end to write out, all ways agree about operators without bound."""
    sessions = {
        name: registry.load(name).open(system, Options(), Budget(seconds=60, states=20_000)) for name in ENGINES
    }
    plainly = Histories(system, 200)
    for _ in range(QUESTIONS // 2):
        formula = read_as(Asking(rng, agents, True, plays=not system.fairness).formula(2), Reading.OBSERVATION)
        if unreadable(formula) is not None:
            continue
        answers = {"plainly": plainly.holds(formula)}
        for name, session in sessions.items():
            if needs.refusal(registry.load(name), system, formula, Options()) is None:
                verdict = session.check(formula).verdict
                answers[name] = None if verdict is Verdict.UNKNOWN else verdict is Verdict.HOLDS
        said = {answer for answer in answers.values() if answer is not None}
        counts["agreed, going round"] += sum(answer is not None for answer in answers.values()) > 1
        if len(said) > 1:
            yield f"seed {seed}: {answers}:\n{show(formula)}\n{text}"


def _judged(system: System, kind: Kind, formula: Formula) -> bool:
    parts = list(subformulae(formula))
    if kind.rest is None:
        return Judge(system, sum(isinstance(one, Next) for one in parts) + 1, rests=False).holds(formula)
    deep = sum(isinstance(one, PAST) for one in parts)
    return Judge(system, kind.rest + 1 + deep, rests=True).holds(formula)


def main(arguments: list[str]) -> int:
    """Until so many verdicts were compared, from a seed on."""
    wanted, seed = int(arguments[0]), int(arguments[1])
    counts: Counter[str] = Counter()
    begun = time.monotonic()
    while counts["compared"] < wanted:
        for difference in compared(seed, counts):
            print(difference, flush=True)
            return 1
        seed += 1
    for name, count in sorted(counts.items()):
        print(f"{count:8} {name}")
    print(f"next seed {seed}, {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
