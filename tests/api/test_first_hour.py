"""What first users tried in Python: answers as truth values, strategies as objects, states with names, graphs, and slips."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import epistrat
from epistrat.cli.main import main

ROOT = Path(__file__).parents[2]
PRISONERS = ROOT / "examples" / "prisoners.ispl"
MUDDY = ROOT / "examples" / "muddy_children.ispl"
LAMP = """
Agent Lamp Vars: on : boolean; end Vars Actions = {press, wait}; Protocol: Other : {press, wait}; end Protocol
  Evolution: on = true if on = false and Action = press; on = false if on = true and Action = press; end Evolution end Agent
Evaluation lit if Lamp.on = true; end Evaluation
InitStates Lamp.on = false; end InitStates
Groups g = {Lamp}; end Groups
Formulae AG EF lit; AF lit; end Formulae
"""


def test_one_answer_is_true_if_the_formula_holds() -> None:
    model = epistrat.load(LAMP)
    assert model.check("AG EF lit")
    assert not model.check("AF lit")


def test_several_answers_have_no_truth_value() -> None:
    model = epistrat.load(LAMP)
    with pytest.raises(TypeError, match="several formulae have no truth value: write all"):
        bool(model.check())
    with pytest.raises(TypeError, match="no formula"):
        bool(model.check([]))
    assert [bool(result) for result in model.check()] == [True, False]
    assert not all(model.check())


def test_what_one_answer_has_a_list_of_answers_has_not() -> None:
    results = epistrat.load(LAMP).check("AF lit")
    with pytest.raises(AttributeError, match=r"write results\[0\]\.verdict"):
        _ = results.verdict
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = results.nonsense
    assert not hasattr(results, "_repr_png_")


def test_rules_are_objects() -> None:
    plan = epistrat.load(LAMP).strategy("<g>F lit", strategies="objective")
    assert list(plan) == ["Lamp"]
    rules = plan["Lamp"]
    assert rules({"on": False}) == "press"
    assert rules(on=False) == "press"
    assert rules((False,)) == "press"
    assert rules.uniform and plan.uniform
    assert "-> press" in str(rules)
    assert "<td>press</td>" in plan._repr_html_()
    with pytest.raises(KeyError, match="it has rules for Lamp"):
        plan["Nobody"]
    none = epistrat.load(PRISONERS).strategy("<counter_alone>F free")
    assert none.rules == {}
    assert "<pre>No." in none._repr_html_()


def test_what_rules_read_must_be_given() -> None:
    plan = epistrat.load(PRISONERS).strategy("<prisoners>F free", strategies="objective")
    for rules in plan.rules.values():
        if rules.reads:
            with pytest.raises(LookupError, match=f"the rules of {rules.agent} read"):
                rules({})
            with pytest.raises(LookupError, match="there is no variable"):
                rules({"nothing": 1})


def test_walks_follow_a_strategy() -> None:
    model = epistrat.load(PRISONERS)
    plan = model.strategy("<prisoners>F free", strategies="objective")
    free = model.propositions["free"]
    for seed in range(5):
        walk = model.simulate(seed=seed)
        walk.walk(200, strategy=plan)
        agents = [agent.name for agent in model.agents]
        for state, joint in zip(walk.states, walk.run.actions, strict=False):
            done = dict(zip(agents, joint, strict=True))
            for name in plan:
                assert plan[name](state) in (None, done[name])
        assert any(walk._stepper.evaluator.holds(free, state) for state in walk.states)
    with pytest.raises(LookupError, match="there is no strategy"):
        model.simulate().walk(3, strategy=model.strategy("<counter_alone>F free"))


def test_a_strategy_that_acts_on_what_is_seen_says_so_in_json() -> None:
    plan = epistrat.load(LAMP).strategy("<g>F lit")
    assert "only what it sees" in str(plan)
    assert plan.to_json()["strategy"]["uniform"] is True


def test_states_have_names() -> None:
    walk = epistrat.load(LAMP).simulate(seed=1)
    assert tuple(walk.state) == (False,)
    assert walk.state["Lamp.on"] is False
    assert walk.state["on"] is False
    assert walk.state.as_dict() == {"Lamp.on": False}
    assert walk.state.seen_by("Lamp") == {"Lamp.on": False}
    assert repr(walk.state) == "State(Lamp.on=False)"
    assert pickle.loads(pickle.dumps(walk.state)) == walk.state
    with pytest.raises(LookupError, match=r"there is no variable 'off'; there are Lamp\.on"):
        walk.state["off"]


def test_graphs_show_what_looks_the_same() -> None:
    pytest.importorskip("networkx")
    model = epistrat.load(MUDDY)
    plain, graph = model.graph(), model.graph(look_alikes=True)
    alike = [(one, other, data["alike"]) for one, other, data in graph.edges(data=True) if "alike" in data]
    assert graph.number_of_edges() == plain.number_of_edges() + len(alike)
    states = [model.state(tuple(list(data.values())[1:])) for _, data in graph.nodes(data=True)]
    for one, other, agents in alike:
        assert one < other
        for agent in agents:
            assert states[one].seen_by(agent) == states[other].seen_by(agent)
    # the cube of the muddy children: initial states that one child cannot tell apart differ in that child's forehead only
    cube = [edge for edge in alike if graph.nodes[edge[0]]["initial"] and graph.nodes[edge[1]]["initial"]]
    assert cube
    only = model.graph(look_alikes="Child1")
    assert {data["alike"] for *_, data in only.edges(data=True) if "alike" in data} == {("Child1",)}
    with pytest.raises(LookupError, match="there is no agent 'Nobody'"):
        model.graph(look_alikes=["Nobody"])


def test_pictures_show_what_looks_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(MUDDY), "--dot", "-o", str(tmp_path / "a.dot")]) == 0
    assert main(["export", str(MUDDY), "--dot", "--look-alikes", "Child1", "-o", str(tmp_path / "b.dot")]) == 0
    assert "style=dashed" not in (tmp_path / "a.dot").read_text()
    assert "style=dashed, dir=none" in (tmp_path / "b.dot").read_text()
    assert main(["export", str(MUDDY), "--dot", "--look-alikes", "Nobody"]) == 2
    assert "there is no agent 'Nobody'" in capsys.readouterr().err


def test_advice_reads_as_python() -> None:
    result = epistrat.load(ROOT / "examples" / "train_gate_controller.ispl").check(states=1, engine="explicit")[0]
    assert result.verdict is epistrat.Verdict.UNKNOWN
    assert "Setting(" not in repr(result.advice)
    assert "states" in repr(result.advice)


@pytest.mark.parametrize(
    ("given", "meant"), [("timeout", "time"), ("strategy", "strategies"), ("engin", "engine"), ("threads", "cores")]
)
def test_options_that_do_not_exist(given: str, meant: str) -> None:
    with pytest.raises(TypeError, match=f"there is no option '{given}'; did you mean '{meant}'"):
        epistrat.load(LAMP).check("AF lit", **{given: 3})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"there are .*time.* and those of engines: order"):
        epistrat.load(LAMP).check("AF lit", zzzz=3)  # type: ignore[call-arg]


def test_slips_of_builders() -> None:
    builder = epistrat.Builder()
    agent = builder.agent("A")
    colour = agent.enum("colour", ["red", "green"])
    agent.actions(["go", "stop"])
    with pytest.raises(epistrat.ModelError, match=r"write each on its own, enum\('c', 'red', 'green'\)"):
        agent.enum("c", "red green")
    with pytest.raises(epistrat.ModelError, match="at least one value"):
        agent.enum("c")
    with pytest.raises(epistrat.ModelError, match="a name is a text, not 3"):
        agent.enum("c", [3])  # type: ignore[list-item]
    with pytest.raises(epistrat.ModelError, match=r"A: a condition is written with Python's operators.*'colour = red'"):
        agent.may("go", when="colour = red")
    with pytest.raises(epistrat.ModelError, match="not an enumeration value"):
        agent.may("go", when=colour)
    with pytest.raises(epistrat.ModelError, match="A has no variable z: its variables are colour"):
        agent.evolve(True, z=1)
    other = epistrat.Builder().agent("B").range("x", 0, 3)
    with pytest.raises(epistrat.ModelError, match=r"`x > 1`|`B.x > 1`|another builder"):
        agent.may("go", when=other > 1)
    agent.otherwise("go", "stop")
    builder.initial(colour == "red")
    assert builder.build().check("AG A.colour = red")


def test_messages_in_python_say_what_may_be_meant() -> None:
    with pytest.raises(epistrat.InputError, match=r"did you mean `Lamp.on`"):
        epistrat.load(LAMP).check("AG (on = true)")
    with pytest.raises(epistrat.InputError, match="negation is written `!`"):
        epistrat.load(LAMP).check("not lit")
