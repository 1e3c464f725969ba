"""Deterministic automata of path formulae, compared with the definitions on runs that repeat themselves."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from tests.generators.arenas import random_path

from epistrat.logic import formula as logic
from epistrat.logic.automaton import normal
from epistrat.logic.body import split, unsigned
from epistrat.logic.deterministic.acceptance import Every, Recurs, Some, Zielonka
from epistrat.logic.deterministic.decisions import Reads
from epistrat.logic.deterministic.parity import Parity
from epistrat.logic.deterministic.pieces import TooManyStates
from epistrat.logic.formula import Formula, Prop
from epistrat.model.system import System
from epistrat.terms import TRUE

P, Q, R = Prop("p"), Prop("q"), Prop("r")
Word = Sequence[frozenset[Prop]]


def holds(formula: Formula, word: Word, loop: int) -> bool:
    """The formula on the run that reads the word and goes on from ``loop`` for ever, by the definitions."""
    known: dict[Formula, list[bool]] = {}
    places = range(len(word))

    def after(place: int) -> int:
        return place + 1 if place + 1 < len(word) else loop

    def fixpoint(stay: list[bool], goal: list[bool], value: bool) -> list[bool]:
        found = [value] * len(word)
        while (better := [goal[i] or (stay[i] and found[after(i)]) for i in places]) != found:
            found = better
        return found

    def of(part: Formula) -> list[bool]:
        if part not in known:
            known[part] = compute(part)
        return known[part]

    def compute(part: Formula) -> list[bool]:
        match part:
            case logic.Truth(value):
                return [value] * len(word)
            case logic.Not(arg):
                return [not value for value in of(arg)]
            case logic.And(args):
                return [all(of(arg)[i] for arg in args) for i in places]
            case logic.Or(args):
                return [any(of(arg)[i] for arg in args) for i in places]
            case logic.Next(arg):
                return [of(arg)[after(i)] for i in places]
            case logic.Until(left, right):
                return fixpoint(of(left), of(right), False)
            case logic.Release(left, right):
                return fixpoint(of(right), [of(left)[i] and of(right)[i] for i in places], True)
            case _:
                return [part in letters for letters in word]

    return of(normal(formula, lambda part: isinstance(part, Prop)))[0]


def accepts(machine: Parity, word: Word, loop: int) -> bool:
    state = place = 0
    passed: list[int] = []
    seen: dict[tuple[int, int], int] = {}
    while (state, place) not in seen:
        seen[state, place] = len(passed)
        tree = machine.read(state)
        while isinstance(tree, Reads):
            tree = tree.yes if tree.leaf in word[place] else tree.no
        state, priority = tree.outcome
        passed.append(priority)
        place = place + 1 if place + 1 < len(word) else loop
    return min(passed[seen[state, place] :]) % 2 == 0


@pytest.mark.parametrize("seed", range(6))
def test_on_random_runs(seed: int) -> None:
    rng = random.Random(seed)
    system = System((), TRUE, propositions={"p": TRUE, "q": TRUE, "r": TRUE})
    for _ in range(60):
        formula = split(random_path(rng, system, rng.choice((2, 3, 3)))).formula
        try:
            machine = Parity(formula)
        except TooManyStates:
            continue
        for _ in range(20):
            word = [frozenset(leaf for leaf in (P, Q, R) if rng.random() < 0.5) for _ in range(rng.randint(1, 5))]
            loop = rng.randrange(len(word))
            assert accepts(machine, word, loop) == holds(formula, word, loop), (formula, word, loop)


@pytest.mark.parametrize(
    ("formula", "states"),
    [
        (logic.Globally(logic.Finally(P)), 1),
        (logic.Globally(logic.And((logic.Finally(P), logic.Finally(Q)))), 2),
        (logic.Finally(logic.Globally(logic.Finally(P))), 1),
        (logic.Or((logic.Not(logic.Globally(logic.Finally(P))), logic.Globally(logic.Finally(Q)))), 2),
        (logic.Until(P, Q), 3),
        (logic.Globally(logic.Implies(P, logic.Finally(Q))), 2),
        (logic.Globally(logic.Implies(P, logic.Finally(logic.Not(P)))), 1),
        (logic.Globally(P), 2),
        (logic.Or((logic.And((logic.Finally(P), logic.Finally(Q))), logic.Finally(R))), 5),
    ],
)
def test_sizes(formula: Formula, states: int) -> None:
    machine = Parity(split(formula, unsigned).formula)
    number = 0
    while number < len(machine):
        machine.read(number)
        number += 1
    assert len(machine) <= states


def test_the_tree_of_many_recurrences_is_one_round() -> None:
    tree = Zielonka(Every(tuple(Recurs(number) for number in range(14))), 14)
    assert len(tree.leaves) == 14
    assert {tree.depth(leaf) for leaf in range(14)} == {1}


def test_the_tree_of_a_parity_condition_is_one_branch() -> None:
    condition = Some((Recurs(0), Every((Recurs(1, False), Some((Recurs(2), Every((Recurs(3, False), Some(())))))))))
    tree = Zielonka(condition, 4)
    assert len(tree.leaves) == 1
    assert [tree.read(0, mark)[1] for mark in range(4)] == [0, 1, 2, 3]
