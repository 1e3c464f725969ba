"""The page in a real browser, driven by scripts in studio/tests; skipped where the browser or the built page is missing."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.studio.conftest import end, long_check, serve
from tests.studio.test_texts import LAMP

from epistrat.studio.server import assets_built

pytestmark = pytest.mark.alone

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
@pytest.mark.parametrize("script", ["story.mjs", "findings.mjs", "keys.mjs"])
def test_in_a_browser(script: str, tmp_path: Path) -> None:
    told = _tell(tmp_path, script)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.skipif(bool(_missing()), reason=f"no random clicks in a browser: {_missing()}")
def test_nothing_false_is_shown_as_current(tmp_path: Path) -> None:
    """Random clicks and edits in two pages, for a short time; `node studio/tests/truth.mjs` takes as long as one likes."""
    client = serve(tmp_path / "drafts")
    try:
        address = f"http://127.0.0.1:{client.port}/#token={client.token}"
        epistrat = str(Path(sys.executable).with_name("epistrat"))
        command = ["node", "tests/truth.mjs", address, epistrat, str(tmp_path), "15"]
        told = subprocess.run(command, cwd=STUDIO, capture_output=True, text=True, timeout=300, check=False)
    finally:
        end(client)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.skipif(bool(_missing()), reason=f"no kills in a browser: {_missing()}")
def test_nothing_is_lost_by_kills(tmp_path: Path) -> None:
    """Server, page and browser are killed while somebody types, a few times; `node studio/tests/kills.mjs` kills a hundred times."""
    command = ["node", "tests/kills.mjs", str(Path(sys.executable).with_name("epistrat")), str(tmp_path), "6"]
    told = subprocess.run(command, cwd=STUDIO, capture_output=True, text=True, timeout=300, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


def _tell(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script that drives the page; it is given the address, a model that takes hours, a file of its own and a folder."""
    model = folder / "long.ispl"
    model.write_text(long_check())
    file = folder / "file.ispl"
    file.write_text(LAMP)
    agent, rest = LAMP.split("end Agent\n")
    (folder / "part.ispl").write_text(f"{agent}end Agent\n")
    whole = folder / "whole.ispl"
    whole.write_text(f'include "part.ispl";\n{rest}')
    client = serve(folder / "drafts", *([file, whole] if script == "findings.mjs" else []))
    try:
        address = f"http://127.0.0.1:{client.port}/#token={client.token}"
        command = ["node", f"tests/{script}", address, str(model), str(folder)]
        return subprocess.run(command, cwd=STUDIO, capture_output=True, text=True, timeout=300, check=False)
    finally:
        end(client)


@pytest.mark.skipif(not (STUDIO / "node_modules" / "typescript").is_dir(), reason="node modules are not installed")
def test_the_page_has_no_type_errors() -> None:
    command = ["node", "node_modules/typescript/bin/tsc", "--noEmit"]
    told = subprocess.run(command, cwd=STUDIO, capture_output=True, text=True, timeout=300, check=False)
    assert told.returncode == 0, told.stdout


@pytest.mark.skipif(not (STUDIO / "node_modules" / "vitest").is_dir(), reason="node modules are not installed")
def test_units_of_the_page() -> None:
    command = ["node", "node_modules/vitest/vitest.mjs", "run", "unit"]
    told = subprocess.run(command, cwd=STUDIO, capture_output=True, text=True, timeout=300, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.skipif(not (STUDIO / "node_modules" / "eslint").is_dir(), reason="node modules are not installed")
def test_the_linter_finds_nothing() -> None:
    command = ["node", "node_modules/eslint/bin/eslint.js", "src", "unit", "tests"]
    told = subprocess.run(command, cwd=STUDIO, capture_output=True, text=True, timeout=300, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_lock_file_names_every_package() -> None:
    """`npm ci` refuses a lock file that leaves out what a package may need, also where that is for another machine."""
    packages = json.loads((STUDIO / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for place, package in packages.items():
        for name in {**package.get("dependencies", {}), **package.get("optionalDependencies", {})}:
            above = [place, *(place[: at.start()] for at in re.finditer("/node_modules/", place)), ""]
            found = any(f"{folder}/node_modules/{name}".lstrip("/") in packages for folder in above)
            assert found, f"{name}, which {place or 'the page'} needs"
