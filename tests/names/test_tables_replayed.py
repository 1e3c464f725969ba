"""Strategies without memory as evidence: tables are re-checked by the definitions, as are answers about few tables; lies are refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.generators.arenas import random_arena, random_goal, random_path, with_goals
from tests.names.comparing import answer

from epistrat import evidence as e
from epistrat.answers import Certificate
from epistrat.answers.verdict import Strategies
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.readings import named
from epistrat.evidence.replay import replay
from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Tag
from epistrat.logic.fragment import is_enforced
from epistrat.logic.show import show
from epistrat.model.initial import initial_states
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.render.json.evidence import evidence_json
from epistrat.render.json.reading import read_evidence


def sentence(rng: random.Random, system: System) -> Formula:
    """A prefix in any order, with shared strategies, over a goal, or two goals; sometimes below K."""
    acting = [agent.name for agent in system.agents if agent.actions]
    names = [f"s{number}" for number in range(rng.randint(1, len(acting)))]

    def goal() -> Formula:
        body = random_path(rng, system, 1)
        for agent in acting:
            body = logic.Bound(agent, rng.choice(names), body)
        return body

    body = goal() if rng.random() < 0.7 else rng.choice((logic.And, logic.Or))((goal(), goal()))
    if rng.random() < 0.2:
        body = logic.Knows("Ann", body)
    for name in rng.sample(names, len(names)):
        body = rng.choice((logic.SomeStrategy, logic.EveryStrategy))(name, body)
    return logic.Tagged(rng.choice((Tag.STATES, Tag.VIEWS)), body)


def checked(system: System, formula: Formula, options: Options, verdict: Verdict | None = None) -> tuple[bool, bool]:
    """Whether the answer is re-checked, and whether tables show it; it must not be refused."""
    outcome = answer("explicit", system, formula, options)
    if outcome.verdict is Verdict.UNKNOWN:
        return False, False
    for tree in outcome.trees:
        words = {show(part.claim): part.claim for part in e.walk(tree)}
        assert read_evidence(system, evidence_json(system, tree), words.__getitem__) == tree
    given = Certificate(
        formula, outcome.verdict, options.strategies, trees=outcome.trees, named=named(formula, options)
    )
    found = replay(system, given)
    assert not found.problems, (found.problems, show(formula), to_ispl(system))
    shown = [reason for tree in outcome.trees for reason in tree.because if isinstance(reason, e.Chosen)]
    for reason in shown:
        refuse_lies(system, given, reason)
    opposite = Verdict.FAILS if outcome.verdict is Verdict.HOLDS else Verdict.HOLDS
    for tree in outcome.trees:
        lie = replace(tree, holds=not tree.holds, because=(e.Stated(),))
        if found.complete:
            other = replay(system, replace(given, verdict=opposite, trees=(lie,)))
            assert other.problems or not other.complete, (show(formula), to_ispl(system))
    return found.complete, bool(shown)


def refuse_lies(system: System, certificate: Certificate, reason: e.Chosen) -> None:
    """Tables with a row less, or with something that nobody may do."""
    for number, table in enumerate(reason.tables):
        if not table.agents:
            continue  # nobody follows it
        lies = [table.rows[1:], (*table.rows, table.rows[0]), ((table.rows[0][0], "fly"), *table.rows[1:])]
        for rows in lies:
            wrong = replace(table, rows=rows)
            tables = (*reason.tables[:number], wrong, *reason.tables[number + 1 :])
            tree = replace(certificate.trees[0], because=(replace(reason, tables=tables),))
            assert replay(system, replace(certificate, trees=(tree,))).problems


@pytest.mark.parametrize("seed", range(8))
def test_names_without_memory(seed: int) -> None:
    rng = random.Random(seed)
    complete = tables = 0
    for number in range(12):
        system = random_arena(rng, rng.choice((1, 2, 2)), rng.choice((2, 3)), 0.2 * (number % 3 == 0), own=False)
        done, shown = checked(system, sentence(rng, system), Options(evidence=True))
        complete, tables = complete + done, tables + shown
    assert complete >= 6, (complete, tables)


@pytest.mark.parametrize("seed", range(4))
def test_knowledge_below_bindings_is_about_the_plays_that_strategies_leave(seed: int) -> None:
    rng = random.Random(seed)
    both = Group(("Ann", "Bob"))
    for number in range(10):
        system = random_arena(rng, 2, 2, 0.2 * (number % 3 == 0), own=False)
        goal = random_goal(rng, system, 1)
        body: Formula = logic.Knows("Ann", goal) if number % 2 else logic.Everybody(both, goal)
        acting = [agent.name for agent in system.agents if agent.actions]
        for agent in acting:
            body = logic.Bound(agent, f"of{agent}", body)
        for agent in rng.sample(acting, len(acting)):
            body = rng.choice((logic.SomeStrategy, logic.EveryStrategy))(f"of{agent}", body)
        checked(system, logic.Tagged(rng.choice((Tag.STATES, Tag.VIEWS)), body), Options(evidence=True))


@pytest.mark.parametrize("seed", range(4))
def test_coalitions_without_memory(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(6):
        system = random_arena(rng, 2, rng.choice((2, 3)), 0.2, own=False)
        claim = logic.Coalition(Group(rng.choice((("Ann",), ("Ann", "Bob")))), random_path(rng, system, 2))
        if is_enforced(claim.arg):
            continue
        for options in (Options(evidence=True, remembering=False), Options(Strategies.OBJECTIVE, evidence=True)):
            checked(system, claim, options)


@pytest.mark.parametrize("seed", range(5))
def test_equilibria_without_memory(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(5):
        system = with_goals(rng, random_arena(rng, 2, 3, own=False), 1)
        kind = rng.choice((logic.SomeEquilibrium, logic.EveryEquilibrium))
        tag = rng.choice((Tag.STATES, Tag.VIEWS))
        done, _ = checked(system, logic.Tagged(tag, kind(random_path(rng, system, 1))), Options(evidence=True))
        outcome = answer("explicit", system, logic.Tagged(tag, kind(logic.Truth(True))), Options())
        assert done or outcome.verdict is Verdict.UNKNOWN or "InitStates" in to_ispl(system)


BLIND = """
Agent Environment
  Vars: d : boolean; end Vars
  Obsvars: won : boolean; end Obsvars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: won = true if (d = true and Ann.Action = l) or (d = false and Ann.Action = r); end Evolution
