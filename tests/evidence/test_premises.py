"""Proofs without one of their premises: each is refused, and the same proof with the premise is accepted."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest
from tests.generators.certificates import claimed

import epistrat
from epistrat.answers import Certificate, Strategies, Verdict
from epistrat.engines.contract import Options
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.evidence import (
    Along,
    Answer,
    Answered,
    Answers,
    Around,
    Descent,
    Enforced,
    Invariant,
    Lasso,
    Path,
    Place,
    Reason,
    Region,
    Restricted,
    RuleStrategy,
    Tree,
    UniformStrategy,
)
from epistrat.evidence.findings import Replay
from epistrat.evidence.points import FAIR_START
from epistrat.evidence.replay import replay
from epistrat.logic.formula import Exists, Finally, ForAll, Formula, Group, Knows, Prop
from epistrat.model.builder import Builder
from epistrat.model.conditions import as_condition
from epistrat.model.state import State
from epistrat.model.system import Blocking, System
from epistrat.proving.fresh import FreshProver
from epistrat.records import replace
from epistrat.render.json.cursor import Datum
from epistrat.render.json.reading import EvidenceReader, Unreadable
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget
from epistrat.terms import TRUE, Expr, Sort, Terms

TERMS = Terms()
PROVER = FreshProver()


def condition(system: System, text: str) -> Expr:
    return as_condition(system, read_formula(text, system))


def number(system: System, text: str) -> Expr:
    """A number as it is read from a file."""
    reader = EvidenceReader(system, partial(read_formula, system=system))
    reason = {"kind": "region", "region": {"formula": "true", "measure": text}}
    tree = {"state": {}, "claim": "true", "holds": True, "because": [reason]}
    state = {str(one): False if one.domain.sort is Sort.BOOLEAN else 0 for one in system.variables}
    found = reader.tree(Datum({**tree, "state": state})).because[0]
    assert isinstance(found, Region) and found.measure is not None
    return found.measure


def proved(
    system: System, state: State, text: str | Formula, *reasons: Reason, reading: Strategies = Strategies.ANY
) -> Replay:
    question = read_formula(text, system) if isinstance(text, str) else text
    certificate = Certificate(question, Verdict.HOLDS, reading, trees=(Tree(state, question, True, reasons),))
    return replay(system, certificate, prover=PROVER)


def truth(system: System, text: str | Formula, reading: Strategies = Strategies.ANY) -> Verdict:
    question = read_formula(text, system) if isinstance(text, str) else text
    return ReferenceEngine().open(system, Options(reading), Budget(states=1000)).check(question).verdict


# Measures are numbers

COUNTER = epistrat.load("""
Agent C
  Vars: x : integer; end Vars
  Actions = {tick};
  Protocol: Other : {tick}; end Protocol
  Evolution: x = x + 1 if Action = tick; end Evolution
