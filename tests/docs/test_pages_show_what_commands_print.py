"""Every command that a page shows is run.  What stands below a line `$ epistrat ...` is what it prints, except for times.

`EPISTRAT_UPDATE_PAGES=1` writes into the pages what is printed now.
"""

from __future__ import annotations

import io
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from epistrat.cli.arguments import parser
from epistrat.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = re.compile(r"    \$ (?:\.venv/bin/)?epistrat (.*)")
NAMED = re.compile(r"    (?:\$ )?(?:\.venv/bin/)?epistrat ((?:[a-z]+) .*)")
TIMES = re.compile(r"\(\d[\d.]* (?:m?s|min)\)")
TALKING = ("studio", "lsp", "sweep", "bench", "doctor")


class Shown(NamedTuple):
    """A command with the lines below it, by number."""

    page: Path
    at: int
    words: list[str]
    below: list[str]


def shown() -> Iterator[Shown]:
    for page in PAGES:
        lines = page.read_text(encoding="utf-8").splitlines()
        for at, line in enumerate(lines):
            found = SHOWN.fullmatch(line)
            if found is None:
                continue
            below: list[str] = []
            for following in lines[at + 1 :]:
                if following.startswith("    $ ") or (following.strip() and not following.startswith("    ")):
                    break
                below.append(following[4:])
            while below and not below[-1].strip():
                below.pop()
            yield Shown(page, at, shlex.split(found[1]), below)


def named() -> Iterator[tuple[str, list[str]]]:
    """Commands that stand in pages without what they print; what follows after three blanks says what they do."""
    for page in PAGES:
        for line in page.read_text(encoding="utf-8").splitlines():
            found = NAMED.fullmatch(line)
            if found is not None and not line.startswith("    $"):
                yield f"{page.name}: {line.strip()}", shlex.split(re.split(r"\s{3,}|\s+#|\s>\s", found[1])[0])


ALL_SHOWN = list(shown())


@pytest.mark.parametrize("one", ALL_SHOWN, ids=lambda one: f"{one.page.stem}:{one.at + 1}")
def test_what_is_shown_is_what_is_printed(
    one: Shown, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("EPISTRAT_IN_PROCESS", "1")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    main(one.words)
    printed = [line.rstrip() for line in capsys.readouterr().out.rstrip().splitlines()]
    if os.environ.get("EPISTRAT_UPDATE_PAGES"):
        text = one.page.read_text(encoding="utf-8")
        before, after = ("\n".join(f"    {line}".rstrip() for line in lines) for lines in (one.below, printed))
        one.page.write_text(text.replace(before, after), encoding="utf-8")
        return
    assert [TIMES.sub("(T)", line.rstrip()) for line in one.below] == [TIMES.sub("(T)", line) for line in printed]


@pytest.mark.parametrize(("line", "words"), list(dict(named()).items()))
def test_commands_that_are_named_can_be_given(line: str, words: list[str]) -> None:
    if words[0] in (*TALKING, "mcmas", "help") or any(word.endswith("...") for word in words):
        return
    assert parser(words).parse_args([word for word in words if not (word.startswith("[") or word.endswith("]"))]).verb


def test_models_that_are_named_exist() -> None:
    for line, words in named():
        for word in words:
            if word.startswith(("examples/", "docs/")):
                assert (ROOT / word).exists(), line


def test_pages_show_something() -> None:
    assert len(ALL_SHOWN) >= 25


def test_the_path_of_a_newcomer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first steps of the README: a counterexample explained and walked through, a strategy written, read and run."""
    steps = [words for line, words in named() if line.startswith("README.md")]
    assert [words[0] for words in steps] == ["check", "check", "strategy", "check", "simulate"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EPISTRAT_IN_PROCESS", "1")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    printed = []
    for words in steps:
        monkeypatch.setattr("sys.stdin", io.StringIO("w\nk C1\nq\n"))
        main(words)
        printed.append(capsys.readouterr().out)
    assert "What C1 cannot rule out" in printed[0] and "Re-checked independently" in printed[0]
    assert "It does not know: paid2, paid3." in printed[1]
    assert "switch_off" in printed[2] and (tmp_path / "plan.ispl").exists()
    assert "1  holds" in printed[3]
    assert "state 20" in printed[4]
