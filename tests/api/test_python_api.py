"""The Python API as its documentation shows it."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.lamp_models import COUNTER, LAMP
from tests.generators.certificates import certified
from tests.generators.systems import random_system

import epistrat
from epistrat import Builder, InputError, Verdict
from epistrat.evidence.replay import replay
from epistrat.logic.formula import Finally, Prop
from epistrat.model.agent import Agent
from epistrat.model.show import to_ispl
from epistrat.model.system import System as ModelSystem
from epistrat.solvers.budget import Budget

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ispl"))


def lamp() -> epistrat.System:
    return epistrat.load(LAMP)


def twin() -> epistrat.System:
    """The same lamp, in Python."""
    model = Builder()
    agent = model.agent("Lamp")
    on = agent.boolean("on")
    agent.actions("press", "wait")
    agent.otherwise("press", "wait")
    agent.evolve((on == False) & (agent.action == "press"), on=True)  # noqa: E712
    agent.evolve((on == True) & (agent.action == "press"), on=False)  # noqa: E712
    model.proposition("lit", on == True)  # noqa: E712
    model.initial(on == False)  # noqa: E712
    model.group("g", agent)
    model.formula("AG EF lit", "AF lit", "<g>F lit")
    return model.build()


def test_a_model_in_python_equals_its_ispl_twin() -> None:
    assert twin() == lamp()
    assert twin().to_ispl() == lamp().to_ispl()
    assert [result.verdict for result in twin().check()] == [result.verdict for result in lamp().check()]


def test_systems_are_equal_wherever_they_came_from() -> None:
    system = lamp()
    assert system.loaded is not None
    plain = system.loaded.system
    assert type(plain) is ModelSystem
    assert system == plain
    assert plain == system
    assert system != epistrat.load(COUNTER)
    assert system != "lamp"


def test_loading_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "lamp.ispl"
    file.write_text(LAMP)
    assert epistrat.load(file) == epistrat.load(str(file)) == lamp()


def test_checking_the_models_own_formulae() -> None:
    results = lamp().check()
    assert [result.verdict for result in results] == [Verdict.HOLDS, Verdict.FAILS, Verdict.HOLDS]
    assert [result.text for result in results] == ["AG EF lit", "AF lit", "<g>F lit"]
    assert [bool(result) for result in results] == [True, False, True]
    assert [result.index for result in lamp().check(only=[2])] == [2]


def test_checking_other_formulae() -> None:
    (result,) = lamp().check("EX lit")
    assert result
    assert result.engine == "symbolic"
    one, two = lamp().check(["lit", Prop("lit")])
    assert one.verdict is two.verdict is Verdict.FAILS
    assert one.text == two.text == "lit"


def test_evidence_is_there_and_replays() -> None:
    system = lamp()
    (result,) = system.check("AG !lit", engine="reference")
    assert result.evidence is not None
    assert replay(system, certified(result.formula, result)).ok
    assert result.replay is not None
    assert result.replay.ok
    assert result.to_json()["evidence"]["holds"] is False
    (without,) = system.check("AG !lit", evidence=False)
    assert without.evidence is None
    assert "evidence" not in without.to_json()


def test_reports_know_the_state_space() -> None:
    report = epistrat.load(COUNTER).report()
    assert report.facts.states == 4
    assert report.facts.dead_ends == 1
    assert report.facts.overflow_line == ("Counter", 1)
    assert "symbolic" in report.statistics


def test_bad_input_is_one_typed_exception() -> None:
    with pytest.raises(InputError, match="Lamp has no action") as caught:
        epistrat.load(LAMP.replace("Action = press", "Action = pres"))
    assert caught.value.diagnostics[0].code == "E014"
    with pytest.raises(InputError, match="there is no such file"):
        epistrat.load("missing.ispl")
    with pytest.raises(InputError, match="no proposition"):
        lamp().check("EX lid")
    with pytest.raises(InputError):
        epistrat.load(LAMP.replace("AF lit", "AF true"), strict=True)


def test_warnings_are_kept() -> None:
    assert lamp().diagnostics == ()
    doubled = epistrat.load(LAMP.replace("end Evaluation", "lit if Lamp.on = true; end Evaluation"))
    assert [diagnostic.code for diagnostic in doubled.diagnostics] == ["W007"]


def test_a_budget_that_ended_leaves_the_next_check_working() -> None:
    system = lamp()
    spent = Budget()
    spent.cancel()
    results = system.check(budget=spent)
    assert {result.verdict for result in results} == {Verdict.UNKNOWN}
    assert results[0].reason == "interrupted before this formula was looked at"
    assert not results[0]
    assert "interrupted" in results[0].explain()
    assert system.check()[0].verdict is Verdict.HOLDS


def test_limits_make_unknown() -> None:
    endless = epistrat.load(COUNTER.replace("0..3", "integer"))
    (result,) = endless.check("AG !(Counter.n = 5000000)", time=0.3, engine="reference")
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason is not None
    (result,) = endless.check("AG !(Counter.n = 5000000)", states=100, engine="reference")
    assert result.verdict is Verdict.UNKNOWN


def test_strategies_and_groups() -> None:
    system = lamp()
    for strategies in ("any", "uniform", "objective", "subjective"):
        (result,) = system.check("<g>F lit", strategies=strategies)
        assert result
    assert system.check("AF lit", strategies="uniform", group="g")[0]
    assert system.check("AF lit", strategies="uniform", group=["Lamp"])[0]


def test_unknown_engines() -> None:
    with pytest.raises(LookupError, match="there is no engine 'magic'"):
        lamp().check(engine="magic")


def test_all_engines_agree() -> None:
    assert [result.verdict for result in lamp().check(engine="all")] == [Verdict.HOLDS, Verdict.FAILS, Verdict.HOLDS]


def test_simulation() -> None:
    simulation = lamp().simulate(seed=1)
    assert simulation.state == (False,)
    simulation.take(simulation.steps()[0])
    assert simulation.state == (True,)
    assert simulation.why()[0].lines[0][0] == 1
    assert simulation.holds(Prop("lit")) is True
    assert simulation.holds(Finally(Prop("lit"))) is True  # a linear formula is read with A
    simulation.back()
    assert simulation.holds(Finally(Prop("lit"))) is False
    assert simulation.run.states == ((False,),)
    assert simulation.walk(7) == 7
    assert simulation.depth == 7
    with pytest.raises(LookupError):
        simulation.back(9)


def test_notebooks_show_a_table() -> None:
    html = lamp()._repr_html_()
    assert "<td>Lamp</td><td>on: boolean</td><td>press, wait</td>" in html


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_examples_print_and_read_back(file: Path) -> None:
    system = epistrat.load(file)
    assert epistrat.load(system.to_ispl()) == system


def ordered(system: ModelSystem) -> ModelSystem:
    """With the Environment's public variables first, as ISPL writes them."""

    def public_first(agent: Agent) -> Agent:
        return replace(agent, variables=tuple(sorted(agent.variables, key=lambda variable: not variable.public)))

    return replace(system, agents=tuple(public_first(agent) for agent in system.agents))


