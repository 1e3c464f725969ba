"""Random families beside their counted systems: the same steps, the same look-alikes, the same verdicts."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from tests.every.random_families import random_family

from epistrat.answers import Verdict
from epistrat.every.compare import TooLarge, difference, of_size
from epistrat.every.plan import Outside, Plan, planned, template
from epistrat.lang.load import load, without_text
from epistrat.model.system import System
from epistrat.service import ask
from epistrat.service.requests import CheckRequest, Given


def verdict(system: System, formulae: tuple[str, ...] | None = None) -> Verdict:
    """The worst verdict, by the definitions."""
    request = CheckRequest(model=Given(system, without_text(system)), formulae=formulae, engine="reference")
    found = {one.verdict for one in ask(request)[0].results}
    return next((one for one in (Verdict.FAILS, Verdict.UNKNOWN) if one in found), Verdict.HOLDS)


def agree(seeds: Iterable[int], most: int = 1) -> int:
    """Compare random families with their counted systems; how many there were."""
    number = 0
    for seed in seeds:
        text = random_family(seed)
        if not load(text).ok:
            continue
        tree = template(text, "n", {})
        try:
            plan = planned(tree, tree.formulae[0], 2)
        except Outside:
            continue
        number += 1
        for size in range(plan.start, min(plan.start + most, 6)):
            if not same(plan, text, size, seed):
                break
    return number


def same(plan: Plan, text: str, size: int, seed: int) -> bool:
    """Whether a size could be compared."""
    system = load(text, parameters={"n": size}).system
    if system is None:
        return False
    try:
        assert difference(plan.counted, system, size, 300) is None, f"seed {seed}, n = {size}"
    except TooLarge:
        return False
    assert verdict(system) is verdict(of_size(plan.counted, size), plan.texts), f"seed {seed}, n = {size}"
    return True


def test_random_families_agree_with_their_counted_systems() -> None:
    assert agree(range(14)) >= 6


@pytest.mark.long
def test_many_random_families_agree_with_their_counted_systems() -> None:
    assert agree(range(1000, 1300), 2) >= 100
