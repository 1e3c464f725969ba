"""Outline, hover, definitions and references on a model with every construct."""

from __future__ import annotations

import pytest
from tests.lang.samples import EVERYTHING

from epistrat.ide import Analysis, Entry, analyse, definition, hover, lenses, outline, references, tokens


@pytest.fixture(scope="module")
def everything() -> Analysis:
    return analyse(EVERYTHING)


def at(before: str, after: str = "") -> int:
    return EVERYTHING.index(before + after) + len(before)


def entries(found: tuple[Entry, ...]) -> list[Entry]:
    return [one for entry in found for one in (entry, *entries(entry.children))]


def test_outline_names_everything_that_is_declared(everything: Analysis) -> None:
    found = entries(outline(everything))
    named = {(entry.kind, entry.name) for entry in found}
    for use in everything.uses.values():
        if use.declares and use.symbol.kind != "value":
            assert (use.symbol.kind, use.symbol.name) in named
    assert [entry.detail for entry in found if entry.kind == "formula"] == [str(number) for number in range(1, 17)]
    assert next(entry for entry in found if entry.name == "count").detail == "-2..5"
    assert next(entry for entry in found if entry.name == "phase").detail == "{talk, done}, observable by all"


def test_outline_ranges_lie_inside_each_other(everything: Analysis) -> None:
    for entry in entries(outline(everything)):
        assert entry.span.start <= entry.name_span.start <= entry.name_span.end <= entry.span.end
        for child in entry.children:
            assert entry.span.start <= child.span.start <= child.span.end <= entry.span.end


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            "",
            "light : boolean",
            ["Environment.light : boolean", "Seen by C1 (Lobsvars)", "Assigned in lines 22, 23, 24 and 25"],
        ),
        ("", "phase : {", ["{talk, done}", "Every agent sees it"]),
        ("C1.", "far > 10", ["C1.far : integer", "Only C1 sees it", "Assigned in line 45"]),
        ("", "talk, done", ["Environment.phase = talk"]),
        ("Actions = {", "on", ["Environment.Action = on", "named in lines"]),
        ("", "all = {", ["all = {C1, C2, Environment}", "3 members"]),
        ("<", "all>X", ["3 members"]),
        ("", "lit if", ["lit if Environment.light"]),
        ("Agent ", "C1", ["Agent C1", "share : real", "say, nothing", "Member of `all`"]),
        ("", "GCK({", ["common knowledge"]),
        ("end Agent\n\n", "Evaluation", ["names for conditions"]),
    ],
)
def test_hover(everything: Analysis, before: str, after: str, expected: list[str]) -> None:
    found = hover(everything, at(before, after))
    assert found is not None
    for part in expected:
        assert part in found.text


def test_hover_quotes_the_comment_of_a_declaration() -> None:
    text = "Agent A\n  -- how much\n  -- is left\n  Vars: x : boolean; end Vars\n Vars:\n y : 0..3; // the rest\n end Vars\nend Agent"
    analysis = analyse(text)
    found = hover(analysis, text.index("y :"))
    assert found is not None
    assert "the rest" in found.text


def test_definition_and_references(everything: Analysis) -> None:
    place = definition(everything, at("Environment.", "light = (count"))
    assert place is not None
    assert place.start == at("", "light : boolean")
    found = references(everything, place.start)
    assert [one.declares for one in found].count(True) == 1
    assert sum(one.writes for one in found) == 4
    assert all(EVERYTHING[one.span.start : one.span.end] == "light" for one in found)
    assert references(everything, place.start, declarations=False) == [one for one in found if not one.declares]
    assert hover(everything, 0) is None
    assert definition(everything, 0) is None
    assert references(everything, 0) == []


def test_formulae_can_be_checked_where_there_is_a_model(everything: Analysis) -> None:
    found = lenses(everything)
    assert [lens.number for lens in found] == list(range(1, 17))
    assert found[8].formula == "A G F paid"
    assert lenses(analyse(EVERYTHING.replace("InitStates", "Init"))) == []


def test_formulae_with_names() -> None:
    text = EVERYTHING.replace("    A G F paid;", "    again: A G F paid; -- for ever")
    analysis = analyse(text)
    assert analysis.system is not None
    assert lenses(analysis)[8].name == "again"
    assert lenses(analysis)[7].name == ""
    found = hover(analysis, text.index("again:"))
    assert found is not None
    assert "again : A G F paid" in found.text
    assert "for ever" in found.text
    named = [entry for entry in entries(outline(analysis)) if entry.kind == "formula" and entry.name == "again"]
    assert [entry.detail for entry in named] == ["A G F paid"]
    assert ("again", "formula") in [(text[token.span.start : token.span.end], token.kind) for token in tokens(analysis)]
