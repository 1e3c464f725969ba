"""The command ``epistrat lsp`` where its library is missing."""

from __future__ import annotations

import sys

import pytest

from epistrat.cli.main import main


def test_what_is_missing_is_said_in_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in [name for name in sys.modules if name.startswith(("epistrat.lsp", "pygls", "lsprotocol"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    assert main(["lsp"]) == 2
    assert "pip install 'epistrat[lsp]'" in capsys.readouterr().err
