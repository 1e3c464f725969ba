"""Evidence that looks right and shows something false is refused.

Each case is a certificate whose verdict is not the reference engine's, although all its steps are possible.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    Enforced,
    Fixpoint,
    Lasso,
    LookAlike,
    Part,
    Path,
    RuleStrategy,
    StateStrategy,
    Tree,
    UniformStrategy,
)
from epistrat.evidence.points import FAIR_START
from epistrat.evidence.replay import replay
from epistrat.evidence.tree import Restricted
from epistrat.logic.formula import Formula, Group, subformulae
from epistrat.solvers.budget import Budget
from epistrat.terms import TRUE

GAME = epistrat.load("""
Agent P
  Vars: s : {i, win, lose}; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: s = win if s = i and Q.Action = y; s = lose if s = i and Q.Action = n; end Evolution
end Agent
Agent Q
  Vars: z : boolean; end Vars
  Actions = {y, n};
  Protocol: Other : {y, n}; end Protocol
  Evolution: z = z if Action = y; end Evolution
end Agent
Evaluation win if P.s = win; start if P.s = i; end Evaluation
InitStates P.s = i and Q.z = true; end InitStates
Groups g = {P}; all = {P, Q}; end Groups
Formulae <g>F win; end Formulae
""")
FAIR = epistrat.load("""
Agent P
  Vars: s : {a, b, c}; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: s = b if s = a; end Evolution
end Agent
Evaluation pa if P.s = a; pc if P.s = c; end Evaluation
InitStates (P.s = a or P.s = c); end InitStates
Fairness pc; end Fairness
Formulae pc; end Formulae
""")
TRAP = epistrat.load("""
Agent P
  Vars: s : {i, d}; end Vars
  Actions = {go, stay};
  Protocol: s = i : {go, stay}; end Protocol
  Evolution: s = d if Action = go; end Evolution
end Agent
Evaluation win if P.s = d and P.s = i; first if P.s = i; end Evaluation
InitStates P.s = i; end InitStates
Groups g = {P}; end Groups
Fairness first; end Fairness
Formulae <g>F win; end Formulae
""")
CLOCK = epistrat.load("""
Agent P
  Vars: s : {n, q}; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: s = q if s = n; s = n if s = q; end Evolution
end Agent
Evaluation n if P.s = n; q if P.s = q; end Evaluation
InitStates P.s = n; end InitStates
Formulae n; end Formulae
""")
FORK = epistrat.load("""
Agent P
  Vars: s : {i, a, b, e}; end Vars
  Actions = {l, r};
  Protocol: Other : {l, r}; end Protocol
  Evolution:
    s = a if s = i and Action = l;
    s = b if s = i and Action = r;
    s = e if s = a;
    s = e if s = b;
  end Evolution
end Agent
Evaluation pa if P.s = a; pb if P.s = b; pe if P.s = e; end Evaluation
InitStates P.s = i; end InitStates
Formulae pa; end Formulae
""")
ONE_WAY = epistrat.load("""
Agent P
  Vars: s : {a, b}; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: s = b if s = a; end Evolution
