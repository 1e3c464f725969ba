"""Questions in the simulator and the editor: the past along the run that is shown, knowledge as a goal, deep texts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.studio.conftest import EXAMPLES, Client
from tests.studio.test_texts import LAMP


def pressed(studio: Client) -> dict[str, Any]:
    """The run: the lamp is off, somebody presses, it is on."""
    here = studio.ask("walk", LAMP)
    step = next(number for number, one in enumerate(here["steps"]) if one["target"]["Lamp.on"])
    return dict(studio.ask("walk", LAMP, run=here["run"], take=step)["run"])


@pytest.mark.parametrize(
    ("formula", "true"),
    [
        ("Y lit", False),
        ("Y !lit", True),
        ("!Y lit", True),
        ("E Y !lit", True),
        ("A Y lit", False),
        ("Y Y true", False),
        ("Once !lit", True),
        ("Hist lit", False),
        ("Hist (lit or !lit)", True),
        ("lit S (Y !lit)", True),
        ("(lit S !lit)", True),
        ("X Y lit", True),
        ("G Once lit", True),
        ("G Y lit", False),
        ("F (lit and Y Y !lit)", False),
        ("E F (lit and Y Y !lit)", True),
        ("lit and Y !lit", True),
        ("lit", True),
        ("AX lit", False),
    ],
)
def test_the_past_is_that_of_the_run(studio: Client, formula: str, true: bool) -> None:
    answer = studio.ask("truth", LAMP, run=pressed(studio), formula=formula)
    assert answer == {"true": true, "diagnostics": []}


def test_a_run_that_begins_in_the_middle_has_no_past(studio: Client) -> None:
    run = pressed(studio)
    middle = {"states": run["states"][1:], "actions": []}
    body = {"text": LAMP, "name": "m", "run": middle, "formula": "Y !lit"}
    status, said = studio.call("POST", "/api/ask/truth", body)
    assert status == 422 and "initial state" in said["error"]
    assert studio.ask("walk", LAMP, run=middle)["initially"] is False
    assert studio.ask("walk", LAMP, run=run)["initially"] is True


def test_a_name_is_changed_wherever_it_is_used(studio: Client) -> None:
    offset = LAMP.index("lit if")
    edits = studio.ask("rename", LAMP, offset=offset, to="shining")
    changed = LAMP
    for edit in sorted(edits, key=lambda one: -one["from"]):
        changed = changed[: edit["from"]] + edit["insert"] + changed[edit["to"] :]
    assert changed == LAMP.replace("lit", "shining")
    assert studio.ask("occurrences", LAMP, offset=offset) == [{"from": one["from"], "to": one["to"]} for one in edits]
    for name, why in (("Lamp on", "is not a name"), ("end", "reserved")):
        status, said = studio.call("POST", "/api/ask/rename", {"text": LAMP, "name": "m", "offset": offset, "to": name})
        assert status == 422 and why in said["error"]
    assert studio.ask("occurrences", LAMP, offset=0) == []


def test_there_are_more_counterexamples_which_differ(studio: Client) -> None:
    text = (EXAMPLES / "dining_cryptographers.ispl").read_text()
    told = studio.run("check", text, only=[3], examples=5)
    found = next(one["result"]["explanations"] for one in told if one["event"] == "answered")
    assert len(found) == 5
    assert len({json.dumps(one["picture"]["nodes"]) for one in found}) == 5


def test_an_exercise_is_checked_by_its_solution_or_by_what_is_expected(studio: Client) -> None:
    for answer, verdict in (("EX lit or lit", "holds"), ("lit", "fails")):
        told = studio.run("check", LAMP, formulae=[f"AG (({answer}) <-> (lit or EX lit))"])
        (result,) = [one["result"] for one in told if one["event"] == "answered"]
        assert result["verdict"] == verdict and (verdict == "holds" or result["explanations"][0]["picture"]["nodes"])
    for expected, differing in (("1 holds, 2 fails", []), ("1 holds, 2 holds", [2])):
        told = studio.run("check", f"-- expect: {expected}\n{LAMP}", expect=True)
        finished = next(one for one in told if one["event"] == "finished")
        assert [one["index"] for one in finished["differing"]] == differing
    finished = next(one for one in studio.run("check", LAMP) if one["event"] == "finished")
    assert "differing" not in finished


def test_going_to_a_state_where_somebody_knows(studio: Client) -> None:
    text = (EXAMPLES / "dining_cryptographers.ispl").read_text()
    here = studio.ask("walk", text, seek="K(C1, !paid1 and !paid2 and !paid3)")
    assert here["remark"] == ""
    assert studio.ask("truth", text, run=here["run"], formula="K(C1, !paid1 and !paid2 and !paid3)")["true"] is True
    assert "No such state" in studio.ask("walk", text, seek="K(C1, paid2)")["remark"]


@pytest.mark.parametrize("many", [200, 1_000, 20_000])
def test_deep_texts_have_a_place(studio: Client, many: int) -> None:
    text = LAMP.replace("AG !lit", "AG " + "!" * many + "lit")
    found = studio.ask("analyse", text)
    (wrong,) = (one for one in found["diagnostics"] if one["severity"] == "error")
    assert wrong["code"] == "E003" and wrong["line"] == LAMP[: LAMP.index("AG !lit")].count("\n") + 1
    studio.ask("hover", text, offset=text.index("EF lit"))  # is answered
    assert studio.ask("analyse", LAMP)["ok"]


def test_ranges_too_large_for_memory_are_said(studio: Client) -> None:
    variables = " ".join(f"w{n} : 0..1000000000;" for n in range(5))
    text = LAMP.replace("on : boolean;", f"on : boolean; {variables}")
    body = {"text": text, "name": "m"}
    status, said = studio.call("POST", "/api/ask/walk", body)
    assert status == 200 or "memory limit" in said["error"] or "longer than" in said["error"]
    assert studio.ask("walk", LAMP)["run"]["states"]


def test_a_film_says_what_is_true_at_each_moment(studio: Client) -> None:
    run = pressed(studio)
    told = studio.ask(
        "film", LAMP, run=run, formulae=["lit", "EF lit", "Y !lit", "Once !lit", "X lit", "K(Nobody, lit)"]
    )
    cells = {row["formula"]: row["cells"] for row in told["rows"]}
    assert told["true"] == [[], ["lit"]]
    assert cells["lit"] == [False, True] and cells["EF lit"] == [True, True]
    assert cells["Y !lit"] == [False, True] and cells["Once !lit"] == [True, True]
    assert cells["X lit"] == [False, False]
    assert cells["K(Nobody, lit)"] == [] and "Nobody" in told["rows"][-1]["problem"]


def test_a_film_agrees_with_single_questions(studio: Client) -> None:
    text = (EXAMPLES / "dining_cryptographers.ispl").read_text()
    here = studio.ask("walk", text, random=2)
    formulae = ["K(C1, paid2)", "K(C1, paid2 or paid3)", "odd", "Y spoken", "<C1>F odd", "AG spoken"]
    told = studio.ask("film", text, run=here["run"], formulae=formulae)
    for row in told["rows"]:
        for moment, cell in enumerate(row["cells"]):
            run = {"states": here["run"]["states"][: moment + 1], "actions": here["run"]["actions"][:moment]}
            assert studio.ask("truth", text, run=run, formula=row["formula"])["true"] == cell, row["formula"]


def test_a_film_of_a_run_that_begins_in_the_middle(studio: Client) -> None:
    middle = {"states": pressed(studio)["states"][1:], "actions": []}
    told = studio.ask("film", LAMP, run=middle, formulae=["lit", "Y lit"])
    assert told["rows"][0]["cells"] == [True]
    assert told["rows"][1]["cells"] == [] and "initial state" in told["rows"][1]["problem"]


@pytest.mark.parametrize(
    "formula",
    ["Nash", "ENash(F eaten)", "<<x>> [[y]] (Cutter, x) (Chooser, y) F eaten", "<Cutter>(G F eaten and F eaten)"],
)
def test_strategies_with_names_along_a_run(studio: Client, formula: str) -> None:
    """Equilibria are no property that states are labelled with: a film asks an engine, and nobody goes to such a state."""
    text = (EXAMPLES / "names" / "cake.ispl").read_text()
    run = studio.ask("walk", text, random=2)["run"]
    (row,) = studio.ask("film", text, run=run, formulae=[formula])["rows"]
    assert len(row["cells"]) == 3 or row["problem"], row
    assert "internal" not in row["problem"]
    status, answer = studio.call("POST", "/api/ask/walk", {"text": text, "name": "m", "run": run, "seek": formula})
    assert status == 422 and "states are not labelled" in answer["error"]
