"""Rename, layout, quick fixes: edits that keep the meaning, or mend it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from tests.generators import random_system
from tests.lang.samples import EVERYTHING

from epistrat.ide import CannotRename, analyse, fixes, format_edits, formatted, renamable, rename
from epistrat.lang.format import format_source
from epistrat.lang.lexer import WORD
from epistrat.model.show import to_ispl
from epistrat.source import Fix, Span

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").rglob("*.ispl"))


def renamed(text: str, offset: int, name: str) -> str:
    return Fix("", rename(analyse(text), offset, name)).apply(text)


# -- rename ----------------------------------------------------------------------------------------------------------


def test_everything_can_be_renamed_and_back() -> None:
    analysis = analyse(EVERYTHING)
    symbols = {use.symbol: analysis.words.span(use.at, use.at + 1).start for use in analysis.uses.values()}
    for symbol, place in symbols.items():
        if symbol.name == "Environment":
            assert renamable(analysis, place) is None
            continue
        other = renamed(EVERYTHING, place, "fresh_name")
        assert other != EVERYTHING
        again = analyse(other)
        assert again.system is not None
        back = next(at for at, use in again.uses.items() if use.symbol.name == "fresh_name")
        assert renamed(other, again.words.span(back, back + 1).start, symbol.name) == EVERYTHING


@pytest.mark.parametrize(
    ("what", "name", "why"),
    [
        ("light : boolean", "count", "there would be an error"),
        ("light : boolean", "end", "reserved word"),
        ("light : boolean", "3x", "not a name"),
        ("light : boolean", "a b", "not a name"),
        ("paid if", "lit", "another meaning"),
        ("Environment", "Env", "nothing here"),
        ("Evolution:", "Env", "nothing here"),
    ],
)
def test_a_name_that_is_taken_or_impossible_is_refused(what: str, name: str, why: str) -> None:
    with pytest.raises(CannotRename, match=why):
        rename(analyse(EVERYTHING), EVERYTHING.index(what), name)


def test_rename_works_in_a_broken_text() -> None:
    text = EVERYTHING.replace("far = far + Environment.count if", "far = far + if")
    changed = renamed(text, text.index("far : integer"), "distance")
    assert "distance = distance + if" in changed
    assert "far if C1.distance > 10" in changed


# -- layout ----------------------------------------------------------------------------------------------------------


def check_layout(text: str) -> None:
    analysis = analyse(text)
    done = formatted(analysis)
    assert Fix("", tuple(format_edits(analysis))).apply(text) == done
    assert [" ".join(word.split()) for word in WORD.findall(done)] == [" ".join(w.split()) for w in WORD.findall(text)]
    again = analyse(done)
    assert again.system == analysis.system
    assert format_edits(again) == []
    if "\r" not in text:
        assert done == format_source(text)
    elif text.count("\r\n") == text.count("\n"):
        assert done.count("\r\n") == done.count("\n")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_layout_of_examples(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    check_layout(text)
    check_layout(text.replace("\n", "\r\n").replace("    ", "\t"))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([" ", "\n", "\r\n", " -- note ü\n", " /* a\n b */ ", "\t"]))
def test_layout_keeps_words_comments_and_meaning(seed: int, blank: str) -> None:
    """Printed systems, cut into words that are put together with blanks and comments at random."""
    choose = random.Random(seed)
    words = WORD.findall(to_ispl(random_system(choose)))
    check_layout("".join(word + (blank if choose.random() < 0.2 else " ") for word in words))


def test_layout_of_lines_that_cannot_be_read_is_left_alone() -> None:
    assert format_edits(analyse(EVERYTHING.replace("C1.Action = say", "C1.Action = = say"))) == []
    assert format_edits(analyse(EVERYTHING.replace("boolean;", "boolean   "))) == []
    assert format_edits(analyse(EVERYTHING.replace("Environment.light;", "Environment.lihgt  ;"))) != []


def test_layout_of_a_range() -> None:
    text = EVERYTHING.replace("count <= 3", "count<=3").replace("C1.far > 10", "C1.far>10")
    line = text.index("far if C1.far>10")
    edits = format_edits(analyse(text), Span(line, line + 20))
    assert edits
    assert all(line <= edit.span.start for edit in edits)
    assert "C1.far > 10" in Fix("", tuple(edits)).apply(text)


# -- fixes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("good", "bad", "title"),
    [
        ("phase <> talk", "phase <> tlak", "write `talk`"),
        ("Actions = {say, nothing};", "Actions = {say, nothing}", "insert `;`"),
        ("Actions = {say, nothing};", "Actions = {nothing};", "add `say` to the actions of C1"),
        ("C1.Action = say", "C1.Action = shout", "add `shout` to the actions of C1"),
        ("Lobsvars = {light, count};", "Lobsvars = {light};", "let C1 see Environment.count"),
        ("Lobsvars = {light, count};", "", "let C1 see Environment.light"),
        ("light : boolean;", "", "declare `light` as a Boolean variable of Environment"),
        ("end Obsvars", "", "insert `end Obsvars`"),
        ("    Actions = {};\n", "", "insert the section Actions"),
        ("InitStates\n", "Inistates\n", None),
        ("Protocol:\n        C1.paid = yes xor Environment.light : {say, nothing};\n        Other : {nothing};\n    end Protocol", "",
         "insert a Protocol that allows all actions"),
    ],
)  # fmt: skip
def test_quick_fixes_mend(good: str, bad: str, title: str | None) -> None:
    text = EVERYTHING.replace(good, bad, 1)
    errors = analyse(text).report.errors
    assert errors
    everywhere = fixes(analyse(text), Span(0, len(text)))
    if title is None:
        return
    mending = next(one for one in everywhere if one.fix.title == title)
    mended = analyse(mending.fix.apply(text))
    assert len(mended.report.errors) < len(errors)
    assert mending.diagnostic.span is not None
    assert mending in fixes(analyse(text), mending.diagnostic.span)


def test_a_missing_section_behind_the_agents_is_inserted() -> None:
    text = EVERYTHING[: EVERYTHING.index("InitStates")]
    (mending,) = fixes(analyse(text), Span(len(text), len(text)))
    assert analyse(mending.fix.apply(text)).system is not None