end Agent
Evaluation pa if P.s = a; pb if P.s = b; end Evaluation
InitStates P.s = a; end InitStates
Fairness pb; end Fairness
Formulae pa; end Formulae
""")
P, ALL = Group(("P",)), Group(("P", "Q"))
START, WIN, LOSE = ("i", True), ("win", True), ("lose", True)


@dataclass(frozen=True)
class Lie:
    """A certificate, and the system it speaks of."""

    system: epistrat.System
    certificate: Certificate


def lie(system: epistrat.System, *trees: Tree, reading: Strategies = Strategies.ANY) -> Lie:
    plain = claimed(*trees)
    return Lie(system, Certificate(plain.question, plain.verdict, reading, None, trees))


def fixed(action: str, group: Group = ALL) -> UniformStrategy:
    """Q always does the action, P what it always does."""
    moves = [("P", tuple(((s,), "go") for s in ("i", "win", "lose")))] if "P" in group.members else []
    return UniformStrategy(group, (*moves, ("Q", (((True,), action),))))


def look_back(text: str) -> Lie:
    """On n, q, n, q, ... Once q is false at the first n alone."""
    question = CLOCK.formula(text)
    once = next(part for part in subformulae(question) if part == CLOCK.formula("A (Once q)"))
    lasso = Lasso((("n",), ("q",)), (("go",), ("go",)), 0)
    inner = Tree(("n",), once, False, (Around(lasso),))
    return lie(CLOCK, Tree(("n",), question, False, (Around(lasso, ((0, inner),)),)))


def two_histories() -> Lie:
    """The agent, at e, knows that it came through a or b: each part below the look-alike uses a way of its own."""
    question = FORK.formula("AG(pe -> K(P, A (Once pa) or A (Once pb)))")
    end, knows, either, one, other = map(
        FORK.formula,
        (
            "pe -> K(P, A (Once pa) or A (Once pb))",
            "K(P, A (Once pa) or A (Once pb))",
            "A (Once pa) or A (Once pb)",
            "A (Once pa)",
            "A (Once pb)",
        ),
    )
    through_b = Lasso((("i",), ("b",), ("e",)), (("r",), ("l",), ("l",)), 2)
    through_a = Lasso((("i",), ("a",), ("e",)), (("l",), ("l",), ("l",)), 2)
    parts = (
        Part(Tree(("e",), one, False, (Around(through_b, at=2),))),
        Part(Tree(("e",), other, False, (Around(through_a, at=2),))),
    )
    run = Path((("i",), ("a",), ("e",)), (("l",), ("l",)))
    ignorant = Tree(("e",), knows, False, (LookAlike(("P",), run, Tree(("e",), either, False, parts)),))
    last = Tree(("e",), end, False, (Part(ignorant),))
    return lie(FORK, Tree(("i",), question, False, (Along(run, ((2, last),)),)))


def dead_end() -> Lie:
    """P can walk into the dead end d, after which no run is fair; the answers go on there without any choice of P."""
    claim = TRAP.formula("<g>F win")
    moves = (
        Answer(("i",), ("go",), ("go",), ("d",), 0),
        Answer(("i",), ("stay",), ("stay",), ("i",), 0),
        Answer(("d",), ("nothing",), ("go",), ("d",), 0),
    )
    fair = Part(Tree(("i",), FAIR_START, True, (Around(Lasso((("i",),), (("stay",),), 0)),)))
    return lie(TRAP, Tree(("i",), claim, False, (Answered(Answers(P, moves)), fair)))


def strategy(group: Group) -> StateStrategy:
    return StateStrategy(group, ((START, ("go", "y")),))


LIES = {
    "strategy of a larger group": lie(GAME, Tree(START, GAME.formula("<g>F win"), True, (Enforced(strategy(ALL)),))),
    "strategy of a larger group under the right name": lie(
        GAME,
        Tree(
            START,
            GAME.formula("<g>F win"),
            True,
            (Enforced(UniformStrategy(P, (("P", ((("i",), "go"),)), ("Q", (((True,), "y"),))))),),
        ),
    ),
    "rules of a larger group": lie(
        GAME,
        Tree(
            START,
            GAME.formula("<g>F win"),
            True,
            (Enforced(RuleStrategy(P, (("P", ((TRUE, "go"),)), ("Q", ((TRUE, "y"),))))),),
        ),
    ),
    "answers against a smaller group": lie(
        GAME,
        Tree(
            START,
            GAME.formula("<all>F win"),
            False,
            (
                Answered(
                    Answers(P, (Answer(START, ("go",), ("go", "n"), LOSE), Answer(LOSE, ("go",), ("go", "n"), LOSE)))
                ),
            ),
        ),
    ),
    "a restricted system shows a failure": lie(
        GAME,
        Tree(
            START,
            GAME.formula("EF win"),
            False,
            (Restricted(fixed("n"), Tree(START, GAME.formula("EF win"), False, (Fixpoint("excluded", 0),))),),
        ),
    ),
    "a restricted system shows a failure, uniformly": lie(
        GAME,
        Tree(
            START,
            GAME.formula("EF win"),
            False,
            (Restricted(fixed("n"), Tree(START, GAME.formula("EF win"), False, (Fixpoint("excluded", 0),))),),
        ),
        reading=Strategies.UNIFORM,
    ),
    "a restricted system outside the uniform reading": lie(
        GAME,
        Tree(
            START,
            GAME.formula("AF win"),
            True,
            (Restricted(fixed("y"), Tree(START, GAME.formula("AF win"), True, (Fixpoint("bounded", 2, 1),))),),
        ),
    ),
    "a strategy that leaves a choice": lie(
        GAME,
        Tree(
            START,
            GAME.formula("EX win and EX !win"),
            True,
            (
                Restricted(
                    UniformStrategy(ALL, (("P", ((("i",), "go"),)),)),
                    Tree(
                        START,
                        GAME.formula("EX win and EX !win"),
                        True,
                        (
                            Part(
                                Tree(START, GAME.formula("EX win"), True, (Along(Path((START, WIN), (("go", "y"),))),))
                            ),
                            Part(
                                Tree(
                                    START, GAME.formula("EX !win"), True, (Along(Path((START, LOSE), (("go", "n"),))),)
                                )
                            ),
                        ),
                    ),
                ),
            ),
        ),
        reading=Strategies.UNIFORM,
    ),
    "a root that starts no fair run": lie(FAIR, Tree(("a",), FAIR.formula("pc"), False)),
    "a row for a state without choices": dead_end(),
    "a claim in a loop that looks back, CTL*": look_back("CTL* A (G F (n and A (Once q)))"),
    "a claim in a loop that looks back, CTL": look_back("AF (n and A (Once q))"),
    "parts with different histories": two_histories(),
    "a set against the state itself": lie(
        ONE_WAY, Tree(("a",), ONE_WAY.formula("pa"), False, (Fixpoint("excluded", 0),))
    ),
    "a set against another reason": lie(
        ONE_WAY,
        Tree(
            ("a",),
            ONE_WAY.formula("EF pb"),
            False,
            (Along(Path((("a",), ("b",)), (("go",),))), Fixpoint("excluded", 0)),
        ),
    ),
}


def truth(system: epistrat.System, question: Formula, reading: Strategies) -> Verdict:
    session = ReferenceEngine().open(system, Options(reading), Budget(states=1_000))
    try:
        return session.check(question).verdict
    finally:
        session.close()


@pytest.mark.parametrize("name", LIES)
def test_false_evidence_is_refused(name: str) -> None:
    system, certificate = LIES[name].system, LIES[name].certificate
    verdict = truth(system, certificate.question, certificate.reading)
    assert verdict is not certificate.verdict, "the case is meant to be a lie"
    for survey in (0, 300):
        assert replay(system, certificate, survey=survey).problems


def test_the_same_evidence_in_its_place_is_accepted() -> None:
    claim = GAME.formula("AF win")
    inner = Tree(START, claim, True, (Fixpoint("bounded", 2, 1),))
    tree = Tree(START, claim, True, (Restricted(fixed("y"), inner),))
    uniform = Certificate(claim, Verdict.HOLDS, Strategies.UNIFORM, None, (tree,))
    assert replay(GAME, uniform).complete
    only_q = UniformStrategy(Group(("Q",)), (("Q", (((True,), "y"),)),))
    grouped = Certificate(
        claim, Verdict.HOLDS, Strategies.UNIFORM, ("Q",), (Tree(START, claim, True, (Restricted(only_q, inner),)),)
    )
    assert replay(GAME, grouped).complete
    assert not replay(GAME, Certificate(claim, Verdict.HOLDS, Strategies.UNIFORM, ("P",), grouped.trees)).ok
    enforced = Tree(START, GAME.formula("<all>F win"), True, (Enforced(strategy(ALL)),))
    assert replay(GAME, claimed(enforced)).complete
    assert not replay(GAME, Certificate(enforced.claim, Verdict.HOLDS, Strategies.OBJECTIVE, None, (enforced,))).ok


def test_a_look_alike_has_the_past_of_the_run_that_leads_to_it() -> None:
    """At e, reached through a, the agent does not know that it came through a: the way through b looks the same."""
    through_a, through_b = (
        Path((("i",), (place,), ("e",)), ((turn,), ("l",))) for place, turn in (("a", "l"), ("b", "r"))
    )
    staying = Lasso(through_b.states, (*through_b.actions, ("l",)), 2)
    question, end, knows, came = map(
        FORK.formula,
        ("AG(pe -> K(P, A (Once pa)))", "pe -> K(P, A (Once pa))", "K(P, A (Once pa))", "A (Once pa)"),
    )
    for run, accepted in ((through_b, True), (through_a, False)):
        other = Tree(("e",), came, False, (Around(staying, at=2),))
        ignorant = Tree(("e",), knows, False, (LookAlike(("P",), run, other),))
        last = Tree(("e",), end, False, (Part(ignorant),))
        found = replay(
            FORK, lie(FORK, Tree(("i",), question, False, (Along(through_a, ((2, last),)),))).certificate, survey=0
        )
        assert found.complete is accepted, found
        assert bool(found.problems) is not accepted