end Agent
InitStates C.x = 0; end InitStates
Formulae AF C.x < 0; end Formulae
""")


@pytest.mark.parametrize(
    "measure", ["1/(C.x - C.x)", "1/0", "5/C.x", "1/(C.x - C.x) - 1/(C.x - C.x)", "2/(1/(C.x-C.x))"]
)
@pytest.mark.parametrize("claim", ["AF C.x < 0", "EF C.x < 0"])
def test_infinity_does_not_fall(measure: str, claim: str) -> None:
    infinite = number(COUNTER, measure)
    place = Place(condition(COUNTER, "C.x >= 0"), (infinite,))
    assert proved(COUNTER, (0,), claim, Descent((place,))).problems
    assert not proved(COUNTER, (0,), claim, Region(TRUE, infinite)).complete


def test_a_measure_may_divide_by_what_is_not_zero() -> None:
    place = Place(condition(COUNTER, "C.x >= 0"), (number(COUNTER, "(18 - 2 * C.x)/2"),))
    assert proved(COUNTER, (0,), "AF C.x >= 9", Descent((place,))).complete
    halves = Place(condition(COUNTER, "C.x >= 0"), (number(COUNTER, "(9 - C.x)/2"),))
    assert not proved(COUNTER, (0,), "AF C.x >= 9", Descent((halves,))).complete


@pytest.mark.parametrize("text", ["1e999999999", "7/0", "1.5.5", "1/-2"])
def test_numbers_that_cannot_be_read_have_a_place(text: str) -> None:
    reader = EvidenceReader(COUNTER, partial(read_formula, system=COUNTER))
    with pytest.raises(Unreadable, match="state"):
        reader.tree(Datum({"state": {"C.x": text}, "claim": "true", "holds": True, "because": []}))


def test_a_measure_over_reals_may_fall_for_ever() -> None:
    """x is halved for ever: it falls, is never below 0, and never comes to 0."""
    model = Builder()
    agent = model.agent("A")
    x = agent.real("x")
    agent.actions("h")
    agent.may("h")
    agent.evolve(True, x=x / 2)
    model.initial(x == 1)
    model.proposition("done", x <= 0)
    system = model.build()
    number = TERMS.variable("A", "x", Sort.NUMBER)
    question = ForAll(Finally(Prop("done")))
    for value in (1, Fraction(1)):
        assert not proved(
            system, (value,), question, Region(TERMS.compare("<", TERMS.number(0), number), number)
        ).complete


def test_conditions_speak_of_states() -> None:
    """Neither what somebody does nor a variable that the model does not have is part of a state."""
    for strange in (TERMS.action("C", "tick"), TERMS.equals(TERMS.variable("?kept", "measure0", Sort.NUMBER), 0)):
        either = TERMS.disjunction((strange, TERMS.negate(strange)))
        assert proved(COUNTER, (0,), "AG C.x >= 0", Invariant(either)).problems
        assert proved(COUNTER, (0,), "AF C.x > 4", Descent((Place(either, (TERMS.number(1),)),))).problems
    assert proved(COUNTER, (0,), "AG C.x >= 0", Region(TERMS.number(1))).problems
    assert proved(COUNTER, (0,), "AF C.x > 4", Region(TRUE, TRUE)).problems
    assert proved(COUNTER, (0,), "AG C.x >= 0", Invariant(condition(COUNTER, "C.x >= 0"))).complete


# Several initial states

TWO_SIGNS = """
Agent Environment
  Vars: x: integer; end Vars
  Actions = {tick};
  Protocol: Other: {tick}; end Protocol
  Evolution: x = x + 0 if Action = tick; end Evolution
end Agent
Agent A
  Vars: s: boolean; end Vars
  Actions = {nop};
  Protocol: Other: {nop}; end Protocol
  Evolution: s = s if Action = nop; end Evolution
end Agent
Agent B
  Vars: s: boolean; end Vars
  Actions = {nop};
  Protocol: Other: {nop}; end Protocol
  Evolution: s = s if Action = nop; end Evolution
