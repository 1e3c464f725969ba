"""A mistake in one line hides no mistake in another, and nothing is told that only follows from it."""

from __future__ import annotations

from tests.lang.samples import model
from tests.lang.test_hints import model as family

from epistrat.lang import load


def errors(text: str) -> list[str]:
    return [f"{error.code} {load(text).source.cut(error.span)}" for error in load(text).report.errors if error.span]


def test_an_unknown_index_hides_no_other_mistake() -> None:
    text = family("a[turn] = 1 if Action = go;").replace("AG p;", "AG nothing;\n    AG (p -> r[z]);")
    assert errors(text) == ["E060 turn", "E016 nothing", "E060 z"]


def test_a_character_without_meaning_hides_no_other_mistake() -> None:
    assert errors(model(evolution="x = 1 $ 2 if b; x = 1 if unknown;")) == ["E001 $", "E012 unknown"]


def test_what_a_lost_line_declares_is_not_missed() -> None:
    assert errors(model(vars="n : 0..3 $;", evolution="n = 1 if b;")) == ["E001 $"]
    assert errors(model(evaluation="r if P.x $ 1;", formulae="AG r")) == ["E001 $"]


def test_a_lost_heading_is_the_only_message() -> None:
    assert errors(family().replace("n = 3 in 2..;", "n = k;")) == ["E060 k"]
    assert errors(family().replace("Agent P[i in 1..n]", "Agent P[i in 1..k]")) == ["E060 k"]


def test_an_agent_whose_types_could_not_be_read_has_variables() -> None:
    text = model(vars="n : int;", protocol="unknown : {a};")
    labels = [error.label for error in load(text).report.errors if error.code == "E012"]
    assert labels
    assert not any("no variables" in label for label in labels)
    assert any("n" in label for label in labels)


def test_what_a_lost_line_of_a_family_declares_is_not_missed() -> None:
    text = family("w[1] = 1 if Action = go; z = 1 if unknown;").replace("z : 0..5;", "z : 0..5; w[i in 1..k] : 0..5;")
    assert errors(text) == ["E060 k", "E012 unknown"]
