"""Proof search is counted in work: the same questions about unbounded models get the same answers, notes and evidence on every machine.

They are asked on a machine as it is, and again with other hash seeds and two programs beside that take all they can get.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.unbounded import text as unbounded_text

pytestmark = pytest.mark.alone

EXAMPLES = Path(__file__).parents[2] / "examples" / "unbounded"
NAMES = ("auction", "handshake", "number_transmission", "opacity")
RANDOM = int(os.environ.get("EPISTRAT_COUNTED", "2"))
TIMES = {"seconds", "cpu", "seconds exploring"}


def answers(file: Path, seed: int) -> Any:
    """What the command says, times aside."""
    command = [sys.executable, "-m", "epistrat", "check", str(file), "--json", "--evidence", "--stats"]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    told = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return _timeless(json.loads(told.stdout))


def _timeless(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _timeless(value) for key, value in data.items() if key not in TIMES}
    return [_timeless(value) for value in data] if isinstance(data, list) else data


@contextmanager
def busy() -> Iterator[None]:
    """Two programs beside that do nothing but take time."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_answered_alike_on_a_busy_machine(name: str) -> None:
    file = EXAMPLES / f"{name}.ispl"
    quiet = answers(file, 1)
    with busy():
        assert answers(file, 2) == quiet
    assert any(result["verdict"] != "unknown" for result in quiet["results"])


@pytest.mark.parametrize("seed", range(RANDOM))
def test_random_models_are_answered_alike_on_a_busy_machine(seed: int, tmp_path: Path) -> None:
    before, _, after = unbounded_text(random.Random(seed)).partition("Formulae")
    formulae, _, end = after.partition("end Formulae")
    file = tmp_path / "model.ispl"
    file.write_text(f"{before}Formulae{';'.join(formulae.split(';')[:4])};\nend Formulae{end}")
    quiet = answers(file, 1)
    with busy():
        assert answers(file, 2) == quiet
