"""Families: a word is written once and stands for several members."""

from __future__ import annotations

import pytest
from tests.ide.test_prefixes import ask_everything
from tests.lang.test_families import TABLE

from epistrat.ide import (
    Analysis,
    CannotRename,
    Entry,
    analyse,
    completion,
    definition,
    fixes,
    folds,
    format_edits,
    formatted,
    hints,
    hover,
    lenses,
    outline,
    references,
    rename,
    tokens,
)
from epistrat.lang.lexer import WORD
from epistrat.source import Fix, Span


@pytest.fixture(scope="module")
def table() -> Analysis:
    found = analyse(TABLE)
    assert found.system is not None
    return found


def at(before: str, after: str = "") -> int:
    return TABLE.index(before + after) + len(before)


def entries(found: tuple[Entry, ...]) -> list[Entry]:
    return [one for entry in found for one in (entry, *entries(entry.children))]


def test_the_outline_shows_what_is_written(table: Analysis) -> None:
    found = entries(outline(table))
    assert [entry.name for entry in found if entry.kind == "agent"] == ["Environment", "Guest[i in 1..n]"]
    assert [entry.name for entry in found if entry.kind == "action"] == [
        "stay",
        "pick[i in 1..n]",
        "drink",
        "say[j in 1..n where j <> i]",
    ]
    spans = [entry.span for entry in found]
    assert len(spans) == len(set(spans))


def test_definition_and_references_go_by_families(table: Analysis) -> None:
    place = definition(table, at("InitStates\n  (forall i in 1..n: Environment.", "seat"))
    assert place == Span(at("Vars: ", "seat["), at("Vars: seat", "["))
    found = references(table, place.start)
    assert len(found) == TABLE.count("seat[")
    assert {TABLE[one.span.start : one.span.end] for one in found} == {"seat"}
    assert [one.declares for one in found].count(True) == 1
    assert any(one.writes for one in found)
    last = definition(table, at("seat[i] < ", "last"))
    assert last is not None
    assert last.start == at("Constants ", "last")
    assert len(references(table, last.start)) == TABLE.count("last")
    assert len(references(table, at("", "thirsty if"))) == 2


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Agent ", "Guest", ["Agent Guest[1]", "3 of 3 members: Guest[1], Guest[2], Guest[3]"]),
        ("Vars: ", "seat[i", ["Environment.seat[1] : 0..2", "3 of 3 members", "Seen by Guest[1]"]),
        ("where n > 2: ", "seat[n]", ["Environment.seat[3] : 0..2", "One of 3 members"]),
        ("Environment.", "at[1, 2] = false", ["at[1,2] : boolean", "One of 2 members"]),
        ("Parameters ", "n = 3", ["n = 3 in 2..", "Value: 3"]),
        ("seat[i] < ", "last", ["last = n - 1", "Value: 2"]),
        ("  ", "sees[i", ["sees[1]", "3 of 3 members"]),
        ("Fairness ", "for", ["repeats"]),
        ("  ", "drank[i in", ["drank[1] if Guest[1].glass = true"]),
        ("", "sees[i in", ["sees[1] : AG(drank[1] -> K(Guest[1], drank[1]))"]),
        ("", "full if", ["full if (Environment.seat[1] = 2 and Environment.seat[2] = 2"]),
        ("drink and ", "ready", ["ready if thirsty and !told[i mod n + 1]"]),
    ],
)
def test_hover(table: Analysis, before: str, after: str, expected: list[str]) -> None:
    found = hover(table, at(before, after))
    assert found is not None
    for part in expected:
        assert part in found.text


def test_hints_say_how_many_members_there_are(table: Analysis) -> None:
    found = {(hint.label, TABLE[hint.offset - 1 : hint.offset]) for hint in hints(table)}
    assert ("3 members", "]") in found
    assert ("2 members", "]") in found
    labels = [hint.label for hint in hints(table) if hint.label.endswith(":")]
    assert labels == ["1-3:", "4:", "5-7:", "8:"]


