"""The whole story in a real browser, told by studio/tests/story.mjs; skipped where the browser or the built page is missing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.studio.conftest import end, long_check, serve

from epistrat.studio.server import assets_built

STUDIO = Path(__file__).parents[2] / "studio"


def _missing() -> str:
    """What is missing, in words; empty if nothing is."""
    if shutil.which("node") is None:
        return "Node.js is not installed"
    if not (STUDIO / "node_modules" / "playwright-core").is_dir():
        return "node modules are not installed (sh studio/prepare.sh --browser)"
    if not assets_built():
        return "the page is not built (sh studio/prepare.sh)"
    if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        return "chromium is not installed"
    return ""


@pytest.mark.skipif(bool(_missing()), reason=f"no story in a browser: {_missing()}")
def test_the_whole_story(tmp_path: Path) -> None:
    told = _tell(tmp_path / "first")
    if told.returncode:  # a browser on a busy machine may be too late once; what is broken is broken twice
        told = _tell(tmp_path / "second")
    assert told.returncode == 0, told.stdout + told.stderr


def _tell(folder: Path) -> subprocess.CompletedProcess[str]:
    folder.mkdir()
    model = folder / "long.ispl"
    model.write_text(long_check())
    client = serve(folder / "drafts")
    try:
        address = f"http://127.0.0.1:{client.port}/#token={client.token}"
        command = ["node", "tests/story.mjs", address, str(model), str(folder)]
        return subprocess.run(command, cwd=STUDIO, capture_output=True, text=True, timeout=300, check=False)
    finally:
        end(client)


@pytest.mark.skipif(not (STUDIO / "node_modules" / "typescript").is_dir(), reason="node modules are not installed")
def test_the_page_has_no_type_errors() -> None:
    command = ["node", "node_modules/typescript/bin/tsc", "--noEmit"]
    told = subprocess.run(command, cwd=STUDIO, capture_output=True, text=True, timeout=300, check=False)
    assert told.returncode == 0, told.stdout
