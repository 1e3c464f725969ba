"""Counting members: all engines agree with the definition, long counts are read and written, and hundreds take no time."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import epistrat
from epistrat.cli.main import main
from epistrat.encoding.aiger import aiger
from epistrat.encoding.smv import smv
from epistrat.encoding.vmt import vmt
from epistrat.lang import families
from epistrat.lang.load import load, parse_formula
from epistrat.logic.show import show
from epistrat.model.evaluate import Evaluator
from epistrat.model.plain import to_plain_ispl
from epistrat.terms import AtLeast, Sort, Terms, subterms

LAMPS = """
Parameters
    n = 4 in 2..;
    k = 2 in 0..;
end Parameters
Agent Lamp[i in 1..n]
    Vars:
        on : boolean;
    end Vars
    Actions = {press, wait};
    Protocol:
        on = false : {press, wait};
        Other : {wait};
    end Protocol
    Evolution:
        on = true if Action = press and count(j in 1..n: Lamp[j].Action = press) <= 2;
    end Evolution
end Agent
Evaluation
    on[i in 1..n] if Lamp[i].on = true;
    bright if count(i in 1..n: Lamp[i].on = true) >= k;
end Evaluation
InitStates
    count(i in 1..n: Lamp[i].on = true) = 1;
end InitStates
Formulae
    reach: EF bright;
    exact: AG(bright <-> count(i in 1..n: on[i]) >= k);
    most: AG count(i in 1..n: on[i]) <= k + 1;
    fewer: AG count(i in 1..n: !on[i]) > n - k;
    other: EF count(i in 1..n: on[i]) = 3;
    never: AG count(i in 1..n: on[i]) <> 2;
end Formulae
"""


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every count is listed, none is spelt out with ``and`` and ``or``."""
    monkeypatch.setattr(families.counting, "MOST_SPELT", 0)


@pytest.mark.parametrize(("n", "k"), [(4, 2), (5, 3)])
def test_listed_counts_mean_the_same_to_all_engines(n: int, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    spelt = epistrat.load(LAMPS, n=n, k=k)
    wanted = spelt.report(engine="reference", evidence=False)
    monkeypatch.setattr(families.counting, "MOST_SPELT", 0)
    model = epistrat.load(LAMPS, n=n, k=k)
    assert any(isinstance(part, AtLeast) for part in subterms(model.initial))
    for engine in ("reference", "symbolic", "explicit", "auto"):
        report = model.report(engine=engine)
        assert [one.verdict for one in report.results] == [one.verdict for one in wanted.results], engine
        assert report.facts.states == wanted.facts.states
    lazy = model.report(engine="lazy", only=["exact", "most", "fewer", "never"], evidence=False)
    assert [one.verdict for one in lazy.results] == [wanted.results[place].verdict for place in (1, 2, 3, 5)]


@pytest.mark.usefixtures("listed")
def test_listed_counts_are_written_and_read_back() -> None:
    model = epistrat.load(LAMPS, n=5, k=3)
    assert load(model.to_ispl()).system == model
    assert "count(Lamp[1].on = true, Lamp[2].on = true" in model.to_ispl()
    for one in model.formulae:
        again, messages = parse_formula(show(one), model)
        assert (again, messages) == (one, [])
    assert "count(" in smv(model, [])
    assert "(ite " in vmt(model, model.formulae)
    assert aiger(model, model.formulae[2])
    assert [one.code for one in load(to_plain_ispl(model), strict=True).diagnostics if "count" in one.message]


@pytest.mark.parametrize("number", range(-1, 6))
def test_the_term(number: int) -> None:
    terms = Terms()
    args = [terms.variable("A", name, Sort.BOOLEAN) for name in "xyzw"]
    for values in product((False, True), repeat=4):
        known = [terms.boolean(value) for value in values]
        assert terms.at_least(number, known) == terms.boolean(sum(values) >= number)
        mixed = terms.at_least(number, [*known[:2], *args[2:]])
        rest = number - sum(values[:2])
        assert mixed == terms.at_least(rest, args[2:])


def test_hundreds_are_counted() -> None:
    model = epistrat.load(LAMPS, n=200, k=100)
    assert len(list(subterms(model.propositions["bright"]))) == 201
    state = tuple(place % 2 == 0 for place in range(200))
    assert Evaluator(model).holds(model.propositions["bright"], state)
    assert not Evaluator(model).holds(model.propositions["bright"], (False, *state[1:]))


def test_formulae_that_are_no_conditions_are_refused_in_large_numbers() -> None:
    text = LAMPS.replace("reach: EF bright;", "reach: count(i in 1..n: K(Lamp[i], bright)) >= k;")
    assert epistrat.load(text, n=4).formulae
    loaded = load(text, parameters={"n": 60, "k": 30})
    assert [one.code for one in loaded.diagnostics if one.severity.value == "error"] == ["E063"]


@pytest.mark.parametrize("text", ["count()", "count(a = 1", "count(true) >= x", "count(true)"])
def test_half_a_count_is_a_mistake(text: str) -> None:
    model = epistrat.load(LAMPS)
    formula, messages = parse_formula(f"AG {text}", model)
    assert formula is None
    assert messages


def test_plain_ispl_cannot_count_hundreds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lamps.ispl").write_text(LAMPS)
    assert main(["expand", str(tmp_path / "lamps.ispl"), "--set", "n=60,k=30"]) == 3
    assert "60 members" in capsys.readouterr().err
    assert main(["expand", str(tmp_path / "lamps.ispl"), "--only", "reach"]) == 0
    assert load(capsys.readouterr().out, strict=True).ok


def test_the_text_of_a_formula_ends_behind_what_is_compared() -> None:
    loaded = load(LAMPS)
    texts = [loaded.origins.text("formula", index) for index in range(6)]
    assert [str(text).partition("AG ")[2] for text in (texts[2], texts[3], texts[5])] == [
        "count(i in 1..n: on[i]) <= k + 1",
        "count(i in 1..n: !on[i]) > n - k",
        "count(i in 1..n: on[i]) <> 2",
    ]
