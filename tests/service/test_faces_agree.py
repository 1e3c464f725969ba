"""The same random question through every face: command, ``check -j``, Python, sweep, studio, language server.

What they say is equal value for value, times aside.  `EPISTRAT_FACES` asks more questions than the usual few.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from tests.cli.lamp_models import Run
from tests.fuzz.unbounded import text as unbounded_text
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

import epistrat
from epistrat import scenarios
from epistrat.answers import Report
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.render.json.cursor import Datum
from epistrat.render.json.report import report_json
from epistrat.service import CheckRequest, File, Text, ask, ask_child, asking
from epistrat.service.events import Answered

QUESTIONS = int(os.environ.get("EPISTRAT_FACES", "6"))
ROOT = Path(__file__).parents[2]
HIDDEN = (Path(__file__).parent / "hidden_coin.ispl").read_text(encoding="utf-8")
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


UNTOLD = {"seconds", "cpu"}


def timeless(data: Any) -> Any:
    """JSON without the times in it."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key not in UNTOLD}
    return [timeless(value) for value in data] if isinstance(data, list) else data


def plain(report: Report) -> Any:
    """A report as the command prints it."""
    assert report.system is not None
    return timeless(json.loads(json.dumps(report_json(report))))


def question(rng: random.Random) -> tuple[str, dict[str, int], dict[str, Any]]:
    """A model as text, values of its parameters, and settings."""
    text, parameters = _model(rng)
    given: dict[str, Any] = {"evidence": rng.random() < 0.5, "deadlock": rng.random() < 0.3}
    if rng.random() < 0.5:
        given["strategies"] = rng.choice(["any", "uniform", "objective", "subjective"])
    if rng.random() < 0.3:
        given["engine"] = rng.choice(["symbolic", "explicit", "reference"])
    if rng.random() < 0.2:
        given["states"] = rng.choice([1, 4])
    if rng.random() < 0.2:
        given["recall"] = 1
    if given.get("strategies") in ("objective", "subjective") and rng.random() < 0.3:
        given["strategy_memory"] = 2
    if rng.random() < 0.3:
        given["only"] = [1]
    return text, parameters, given


def _model(rng: random.Random) -> tuple[str, dict[str, int]]:
    kind = rng.choice(["random", "random", "unbounded", "family", "hidden"])
    if kind == "unbounded":
        text = unbounded_text(rng)
        before, _, after = text.partition("Formulae")
        formulae, _, end = after.partition("end Formulae")
        return f"{before}Formulae{';'.join(formulae.split(';')[:3])};\nend Formulae{end}", {}
    if kind == "family":
        name = rng.choice(["muddy-children", "dining-cryptographers"])
        return scenarios.text(name), {"n": rng.choice([3, 4])}
    if kind == "hidden":
        return HIDDEN, {}
    system = random_system(rng)
    fragments = ["CTLK", "ATLK", "LTLK", "CTL"]
    asked = [show(random_formula(rng, system, rng.choice(fragments), 2)) for _ in range(3)]
    before, _, _ = to_ispl(system).partition("Formulae\n")
    return f"{before}Formulae\n" + "".join(f"  {one};\n" for one in asked) + "end Formulae\n", {}


def flags(given: dict[str, Any]) -> list[str]:
    """The same settings on a command line."""
    found = []
    rows = asking.rows(CheckRequest)
    for name, value in given.items():
        flag = rows[name].flags[-1]
        if value is True:
            found.append(flag)
        elif value is not False:
            found.append(f"{flag}={','.join(map(str, value)) if isinstance(value, list) else value}")
    return found


