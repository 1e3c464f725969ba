"""Explanations say what matters, in few words, at any size."""

from __future__ import annotations

from pathlib import Path as File
from typing import Any

import pytest
from tests.generators.certificates import certified

import epistrat
from epistrat.answers import Focus
from epistrat.api import Result
from epistrat.evidence import Enforced, StateStrategy
from epistrat.evidence.replay import replay
from epistrat.explain.narrate import explain
from epistrat.explain.policy import decision_rules, policies
from epistrat.explain.words import counted, listed, number
from epistrat.render.tree import show_explanation
from epistrat.terms import Value

EXAMPLES = File(__file__).parents[2] / "examples"


def ask(model: str, formula: str, **options: Any) -> Result:
    (result,) = epistrat.load(EXAMPLES / f"{model}.ispl").check(formula, **options)
    return result


def test_why_an_agent_does_not_know() -> None:
    text = ask("dining_cryptographers", "AG((odd and paid2) -> K(C1, paid2))").explain()
    assert "What C1 cannot rule out" in text
    assert "What C1 sees in both" in text
    assert "There `paid2` is false, so C1 does not know it." in text


def test_the_summary_is_one_sentence() -> None:
    text = ask("dining_cryptographers", "AG((odd and paid2) -> K(C1, paid2))").summary()
    assert text.startswith("After 1 step")
    assert text.endswith(".")
    assert "\n" not in text


def test_a_chain_of_doubts_for_common_knowledge() -> None:
    text = ask("muddy_children", "all_muddy -> GCK(children, some_muddy)").explain()
    assert [text.count(f"What Child{i} cannot rule out") for i in (1, 2, 3)] == [1, 1, 1]
    assert "not common knowledge" in text


def test_a_run_that_repeats_is_bracketed() -> None:
    text = ask("train_gate_controller", "AG (waiting1 -> AF inside1)").explain()
    assert "┌" in text
    assert "and again from 0" in text


def test_rules_of_a_strategy() -> None:
    text = ask("prisoners", "<prisoners>F free").explain()
    assert "sees = brightness" in text
    assert "-> switch_off" in text


def test_projection_onto_agents() -> None:
    result = ask("authentication", "AG ((original and bob_finished_with_alice) -> !mallory_knows_nb)")
    everything = result.explain(Focus())
    only_bob = result.explain(Focus(agents=("Bob",)))
    assert "call_mallory" in everything
    assert "call_mallory" not in only_bob
    assert "Bob: answer_alice" in only_bob


def test_everything_is_shown_on_demand() -> None:
    result = ask("prisoners", "AF free")
    assert "Third.has_lit" not in result.explain()
    assert "has_lit" in result.explain(Focus(full=True))


def test_several_different_examples() -> None:
    result = ask("dining_cryptographers", "AG((odd and paid2) -> K(C1, paid2))", examples=3)
    assert result.evidence is not None
    assert len(result.trees) == 3
    text = result.explain()
    assert "Another one (3 of 3)" in text


def big_dining(n: int) -> str:
    """Many agents in a ring, each of whom sees two of the coins and what was said."""
    lines = ["Agent Environment", "Obsvars: phase : {talk, done}; "]
    lines += [f"said{i} : boolean; " for i in range(n)]
    lines += ["end Obsvars", "Vars: "]
    lines += [f"coin{i} : boolean; " for i in range(n)]
    lines += ["end Vars", "Actions = {none};", "Protocol: Other : {none}; end Protocol", "Evolution:"]
    lines += ["phase = done if phase = talk;", "end Evolution", "end Agent"]
    for i in range(n):
        seen = ", ".join({f"coin{i}": 0, f"coin{(i + 1) % n}": 0})
        lines += [
            f"Agent C{i}",
            f"Lobsvars = {{{seen}}};",
            "Vars: paid : boolean; end Vars",
            "Actions = {same, differ};",
            "Protocol: Other : {same, differ}; end Protocol",
            "Evolution: paid = paid if Action = same; end Evolution",
            "end Agent",
        ]
    lines += ["Evaluation"]
    lines += [f"paid{i} if C{i}.paid = true;" for i in range(n)]
    lines += ["done if Environment.phase = done;", "end Evaluation"]
    none_said = " and ".join(f"Environment.said{i} = false" for i in range(n))
    lines += [f"InitStates Environment.phase = talk and {none_said}; end InitStates"]
    return "\n".join(lines)


def test_fifty_agents_fit_on_one_screen() -> None:
    model = epistrat.load(big_dining(50))
    (result,) = model.check("AG((done and paid2) -> K(C1, paid2))")
    lines = result.explain().split("\n")
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 100
    assert len(set(lines) - {""}) == len([line for line in lines if line])


def test_many_parts_of_the_same_kind_are_not_repeated() -> None:
    model = epistrat.load(big_dining(30))
    everybody = " and ".join(f"!K(C1, paid{i})" for i in range(2, 30))
    (result,) = model.check(f"EF (done and {everybody})")
    assert result.verdict.value == "holds"
    lines = result.explain().split("\n")
    assert len(lines) <= 40
    assert any("The same can be said of 25 more parts" in line for line in lines)


@pytest.mark.parametrize(
    ("items", "most", "text"),
    [
        ([], None, ""),
        (["a"], None, "a"),
        (["a", "b", "c"], None, "a, b and c"),
        (["a", "b", "c"], 2, "a, b and 1 more"),
    ],
)
def test_lists(items: list[str], most: int | None, text: str) -> None:
    assert listed(items, most) == text


def test_numbers() -> None:
    assert counted(1, "step") == "1 step"
    assert number(12345) == "12,345"
    assert number(34 * 10**29) == "3,400" + ",000" * 9


def test_rules_say_what_the_table_says() -> None:
    rows: list[tuple[dict[int, Value], str]] = [
        ({0: a, 1: b, 2: c}, "go" if (a and b) or c == 2 else "stay" if a else "wait")
        for a in (False, True)
        for b in (False, True)
        for c in (0, 1, 2)
    ]
    rules = decision_rules(rows, (0, 1, 2))
    for row, action in rows:
        chosen = next(rule.action for rule in rules if all(row[t.position] in t.values for t in rule.tests))
        assert chosen == action
    assert rules[-1].tests == ()


def test_policies_read_only_what_the_agent_sees_where_that_suffices() -> None:
    system = epistrat.load(EXAMPLES / "prisoners.ispl")
    (result,) = system.check("<prisoners>F free")
    assert result.evidence is not None
    strategy = next(reason.strategy for reason in result.evidence.because if isinstance(reason, Enforced))
    assert isinstance(strategy, StateStrategy)
    for policy in policies(system, strategy):
        assert policy.uniform
        member = strategy.group.members.index(policy.agent)
        assert all(policy.decide(state) == choice[member] for state, choice in strategy.moves)


@pytest.mark.parametrize("model", sorted(path.stem for path in EXAMPLES.glob("*.ispl")))
def test_every_verdict_of_every_example_is_explained_and_replays(model: str) -> None:
    system = epistrat.load(EXAMPLES / f"{model}.ispl")
    for result in system.check():
        if result.evidence is not None:
            found = replay(system, certified(result.formula, result))
            assert found.ok, found.problems
            explanation = explain(system, result.evidence)
            assert explanation.summary
            assert show_explanation(system, explanation)
