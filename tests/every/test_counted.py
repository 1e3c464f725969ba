"""The counted system of a family beside the model of each size, and proofs for every size that rest on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from epistrat.cli.main import main
from epistrat.every.compare import difference
from epistrat.every.plan import Outside, planned, template
from epistrat.every.quotient import counted
from epistrat.every.spots import New, Special
from epistrat.lang.load import load
from epistrat.render.every import every_json
from epistrat.service import ask
from epistrat.service.requests import EveryRequest, File
from epistrat.service.values import sizes

FAMILIES = Path(__file__).parent / "families"
COUNTED = ["a01-lock", "a02-door", "a06-ballot", "a07-colours", "a08-chief", "a10-tickets", "a14-leave"]
SPECIALS = [[], [Special(0, 1)], [Special(0, 1), Special(1, 0)], [New(0)], [Special(0, 2), New(0), New(1)]]


@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.parametrize("specials", SPECIALS, ids=str)
def test_it_is_the_quotient_of_each_size(name: str, specials: list[Special | New]) -> None:
    text = (FAMILIES / f"{name}.ispl").read_text()
    tree = template(text, "n", {})
    found = counted(tree, specials, tree.parameter.least or 1)
    for size in range(found.least, found.least + 2):
        system = load(text, parameters={"n": size}).system
        assert system is not None and difference(found, system, size, 2000) is None


def reasons(text: str) -> list[str]:
    """Why the formulae of a text are outside."""
    tree, found = template(text, "n", {}), []
    for one in tree.formulae:
        try:
            planned(tree, one, 2)
        except Outside as outside:
            found.append(outside.why)
    return found


LAMP = """
Parameters n = 3 in 2..; end Parameters
Composition = Interleaved;
Agent M[i in 1..n]
    Vars: on : boolean; end Vars
    Actions = {go[i]};
    Protocol: on = false : {go[i]}; end Protocol
    Evolution: on = true if Action = go[i]; end Evolution
end Agent
Evaluation on[i in 1..n] if M[i].on = true; end Evaluation
InitStates forall i in 1..n: M[i].on = false; end InitStates
Groups all = {M[i in 1..n]}; end Groups
Formulae AG on[1]; end Formulae
"""


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("AG EF K(M[1], exists i in 1..n: on[i])", None),
        ("AG(exists i in 1..n: K(M[i], on[i]))", "picks a member under an operator"),
        ("AG GCK(all, on[1])", "the group grows with n"),
        ("<all>F on[1]", "strategies"),
        ("AG(on[1] -> Once on[2])", "looks back"),
        ("AG(forall i in 1..n - 1: on[i] -> on[i + 1])", "arithmetic with an index"),
        ("AG(forall i in 1..n, j in 1..n where i < j: on[i] -> on[j])", "by their order"),
    ],
)
def test_what_is_outside_is_said(formula: str, why: str | None) -> None:
    found = reasons(LAMP.replace("AG on[1]", formula))
    assert found == [] if why is None else why in found[0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("on : boolean;", "on : boolean; x : 0..n;"),
        ("on : boolean;", "on : boolean; with[j in 1..n] : boolean;"),
        ("end Groups", "end Groups Fairness on[1]; end Fairness"),
    ],
)
def test_families_that_are_outside(old: str, new: str) -> None:
    text = LAMP.replace(old, new).replace("AG on[1]", "EF on[1]")
    assert len(reasons(text)) == 1


def test_a_bound_that_ends_somewhere_is_no_proof() -> None:
    """x : 0..40 is compared with n: sizes above 40 are no models."""
    clock = (
        "Agent Clock Vars: x : 0..40; end Vars Actions = {}; Protocol: end Protocol Evolution: end Evolution end Agent"
    )
    text = LAMP.replace("Evaluation on", f"{clock} Evaluation on").replace(
        "AG on[1]", "AG(Clock.x <= n or on[1] or !on[1])"
    )
    assert "no value of" in reasons(text)[0]


# proofs that are saved


def saved(name: str, folder: Path, *only: str) -> tuple[Path, dict[str, Any]]:
    """The report about a family, with which sizes up to 4 are looked at."""
    file = folder / f"{name}.ispl"
    file.write_text((FAMILIES / f"{name}.ispl").read_text())
    request = EveryRequest(model=File(str(file)), sizes=sizes("n"), upto=4, evidence=True, only=only or None)
    return file, json.loads(json.dumps(every_json(str(file), ask(request)[1])))


def replayed(file: Path, report: object) -> int:
    kept = file.with_suffix(".json")
    kept.write_text(json.dumps(report))
    return int(main(["replay", str(file), str(kept)]))


@pytest.mark.parametrize("name", ["a01-lock", "a07-colours"])
def test_proofs_are_proved_again(name: str, tmp_path: Path) -> None:
    file, report = saved(name, tmp_path)
    assert any("proof" in one["evidence"] for one in report["results"])
    assert replayed(file, report) == 0


@pytest.fixture(scope="module")
def tickets(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A report, as text."""
    file, report = saved("a10-tickets", tmp_path_factory.mktemp("tickets"), "exact", "somebody", "last")
    assert replayed(file, report) == 0
    return json.dumps(report)


