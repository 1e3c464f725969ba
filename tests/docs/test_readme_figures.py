"""The README's times are those of the committed results, and its sentences name what was asked."""

from __future__ import annotations

from benchmarks.readme_figures import README, ROWS, text

from epistrat import scenarios


def test_the_table_is_made_from_the_results() -> None:
    assert README.read_text(encoding="utf-8") == text(), "run python -m benchmarks.readme_figures"


def test_each_row_names_the_formula() -> None:
    for row in ROWS:
        (
            scenario,
            *_,
        ) = row.case.split()
        asked = row.words.rpartition("`")[0].rpartition("`")[2]
        assert asked in row.case
        assert f"{asked.partition('[')[0]}" in scenarios.text(scenario)
