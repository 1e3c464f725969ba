"""What a question needs, what an engine accepts, and the difference as the message."""

from __future__ import annotations

from dataclasses import replace

import pytest

import epistrat
from epistrat.engines import registry
from epistrat.engines.contract import Engine, Options, Session, Strategies, Watcher, silent
from epistrat.engines.needs import Accepts, Constraints, needs, refusal, undefined
from epistrat.logic.fragment import Feature, fragment
from epistrat.model.system import Blocking, Composition, Scheduling, System
from epistrat.solvers.budget import Budget

MODEL = """
Agent A
  Vars: x: {kind}; end Vars
  Actions = {{up, stay}};
  Protocol: Other: {{up, stay}}; end Protocol
  Evolution: x = x + 1 if Action = up and x < 3; end Evolution
end Agent
Evaluation zero if A.x = 0; end Evaluation
InitStates A.x = 0; end InitStates
Groups g = {{A}}; end Groups
"""


def system(kind: str = "0..3") -> epistrat.System:
    return epistrat.load(MODEL.format(kind=kind))


class Picky(Engine):
    """Accepts what a test says."""

    name = "picky"

    def __init__(self, accepts: Accepts) -> None:
        self.accepts = accepts

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("text", "features"),
    [
        ("AG zero", set()),
        ("AG K(A, zero)", {Feature.KNOWLEDGE}),
        ("AF zero", {Feature.DEAD_ENDS}),
        ("EF zero", {Feature.REACHING}),
        ("EF K(A, zero)", {Feature.BRANCHING, Feature.KNOWLEDGE}),
        ("AG (zero -> AG zero)", {Feature.NESTED_INVARIANTS}),
        ("AG (AG zero or AG !zero)", {Feature.BRANCHING}),
        ("AG EF zero", {Feature.BRANCHING}),
        ("LTL F zero", {Feature.LINEAR}),
        (
            "LTL G (zero -> F K(A, Once zero))",
            {Feature.LINEAR, Feature.PAST, Feature.KNOWLEDGE, Feature.PATH_KNOWLEDGE},
        ),
        ("AX zero", {Feature.DEAD_ENDS, Feature.NEXT_OR_UNTIL}),
        ("zero", {Feature.INITIAL}),
        ("K(A, zero) or !zero", {Feature.INITIAL, Feature.KNOWLEDGE}),
        ("AG K(A, X X zero)", {Feature.KNOWLEDGE, Feature.PATH_KNOWLEDGE}),
        ("AG K(A, F zero)", {Feature.KNOWLEDGE, Feature.PATH_KNOWLEDGE, Feature.KNOWN_FUTURE}),
        ("AG K(A, K(A, zero))", {Feature.KNOWLEDGE, Feature.NESTED_KNOWLEDGE}),
        ("AG GK(g, zero)", {Feature.KNOWLEDGE, Feature.GROUP_KNOWLEDGE}),
        ("AG GCK(g, zero)", {Feature.KNOWLEDGE, Feature.GROUP_KNOWLEDGE, Feature.COMMON_KNOWLEDGE}),
        ("<g>F zero", {Feature.STRATEGIES}),
        ("CTL* E (F zero and G F zero)", {Feature.LINEAR, Feature.BRANCHING}),
    ],
)
def test_features_of_formulae(text: str, features: set[Feature]) -> None:
    assert fragment(system().formula(text)).features == features


def test_the_difference_is_the_message() -> None:
    model = system("integer")
    nothing = Picky(Accepts(frozenset(), frozenset({Strategies.ANY})))
    assert refusal(nothing, model, model.formula("AG zero"), Options()) == (
        "it cannot deal with unbounded variables such as A.x"
    )
    finite = system()
    reading = Options(strategies=Strategies.OBJECTIVE)
    assert refusal(nothing, finite, finite.formula("AG zero"), reading) is None, (
        "no strategy, so the reading is no matter"
    )
    assert refusal(nothing, finite, finite.formula("<g>F zero"), reading) == (
        "it cannot deal with strategies read as `objective`; strategies"
    )


