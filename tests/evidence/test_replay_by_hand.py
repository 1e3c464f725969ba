"""Evidence made by hand: what is right replays, and every way of being wrong is noticed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path as File

import jsonschema
import pytest
from tests.generators.certificates import claimed

from epistrat.evidence import (
    Along,
    Answer,
    Answered,
    Answers,
    Around,
    Elsewhere,
    Enforced,
    Fixpoint,
    Lasso,
    LookAlike,
    Part,
    Path,
    StateStrategy,
    Tree,
    UniformStrategy,
)
from epistrat.evidence.coverage import Coverage, TooMany
from epistrat.evidence.points import FAIR_START
from epistrat.evidence.replay import replay
from epistrat.evidence.restrict import restrict
from epistrat.evidence.runs import RunChecker
from epistrat.logic.formula import (
    And,
    Coalition,
    Common,
    Correct,
    Distributed,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Group,
    Knows,
    Next,
    Not,
    Once,
    Prop,
    Until,
)
from epistrat.logic.show import show
from epistrat.model.builder import Builder
from epistrat.model.step import Stepper
from epistrat.model.system import Composition, System
from epistrat.render.json.evidence import evidence_json
from epistrat.render.json.reading import Unreadable, read_evidence

SCHEMA = json.loads((File(__file__).parents[2] / "docs/schema/evidence-1.json").read_text())
LIT, DARK = Prop("lit"), Not(Prop("lit"))


def lamp(fair: bool = False, awake: bool = True) -> System:
    """A lamp that anyone may press; a guard that sees nothing, and a keeper that may block the lamp and is ``awake`` at first."""
    model = Builder()
    agent = model.agent("Lamp")
    on = agent.boolean("on")
    agent.actions("press", "wait")
    agent.may("press", "wait")
    keeper = model.agent("Keeper")
    asleep = keeper.boolean("asleep")
    keeper.actions("block", "allow")
    keeper.may("block", "allow")
    keeper.evolve(keeper.action == "allow", asleep=~asleep)
    keeper.red(asleep)
    agent.evolve((agent.action == "press") & (keeper.action == "allow"), on=~on)
    model.initial(~on & ~asleep if awake else ~on)
    model.proposition("lit", on)
    system = model.build()
    return replace(system, fairness=(LIT,)) if fair else system


OFF, OFF2, ON = (False, False), (False, True), (True, True)
PRESS, HOLD, IDLE = ("press", "allow"), ("wait", "block"), ("wait", "allow")
TO_ON = Path((OFF, ON), (PRESS,))
STAY = Lasso((OFF,), (HOLD,), 0)
LAMP, KEEPER = Group(("Lamp",)), Group(("Keeper",))

BLOCKED = Answers(LAMP, (Answer(OFF, ("press",), ("press", "block"), OFF), Answer(OFF, ("wait",), HOLD, OFF)))
GOOD = {
    "atom": Tree(OFF, DARK, True),
    "path": Tree(OFF, Exists(Finally(LIT)), True, (Along(TO_ON, ((1, Tree(ON, LIT, True)),)),)),
    "path with nothing said": Tree(OFF, ForAll(Globally(DARK)), False, (Along(TO_ON),)),
    "next": Tree(OFF, Exists(Next(LIT)), True, (Along(TO_ON),)),
    "until": Tree(OFF, Exists(Until(DARK, LIT)), True, (Along(TO_ON),)),
    "lasso": Tree(OFF, ForAll(Finally(LIT)), False, (Around(STAY),)),
    "linear": Tree(OFF, ForAll(Finally(LIT), star=True), False, (Around(STAY),)),
    "part": Tree(
        OFF, And((DARK, Exists(Next(LIT)))), True, (Part(Tree(OFF, Exists(Next(LIT)), True, (Along(TO_ON),))),)
    ),
    "nested": Tree(
        OFF,
        Exists(Next(Exists(Next(DARK)))),
        True,
        (Along(TO_ON, ((1, Tree(ON, Exists(Next(DARK)), True, (Along(Path((ON, OFF), (PRESS,))),))),)),),
    ),
    "look-alike": Tree(
        OFF,
        Knows("Keeper", DARK),
        False,
        (LookAlike(("Keeper",), Path((OFF, ON, (True, False)), (PRESS, IDLE)), Tree((True, False), DARK, False)),),
    ),
    "correct": Tree(
        OFF,
        Correct("Keeper", DARK),
        False,
        (Elsewhere(Path((OFF, ON, (True, False)), (PRESS, IDLE)), Tree((True, False), DARK, False)),),
    ),
    "common": Tree(
        OFF,
        Common(Group(("Keeper", "Lamp")), Not(Prop("lit"))),
        False,
        (
            LookAlike(
                ("Keeper",),
                Path((OFF, ON, (True, False)), (PRESS, IDLE)),
                Tree(
                    (True, False),
                    Common(Group(("Keeper", "Lamp")), DARK),
                    False,
                    (Part(Tree((True, False), DARK, False)),),
                ),
            ),
        ),
    ),
    "strategy": Tree(
        OFF,
        Coalition(Group(("Lamp", "Keeper")), Finally(LIT)),
        True,
        (Enforced(StateStrategy(Group(("Lamp", "Keeper")), ((OFF, PRESS),))),),
    ),
    "uniform": Tree(
        OFF,
        Coalition(LAMP, Globally(DARK)),
        True,
        (Enforced(UniformStrategy(LAMP, (("Lamp", (((False,), "wait"),)),))),),
    ),
    "answers": Tree(OFF, Coalition(LAMP, Finally(LIT)), False, (Answered(BLOCKED),)),
    "word": Tree(OFF, ForAll(Globally(Exists(Finally(LIT)))), True, (Fixpoint("safe", 4),)),
}


@pytest.mark.parametrize("name", GOOD)
def test_good_evidence_replays(name: str) -> None:
    found = replay(lamp(), claimed(GOOD[name]))
    assert found.problems == ()
    assert found.complete
    assert replay(lamp(), claimed(GOOD[name]), survey=0).complete == (name != "word")


@pytest.mark.parametrize("name", GOOD)
def test_the_opposite_claim_does_not_replay(name: str) -> None:
    tree = GOOD[name]
    assert not replay(lamp(), claimed(replace(tree, holds=not tree.holds))).ok


@pytest.mark.parametrize("name", GOOD)
def test_json_is_valid_and_reads_back(name: str) -> None:
    tree = GOOD[name]
    known: dict[str, Formula] = {show(part.claim): part.claim for part in _all_trees(tree)}
    data = json.loads(json.dumps(evidence_json(lamp(), tree)))
    jsonschema.validate(data, SCHEMA)
    assert read_evidence(lamp(), data, known.__getitem__) == tree


def _all_trees(tree: Tree) -> list[Tree]:
    return [tree, *[inner for below in tree.below() for inner in _all_trees(below)]]


BAD = {
    "atom": Tree(OFF, LIT, True),
    "not initial": Tree(ON, LIT, True),
    "not initial, fails": Tree(ON, DARK, False),
    "look-alike of some members": Tree(
        OFF,
        Distributed(Group(("Keeper", "Lamp")), DARK),
        False,
        (LookAlike(("Keeper",), Path((OFF, ON, (True, False)), (PRESS, IDLE)), Tree((True, False), DARK, False)),),
    ),
    "impossible step": Tree(OFF, Exists(Finally(LIT)), True, (Along(Path((OFF, ON), (("wait", "allow"),))),)),
    "impossible action": Tree(OFF, Exists(Next(DARK)), True, (Along(Path((OFF, OFF), (("jump", "allow"),))),)),
    "path starts elsewhere": Tree(OFF, Exists(Finally(LIT)), True, (Along(Path((ON,), ())),)),
    "path misses the goal": Tree(OFF, Exists(Finally(LIT)), True, (Along(Path((OFF,), ())),)),
    "path too long for next": Tree(OFF, Exists(Next(LIT)), True, (Along(Path((OFF, OFF, ON), (HOLD, PRESS))),)),
    "until broken": Tree(OFF, Exists(Until(LIT, LIT)), True, (Along(TO_ON),)),
    "lasso does not close": Tree(OFF, ForAll(Finally(LIT)), False, (Around(Lasso((OFF,), (IDLE,), 0)),)),
    "lasso loops nowhere": Tree(OFF, ForAll(Finally(LIT)), False, (Around(Lasso((OFF,), (HOLD,), 1)),)),
    "claim about another position": Tree(OFF, Exists(Finally(LIT)), True, (Along(TO_ON, ((0, Tree(ON, LIT, True)),)),)),
    "part about another state": Tree(OFF, Not(LIT), True, (Part(Tree(ON, LIT, False)),)),
    "false part": Tree(OFF, Not(Not(LIT)), True, (Part(Tree(OFF, Not(LIT), False)),)),
    "looks different": Tree(OFF, Knows("Keeper", DARK), False, (LookAlike(("Keeper",), TO_ON, Tree(ON, DARK, False)),)),
    "look-alike where it is as known": Tree(
        OFF, Knows("Keeper", DARK), False, (LookAlike(("Keeper",), Path((OFF,), ()), Tree(OFF, DARK, True)),)
    ),
    "wrong agent": Tree(
        OFF,
        Knows("Lamp", DARK),
        False,
        (LookAlike(("Keeper",), Path((OFF, ON, (True, False)), (PRESS, IDLE)), Tree((True, False), DARK, False)),),
    ),
    "not reached": Tree(
        OFF,
        Knows("Keeper", DARK),
        False,
        (LookAlike(("Keeper",), Path(((True, False),), ()), Tree((True, False), DARK, False)),),
    ),
    "red state": Tree(OFF, Correct("Keeper", DARK), False, (Elsewhere(TO_ON, Tree(ON, DARK, False)),)),
    "strategy fails": Tree(
        OFF,
        Coalition(LAMP, Finally(LIT)),
        True,
        (Enforced(StateStrategy(LAMP, ((OFF, ("press",)), (OFF2, ("press",))))),),
    ),
    "strategy silent": Tree(
        OFF, Coalition(LAMP, Globally(DARK)), True, (Enforced(StateStrategy(LAMP, ((OFF, ("wait",)),))),)
    ),
    "missing answer": Tree(
        OFF, Coalition(LAMP, Finally(LIT)), False, (Answered(replace(BLOCKED, moves=BLOCKED.moves[:1])),)
    ),
    "answers walk in circles": Tree(OFF, Coalition(LAMP, Globally(DARK)), False, (Answered(BLOCKED),)),
    "answer lets the group win": Tree(
        OFF,
        Coalition(LAMP, Finally(LIT)),
        False,
        (Answered(replace(BLOCKED, moves=(Answer(OFF, ("press",), PRESS, ON), BLOCKED.moves[1]))),),
    ),
    "no reasons": Tree(OFF, Exists(Finally(LIT)), True),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_evidence_is_noticed(name: str) -> None:
    assert not replay(lamp(), claimed(BAD[name])).ok


def test_unfair_lasso_is_noticed() -> None:
    assert not replay(lamp(fair=True), claimed(GOOD["lasso"])).ok


def test_fairness_must_be_met_in_the_repeated_part() -> None:
    once = Lasso((OFF, ON, OFF), (PRESS, PRESS, HOLD), 2)
    assert not replay(lamp(fair=True), claimed(Tree(OFF, FAIR_START, True, (Around(once),)))).ok


def test_where_nobody_acts_nothing_changes() -> None:
    model = Builder()
    agent = model.agent("A")
    done = agent.boolean("done")
    agent.actions("go")
    agent.may("go", when=~done)
    agent.evolve(agent.action == "go", done=True)
    model.initial(~done)
    system = replace(model.build(), composition=Composition.INTERLEAVED)
    runs = RunChecker(system)
    assert runs.step((False,), ("go",), (True,)) is None
    assert runs.step((True,), (None,), (True,)) is None
    assert runs.step((True,), (None,), (False,)) is not None


def test_a_restricted_protocol_allows_nothing_new() -> None:
    model = Builder()
    agent = model.agent("A")
    done = agent.boolean("done")
    agent.actions("go", "stay")
    agent.may("go", when=~done)
    agent.otherwise("stay")
    agent.evolve(agent.action == "go", done=True)
    model.initial(~done)
    system = model.build()
    narrowed = restrict(system, UniformStrategy(Group(("A",)), (("A", (((False,), "stay"),)),)))
    assert Stepper(narrowed).allowed(narrowed.agents[0], (False,)) == ("go",)
    assert Stepper(narrowed).allowed(narrowed.agents[0], (True,)) == ("stay",)


def test_fair_paths_need_a_fair_end() -> None:
    around = Around(Lasso((ON, (True, False)), (IDLE, IDLE), 0))
    fair_end = Tree(ON, FAIR_START, True, (around,))
    claim = Exists(Finally(LIT))
    assert replay(lamp(fair=True), claimed(Tree(OFF, claim, True, (Along(TO_ON, ((1, fair_end),)),)))).complete
    assert not replay(lamp(fair=True), claimed(Tree(OFF, claim, True, (Along(TO_ON),)))).ok


def test_past_is_read_along_the_lasso() -> None:
    """On off, on, off, off, ...: later always Once lit, but not at time 0."""
    run = Lasso((OFF, ON, (False, False)), (PRESS, PRESS, HOLD), 2)
    good = Exists(Next(Next(Globally(And((DARK, Once(LIT)))))), star=True)
    assert replay(lamp(), claimed(Tree(OFF, good, True, (Around(run),)))).complete
    assert not replay(lamp(), claimed(Tree(OFF, Exists(Once(LIT), star=True), True, (Around(run),)))).ok


def test_unreadable_evidence_says_so() -> None:
    with pytest.raises(Unreadable, match="state: there is no"):
        read_evidence(
            lamp(), {"because": [], "state": {"Lamp.on": True}, "claim": "x", "holds": True}, lambda text: LIT
        )


def test_what_a_strategy_shows_of_the_initial_states_is_said_only_where_they_can_be_counted() -> None:
    """The same strategy serves both initial states of a lamp whose keeper may be asleep; with one of them in sight nobody can tell."""
    either = lamp(awake=False)
    tree = GOOD["uniform"]
    seen = replay(either, claimed(tree)).starts
    assert (seen.rechecked, seen.missing, seen.served) == (2, 0, True)
    unseen = replay(either, claimed(tree), limit=1).starts
    assert (unseen.rechecked, unseen.missing, unseen.served) == (1, None, False)
    other = replay(either, claimed(GOOD["path"])).starts
    assert (other.missing, other.served) == (0, False)


def test_a_member_with_one_choice_need_not_be_named() -> None:
    """In an interleaved system everybody's choice restricts what happens; whoever has only one restricts nothing by it."""
    model = Builder()
    first = model.agent("First")
    done = first.boolean("done")
    first.actions("go", "stay")
    first.may("go", "stay")
    first.evolve(first.action == "go", done=True)
    second = model.agent("Second")
    idle = second.boolean("idle")
    second.actions("rest")
    second.may("rest")
    model.initial(~done & ~idle)
    model.proposition("lit", done)
    system = replace(model.build(), composition=Composition.INTERLEAVED)
    both = Group(("First", "Second"))
    for moves, ok in (((("First", (((False,), "stay"),)),), True), ((("Second", (((False,), "rest"),)),), False)):
        tree = Tree((False, False), Coalition(both, Globally(DARK)), True, (Enforced(UniformStrategy(both, moves)),))
        found = replay(system, claimed(tree))
        assert found.ok is ok, found.problems


@pytest.mark.parametrize(("limit", "enough"), [(3, True), (2, False)])
def test_as_many_ways_to_fix_actions_are_tried_as_is_allowed(limit: int, enough: bool) -> None:
    """One decision with two actions: the question and its two answers are three steps."""
    strategies = [UniformStrategy(LAMP, (("Lamp", (((False,), action),)),)) for action in ("press", "wait")]
    coverage = Coverage(Stepper(lamp()), limit)
    if enough:
        assert coverage.complete(strategies)
    else:
        with pytest.raises(TooMany):
            coverage.complete(strategies)


def test_initial_states_that_nobody_looked_at_are_listed() -> None:
    """A path from one initial state shows nothing about the other one, and not all states may be visited to make up for it."""
    found = replay(lamp(awake=False), claimed(GOOD["path"]), survey=0)
    assert found.ok and not found.complete
    assert found.trusted == ("EF lit holds in 1 more initial state",)
    assert (found.starts.rechecked, found.starts.missing, found.starts.examples) == (1, 1, (OFF2,))