def _true(tree: dict[str, Any]) -> None:
    """Replace invariants, deep inside, by true."""
    for key, value in tree.items():
        if key == "invariant":
            tree[key] = "true"
        elif isinstance(value, dict):
            _true(value)
        elif isinstance(value, list):
            for one in value:
                if isinstance(one, dict):
                    _true(one)


@pytest.mark.parametrize(
    "lie",
    ["invariant", "part", "formula", "verdict", "start", "model", "text", "unknown", "method", "claim", "no evidence"],
)
def test_forged_proofs_are_refused(lie: str, tickets: str, tmp_path: Path) -> None:
    report = json.loads(tickets)
    file = tmp_path / "a10-tickets.ispl"
    file.write_text((FAMILIES / file.name).read_text())
    exact, somebody, last = report["results"]
    proof = exact["evidence"]["proof"]
    match lie:
        case "invariant":
            _true(somebody["evidence"]["proof"])
        case "part":
            proof["parts"].clear()
        case "formula":
            proof["parts"] = somebody["evidence"]["proof"]["parts"]
            proof["parts"][0]["formula"] = "EF c1"
        case "verdict":
            proof["parts"][0]["verdict"] = "fails"
        case "start":
            proof["start"] = 3
        case "model":
            proof["model"] = "0" * 64
        case "text":
            file.write_text(file.read_text().replace("free < n :", "free <= n :"))
        case "unknown":
            proof["parts"][0]["verdict"] = "unknown"
        case "method":
            del exact["evidence"]["proof"]
        case "claim":
            last["verdict"] = "holds"
            last["evidence"] = {**exact["evidence"]}
        case _:
            del proof["parts"][0]["evidence"]
    assert replayed(file, report) != 0


def test_a_proof_does_not_begin_before_the_members_that_are_named_differ(tmp_path: Path) -> None:
    file = tmp_path / "lamp.ispl"
    file.write_text(LAMP.replace("AG on[1]", "AG(on[n] -> (on[2] -> AG on[n]))"))
    request = EveryRequest(model=File(str(file)), sizes=sizes("n"), upto=3, evidence=True)
    report = json.loads(json.dumps(every_json(str(file), ask(request)[1])))
    evidence = report["results"][0]["evidence"]
    assert evidence["proof"]["start"] == 3 and list(evidence["sizes"]) == ["2"]
    assert replayed(file, report) == 0
    evidence["proof"]["start"] = 2
    assert replayed(file, report) != 0


def test_the_counted_system_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(FAMILIES / "a01-lock.ispl")
    assert main(["expand", file, "--every", "n", "--only", "knows"]) == 0
    printed = capsys.readouterr().out
    assert "others_out : integer;" in printed and "AG(c1 -> K(User_1, c2));" in printed
    found = load(printed)
    assert found.system is not None and len(found.system.formulae) == 1
    assert main(["expand", file, "--every", "n"]) == 0 and "User_1" not in capsys.readouterr().out
    assert main(["expand", file, "--every", "n", "--only", "knows,free"]) == 2
    assert main(["expand", str(FAMILIES / "a11-ring.ispl"), "--every", "n"]) == 3
    assert "arithmetic with an index" in capsys.readouterr().err


def test_info_says_which_formulae_can_be_asked_of_all_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(FAMILIES / "a14-leave.ispl"), "--every", "n"]) == 0
    told = capsys.readouterr().out
    assert (
        "1  empty: members can be counted, from n = 1 on" in told
        and "4  stays: not counted: strategies (line 23)" in told
    )
    assert main(["info", str(FAMILIES / "a14-leave.ispl"), "--every", "n", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["formulae"][5]["from"] == 2
    assert main(["info", str(FAMILIES / "a14-leave.ispl"), "--every", "m"]) == 2
