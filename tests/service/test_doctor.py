"""The doctor: all is well here, and what is not is said with what to do about it."""

from __future__ import annotations

import importlib.metadata
import re

import pytest

from epistrat.answers import Misuse
from epistrat.cli.main import main
from epistrat.service import doctor
from epistrat.service.settings import ENGINES


def test_all_is_well_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "ok  engine symbolic: 5 questions answered rightly" in said
    assert re.search(r"ok  engine lazy: [2-5] questions answered rightly", said)
    assert said.endswith("all is well\n")


def test_what_is_missing_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["numpy>=1", "nothing-of-the-kind>=2", "neither-this>=1; extra == 'cluster'"]
    lines.append("nor-that>=1; (python_version < '3.11') and extra == 'cudd'")
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: lines)
    found = {one.about: one for one in doctor._libraries()}
    assert found["numpy"].health == "well"
    assert found["nothing-of-the-kind"].health == "ill"
    assert found["nothing-of-the-kind"].advice == "pip install 'nothing-of-the-kind>=2'"
    assert found["neither-this"].health == "absent"
    assert found["neither-this"].advice == "pip install 'epistrat[cluster]'"
    assert (found["nor-that"].health, found["nor-that"].words) == ("absent", "only for Python before 3.11")
    assert not found["nor-that"].advice


def test_a_wrong_answer_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "VERDICTS", ["fails", "holds", "holds", "fails", "fails"])
    finding = doctor._engine("reference")
    assert finding.health == "ill"
    assert finding.words == "said holds, holds, holds, fails, fails instead of fails, holds, holds, fails, fails"


def test_a_planted_engine_is_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry is the only list of engines: help, doctor and the studio's form read it."""
    from epistrat.studio import form

    for module in (doctor, form):
        assert module.ENGINES is ENGINES
        monkeypatch.setattr(module, "ENGINES", (*ENGINES, "planted"))
    assert "planted" in form.form()["engine"]["values"]
    with pytest.raises(Misuse, match="there is no engine 'planted'"):
        list(doctor.examine("1"))