@pytest.mark.parametrize("seed", range(QUESTIONS))
def test_the_faces_agree(seed: int, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPISTRAT_IN_PROCESS", "1")
    text, parameters, given = question(random.Random(seed))
    file, other = tmp_path / "model.ispl", tmp_path / "other.ispl"
    file.write_text(text, encoding="utf-8")
    other.write_text(text, encoding="utf-8")
    sizes_of: dict[str, Any] = dict(parameters)
    sizes = [f"--set={name}={value}" for name, value in parameters.items()]
    request = asking.request(CheckRequest, File(str(file), parameters), given)
    said, _ = ask(request)
    here = plain(said)
    assert said.system is not None

    assert timeless(run("check", str(file), "--json", *flags(given), *sizes).json) == here
    two = [
        json.loads(line)
        for line in run("check", str(file), str(other), "-j2", "--json", *flags(given), *sizes).out.splitlines()
    ]
    assert [timeless(one) for one in two] == [
        here,
        plain(ask(asking.request(CheckRequest, File(str(other), parameters), given))[0]),
    ]

    model = epistrat.load(file, **sizes_of)
    assert plain(model.report(**given, explain=given["evidence"]).value) == here

    child, _, usage = ask_child(request)
    assert plain(child) == here and usage.cpu > 0
    sweep = epistrat.sweep(file, store=tmp_path / "store", options=flags(given), jobs=1, **sizes_of)
    assert [(row["verdict"], row["reason"]) for row in sweep] == [
        (one.verdict.value, one.reason) for one in said.results
    ]

    told = _studio(text, file.name, parameters, given)
    assert timeless(told) == timeless(_studio_of(text, file.name, parameters, given))
    if said.system.finite:
        assert _editor(text, given) == _editor_of(text, given)


def _studio(text: str, name: str, parameters: dict[str, int], given: dict[str, Any]) -> Any:
    """What the page is told."""
    from epistrat.studio.asking import check

    told: list[Any] = []
    call = {"text": text, "name": name, "parameters": parameters, **given}
    check(Datum(call), told.append)
    left: list[Any] = []
    for event in told:  # as the page does
        if event["event"] == "warned":
            left = [*left, event["diagnostic"]]
        elif event["event"] == "withdrawn":
            left = event["left"]
    return timeless([[event["result"] for event in told if event["event"] == "answered"], left])


def _studio_of(text: str, name: str, parameters: dict[str, int], given: dict[str, Any]) -> Any:
    """What it is to be told."""
    from epistrat.studio.data import message_data, result_data

    request = asking.request(CheckRequest, Text(text, name, parameters), given)
    report, _ = ask(request)
    results = [result_data(report.system, one) for one in report.results]
    return timeless([results, [message_data(one) for one in report.diagnostics]])


def _editor(text: str, given: dict[str, Any]) -> Any:
    from epistrat.lsp.checks import events_of

    async def heard() -> list[Any]:
        settings: dict[str, Any] = {name: given[name] for name in ("evidence", "only") if name in given}
        request = asking.request(CheckRequest, Text(text, "model.ispl"), settings, face="editor")
        return [event.result async for event in events_of(request) if isinstance(event, Answered)]

    return asyncio.run(heard())


def _editor_of(text: str, given: dict[str, Any]) -> Any:
    settings: dict[str, Any] = {name: given[name] for name in ("evidence", "only") if name in given}
    return list(ask(asking.request(CheckRequest, Text(text, "model.ispl"), {**settings, "facts": False}))[0].results)


def test_the_command_and_the_studio_read_strategies_alike() -> None:
    """Who moves in turn, and cannot see the coin, has no strategy; in the studio as well."""
    answers, _ = _studio(HIDDEN, "hidden.ispl", {}, {})
    assert [one["verdict"] for one in answers] == ["fails"]


def test_every_setting_has_a_keyword_and_every_keyword_is_a_setting() -> None:
    from epistrat.api.options import CheckOptions

    keywords = CheckOptions.__annotations__.keys() - {"budget", "watch"}
    assert keywords | {"formulae", "facts"} == set(asking.known(CheckRequest))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"time": "soon"}, "{}: `soon` is no number of seconds"),
        ({"recall": -1}, "{}: -1 is negative"),
        ({"recall": True}, "{}: `True` is no whole number"),
        ({"strategies": "clever"}, "{}: there is no 'clever'; there are any, uniform, objective, subjective"),
        ({"only": [1, None]}, "{}: None is neither a number nor a name"),
        ({"memory": "much"}, "{}: 'much' is no size; write 500MB or 2GB"),
        ({"formulae": 5}, "{}: `5` is no list"),
        ({"formulae": ["AF p", 5]}, "{}: `['AF p', 5]` is no list of formulae"),
        ({"evidence": "yes"}, "{}: `yes` is neither on nor off"),
    ],
)
def test_values_that_a_setting_cannot_have(given: dict[str, Any], words: str) -> None:
    with pytest.raises(epistrat.answers.Misuse) as wrong:
        asking.request(CheckRequest, Text("m"), given)
    assert wrong.value.text == words


def test_one_formula_is_no_list_of_letters() -> None:
    assert asking.request(CheckRequest, Text("m"), {"formulae": "AF p"}).formulae == ("AF p",)
