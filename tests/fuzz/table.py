"""How often each engine met each pair of features."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

from tests.generators import features
from tests.generators.features import ENGINES, FEATURES, Asked

Pair = tuple[str, str]


class Table:
    """Counts per engine and pair of features."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, Pair]] = Counter()
        pairs = list(combinations(sorted(FEATURES), 2))
        self.possible = {e: [pair for pair in pairs if features.possible(e, *pair)] for e in ENGINES}
        self._engines = {pair: [e for e in ENGINES if features.possible(e, *pair)] for pair in pairs}
        self._tried: Counter[Pair] = Counter()

    def note(self, answered: Iterable[tuple[str, Asked]]) -> None:
        """Count what was answered."""
        known: dict[int, list[Pair]] = {}
        for engine, asked in answered:
            if id(asked.formula) not in known or engine == "symbolic":
                known[id(asked.formula)] = list(combinations(sorted(features.of(asked)), 2))
            self.counts.update((engine, pair) for pair in known[id(asked.formula)])

    def next_pair(self, rng: random.Random) -> Pair:
        """A pair that was seldom met, and for which it was seldom tried; one that some engine never met comes first."""
        never = [pair for _, pair, _ in self.below(1)]
        sample = [rng.choice(never or self.possible[engine]) for engine in ENGINES for _ in range(8)]
        lowest = min(
            sample,
            key=lambda pair: min(self.counts[engine, pair] for engine in self._engines[pair]) + 0.2 * self._tried[pair],
        )
        self._tried[lowest] += 1
        return lowest

    def below(self, threshold: int) -> list[tuple[str, Pair, int]]:
        """The pairs that an engine met less often than that."""
        return [
            (engine, pair, self.counts[engine, pair])
            for engine in ENGINES
            for pair in self.possible[engine]
            if self.counts[engine, pair] < threshold
        ]

    def write(self, file: Path) -> None:
        """As JSON: engine, feature, feature, count."""
        rows = [[engine, *pair, self.counts[engine, pair]] for engine in ENGINES for pair in self.possible[engine]]
        file.write_text(json.dumps({"pairs": rows}, indent=None).replace("], [", "],\n["))
