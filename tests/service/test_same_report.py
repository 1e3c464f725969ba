"""The same request gives the same report, value for value (times aside), whoever asks and wherever it is served."""

from __future__ import annotations

import json
import pickle
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from tests.cli.lamp_models import COUNTER, LAMP, Run

import epistrat
from epistrat.answers import Focus, How, Report, Strategies
from epistrat.render.json.report import report_json
from epistrat.service import CheckRequest, File, InputError, Text, ask, ask_worker, asking

EXAMPLES = sorted(str(file) for file in (Path(__file__).parents[2] / "examples").glob("*.ispl"))
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


def timeless(data: Any) -> Any:
    """JSON without the times in it."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key not in ("seconds", "cpu")}
    return [timeless(value) for value in data] if isinstance(data, list) else data


def by_worker(request: CheckRequest) -> Report:
    report = ask_worker(request)[0]
    assert report.ending.how is not How.CRASHED, report.ending.trace
    return report


@pytest.mark.parametrize(("file", "evidence"), list(zip(EXAMPLES, cycle([True, False]))))
def test_every_face_gives_the_same_report(file: str, evidence: bool, run: Run) -> None:
    given: dict[str, Any] = {"deadlock": True, "overflow": True, "evidence": evidence}
    request = asking.request(CheckRequest, File(file), given)
    here, _ = ask(request)
    assert pickle.loads(pickle.dumps(request)) == request
    assert pickle.loads(pickle.dumps(here)) == here
    assert by_worker(pickle.loads(pickle.dumps(request))) == here
    assert epistrat.load(file).report(**given, explain=evidence).value == here
    printed = run("check", file, "--json", "--deadlock", "--overflow", *(["--evidence"] if evidence else [])).json
    assert timeless(printed) == timeless(json.loads(json.dumps(report_json(here))))


@pytest.mark.parametrize("strategies", list(Strategies))
def test_explanations_and_readings_travel_too(strategies: Strategies) -> None:
    request = CheckRequest(model=Text(LAMP), strategies=strategies, evidence=True, focus=Focus(full=True))
    here, _ = ask(request)
    assert by_worker(request) == here
    assert all(result.explanations for result in here.results if result.evidence is not None)


def test_warnings_are_the_same_everywhere(run: Run) -> None:
    """What only the states show is said by the API as well, and what they refute by neither."""
    here, _ = ask(CheckRequest(model=Text(COUNTER)))
    codes = [one.code for one in here.diagnostics]
    assert codes == ["W006", "W008", "W009"]
    assert [one.code for one in epistrat.load(COUNTER).report(evidence=False).diagnostics] == codes
    assert [one["code"] for one in run("check", "counter.ispl", "--json").json["diagnostics"]] == codes


def test_what_is_wrong_with_a_model_is_raised_here_and_told_by_a_worker() -> None:
    request = CheckRequest(model=Text(LAMP.replace("Action = press", "Action = pres")))
    with pytest.raises(InputError) as raised:
        ask(request)
    told = by_worker(request)
    assert told.ending.how is How.REJECTED
    assert told.diagnostics == raised.value.diagnostics


def test_remarks_do_not_depend_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine a thousand times slower gives the same notes."""
    import time

    request = CheckRequest(model=Text(LAMP), formulae=("AF lit", "AG ((lit and !lit) -> lit)"))
    here, _ = ask(request)
    assert here.results[0].why
    assert here.results[1].notes
    true = time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: true() * 1000)
    assert ask(request)[0] == here
