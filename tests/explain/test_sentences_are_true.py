"""Every sentence of an explanation is true: it carries what it asserts, and the reference engine decides that on random systems."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system
from tests.reference.by_enumeration import _boolean, _future

from epistrat.answers import Question, Result, Verdict
from epistrat.answers.explanation import Assertion, Block, Detail, Extent, Say, Truth
from epistrat.engines.contract import Options, Strategies
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.engines.reference.judge import Judge, JudgeLabels
from epistrat.evidence import Lasso
from epistrat.evidence.conditions import StateConditions
from epistrat.explain.narrate import explained
from epistrat.logic import formula as logic
from epistrat.logic.formula import CONNECTIVES, Formula, is_state, operands
from epistrat.logic.lasting import lasting
from epistrat.model.explore import ReachableGraph, explore
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.model.transform.completed import Completed, completed
from epistrat.solvers.budget import Budget

SYSTEMS = int(os.environ.get("EPISTRAT_SENTENCES", "250"))
"""How many random systems are drawn, over all cases; set it to try more."""
CASES = 10
UNTESTED = (
    "it is so",
    "fixed rules",
    "more reason",
    "so on",
    "The same can be said",
    "First answers",
    "But there",
    "From the initial state with",
    "some play defeats them",
)
"""Sentences that announce others, or describe the evidence itself."""


class Truths:
    """Decides assertions about one system, with strategies read in one way."""

    def __init__(self, system: System, reading: Strategies = Strategies.ANY) -> None:
        self.system = system
        self._reading = reading
        self._stepper = Stepper(system)
        self._reached = explore(self._stepper, initial_states(system), 50_000, Budget())
        self._labels = Judge(self._stepper, self._reached, reading, Budget()).labels()
        self._completed: tuple[Completed, ReachableGraph, JudgeLabels] | None = None

    def wrong(self, assertion: Assertion) -> bool:
        match assertion:
            case Truth(formula, holds, _, Lasso() as lasso):
                return self._along(formula, lasso)[0] is not holds
            case Truth(formula, holds, state, None, lasting=lasts):
                return self._at(formula, state) is not holds or (lasts and self._only_by_ending(formula, state))
            case Extent(formula, count, None, _):
                return len(self._labels.of(formula) & self._labels.world.nodes) != count
            case Extent(formula, count, agents, state):
                assert agents is not None and state is not None
                return sum(self._alike(agents, state, node) for node in self._labels.of(formula)) != count
        raise TypeError(assertion)

    def _at(self, formula: Formula, state: State) -> bool:
        assert is_state(formula), formula
        return self._reached.number[state] in self._labels.of(formula)

    def _alike(self, agents: tuple[str, ...], state: State, node: int) -> bool:
        other = self._reached.states[node]
        return all(state[index] == other[index] for agent in agents for index in self.system.views[agent])

    def _along(self, formula: Formula, lasso: Lasso) -> list[bool]:
        """Truth at every position of a run."""
        if is_state(formula):
            return [self._at(formula, state) for state in lasso.states]
        args = [self._along(operand, lasso) for operand in operands(formula)]
        size = len(lasso.states)
        if isinstance(formula, CONNECTIVES):
            return [_boolean(formula, [arg[index] for arg in args]) for index in range(size)]
        return _future(formula, args, size, lasso.period)

    def _only_by_ending(self, formula: Formula, state: State) -> bool:
        """Whether the outermost operator holds only because runs end; what is inside is taken as it is, if it is simple."""
        if any(not StateConditions(self.system).decides(part) for path in operands(formula) for part in operands(path)):
            return False
        if self._completed is None:
            whole = completed(self.system)
            if whole is None:
                return False
            stepper = Stepper(whole.system)
            reached = explore(stepper, initial_states(whole.system), 50_000, Budget())
            labels = Judge(stepper, reached, self._reading, Budget()).labels()
            self._completed = whole, reached, labels
        whole, reached, labels = self._completed
        stronger = lasting(formula, logic.Test(whole.stuck))
        if stronger is None:
            return False
        order = [self.system.position.get(variable.key) for variable in whole.system.variables]
        same = tuple(False if place is None else state[place] for place in order)
        return reached.number[same] not in labels.of(stronger)


def says(blocks: tuple[Block, ...]) -> Iterator[Say]:
    for block in blocks:
        if isinstance(block, Say):
            yield block
        elif isinstance(block, Detail):
            yield from says(block.blocks)


FOUND_BEFORE = (7481, 6073, 5665, 8966, 4169)
"""Systems about which a sentence was false, or said nothing."""


def questions(system: System) -> Iterator[tuple[str, Strategies]]:
    """Fragments, with readings of strategies; in an interleaved system strategies are uniform."""
    yield "CTLK", Strategies.ANY
    if not system.interleaved:
        yield "ATLK", Strategies.ANY
    yield "LTL", Strategies.ANY
    yield "ATLK", Strategies.OBJECTIVE
    yield "ATLK", Strategies.SUBJECTIVE


def sentences(seed: int) -> Iterator[tuple[Formula, Truths, Say]]:
    """The sentences about random formulae of a random system."""
    rng = random.Random(seed)
    system = random_system(rng)
    for fragment, reading in questions(system):
        formula = random_formula(rng, system, fragment, 2)
        session = ReferenceEngine().open(system, Options(reading, evidence=True), Budget())
        outcome = session.check(formula)
        if outcome.evidence is None or outcome.verdict is Verdict.UNKNOWN:
            continue
        result = Result.of(outcome, Question(1, formula, ""), "reference", 0.0, reading, None)
        (explanation, *_) = explained(system, result).explanations
        truths = Truths(system, reading)
        for one in (Say(explanation.summary, explanation.asserts), *says(explanation.blocks)):
            yield formula, truths, one


@pytest.mark.parametrize("case", range(CASES))
def test_sentences(case: int) -> None:
    told = 0
    for seed in (*FOUND_BEFORE[case : case + 1], *range(case, SYSTEMS, CASES)):
        for formula, truths, one in sentences(seed):
            assert one.asserts or any(words in one.text for words in UNTESTED), (seed, formula, one.text)
            for assertion in one.asserts:
                told += 1
                assert not truths.wrong(assertion), (seed, formula, one.text, assertion)
    assert told > SYSTEMS // CASES
