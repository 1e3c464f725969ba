"""What people type first: other tools' operators, misspelt words and options, other encodings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.lamp_models import LAMP, Run


@pytest.mark.parametrize(
    ("formula", "hint"),
    [
        ("AG (Lamp.on == true)", "equality is written `=`"),
        ("lit && lit", "conjunction is written `and`"),
        ("lit || lit", "disjunction is written `or`"),
        ("not lit", "negation is written `!`"),
        ("lit => lit", "implication is written `->`"),
        ("<<g>>F lit", "a coalition is written `<group>`"),
        ("K[Lamp](lit)", "knowledge is written `K(agent, f)`"),
        ("[] lit", "`[] f` is written `G f`"),
        ("<> lit", "`<> f` is written `F f`"),
        ("A[lit U lit]", "until is written `A(f U g)`"),
    ],
)
def test_other_notations(run: Run, formula: str, hint: str) -> None:
    done = run("check", "lamp.ispl", "-f", formula)
    assert done.status == 3
    assert hint in done.err


@pytest.mark.parametrize(
    ("right", "wrong", "meant"),
    [
        ("Agent Lamp", "Agnet Lamp", "did you mean `Agent`?"),
        ("Protocol:", "Protcol:", "did you mean `Protocol`?"),
        ("end Vars", "end Var", "expected `end Vars`, found `end Var`"),
        ("Evaluation lit", "Evalution lit", "did you mean `Evaluation`?"),
    ],
)
def test_a_misspelt_word_is_one_error(run: Run, models: Path, right: str, wrong: str, meant: str) -> None:
    (models / "wrong.ispl").write_text(LAMP.replace(right, wrong))
    done = run("check", "wrong.ispl")
    assert done.status == 3
    assert meant in done.err
    assert done.err.count("error[") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chek", "lamp.ispl"], "did you mean `check`?"),
        (["check", "lamp.ispl", "--evidnce"], "there is no option --evidnce; did you mean `--evidence`?"),
        (["check", "lamp.ispl", "--tiem", "3"], "there is no option --tiem; did you mean `--time`?"),
        (["check", "lamp.ispl", "--tiem=3"], "there is no option --tiem; did you mean `--time`?"),
        (["explain", "E001", "E002"], "E002 is more than the command takes"),
        (["check", "lamp.ispl", "--time", "abc"], "`abc` is no number of seconds"),
        (["check", "lamp.ispl", "--all", "many"], "`many` is no whole number"),
        (["export", "lamp.ispl"], "in which format?"),
    ],
)
def test_mistakes_on_the_command_line(run: Run, arguments: list[str], words: str) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert words in done.err
    assert len(done.err.splitlines()) <= 2


def test_sizes_help_and_formats(run: Run, models: Path) -> None:
    assert run("check", "lamp.ispl", "--only", "1", "--memory", "100Gi").status == 0
    assert run("help", "check").out.startswith("usage: epistrat check")
    assert run("help").out.startswith("usage: epistrat ")
    assert run("export", "lamp.ispl", "-o", "lamp.svg").status == 0
    assert (models / "lamp.svg").read_text().startswith("<svg")


def test_python_can_run_the_package(models: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "epistrat", "--version"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.startswith("epistrat ")


def test_all_formulae_that_are_wrong_are_reported(run: Run) -> None:
    done = run("check", "lamp.ispl", "-f", "AG p", "-f", "EF lit", "-f", "AG q")
    assert done.status == 3
    assert "`p`" in done.err and "`q`" in done.err


def test_other_encodings_in_comments(run: Run, models: Path) -> None:
    (models / "latin.ispl").write_bytes(b"-- caf\xe9\n" + LAMP.encode())
    done = run("check", "latin.ispl", "--only", "1")
    assert done.status == 0
    assert "warning[W021]" in done.out
    (models / "latin.ispl").write_bytes(LAMP.replace("lit", "l\xe9t").encode("latin-1"))
    assert run("check", "latin.ispl").status == 3


def test_a_switch_without_effect(run: Run) -> None:
    assert "-ufgroup has no effect without -uniform" in run("mcmas", "-ufgroup", "g", "lamp.ispl").err


def test_differences_as_data(run: Run, models: Path) -> None:
    (models / "wrong.ispl").write_text(LAMP.replace("2 fails", "2 holds"))
    done = run("check", "wrong.ispl", "--expect", "--json")
    assert done.json["differences"] == ["formula 2: expected: holds; result: fails"]
