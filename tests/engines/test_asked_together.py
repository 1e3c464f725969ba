"""Questions that differ in one thing only, asked of one session: about two agents, two conditions, two times, two operators.

What a session remembers of one of them must not answer another.  All are asked together, in two orders, and each verdict is
compared with the reference engine's on a model with few states that behaves alike.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import product

import pytest

from epistrat.engines.abstraction.tuning import AbstractionTuning
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.engines.lazy.tuning import LazyTuning
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load as engine_of
from epistrat.lang.load import load, parse_formula
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

MODEL = """
Agent Environment
  Vars: y: {number}; secret: boolean; end Vars
  Actions = {{go, stay}};
  Protocol: Other: {{go, stay}}; end Protocol
  Evolution: y = y + 1 if Action = go and y < 3; end Evolution
end Agent
Agent A
  Vars: x: {number}; end Vars
  Actions = {{w, v}};
  Protocol: Other: {{w, v}}; end Protocol
  Evolution: x = x + 1 if Environment.Action = go and x < 3; end Evolution
end Agent
Agent B
  Lobsvars = {{secret}};
  Vars: z: {number}; end Vars
  Actions = {{w}};
  Protocol: Other: {{w}}; end Protocol
  Evolution: z = z + 1 if Environment.Action = stay and z < 2; end Evolution
end Agent
Evaluation
  p if Environment.y >= 1;
  q if Environment.y = 3;
  r if B.z >= 1;
  s if Environment.secret = true;
