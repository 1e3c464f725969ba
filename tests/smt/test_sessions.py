"""Sessions: scopes, assumptions and cores, limits, logs that a second solver can answer again, invariants from child processes."""

from __future__ import annotations

import time

from epistrat.encoding.smt.system import SmtSystem
from epistrat.encoding.transitions import transitions
from epistrat.lang import load
from epistrat.model.system import System
from epistrat.proving.fresh import FreshProver
from epistrat.proving.induction import Inductor
from epistrat.solvers.budget import Budget
from epistrat.solvers.smt.answer import Status
from epistrat.solvers.smt.horn import SafetyProblem, prove_safety
from epistrat.terms import Expr, Terms

DOUBLING = """
Agent Counter
  Vars: x: integer; y: integer; end Vars
  Actions = {go};
  Protocol: Other: {go}; end Protocol
  Evolution: x = x + 1 and y = y + 2 if Action = go; end Evolution
end Agent
Evaluation double if Counter.y = Counter.x + Counter.x; end Evaluation
InitStates Counter.x = 0 and Counter.y = 0; end InitStates
Formulae AG double; end Formulae
"""


def system_of(text: str) -> System:
    loaded = load(text)
    assert loaded.system is not None
    return loaded.system


def compare(terms: Terms, name: str, op: str, number: int) -> Expr:
    return terms.compare(op, terms.variable("Counter", name, terms.number(0).sort), terms.number(number))


def test_work_is_counted_and_the_same_each_time() -> None:
    def counted() -> int:
        budget, terms = Budget(), Terms()
        session = SmtSystem(system_of(DOUBLING)).session(budget)
        for bound in range(40):
            session.add(terms.disjunction((compare(terms, "x", ">", bound), compare(terms, "y", "<", -bound))))
            session.check(compare(terms, "x", "<", 2 * bound))
        return budget.work

    assert counted() == counted() > 40 * 2000


def test_a_query_ends_after_its_work() -> None:
    terms, budget = Terms(), Budget()
    session = SmtSystem(system_of(DOUBLING)).session(budget, 50_000)
    x, y = (terms.variable("Counter", name, terms.number(0).sort) for name in "xy")
    cube, other = (terms.arith("*", one, terms.arith("*", one, one)) for one in (x, y))
    session.add(terms.compare("=", terms.arith("+", cube, other), terms.number(114)), compare(terms, "x", ">", 1000))
    answer = session.check()
    assert answer.unknown and answer.reason
    assert 40_000 < budget.work < 500_000


def test_scopes_models_and_cores() -> None:
    terms = Terms()
    session = SmtSystem(system_of(DOUBLING)).session()
    session.add(compare(terms, "x", ">", 3))
    with session.scope():
        session.add(compare(terms, "x", "<", 3))
        assert session.check().unsat
    assert session.check().sat
    x = terms.variable("Counter", "x", terms.number(0).sort)
    assert isinstance(session.value(x), int) and session.value(terms.arith("+", x, terms.number(1))) > 4  # type: ignore[operator]
    guilty, innocent = compare(terms, "x", "<", 0), compare(terms, "y", "=", 0)
    assert session.check(innocent, guilty).unsat
    assert session.core() == [guilty]


def test_unknown_has_a_reason() -> None:
    terms = Terms()
    x, y = (terms.variable("Counter", name, terms.number(0).sort) for name in "xy")
    session = SmtSystem(system_of(DOUBLING)).session(work=100_000)
    cube = terms.arith("*", x, terms.arith("*", x, x))
    other = terms.arith("*", y, terms.arith("*", y, y))
    third = terms.arith("*", terms.arith("-", x, y), terms.arith("+", x, terms.arith("*", y, terms.number(7))))
    session.add(terms.compare("=", terms.arith("+", cube, other), terms.arith("+", terms.number(114), third)))
    session.add(compare(terms, "x", ">", 1000))
    answer = session.check()
    assert answer.status in (Status.UNKNOWN, Status.SAT, Status.UNSAT)
    assert (answer.reason is not None) == answer.unknown


def test_spacer_finds_an_invariant_that_a_fresh_solver_proves() -> None:
    terms, system = Terms(), system_of(DOUBLING)
    inductor = Inductor(transitions(system), Budget())
    bad = terms.negate(system.propositions["double"])
    answer = prove_safety(inductor.safety_problem([bad]), work=10_000_000)
    assert answer.safe and answer.invariant is not None
    assert not inductor.excluded([bad])
    invariant = inductor.believed(answer.invariant)
    assert invariant is not None and inductor.excluded([bad])
    assert (
        Inductor(transitions(system_of(DOUBLING.replace("y + 2", "y + 3"))), Budget()).believed(answer.invariant)
        is None
    )
    fresh = FreshProver()
    assert fresh.entails(system, system.initial, invariant) and fresh.every_step(system, invariant, invariant)


def test_spacer_says_when_bad_states_are_reachable() -> None:
    inductor = Inductor(transitions(system_of(DOUBLING)), Budget())
    assert prove_safety(inductor.safety_problem([compare(Terms(), "x", ">", 3)]), work=10_000_000).safe is False


def test_a_child_is_stopped_when_its_work_is_done() -> None:
    problem = SafetyProblem(
        "(declare-const x Int)(declare-const y Int)(declare-const p Int)(declare-const q Int)"
        "(assert (and (= x 1) (= y 2)))(assert (and (= p (+ (* x x) y)) (= q (* y (+ x y)))))(assert (= (* x x x) (+ (* y y) 7)))",
        (("x", "p"), ("y", "q")),
    )
    started = time.monotonic()
    answer = prove_safety(problem, work=500_000, budget=Budget())
    assert time.monotonic() - started < 15
    assert answer.safe is None or answer.safe is True
    if answer.safe is None:
        assert answer.reason
