"""Canonical layout: same words, same model, and nothing left to do the second time."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from tests.generators import random_system
from tests.lang.samples import EVERYTHING, PLAIN

from epistrat.lang import load
from epistrat.lang.format import format_source
from epistrat.lang.lexer import WORD
from epistrat.model.show import to_ispl

ROOT = Path(__file__).parents[2]
MODELS = [
    *sorted((ROOT / "examples").glob("*.ispl")),
    *sorted((ROOT.parent / "shared" / "conformance").glob("*/*.ispl")),
]


def pieces(text: str) -> list[str]:
    return [" ".join(word.split()) for word in WORD.findall(text)]


def check(text: str) -> str:
    laid_out = format_source(text)
    assert pieces(laid_out) == pieces(text)
    assert format_source(laid_out) == laid_out
    return laid_out


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_models(path: Path) -> None:
    text = path.read_text()
    assert load(check(text)).system == load(text).system


@pytest.mark.parametrize("text", [EVERYTHING, PLAIN], ids=["everything", "plain"])
def test_samples(text: str) -> None:
    """In whatever layout the text comes."""
    laid_out = check(text)
    assert load(laid_out).system == load(text).system
    assert format_source(" ".join(pieces(text))) == laid_out
    assert format_source("\n".join(pieces(text))).replace("\n\n", "\n") == laid_out.replace("\n\n", "\n")


@pytest.mark.parametrize("seed", range(10))
def test_printed_systems(seed: int) -> None:
    system = random_system(random.Random(seed))
    text = to_ispl(system)
    loaded = load(text)
    assert loaded.system is not None, [str(error) for error in loaded.report.errors]
    assert to_ispl(loaded.system) == text
    assert load(check(text)).system == loaded.system


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="ab(){};:,.<>=!~+-*/&|^ \n\t-/*Agentndf0129XGFUK"))
def test_any_text_keeps_its_words(text: str) -> None:
    check(text)


def test_the_layout() -> None:
    text = """-- A model.
    Semantics=MA; Agent   P -- the only one
    Vars: x:0 .. 3; -- counts


    b :boolean;
    -- colours
    c:{red,green}; end Vars Actions={a,b};
    Protocol: x=0 and!b:{a}; Other:{a,b}; end Protocol
    Evolution: x=x- -1 and(b=~b)if Action=a /* inside */ and x<3; end Evolution
    end Agent
    -- above
    Evaluation p if P.x=-1+2; end Evaluation
    InitStates P.x=0; end InitStates
    Groups g={P}; end Groups
    Formulae AG(p->K (P,!p)); <g>X p and < g >(p U p); AG <P>F p; A (p U p) and LTL; P.x<2 and 1 < 2; <>X p;
    -- last
    end Formulae"""
    assert (
        format_source(text)
        == """-- A model.
Semantics = MA;

Agent P -- the only one
    Vars:
        x : 0..3; -- counts

        b : boolean;
        -- colours
        c : {red, green};
    end Vars
    Actions = {a, b};
    Protocol:
        x = 0 and !b : {a};
        Other : {a, b};
    end Protocol
    Evolution:
        x = x - -1 and (b = ~b) if Action = a /* inside */ and x < 3;
    end Evolution
end Agent

-- above
Evaluation
    p if P.x = -1 + 2;
end Evaluation

InitStates
    P.x = 0;
end InitStates

Groups
    g = {P};
end Groups

Formulae
    AG(p -> K(P, !p));
    <g>X p and <g>(p U p);
    AG <P>F p;
    A(p U p) and LTL;
    P.x < 2 and 1 < 2;
    <>X p;
    -- last
end Formulae
"""
    )


def test_long_lines_are_broken() -> None:
    text = (
        "Agent P Actions = {}; end Agent InitStates "
        + " and ".join(["P.some_long_name = value"] * 9)
        + "; end InitStates"
    )
    lines = check(text).split("\n")
    assert all(len(line) <= 100 for line in lines)
    assert sum("and" in line for line in lines) == 3


def test_lines_are_broken_outside_brackets_first() -> None:
    one = "(C1.some_name = value and C2.some_name = value)"
    text = f"Evaluation odd if {one} or {one} or {one}; end Evaluation"
    assert check(text) == (f"Evaluation\n    odd if {one}\n        or {one}\n        or {one};\nend Evaluation\n")
    assigned = " and ".join(f"variable{number} = value{number}" for number in range(3))
    text = f"Agent P Evolution: {assigned} if Action = something and {one}; end Evolution end Agent"
    assert f"        {assigned}\n            if Action = something and {one};\n" in check(text)


def test_deep_brackets_are_laid_out() -> None:
    check("Formulae " + "(some_proposition and " * 3000 + "p" + ")" * 3000 + "; end Formulae")
    check("Formulae " + "(" * 3000 + "p" + " and some_proposition)" * 3000 + "; end Formulae")


def test_comments_inside_a_line() -> None:
    text = "Agent P Actions = {}; end Agent\nInitStates\n P.x = 1 -- first\n and P.y = 2\n // second\n and P.z = 3;\nend InitStates"
    laid_out = check(text)
    assert "    P.x = 1 -- first\n        and P.y = 2\n        // second\n        and P.z = 3;" in laid_out


def test_nothing() -> None:
    assert format_source("") == ""
    assert format_source("-- alone") == "-- alone\n"