end Agent
InitStates (Environment.x >= 1 and A.s = true) or (Environment.x <= -1 and A.s = false); end InitStates
Groups both = {A, B}; end Groups
Formulae K(A, Environment.x > 0); end Formulae
"""
SIGNS = epistrat.load(TWO_SIGNS)
INSIDE = condition(SIGNS, "(Environment.x >= 1 and A.s = true) or (Environment.x <= -1 and A.s = false)")


@pytest.mark.parametrize("operator", ["K(A, {})", "GK(both, {})", "DK(both, {})", "K(B, {})"])
def test_what_is_known_in_one_initial_state_is_not_known_in_all(operator: str) -> None:
    known = operator.format("Environment.x <> 0")
    assert proved(SIGNS, (1, True, True), known, Invariant(INSIDE)).complete
    wrong = operator.format("Environment.x > 0")
    assert not proved(SIGNS, (1, True, True), wrong, Invariant(INSIDE)).complete
    few = epistrat.load(TWO_SIGNS.replace("x: integer", "x: -2..2"))
    inside = condition(few, "(Environment.x >= 1 and A.s = true) or (Environment.x <= -1 and A.s = false)")
    assert truth(few, wrong) is Verdict.FAILS
    assert proved(few, (1, True, True), wrong, Invariant(inside)).problems
    sign = operator.format("(A.s = true -> Environment.x > 0) and (A.s = false -> Environment.x < 0)")
    assert proved(few, (1, True, True), sign, Invariant(inside)).complete


def test_what_is_known_in_all_initial_states() -> None:
    """A sees whether the number has been changed: in the initial states it knows that it has not, later it does not."""
    system = epistrat.load("""
    Agent Environment
      Vars: x: integer; end Vars
      Actions = {keep, flip};
      Protocol: Other: {keep, flip}; end Protocol
      Evolution: x = 0 - x if Action = flip; end Evolution
    end Agent
    Agent A
      Vars: fresh: boolean; end Vars
      Actions = {nop};
      Protocol: Other: {nop}; end Protocol
      Evolution: fresh = false if Environment.Action = flip; end Evolution
    end Agent
    InitStates Environment.x >= 1 and A.fresh = true; end InitStates
    Formulae K(A, Environment.x > 0); end Formulae
    """)
    inside = Invariant(condition(system, "Environment.x <> 0 and (A.fresh = true -> Environment.x > 0)"))
    assert proved(system, (1, True), "K(A, Environment.x > 0)", inside).complete
    assert not proved(system, (1, True), "K(A, Environment.x > 1)", inside).complete


def test_knowledge_of_knowledge_in_all_initial_states() -> None:
    assert proved(SIGNS, (1, True, True), "K(A, K(B, Environment.x <> 0))", Invariant(INSIDE)).complete
    assert not proved(SIGNS, (1, True, True), "K(A, K(A, Environment.x > 0))", Invariant(INSIDE)).complete


def test_the_proof_that_serves_all_initial_states_is_one() -> None:
    """Beside a proof about one initial state stands something that all of them satisfy, and that proves nothing."""
    system = replace(COUNTER, initial=condition(COUNTER, "C.x >= -3 and C.x <= 0"))
    until = Region(condition(system, "C.x >= 0 and C.x <= 9"), number(system, "9 - C.x"))
    idle = Invariant(TRUE)
    assert proved(
        replace(COUNTER, initial=condition(COUNTER, "C.x = 0")), (0,), "A(C.x >= 0 U C.x = 9)", until
    ).complete
    assert not proved(system, (0,), "A(C.x >= 0 U C.x = 9)", until).complete
    assert not proved(system, (0,), "A(C.x >= 0 U C.x = 9)", until, idle).complete


# Claims of which there are no such proofs


def test_a_descent_of_no_places_proves_no_knowledge() -> None:
    question = Knows("A", Finally(read_formula("Environment.x > 0", SIGNS)))
    found = proved(SIGNS, (1, True, True), question, Descent(()))
    assert found.problems


def test_a_descent_proves_no_knowledge() -> None:
    """Falling for ever within one place shows a goal of all runs, and nothing else."""
    question = Knows("A", Finally(read_formula("Environment.x > 0", SIGNS)))
    found = proved(SIGNS, (1, True, True), question, Descent((Place(TRUE, (TERMS.number(1),)),)))
    assert found.problems


def test_a_descent_of_no_places_proves_no_infinite_path() -> None:
    """The goal is met at once; but no infinite path starts there, and the other one is not fair."""
    model = Builder()
    agent = model.agent("A")
    x = agent.boolean("x")
    agent.actions("a")
    agent.may("a", when=~x)
    model.proposition("p", x)
    model.initial(x)
    system = model.build()
    question = Exists(Finally(Prop("p")), star=True)
    assert truth(system, question) is Verdict.FAILS
    assert not proved(system, (True,), question, Descent(())).complete
    assert proved(system, (True,), Exists(Finally(Prop("p"))), Descent(())).complete
    unfair = replace(system, fairness=(Prop("p"),))
    assert not proved(unfair, (True,), Exists(Finally(Prop("p"))), Descent(())).complete


# Strategies as rules

TURNS = """
Agent Environment
  Vars: ph: boolean; ok: boolean; u: {unbounded}; end Vars
  Actions = {{tick}};
  Protocol: Other: {{tick}}; end Protocol
  Evolution:
    ph = true and ok = true if ph = false and A.Action = pos;
    ph = true and ok = false if ph = false and A.Action = neg;
    ph = false and ok = false if ph = true and A.Action = pos;
    ph = false and ok = true if ph = true and A.Action = neg;
  end Evolution
end Agent
Agent A
  {sees}
  Vars: s: boolean; end Vars
  Actions = {{pos, neg}};
  Protocol: Other: {{pos, neg}}; end Protocol
  Evolution: s = true if s = true; end Evolution
