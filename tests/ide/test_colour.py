"""Tokens, folds, hints, signatures, and positions in UTF-16 units."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from tests.lang.samples import EVERYTHING

from epistrat.ide import TOKEN_KINDS, Positions, analyse, folds, hints, signature, tokens
from epistrat.source import Span


def kinds(text: str) -> list[tuple[str, str]]:
    return [(text[token.span.start : token.span.end], token.kind) for token in tokens(analyse(text))]


def test_every_word_has_its_kind() -> None:
    found = kinds(EVERYTHING.replace("A G F paid;", "again: A G F paid;") + "-- the end ü")
    assert {kind for _, kind in found} == set(TOKEN_KINDS)
    for expected in [
        ("Agent", "keyword"),
        ("C1", "agent"),
        ("light", "variable"),
        ("talk", "value"),
        ("say", "action"),
        ("lit", "proposition"),
        ("all", "group"),
        ("GCK", "operator"),
        ("<->", "operator"),
        ("boolean", "type"),
        ("0.5", "number"),
        ("-- the end ü", "comment"),
    ]:
        assert expected in found


def test_tokens_of_a_range_are_those_of_the_whole() -> None:
    text = EVERYTHING + "/* two\n lines */ -- ?"
    analysis = analyse(text)
    everything = tokens(analysis)
    for start in range(0, len(text), 97):
        part = tokens(analysis, Span(start, start + 200))
        assert set(part) <= set(everything)
        assert {one for one in everything if start <= one.span.start < start + 200} <= set(part)


def test_tokens_with_characters_of_no_meaning() -> None:
    assert kinds("Agent § A Vars: x ? : boolean; end Vars") == [
        ("Agent", "keyword"),
        ("A", "agent"),
        ("Vars", "keyword"),
        ("x", "variable"),
        ("boolean", "type"),
        ("end", "keyword"),
        ("Vars", "keyword"),
    ]


def test_folds() -> None:
    text = "-- one\n-- two\nAgent A\n  Vars:\n    x : boolean;\n  end Vars\n"
    text += "  Protocol:\n    Other : {a}; -- b\n  -- c\n  end Protocol\nend Agent\n"
    text += "/* three\nfour */\n"
    found = {(fold.first, fold.last, fold.kind) for fold in folds(analyse(text))}
    assert found == {(1, 2, "comment"), (3, 11, "region"), (4, 6, "region"), (7, 10, "region"), (12, 13, "comment")}


def test_hints_number_the_formulae() -> None:
    found = hints(analyse(EVERYTHING))
    assert [hint.label for hint in found] == [f"{number}:" for number in range(1, 17)]
    assert EVERYTHING[found[2].offset :].startswith("E(!paid W lit)")
    assert hints(analyse(EVERYTHING), Span(0, 100)) == []


@pytest.mark.parametrize(
    ("written", "label", "active"),
    [
        ("Formulae K(", "K(agent, formula)", 0),
        ("Formulae AG K(C1, p and (", "K(agent, formula)", 1),
        ("Formulae GCK({C1, C2", "GCK(group, formula)", 0),
        ("Formulae GCK({C1, C2}, ", "GCK(group, formula)", 1),
        ("Formulae K(A, K(B, p)", "K(agent, formula)", 1),
    ],
)
def test_signatures(written: str, label: str, active: int) -> None:
    found = signature(analyse(written), len(written))
    assert found is not None
    assert (found.label, found.active) == (label, active)


def test_no_signature_elsewhere() -> None:
    for text in ("Formulae K(A, p) and ", "Evaluation K(", "Formulae (p"):
        assert signature(analyse(text), len(text)) is None


@settings(deadline=None)
@given(st.text(st.sampled_from("aé😀\r\n𝔸;")))
def test_positions_are_those_of_utf_16(text: str) -> None:
    places = Positions(text)
    for offset in range(len(text) + 1):
        units = len(text[:offset].encode("utf-16-le")) // 2
        assert places.units(offset) == units
        assert places.offset_of_units(units) == offset
        if text[offset : offset + 1] > "\uffff":
            assert places.offset_of_units(units + 1) == offset, "the inside of a character is its beginning"
        line, unit = places.position(offset)
        start = places.offset(line, 0)
        assert len(text[start:offset].encode("utf-16-le")) // 2 == unit
        inside = text[offset - 1 : offset + 1] == "\r\n" or text[start:offset].endswith("\r")
        if not inside:
            assert places.offset(line, unit) == offset
        assert places.offset(line, unit + 100) >= offset - 1
    assert places.offset(10**6, 0) == len(text)
    assert places.offset(-1, 5) == 0
