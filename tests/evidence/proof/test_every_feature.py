"""Questions with every pair of features: honest verdicts are proved or named, negated and changed ones are refused, whatever is hinted.

`EPISTRAT_PROOFS=2000` asks about so many systems.  Limits that only large models reach are met on purpose: nothing joined beforehand,
nodes collected between all operations.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.fuzz.draw import draw
from tests.generators.asynchronous import asynchronous_system, strategic_formula
from tests.generators.features import FEATURES
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

from epistrat.answers import Strategies
from epistrat.engines import registry
from epistrat.engines.contract import Options, Verdict
from epistrat.evidence.proof import prove, relation, search
from epistrat.evidence.proof.attempt import Proof
from epistrat.evidence.proof.prove import Hinted, Prover
from epistrat.evidence.proof.world import Encoded, Means
from epistrat.lang.load import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, is_state, operands, subformulae
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.records import fields
from epistrat.solvers.budget import Budget
from epistrat.terms import Node

COUNT = int(os.environ.get("EPISTRAT_PROOFS", "120"))
READINGS = (Strategies.ANY, Strategies.OBJECTIVE, Strategies.SUBJECTIVE)
NAMED = {
    "a past operator over a future one",
    "what a group can enforce where its members act on what they see",
    "groups under this blocking or scheduling",
    "a group has too many choices at once",
}


def a_question(seed: int) -> tuple[System, Strategies, list[Formula]]:
    """A system, how strategies are read, and formulae: with a pair of features, or with operators inside each other as they come."""
    rng = random.Random(seed)
    if seed % 3:
        case = draw(rng, rng.sample(list(FEATURES), 2))
        reading = case.reading if case.reading in READINGS else rng.choice(READINGS)
        return case.system, reading, list(case.formulae)[:4]
    system = asynchronous_system(rng) if rng.random() < 0.3 else random_system(rng)
    formulae = [anything(rng, system, rng.choice((1, 2, 2, 3))) for _ in range(4)]
    if system.interleaved:
        formulae.append(strategic_formula(rng, system))
    return system, rng.choice(READINGS), formulae


def anything(rng: random.Random, system: System, depth: int) -> Formula:
    """Time, groups and knowledge inside each other: every operator for groups, groups of nobody, paths that are infinite or not."""
    names = [agent.name for agent in system.agents]

    def inner() -> Formula:
        return anything(rng, system, depth - 1)

    def group() -> Group:
        return Group(tuple(rng.sample(names, rng.randint(0, len(names)))))

    def ahead() -> Formula:
        if rng.random() < 0.5:
            return rng.choice((logic.Next, logic.Finally, logic.Globally))(inner())
        return rng.choice((logic.Until, logic.WeakUntil, logic.Release))(inner(), inner())

    if depth == 0:
        return random_formula(rng, system, "CTL", 0)
    match rng.randrange(12):
        case 0 | 1 | 2 | 3:
            return logic.Coalition(group(), ahead())
        case 4 | 5 | 6:
            return rng.choice((logic.ForAll, logic.Exists))(ahead(), rng.random() < 0.5)
        case 7:
            return rng.choice((logic.ForAll, logic.Exists))(logic.Implies(ahead(), ahead()), star=True)
        case 8:
            return rng.choice((logic.Everybody, logic.Distributed, logic.Common))(group(), inner())
        case 9:
            return rng.choice((logic.Knows, logic.Correct))(rng.choice(names), inner())
        case 10:
            return logic.Not(inner())
    return rng.choice((logic.Implies, logic.Iff, logic.Xor))(inner(), inner())


SWAPS: dict[type, type] = {
    logic.Next: logic.Finally,
    logic.Finally: logic.Globally,
    logic.Globally: logic.Finally,
    logic.Until: logic.WeakUntil,
    logic.WeakUntil: logic.Release,
    logic.Release: logic.Until,
    logic.ForAll: logic.Exists,
    logic.Exists: logic.ForAll,
    logic.Knows: logic.Correct,
    logic.Everybody: logic.Distributed,
    logic.Distributed: logic.Common,
    logic.Common: logic.Everybody,
    logic.Once: logic.Historically,
    logic.Historically: logic.Yesterday,
    logic.Yesterday: logic.Once,
    logic.Implies: logic.Iff,
    logic.Iff: logic.Xor,
    logic.Xor: logic.Implies,
}


def changed(rng: random.Random, formula: Formula) -> Formula:
    """The formula with one operator in place of another, or one part denied."""
    place = rng.choice(subformulae(formula))

    def change(part: Formula) -> Formula:
        parts = [getattr(part, one.name) for one in fields(type(part))]
        if part == place:
            other: Any = SWAPS.get(type(part))
            swapped: Formula = other(*parts) if other is not None else logic.Not(part) if is_state(part) else part
            return swapped
        if not operands(part):
            return part
        kind = type(part)
        rebuilt: Formula = kind(*(_with(one, change) for one in parts))
        return rebuilt

    return change(formula)


def _with(value: Any, change: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_with(one, change) for one in value)
    return change(value) if isinstance(value, Node) else value


def wider(rng: random.Random, encoded: Encoded, states: Any) -> Any:
    """More states than these, closed under steps: what a hint may be, too."""
    space, more = encoded.space, encoded.space.algebra.true
    for variable in encoded.system.variables:
        codes = rng.sample(range(variable.domain.last + 1), 1 if rng.random() < 0.7 else variable.domain.last + 1)  # type: ignore[union-attr]
        more = more & space.disjunction(space.code(space.now[variable.key], code) for code in codes)
    found = states | more
    while (reached := found | encoded.relation.after(found)) != found:
        found = reached
    return found


def hints(system: System) -> Hinted | None:
    """What an engine says of the system."""
    session = registry.load("symbolic").open(system, Options(), Budget(seconds=10))
    session.check(logic.ForAll(logic.Globally(logic.Prop(next(iter(system.propositions))))))
    return session.exported()


def ways(rng: random.Random, system: System, reading: Strategies, patched: pytest.MonkeyPatch) -> Iterator[Prover]:
    """Provers of the system: without a hint, with an engine's, and with one that is too large."""
    if rng.random() < 0.4:
        patched.setattr(relation, "_JOINED", 0)
        patched.setattr(relation, "_JOINED_FORWARDS", 0)
        patched.setattr(relation, "_ALIKE", 0.0)
    library = "cudd" if rng.random() < 0.15 else "oxidd"
    means = Means(library, 1 << 18, 1 << 16)
    yield Prover(system, means=means, reading=reading)
    hinted = hints(system)
    hinted_prover = Prover(system, hinted, means, reading)
    if library == "oxidd" and rng.random() < 0.5:
        algebra = hinted_prover.encoded.space.algebra
        patched.setattr(algebra, "collect", lambda: algebra._manager.gc())  # type: ignore[attr-defined]
        algebra.due = 0
    yield hinted_prover


