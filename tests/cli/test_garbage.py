"""Garbage in: an answer or a located message, never a traceback."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from tests.cli.lamp_models import LAMP, Run

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ispl"))
ACCEPTABLE = (0, 1, 3, 4)


def settle(run: Run, models: Path, content: bytes) -> int:
    """Run the commands on a file with this content; none of them may call it a bug."""
    (models / "garbage.ispl").write_bytes(content)
    statuses = []
    for command in (
        ["check", "--states", "2000", "--time", "5"],
        ["info", "--no-states"],
        ["fmt"],
        ["simulate", "--random", "2"],
    ):
        done = run(command[0], "garbage.ispl", *command[1:])
        assert done.status in ACCEPTABLE, (command, done.err)
        assert "Traceback" not in done.out + done.err
        if done.status == 3:
            assert re.search(r"error\[E\d{3}\]|no initial state", done.err)
        statuses.append(done.status)
    return statuses[0]


@pytest.mark.parametrize("seed", range(5))
def test_random_bytes(run: Run, models: Path, seed: int) -> None:
    assert settle(run, models, random.Random(seed).randbytes(400)) == 3


@pytest.mark.parametrize("seed", range(10))
def test_random_words(run: Run, models: Path, seed: int) -> None:
    rng = random.Random(seed)
    words = re.findall(r"\w+|[^\w\s]", LAMP)
    assert settle(run, models, " ".join(rng.choices(words, k=120)).encode()) == 3


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_one_word_missing(run: Run, models: Path, file: Path) -> None:
    rng = random.Random(file.stem)
    text = file.read_text()
    spans = [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]
    for _ in range(2):
        start, end = rng.choice(spans)
        settle(run, models, (text[:start] + text[end:]).encode())


@pytest.mark.parametrize("file", EXAMPLES[:4], ids=lambda file: file.stem)
def test_cut_short(run: Run, models: Path, file: Path) -> None:
    data = file.read_bytes()
    for part in (0.3, 0.9):
        assert settle(run, models, data[: int(len(data) * part)]) == 3


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"\xff\xfe",
        b"\0",
        b"-- only a comment",
        b"(" * 100_000,
        b"a" * 100_000,
        b"Agent " * 10_000,
        "Agent ä".encode(),
    ],
)
def test_odd_files(run: Run, models: Path, content: bytes) -> None:
    assert settle(run, models, content) == 3


@pytest.mark.parametrize(
    "formula",
    [
        "",
        "(" * 20_000,
        "!" * 20_000 + "lit",
        " and ".join(["lit"] * 10_000),
        "AG (" * 3000 + "lit" + ")" * 3000,
        "\0",
        "lit;",
        "lit lit",
    ],
)
def test_odd_formulae(run: Run, formula: str) -> None:
    done = run("check", "lamp.ispl", "-f", formula)
    assert done.status in ACCEPTABLE, done.err
    assert "Traceback" not in done.err
