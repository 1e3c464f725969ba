"""Help and manual name every engine and every option, whichever there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.lamp_models import Run

from epistrat.cli.arguments import commands
from epistrat.service.settings import ENGINES

CLI = (Path(__file__).parents[2] / "docs/cli.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", ["check", "info", "strategy"])
def test_every_engine_is_in_the_help(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("epistrat.service.settings.ENGINES", (*ENGINES, "planted"))
    words = next(action.help for action in commands()[verb]._actions if "--engine" in action.option_strings)
    for name in ("auto", *ENGINES, "planted"):
        assert name in (words or "")


def test_the_help_of_check_names_all(run: Run) -> None:
    assert "auto, symbolic, explicit, abstraction, lazy, reference or all" in " ".join(
        next(
            action.help or "" for action in commands()["check"]._actions if "--engine" in action.option_strings
        ).split()
    )


@pytest.mark.parametrize("verb", sorted(commands().keys() - {"mcmas", "help"}))
def test_every_option_is_in_the_manual(verb: str) -> None:
    told = CLI + _pages(verb)
    given = [action.option_strings for action in commands()[verb]._actions if action.option_strings]
    missing = [flags for flags in given if not any(re.search(rf"{flag}(?![\w-])", told) for flag in flags)]
    assert missing in ([], [["-h", "--help"]])


def _pages(verb: str) -> str:
    """Pages that are about one command."""
    named = {"sweep": "experiments.md", "bench": "experiments.md", "studio": "studio.md", "lsp": "editors.md"}
    page = named.get(verb)
    return (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8") if page else ""
