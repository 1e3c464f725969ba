"""Scripts for shells name every command and its options."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from tests.cli.lamp_models import Run


def test_scripts_name_commands_and_options(run: Run) -> None:
    for shell in ("bash", "zsh", "fish"):
        out = run("completion", shell).out
        for word in ("check", "strategy", "evidence", "no-warn", "simulate"):
            assert word in out, shell


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_completes(run: Run) -> None:
    script = run("completion", "bash").out
    ask = script + "\nCOMP_WORDS=(epistrat check --evi); COMP_CWORD=2; _epistrat; echo ${COMPREPLY[@]}"
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split() == ["--evidence"], done.stderr
