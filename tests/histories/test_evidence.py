"""Evidence about histories: a whole second history beside the first, announcements, chains; re-checked by walking both."""

from __future__ import annotations

import json
import os
import pathlib
import random
from collections.abc import Callable, Iterator

import pytest
from tests.histories.models import random_formula, random_resting

import epistrat
from epistrat.answers.certificate import Certificate
from epistrat.answers.verdict import Strategies, Verdict
from epistrat.cli.main import main
from epistrat.engines.contract import Options
from epistrat.engines.registry import load as engine
from epistrat.evidence import LookAlike, Path, Tree, walk
from epistrat.evidence.findings import Replay
from epistrat.evidence.replay import replay
from epistrat.evidence.tree import mapped
from epistrat.logic.formula import Reading, Remembers
from epistrat.logic.histories import read_as, unreadable
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.render.json.evidence import evidence_json
from epistrat.render.json.reading import read_evidence
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget

QUESTIONS = int(os.environ.get("EPISTRAT_HISTORIES", "60"))
PART = 30


@pytest.mark.parametrize("seed", range(0, QUESTIONS, PART))
def test_what_is_shown_replays(seed: int) -> None:
    shown = 0
    for number in range(seed, seed + PART):
        rng = random.Random(f"evidence {number}")
        system = random_resting(rng)
        for _ in range(6):
            formula = read_as(random_formula(rng, rng.choice((1, 2, 3))), Reading.OBSERVATION)
            if unreadable(formula) is not None:
                continue
            session = engine("explicit").open(system, Options(evidence=True, examples=1), Budget())
            outcome = session.check(formula)
            if outcome.evidence is None:
                continue
            certificate = Certificate(formula, outcome.verdict, Strategies.ANY, None, (outcome.evidence,))
            found = replay(system, certificate)
            assert found.ok, (number, show(formula), found.problems, to_ispl(system))
            shown += 1
    assert shown > 2 * PART


MODEL = """
Agent Environment
  Vars: bit : boolean; n : 0..2; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: n = n + 1 if n < 2; end Evolution
end Agent
Agent Ann
  Vars: seen : {nothing, yes, no}; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: seen = nothing if seen = yes or seen = no; end Evolution
end Agent
Agent Bob
  Vars: dummy : boolean; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: end Evolution
end Agent
Evaluation one if Environment.bit = true; late if Environment.n = 2; told if Ann.seen <> nothing; end Evaluation
InitStates
  Environment.n = 0 and Bob.dummy = false
  and ((Environment.bit = true and (Ann.seen = yes or Ann.seen = nothing)) or (Environment.bit = false and Ann.seen <> yes));
end InitStates
Groups both = {Ann, Bob}; end Groups
"""
FAILING = {
    "clock": "AG (one and late -> K[clock](Ann, one))",
    "recall": "AG (one and told -> AX AX K[recall](Bob, K[recall](Ann, one)))",
    "changes": "AG (one and late -> K[changes](Bob, one))",
    "common": "AX GCK[recall](both, late or !one)",
    "announced": "one -> [! told] AX K[recall](Bob, one)",
    "nested": "one -> AF K[recall](Bob, K[recall](Ann, one))",
}


def _shown(formula: str) -> tuple[System, Certificate]:
    model = epistrat.load(MODEL)
    (result,) = model.check(formula, engine="explicit", evidence=True)
    assert result.verdict is Verdict.FAILS and result.evidence is not None
    return model, Certificate(result.formula, Verdict.FAILS, trees=(result.evidence,))


def _forged(system: System, true: Certificate, change: Callable[[LookAlike], LookAlike]) -> Iterator[Replay]:
    """The certificate with each look-alike changed, one at a time."""
    (tree,) = true.trees
    links = [one for part in walk(tree) for one in part.because if isinstance(one, LookAlike)]
    for link in links:

        def swapped(part: Tree, link: LookAlike = link) -> Tree:
            return replace(part, because=tuple([change(one) if one == link else one for one in part.because]))

        forged = mapped(tree, swapped)
        if forged != tree:
            yield replay(system, replace(true, trees=(forged,)))


@pytest.mark.parametrize("name", FAILING)
def test_a_whole_second_history_is_shown(name: str) -> None:
    system, true = _shown(FAILING[name])
    assert replay(system, true).ok
    links = [one for part in walk(true.trees[0]) for one in part.because if isinstance(one, LookAlike)]
    assert links and all(one.run.states[-1] == one.tree.state for one in links)
    if name == "common":
        assert any(isinstance(one.tree.claim, Remembers) for one in links) or len(links) == 1
    if name == "announced":
        assert all(len(one.told) == 1 for one in links)


