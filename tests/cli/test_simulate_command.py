"""``epistrat simulate``: by hand, through standard input, and at random."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from tests.cli.lamp_models import LAMP, Ran, Run

import epistrat
from epistrat.service.knowing import Knowing

TWO = """\
Composition = Interleaved;
Agent A
  Vars: x : 0..2; end Vars
  Actions = {step, meet};
  Protocol: x = 0 : {step}; x = 1 : {meet}; end Protocol
  Evolution: x = x + 1 if Action = step; x = 2 if Action = meet; end Evolution
end Agent
Agent B
  Vars: y : boolean; end Vars
  Actions = {meet};
  Protocol: y = false : {meet}; end Protocol
  Evolution: y = true if Action = meet; end Evolution
end Agent
Evaluation met if B.y = true; one if A.x = 1; end Evaluation
InitStates A.x = 0; end InitStates
Formulae EF met; end Formulae
"""


class Talk:
    def __init__(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        self._run = run
        self._monkeypatch = monkeypatch

    def __call__(self, file: str, *commands: str) -> Ran:
        self._monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{command}\n" for command in commands)))
        done = self._run("simulate", file)
        assert done.err == ""
        return done


@pytest.fixture
def talk(run: Run, monkeypatch: pytest.MonkeyPatch, models: Path) -> Talk:
    (models / "two.ispl").write_text(TWO)
    return Talk(run, monkeypatch)


def test_the_first_screen(talk: Talk) -> None:
    done = talk("lamp.ispl", "q")
    assert done.status == 0
    assert done.out.splitlines() == [
        "state 0 (initial, the only one)  Lamp.on=false",
        "  1  Lamp: press  -> Lamp.on=true",
        "  2  Lamp: wait  -> nothing changes",
    ]


def test_steps_back_and_again(talk: Talk) -> None:
    out = talk("lamp.ispl", "1", "1", "b", "s", "2", "j 0").out
    states = [line for line in out.splitlines() if line.startswith("state")]
    assert states == [
        "state 0 (initial, the only one)  Lamp.on=false",
        "state 1  Lamp.on=true",
        "state 2  Lamp.on=false",
        "state 1  Lamp.on=true",
        "state 0 (initial)  Lamp.on=false",
        "state 1  Lamp.on=false",
        "state 0  Lamp.on=false",
    ]


def test_why_names_the_line(talk: Talk) -> None:
    out = talk("lamp.ispl", "1", "w", "1", "w", "2", "w").out
    assert "  Lamp: on false -> true\n    lamp.ispl:8: on = true if on = false and Action = press" in out
    assert "  Lamp: on true -> false\n    lamp.ispl:9:" in out
    assert "  Lamp: nothing changes\n    no evolution line applies, so it stays as it is" in out


def test_what_an_agent_knows(talk: Talk) -> None:
    out = talk("two.ispl", "s 1", "k A", "k B", "k", "k Nobody").out
    assert "A sees: A.x=0. 2 states look like this." in out
    assert "It knows: !one." in out
    assert "It does not know: met." in out
    assert "B sees: B.y=false. 2 states look like this." in out
    assert "who? There are A, B" in out
    assert "there is no agent Nobody" in out


def test_formulae_are_true_or_false_here(talk: Talk) -> None:
    out = talk("lamp.ispl", "f lit", "1", "f lit", "f AG EF lit", "f lid").out
    assert [line.strip() for line in out.splitlines() if " here" in line] == ["false here", "true here", "true here"]
    assert "there is no proposition `lid`" in out


def test_jump_to_a_condition(talk: Talk) -> None:
    out = talk("two.ispl", "j met and !one", "w", "j one and met", "j EF met").out
    assert "state 2  A.x=2   B.y=true" in out
    assert "two.ispl:6: x = 2 if Action = meet" in out
    assert "no such state was found from here" in out
    assert "only a condition on a single state" not in out  # what is true in a state may be any formula


def test_an_interleaved_dead_end(talk: Talk) -> None:
    out = talk("two.ispl", "r 9", "p", "v").out
    assert "dead end" in out
    assert "      step" in out
    assert "  A.x = " in out


@pytest.mark.parametrize("command", ["7", "b", "b 5", "s 9", "xyz", "r many", "w", "j 9"])
def test_mistakes_get_an_answer(talk: Talk, command: str) -> None:
    out = talk("lamp.ispl", command, "q").out
    assert len(out.splitlines()) == 4
    assert out.splitlines()[-1].startswith("  ")


@pytest.mark.parametrize("command", ["r x", "b -1", "s 1.5"])
def test_what_is_no_number_is_said_in_plain_words(talk: Talk, command: str) -> None:
    _, word = command.split()
    assert f"`{word}` is no number" in talk("lamp.ispl", command, "q").out


def test_back_at_the_start_it_is_called_initial(talk: Talk) -> None:
    assert talk("lamp.ispl", "1", "b", "q").out.count("state 0 (initial") == 2


def test_back_and_quit_as_in_mcmas(talk: Talk) -> None:
    done = talk("lamp.ispl", "1", "0", "-1", "1")
    assert done.out.count("state 0 (initial") == 2
    assert done.out.count("state 1") == 1


def test_help_names_every_command(talk: Talk) -> None:
    out = talk("lamp.ispl", "h", "").out
    for word in ("b N", "r N", "s N", "j CONDITION", "w ", "k AGENT", "f FORMULA", "p ", "v ", "q "):
        assert word in out


def test_random_walks_repeat_with_their_seed(run: Run) -> None:
    one, two, other = (run("simulate", "lamp.ispl", "--random", "20", "--seed", seed).out for seed in ("1", "1", "2"))
    assert one == two != other
    assert one.splitlines()[-1].startswith("state 20")


def test_random_walks_end_at_dead_ends(run: Run) -> None:
    done = run("simulate", "counter.ispl", "--random", "9")
    assert done.out.endswith("dead end after 3 steps: nothing can happen here\n")


def test_random_walks_as_json(run: Run) -> None:
    path = run("simulate", "lamp.ispl", "--random", "5", "--json").json["run"]
    assert len(path["states"]) == 6
    assert len(path["actions"]) == 5
    assert path["states"][0] == {"Lamp.on": False}


def test_bad_files(run: Run, models: Path) -> None:
    assert run("simulate", "missing.ispl").status == 3
    (models / "nowhere.ispl").write_text(
        LAMP.replace("InitStates Lamp.on = false;", "InitStates Lamp.on = false and Lamp.on = true;")
    )
    done = run("simulate", "nowhere.ispl", "--random", "1")
    assert done.status == 3
    assert "no initial state" in done.err


def test_what_an_agent_knows_under_fairness_or_in_large_models(talk: Talk, models: Path) -> None:
    (models / "fair.ispl").write_text(LAMP.replace("Groups g", "Fairness lit; end Fairness Groups g"))
    out = talk("fair.ispl", "k Lamp").out
    assert "Lamp sees: Lamp.on=false.\n  It knows: !lit." in out


# The agent may get lost: from there no run is fair.
LOST = """\
Agent A
  Vars: lost : boolean; lit : boolean; end Vars
  Actions = {stay, leave};
  Protocol: Other : {stay, leave}; end Protocol
  Evolution: lost = true if Action = leave; end Evolution
