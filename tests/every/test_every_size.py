"""``--every n``: the smallest size that fails, finite ranges as proofs, and what is not claimed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import epistrat
from epistrat.answers import Misuse, Verdict
from epistrat.cli.main import main
from epistrat.service import ask
from epistrat.service.events import Event, Produced
from epistrat.service.every import Answer, EverySize, ForEvery
from epistrat.service.requests import EveryRequest, File, Text
from epistrat.service.values import sizes

FAMILIES = Path(__file__).parent / "families"
RELAY = Path(__file__).parents[2] / "examples" / "sizes" / "relay.ispl"
COUNTER = """
Parameters n = 4 in 2..; end Parameters
Agent Environment
    Vars: x : 0..n; end Vars
    Actions = {tick};
    Protocol: Other : {tick}; end Protocol
    Evolution: x = x + 1 if x < n; end Evolution
end Agent
Evaluation at[i in 0..n] if Environment.x = i; end Evaluation
InitStates Environment.x = 0 and n <> 3; end InitStates
Formulae
    late[i in 1..n where i >= 4]: EF at[i];
    small: AG Environment.x <= min(n, 4);
    goes: AF at[n];
end Formulae
"""


def asked(text: str = COUNTER, which: str = "n", **more: object) -> EverySize:
    found = ask(EveryRequest(model=Text(text), sizes=sizes(which), **more))[1]  # type: ignore[arg-type]
    assert isinstance(found, EverySize)
    return found


def named(found: EverySize, name: str) -> ForEvery:
    return next(one for one in found.answers if one.name == name)


UNPROVED = {
    "a09-quorum": {"declared"},
    "a11-ring": {"reach", "again"},
    "a12-line": {"all", "ahead"},
    "a13-coins": {"somebody"},
    "a15-owner": {"one", "agree", "knows", "could", "other"},
}
"""What holds for every size and is not proved yet."""


@pytest.mark.parametrize("file", sorted(FAMILIES.glob("*.ispl")), ids=lambda file: file.stem)
def test_the_smallest_size_that_fails_is_found_and_the_rest_is_proved(file: Path) -> None:
    text = file.read_text()
    parameter = re.search(r"Parameters\s+(\w+)", text)
    said = re.search(r"-- every: (.*?)\.?\n", text)
    assert parameter and said
    found = ask(EveryRequest(model=File(str(file)), sizes=sizes(parameter[1]), upto=6))[1]
    for claim in said[1].split(", "):
        name, *words = claim.split()
        one = named(found, name)
        if words[0] == "holds":
            unproved = name in UNPROVED.get(file.stem, set())
            assert one.answer is (Answer.CHECKED if unproved else Answer.PROVED)
            assert set(dict(one.checked).values()) == {Verdict.HOLDS}
        else:
            assert (one.answer, one.smallest) == (Answer.REFUTED, int(words[2]))
            assert one.holds_from in (None, int(words[-1]) if "from" in words else None)


def test_without_an_end_checking_proves_nothing() -> None:
    text = COUNTER.replace("if x < n;", "if x * x < n * n;")
    one = named(asked(text, upto=5), "goes")
    assert one.verdict is Verdict.UNKNOWN and dict(one.checked).keys() == {2, 3, 4, 5}
    assert one.reason is not None and one.reason.startswith(
        "holds for n = 2 to 5 by checking; that is no proof for every n; numbers that are not fixed are multiplied"
    )


def test_a_range_that_ends_is_proved_by_all_of_its_sizes() -> None:
    found = asked(which="n=2..4")
    assert [(one.answer, one.method) for one in found.answers] == [(Answer.PROVED, "sizes")] * 3
    bounded = COUNTER.replace("in 2..", "in 2..4")
    assert all(one.verdict is Verdict.HOLDS for one in asked(bounded).answers)


def test_the_smallest_size_is_shown_with_its_counterexample() -> None:
    one = named(asked(evidence=True), "small")
    assert (one.smallest, dict(one.checked)[4], dict(one.checked)[5]) == (5, Verdict.HOLDS, Verdict.FAILS)
    assert one.instances[0].result.evidence is not None and 6 not in dict(one.checked)


def test_sizes_without_initial_state_or_member_are_named() -> None:
    found = asked(which="n=2..5")
    assert named(found, "late").vacuous == (2, 3)
    assert named(found, "goes").vacuous == (3,)


def test_a_member_that_fails_makes_the_family_fail() -> None:
    text = COUNTER.replace("EF at[i]", "AG !(at[i] and i = 5)")
    one = named(asked(text), "late")
    assert one.smallest == 5 and one.instances[0].result.name == "late[5]"


def test_a_size_that_is_no_model_ends_the_search() -> None:
    text = COUNTER.replace("x : 0..n;", "x : 0..n; y : 1..6 - n;")
    one = named(asked(text), "goes")
    assert one.verdict is Verdict.UNKNOWN and one.reason is not None
    assert "n = 6 is no model" in one.reason and "n = 2 to 5" in one.reason


def test_only_counts_formulae_as_they_are_written() -> None:
    assert [one.name for one in asked(which="n=2..5", only=(1,)).answers] == ["late"]
    assert [one.index for one in asked(which="n=2..5", only=("goes",)).answers] == [3]
    with pytest.raises(Misuse, match="no formula 4"):
        asked(only=(4,))


def test_a_formula_that_is_given_is_read_for_each_size() -> None:
    (one,) = asked(formulae=("AG Environment.x <= min(n, 3)",)).answers
    assert one.smallest == 4


@pytest.mark.parametrize(
    ("which", "said"), [("m", "no parameter m; there is n"), ("n=1..", "n is 2 or more"), ("n=1..3", "n is 2 or more")]
)
def test_what_cannot_be_meant_is_refused(which: str, said: str) -> None:
    with pytest.raises(Misuse, match=re.escape(said)):
        asked(which=which)


def test_a_parameter_without_smallest_value_needs_one() -> None:
    with pytest.raises(Misuse, match="no smallest value"):
        asked(COUNTER.replace(" in 2..", ""))
    assert named(asked(COUNTER.replace(" in 2..", ""), which="n=2..4"), "goes").verdict is Verdict.HOLDS


def test_a_limit_of_states_leaves_larger_sizes_open() -> None:
    from epistrat.jobs.limits import Limits

    text = COUNTER.replace("x : 0..n;", "x : 0..n; y[i in 1..10 * n] : 0..9;")
    found = asked(text, engine="explicit", limits=Limits(states=2), formulae=("AG Environment.x <= n",))
    (one,) = found.answers
    assert one.verdict is Verdict.UNKNOWN and one.reason is not None and "n = 2:" in one.reason


def test_what_is_known_is_told_size_by_size() -> None:
    """A limit that ends the process then leaves what was found before."""
    told: list[EverySize] = []

    def hear(event: Event) -> None:
        if isinstance(event, Produced) and isinstance(event.value, EverySize):
            told.append(event.value)

    ask(EveryRequest(model=Text(COUNTER), sizes=sizes("n=2..5")), hear=hear)
    assert [len(named(one, "goes").checked) for one in told] == [1, 2, 3, 4]
    assert [named(one, "goes").verdict for one in told] == [Verdict.UNKNOWN] * 3 + [Verdict.HOLDS]


def test_the_command_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(RELAY), "--every", "n"]) == 1
    told = capsys.readouterr().out
    assert "(smallest n = 3)" in told and "1 holds, 1 fails, for every n >= 2." in told
    assert main(["check", str(RELAY), "--every", "n=2..3", "--only", "one"]) == 0
    assert main(["check", str(RELAY), "--every", "n", "--only", "one"]) == 0
    unproved = FAMILIES / "a12-line.ispl"
    assert main(["check", str(unproved), "--every", "n", "--upto", "3", "--only", "ahead"]) == 4


@pytest.mark.parametrize("more", [["--set", "n=3"], ["--watch"], ["--format", "junit"], ["--deadlock"], ["-j", "2"]])
def test_what_is_about_one_model_is_refused(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(RELAY), "--every", "n", *more]) == 2
    assert "--every" in capsys.readouterr().err


def test_mistakes_in_the_text_come_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.ispl"
    file.write_text(COUNTER.replace("Evaluation", "Evalution", 1))
    assert main(["check", str(file), "--every", "m"]) == 3
    assert "Evalution" in capsys.readouterr().err
    file.write_text("")
    assert main(["check", str(file), "--every", "n"]) == 3


def test_upto_alone_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(RELAY), "--upto", "5"]) == 2
    assert "--every" in capsys.readouterr().err


def report(which: str, file: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    main(["check", str(file), "--every", which, "--json", "--evidence"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def replayed(report: object, file: Path, folder: Path) -> int:
    saved = folder / "saved.json"
    saved.write_text(json.dumps(report))
    return int(main(["replay", str(file), str(saved)]))


def test_answers_are_re_checked_size_by_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replayed(report("n=2..3", RELAY, capsys), RELAY, tmp_path) == 0
    assert capsys.readouterr().out.count("proved again") >= 3


@pytest.mark.parametrize("lie", ["size", "member", "verdict", "endless", "formula", "smallest"])
def test_claims_that_rest_on_too_little_are_refused(
    lie: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "counter.ispl"
    file.write_text(COUNTER)
    found = report("n=2..5", file, capsys)
    late, small, _ = found["results"]
    match lie:
        case "size":
            del late["evidence"]["sizes"]["3"]
        case "member":
            late["evidence"]["sizes"]["5"].pop()
        case "verdict":
            late["evidence"]["sizes"]["5"][0]["verdict"] = "fails"
        case "endless":
            found["every"]["to"] = None
        case "formula":
            late["formula"] = "AG at[i]"
        case _:
            small["evidence"]["size"] = 4
    assert replayed(found, file, tmp_path) != 0


def test_python() -> None:
    found = epistrat.load(str(RELAY)).every("n", upto=4)
    assert not found and found["home"].smallest == 3 and len(found) == 2
    assert "smallest n = 3" in str(found)
    assert epistrat.load(str(RELAY)).every("n=2..3", only=["one"])