@pytest.mark.parametrize("name", FAILING)
def test_lies_about_histories_are_refused(name: str) -> None:
    system, true = _shown(FAILING[name])
    other = {Reading.CLOCK: Reading.RECALL, Reading.RECALL: Reading.CLOCK, Reading.CHANGES: Reading.RECALL}
    lies: list[Callable[[LookAlike], LookAlike]] = [
        lambda one: replace(one, reading=other[one.reading]),
        lambda one: replace(one, run=Path(one.run.states[1:], one.run.actions[1:])) if one.run.actions else one,
        lambda one: replace(one, agents=("Environment",)),
        lambda one: replace(one, told=one.told[1:]) if one.told else one,
        lambda one: replace(one, told=(*one.told, replace(one.tree, holds=True))),
    ]
    if name != "changes":  # who remembers what changed does not feel time pass

        def longer(one: LookAlike) -> LookAlike:
            states, actions = one.run.states, one.run.actions
            return replace(one, run=Path((*states, states[-1]), (*actions, actions[-1]))) if actions else one

        lies.append(longer)
    refused = 0
    for lie in lies:
        for found in _forged(system, true, lie):
            assert not found.ok
            refused += 1
    assert refused >= 3


def test_a_view_that_differs_once_is_refused() -> None:
    """By recall it is not enough that the ends of two histories look the same, as they do by the clock."""
    system, true = _shown("AG (one and late -> K[recall](Ann, one))")
    assert replay(system, true).ok
    seen = system.position["Ann", "seen"]

    def seen_otherwise(one: LookAlike) -> LookAlike:
        first = one.run.states[0]
        told = (*first[:seen], "no", *first[seen + 1 :])
        return replace(one, run=replace(one.run, states=(told, *one.run.states[1:])))

    (found,) = _forged(system, true, seen_otherwise)
    assert any("look the same at time 0" in problem for problem in found.problems)


def test_an_announcement_that_was_not_true_there_is_refused() -> None:
    """After an announcement a second history counts only if what was announced was true on it."""
    system, true = _shown("one -> [! told] AX K[recall](Bob, one)")
    told = tuple(
        [replace(one, holds=False) for part in walk(true.trees[0]) for link in _links(part) for one in link.told]
    )
    assert told
    for found in _forged(system, true, lambda one: replace(one, told=told)):
        assert not found.ok
    asked = epistrat.load(MODEL).formula("one -> [! !told] AX K[recall](Bob, one)")
    (tree,) = true.trees
    assert not replay(system, Certificate(asked, Verdict.FAILS, trees=(replace(tree, claim=asked),))).ok


@pytest.mark.parametrize("name", FAILING)
def test_json_keeps_what_is_shown(name: str) -> None:
    system, true = _shown(FAILING[name])
    written = json.loads(json.dumps(evidence_json(system, true.trees[0])))
    assert read_evidence(system, written, lambda text: read_formula(text, system)) == true.trees[0]


@pytest.mark.parametrize("name", FAILING)
def test_the_command_shows_both_histories(
    name: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, answers = tmp_path / "m.ispl", tmp_path / "answers.json"
    model.write_text(f"{MODEL}Formulae {FAILING[name]}; end Formulae", encoding="utf-8")
    assert main(["check", str(model), "--evidence", "--depth", "5"]) == 1
    text = capsys.readouterr().out
    assert "cannot rule out" in text and "Re-checked independently" in text, text
    main(["check", str(model), "--evidence", "--json"])
    answers.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["replay", str(model), str(answers)]) == 0


def _links(part: Tree) -> list[LookAlike]:
    return [one for one in part.because if isinstance(one, LookAlike)]


def test_a_history_that_an_announcement_rules_out_is_refused() -> None:
    """It is shown truly that what was announced was false on it."""
    system, true = _shown("one -> [! told] AX K[recall](Bob, one)")
    seen = system.position["Ann", "seen"]

    def ruled_out(one: LookAlike) -> LookAlike:
        states = tuple([(*state[:seen], "nothing", *state[seen + 1 :]) for state in one.run.states])
        told = tuple([replace(said, state=states[0], holds=False) for said in one.told])
        return replace(one, run=replace(one.run, states=states), told=told, tree=replace(one.tree, state=states[-1]))

    refused = [
        found
        for found in _forged(system, true, ruled_out)
        if any("else was announced" in one for one in found.problems)
    ]
    assert refused


@pytest.mark.parametrize("negation", ("", "!"))
@pytest.mark.parametrize("told", ("yes", "no"))
def test_what_was_seen_on_the_way_is_seen_on_both(negation: str, told: str) -> None:
    """Of those that were told, now nothing is to be seen: only who was not told is a look-alike of who was not."""
    text = MODEL.replace("Ann.seen = yes or", f"Ann.seen = {told} or").replace("Ann.seen <> yes", f"Ann.seen <> {told}")
    model = epistrat.load(text.replace("{nothing, yes, no}", "{yes, no, nothing}"))
    claim = f"AG ({negation}one and late -> K[recall](Ann, {negation}one))"
    (result,) = model.check(claim, engine="explicit", evidence=True)
    assert result.verdict is Verdict.FAILS and result.evidence is not None
    assert replay(model, Certificate(result.formula, Verdict.FAILS, trees=(result.evidence,))).ok
