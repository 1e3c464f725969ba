"""The parts of re-checking, each against its definition: truth on lassos, what paths must show, three-valued connectives."""

from __future__ import annotations

import random
from itertools import product

import pytest
from tests.generators.certificates import claimed
from tests.reference.by_enumeration import _boolean, _future, _past

import epistrat
from epistrat.evidence import (
    Along,
    Answer,
    Answered,
    Answers,
    Around,
    Fixpoint,
    Lasso,
    LookAlike,
    Part,
    Path,
    Reason,
    Tree,
    UniformStrategy,
)
from epistrat.evidence.conditions import StateConditions, combine
from epistrat.evidence.linear import LassoTruth
from epistrat.evidence.replay import replay
from epistrat.evidence.restrict import restrict
from epistrat.evidence.shapes import Reach, Stay, shapes
from epistrat.lang import load
from epistrat.logic.formula import (
    FUTURE,
    PAST,
    And,
    Colour,
    Exists,
    Finally,
    ForAll,
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
    operands,
)
from epistrat.model.step import Stepper

P, Q = Prop("p"), Prop("q")
UNARY = (Not, Next, Finally, Globally, Yesterday, Once, Historically)
BINARY = (Until, WeakUntil, Release, Since, Implies, Iff, Xor)


def random_path_formula(rng: random.Random, depth: int) -> Formula:
    if depth == 0:
        return rng.choice((P, Q))
    if rng.random() < 0.5:
        return rng.choice(UNARY)(random_path_formula(rng, depth - 1))
    left, right = (random_path_formula(rng, depth - 1) for _ in range(2))
    return rng.choice((And, Or))((left, right)) if rng.random() < 0.3 else rng.choice(BINARY)(left, right)


def by_definition(formula: Formula, word: list[tuple[bool, bool]], period: int) -> list[bool]:
    """The truth at every point of a word whose last ``period`` letters repeat for ever."""
    if isinstance(formula, Prop):
        return [letter[formula == Q] for letter in word]
    if isinstance(formula, Truth):
        return [formula.value] * len(word)
    args = [by_definition(operand, word, period) for operand in operands(formula)]
    if isinstance(formula, FUTURE):
        return _future(formula, args, len(word), period)
    if isinstance(formula, PAST):
        return _past(formula, args, len(word))
    return [_boolean(formula, [arg[index] for arg in args]) for index in range(len(word))]


def test_truth_on_lassos_is_that_of_the_definition() -> None:
    rng = random.Random(7)
    for _ in range(600):
        length = rng.randint(1, 4)
        loop = rng.randrange(length)
        word = [(rng.random() < 0.5, rng.random() < 0.5) for _ in range(length)]
        formula = random_path_formula(rng, 3)

        def letter(at: int, part: Formula, word: list[tuple[bool, bool]] = word) -> bool:
            return by_definition(part, [word[at]], 1)[0]

        found = LassoTruth(length, loop, letter).word(formula)
        unrolled = word + word[loop:] * 6
        expected = by_definition(formula, unrolled, length - loop)
        assert [found.at(point) for point in range(length + 2)] == expected[: length + 2], (formula, word, loop)


SHAPES = {
    Exists(Next(P)): (True, [Reach(((P, True),), steps=1)]),
    Exists(Finally(P)): (True, [Reach(((P, True),))]),
    Exists(Until(P, Q)): (True, [Reach(((Q, True),), ((P, True),))]),
    Exists(Globally(P)): (True, [Stay(((P, True),))]),
    Exists(WeakUntil(P, Q)): (True, [Reach(((Q, True),), ((P, True),)), Stay(((P, True),))]),
    Exists(Release(P, Q)): (True, [Reach(((P, True), (Q, True)), ((Q, True),)), Stay(((Q, True),))]),
    ForAll(Next(P)): (False, [Reach(((P, False),), steps=1)]),
    ForAll(Globally(P)): (False, [Reach(((P, False),))]),
    ForAll(Until(P, Q)): (False, [Reach(((P, False), (Q, False)), ((Q, False),)), Stay(((Q, False),))]),
    ForAll(Finally(P)): (False, [Stay(((P, False),))]),
    ForAll(WeakUntil(P, Q)): (False, [Reach(((P, False), (Q, False)), ((Q, False),))]),
    ForAll(Release(P, Q)): (False, [Reach(((Q, False),), ((P, False),))]),
}