end Agent
Evaluation lost if A.lost = true; lit if A.lit = true; home if A.lost = false; end Evaluation
InitStates A.lost = false and A.lit = true; end InitStates
Fairness home; end Fairness
"""


def test_a_state_without_fair_run_has_conditions_only(talk: Talk, models: Path) -> None:
    (models / "lost.ispl").write_text(LOST)
    out = talk("lost.ispl", "f lit", "f EX lost", "f EX lit", "j lost", "f lit", "f !lit", "f EX lit", "f !EX lit").out
    answers = [line.strip() for line in out.splitlines() if " here" in line]
    nothing = "no fair run starts here, so only conditions on the state are true or false"
    assert answers == ["true here", "false here", "true here", "true here", "false here", nothing, nothing]


# Of the lines that are enabled with `up`, only the one that made the step is named; B stays out of what A does alone.
LINES = """\
Agent A
  Vars: x : 0..3; y : 0..3; end Vars
  Actions = {up, down};
  Protocol: Other : {up, down}; end Protocol
  Evolution:
    x = 3 if Action = down;
    x = 1 if Action = up;
    x = 2 if Action = up;
    x = 1 and y = 1 if Action = up;
  end Evolution
end Agent
Evaluation one if A.x = 1; end Evaluation
InitStates A.x = 0 and A.y = 0; end InitStates
"""


def test_why_names_the_line_that_made_the_step_and_no_other() -> None:
    simulation = epistrat.load(LINES).simulate()
    named = {}
    for step in simulation.steps():
        simulation.take(step)
        (fired,) = simulation.why()
        named[step.joint, step.target] = [number for number, _ in fired.lines]
        assert fired.changes == tuple(
            (name, 0, value) for name, value in zip("xy", step.target, strict=True) if value != 0
        )
        simulation.back()
    assert named == {
        (("down",), (3, 0)): [1],
        (("up",), (1, 0)): [2],
        (("up",), (2, 0)): [3],
        (("up",), (1, 1)): [4],
    }


def test_why_names_every_line_that_may_have_made_the_step() -> None:
    simulation = epistrat.load(LINES.replace("x = 2 if Action = up;", "x = x + 1 if Action = up;")).simulate()
    simulation.take(next(step for step in simulation.steps() if step.target == (1, 0)))
    (fired,) = simulation.why()
    assert [number for number, _ in fired.lines] == [2, 3]


def test_why_with_one_line_per_variable_and_with_agents_that_take_no_part() -> None:
    single = LINES.replace(
        "    x = 1 and y = 1 if Action = up;", "    y = 1 if Action = up;\n    y = 2 if Action = down;"
    )
    simulation = epistrat.load("Semantics = SingleAssignment;\n" + single).simulate()
    simulation.take(next(step for step in simulation.steps() if step.target == (2, 1)))
    (fired,) = simulation.why()
    assert [number for number, _ in fired.lines] == [3, 4]
    simulation = epistrat.load(TWO).simulate()
    simulation.take(simulation.steps()[0])
    assert [(fired.agent, len(fired.lines)) for fired in simulation.why()] == [("A", 1), ("B", 0)]


# Twelve agents with three actions each: half a million joint actions in the first state.
CROWD = (
    "".join(
        f"""Agent A{n} Vars: x : 0..3; end Vars Actions = {{up, down, rest}}; Protocol: Other : {{up, down, rest}}; end Protocol
