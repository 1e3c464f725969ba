"""Strategies as hints: whatever table is brought forward, it proves nothing that no strategy on what is seen can do."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from tests.generators.asynchronous import asynchronous_system, strategic_formula
from tests.generators.formulae import random_formula, random_group
from tests.generators.mazes import maze
from tests.generators.systems import random_system

from epistrat.engines import registry
from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.evidence.proof import groups
from epistrat.evidence.proof.hints import Hints
from epistrat.evidence.proof.prove import Prover
from epistrat.evidence.proof.sets import Given, Uniform
from epistrat.evidence.proof.uniform import Play
from epistrat.evidence.proof.world import Means, World
from epistrat.lang.load import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

COUNT = int(os.environ.get("EPISTRAT_PROOFS", "60"))
SMALL = Means("oxidd", 1 << 18, 1 << 16)
READINGS = (Strategies.OBJECTIVE, Strategies.SUBJECTIVE)


class Tables:
    """Random tables: decisions by a few bits, whichever these are, for whoever there is."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def plays(self, hints: Hints, one: Uniform) -> list[Play]:
        """Some plays, each with what the group would enforce by it."""
        world = hints._world
        names = [agent.name for agent in world.system.agents if len(world.options(agent.name)) > 1]
        members = [name for name in names if name in one.group or self.rng.random() < 0.1]
        return [self._play(hints, one, {name: self._table(world, name) for name in members}) for _ in range(3)]

    def _table(self, world: World, name: str) -> dict[frozenset[str], Any]:
        """By so many bits one choice or another; sometimes two at once, or none."""
        rng = self.rng
        choices = [choice for choice, _ in world.options(name)]
        table = dict.fromkeys(choices, world.algebra.false)
        every: list[int] = list(range(world.algebra.variables))
        of_actions = [bit for slot, row in world.space.now.items() if slot[1] is None for bit in row]
        pool = rng.choice((every, of_actions or every))
        bits = rng.sample(pool, min(len(pool), rng.randint(0, 2)))
        cells = [world.algebra.true]
        for bit in bits:
            literal = world.algebra.var[bit]
            cells = [cell & one for cell in cells for one in (literal, ~literal)]
        for cell in cells:
            for choice in rng.sample(choices, rng.choice((1, 1, 1, 1, 1, 2, 0))):
                table[choice] = table[choice] | cell
        return table

    def _play(self, hints: Hints, one: Uniform, strategy: dict[str, Any]) -> Play:
        world = hints._world
        followed = world.following(strategy)
        own = Hints(followed, hints._inner)
        sets = [Given(hints.states(part)) for part in one.operands]
        fair = [Given(hints.states(part)) for part in one.fair]
        return Play(strategy, followed, own, own.states(groups.played(one, sets, fair, Given(world.found))))


def a_question(rng: random.Random) -> tuple[System, Formula]:
    """A hidden game, or any system; and a goal."""
    kind = rng.randrange(4)
    if kind == 0:
        system = load(maze(rng, False, rng.random() < 0.3, places=5, colours=3)).system
        assert system is not None
        return system, logic.Coalition(system.group("team"), logic.Finally(logic.Prop(rng.choice(("goal", "start")))))
    if kind == 1:
        system = asynchronous_system(rng)
        return system, strategic_formula(rng, system)
    system = random_system(rng, agents=rng.choice((1, 2)))
    one = [random_formula(rng, system, "CTLK", rng.randint(0, 1)) for _ in range(2)]
    shapes: list[Formula] = [
        logic.Next(one[0]),
        logic.Finally(one[0]),
        logic.Globally(one[0]),
        logic.Until(*one),
        logic.WeakUntil(*one),
        logic.Release(*one),
    ]
    return system, logic.Coalition(random_group(rng, system), rng.choice(shapes))


@pytest.mark.parametrize("seed", range(COUNT))
def test_no_table_proves_what_no_strategy_can_do(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    for _ in range(6):
        system, formula = a_question(rng)
        reading = rng.choice(READINGS)
        judge = registry.load("reference").open(system, Options(strategies=reading), Budget(states=1_000, seconds=10))
        if judge.check(formula).verdict is not Verdict.FAILS:
            continue
        tables = Tables(rng)
        with monkeypatch.context() as patched:
            patched.setattr(Hints, "plays", lambda hints, one, tables=tables: tables.plays(hints, one))
            for _ in range(6):
                assert not Prover(system, means=SMALL, reading=reading).prove(formula, True).shown, show(formula)


def test_a_decision_does_not_depend_on_actions() -> None:
    """Bits of actions are no part of a state: what is read off them may be anything, so both branches would be taken."""
    system = load(
        """
Agent Environment
    Vars: at : 0..2; end Vars
    Actions = {none}; Protocol: Other : {none}; end Protocol
    Evolution:
        at = 1 if at = 0 and A.Action = left;  at = 0 if at = 0 and A.Action = right;
        at = 2 if at = 1 and A.Action = right; at = 1 if at = 1 and A.Action = left;
    end Evolution
end Agent
Agent A
    Vars: end Vars
    Actions = {left, right};
    Protocol: Other : {left, right}; end Protocol
    Evolution: end Evolution
end Agent
Evaluation goal if Environment.at = 2; end Evaluation
InitStates Environment.at = 0; end InitStates
Groups g = {A}; end Groups
Formulae <g>F goal; end Formulae
"""
    ).system
    assert system is not None
    prover = Prover(system, means=SMALL, reading=Strategies.OBJECTIVE)
    action = prover.encoded.space.now["A", None][0]
    both = {
        frozenset({name}): literal
        for name, literal in zip(
            ("left", "right"),
            (~prover.encoded.space.algebra.var[action], prover.encoded.space.algebra.var[action]),
            strict=True,
        )
    }
    (formula,) = system.formulae
    theory = prover._plain(True, ledger=None)  # type: ignore[arg-type]
    tables = Tables(random.Random(0))
    theory._hints.plays = lambda one: [tables._play(theory._hints, one, {"A": both})]  # type: ignore[method-assign]
    proof = prover.prove(formula, True)
    assert not proof.shown
    assert proof.wrong is not None and "by what it sees" in proof.wrong


def test_a_member_that_is_named_twice_chooses_once() -> None:
    text = """
Composition = Interleaved;
Agent A
    Vars: at : 0..2; end Vars
    Actions = {x, y};
    Protocol: at = 0 : {x, y}; at = 1 : {x}; at = 2 : {y}; end Protocol
    Evolution: at = 1 if at = 0 and Action = x; at = 2 if at = 0 and Action = y; end Evolution
end Agent
Evaluation still if A.at = 0; end Evaluation
InitStates A.at = 0; end InitStates
Groups g = {A}; end Groups
Formulae <g>G still; end Formulae
"""
    system = load(text).system
    assert system is not None
    for names in (("A",), ("A", "A")):
        formula = logic.Coalition(Group(names), logic.Globally(logic.Prop("still")))
        for reading in (Strategies.ANY, *READINGS):
            prover = Prover(system, means=SMALL, reading=reading)
            assert prover.prove(formula, False).shown
            assert not prover.prove(formula, True).shown