end Agent
Evaluation ok if Environment.ok = true; end Evaluation
InitStates Environment.ph = false and Environment.u = 0 and Environment.ok = true and A.s = false; end InitStates
Groups a = {{A}}; all = {{A, Environment}}; end Groups
Formulae <a>G ok; end Formulae
"""


def turns(system: System, group: tuple[str, ...] = ("A",)) -> tuple[Reason, ...]:
    rules = ((condition(system, "Environment.ph = false"), "pos"), (TRUE, "neg"))
    return Enforced(RuleStrategy(Group(group), (("A", rules),))), Region(condition(system, "Environment.ok = true"))


@pytest.mark.parametrize("reading", [Strategies.OBJECTIVE, Strategies.SUBJECTIVE])
def test_members_act_on_what_they_see(reading: Strategies) -> None:
    start = (False, True, 0, False)
    blind = epistrat.load(TURNS.format(unbounded="integer", sees=""))
    seeing = epistrat.load(TURNS.format(unbounded="integer", sees="Lobsvars = {ph};"))
    assert truth(epistrat.load(TURNS.format(unbounded="0..1", sees="")), "<a>G ok", reading) is Verdict.FAILS
    assert proved(blind, start, "<a>G ok", *turns(blind), reading=reading).problems
    assert proved(blind, start, "<a>G ok", *turns(blind)).complete
    assert proved(seeing, start, "<a>G ok", *turns(seeing), reading=reading).complete is (
        reading is Strategies.OBJECTIVE
    )


def test_rules_are_those_of_the_group() -> None:
    system = epistrat.load(TURNS.format(unbounded="integer", sees=""))
    start = (False, True, 0, False)
    assert proved(system, start, "<all>G ok", *turns(system, ("A", "Environment"))).complete
    assert proved(system, start, "<all>G ok", *turns(system)).problems
    assert proved(system, start, "<a>G ok", *turns(system, ("A", "Environment"))).problems


TOGETHER = """
Composition = Interleaved;
Agent A
  Vars: n: {numbers}; end Vars
  Actions = {{a, c{alone}}};
  Protocol: Other: {{a, c{alone}}}; end Protocol
  Evolution: n = n + 1 if Action = a{up}; n = n - 1 if Action = c; end Evolution
end Agent
Agent B
  Vars: m: boolean; end Vars
  Actions = {{a, c}};
  Protocol: Other: {{a, c}}; end Protocol
  Evolution: m = m if Action = a; end Evolution
