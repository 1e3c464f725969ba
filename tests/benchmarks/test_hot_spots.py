"""The profile books every second in one place, and waiting nowhere."""

from __future__ import annotations

import pytest

from benchmarks import hot_spots


@pytest.mark.parametrize(
    ("file", "function", "where"),
    [
        ("~", "<method 'apply_exists' of 'oxidd.bcdd.BCDDFunction' objects>", "BDD library"),
        ("~", "<method 'acquire' of '_thread.lock' objects>", None),
        ("~", "<built-in method builtins.len>", "other Python"),
        ("/src/epistrat/lang/lexer.py", "words", "language"),
        ("/src/epistrat/encoding/order.py", "span", "encoding"),
        ("/src/epistrat/engines/symbolic/reach.py", "search", "engine"),
        ("/src/epistrat/solvers/bdd/oxidd_space.py", "and_exists", "BDD library"),
        ("/src/epistrat/terms/expr.py", "children", "other Python"),
    ],
)
def test_places(file: str, function: str, where: str | None) -> None:
    assert hot_spots.place(file, function) == where


def test_a_profile_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert hot_spots.main(["vote", "3", "all"]) == 0
    row = capsys.readouterr().out.splitlines()[2]
    shares = [int(cell.strip().rstrip("%")) for cell in row.split("|")[3:-1]]
    assert len(shares) == len(hot_spots.PLACES)
    assert sum(shares) == pytest.approx(100, abs=3)
