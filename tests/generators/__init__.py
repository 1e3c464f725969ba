"""Random systems and formulae for tests: ``random_system(rng, ...)``, ``random_formula(rng, system, fragment)``.

Both take a plain ``random.Random``; `tests.generators.strategies` wraps them for Hypothesis.
"""

from tests.generators.formulae import FRAGMENTS, random_formula, random_group
from tests.generators.systems import random_system

__all__ = ["FRAGMENTS", "random_formula", "random_group", "random_system"]
