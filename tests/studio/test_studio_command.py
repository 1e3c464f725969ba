"""``epistrat studio`` where something is missing: it says what, and does not start."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from epistrat.cli import studio as command
from epistrat.cli.main import main
from epistrat.studio import server


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "find_spec", lambda _: None)
    assert main(["studio"]) == 2
    assert "pip install 'epistrat[studio]'" in capsys.readouterr().err


def test_how_to_build_the_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(server, "assets_built", lambda: False)
    assert main(["studio"]) == 2
    assert "make studio" in capsys.readouterr().err


def test_files_and_addresses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(server, "assets_built", lambda: True)
    assert main(["studio", str(tmp_path / "nothing.ispl")]) == 3
    assert "there is no file" in capsys.readouterr().err
    assert main(["studio", "--host", "192.0.2.1", "--port", "1", "--no-browser", "--drafts", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "cannot listen" in said and "anybody who can reach" in said


def test_a_server_for_other_machines_answers_to_this_ones_name() -> None:
    assert server.called("127.0.0.1") == ["127.0.0.1"]
    assert server.called("::1") == ["[::1]"]
    names = server.called("0.0.0.0")
    assert names[0] == socket.gethostname().lower() and "0.0.0.0" not in names
