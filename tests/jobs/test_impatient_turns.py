"""Without patience all engines join at once and take the shortest turns."""

from __future__ import annotations

import random

import pytest
from tests.generators import random_formula, random_system

from epistrat.api import System
from epistrat.model.system import Composition
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT, Patience


@pytest.mark.parametrize("composition", list(Composition))
@pytest.mark.parametrize("patience", [Patience(turn=0, joining=0.0), IMPATIENT])
def test_shortest_turns(composition: Composition, patience: Patience) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        system = System.of(random_system(rng, composition=composition))
        formulae = [random_formula(rng, system, "CTLK", 2) for _ in range(3)]
        right = system.check(formulae, engine="reference", evidence=False)
        found = system.check(formulae, budget=Budget(patience=patience))
        assert [one.verdict for one in found] == [one.verdict for one in right], seed
