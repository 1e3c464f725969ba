"""The generators: what they claim about their models is what the judge finds."""

from __future__ import annotations

import re

import pytest
from benchmarks.families import FAMILIES, model, text
from benchmarks.families.text import ModelText

from epistrat.lang import load
from epistrat.logic.formula import ATOMS, Coalition, Correct, Knows, subformulae
from epistrat.model.system import System
from epistrat.service import models, pipeline

SPECS = [
    (family, FAMILIES[family].tiny[0], name)
    for family in FAMILIES
    for name in model(family, FAMILIES[family].tiny[0]).specs
]
LAST = [(family, entry.tiny[-1]) for family, entry in FAMILIES.items()]


def system_of(source: str) -> System:
    loaded = load(source, strict=True)
    assert loaded.system is not None, [str(diagnostic) for diagnostic in loaded.diagnostics]
    return loaded.system


def judged(source: str) -> tuple[list[str], int | None]:
    system = system_of(source)
    report = pipeline.check(system, models.questions(system), engine="reference")
    states = report.facts.states
    assert states != "infinite"
    return [result.verdict.value for result in report.results], states


def surprises(pieces: ModelText, spec: str, verdicts: list[str], states: int | None) -> list[str]:
    found = [
        f"{question.formula}: {verdict}"
        for question, verdict in zip(pieces.specs[spec].questions, verdicts, strict=True)
        if question.holds is not None and verdict != ("holds" if question.holds else "fails")
    ]
    if pieces.states not in (None, states):
        found.append(f"{states} states instead of {pieces.states}")
    return found


@pytest.mark.parametrize(("family", "n", "spec"), SPECS)
def test_verdicts_derived_by_thinking_are_right(family: str, n: int, spec: str) -> None:
    assert surprises(model(family, n), spec, *judged(text(family, n, spec))) == []


@pytest.mark.parametrize(("family", "n"), LAST)
def test_they_stay_right_at_the_next_size(family: str, n: int) -> None:
    spec = list(model(family, n).specs)[-1]
    assert surprises(model(family, n), spec, *judged(text(family, n, spec))) == []


@pytest.mark.parametrize(("family", "n", "spec"), SPECS)
def test_a_disguise_changes_nothing_but_names_and_order(family: str, n: int, spec: str) -> None:
    plain, disguised = text(family, n, spec), text(family, n, spec, scrambled=7)
    assert judged(disguised) == judged(plain)
    assert text(family, n, spec, scrambled=8) != disguised == text(family, n, spec, scrambled=7)
    body = disguised.split("\n", 1)[1]
    assert not re.search(r"[A-Za-z_]\d", body)


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_asks_about_time_knowledge_and_strategies(family: str) -> None:
    n = FAMILIES[family].tiny[-1]
    asked = [system_of(text(family, n, spec)).formulae for spec in model(family, n).specs]
    kinds = {type(part) for formulae in asked for part in subformulae(*formulae)} - set(ATOMS)
    assert Knows in kinds or Correct in kinds
    assert Coalition in kinds or family in ("dc", "muddy", "cards")


def test_random_families_follow_their_seed() -> None:
    assert text("sparse", 6, "all", seed=2) == text("sparse", 6, "all", seed=2) != text("sparse", 6, "all", seed=3)


def test_the_card_game_needs_an_even_number() -> None:
    with pytest.raises(ValueError, match="even"):
        model("cards", 5)
