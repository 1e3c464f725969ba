"""Every option of a request changes the answer about some model, so one that gets lost on the way is seen.

Each row gives a model, a formula and a verdict without and with the option, worked out by hand; it is asked here, in a worker,
through the Python interface and of every engine that accepts the question.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from tests.asynchronous import worked_examples
from tests.uniform.test_strategy_memory import PRESSES

from epistrat.answers import Focus, How, Strategies
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.model.transform.choices import Choosing, PlayRules
from epistrat.records import replace
from epistrat.service import CheckRequest, Given, Text, ask, ask_worker
from epistrat.service.settings import ENGINES

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

COLOUR = """
-- A sees the colour at the start only, and has to name it one step later; B never sees it.
Agent Environment
  Vars: red: boolean; end Vars
  Actions = {say_red, say_blue};
  Protocol: red = true: {say_red}; red = false: {say_blue}; end Protocol
  Evolution: red = red if Action = say_red; end Evolution
end Agent
Agent A
  Vars: sees: {nothing, red, blue}; step: 0..2; won: boolean; end Vars
  Actions = {r, b};
  Protocol: Other: {r, b}; end Protocol
  Evolution:
    sees = nothing and step = 1 if step = 0;
    step = 2 and won = true if step = 1 and Action = r and Environment.Action = say_red;
    step = 2 and won = true if step = 1 and Action = b and Environment.Action = say_blue;
    step = 2 if step = 1 and Action = r and Environment.Action = say_blue;
    step = 2 if step = 1 and Action = b and Environment.Action = say_red;
  end Evolution
end Agent
Agent B
  Vars: idle: boolean; end Vars
  Actions = {w};
  Protocol: Other: {w}; end Protocol
  Evolution: idle = idle if Action = w; end Evolution
end Agent
Evaluation won if A.won = true; red if Environment.red = true; later if A.step = 1; start if A.step = 0; end Evaluation
InitStates
  A.step = 0 and A.won = false and B.idle = false
  and ((Environment.red = true and A.sees = red) or (Environment.red = false and A.sees = blue));
end InitStates
Groups g = {A}; ab = {A, B}; b = {B}; end Groups
Formulae AG true; EF won; AG !won; end Formulae
"""
SEVERAL = """
Parameters n = 2; end Parameters
Agent Box
  Vars: x: 0..4; end Vars
  Actions = {up, stay};
  Protocol: x < n: {up, stay}; end Protocol
  Evolution: x = x + 1 if Action = up; end Evolution
