"""``epistrat fmt`` and ``epistrat explain``."""

from __future__ import annotations

from pathlib import Path

from tests.cli.lamp_models import LAMP, Run

import epistrat
from epistrat.source import TITLES


def test_formatting_keeps_the_model_and_is_stable(run: Run, models: Path) -> None:
    formatted = run("fmt", "lamp.ispl").out
    assert formatted != LAMP
    assert epistrat.load(formatted) == epistrat.load(LAMP)
    (models / "pretty.ispl").write_text(formatted)
    assert run("fmt", "pretty.ispl").out == formatted


def test_checking_and_writing(run: Run, models: Path) -> None:
    done = run("fmt", "--check", "lamp.ispl")
    assert done.status == 1
    assert done.out == "lamp.ispl: not in canonical layout\n"
    assert run("fmt", "--write", "lamp.ispl").status == 0
    assert run("fmt", "--check", "lamp.ispl").status == 0
    assert epistrat.load(models / "lamp.ispl") == epistrat.load(LAMP)


def test_what_cannot_be_read_is_left_alone(run: Run, models: Path) -> None:
    (models / "broken.ispl").write_text("Agent { ;")
    assert run("fmt", "--write", "broken.ispl").status == 3
    assert (models / "broken.ispl").read_text() == "Agent { ;"
    assert run("fmt", "missing.ispl", "lamp.ispl").status == 3


def test_every_code_is_explained(run: Run) -> None:
    listed = run("explain").out
    for code, title in TITLES.items():
        assert f"{code}  {title}" in listed
        done = run("explain", code.lower())
        assert done.status == 0
        assert code in done.out


def test_unknown_codes(run: Run) -> None:
    done = run("explain", "E999")
    assert done.status == 2
    assert "there is no code E999" in done.err