def test_formulae_know_their_members(table: Analysis) -> None:
    found = lenses(table)
    assert [lens.number for lens in found] == list(range(1, 9))
    assert len({lens.formula for lens in found}) == 8
    assert found[2].formula.endswith("for i = 3")
    assert found[0].name == "sees[1]"


@pytest.mark.parametrize(
    "what", ["seat[i in", "Guest[i in", "pick[i in", "drank[i in", "pair[i in", "n = 3", "last = n"]
)
def test_a_family_is_renamed_as_a_whole(table: Analysis, what: str) -> None:
    place = TABLE.index(what)
    old = what.split("[")[0].split(" ")[0]
    text = Fix("", rename(table, place, "fresh")).apply(TABLE)
    assert text != TABLE
    again = analyse(text)
    assert again.system is not None
    back = next(match.start() for match in WORD.finditer(text) if match.group() == "fresh")
    assert Fix("", rename(again, back, old)).apply(text) == TABLE
    with pytest.raises(CannotRename):
        rename(table, place, "Environment")


def test_tokens_cover_the_text_once(table: Analysis) -> None:
    found = tokens(table)
    starts = [token.span.start for token in found]
    assert starts == sorted(set(starts))
    kinds = {(TABLE[token.span.start : token.span.end], token.kind) for token in found}
    assert {
        ("Guest", "agent"),
        ("seat", "variable"),
        ("pick", "action"),
        ("forall", "keyword"),
        ("for", "keyword"),
    } <= kinds
    assert len(folds(table)) == len(set(folds(table)))


def test_layout(table: Analysis) -> None:
    again = analyse(formatted(table))
    assert again.system == table.system
    assert format_edits(again) == []


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("Protocol: ready : {", ["drink", "say[i]"]),
        ("Environment.seat[i] = ", ["0", "1", "2"]),
        ("Guest[i].", ["glass", "heard[i]"]),
        ("if Guest[j].Action = ", ["drink", "say[i]"]),
        ("K(", ["Environment", "Guest[i]"]),
        ("Groups all = {", ["Guest[i]"]),
        ("Evolution:\n    glass = ", ["true", "false"]),
        ("Lobsvars = {", ["seat[i]", "at[i, j]"]),
        ("seat[", ["n", "m", "last"]),
        ("AG(", ["drank[i]", "two", "forall"]),
    ],
)
def test_completion(table: Analysis, place: str, expected: list[str]) -> None:
    found = {one.label: one for one in completion(table, at(place))}
    assert set(expected) <= set(found)
    for label in expected:
        if "[" in label:
            assert found[label].snippet


def test_every_beginning_can_be_asked_about() -> None:
    ends = [match.end() for match in WORD.finditer(TABLE)]
    for end in ends[::23]:
        for span in ask_everything(TABLE[:end], end):
            assert 0 <= span.start <= span.end <= end


def test_fixes_change_the_template() -> None:
    text = TABLE.replace("Actions = {drink, say", "Actions = {say")
    mending = next(one for one in fixes(analyse(text), Span(0, len(text))) if "drink" in one.fix.title)
    assert analyse(mending.fix.apply(text)).system is not None


def test_what_is_included_does_not_count_as_the_text(table: Analysis) -> None:
    agents = TABLE[: TABLE.index("Evaluation")]
    text = 'include "agents.ispl";\n' + TABLE[TABLE.index("Evaluation") :]
    analysis = analyse(text, "main.ispl", include=lambda name, _: (name, agents))
    assert analysis.system == table.system
    assert [entry.name for entry in outline(analysis)] == ["Evaluation", "InitStates", "Groups", "Fairness", "Formulae"]
    assert all(token.span.end <= len(text) for token in tokens(analysis))
    assert all(one.span.end <= len(text) for one in references(analysis, text.index("glass")))
    assert formatted(analysis).startswith("include")
    assert analyse(formatted(analysis), "main.ispl", include=lambda name, _: (name, agents)).system == table.system
    assert [lens.number for lens in lenses(analysis)] == list(range(1, 9))
