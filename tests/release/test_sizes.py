"""No module grows beyond what is read in one sitting."""

from __future__ import annotations

import pytest

MOST_LINES = 387
"""The longest module when the parts were put on one floor (docs/decisions/018-one-floor.md)."""


def test_no_module_is_longer_than_the_longest_was(request: pytest.FixtureRequest) -> None:
    source = request.config.rootpath / "src" / "epistrat"
    long = {
        str(file.relative_to(source)): lines
        for file in source.rglob("*.py")
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    }
    assert long == {}
