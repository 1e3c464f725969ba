"""The page's types are those of the server."""

from __future__ import annotations

from pathlib import Path
from typing import get_type_hints

from epistrat.service import CheckRequest, ExportRequest, StrategyRequest, asking
from epistrat.studio import CALLS, EDITED, SIMULATED, shapes
from epistrat.studio.form import form
from epistrat.studio.typescript import typescript

_PAGE = Path(__file__).parents[2] / "studio" / "src" / "types.ts"


def test_the_page_has_the_types_of_the_server() -> None:
    assert _PAGE.read_text(encoding="utf-8") == typescript(), (
        "run python -m epistrat.studio.typescript > studio/src/types.ts"
    )


def test_every_call_has_a_shape() -> None:
    at_once = {*EDITED, *SIMULATED}
    assert get_type_hints(shapes.Questions).keys() == get_type_hints(shapes.Answers).keys() == at_once
    assert get_type_hints(shapes.Errands).keys() == set(CALLS["asking"])


def test_what_the_page_may_set_are_settings() -> None:
    kinds = {"check": CheckRequest, "strategy": StrategyRequest, "graph": ExportRequest}
    for name, shape in get_type_hints(shapes.Errands).items():
        own = get_type_hints(shape).keys() - get_type_hints(shapes.Call).keys()
        fields = {"formula"} if name == "strategy" else set()
        assert own - fields <= set(asking.known(kinds[name])), name


def test_the_form_has_its_shape() -> None:
    assert form().keys() == get_type_hints(shapes.Settings).keys()
