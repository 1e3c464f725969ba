"""Whatever the input: messages with places, never an exception, and never for long."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from tests.lang.samples import EVERYTHING, PLAIN, model

from epistrat.lang import load, parse_formula
from epistrat.lang.cursor import DEEPEST
from epistrat.lang.format import format_source
from epistrat.lang.lexer import LONGEST_TEXT, WORD
from epistrat.render.text import show_rejection
from epistrat.render.wording import Style

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "conformance"
MODELS = sorted((ROOT / "examples").glob("*.ispl")) + sorted(SHARED.glob("probes/*.ispl"))
SMALL = load(PLAIN).system
assert SMALL is not None


def survives(text: str) -> None:
    loaded = load(text, "garbage")
    assert loaded.ok == (loaded.system is not None) == loaded.report.ok
    for diagnostic in loaded.diagnostics:
        record = diagnostic.to_json()
        assert record["line"] >= 1
        assert record["column"] >= 1
        assert diagnostic.message
    list(show_rejection(loaded.diagnostics, Style()))
    format_source(text)


@settings(max_examples=150, deadline=None)
@given(st.text())
def test_any_text(text: str) -> None:
    survives(text)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(sorted(set(WORD.findall(EVERYTHING)))), max_size=60))
def test_any_words(words: list[str]) -> None:
    survives(" ".join(words))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(sorted(set(WORD.findall(EVERYTHING)))), max_size=20))
def test_any_formula(words: list[str]) -> None:
    assert SMALL is not None
    formula, diagnostics = parse_formula(" ".join(words), SMALL)
    assert (formula is None) == any(diagnostic.is_error for diagnostic in diagnostics)


def test_bytes_read_as_text() -> None:
    rng = random.Random(1)
    for length in (1, 10, 1000, 50_000):
        survives(rng.randbytes(length).decode("latin-1"))


@pytest.mark.parametrize("text", [EVERYTHING, PLAIN], ids=["everything", "plain"])
def test_truncated(text: str) -> None:
    for end in range(0, len(text), 23):
        survives(text[:end])


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_a_model_without_one_word(path: Path) -> None:
    text = path.read_text()
    rng = random.Random(path.stem)
    matches = list(WORD.finditer(text))
    for match in rng.sample(matches, min(5, len(matches))):
        survives(text[: match.start()] + text[match.end() :])


COUNT = 10_000
DEEP = {
    "brackets": {"formulae": "(" * COUNT + "p" + ")" * COUNT},
    "brackets in a condition": {"evolution": "x = 1 if " + "(" * COUNT + "b" + ")" * COUNT + ";"},
    "negations": {"formulae": "!" * COUNT + "p"},
    "negations in a condition": {"protocol": "!" * COUNT + "b : {a};"},
    "bit negations": {"protocol": "~" * COUNT + "b : {a};"},
    "implications": {"formulae": " -> ".join(["p"] * COUNT)},
    "implications in a condition": {"protocol": " -> ".join(["b"] * COUNT) + " : {a};"},
    "untils": {"formulae": "LTL " + " U ".join(["p"] * COUNT)},
    "nested AG": {"formulae": "AG " * COUNT + "p"},
    "nested X": {"formulae": "LTL " + "X " * COUNT + "p"},
    "nested K": {"formulae": "K(P, " * COUNT + "p" + ")" * COUNT},
    "nested A": {"formulae": "A(" * COUNT + "p U q" + ")" * COUNT},
    "coalitions": {"formulae": "<g>X " * COUNT + "p"},
    "quotients": {"protocol": " / ".join(["x"] * COUNT) + " = 1 : {a};"},
    "equivalences in a condition": {"protocol": " <-> ".join(["b"] * COUNT) + " : {a};"},
    "mixed": {"protocol": "(b and b or x * x + x = " * COUNT + "1" + ")" * COUNT + " : {a};"},
}
LONG = {
    "brackets in an assignment": {"evolution": "(" * COUNT + "x = 1" + ")" * COUNT + " if b;"},
    "conjunction": {"formulae": " and ".join(["p"] * COUNT)},
    "conjunction in a condition": {"initial": " and ".join(["P.x = 0"] * COUNT)},
    "disjunction": {"initial": " or ".join(["P.x = 0"] * COUNT)},
    "sum": {"protocol": " + ".join(["x"] * COUNT) + " = 1 : {a};"},
    "difference": {"protocol": " - ".join(["x"] * COUNT) + " = 1 : {a};"},
    "product": {"protocol": " * ".join(["x"] * COUNT) + " = 1 : {a};"},
    "bit or": {"protocol": " | ".join(["b"] * COUNT) + " : {a};"},
    "exclusive or": {"protocol": " ^ ".join(["b"] * COUNT) + " : {a};"},
}


@pytest.mark.parametrize("parts", DEEP.values(), ids=DEEP.keys())
def test_what_is_too_deep_is_said_to_be(parts: dict[str, str]) -> None:
    loaded = load(model(**parts))
    assert [error.code for error in loaded.report.errors] == ["E003"]


@pytest.mark.parametrize("parts", LONG.values(), ids=LONG.keys())
def test_length_is_no_problem(parts: dict[str, str]) -> None:
    assert load(model(**parts)).ok


@pytest.mark.parametrize("opening", ["(", "!", "K(P, ", "AG "])
def test_as_deep_as_allowed(opening: str) -> None:
    formula = opening * (DEEPEST - 4) + "p" + ")" * (opening.count("(") * (DEEPEST - 4))
    assert load(model(formulae=formula)).ok


def test_a_hundred_megabytes_of_brackets() -> None:
    start = time.process_time()
    loaded = load("(" * 100_000_000)
    assert [error.code for error in loaded.report.errors] == ["E005"]
    assert time.process_time() - start < 5


def test_as_many_brackets_as_are_read() -> None:
    loaded = load("(" * (LONGEST_TEXT // 10))
    assert not loaded.ok


def test_a_formula_that_is_too_long() -> None:
    assert SMALL is not None
    formula, diagnostics = parse_formula("(" * (LONGEST_TEXT + 1), SMALL)
    assert formula is None
    assert [diagnostic.code for diagnostic in diagnostics] == ["E005"]


def test_hopeless_texts_end_soon() -> None:
    loaded = load(model(formulae=";".join(f"unknown{number}" for number in range(5000))))
    assert len(loaded.report.errors) == 100
