"""``epistrat studio`` where something is missing: it says what, and does not start."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
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


def test_the_token_is_no_argument_of_the_browser(tmp_path: Path) -> None:
    """Arguments can be read by everybody on a machine: the browser is given a file that only its user can read."""
    told = tmp_path / "told"
    browser = tmp_path / "browser"
    lines = (
        "#!/bin/sh",
        'printf "%s\\n" "$@" >"$0.new"',
        'stat -c %a "${1#file://}" >>"$0.new"',
        f'mv "$0.new" {told}',
        "",
    )
    browser.write_text("\n".join(lines))
    browser.chmod(0o755)
    serve = "import sys; from pathlib import Path; from epistrat.studio.server import run\n"
    serve += "run([], '127.0.0.1', 0, browse=True, say=lambda line: print(line, flush=True), drafts=Path(sys.argv[1]))"
    command = [sys.executable, "-c", serve, str(tmp_path / "drafts")]
    environment = {**os.environ, "BROWSER": f"{browser} %s", "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        token = server.stdout.readline().strip().partition("#token=")[2]
        for _ in range(300):
            if told.exists():
                break
            time.sleep(0.1)
        (page,) = tmp_path.glob("epistrat-studio-*.html")
        assert f"#token={token}" in page.read_text()
        server.send_signal(signal.SIGTERM)
        server.wait(60)
    address, mode = told.read_text().split()
    assert (address, mode) == (page.as_uri(), "600")
    assert token and token not in address
    assert not page.exists()
