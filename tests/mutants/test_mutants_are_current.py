"""Every planted bug can still be planted: the code it was made for is where it was.  `make mutants` runs the tests against them."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.mutants.catalogue import ROOT, Mutant, catalogue


def test_names_are_unique() -> None:
    assert [name for name, count in Counter(mutant.name for mutant in catalogue()).items() if count > 1] == []


@pytest.mark.parametrize("mutant", catalogue(), ids=lambda mutant: mutant.name)
def test_it_can_be_planted(mutant: Mutant) -> None:
    path, after = mutant.planted()
    before = (ROOT / path).read_text(encoding="utf-8")
    assert after.split() != before.split()
    compile(after, str(path), "exec")
    for test in mutant.tests:
        assert (ROOT / test.partition("::")[0]).exists(), test
