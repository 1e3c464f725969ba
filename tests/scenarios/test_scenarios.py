"""Scenarios: every file says what to expect and is right; twins of the benchmark generators agree with them; the command."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchmarks.families import FAMILIES, OBSERVED, text

import epistrat
from benchmarks import interleaved
from epistrat import scenarios
from epistrat.cli.main import main
from epistrat.lang.format import format_source
from epistrat.lang.load import load
from epistrat.model.plain import to_plain_ispl
from epistrat.service.expect import differences, read_expectation

UNBOUNDED = {"secret-ballot", "batteries"}
EXTENDED = UNBOUNDED | {"tunnels", "number-transmission"}  # plain ISPL has no integers without bounds
SMALLER = {"sum-and-product": {"top": 20}, "secret-ballot": {"n": 2}}
NAMES = scenarios.names()

# scenario, family, its spec, its size, the parameters of the scenario, and which formulae are the same
TWINS = [
    ("dining-cryptographers", "dc", "privacy", 4, {"n": 4}, ["privacy"]),
    ("dining-cryptographers", "dc", "mixed", 3, {"n": 3}, ["learnt", "common", "leak"]),
    ("dining-cryptographers", "payers", "payer", 4, {"n": 4}, ["sure"]),
    ("dining-cryptographers", "payers", "anonymity", 4, {"n": 4}, ["secret"]),
    ("muddy-children", "muddy", "mixed", 3, {"n": 3}, ["learns[1]", "finally", "wrong"]),
    ("muddy-children", "muddy", "exact", 4, {"n": 4}, ["exact"]),
    ("bit-transmission", "btp", "main", 3, {"n": 3}, ["knows", "reaches", "confirmed", "gap", "content"]),
    ("prisoners", "prisoners", "strategy", 3, {"n": 3}, ["together"]),
    ("prisoners", "prisoners", "know", 2, {"n": 2}, ["know"]),
    ("tian-ji", "tianji", "mixed", 3, {"n": 3}, ["trick", "king", "possible", "seen"]),
    ("cards", "cards", "mixed", 4, {"h": 2}, ["know", "lucky", "told"]),
    ("token-ring", "ring", "all", 3, {"n": 3}, []),
    ("robots", "grid", "all", 2, {"n": 2}, ["meet", "part", "stay", "blind", "corner", "agree", "hunt"]),
    ("roll-call", "vote", "all", 3, {"n": 3}, []),
    ("sparse-agents", "sparse", "all", 4, {"n": 4}, []),
    ("gossip", "gossip", "all", 3, {"n": 3}, []),
    ("pipe", "pipe", "all", 2, {"n": 2}, []),
    ("auction", "auction", "all", 2, {"n": 2}, []),
    ("lift", "lift", "all", 2, {"n": 2}, []),
    ("cache-coherence", "cache", "all", 2, {"n": 2}, []),
    ("leader-election", "election", "all", 3, {"n": 3, "step": 2}, []),
    ("leader-election", "election", "all", 8, {"n": 8, "step": 5}, []),
    ("contract-signing", "signing", "all", 3, {"n": 3}, []),
    ("magic-box", "magic", "target", 4, {"n": 4}, ["target"]),
    ("magic-box", "magic", "target", 5, {"n": 5}, ["target"]),
    ("batteries", "battery", "seven", 1, {}, []),
    ("secret-ballot", "voters", "second", 3, {"n": 3}, ["secret"]),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_is_what_it_says(name: str) -> None:
    written = scenarios.text(name)
    assert format_source(written) == written
    sizes: dict[str, Any] = SMALLER.get(name, {})
    model = epistrat.load(scenarios.file(name), **sizes)
    expected = read_expectation(written, model.constants)
    assert expected.verdicts
    if name not in UNBOUNDED:  # they take longer, and their twins are asked below
        assert list(differences(expected, model.report(evidence=False).value)) == []
    assert all(model.formula_names)
    if name not in EXTENDED and not model.interleaved:
        assert load(to_plain_ispl(model), strict=True).ok
    assert scenarios.story(name)[0].endswith((".", "?"))


@pytest.mark.parametrize(("name", "family", "spec", "size", "parameters", "same"), TWINS)
def test_twins(name: str, family: str, spec: str, size: int, parameters: dict[str, Any], same: list[str]) -> None:
    twin = epistrat.load(scenarios.file(name), **parameters)
    original = epistrat.load(text(family, size, spec))
    if name in UNBOUNDED:  # checking them takes long
        shapes = [
            [(len(a.variables), len(a.protocol), [len(line.assignments) for line in a.evolution]) for a in one.agents]
            for one in (twin, original)
        ]
        assert shapes[0] == shapes[1]
        return
    mine = twin.report(only=same or None, evidence=False)
    other = original.report(evidence=False)
    assert [one.verdict for one in mine.results] == [one.verdict for one in other.results]
    assert mine.facts.states == other.facts.states


def test_every_family_has_a_twin() -> None:
    assert {family for _, family, *_ in TWINS} == set(FAMILIES | OBSERVED)


@pytest.mark.parametrize("seed", [2, 3])
def test_chance_is_the_same(seed: int) -> None:
    twin = epistrat.load(scenarios.file("sparse-agents"), n=7, seed=seed).report(evidence=False)
    original = epistrat.load(text("sparse", 7, "all", seed=seed)).report(evidence=False)
    assert [one.verdict for one in twin.results] == [one.verdict for one in original.results]
    assert twin.facts.states == original.facts.states


@pytest.mark.parametrize(
    ("name", "generate", "same"),
    [
        ("cryptographers-in-turn", interleaved.dining_cryptographers, ["privacy", "payer"]),
        ("train-gate-controller", interleaved.train_gate_controller, ["knows", "alone"]),
        ("write-once-caches", interleaved.write_once_caches, ["knows", "alone"]),
    ],
)
def test_interleaved_twins_also_reduced(name: str, generate: Callable[[int], epistrat.System], same: list[str]) -> None:
    twin, original = epistrat.load(scenarios.file(name), n=3), epistrat.System.of(generate(3))
    for engine in ("auto", "explicit"):
        mine = twin.report(only=same, evidence=False, engine=engine)
        other = original.report(evidence=False, engine=engine)
        assert [one.verdict for one in mine.results] == [one.verdict for one in other.results]
        assert mine.facts.states == other.facts.states
        sizes = [[one.statistics.get("states") for one in report.results] for report in (mine, other)]
        assert sizes[0] == sizes[1]


def test_growing_sizes() -> None:
    for name, n in (("muddy-children", 4), ("prisoners", 2), ("tian-ji", 2)):
        model = epistrat.load(scenarios.file(name), n=n)
        expected = read_expectation(scenarios.text(name), model.constants)
        assert list(differences(expected, model.report(evidence=False).value)) == []


def test_the_guide() -> None:
    page = (Path(__file__).parents[2] / "docs" / "families.md").read_text()
    start = page.index("    Parameters\n")
    example = page[start : page.index("    $ epistrat check ring")]
    for n in (2, 4):
        assert all(epistrat.load(example, n=n).check())


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenario"]) == 0
    assert re.search("^dining-cryptographers +Dining cryptographers", capsys.readouterr().out, re.MULTILINE)
    assert main(["scenario", "muddy-children", "n=2", "--check", "--only", "learns"]) == 0
    assert "learns[2]" in capsys.readouterr().out
    assert main(["scenario", "token-ring", "n=2", "--check"]) == 1
    assert "See why: epistrat check" in capsys.readouterr().out
    assert main(["scenario", "muddy-children"]) == 0
    assert "Try: epistrat scenario muddy-children --check" in capsys.readouterr().out
    assert main(["scenario", "muddy-children", "--show"]) == 0
    assert capsys.readouterr().out == scenarios.text("muddy-children")
    assert main(["scenario", "mudy-children"]) == 2
    assert "did you mean muddy-children?" in capsys.readouterr().err
