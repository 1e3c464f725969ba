"""The examples of named and remembering strategies: each separates two readings, or breaks a tempting short cut."""

from __future__ import annotations

from pathlib import Path

import pytest

import epistrat

MODELS = Path(__file__).parent / "models"
ENGINES = ("reference",)
SOME = ("symbolic", "explicit")
"""Engines that answer some of it, and refuse the rest."""

USUAL = {
    "s01_memory": "TFFFTT",
    "s02_all_plays": "FTTF",
    "s03_blind_opponent": "TFF",
    "s04_shared": "FTTFTT",
    "s05_nothing_in_common": "FTFT",
    "s06_pennies": "FTFFFTTFFF",
    "s07_foresight": "TTFFF",
    "s08_knowledge": "FTTFFT",
    "s09_de_re": "TTFT",
    "s10_chance": "FFFTTF",
    "s11_commitment": "TFTTF",
    "s12_branching_inside": "TFTT",
    "s13_nash_memory": "TTFFTFTT",
    "s14_punishment": "TFTTF",
    "s15_who_deviated": "TF",
    "s16_referee": "TTF",
    "s17_interleaved": "FTTF",
    "s18_order_of_until": "TTFF",
}
OTHERWISE: list[tuple[str, dict[str, str], str]] = [
    ("s01_memory", {"strategies": "any", "recall": "none"}, "FFFFTT"),
    ("s01_memory", {"strategies": "objective"}, "FFFFTT"),
    ("s01_memory", {"strategies": "subjective"}, "FFFFTT"),
    ("s01_memory", {"strategies": "any"}, "TFTFTT"),
    ("s02_all_plays", {"strategies": "any", "recall": "none"}, "FTTF"),
    ("s02_all_plays", {"strategies": "objective"}, "FTTF"),
    ("s02_all_plays", {"strategies": "subjective"}, "FTTF"),
    ("s03_blind_opponent", {"strategies": "objective"}, "TFF"),
    ("s03_blind_opponent", {"strategies": "subjective"}, "TFF"),
    ("s07_foresight", {"strategies": "objective"}, "TTFFF"),
    ("s07_foresight", {"recall": "none"}, "TTFFF"),
    ("s08_knowledge", {"strategies": "uniform"}, "FTTTFT"),
    ("s09_de_re", {"strategies": "objective"}, "TTFT"),
    ("s09_de_re", {"strategies": "subjective"}, "TTFF"),
    ("s13_nash_memory", {"recall": "none"}, "TTFFTFTF"),
    ("s15_who_deviated", {"watching": "states"}, "FF"),
]
TAGGED: list[tuple[str, int, str, str]] = [  # the formula with another tag in front
    *[("s04_shared", number, "#Ir", verdict) for number, verdict in ((1, "F"), (2, "T"), (3, "T"), (4, "T"), (5, "T"))],
    *[("s10_chance", number, tag, verdict) for tag in ("#Ir", "#PR") for number, verdict in enumerate("FFFTTF", 1)],
    *[("s13_nash_memory", 1, tag, "T") for tag in ("#Ir", "#PR")],
    *[("s14_punishment", number, "#Ir", verdict) for number, verdict in enumerate("TFTTF", 1)],
    ("s06_pennies", 3, "#PR", "F"),
    ("s06_pennies", 3, "#ir", "F"),
    ("s01_memory", 1, "#Ir", "F"),
    ("s01_memory", 1, "#ir", "F"),
]


def said(system: epistrat.System, formulae: list[str] | None, **options: str) -> str:
    results = system.check(formulae, **options)  # type: ignore[arg-type]
    return "".join({"holds": "T", "fails": "F", "unknown": "?"}[one.verdict.value] for one in results)


@pytest.mark.parametrize("engine", [*ENGINES, "auto"])
@pytest.mark.parametrize("name", USUAL)
def test_in_the_usual_reading(name: str, engine: str) -> None:
    assert said(epistrat.load(MODELS / f"{name}.ispl"), None, engine=engine) == USUAL[name]


@pytest.mark.parametrize("engine", [*ENGINES, "auto"])
@pytest.mark.parametrize(("name", "options", "verdicts"), OTHERWISE)
def test_in_other_readings(name: str, options: dict[str, str], verdicts: str, engine: str) -> None:
    assert said(epistrat.load(MODELS / f"{name}.ispl"), None, engine=engine, **options) == verdicts


ANSWERED = {"symbolic": 45, "explicit": 80}
"""How many of these verdicts each gives at least."""


@pytest.mark.parametrize("engine", SOME)
def test_other_engines_say_the_same_or_refuse(engine: str) -> None:
    given = 0
    for name, options, verdicts in [*((name, {}, verdicts) for name, verdicts in USUAL.items()), *OTHERWISE]:
        found = said(epistrat.load(MODELS / f"{name}.ispl"), None, engine=engine, **options)
        assert all(one in ("?", other) for one, other in zip(found, verdicts, strict=True)), (name, options, found)
        given += sum(one != "?" for one in found)
    assert given >= ANSWERED[engine]


@pytest.mark.parametrize("engine", [*ENGINES, "auto"])
@pytest.mark.parametrize(("name", "number", "tag", "verdict"), TAGGED)
def test_with_other_tags(name: str, number: int, tag: str, verdict: str, engine: str) -> None:
    system = epistrat.load(MODELS / f"{name}.ispl")
    (result,) = system.check(only=number)
    text = result.text.split(" ", 1)[1] if result.text.startswith("#") else result.text
    assert said(system, [f"{tag} {text}"], engine=engine) == verdict


def test_refused_with_words() -> None:
    chance = epistrat.load(MODELS / "s10_chance.ispl")
    refusals = {
        chance.check("Nash")[0].reason: "Goals",
        epistrat.load(MODELS / "s17_interleaved.ispl").check("Nash")[0].reason: "interleaved",
        epistrat.load(MODELS / "s09_de_re.ispl")
        .check("#PR <<x>> [[e]] (Ann, x) (Environment, e) K(Ann, X open)")[0]
        .reason: "E066",
        epistrat.load(MODELS / "s01_memory.ispl").check(only=3, recall="full")[0].reason: "E066",
    }
    for reason, word in refusals.items():
        assert reason is not None and word in reason, reason


def test_equilibria_need_one_outcome() -> None:
    text = (MODELS / "s10_chance.ispl").read_text(encoding="utf-8")
    system = epistrat.load(text.replace("Formulae", "Goals Ann : F b; end Goals\nFormulae", 1))
    reason = system.check("Nash")[0].reason
    assert reason is not None and "several outcomes" in reason and "E067" in reason