end Agent
InitStates A.n = 0 and B.m = false; end InitStates
Groups g = {{A}}; gb = {{A, B}}; end Groups
Formulae <g>F A.n >= 3; end Formulae
"""


def steady(system: System, action: str, group: tuple[str, ...] = ("A",)) -> tuple[Reason, ...]:
    rules = RuleStrategy(Group(group), (("A", ((TRUE, action),)),))
    return Enforced(rules), Descent((Place(condition(system, "0 <= A.n and A.n <= 2"), (number(system, "3 - A.n"),)),))


def test_others_may_block_what_needs_them() -> None:
    """A does a, which needs B; under the adversary B may insist on c, and nothing happens.  What A does alone cannot be blocked."""
    for blocking, proves in ((Blocking.WAIT, True), (Blocking.IGNORE, True), (Blocking.ADVERSARY, False)):
        system = replace(epistrat.load(TOGETHER.format(numbers="integer", alone="", up="")), blocking=blocking)
        few = replace(epistrat.load(TOGETHER.format(numbers="-5..5", alone="", up="")), blocking=blocking)
        assert truth(few, "<g>F A.n >= 3") is (Verdict.HOLDS if proves else Verdict.FAILS)
        for one in (system, few):
            found = proved(one, (0, False), "<g>F A.n >= 3", *steady(one, "a"))
            assert found.complete if proves else found.problems
        alone = replace(
            epistrat.load(TOGETHER.format(numbers="integer", alone=", up", up=" or Action = up")), blocking=blocking
        )
        assert proved(alone, (0, False), "<g>F A.n >= 3", *steady(alone, "up")).complete
        stays = Enforced(RuleStrategy(Group(("A",)), (("A", ((TRUE, "a"),)),)))
        assert proved(one, (0, False), "<g>G A.n >= 0", stays, Region(condition(one, "A.n >= 0"))).complete


def test_what_rules_leave_open_is_not_a_strategy_of_what_is_seen() -> None:
    """B is a member without rules: with perfect information it joins in a, but nothing says what it does by what it sees."""
    system = epistrat.load(TOGETHER.format(numbers="integer", alone="", up=""))
    reasons = steady(system, "a", ("A", "B"))
    assert proved(system, (0, False), "<gb>F A.n >= 3", *reasons).complete
    assert not proved(system, (0, False), "<gb>F A.n >= 3", *reasons, reading=Strategies.OBJECTIVE).complete
    said = RuleStrategy(Group(("A", "B")), (("A", ((TRUE, "a"),)), ("B", ((TRUE, "a"),))))
    assert proved(
        system, (0, False), "<gb>F A.n >= 3", Enforced(said), *reasons[1:], reading=Strategies.OBJECTIVE
    ).complete


def test_answers_do_not_end_where_the_group_can_end_the_play() -> None:
    """The others make p true; but then A ends the play, which does not count (`--blocking ignore`)."""
    text = """
    Composition = Interleaved;
    Agent A
      Vars: p: 0..1; end Vars
      Actions = {a, s};
      Protocol: p=0: {a}; p=1: {s,a}; end Protocol
      Evolution: p=1 if Action = a; end Evolution
    end Agent
    Agent B
      Vars: m: 0..1; end Vars
      Actions = {a, s};
      Protocol: m=0: {a}; m=1: {s}; end Protocol
      Evolution: m=1 if Action = a; end Evolution
    end Agent
    Evaluation ok if A.p=0; end Evaluation
    InitStates A.p=0 and B.m=0; end InitStates
    Groups g = {A}; end Groups
    Formulae <g>G ok; end Formulae
    """
    answers = Answers(Group(("A",)), (Answer((0, 0), ("a",), ("a", "a"), (1, 1)),))
    for blocking, fails in ((Blocking.WAIT, True), (Blocking.IGNORE, False)):
        system = replace(epistrat.load(text), blocking=blocking)
        tree = Tree((0, 0), read_formula("<g>G ok", system), False, (Answered(answers),))
        assert (truth(system, "<g>G ok") is Verdict.FAILS) is fails
        assert replay(system, claimed(tree)).complete is fails


# All uniform strategies


def test_where_nobody_may_act_no_strategy_is_left_out() -> None:
    """A row about a view in which the agent may do nothing does not stand for all strategies."""
    text = """
    Agent A
      Vars: x: 0..3; end Vars
      Actions = {go, stay};
      Protocol: x = 0: {go, stay}; x = 1: {stay}; x = 2: {stay}; end Protocol
      Evolution: x = 1 if x = 0 and Action = go; x = 2 if x = 0 and Action = stay; end Evolution
    end Agent
    Evaluation won if A.x = 1; end Evaluation
    InitStates A.x = 0; end InitStates
    Groups g = {A}; end Groups
    Formulae <g>F won; end Formulae
    """
    system = epistrat.load(text)
    claim = read_formula("<g>F won", system)
    lasso = Lasso(((0,), (2,)), (("stay",), ("stay",)), 1)
    assert truth(system, "<g>F won", Strategies.OBJECTIVE) is Verdict.HOLDS

    def refuted(*rows: tuple[State, str]) -> Replay:
        play = Tree((0,), ForAll(Finally(Prop("won"))), False, (Around(lasso),))
        strategy = UniformStrategy(Group(("A",)), (("A", rows),))
        tree = Tree((0,), claim, False, (Restricted(strategy, play),))
        return replay(system, Certificate(claim, Verdict.FAILS, Strategies.OBJECTIVE, trees=(tree,)))

    told = (((0,), "stay"), ((2,), "stay"))
    assert refuted(*told).problems
    assert refuted(((3,), "go"), *told).problems


def test_under_the_uniform_reading_the_roots_are_initial() -> None:
    """A formula that fails rests on trees about the restricted systems; what stands above them is checked as well."""
    model = Builder()
    agent = model.agent("A")
    x = agent.boolean("x")
    agent.actions("a")
    agent.may("a")
    model.initial(~x)
    model.proposition("p", x)
    system = model.build()
    strategy = UniformStrategy(Group(("A",)), (("A", (((False,), "a"),)),))
    inner = Tree((False,), Prop("p"), False)

    def answer(state: State) -> Replay:
        tree = Tree(state, Prop("p"), False, (Restricted(strategy, inner),))
        return replay(system, Certificate(Prop("p"), Verdict.FAILS, Strategies.UNIFORM, trees=(tree,)))

    assert answer((False,)).complete
    assert answer((True,)).problems


# Fairness


def test_a_fair_run_goes_on_from_the_end_of_the_path() -> None:
    """A fair run starts in the first state of the path; from its end none does."""
    model = Builder()
    agent = model.agent("A")
    x = agent.enum("x", "s", "trap", "good")
    agent.actions("a", "b")
    agent.may("a", "b")
    agent.evolve((x == "s") & (agent.action == "a"), x="trap")
    agent.evolve((x == "s") & (agent.action == "b"), x="good")
    model.initial(x == "s")
    model.proposition("trap", x == "trap")
    model.proposition("good", x == "good")
    system = replace(model.build(), fairness=(Prop("good"),))
    question = Exists(Finally(Prop("trap")))
    assert truth(system, question) is Verdict.FAILS
    fair = Tree(("s",), FAIR_START, True, (Around(Lasso((("s",), ("good",)), (("b",), ("a",)), 1)),))
    path = Path((("s",), ("trap",)), (("a",),))
    assert not replay(system, claimed(Tree(("s",), question, True, (Along(path, ((0, fair),)),)))).complete