end Agent
Agent Ann
  Vars: end Vars
  Actions = {l, r};
  Protocol: Other : {l, r}; end Protocol
  Evolution: end Evolution
end Agent
Evaluation won if Environment.won = true; end Evaluation
InitStates Environment.won = false; end InitStates
Formulae #Ir <<x>> [[e]] (Ann, x) (Environment, e) X won; end Formulae
"""


def test_tables_that_see_too_much_are_refused() -> None:
    """What a table does must not depend on what nobody who follows it sees; nor may a table be another agent's."""
    system = load(BLIND).system
    assert system is not None
    (asked,) = system.formulae
    assert isinstance(asked, logic.Tagged)
    outcome = answer("explicit", system, asked, Options(evidence=True))
    certificate = Certificate(asked, Verdict.HOLDS, trees=outcome.trees, named=named(asked, Options()))
    assert replay(system, certificate).ok
    for tag in (Tag.VIEWS, Tag.PERFECT):
        other = logic.Tagged(tag, asked.arg)
        tree = replace(outcome.trees[0], claim=other)
        problems = replay(system, replace(certificate, question=other, trees=(tree,))).problems
        assert problems, tag
    (reason,) = outcome.trees[0].because
    assert isinstance(reason, e.Chosen)
    (table,) = reason.tables
    turned = tuple((state, {"l": "r", "r": "l"}[str(act)]) for state, act in table.rows)
    for wrong in (replace(table, rows=turned), replace(table, agents=("Environment",)), replace(table, variable="e")):
        tree = replace(outcome.trees[0], because=(replace(reason, tables=(wrong,)),))
        assert replay(system, replace(certificate, trees=(tree,))).problems