def test_unbounded_models_go_to_engines_that_take_them() -> None:
    model = system("integer")
    formula = model.formula("AG zero")
    takes = {name: registry.load(name).accepts.unbounded for name in registry.NAMES}
    assert takes["reference"]
    assert not takes["symbolic"]
    for name in registry.NAMES:
        assert (refusal(registry.load(name), model, formula, Options()) is None) == takes[name]
    assert not needs(model, formula, Options()).finite
    assert needs(system(), formula, Options()).finite


def test_an_engine_for_one_fragment() -> None:
    """KL1 without group knowledge or branching time, also on unbounded models."""
    kl1 = frozenset({Feature.LINEAR, Feature.PAST, Feature.KNOWLEDGE, Feature.PATH_KNOWLEDGE})
    engine = Picky(Accepts(kl1, frozenset({Strategies.ANY}), unbounded=True))
    model = system("integer")
    for text in ("AG zero", "AG K(A, zero)", "LTL G (zero -> F K(A, Once zero))"):
        assert refusal(engine, model, model.formula(text), Options()) is None
    for text in ("EF zero", "AG GK(g, zero)", "<g>F zero", "AG K(A, K(A, zero))"):
        assert refusal(engine, model, model.formula(text), Options())


@pytest.mark.parametrize(
    ("composition", "formula", "words"),
    [
        (Composition.INTERLEAVED, "<g>F zero", "strategies: objective, blocking: ignore, fair scheduling"),
        (Composition.INTERLEAVED, "AG zero", ""),
        (Composition.SYNCHRONOUS, "<g>F zero", ""),
    ],
)
def test_how_strategies_are_played_is_told_of_interleaved_models_only(
    composition: Composition, formula: str, words: str
) -> None:
    """In a synchronous model nobody is scheduled and nothing blocks, whatever was asked for."""
    model = replace(system(), composition=composition, blocking=Blocking.IGNORE, scheduling=Scheduling.FAIR)
    assert needs(model, model.formula(formula), Options(strategies=Strategies.OBJECTIVE)).play == words


@pytest.mark.parametrize("blocking", list(Blocking))
@pytest.mark.parametrize("reading", list(Strategies))
def test_fair_scheduling_is_defined_for_uniform_strategies_that_wait(reading: Strategies, blocking: Blocking) -> None:
    """Both are needed: strategies that rest on what is seen, and agents that wait where they are blocked."""
    model = replace(system(), composition=Composition.INTERLEAVED, blocking=blocking, scheduling=Scheduling.FAIR)
    defined = reading in (Strategies.OBJECTIVE, Strategies.SUBJECTIVE) and blocking is Blocking.WAIT
    why = undefined(needs(model, model.formula("<g>F zero"), Options(strategies=reading)))
    assert (why is None) == defined
    assert why is None or why.startswith(
        "fair scheduling is defined for strategies read as `objective` or `subjective`"
    )


@pytest.mark.parametrize(
    ("constraint", "refused_by"),
    [
        (None, set()),
        ("zero", {Constraints.NONE}),
        ("EF zero", {Constraints.NONE, Constraints.CONDITIONS}),
        ("Once zero", {Constraints.NONE, Constraints.CONDITIONS, Constraints.FORMULAE}),
    ],
)
def test_who_accepts_a_kind_of_constraints_accepts_simpler_ones(
    constraint: str | None, refused_by: set[Constraints]
) -> None:
    model = system()
    if constraint is not None:
        model = replace(model, fairness=(model.formula(constraint),))
    said = {
        kind: refusal(Picky(Accepts(fairness=kind)), model, model.formula("AG zero"), Options()) for kind in Constraints
    }
    assert {kind for kind, words in said.items() if words is not None} == refused_by
    assert all(said[kind] == f"it cannot deal with {Constraints(kind + 1).in_words}" for kind in refused_by)


def test_simpler_constraints_are_named_by_the_first_kind_that_is_refused() -> None:
    assert [kind.in_words for kind in Constraints][1:] == [
        "fairness constraints",
        "fairness constraints other than conditions on single states",
        "fairness constraints with past operators",
    ]
