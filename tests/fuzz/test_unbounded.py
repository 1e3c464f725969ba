"""A few models of ``make fuzz UNBOUNDED=n``: asked together, alone and in another order, every decided verdict is the judge's."""

from __future__ import annotations

import random

import pytest
from tests.fuzz.unbounded import MAKERS, compare, text

from epistrat.lang.load import load


@pytest.mark.parametrize("seed", [2, 3, 5, 8, 21])
def test_answers_are_right_and_do_not_depend_on_what_else_is_asked(seed: int) -> None:
    """Nothing wrong, no crash, no evidence refused, nothing left out."""
    found = list(compare(seed, seconds=4.0))
    assert not [one for one in found if one[0].isupper()]
    assert any(one[0] == "default: right" for one in found)


def test_every_device_makes_a_model() -> None:
    """All texts are models, and every device occurs."""
    texts = [text(random.Random(seed)) for seed in range(150)]
    assert all(load(one).system is not None for one in texts)
    assert len(MAKERS) == 9