end Agent
Evaluation end_ if Box.x = n; three if Box.x = 3; end Evaluation
InitStates Box.x = 0; end InitStates
Formulae EF three; AG !three; EF end_; end Formulae
"""
OVERFLOW = SEVERAL.replace("0..4", "0..3").replace("x < n:", "x <= 3:").replace("n = 2", "n = 3")


class Row(NamedTuple):
    """An option: what is asked otherwise too, what it adds, and the verdicts without and with it."""

    model: str | System
    formula: str
    usual: dict[str, Any]
    added: dict[str, Any]
    verdicts: tuple[str, str]


RULES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "any": ({"strategies": Strategies.OBJECTIVE}, {"strategies": Strategies.ANY}),
    "subjective": ({}, {"strategies": Strategies.SUBJECTIVE}),
    "uniform": ({}, {"strategies": Strategies.UNIFORM}),
    "adversary": ({}, {"play": PlayRules(blocking=Blocking.ADVERSARY)}),
    "ignore": ({}, {"play": PlayRules(blocking=Blocking.IGNORE)}),
    "single": ({}, {"play": PlayRules(choosing=Choosing.SINGLE)}),
    "fair": ({}, {"play": PlayRules(scheduling=Scheduling.FAIR)}),
}
"""The columns of the worked examples of interleaved systems, after the usual reading."""


def _told_apart() -> list[tuple[str, worked_examples.Row]]:
    """Two worked examples for each rule, whose verdict it changes."""
    found: list[tuple[str, worked_examples.Row]] = []
    for place, word in enumerate(RULES, start=1):
        rows = [row for row in worked_examples.TABLE if row.verdicts[place] != row.verdicts[0]]
        found += [(word, row) for row in rows[:2]]
    return found


def _worked(row: worked_examples.Row, word: str) -> Row:
    place = list(RULES).index(word) + 1
    verdicts = tuple("holds" if row.verdicts[at] == "T" else "fails" for at in (0, place))
    return Row(worked_examples.MODELS[row.model], row.formula, *RULES[word], (verdicts[0], verdicts[1]))


UNIFORM = {"strategies": Strategies.UNIFORM}
KNOWS = "AG (later -> {0}, red) or {0}, !red))"
SURE = "AX AX (K(A, red) or K(A, !red))"
ROWS: dict[str, Row] = {
    "recall of a coalition": Row(COLOUR, "<g>F won", UNIFORM, {"recall": 1}, ("fails", "holds")),
    "recall of a larger coalition": Row(COLOUR, "<ab>F won", UNIFORM, {"recall": 1}, ("fails", "holds")),
    "recall of who knows": Row(COLOUR, KNOWS.format("K(A"), {}, {"recall": 1}, ("fails", "holds")),
    "recall of a group that pools": Row(COLOUR, KNOWS.format("DK(ab"), {}, {"recall": 1}, ("fails", "holds")),
    "recall of everybody in a group": Row(COLOUR, KNOWS.format("GK(g"), {}, {"recall": 1}, ("fails", "holds")),
    "recall of common knowledge": Row(COLOUR, KNOWS.format("GCK(g"), {}, {"recall": 1}, ("fails", "holds")),
    "longer recall": Row(COLOUR, SURE, {"recall": 1}, {"recall": 2}, ("fails", "holds")),
    "memory of strategies": Row(
        PRESSES, "<alice>F open", {"strategies": Strategies.OBJECTIVE}, {"strategy_memory": 2}, ("fails", "holds")
    ),
    "uniform": Row(COLOUR, "<g>F won", {}, UNIFORM, ("holds", "fails")),
    "who is uniform": Row(COLOUR, "<g>F won", UNIFORM, {"group": ("B",)}, ("fails", "holds")),
    "who is uniform, by the group's name": Row(COLOUR, "<g>F won", UNIFORM, {"group": "b"}, ("fails", "holds")),
    "the formula": Row(SEVERAL, "EF end_", {}, {"formulae": ("EF three",)}, ("holds", "fails")),
    "parameters": Row(SEVERAL, "EF three", {}, {"parameters": {"n": 3}}, ("fails", "holds")),
    **{f"{one.model}, {one.formula}: {word}": _worked(one, word) for word, one in _told_apart()},
}


def _request(row: Row, added: bool, engine: str) -> CheckRequest:
    settings: dict[str, Any] = {"formulae": (row.formula,), **row.usual, **(row.added if added else {})}
    parameters = settings.pop("parameters", {})
    model = Given(row.model) if isinstance(row.model, System) else Text(row.model, parameters=parameters)
    return CheckRequest(model=model, engine=engine, remarks=False, **settings)


@pytest.mark.parametrize("engine", ["auto", *ENGINES])
@pytest.mark.parametrize("name", ROWS)
def test_the_verdict_depends_on_it(name: str, engine: str) -> None:
    row = ROWS[name]
    found = tuple(ask(_request(row, added, engine))[0].results[0].verdict.value for added in (False, True))
    assert all(one in (right, "unknown") for one, right in zip(found, row.verdicts, strict=True))
    if engine in ("auto", "reference"):
        assert found == row.verdicts


@pytest.mark.parametrize("name", ROWS)
def test_a_worker_says_the_same(name: str) -> None:
    for added in (False, True):
        request = _request(ROWS[name], added, "auto")
        report = ask_worker(request)[0]
        assert report.ending.how is How.DONE
        assert report.results[0].verdict.value == ROWS[name].verdicts[added]


def test_properties_of_states_are_asked_for() -> None:
    """`deadlock` and `overflow` add a result each; `only` picks; `facts`, `evidence`, `examples` and `replay` show in results."""
    without, _ = ask(CheckRequest(model=Text(SEVERAL)))
    assert [result.verdict.value for result in without.results] == ["fails", "holds", "holds"]
    dead, _ = ask(CheckRequest(model=Text(SEVERAL), deadlock=True))
    assert [result.verdict.value for result in dead.results[3:]] == ["fails"]
    over, _ = ask(CheckRequest(model=Text(OVERFLOW), overflow=True, only=(1,)))
    assert [result.verdict.value for result in over.results] == ["holds", "fails"]
    assert [result.path is not None for result in over.results[1:]] == [False]
    shown, _ = ask(CheckRequest(model=Text(OVERFLOW), overflow=True, deadlock=True, only=(1, 3), evidence=True))
    assert [result.path is not None for result in shown.results[2:]] == [False, True]
    assert [result.question.index for result in shown.results] == [1, 3, 4, 5]


def test_evidence_is_as_asked_for() -> None:
    asked = CheckRequest(model=Text(COLOUR), formulae=("EF won",), evidence=True)
    for examples in (1, 2):
        report, _ = ask(replace(asked, examples=examples))
        assert len(report.results[0].trees) == examples
        assert report.results[0].replay is not None
    assert ask(replace(asked, replay=False))[0].results[0].replay is None
    assert not ask(replace(asked, evidence=False))[0].results[0].trees
    focused = ask(replace(asked, focus=Focus(full=True)))[0].results[0]
    assert focused.explanations and not ask(asked)[0].results[0].explanations


def test_how_strategies_are_read_is_said_where_it_matters() -> None:
    """In interleaved models, with the rules that are not the usual ones; a synchronous one has no such rules."""
    for name, row in ROWS.items():
        result = ask(_request(row, True, "auto"))[0].results[0]
        interleaved = isinstance(row.model, System)
        assert bool(result.play) == interleaved, name
        if "adversary" in name or "ignore" in name:
            assert f"blocking: {name.rpartition(': ')[2]}" in (result.play or "")
        if name.endswith(": fair"):
            assert "fair scheduling" in (result.play or "")
