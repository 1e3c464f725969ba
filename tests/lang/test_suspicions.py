"""Warnings: given where something is wrong, and not given where all is well or the question is too large."""

from __future__ import annotations

import time

import pytest
from tests.lang.samples import EVERYTHING, PLAIN, model

from epistrat.lang import load
from epistrat.studio.shelf import examples

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


FAMILY = """
Parameters n = 3 in 1..5; end Parameters
Agent A[i in 1..n]
    Vars: x : 0..3; end Vars
    Actions = {go, say, rest};
    Protocol: for t in 1..3 { x = t and x > 2 : {rest}; } i > 1 : {say}; Other : {go}; end Protocol
    Evolution: x = 1 if x = 0 and i > n - 1; x = 2 if x = 1; end Evolution
end Agent
Evaluation p if A[1].x = 1; end Evaluation
InitStates forall j in 1..n: A[j].x = 0; end InitStates
Formulae AG (p or (forall j in 1..n: A[j].x < 3)); end Formulae
"""


def test_what_is_of_use_to_one_member_of_a_family_is_not_suspicious() -> None:
    assert warnings(FAMILY) == []
    assert set(warnings(FAMILY.replace("i > 1 : {say}", "i > 1 : {go}"))) == {"W002"}
    assert set(warnings(FAMILY.replace("x > 2", "x > 2 and x < 1"))) == {"W005"}
    assert set(warnings(FAMILY.replace("x = 2 if x = 1", "x = 2 if x = 1 and x > 2"))) == {"W005"}


def test_what_sizes_alone_decide_is_not_suspicious() -> None:
    sizes = "Parameters early = 0 in 0..1; end Parameters\n"
    assert warnings(sizes + model(evolution="x = 1 if b = true and early = 1;")) == []
    assert warnings(sizes + model(evolution="x = 1 if x > 2 and early = 0 and x < 1;")) == ["W005"]


def test_where_others_go_on() -> None:
    """In interleaved systems an agent without action stops nobody."""
    text = "Composition = Interleaved;" + model().replace("Other : {a, stop};", "x < 2 : {a, stop};")
    assert warnings(text) == []
    assert warnings(text.replace("Composition = Interleaved;", "")) == ["W004"]


def test_what_the_protocol_rules_out_leaves_no_range() -> None:
    text = model(evolution="x = x + 1 if Action = a;")
    assert warnings(text) == ["W006"]
    assert warnings(text.replace("Other : {a, stop};", "x < 3 : {a}; Other : {stop};")) == []
    assert warnings(text.replace("Other : {a, stop};", "x < 3 : {a}; x = 3 : {a, stop};")) == ["W006"]
    assert warnings(text.replace("Other : {a, stop};", "x < 3 : {stop}; Other : {a};")) == ["W006"]


@pytest.mark.parametrize("name", examples())
def test_shipped_models_open_without_warnings(name: str) -> None:
    loaded = load(examples()[name].read_text(encoding="utf-8"), name)
    assert [str(one) for one in loaded.diagnostics] == []