@pytest.mark.parametrize("seed", range(COUNT))
def test_honest_verdicts_are_proved_and_no_other_ones(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    system, reading, formulae = a_question(seed)
    rng = random.Random(seed)
    judge = registry.load("reference").open(system, Options(strategies=reading), Budget(states=1_500, seconds=20))
    provers = list(ways(rng, system, reading, monkeypatch))
    for formula in formulae:
        verdict = judge.check(formula).verdict
        if verdict is Verdict.UNKNOWN:
            continue
        other = changed(rng, formula)
        otherwise = judge.check(other).verdict if _meant(other) else Verdict.UNKNOWN
        for prover in provers:
            words = f"{show(formula)} {verdict.value}"
            proof = prover.prove(formula, verdict is Verdict.HOLDS)
            assert proof.wrong is None, (words, proof)
            assert proof.shown or proof.reason in NAMED, (words, proof)
            assert not prover.prove(formula, verdict is not Verdict.HOLDS).shown, words
            if otherwise is not Verdict.UNKNOWN:
                lie = prover.prove(other, otherwise is not Verdict.HOLDS)
                assert not lie.shown, f"{show(other)} {otherwise.value}"


def _meant(formula: Formula) -> bool:
    """Whether a changed formula still is one: a group stands above one operator of time."""
    return is_state(formula) and all(
        isinstance(part.arg, logic.FUTURE) and all(map(is_state, operands(part.arg)))
        for part in subformulae(formula)
        if isinstance(part, logic.Coalition)
    )


@pytest.mark.parametrize("seed", range(COUNT))
def test_more_states_than_there_are_prove_nothing_wrong(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint may contain states that cannot be reached: then a proof fails or is right."""
    system, reading, formulae = a_question(seed)
    rng = random.Random(seed)
    judge = registry.load("reference").open(system, Options(strategies=reading), Budget(states=1_500, seconds=20))
    prover = Prover(system, hints(system), Means("oxidd", 1 << 18, 1 << 16), reading)
    honest = search.read
    monkeypatch.setattr(prove, "read", lambda circuit, space: wider(rng, prover.encoded, honest(circuit, space)))
    for formula in formulae:
        verdict = judge.check(formula).verdict
        if verdict is Verdict.UNKNOWN:
            continue
        proof: Proof = prover.prove(formula, verdict is not Verdict.HOLDS)
        assert not proof.shown, f"{show(formula)} {verdict.value}"


def test_a_group_that_blocks_everything_waits_where_it_is() -> None:
    """Ann can choose what Bob never allows: then nothing happens, although something could have."""
    system = load(
        """
        Composition = Interleaved;
        Agent Ann Vars: done : boolean; end Vars Actions = {x, y};
          Protocol: Other : {x, y}; end Protocol
          Evolution: done = false if Action = y; end Evolution end Agent
        Agent Bob Vars: b : boolean; end Vars Actions = {x};
          Protocol: b = true : {x}; end Protocol
          Evolution: end Evolution end Agent
        Evaluation done if Ann.done = true; end Evaluation
        InitStates Ann.done = false and Bob.b = false; end InitStates
        Formulae <Ann>X done; <Ann>X !done; <Ann>F done; <Ann>G !done; end Formulae
        """
    ).system
    assert system is not None
    for formula, holds in zip(system.formulae, (False, True, False, True), strict=True):
        assert Prover(system).prove(formula, holds).shown
        assert not Prover(system).prove(formula, not holds).shown
