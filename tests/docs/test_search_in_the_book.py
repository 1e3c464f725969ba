"""The search field of the built book, in a real browser; skipped where MkDocs or the browser is missing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ANSWERS = {
    "how do I say that an agent does not know": "How do I say that an agent does not know?",
    "why is my formula vacuous": "Why is my formula vacuous?",
    "MCMAS -c 3 equivalent": "What is the equivalent of MCMAS -c 3?",
    "how large can n get": "How large can n get?",
}
"""What is typed, and the section of the page of questions that has to come first."""


def _missing() -> str:
    """What is missing, in words; empty if nothing is."""
    if find_spec("mkdocs") is None or find_spec("mkdocstrings") is None or find_spec("material") is None:
        return "MkDocs is not installed (make docs)"
    if shutil.which("node") is None or not (ROOT / "studio/node_modules/playwright-core").is_dir():
        return "node modules are not installed (sh studio/prepare.sh --browser)"
    if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        return "chromium is not installed"
    return ""


def book(folder: Path) -> Path:
    """The built book: the one of `make docs` if nothing has changed since, else a new one."""
    built = ROOT / "build/book"
    index = built / "search/search_index.json"
    sources = [*ROOT.glob("*.md"), ROOT / "mkdocs.yml", *(ROOT / "docs").rglob("*"), *(ROOT / "src").rglob("*.py")]
    if index.exists() and max(one.stat().st_mtime for one in sources) < index.stat().st_mtime:
        return built
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    return folder


@pytest.mark.long  # four pages in a browser, and the book may have to be built first
@pytest.mark.skipif(bool(_missing()), reason=f"no search in a browser: {_missing()}")
def test_the_first_hit_answers_the_question(tmp_path: Path) -> None:
    folder = book(tmp_path / "book")
    serve = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            port = server.stdout.readline().split(" port ")[1].split()[0]
            command = ["node", "tests/search.mjs", f"http://127.0.0.1:{port}/index.html", *ANSWERS]
            told = subprocess.run(
                command, cwd=ROOT / "studio", capture_output=True, text=True, timeout=240, check=False
            )
        finally:
            server.terminate()
    assert told.returncode == 0, told.stderr
    hits = {question: (page, titles[1]) for question, page, titles in map(json.loads, told.stdout.splitlines())}
    assert hits == {question: ("/questions.html", title) for question, title in ANSWERS.items()}
