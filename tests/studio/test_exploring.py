"""Graphs that are explored step by step: unbounded models, many states, and what one agent sees of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.histories.test_runs_with_announcements import COIN
from tests.studio.conftest import EXAMPLES, Client

import epistrat.scenarios
from epistrat.encoding.smt.initial import some_initial_states
from epistrat.lang.load import load
from epistrat.model.explore import explore
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.service.excerpt import Excerpt, as_seen, excerpt
from epistrat.solvers.budget import Budget
from epistrat.studio.exploring import MOST_BOXES

CRYPTOGRAPHERS = (EXAMPLES / "dining_cryptographers.ispl").read_text()
SCENARIOS = Path(epistrat.scenarios.__file__).parent
BAKERY = (EXAMPLES / "unbounded" / "bakery.ispl").read_text()


def cryptographers() -> System:
    system = load(CRYPTOGRAPHERS, "m").system
    assert system is not None
    return system


def excerpt_of_all(system: System) -> Excerpt:
    start, complete = some_initial_states(system, 100, Budget())
    assert complete
    return excerpt(system, start, 1_000)


def test_an_excerpt_is_a_part_of_the_graph() -> None:
    system = cryptographers()
    whole = explore(Stepper(system), excerpt_of_all(system).states[:32])
    for look_into in (0, 1, 5, 40, 64, 1_000):
        part = excerpt(system, whole.states[:3], look_into)
        for (source, target), joints in part.steps.items():
            steps = whole.steps[whole.number[part.states[source]]]
            assert {(joint, whole.number[part.states[target]]) for joint in joints} <= set(steps)
        looked = [index for index in range(len(part.states)) if index not in part.open]
        for index in looked:
            known = sum(len(joints) for (source, _), joints in part.steps.items() if source == index)
            assert known == len(whole.steps[whole.number[part.states[index]]])
        assert len(looked) <= look_into


def test_as_seen_is_the_quotient() -> None:
    system = cryptographers()
    whole = excerpt_of_all(system)
    assert len(whole.states) == 64 and not whole.open
    view = system.views["C1"]
    seen = as_seen(system, "C1", whole)
    classes = {tuple(state[index] for index in view) for state in whole.states}
    assert len(seen.states) == len(classes) and sum(seen.stands_for) == 64
    home = {tuple(state[index] for index in view): number for number, state in enumerate(seen.states)}

    def of(number: int) -> int:
        return home[tuple(whole.states[number][index] for index in view)]

    assert set(seen.steps) == {(of(source), of(target)) for source, target in whole.steps}


def test_an_unbounded_model_has_a_picture(studio: Client) -> None:
    first = studio.ask("explore", BAKERY)
    assert first["picture"]["nodes"] and first["open"] and first["picture"]["edges"]
    states = {node["id"]: node["state"] for node in first["picture"]["nodes"]}
    into = states[first["open"][0]]
    further = studio.ask("explore", BAKERY, states=[into])
    assert further["picture"]["nodes"][0]["state"] == into and further["picture"]["edges"]
    known = {json.dumps(state) for state in states.values()}
    assert any(json.dumps(node["state"]) not in known for node in further["picture"]["nodes"])


def test_many_states_are_few_boxes_for_one_agent(studio: Client) -> None:
    text = (SCENARIOS / "dining-cryptographers.ispl").read_text()
    found = studio.ask("explore", text, parameters={"n": 7}, agent="Crypto[1]")
    nodes = found["picture"]["nodes"]
    assert len(nodes) <= MOST_BOXES
    assert sum(node.get("many", 1) for node in nodes) > MOST_BOXES
    sees = next(one["sees"] for one in found["system"]["agents"] if one["name"] == "Crypto[1]")
    assert len({json.dumps([node["state"][key] for key in sees]) for node in nodes}) == len(nodes)


def test_initial_states_come_by_and_by(studio: Client) -> None:
    first = studio.ask("explore", CRYPTOGRAPHERS)
    assert first["more_initial"]
    begun = sum("initial" in node["marks"] for node in first["picture"]["nodes"])
    second = studio.ask("explore", CRYPTOGRAPHERS, begin=begun)
    states = [[json.dumps(node["state"]) for node in one["picture"]["nodes"]] for one in (first, second)]
    assert not set(states[0]) & set(states[1])
    counter = (
        "Agent A Vars: x: 0..11; end Vars Actions = {a}; Protocol: Other: {a}; end Protocol\n"
        "Evolution: x = 0 if Action = a; end Evolution end Agent\nEvaluation p if A.x = 0; end Evaluation\n"
        "InitStates A.x >= 0; end InitStates Formulae AF p; end Formulae\n"
    )
    assert not studio.ask("explore", counter)["more_initial"]  # twelve are shown at once
    assert studio.ask("explore", counter.replace("0..11", "0..12"))["more_initial"]


@pytest.mark.parametrize(
    ("more", "word"),
    [({"agent": "Nobody"}, "no agent"), ({"states": [{"x": 1}]}, "no such variable"), ({"states": 3}, "a list")],
)
def test_what_cannot_be_explored_is_said(studio: Client, more: dict[str, Any], word: str) -> None:
    status, said = studio.call("POST", "/api/ask/explore", {"text": CRYPTOGRAPHERS, "name": "m", **more})
    assert status in (400, 422) and word in said["error"]


def test_worlds_are_what_somebody_cannot_rule_out(studio: Client) -> None:
    text = (EXAMPLES / "muddy_children.ispl").read_text()
    here = studio.ask("walk", text)
    start = next(
        number
        for number, state in enumerate(here["initial"], 1)
        if [state[f"Environment.mud{n}"] for n in (1, 2, 3)] == [1, 1, 0]
    )
    run = studio.ask("walk", text, start=start, random=2)["run"]
    told = studio.ask("worlds", text, run=run)
    assert told["observers"] == ["Child1", "Child2", "Child3"]
    assert [len(one["worlds"]) for one in told["moments"]] == [8, 7, 4]
    for moment, one in enumerate(told["moments"]):
        assert one["worlds"][0]["state"] == run["states"][moment]
        for agent in told["observers"]:
            part = {"states": run["states"][: moment + 1], "actions": run["actions"][:moment]}
            known = studio.ask("knows", text, run=part, agent=agent)
            sees = next(each["sees"] for each in told["system"]["agents"] if each["name"] == agent)
            alike = [w for w in one["worlds"] if all(w["state"][key] == run["states"][moment][key] for key in sees)]
            assert len(alike) == known["count"]
    for before, after in zip(told["moments"], told["moments"][1:], strict=False):
        for world in after["worlds"]:
            origin = before["worlds"][world["origin"]]["state"]
            assert all(origin[f"Environment.mud{n}"] == world["state"][f"Environment.mud{n}"] for n in (1, 2, 3))


def test_worlds_that_cannot_be_listed_are_refused(studio: Client) -> None:
    run = studio.ask("walk", BAKERY)["run"]
    status, said = studio.call("POST", "/api/ask/worlds", {"text": BAKERY, "name": "m", "run": run})
    assert status in (400, 422) and "so many states" in said["error"]


def test_announcements_cross_worlds_out(studio: Client) -> None:
    text = "Knowledge = Recall;" + COIN
    here = studio.ask("walk", text)
    start = 1 + [state["Environment.coin"] for state in here["initial"]].index(True)
    run = studio.ask("walk", text, start=start, random=1)["run"]
    here = studio.ask("walk", text, run=run, say="coin and !K(Bob, coin)")
    assert here["said"] == [{"moment": 1, "formula": "coin and !K(Bob, coin)"}]
    told = studio.ask("worlds", text, run=run, said=here["said"])
    first, now = told["moments"]
    assert not any(world["out"] for world in first["worlds"])
    assert {world["out"] == (not world["state"]["Environment.coin"]) for world in now["worlds"]} == {True}
    assert {len(world["marks"]) for world in now["worlds"]} == {len(told["observers"])}
    known = studio.ask("knows", text, run=run, said=here["said"], agent="Bob")
    assert (known["knows"], known["reading"]) == (["coin"], "recall")
    assert studio.ask("truth", text, run=run, said=here["said"], formula="K(Bob, coin)")["true"] is True
    assert studio.ask("truth", text, run=run, formula="K(Bob, coin)")["true"] is False
    rows = studio.ask("film", text, run=run, said=here["said"], formulae=["K(Bob, coin)"])["rows"]
    assert rows == [{"formula": "K(Bob, coin)", "cells": [False, True], "problem": ""}]
    assert studio.ask("walk", text, run=run, said=here["said"], back=0)["said"] == []
    for say, word in (("!coin", "only what is true"), ("nobody", "nobody")):
        status, answer = studio.call("POST", "/api/ask/walk", {"text": text, "name": "m", "run": run, "say": say})
        assert status == 422 and word in answer["error"], answer
    late = [{"moment": 2, "formula": "coin"}]
    status, answer = studio.call("POST", "/api/ask/worlds", {"text": text, "name": "m", "run": run, "said": late})
    assert status == 422 and "order of time" in answer["error"]
