"""The conformance models are accepted and refused as they should be, and strict mode refuses what MCMAS refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from epistrat.lang import load

SHARED = Path(__file__).parents[3] / "shared" / "conformance"
PROBES = SHARED / "probes"

pytestmark = pytest.mark.skipif(not PROBES.is_dir(), reason="the conformance models are not here")

# Refused by MCMAS for no good reason, so accepted here, except in strict mode.
EXTENSIONS = {
    "lex_bang_equals_rejected",
    "lex_reserved_word_rejected",
    "lex_single_letter_values_rejected",
    "lex_slash_comment_rejected",
    "sec_agent_without_evolution_rejected",
    "sec_empty_evaluation_rejected",
    "sec_environment_after_agents_rejected",
    "sec_formula_atom_must_be_proposition_rejected",
    "sec_formula_no_constants_rejected",
    "sec_groups_before_init_rejected",
    "sec_init_inequality_rejected",
    "sec_obsvars_before_vars_rejected",
    "typ_bare_boolean_rejected",
    "evo_environment_self_prefix_rejected",
    "evo_own_prefix_rejected",
    "k_atl_agent_name_rejected",
}


def probes() -> list[Any]:
    if not PROBES.is_dir():
        return []
    found = json.loads((PROBES / "expected.json").read_text())["probes"]
    return [pytest.param(name, probe, id=name) for name, probe in found.items()]


def mcmas_accepts(probe: dict[str, Any]) -> bool:
    return probe["runs"][0]["outcome"] not in ("syntax_error", "check_error")


def right(name: str, probe: dict[str, Any]) -> bool:
    if "right_outcome" in probe:
        return bool(probe["right_outcome"] == "accept")
    return name in EXTENSIONS or mcmas_accepts(probe)


@pytest.mark.parametrize(("name", "probe"), probes())
def test_accepts_what_is_right(name: str, probe: dict[str, Any]) -> None:
    text = (PROBES / probe["file"]).read_text()
    loaded = load(text, probe["file"], equal_enumerations=probe["runs"][0]["options"] == "-n")
    assert loaded.ok == right(name, probe), [str(error) for error in loaded.report.errors]
    if not loaded.ok:
        assert all(error.position is not None for error in loaded.report.errors)


@pytest.mark.parametrize(("name", "probe"), probes())
def test_strict_accepts_what_mcmas_accepts(name: str, probe: dict[str, Any]) -> None:
    text = (PROBES / probe["file"]).read_text()
    loaded = load(text, probe["file"], strict=True, equal_enumerations=probe["runs"][0]["options"] == "-n")
    expected = mcmas_accepts(probe) and probe.get("right_outcome") != "reject"
    assert loaded.ok == expected, [str(error) for error in loaded.report.errors]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("path", sorted((SHARED / "mcmas").glob("*.ispl")), ids=lambda path: path.stem)
def test_models_of_mcmas(path: Path, strict: bool) -> None:
    """All but the one in a language that MCMAS itself refuses."""
    assert load(path.read_text(), path.name, strict=strict).ok == ("_ldl" not in path.stem)