def test_a_shared_table_is_everybodys_who_follows_it() -> None:
    """Where two have nothing in common there is no strategy for both, whoever's table is shown."""
    system = load((Path(__file__).parent / "models" / "s05_nothing_in_common.ispl").read_text()).system
    assert system is not None
    asked = logic.Tagged(Tag.STATES, system.formulae[0])
    states = ((False,), (True,))
    for agents in (("Ann",), ("Ann", "Bob")):
        nothing = e.Table("e", ("Environment",), tuple((state, "none") for state in states))
        table = e.Table("x", agents, tuple((state, "l") for state in states))
        tree = e.Tree(states[0], asked, True, (e.Chosen((nothing, table)),))
        assert replay(system, Certificate(asked, Verdict.HOLDS, trees=(tree,))).problems, agents


TWO_GOALS = """
Agent Environment Obsvars: at : 0..2; end Obsvars Actions = {}; Protocol: end Protocol
  Evolution: at = 1 if at = 0 and Bob.Action = l; at = 2 if at = 0 and Bob.Action = r; end Evolution end Agent
Agent Ann Vars: end Vars Actions = {l, r}; Protocol: Other : {l, r}; end Protocol Evolution: end Evolution end Agent
Agent Bob Vars: end Vars Actions = {l, r}; Protocol: Other : {l, r}; end Protocol Evolution: end Evolution end Agent
Evaluation p if Environment.at = 1; q if Environment.at = 2; end Evaluation
InitStates Environment.at = 0; end InitStates
Goals Ann : F p; Bob : F q; end Goals
Formulae #Ir Nash; #Ir ENash(F p); end Formulae
"""


def test_everybody_has_to_be_content() -> None:
    """Bob, whose goal is named second, would do something else."""
    system = load(TWO_GOALS).system
    assert system is not None
    states = ((0,), (1,), (2,))
    for act, balanced in (("r", True), ("l", False)):
        tables = tuple(e.Table(name, (name,), tuple((state, act) for state in states)) for name in ("Ann", "Bob"))
        asked = system.formulae[0]
        tree = e.Tree(states[0], asked, True, (e.Chosen(tables),))
        found = replay(system, Certificate(asked, Verdict.HOLDS, trees=(tree,), named=named(asked, Options())))
        assert bool(found.problems) is not balanced, act


def test_a_subjective_table_works_from_all_states_that_look_the_same() -> None:
    """Ann does not see d: what succeeds from one initial state only does not succeed."""
    system = load(BLIND.replace("#Ir <<x>> [[e]] (Ann, x) (Environment, e) X won", "AG true")).system
    assert system is not None
    claim = logic.Coalition(
        Group(("Ann",)), logic.And((logic.Next(logic.Prop("won")), logic.Finally(logic.Prop("won"))))
    )
    asked = Options(Strategies.SUBJECTIVE, asked=Strategies.SUBJECTIVE)
    states = [(won, bit) for won in (False, True) for bit in (False, True)]
    for act, bit in (("l", True), ("r", False)):
        start = False, bit
        assert start in initial_states(system, 5)
        table = e.Table("Ann", ("Ann",), tuple((state, act) for state in states))
        tree = e.Tree(start, claim, True, (e.Chosen((table,)),))
        alone = Certificate(claim, Verdict.HOLDS, Strategies.OBJECTIVE, trees=(tree,), named=named(claim, asked))
        assert not replay(system, alone).problems
        assert replay(system, replace(alone, reading=Strategies.SUBJECTIVE)).problems, act
