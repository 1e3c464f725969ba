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
from tests.asynchronous.test_stv_import import VOTING

from epistrat import scenarios
from epistrat.cli.arguments import parser
from epistrat.cli.main import main
from epistrat.cli.verbs import VERBS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = re.compile(r"    \$ (?:\.venv/bin/)?epistrat (.*)")
NAMED = re.compile(r"    (?:\$ )?(?:\.venv/bin/)?epistrat ((?:[a-z]+) .*)")
TIMES = re.compile(r"\(\d[\d.]* (?:m?s|min)\)")
TALKING = ("studio", "lsp", "mcp")
"""Commands that serve until they are ended: their own tests run them."""
STANDS_FOR = {
    "FILE": "model.ispl",
    "FILE...": "model.ispl",
    "[FILE...]": "",
    "[NAME]": "",
    "CODE": "E021",
    "PAGE": "why.html",
    "...": "",
}
MODEL = """Agent A
Vars: done : boolean; end Vars
Actions = {act, wait};
Protocol: Other : {act, wait}; end Protocol
Evolution: done = true if Action = act; end Evolution
end Agent
Evaluation win if A.done = true; end Evaluation
InitStates A.done = false; end InitStates
Groups g = {A}; end Groups
Formulae AF win; <g>F win; end Formulae
"""


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


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the files that commands in pages name."""
    for name in ("examples", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "model.ispl").write_text(MODEL)
    (tmp_path / "voting.ispl").write_text(scenarios.text("muddy-children"))
    for name in ("voting.txt", "voting.stv"):
        (tmp_path / name).write_text(VOTING)
    return tmp_path


@pytest.mark.parametrize("one", ALL_SHOWN, ids=lambda one: f"{one.page.stem}:{one.at + 1}")
def test_what_is_shown_is_what_is_printed(
    one: Shown, desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(desk)
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


@pytest.mark.parametrize("page", sorted({line.split(":")[0] for line, _ in named()}))
def test_commands_that_are_named_work(
    page: str, desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are given in the order of the page; capitals stand for files and names.  What takes minutes or a cluster is only read."""
    monkeypatch.chdir(desk)
    monkeypatch.setenv("EPISTRAT_IN_PROCESS", "1")
    for line, words in dict(named()).items():
        if not line.startswith(f"{page}:") or words[0] in TALKING:
            continue
        given = [one for word in words if (one := STANDS_FOR.get(word, word))]
        if page == "reduction.md":
            given = [word.replace("model.ispl", "examples/interleaved/mutual_exclusion.ispl") for word in given]
        if "--suite" in given or any(word.startswith("dask://") for word in given):
            assert parser(given).parse_args(given).verb
            continue
        if given[0] == "sweep":
            given = ["n=3" if word.startswith("n=") else word for word in given if not word.startswith("m=")]
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        status = main(given)
        printed = capsys.readouterr()
        assert status in (0, 1), f"{line}: {printed.err}"
        if " > " in line:
            (desk / line.split(" > ")[1].split()[0]).write_text(printed.out)


def test_models_that_are_named_exist() -> None:
    for line, words in named():
        for word in words:
            if word.startswith(("examples/", "docs/")):
                assert (ROOT / word).exists(), line


def test_the_manual_has_every_command() -> None:
    manual = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    headings = re.findall(r"\w+", " ".join(re.findall(r"^## (.*)$", manual, re.MULTILINE)))
    assert [name for one in VERBS if (name := one.__name__.removesuffix("_")) not in headings] == []


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
