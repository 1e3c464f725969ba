"""Random systems over integers and reals with observers: no contradiction to bounded exploration, and all evidence replays."""

from __future__ import annotations

from collections import Counter

from tests.fuzz.arithmetic import compare

SEEDS = (0, 3, 4, 5, 6, 8, 12)


def test_agreement_with_bounded_exploration() -> None:
    counts: Counter[str] = Counter()
    for seed in SEEDS:
        for found, asked in compare(seed):
            assert not found.isupper(), asked
            counts[found] += 1
    assert counts["agrees"] >= 8 and counts["replayed completely"] >= 8