Evolution: x = x + 1 if Action = up and x < 3; x = x - 1 if Action = down and x > 0; end Evolution end Agent
"""
        for n in range(12)
    )
    + "Evaluation one if A0.x = 1; end Evaluation InitStates "
    + " and ".join(f"A{n}.x = 0" for n in range(12))
    + "; end InitStates Formulae EF one; end Formulae"
)


def test_large_models_answer_within_a_limit(talk: Talk, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("epistrat.service.knowing._EXPLORED", 10)
    (models / "crowd.ispl").write_text(CROWD)
    assert "It knows: !one." in talk("crowd.ispl", "k A0").out  # an engine answers
    monkeypatch.setattr("epistrat.service.simulation.Knowing", lambda system: Knowing(system, seconds=0.0))
    out = talk("crowd.ispl", "k A0", "f AG !one", "j A0.x = 2 and A1.x = 2 and A2.x = 3").out
    assert "Not known within the limit of 10 s: one." in out
    assert "  not known within the limit of 10 s" in out
    assert "not found among the nearest" in out


def test_agents_choose_one_by_one_where_steps_are_many(talk: Talk, models: Path) -> None:
    (models / "crowd.ispl").write_text(CROWD)
    out = talk("crowd.ispl", "c A3 up", "c A3 jump", "c Nobody up", "go", "p").out
    assert "many steps are possible" in out
    assert "  A3   up (chosen)" in out
    assert "A3 can do here: up, down, rest" in out
    assert "`Nobody` has no actions to choose" in out
    assert "A3: up" in out.split("state 1", 1)[1]


def test_colours_can_be_sought(talk: Talk, models: Path) -> None:
    red = "RedStates: on = true; end RedStates"
    (models / "red.ispl").write_text(LAMP.replace("Actions =", f"{red} Actions =").replace("Agent Lamp", "Agent Lamp"))
    out = talk("red.ispl", "j Lamp.RedStates").out
    assert "state 1  Lamp.on=true" in out


def test_runs_are_saved_and_loaded(talk: Talk, run: Run, models: Path) -> None:
    assert "saved: 2 steps" in talk("lamp.ispl", "1", "2", "save run.json").out
    out = talk("lamp.ispl", "load run.json", "w", "load missing.json", "load lamp.ispl").out
    assert "state 2  Lamp.on=true" in out
    assert "missing.json cannot be read" in out
    assert "lamp.ispl holds no run of this model" in out
    done = run("simulate", "lamp.ispl", "--load", "run.json")
    assert done.status == 0
    assert done.out.splitlines()[0] == "state 0 (initial)  Lamp.on=false"
    assert run("simulate", "two.ispl", "--load", "run.json").status == 3


def test_the_simulator_starts_from_a_counterexample(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("w\nq\n"))
    done = run("check", "lamp.ispl", "--simulate", "2")
    assert "FAILS  AF lit" in done.out
    assert "state 1  Lamp.on=false" in done.out
    assert "no evolution line applies" in done.out
    assert run("check", "lamp.ispl", "counter.ispl", "--simulate", "2").status == 2


def test_an_interrupt_does_not_lose_the_walk(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    from epistrat.service.simulation import Simulation

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Simulation, "knowledge", interrupted)
    out = talk("lamp.ispl", "1", "k Lamp", "p").out
    assert "interrupted; the run is still there" in out
    assert out.rstrip().endswith("state 1  Lamp.on=true")


def test_lines_can_be_completed_on_a_terminal() -> None:
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.document import Document
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    from epistrat.cli.lines import _session

    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        session = _session(lambda line: ["Sender", "Receiver"] if line.startswith("k ") else ["save", "k"])
        assert session is not None and session.completer is not None
        found = session.completer.get_completions(Document("k Se"), None)  # type: ignore[arg-type]
        assert [one.text for one in found] == ["Sender"]
