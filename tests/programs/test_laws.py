"""What is true of all programs, and of the words about them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.programs.models import random_program
from tests.programs.test_against_definition import implemented

from epistrat.answers import Misuse
from epistrat.api import load as load_model
from epistrat.cli.main import main
from epistrat.lang import load
from epistrat.logic.formula import Reading, subformulae
from epistrat.logic.nodes import PAST
from epistrat.model.programs import implement
from epistrat.model.show import to_ispl
from epistrat.records import replace
from epistrat.service import InputError, Text, ask
from epistrat.service.requests import CheckRequest, ImplementRequest

PARADOX = """
Agent Environment
  Vars: bit : boolean; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution: bit = true if Alice.Action = set; bit = false if Alice.Action = rest; end Evolution
end Agent
Agent Alice
  Vars: none : boolean; end Vars
  Actions = {set, rest};
  Protocol: K(self, unset) : {set}; Other : {rest}; end Protocol
  Evolution: end Evolution
end Agent
Evaluation unset if Environment.bit = false; end Evaluation
InitStates Environment.bit = false and Alice.none = false; end InitStates
Formulae AG (K(Alice, unset) or K(Alice, !unset)); AG AF unset; <Alice>F unset; end Formulae
"""


def test_a_program_reads_back_as_it_is_printed() -> None:
    for seed in range(60):
        system = random_program(random.Random(seed), resting=seed % 2 == 0, marked=seed % 3 == 0)
        assert system.is_program
        assert load(to_ispl(system)).system == system


def test_implementing_twice_is_implementing_once() -> None:
    for seed in range(20):
        system = random_program(random.Random(seed), resting=True)
        found = implemented(system, Reading.CLOCK)
        assert found is not None
        again = implement(found.printed)
        assert again.printed == again.system == found.printed
        assert again.guards == ()


@pytest.mark.parametrize("truth", ["true", "false"])
def test_guards_that_are_always_the_same_are_plain_lines(truth: str) -> None:
    for seed in range(10):
        text = to_ispl(random_program(random.Random(seed), resting=True))
        lines = text.splitlines()
        guarded = [number for number, line in enumerate(lines) if "K(" in line and "{" in line and ":" in line]
        for number in guarded:
            known, actions = lines[number].rsplit(" : ", 1)
            lines[number] = f"    K(self, {truth} or {truth}) : {actions}"
            assert known
        program = load("\n".join(lines).replace("AG p", "AG p")).system
        assert program is not None
        found = implement(program, Reading.RECALL)
        assert all(guard.is_always if truth == "true" else guard.is_never for guard in found.guards)
        assert found.clock is None
        assert len(found.system.agents) == len(program.agents)


def test_the_printed_model_gives_the_verdicts_of_the_program() -> None:
    compared = 0
    for seed in range(12):
        system = random_program(random.Random(seed), resting=True)
        for reading in (Reading.CLOCK, Reading.RECALL):
            asked = (
                "AG (K(Ann, p) or K(Ann, !p))",
                "EF K(Bob, K(Ann, p))",
                "AF GK(both, q or !q)",
                "AG (p -> EX DK(both, p))",
                "EF !GCK(both, late)",
            )
            program = load_model(to_ispl(replace(system, knowledge=reading)))
            printed = program.implement()
            first = [result.verdict for result in program.check(asked, engine="explicit", prove=False, evidence=False)]
            second = [result.verdict for result in printed.check(asked, engine="explicit", prove=False, evidence=False)]
            assert first == second
            compared += len(first)
    assert compared == 120


def test_every_guard_is_compared_with_its_condition() -> None:
    compared = 0
    for seed in range(24):
        system = random_program(random.Random(seed), resting=seed % 2 == 0, marked=seed % 3 == 0)
        reading = Reading.RECALL if seed % 4 < 2 else Reading.CLOCK
        if implemented(system, reading) is None:
            continue
        request = ImplementRequest(model=Text(to_ispl(replace(system, knowledge=reading))))
        found = ask(request)[1]
        looks_back = any(isinstance(one, PAST) for agent in system.agents for one in subformulae(*agent.knows))
        assert found.compared or looks_back or "not decided" in found.reason or found.reason
        compared += found.compared
    assert compared > 12


def test_with_the_clock_observation_is_the_clock() -> None:
    printed = load_model(PARADOX).implement("clock")
    asked = ["AG K(Alice, unset or !unset)", "AG (K(Alice, unset) or K(Alice, !unset))", "EX K(Alice, unset)"]
    by = [[one.verdict for one in printed.check(asked, knowledge=word)] for word in ("observation", "clock")]
    assert by[0] == by[1]


def test_in_the_program_nobody_sees_the_clock() -> None:
    """`K[observation]` is about what agents see in the program."""
    program = load_model(PARADOX)
    (result,) = program.check("AG (K[observation](Alice, unset) or K[observation](Alice, !unset))", knowledge="clock")
    assert result.verdict.value == "fails"


# -- words -----------------------------------------------------------------------------------------------------------------


def test_without_a_reading_a_program_is_refused_with_its_place() -> None:
    with pytest.raises(InputError) as refused:
        ask(CheckRequest(model=Text(PARADOX, "paradox.ispl")))
    (one,) = refused.value.diagnostics
    assert one.code == "E045"
    assert "Knowledge = Clock;" in one.label
    assert one.source is not None
    assert one.span is not None
    assert one.source.cut(one.span).startswith("K(self, unset)")


@pytest.mark.parametrize("strategies", ["objective", "subjective", "uniform"])
def test_strategies_by_views_are_asked_of_the_printed_model(strategies: str) -> None:
    program = load_model(PARADOX)
    with pytest.raises(Misuse, match="epistrat implement"):
        program.check("<Alice>F unset", knowledge="clock", strategies=strategies)
    assert program.implement("clock").check("<Alice>F unset", strategies=strategies)[0].verdict.value == "holds"
    assert program.check("<Alice>F unset", knowledge="clock")[0].verdict.value == "holds"
    with pytest.raises(Misuse, match="epistrat implement"):
        program.check("<<x>> (Alice, x) (Environment, x) F unset", knowledge="clock")


def test_what_a_limit_cuts_off_is_unknown() -> None:
    report = load_model(PARADOX).report(knowledge="clock", states=0)
    assert report.results
    many = load_model(PARADOX.replace("Environment.bit = false and", "")).report(knowledge="clock", states=1)
    assert all(one.verdict.value == "unknown" and "histories differ" in (one.reason or "") for one in many.results)
    assert len(many.results) == 3


def test_strict_mode_refuses_guards() -> None:
    assert [one.code for one in load(PARADOX, strict=True).report.errors if "guards" in one.message] == ["E050"]


def test_the_command_prints_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "paradox.ispl"
    file.write_text(PARADOX)
    assert main(["implement", str(file)]) == 3
    assert main(["implement", str(file), "--knowledge", "clock", "-o", str(tmp_path / "out.ispl")]) == 0
    said = capsys.readouterr()
    assert "goes on with 0" in said.err
    assert "compared with the conditions" in said.err
    assert main(["check", str(tmp_path / "out.ispl"), "--knowledge", "clock"]) == 0
    assert main(["implement", str(tmp_path / "out.ispl")]) == 0
    assert (tmp_path / "out.ispl").read_text().rstrip() in capsys.readouterr().out
    assert main(["implement", str(file), "--knowledge", "recall", "--guards"]) == 0
    assert "memory = 1: never" in capsys.readouterr().out
    assert main(["expand", str(file)]) == 0
    assert "epistrat implement" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["monitor", "-o", "m.py"], ["tests", "-o", "t"]])
def test_who_follows_programs_is_told_what_to_follow(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("paradox.ispl").write_text("Knowledge = Clock;" + PARADOX)
    assert main([words[0], "paradox.ispl", *words[1:]]) == 3
    assert "epistrat implement" in capsys.readouterr().err
    assert main(["implement", "paradox.ispl", "-o", "out.ispl"]) == 0
    assert main([words[0], "out.ispl", *words[1:]]) == 0


def test_the_graph_of_a_program_is_that_of_the_printed_model() -> None:
    pytest.importorskip("networkx")
    assert len(load_model("Knowledge = Clock;" + PARADOX).graph().nodes) == 2
