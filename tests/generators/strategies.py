"""The random systems and formulae as Hypothesis strategies, which shrink what fails."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

from epistrat.logic.formula import Formula
from epistrat.model.system import System


def systems(**wishes: object) -> st.SearchStrategy[System]:
    """Random systems; see `random_system` for the wishes."""
    return st.randoms(use_true_random=False).map(lambda rng: random_system(rng, **wishes))


def questions(
    fragment: str = "CTLK", depth: int = 3, past: bool = False, **wishes: object
) -> st.SearchStrategy[tuple[System, Formula]]:
    """A random system with a random formula of the fragment about it."""

    @st.composite
    def draw_question(draw: st.DrawFn) -> tuple[System, Formula]:
        rng = draw(st.randoms(use_true_random=False))
        system = random_system(rng, **wishes)
        return system, random_formula(rng, system, fragment, depth, past)

    return draw_question()