@pytest.mark.parametrize("claim", SHAPES, ids=str)
def test_what_a_path_must_show(claim: Formula) -> None:
    def sorted_targets(shape: Reach | Stay) -> Reach | Stay:
        return (
            Reach(tuple(sorted(shape.target, key=str)), shape.through, shape.steps)
            if isinstance(shape, Reach)
            else shape
        )

    holds, expected = SHAPES[claim]
    assert list(map(sorted_targets, shapes(claim, holds))) == expected
    assert shapes(claim, not holds) == ()


@pytest.mark.parametrize("formula", [And((P, Q)), Or((P, Q)), Implies(P, Q), Iff(P, Q), Xor(P, Q)], ids=str)
def test_connectives_of_what_is_not_known(formula: Formula) -> None:
    """A connective is known if all ways to fill in what is not known agree."""
    for values in product((True, False, None), repeat=2):
        filled = product(*[(True, False) if value is None else (value,) for value in values])
        results = {_boolean(formula, list(one)) for one in filled}
        exact = isinstance(formula, (And, Or, Implies))
        expected = results.pop() if len(results) == 1 and (exact or None not in values) else None
        assert combine(formula, list(values)) is expected, values


def test_who_has_no_red_states_is_always_green() -> None:
    system = load("""
    Agent A Vars: n : 0..1; end Vars RedStates: n = 1; end RedStates Actions = {a}; Protocol: Other : {a}; end Protocol end Agent
    Agent B Vars: m : 0..1; end Vars Actions = {a}; Protocol: Other : {a}; end Protocol end Agent
    Evaluation p if A.n = 0; end Evaluation
    InitStates A.n = 0; end InitStates
    """).system
    assert system is not None
    conditions = StateConditions(system)
    for agent, state, green in [
        ("A", (0, 0), True),
        ("A", (1, 0), False),
        ("B", (1, 1), True),
        ("Environment", (1, 1), True),
    ]:
        assert conditions.holds(Colour(agent, green=True), state) is green
        assert conditions.holds(Colour(agent, green=False), state) is not green


# By hand: certificates that one careless check would accept.  A and B each see their own variable; only both together see everything.
PAIR = epistrat.load("""
Agent A
  Vars: x : 0..1; end Vars
  Actions = {l, r};
  Protocol: x = 1 : {r}; Other : {l, r}; end Protocol
  Evolution: x = 1 if Action = r; end Evolution
end Agent
Agent B
  Vars: y : 0..1; end Vars
  Actions = {l, r};
  Protocol: Other : {l, r}; end Protocol
  Evolution: y = 1 if Action = r; y = 0 if Action = l and A.Action = l; end Evolution
end Agent
Evaluation p if A.x = 0 and B.y = 0; one if A.x = 1; two if B.y = 1; end Evaluation
InitStates A.x = 0 and B.y = 0; end InitStates
Groups ab = {A, B}; a = {A}; end Groups
""")
FAIR_PAIR = epistrat.load(PAIR.to_ispl().replace("Groups\n", "Fairness\n  !two;\nend Fairness\nGroups\n", 1))
ENDING = epistrat.load("""
Composition = Interleaved;
Agent A
  Vars: x : 0..2; end Vars
  Actions = {go};
  Protocol: x = 0 : {go}; end Protocol
  Evolution: x = 1 if Action = go; end Evolution
end Agent
Evaluation two if A.x = 2; end Evaluation
InitStates A.x = 0; end InitStates
""")
START = (0, 0)
RR, LR, RL, LL = ("r", "r"), ("l", "r"), ("r", "l"), ("l", "l")


