"""Automata of linear formulae, held against the definition of truth on lassos."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from epistrat.logic.automaton import Automaton, automaton
from epistrat.logic.formula import (
    And,
    Finally,
    Formula,
    Globally,
    Historically,
    Iff,
    Implies,
    Next,
    Not,
    Once,
    Or,
    Prop,
    Release,
    Since,
    Truth,
    Until,
    WeakUntil,
    Xor,
    Yesterday,
)

Word = list[frozenset[str]]
P, Q = Prop("p"), Prop("q")


def truth(formula: Formula, word: Word, loop: int) -> list[bool]:
    """Truth at each position of a lasso, for positions far enough to the right to be periodic; the definition, unrolled."""
    rounds = 6
    period = word[loop:]
    unrolled = word + period * rounds
    return _truth(formula, unrolled, len(period))


def _truth(formula: Formula, word: Word, period: int) -> list[bool]:
    length = len(word)
    match formula:
        case Truth(value):
            return [value] * length
        case Prop(name):
            return [name in letter for letter in word]
        case Not(arg):
            return [not value for value in _truth(arg, word, period)]
        case And(args):
            return [all(values) for values in zip(*[_truth(arg, word, period) for arg in args], strict=True)]
        case Or(args):
            return [any(values) for values in zip(*[_truth(arg, word, period) for arg in args], strict=True)]
        case Implies(left, right):
            return _truth(Or((Not(left), right)), word, period)
        case Iff(left, right):
            return _truth(Not(Xor(left, right)), word, period)
        case Xor(left, right):
            return [a != b for a, b in zip(_truth(left, word, period), _truth(right, word, period), strict=True)]
        case _:
            return _temporal(formula, word, period)


def _temporal(formula: Formula, word: Word, period: int) -> list[bool]:
    length = len(word)
    match formula:
        case Next(arg):
            inner = _truth(arg, word, period)
            return [*inner[1:], inner[length - period]]
        case Finally(arg):
            return _truth(Until(Truth(True), arg), word, period)
        case Globally(arg):
            return _truth(Not(Finally(Not(arg))), word, period)
        case WeakUntil(left, right):
            return _truth(Or((Until(left, right), Globally(left))), word, period)
        case Release(left, right):
            return _truth(Not(Until(Not(left), Not(right))), word, period)
        case Until(left, right):
            a, b = _truth(left, word, period), _truth(right, word, period)
            values = [False] * length
            for _ in range(2):
                for i in reversed(range(length)):
                    after = values[i + 1] if i + 1 < length else values[length - period]
                    values[i] = b[i] or (a[i] and after)
            return values
        case _:
            return _past(formula, word, period)


def _past(formula: Formula, word: Word, period: int) -> list[bool]:
    match formula:
        case Yesterday(arg):
            return [False, *_truth(arg, word, period)[:-1]]
        case Once(arg):
            return _truth(Since(Truth(True), arg), word, period)
        case Historically(arg):
            return _truth(Not(Once(Not(arg))), word, period)
        case Since(left, right):
            a, b = _truth(left, word, period), _truth(right, word, period)
            values = [False] * len(word)
            for i in range(len(word)):
                values[i] = b[i] or (a[i] and i > 0 and values[i - 1])
            return values
        case _:
            raise AssertionError(formula)


def accepts(machine: Automaton, word: Word, loop: int) -> bool:
    """Whether some run over the lasso meets every acceptance set again and again: search in the product."""
    edges: dict[tuple[int, int], list[tuple[tuple[int, int], frozenset[int]]]] = {}
    for position, letter in enumerate(word):
        after = position + 1 if position + 1 < len(word) else loop
        for t in machine.transitions:
            if all((isinstance(atom, Prop) and atom.name in letter) is value for atom, value in t.literals):
                edges.setdefault((position, t.source), []).append(((after, t.target), t.sets))
    reach = _closure(edges, {(0, 0)})
    everything = frozenset(range(machine.acceptance))
    for node in reach:
        around = _closure(edges, {target for target, _ in edges.get(node, [])})
        if node in around:
            component = {other for other in around if node in _closure(edges, {t for t, _ in edges.get(other, [])})}
            met = [s for one in component for target, s in edges.get(one, []) if target in component]
            if frozenset().union(*met) >= everything:
                return True
    return False


def _closure(
    edges: dict[tuple[int, int], list[tuple[tuple[int, int], frozenset[int]]]], start: set[tuple[int, int]]
) -> set[tuple[int, int]]:
    found, todo = set(start), list(start)
    while todo:
        for target, _ in edges.get(todo.pop(), []):
            if target not in found:
                found.add(target)
                todo.append(target)
    return found


def random_path(rng: random.Random, depth: int) -> Formula:
    if depth == 0:
        return rng.choice((P, Q, P, Q, Truth(True)))

    def inner() -> Formula:
        return random_path(rng, depth - 1)

    unary = (Not, Next, Finally, Globally, Yesterday, Once, Historically)
    binary = (Until, WeakUntil, Release, Since, Implies, Iff, Xor)
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice((And, Or))((inner(), inner()))
    return rng.choice(unary)(inner()) if kind < 3 else rng.choice(binary)(inner(), inner())


@pytest.mark.parametrize("seed", range(300))
def test_automata_accept_what_the_definition_says(seed: int) -> None:
    rng = random.Random(seed)
    formula = random_path(rng, rng.randint(1, 3))
    machine = automaton(formula, lambda part: isinstance(part, Prop))
    for _ in range(6):
        word: Word = [frozenset(name for name in "pq" if rng.random() < 0.5) for _ in range(rng.randint(1, 4))]
        loop = rng.randrange(len(word))
        assert accepts(machine, word, loop) == truth(formula, word, loop)[0], (formula, word, loop)


@pytest.mark.parametrize(
    ("formula", "states", "transitions", "acceptance"),
    [
        (Globally(Finally(P)), 2, 4, 1),
        (Not(Globally(Implies(P, Finally(Q)))), 2, 3, 1),
        (Not(Implies(Globally(Finally(P)), Globally(Finally(Q)))), 5, 16, 2),
        (And(tuple(Finally(Prop(f"p{i}")) for i in range(5))), 33, 275, 5),
    ],
)
def test_automata_are_small(formula: Formula, states: int, transitions: int, acceptance: int) -> None:
    machine = automaton(formula)
    assert machine.states <= states
    assert len(machine.transitions) <= transitions
    assert machine.acceptance == acceptance


def test_atoms_are_left_alone() -> None:
    machine = automaton(Globally(Or((P, Not(Q)))))
    assert set(machine.atoms) == {P, Q}


@pytest.mark.parametrize(
    "formula",
    [
        Not(Since(Finally(P), Finally(P))),
        Globally(Not(Since(Globally(P), Globally(P)))),
        Not(Historically(Truth(True))),
        Finally(Finally(Until(P, Until(P, Q)))),
        Not(Release(P, Release(P, Truth(False)))),
        Until(Truth(False), Since(Truth(False), Next(P))),
    ],
)
def test_simplified_operators_keep_their_meaning(formula: Formula) -> None:
    rng = random.Random(1)
    machine = automaton(formula, lambda part: isinstance(part, Prop))
    for _ in range(40):
        word: Word = [frozenset(name for name in "pq" if rng.random() < 0.6) for _ in range(rng.randint(1, 4))]
        loop = rng.randrange(len(word))
        assert accepts(machine, word, loop) == truth(formula, word, loop)[0], (word, loop)


def test_construction_can_be_ended() -> None:
    def enough() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        automaton(Globally(Finally(P)), tick=enough)


def test_past_that_is_no_longer_asked_for_is_forgotten() -> None:
    machine = automaton(Since(Finally(P), Globally(Q)))
    assert machine.states <= 3


def test_the_automaton_does_not_depend_on_the_order_of_sets() -> None:
    """In each process strings have other hashes, and sets another order; what is shown to people must not."""
    script = (
        "from epistrat.logic.automaton import automaton;from epistrat.logic.formula import *;p,q=Prop('p'),Prop('q');"
        "a=automaton(And((Globally(Finally(p)),Finally(And((q,Once(p)))),Globally(Implies(p,Finally(q))))));"
        "print([(t.source,sorted(map(str,t.literals)),t.target,sorted(t.sets)) for t in a.transitions])"
    )
    environments = [{**os.environ, "PYTHONHASHSEED": seed} for seed in ("1", "2")]
    made = [subprocess.run([sys.executable, "-c", script], env=env, capture_output=True) for env in environments]
    assert made[0].stdout == made[1].stdout != b""
