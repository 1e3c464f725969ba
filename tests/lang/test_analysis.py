"""Analysis: names and where they are used, broken lines, fixes that mend."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lang.samples import EVERYTHING, model

from epistrat.ide.written import declared
from epistrat.lang import load
from epistrat.lang.analysis import Analysis, analyse
from epistrat.lang.lexer import Words
from epistrat.lang.syntax import Broken, Item, children, items
from epistrat.lang.uses import Symbol
from epistrat.source import Report, Severity, SourceText
from epistrat.terms import Boolean, Bounded, Enumeration

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ispl"))


def offset(text: str, before: str, after: str) -> int:
    """The place between two pieces of the text."""
    return text.index(before + after) + len(before)


def written(analysis: Analysis, symbol: Symbol) -> list[str]:
    """The lines that name something."""
    source = analysis.source
    places = [analysis.words.span(use.at, use.at + 1) for use in analysis.uses.values() if use.symbol == symbol]
    return [source.line(source.position(span.start).line).strip() for span in places]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_prefix_can_be_analysed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    source = SourceText(text)
    words = Words(source, Report(source))
    for index in range(words.count):
        end = words.span(index, index + 1).end
        found = analyse(text[:end])
        assert found.system is None or index > words.count // 2
        if index % 16 == 0:
            found.use_at(end)
            assert all(0 <= use.at < found.words.count for use in found.uses.values())


def test_uses_of_every_kind() -> None:
    found = analyse(EVERYTHING)
    assert found.system is not None
    uses = {(use.symbol, found.words.list[use.at]) for use in found.uses.values()}
    assert all(symbol.name == word for symbol, word in uses)
    assert {symbol.kind for symbol, _ in uses} == {"agent", "variable", "action", "value", "proposition", "group"}
    for use in found.uses.values():
        assert declared(found, use.symbol) is not None, use.symbol


def test_definition_and_references() -> None:
    found = analyse(EVERYTHING)
    light = Symbol("variable", "Environment", "light")
    place = declared(found, light)
    assert place is not None
    assert found.source.line(found.source.position(place.start).line).strip() == "light : boolean;"
    lines = written(found, light)
    assert "Lobsvars = {light, count};" in lines
    assert "lit if Environment.light;" in lines
    writes = [use for use in found.uses.values() if use.symbol == light and use.writes]
    assert len(writes) >= 4
    use = found.use_at(offset(EVERYTHING, "C1.", "paid = yes xor"))
    assert use is not None
    assert use.symbol == Symbol("variable", "C1", "paid")
    value = found.use_at(offset(EVERYTHING, "C1.paid = ", "yes xor"))
    assert value is not None
    assert value.symbol == Symbol("value", "C1.paid", "yes")
    assert found.use_at(offset(EVERYTHING, "Environment.light", " = (count")) is not None, "directly behind a name"
    assert found.use_at(0) is None


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ({"evolution": "x = 1 and b = if Action = a;"}, {("variable", "x"), ("variable", "b")}),
        ({"evolution": "x = 1 if b and (x = 2 or"}, {("variable", "x"), ("variable", "b")}),
        ({"protocol": "x = 1 and : {a};"}, {("variable", "x")}),
        ({"formulae": "AG (p -> K(P, q and"}, {("proposition", "p"), ("proposition", "q"), ("agent", "P")}),
        ({"evaluation": "r if P.x = 1 and P."}, {("variable", "x"), ("agent", "P"), ("proposition", "r")}),
    ],
)
def test_broken_lines_keep_what_could_be_read(line: dict[str, str], names: set[tuple[str, str]]) -> None:
    text = model(**line)
    found = analyse(text)
    assert found.system is None
    broken = [item for item in _all(found) if isinstance(item, Broken)]
    assert broken
    inside = {
        (use.symbol.kind, use.symbol.name)
        for use in found.uses.values()
        if any(item.start <= use.at < item.end for item in broken) or use.symbol.name == "r"
    }
    assert names <= inside


def _all(analysis: Analysis) -> list[Item]:
    found = items(analysis.program)
    for item in found:
        found.extend(children(item))
    return found


def test_the_rest_of_a_broken_model_stays_alive() -> None:
    text = model(evolution="x = if;").replace("Evaluation", "Agent\nEvaluation", 1)
    found = analyse(text)
    assert found.names.agents["P"].variables
    assert "p" in found.names.propositions
    half = analyse("Agent P Vars: x : {u, v}; b : boolean; n : 0..3; end Vars Actions = {a, c")
    assert half.names.agents["P"].variables == {
        "x": Enumeration(("u", "v")),
        "b": Boolean(),
        "n": Bounded(0, 3),
    }
    assert list(half.names.agents["P"].actions) == ["a", "c"]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("E002", model(vars="n : bool;")),
        ("E007", model(evolution="x = 1 if b\n x = 2 if b;")),
        ("E007", model(formulae="K(P p)")),
        ("E008", model().replace("end Vars", "end Actions", 1)),
        ("E008", model().replace("end Vars", "", 1)),
        ("E008", model().replace("    end Evolution\nend Agent", "end Agent", 1)),
        ("E012", model(evaluation="r if P.X = 1;")),
        ("E013", model(groups="h = {p};")),
        ("E014", model(protocol="x = 1 : {stpo};")),
        ("E016", model(formulae="AG P")),
        ("E023", model(vars="n : 3..0;")),
    ],
)
def test_fixes_mend(code: str, text: str) -> None:
    wrong = next(one for one in analyse(text).diagnostics if one.code == code)
    assert wrong.fixes
    mended = analyse(wrong.fixes[0].apply(text))
    assert not [one for one in mended.diagnostics if one.severity is Severity.ERROR], wrong.fixes[0]


@pytest.mark.parametrize(
    ("code", "text", "there"),
    [
        ("W007", model(vars="x : boolean;"), "x"),
        ("W007", model(groups="h = {P, P};"), "P"),
        ("E009", model(sections="Groups end Groups"), "Groups"),
        ("E030", model(evolution="x = 1 and x = 2 if b;"), "x"),
        ("E002", model(formulae="AG (p"), "("),
        ("E022", model(evolution="x = 99 if b;"), "x"),
    ],
)
def test_messages_point_at_the_other_place(code: str, text: str, there: str) -> None:
    (message,) = (one for one in analyse(text).diagnostics if one.code == code)
    assert message.span is not None
    assert [text[place.span.start : place.span.end] for place in message.related] == [there]
    assert all(place.span.start < message.span.start for place in message.related)


def test_loading_is_analysis_without_its_tree() -> None:
    assert load(EVERYTHING).system == analyse(EVERYTHING).system