def answers(joints: dict[str, tuple[str, str]], target: dict[str, tuple[int, int]]) -> Answered:
    moves = tuple(Answer(START, (choice,), joint, target[choice]) for choice, joint in joints.items())
    return Answered(Answers(PAIR.group("a"), moves, True))


def tree(system: epistrat.System, state: tuple[int, ...], formula: str, holds: bool, *because: Reason) -> Tree:
    return Tree(state, system.formula(formula), holds, because)


LOOK_ALIKE = LookAlike(("A",), Path((START, (0, 1)), (LR,)), tree(PAIR, (0, 1), "p", False))
FALSE_EVIDENCE = {
    "a look-alike of one member for DK": (PAIR, tree(PAIR, START, "DK(ab, p)", False, LOOK_ALIKE)),
    "a state that is not initial": (PAIR, tree(PAIR, (1, 0), "p", False)),
    "an action that is not allowed": (
        PAIR,
        tree(PAIR, START, "AG !(one and p)", False, Along(Path((START, (1, 0), (1, 0)), (RL, LL)), ())),
    ),
    "fair only before the loop": (
        FAIR_PAIR,
        tree(FAIR_PAIR, START, "EX EG two", True, Around(Lasso((START, (0, 1)), (LR, LR), 1), ())),
    ),
    "a fair start whose loop is not fair": (
        FAIR_PAIR,
        tree(FAIR_PAIR, START, "E G true", True, Around(Lasso((START, (0, 1)), (LR, LR), 1), ())),
    ),
    "nobody acts, and the state changes": (
        ENDING,
        tree(
            ENDING,
            (0,),
            "EF two",
            True,
            Along(Path(((0,), (1,), (2,)), (("go",), (None,))), ((2, tree(ENDING, (2,), "two", True)),)),
        ),
    ),
    "a set of states against what the state shows": (
        PAIR,
        tree(PAIR, START, "p or EF two", False, Fixpoint("excluded", 0)),
    ),
    "both a claim and its opposite": (
        PAIR,
        tree(
            PAIR,
            START,
            "AG AF two and !(AG AF two)",
            True,
            Part(tree(PAIR, START, "AG AF two", True, Fixpoint("safe", 4))),
            Part(
                tree(
                    PAIR,
                    START,
                    "!(AG AF two)",
                    True,
                    Part(tree(PAIR, START, "AG AF two", False, Fixpoint("excluded", 0))),
                )
            ),
        ),
    ),
    "an answer that changes the choice": (
        PAIR,
        tree(PAIR, START, "<a>X one", False, answers({"l": LL, "r": LL}, {"l": START, "r": START})),
    ),
}


@pytest.mark.parametrize("name", FALSE_EVIDENCE)
def test_false_evidence_is_refused(name: str) -> None:
    system, given = FALSE_EVIDENCE[name]
    assert not replay(system, claimed(given), survey=0).ok


def test_the_size_of_a_set_is_checked_where_all_states_are_visited() -> None:
    """p or one or two holds in all four reachable states."""
    for size, right in [(4, True), (3, False), (5, False)]:
        given = tree(PAIR, START, "AG (p or one or two)", True, Fixpoint("reachable", size))
        assert replay(PAIR, claimed(given)).ok is right


def test_a_restricted_protocol_allows_nothing_new() -> None:
    """Where x is 1 only r is allowed; a strategy that says l there leaves r."""
    strategy = UniformStrategy(PAIR.group("a"), (("A", (((0,), "l"), ((1,), "l"))),))
    narrowed = restrict(PAIR, strategy)
    stepper = Stepper(narrowed)
    assert stepper.allowed(narrowed.agents[0], (0, 0)) == ("l",)
    assert stepper.allowed(narrowed.agents[0], (1, 0)) == ("r",)
    backwards = restrict(PAIR, UniformStrategy(PAIR.group("a"), (("A", (((1,), "r"),)),)))
    assert Stepper(backwards).allowed(backwards.agents[0], (0, 0)) == ("l", "r")