@pytest.mark.parametrize("seed", range(200))
def test_random_systems_print_and_read_back(seed: int) -> None:
    system = ordered(random_system(random.Random(seed), unbounded=seed % 3 == 0))
    text = to_ispl(system)
    again = epistrat.load(text)
    assert again == system
    assert again.to_ispl() == text


def test_everything_public_can_be_imported() -> None:
    for name in epistrat.__all__:
        assert getattr(epistrat, name) is not None
    assert set(epistrat.__all__) <= set(dir(epistrat))
    with pytest.raises(AttributeError):
        epistrat.nonsense  # noqa: B018


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"evidance": True}, TypeError, "there is no option 'evidance'"),
        ({"order": "upside-down"}, ValueError, "there is no order 'upside-down'"),
        ({"reorder": True, "bdd": "oxidd"}, ValueError, "only CUDD reorders"),
        ({"strategies": "uniform", "group": "nobody"}, LookupError, "there is no group 'nobody'"),
    ],
)
def test_options_that_do_not_exist_are_refused(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        lamp().check(**options)


def test_the_limit_of_nodes_is_kept() -> None:
    (result,) = lamp().check("AG EF lit", engine="symbolic", nodes=3)
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason is not None
    assert "limit of 3 nodes" in result.reason


def test_a_blank_text_is_a_model_without_agents() -> None:
    with pytest.raises(epistrat.InputError, match="a model needs an agent"):
        epistrat.load("")


def test_reports_print_as_the_command_does() -> None:
    text = str(lamp().report(only=[1, 2]))
    assert "  1  holds  AG EF lit  (proved)\n  2  FAILS  AF lit  (proved)\n" in text
    assert "1 holds, 1 fails; 2 reachable states (" in text
