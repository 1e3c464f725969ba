"""Making forgeries, and what replay makes of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.evidence.forgeries import honest, weaken_evidence, weaken_question, weaken_system  # noqa: F401  # enter their lists
from tests.evidence.forgeries.brute import OTHER_STARTS, Premises
from tests.evidence.forgeries.case import Case
from tests.evidence.forgeries.lying import is_true, lies_about
from tests.evidence.forgeries.weaken import WEAKENINGS

from epistrat.evidence.replay import replay
from epistrat.logic.show import show
from epistrat.proving.fresh import FreshProver

EACH = 2
"""How many forgeries of one premise are tried for one honest answer at most; the number of premises is what matters."""


@dataclass
class Figures:
    """What was made, and what became of it; by kind of evidence and premise."""

    honest: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)
    false: Counter[tuple[str, str]] = field(default_factory=Counter)
    listed: Counter[tuple[str, str]] = field(default_factory=Counter)
    accepted: list[tuple[str, str, Case]] = field(default_factory=list)
    rejected: list[Case] = field(default_factory=list)

    @property
    def made(self) -> int:
        """How many forgeries were made."""
        return sum(self.false.values()) + sum(self.listed.values()) + len(self.accepted)


SOURCES: list[tuple[Callable[[random.Random], Iterator[Case]], int]] = [
    (honest.infinite, 6),
    (honest.written, 8),
    (lambda rng: honest.finite(rng, ("abstraction", "lazy")), 5),
    (lambda rng: honest.finite(rng, ("reference", "symbolic", "explicit")), 8),
    (honest.shipped, 1),
]


def forge(count: int, seed: int, told: Callable[[Figures], None] = lambda figures: None) -> Figures:
    """Make so many forgeries and replay them."""
    figures = Figures()
    rng = random.Random(seed)
    sources, weights = zip(*SOURCES, strict=True)
    while figures.made < count:
        one = rng.randrange(2**32)
        (source,) = rng.choices(sources, weights)
        for case in source(random.Random(one)):
            for number, variant in enumerate(honest.variants(case)):
                judge(variant, random.Random(one), figures, count, derived=number > 0)
        told(figures)
    return figures


def judge(case: Case, rng: random.Random, figures: Figures, count: int, derived: bool = False) -> None:
    """Replay an honest case and forgeries of it; one that is ``derived`` from an honest one need not be a proof."""
    found = replay(case.system, case.certificate, prover=FreshProver())
    if derived and not found.complete:
        return
    if not found.ok:
        figures.rejected.append(case)
        return
    if not found.complete:
        figures.open[case.kind] += 1
        return
    figures.honest[case.kind] += 1
    for premise, forged in forgeries(case, rng):
        if figures.made >= count:
            return
        result = replay(forged.system, forged.certificate, prover=FreshProver())
        if result.complete:
            figures.accepted.append((case.kind, premise, forged))
        else:
            (figures.listed if result.ok else figures.false)[case.kind, premise] += 1


def forgeries(case: Case, rng: random.Random) -> Iterator[tuple[str, Case]]:
    """Forgeries of an honest case, each with the premise that was dropped and is violated."""
    if case.proof is None:
        yield from lies_about(case, rng)
        return
    seen = [case]
    for name, weaken in WEAKENINGS.items():
        for _ in range(EACH):
            forged = weaken(rng, case)
            if forged is None or forged in seen:
                continue
            seen.append(forged)
            broken = Premises(forged, rng).broken()
            if broken is not None and not (broken == OTHER_STARTS and is_true(forged)):
                yield name, forged


def words(case: Case) -> str:
    """A case in words."""
    return f"{case.source}: {show(case.certificate.question)} {case.certificate.verdict.value}, {case.tree.because}"
