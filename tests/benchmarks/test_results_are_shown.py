"""The committed tables and pictures are those that the committed measurements give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from epistrat.experiments import bench_report, suite

RESULTS = Path(__file__).parents[2] / "benchmarks/results"


@pytest.mark.parametrize("name", ["figures", "growth", "papers"])
def test_tables_and_pictures(name: str, tmp_path: Path) -> None:
    asked = suite.load(name)
    head = json.loads((RESULTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[0])
    about = {key: value for key, value in head.items() if key not in ("suite", "startup_cpu")}
    rows = list(bench_report.read(RESULTS, asked).values())
    bench_report.write(tmp_path, asked, rows, about, head["startup_cpu"])
    for ending in ("md", "svg"):
        made = (tmp_path / f"{name}.{ending}").read_text(encoding="utf-8")
        assert (RESULTS / f"{name}.{ending}").read_text(encoding="utf-8") == made, f"{name}.{ending} is out of date"
