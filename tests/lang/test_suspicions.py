"""Warnings: given where something is wrong, and not given where all is well or the question is too large."""

from __future__ import annotations

import time

from tests.lang.samples import EVERYTHING, PLAIN, model

from epistrat.lang import load

GROUP = "Agent R Vars: z : boolean; end Vars Actions = {{{actions}}}; Protocol: Other : {{{actions}}}; end Protocol end Agent"


def warnings(text: str) -> list[str]:
    loaded = load(text)
    assert loaded.ok, [str(error) for error in loaded.report.errors]
    return [warning.code for warning in loaded.report.warnings]


def test_a_sound_model_has_none() -> None:
    assert warnings(model(evolution="x = x + 1 if Action = a and x < 3; c = green if c = red;")) == []


def test_where_a_local_state_has_no_action() -> None:
    text = model().replace("Other : {a, stop};", "x < 2 and b : {a}; x > 2 : {stop};")
    (warning,) = load(text).report.warnings
    assert warning.code == "W004"
    assert warning.label.startswith("no line applies when ")
    assert "b = false" in warning.label
    assert "x = 0" in warning.label


def test_all_local_states_are_covered() -> None:
    assert warnings(model().replace("Other : {a, stop};", "x < 2 : {a}; x > 1 : {stop};")) == []


def test_an_environment_without_protocol_may_do_anything() -> None:
    text = "Agent Environment Actions = {a, b}; Protocol: end Protocol end Agent" + model()
    assert warnings(text) == []


def test_who_plays_no_role() -> None:
    assert warnings(model() + GROUP.format(actions="r")) == ["W003"]
    assert warnings(model(formulae="K(R, p)") + GROUP.format(actions="r")) == []
    assert warnings(model(formulae="<R>X p") + GROUP.format(actions="r")) == []
    assert warnings(model(formulae="p and R.RedStates") + GROUP.format(actions="r")) == []
    assert warnings(model(formulae="AG (p -> R.z)") + GROUP.format(actions="r")) == []
    assert warnings(model(evolution="x = 1 if R.Action = r;") + GROUP.format(actions="r")) == []
    assert warnings("Composition = Interleaved;" + model() + GROUP.format(actions="r")) == ["W003"]
    assert warnings("Composition = Interleaved;" + model() + GROUP.format(actions="a")) == []


def test_a_value_that_leaves_its_range() -> None:
    (warning,) = load(model(evolution="x = x + 2 if b and x > 0;")).report.warnings
    assert warning.code == "W006"
    assert warning.message == "this line can give x the value 4, outside 0..3"
    assert warning.label in ("when b = true and x = 2", "when x = 2 and b = true")
    assert warnings(model(evolution="x = x + 2 if x < 2; x = 3 - x if b;")) == []
    assert warnings(model(vars="n : integer;", evolution="n = n + 2 if b; x = n if b;")) == []


def test_values_that_a_guard_demands_are_the_only_ones_tried() -> None:
    wide = "s : 0..5000; t : 0..5000;"
    lines = " ".join(f"s = t + {number} if s = {number} and t = {number};" for number in range(400))
    assert warnings(model(vars=wide, evolution=lines)) == []
    assert warnings(model(vars=wide, evolution=f"{lines} s = t + 1 if s = 3 and t = 5000;")) == ["W006"]
    assert warnings(model(vars=wide, evolution="s = 1 if s = 3 and t > 7 and s = 4;")) == ["W005"]
    assert warnings(model(evolution="x = 1 if Action = a and Action = stop;")) == ["W005"]


def test_large_questions_are_left_alone() -> None:
    many = " ".join(f"v{number} : 0..9;" for number in range(12))
    guard = " and ".join(f"v{number} > 0" for number in range(12)) + " and v0 + v1 = 99"
    assert warnings(model(vars=many, evolution=f"x = x + 1 if {guard};")) == []
    long = " and ".join(f"x <> {number % 4}" for number in range(20_000)) + " and " + " and ".join(["b"] * 3)
    assert warnings(model(evolution=f"x = x + 1 if {long};")) in ([], ["W005"])
    start = time.process_time()
    lines = " ".join(f"x = x + w - w if w = {number} and w + w2 = {number};" for number in range(99))
    load(model(vars="w : 0..99; w2 : 0..99;", evolution=lines * 20))
    assert time.process_time() - start < 10


def test_formulae_are_needed_to_say_who_plays_no_role() -> None:
    text = model().replace("Formulae\n    AG p;\nend Formulae", "") + GROUP.format(actions="r")
    assert warnings(text) == []


def test_samples() -> None:
    assert "W001" not in warnings(PLAIN) + warnings(EVERYTHING)
