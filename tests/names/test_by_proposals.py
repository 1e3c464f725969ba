"""Names without memory by proposals and replies, where diagrams would be too large: compared with the judge on random games."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.generators.arenas import random_arena, random_names, random_sentence
from tests.names.comparing import answer

from epistrat.engines import registry
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.explicit import session
from epistrat.engines.explicit.session import ExplicitSession
from epistrat.engines.explicit.tables.decisions import FEW_NODES
from epistrat.engines.explicit.verdict import by_proposals
from epistrat.engines.readings import Refused, readings
from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Tag, Tagged
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.solvers.bdd import OutOfNodes
from epistrat.solvers.budget import Budget

ANY_OPTIONS = Options()


def opened(system: System) -> ExplicitSession:
    found = registry.load("explicit").open(system, Options(), Budget(seconds=60))
    assert isinstance(found, ExplicitSession)
    return found


def proposed(system: System, formula: Formula) -> bool | None:
    labels = opened(system)._full.read(readings(formula, Options()), FEW_NODES)
    try:
        with labels.guard():
            return by_proposals(labels, formula.arg if isinstance(formula, Tagged) else formula)
    except Refused:
        return None


def expanded(system: System, formula: Formula, options: Options = ANY_OPTIONS) -> bool | None:
    """By one proposal after the other, each ruled out by a reason."""
    return _asked("expanded", system, formula, options)


def guided(system: System, formula: Formula, options: Options = ANY_OPTIONS) -> bool | None:
    """By proposals and replies of two solvers."""
    return _asked("guided", system, formula, options)


def _asked(way: str, system: System, formula: Formula, options: Options) -> bool | None:
    opened = registry.load("explicit").open(system, options, Budget(seconds=60))
    assert isinstance(opened, ExplicitSession)
    labels = opened._full.read(readings(formula, options), FEW_NODES)
    assert labels.tables is not None
    asked = np.zeros(labels.structure.count, dtype=np.bool_)
    asked[labels.structure.initial] = True
    plain = formula.arg if isinstance(formula, Tagged) else formula
    if not isinstance(plain.arg if isinstance(plain, logic.Not) else plain, logic.NAMING):
        return None
    found: bool | None
    try:
        with labels.guard():
            found = getattr(labels.tables, way)(plain, asked)
    except Refused:
        return None
    return found


@pytest.mark.parametrize("seed", range(8))
def test_beside_the_judge(seed: int) -> None:
    rng = random.Random(seed)
    decided = 0
    for _ in range(10):
        players, states, chance = rng.choice((1, 2)), rng.choice((2, 3)), rng.choice((0, 0, 0.3))
        system = random_arena(rng, players, states, chance, own=rng.random() < 0.3)
        formula = random_sentence(rng, system, rng.choice((Tag.STATES, Tag.VIEWS)))
        judge, found = answer("reference", system, formula, Options(), 1).verdict, proposed(system, formula)
        if found is not None and judge is not Verdict.UNKNOWN:
            decided += 1
            assert found is (judge is Verdict.HOLDS), (show(formula), to_ispl(system))
    assert decided > 2


@pytest.mark.parametrize("seed", range(8))
def test_sentences_with_several_goals(seed: int) -> None:
    """One proposal after the other, each ruled out by a reason, for names, knowledge and quantifiers of all shapes."""
    rng = random.Random(seed)
    decided = 0
    for _ in range(8):
        players, states, chance = rng.choice((1, 2)), rng.choice((2, 3)), rng.choice((0, 0, 0.3))
        system = random_arena(rng, players, states, chance, own=False)
        formula = Tagged(rng.choice((Tag.STATES, Tag.VIEWS)), random_names(rng, system, 2))
        judge = answer("reference", system, formula, Options(), 1).verdict
        found = expanded(system, formula)
        if found is not None and judge is not Verdict.UNKNOWN:
            decided += 1
            assert found is (judge is Verdict.HOLDS), (show(formula), to_ispl(system))
    assert decided > 2


def test_asked_where_diagrams_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest is served in the end, who sees who came first; nobody can serve two."""
    system = load(
        """
        Agent Environment Obsvars: at : 0..2; end Obsvars Actions = {none}; Protocol: Other : {none}; end Protocol
          Evolution: at = 1 if at = 0 and Bob.Action = l; at = 2 if at = 0 and Bob.Action = r;
            at = 0 if at = 1 and Ann.Action = l; at = 0 if at = 2 and Ann.Action = r; end Evolution end Agent
        Agent Ann Vars: end Vars Actions = {l, r}; Protocol: Other : {l, r}; end Protocol Evolution: end Evolution end Agent
        Agent Bob Vars: end Vars Actions = {l, r}; Protocol: Other : {l, r}; end Protocol Evolution: end Evolution end Agent
        Evaluation free if Environment.at = 0; end Evaluation
        InitStates Environment.at = 0; end InitStates
        Formulae
          <<x>> [[y]] <<e>> (Ann, x) (Bob, y) (Environment, e) G F free;
          <<x>> <<e>> [[y]] (Ann, x) (Bob, y) (Environment, e) G F free;
          [[y]] <<x>> <<e>> (Ann, x) (Bob, y) (Environment, e) G X free;
          ![[y]] <<x>> <<e>> (Ann, x) (Bob, y) (Environment, e) G X free;
        end Formulae
        """
    ).system
    assert system is not None
    verdicts = [opened(system).check(one).verdict for one in system.formulae]
    assert verdicts == [Verdict.HOLDS, Verdict.HOLDS, Verdict.FAILS, Verdict.HOLDS]
    assert [proposed(system, one) for one in system.formulae] == [True, True, False, True]

    def too_large(*_: object) -> bool:
        raise OutOfNodes

    monkeypatch.setattr(session, "satisfied", too_large)
    asked = [opened(system).check(one).verdict for one in system.formulae]
    assert asked == [Verdict.HOLDS, Verdict.HOLDS, Verdict.FAILS, Verdict.HOLDS]


def test_chance_is_on_nobodys_side() -> None:
    """That a goal is not kept on all runs is not its negation on all runs: neither is the case where chance decides."""
    text = """
        Agent Environment Obsvars: at : 0..2; end Obsvars Actions = {}; Protocol: end Protocol
          Evolution: at = 1 if at = 0 ACTING; at = 2 if at = 0 ACTING; end Evolution end Agent
        PLAYER
        Evaluation p if Environment.at = 1; end Evaluation
        InitStates Environment.at = 0; end InitStates
        """
    player = "Agent Ann Vars: end Vars Actions = {l, r}; Protocol: Other : {l, r}; end Protocol Evolution: end Evolution end Agent"
    acting = text.replace("ACTING", "and Ann.Action = l").replace("PLAYER", player)
    alone = text.replace("ACTING", "").replace("PLAYER", "")
    for model, sentence in ((acting, "[[x]] (Ann, x) F p"), (acting, "[[x]] (Ann, x) G !p"), (alone, "[[x]] F p")):
        system = load(f"{model} Formulae {sentence}; end Formulae").system
        assert system is not None, sentence
        (formula,) = system.formulae
        assert answer("reference", system, formula, Options()).verdict is Verdict.FAILS
        assert proposed(system, formula) is not True
        assert expanded(system, formula) is not True
