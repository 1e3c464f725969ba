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


def completed(run: Run, *words: str) -> list[str]:
    """What bash offers for the last word."""
    asked = f"COMP_WORDS=(epistrat {' '.join(words)}); COMP_CWORD={len(words)}"
    ask = f"{run('completion', 'bash').out}\n{asked}; _epistrat; echo ${{COMPREPLY[@]}}"
    return subprocess.run(["bash", "-c", ask], capture_output=True, text=True, timeout=60, check=False).stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_completes_values_and_names(run: Run) -> None:
    assert completed(run, "check", "--engine", "la") == ["lazy"]
    assert completed(run, "check", "--strategies", "o") == ["objective"]
    assert completed(run, "check", "--format", "s") == ["sarif"]
    assert completed(run, "scenario", "muddy") == ["muddy-children"]
    assert completed(run, "sweep", "muddy") == ["muddy-children"]
    assert completed(run, "explain", "E06") == ["E060", "E061", "E062", "E063", "E064", "E065", "E066", "E067"]
    assert completed(run, "bench", "--suite", "qu") == ["quick"]
    assert completed(run, "completion", "f") == ["fish"]


def test_fish_knows_values_and_names(run: Run) -> None:
    out = run("completion", "fish").out
    assert "-l engine -x -a 'auto symbolic explicit abstraction lazy reference all'" in out
    assert "muddy-children" in out
