"""Answers about families can be read back, whatever words their formulae have and whatever size was asked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.cli.lamp_models import Run

from epistrat import scenarios

SIZES = [("muddy-children", 3), ("muddy-children", 5), ("hats", 3), ("drinking-logicians", 4), ("gossip", 3)]
SIZES += [("dining-cryptographers", size) for size in random.Random(1).sample(range(3, 7), 2)]


@pytest.mark.parametrize(("name", "size"), SIZES)
def test_saved_answers_are_read_back(name: str, size: int, run: Run, tmp_path: Path) -> None:
    model = tmp_path / "model.ispl"
    model.write_text(scenarios.text(name), encoding="utf-8")
    (tmp_path / "said.json").write_text(
        run("check", str(model), f"--set=n={size}", "--json", "--evidence").out, encoding="utf-8"
    )
    done = run("replay", str(model), str(tmp_path / "said.json"), f"--set=n={size}")
    assert done.status in (0, 1), done.err
    assert "false" not in done.out
    answers = done.out.splitlines()[-1 if done.status == 0 else -2]
    assert ("re-checked" in answers or "proved again" in answers) and not answers.startswith("0 answers")
