"""Results, strategies and graphs in Python: readable, typed, and importable from the package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import epistrat
from epistrat.render.page_style import scoped

ROOT = Path(__file__).parents[2]
PRISONERS = ROOT / "examples" / "prisoners.ispl"
LAMP = """
Agent Lamp Vars: on : boolean; end Vars Actions = {press, wait}; Protocol: Other : {press, wait}; end Protocol
  Evolution: on = true if on = false and Action = press; on = false if on = true and Action = press; end Evolution end Agent
Evaluation lit if Lamp.on = true; end Evaluation
InitStates Lamp.on = false; end InitStates
Groups g = {Lamp}; end Groups
Formulae AG EF lit; AF lit; end Formulae
"""


def test_answers_print_as_the_command_prints_them() -> None:
    results = epistrat.load(LAMP).check()
    assert isinstance(results, list)
    assert [line.split()[:3] for line in str(results).splitlines()[:2]] == [["1", "holds", "AG"], ["2", "FAILS", "AF"]]
    assert str(results[1]).strip().startswith("2  FAILS  AF lit")


def test_a_notebook_keeps_its_own_look() -> None:
    html = epistrat.load(LAMP).check()._repr_html_()
    assert html.count("<section") == 2
    selectors = [one.strip() for one in re.findall(r"([^{}]+)\{", scoped())]
    assert all(one.startswith(("@media", ".epistrat")) for part in selectors for one in part.split(",")), selectors


def test_strategies() -> None:
    found = epistrat.load(PRISONERS).strategy("<prisoners>F free", verify=True)
    assert found
    assert "switch_off" in str(found) and "Checked:" in str(found)
    assert epistrat.load(found.to_ispl()).check(evidence=False)[0]
    assert found.to_json()["exists"] is True
    none = epistrat.load(PRISONERS).strategy("<counter_alone>F free")
    assert not none and str(none).startswith("No.")


def test_graphs() -> None:
    pytest.importorskip("networkx")
    graph = epistrat.load(LAMP).graph()
    assert (len(graph), graph.number_of_edges()) == (2, 4)
    assert graph.nodes[0] == {"initial": True, "Lamp.on": False}
    with pytest.raises(epistrat.OutOfBudget):
        epistrat.load(LAMP).graph(most=1)


def test_errors_say_what_was_passed_and_what_is_expected() -> None:
    with pytest.raises(TypeError, match=r"a formula is a text, such as 'AG p'.*this is 3"):
        epistrat.load(LAMP).check(3)  # type: ignore[arg-type]


def test_names_in_the_documentation_can_be_imported() -> None:
    page = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")
    for name in set(re.findall(r"\bepistrat\.([A-Za-z_]+)\b(?!\.)", page)) - {"ispl", "service", "answers"}:
        assert hasattr(epistrat, name), name


def test_what_an_agent_knows_to_be_false() -> None:
    known = epistrat.load(LAMP).simulate().knowledge("Lamp")
    assert known.knows_false == ("lit",)
    assert known.knows_true == ()
