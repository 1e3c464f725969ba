"""A lying engine is caught: no certificate that says something false is ever accepted as re-checked."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st
from tests.generators import random_formula, random_system
from tests.generators.certificates import certified
from tests.generators.lies import LIES, Scene, claims

from epistrat.answers import Certificate, Strategies, Verdict
from epistrat.engines.contract import Engine, Options
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.engines.reference.judge import Judge
from epistrat.engines.registry import load
from epistrat.evidence.points import looks_back
from epistrat.evidence.replay import replay
from epistrat.logic.show import show
from epistrat.model.explore import ReachableGraph, TooManyStates, explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import Composition, System
from epistrat.solvers.budget import Budget, OutOfBudget

MOST_STATES = 60
EXAMPLES = 18
TOLD: Counter[str] = Counter()
REFUSED: Counter[str] = Counter()
LISTED: Counter[str] = Counter()


def ask(engine: Engine, system: System, rng: random.Random, fragment: str, reading: Strategies) -> Certificate:
    """An honest answer to a random question."""
    past = fragment in ("LTL", "CTL*K") and rng.random() < 0.3
    formula = random_formula(rng, system, fragment, rng.randint(1, 3), past=past)
    options = Options(reading, evidence=True)
    session = engine.open(system, options, Budget(states=MOST_STATES))
    try:
        return certified(formula, session.check(formula), options)
    finally:
        session.close()


class Truth:
    """What the reference engine says about claims in states of one system."""

    def __init__(self, system: System, graph: ReachableGraph, reading: Strategies) -> None:
        self._system = system
        self._graph = graph
        self._labels = Judge(Stepper(system), graph, reading, Budget()).labels()
        self._reading = reading

    def agrees(self, certificate: Certificate) -> bool:
        """Whether the verdict and every claim is true."""
        options = Options(certificate.reading, certificate.group)
        session = ReferenceEngine().open(self._system, options, Budget(states=MOST_STATES))
        if session.check(certificate.question).verdict is not certificate.verdict:
            return False
        return all(self._true(*claim) for claim in claims(certificate) if not looks_back(claim[1]))

    def _true(self, state: tuple[object, ...], claim: object, holds: bool) -> bool:
        if self._reading is Strategies.UNIFORM:  # claims are about another system
            return True
        world = self._labels.world
        nodes = [node for node in world.nodes if self._graph.states[world.graph.state[node]] == state]
        return all((node in self._labels.of(claim)) is holds for node in nodes)  # type: ignore[arg-type]


def expose(system: System, true: Certificate, other: Certificate, rng: random.Random) -> None:
    """Tell every lie about an answer, and see that it is caught."""
    graph = explore(Stepper(system), initial_states(system), MOST_STATES)
    honest = replay(system, true)
    assert honest.ok, (show(true.question), honest.problems)
    scene = Scene(system, other, graph.states)
    truth = Truth(system, graph, true.reading)
    for name, lie in LIES.items():
        told = lie(rng, scene, true)
        if told is None or told == true:
            continue
        found = replay(system, told)
        if found.complete and truth.agrees(told):
            continue  # not a lie, or one that makes no difference
        TOLD[name] += 1
        REFUSED[name] += not found.ok
        LISTED[name] += found.ok and not found.complete
        assert not found.complete, (name, show(told.question), told)


CASES = [
    ("CTLK", Strategies.ANY),
    ("ATLK", Strategies.ANY),
    ("LTL", Strategies.ANY),
    ("CTL*K", Strategies.ANY),
    ("ATLK", Strategies.UNIFORM),
    ("ATLK", Strategies.OBJECTIVE),
    ("ATLK", Strategies.SUBJECTIVE),
]
RAN: set[tuple[str, Strategies]] = set()


@pytest.mark.parametrize(("fragment", "reading"), CASES, ids=lambda value: getattr(value, "value", value))
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
def test_every_lie_is_caught(fragment: str, reading: Strategies, seed: int) -> None:
    RAN.add((fragment, reading))
    rng = random.Random(seed)
    composition = Composition.SYNCHRONOUS if "ATL" in fragment else None
    few = 2 if reading is not Strategies.ANY else None
    system = random_system(rng, composition=composition, agents=few)
    engine = ReferenceEngine() if reading is not Strategies.ANY else load(rng.choice(("reference", "symbolic")))
    try:
        explore(Stepper(system), initial_states(system, MOST_STATES), MOST_STATES)
        true, other = (ask(engine, system, rng, fragment, reading) for _ in range(2))
    except (TooManyStates, OutOfBudget):
        return
    if true.trees and true.verdict is not Verdict.UNKNOWN:
        expose(system, true, other, rng)


def test_every_kind_of_lie_was_told_and_refused() -> None:
    """Run after the others: each lie was false at least a few times, and then refused, not only listed as not re-checked."""
    if set(CASES) != RAN:
        pytest.skip("some lies were told in another process")
    assert not set(LIES) - set(TOLD), TOLD
    assert set(LIES) - set(+REFUSED) <= {"shows a part of a table only"}, REFUSED
