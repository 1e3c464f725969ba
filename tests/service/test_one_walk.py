"""Whoever looks at all states of a small model in one request shares one walk through them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from epistrat.lang.load import load
from epistrat.model.step import Stepper
from epistrat.model.visited import Visited
from epistrat.service import CheckRequest, File, ask, asking

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["muddy_children", "prisoners", "dining_cryptographers"])
def test_a_check_with_evidence_walks_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    walked = 0
    steps = Stepper.steps

    def counted(self: Stepper, state: Any) -> Any:
        nonlocal walked
        walked += 1
        return steps(self, state)

    monkeypatch.setattr(Stepper, "steps", counted)
    report, _ = ask(asking.request(CheckRequest, File(str(EXAMPLES / f"{name}.ispl")), {"evidence": True}))
    assert walked == report.facts.states
    assert all(one.replay is not None and not one.replay.problems for one in report.results)


def test_a_walk_is_for_those_who_allow_it() -> None:
    system = load((EXAMPLES / "muddy_children.ispl").read_text(encoding="utf-8"), "muddy").system
    assert system is not None
    visited = Visited(system)
    assert visited.within(27) is None
    assert visited.within(1000, steps=3) is None
    graph = visited.within(28)
    assert graph is not None and len(graph.states) == 28
    assert visited.within(1000) is graph
    assert visited.within(27) is None
    assert visited.within(1000, steps=3) is None
