"""`epistrat equilibrium` and `model.equilibrium()`: with and without memory, the run, who may leave it, and games of two as tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import epistrat
from epistrat.cli.main import main
from epistrat.model.transform.choices import USUAL

MODELS = Path(__file__).parent / "models"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main(["equilibrium", *arguments])
    return int(status or 0), capsys.readouterr().out


def test_with_memory_and_without_where_they_differ(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = printed(capsys, str(MODELS / "s15_who_deviated.ispl"))
    assert status == 0
    assert "There is an equilibrium, with memory: yes." in out
    assert "There is an equilibrium, without memory: no." in out
    assert "P1 may deviate at step 1, then P2 and P3 punish it for ever and P1 never gets" in " ".join(out.split())
    assert "Re-checked independently" in out


def test_a_game_of_two_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = printed(capsys, str(MODELS / "s06_pennies.ispl"))
    assert status == 1
    assert "no, with memory and without" in out
    table = [line.split() for line in out.splitlines() if line.startswith(("1  Ann ", "2  Bob "))]
    assert table == [["1", "Ann", "Bob"], ["2", "Bob", "Ann"]]
    assert "b  Bob: r where d = start" in out


def test_some_and_every_equilibrium(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = printed(capsys, str(MODELS / "s14_punishment.ispl"), "--where", "F hers")
    assert status == 0
    assert "Some equilibrium satisfies F hers: yes" in out and "Every equilibrium satisfies F hers: yes" in out
    assert "*Ann Bob" in out  # the cell of the table
    status, _ = printed(capsys, str(MODELS / "s14_punishment.ispl"), "--where", "F hisalone")
    assert status == 1


def test_a_mistake_in_the_formula_is_located(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equilibrium", str(MODELS / "s14_punishment.ispl"), "--where", "F hisalon"]) == 3
    assert "1:3" in (told := capsys.readouterr().err) and "did you mean `hisalone`" in told


def test_a_model_without_goals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equilibrium", str(MODELS / "s10_chance.ispl")]) == 2
    assert "section `Goals`" in capsys.readouterr().err


def test_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    _, out = printed(capsys, str(MODELS / "s15_who_deviated.ispl"), "--json")
    data = json.loads(out)
    assert data["schema"] == "epistrat-equilibrium/1"
    (answer,) = data["answers"]
    assert (answer["memory"]["verdict"], answer["no_memory"]["verdict"]) == ("holds", "fails")
    (reason,) = answer["memory"]["evidence"]["because"]
    punished = reason["equilibrium"]["punishments"][0]
    assert punished["agent"] == "P1" and {"at", "do", "to", "memory"} == set(punished["deviations"][0])


def test_in_python() -> None:
    found = epistrat.load(MODELS / "s15_who_deviated.ispl").equilibrium()
    assert found and not found.without_memory
    assert found.run is not None and set(found.punishments) == {"P1", "P2"}
    assert "may deviate" in str(found) and found.table is None
    game = epistrat.load(MODELS / "s14_punishment.ispl").equilibrium("F hisalone")
    assert not game and game.run is None and game.punishments == {}
    assert game.table is not None and [[one.balanced for one in row] for row in game.table.cells] == [
        [True, False],
        [True, True],
    ]
    assert game.to_json()["answers"][0]["question"] == "some equilibrium satisfies F hisalone"
    assert game.with_memory.rules == USUAL


@pytest.mark.parametrize("name", ["scheduler", "cake", "coercion"])
def test_the_stories_have_their_verdicts(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(__file__).parents[2] / "examples" / "names" / f"{name}.ispl"
    for engine in ("auto", "reference"):
        assert main(["check", str(file), "--expect", "--evidence", "--engine", engine]) == 0
        assert "All as expected" in capsys.readouterr().out


def test_strategies_with_memory_and_names_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(MODELS / "s01_memory.ispl")
    assert main(["strategy", file, "--only", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Yes.") and "With memory 1:" in out and "next memory" in out
    assert main(["strategy", file, "--only", "5", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["exists"] and {row["memory"] for row in data["machine"]["rows"]} == {0, 1}
    assert main(["strategy", file, "--only", "1", "--ispl", "-"]) == 0
    assert "memory : 0..1;" in capsys.readouterr().out
    assert main(["strategy", file, "--only", "3"]) == 1
    assert capsys.readouterr().out.startswith("No.")