end Evaluation
InitStates Environment.y = 0 and A.x = 0 and B.z = 0; end InitStates
Groups ab = {{A, B}}; a = {{A}}; b = {{B}}; e = {{Environment}}; ea = {{Environment, A}}; end Groups
{fairness}
Formulae AG true; end Formulae
"""
BOUNDED, UNBOUNDED = "0..9", "integer"
FAIRNESS = ("", "Fairness p; r; end Fairness")

CONDITIONS = ("p", "q", "r", "s", "(p and !q)")
KNOWING = (
    "K(A, {0})",
    "K(B, {0})",
    "GK(ab, {0})",
    "DK(ab, {0})",
    "GCK(ab, {0})",
    "K(A, !K(B, {0}))",
    "K(B, K(A, {0}))",
)
SHAPES = ("AG ({1} -> {0})", "AG ({0} -> {1})", "AG !({0} and {1})")
PAST = ("Y {0}", "Once {0}", "Hist {0}", "({0} S {1})", "Y Y {0}", "Y !{0}")
TIME = (
    "AF {0}",
    "EF {0}",
    "AG {0}",
    "EG {0}",
    "AX {0}",
    "EX {0}",
    "A({0} U {1})",
    "E({0} U {1})",
    "AG AF {0}",
    "EF AG {0}",
)
SOON = (
    "K(A, X {0})",
    "K(B, X {0})",
    "K(A, X X {0})",
    "K(A, X ({0} and X {1}))",
    "K(B, X X {1})",
    "(K(A, X X {0}) and !K(A, X {0}))",
    "(K(A, X {1}) or K(A, X X {0}))",
)
LOOKING_BACK = (
    "A (F ({0} and Y {1}))",
    "AG A (F ({0} and Y {1}))",
    "EF A (G ({0} or !Y {1}))",
    "A (G ({0} or !Y {1}))",
    "E (F Y {0})",
)
LINEAR = ("LTL F {0}", "LTL G {0}", "LTL G F {0}", "LTL ({0} U {1})", "LTL X {0}", "LTL F ({0} and X {1})")
LINEAR_KNOWING = (
    "LTL G ({0} -> K(A, {0}))",
    "LTL G ({0} -> K(B, {0}))",
    "LTL F K(A, {0})",
    "LTL F K(B, !{0})",
    "LTL G (K(A, {0}) -> F {1})",
    "LTL (!K(B, {0}) U {1})",
    "LTL G F !K(A, {0})",
    "LTL G (!K(A, {0}) or X K(B, {1}))",
    "LTL F (K(A, {0}) and !K(B, {0}))",
)
LINEAR_ONLY = (
    "LTL (F {0} or G {1})",
    "LTL (G {0} or G {1})",
    "LTL (X {0} or X {1})",
    "LTL (G F {0} -> G F {1})",
    "LTL (F {0} -> X {1})",
    "LTL F G {0}",
    "LTL ((X {0}) U {1})",
    "LTL G ({0} -> (F {1} or G {0}))",
)
"""Not one of them can be written by giving each temporal operator a quantifier of its own."""
PLAYING = tuple(
    f"<{group}>{goal}" for group in ("a", "b", "e", "ea", "ab") for goal in ("X {0}", "F {0}", "G {0}", "({1} U {0})")
)

KINDS: dict[str, tuple[str, ...]] = {
    "knowledge": tuple(shape.replace("{0}", known) for shape in SHAPES for known in KNOWING),
    "past": tuple(shape.replace("{0}", past) for shape in SHAPES[:2] for past in PAST),
    "knowledge of the next steps": tuple(shape.replace("{0}", known) for shape in SHAPES for known in SOON),
    "past inside of quantifiers": LOOKING_BACK,
    "time": TIME,
    "linear": LINEAR,
    "linear only": LINEAR_ONLY,
    "linear with knowledge": LINEAR_KNOWING,
    "strategies": PLAYING,
}
ENGINES: dict[str, tuple[str, AbstractionTuning | ExplicitTuning | LazyTuning | None]] = {
    "symbolic": ("symbolic", None),
    "explicit": ("explicit", None),
    "reduced": ("explicit", ExplicitTuning(reduce="auto")),
    "lazy": ("lazy", None),
    "lazy by arithmetic": ("lazy", LazyTuning(solver="smt")),
    "abstraction": ("abstraction", AbstractionTuning(first_look=0, exact_range=0)),
    "abstraction with ranges": ("abstraction", AbstractionTuning(first_look=0)),
}
SECONDS = 4
"""For all questions of a session; what is not decided by then is unknown, and only knowledge under fairness takes as long."""


@cache
def _system(number: str, fairness: str) -> System:
    loaded = load(MODEL.format(number=number, fairness=fairness), "together")
    assert loaded.system is not None, loaded.report
    return loaded.system


@cache
def _expected(text: str, fairness: str) -> Verdict:
    """By the reference engine on the bounded model: no number there reaches its bound, so the unbounded one behaves alike."""
    system = _system(BOUNDED, fairness)
    return engine_of("reference").open(system, Options(), Budget()).check(_formula(text, system)).verdict


def _formula(text: str, system: System) -> Formula:
    found, problems = parse_formula(text, system)
    assert found is not None, problems
    return found


def _texts(kind: str) -> list[str]:
    """Some of the questions of a kind: always several that differ in the condition only, and several in the operator only."""
    pairs = [(one, other) for one, other in product(CONDITIONS, repeat=2) if one != other]
    rng = random.Random(kind)
    shapes = rng.sample(KINDS[kind], min(len(KINDS[kind]), 7))
    chosen = rng.sample(pairs, 2)
    return list(dict.fromkeys(shape.format(*pair) for shape in shapes for pair in chosen))


@pytest.mark.parametrize("fairness", FAIRNESS, ids=["free", "fair"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ENGINES)
def test_each_is_answered_as_if_alone(name: str, kind: str, fairness: str) -> None:
    engine, tuning = ENGINES[name]
    options = Options(tuning=() if tuning is None else (tuning,))
    number = BOUNDED if name in ("symbolic", "explicit", "reduced", "lazy") else UNBOUNDED
    system = _system(number, fairness)
    texts = [
        text for text in _texts(kind) if refusal(engine_of(engine), system, _formula(text, system), options) is None
    ]
    for asked in (texts, texts[::-1]):
        session = engine_of(engine).open(system, options, Budget(seconds=SECONDS))
        for text in asked:
            found = session.check(_formula(text, system)).verdict
            assert found in (Verdict.UNKNOWN, _expected(text, fairness)), text
        session.close()
