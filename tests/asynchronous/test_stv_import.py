"""Models in STV2's language: what they become, and what is said about what cannot be translated."""

from __future__ import annotations

from pathlib import Path

import pytest

from epistrat.cli.main import main
from epistrat.engines.contract import Options, Strategies
from epistrat.engines.registry import load as engine_of
from epistrat.lang.load import load
from epistrat.lang.stv.translate import translate
from epistrat.model.system import System
from epistrat.solvers.budget import Budget
from epistrat.source import NotRead

# A voter votes, shows the vote or refuses; the coercer takes whatever comes, and then punishes or not.
VOTING = """
Agent Voter1:
LOCAL: [v1_vote]
PERSISTENT: [v1_vote]
INITIAL: [v1_vote:=0]
init start
vote1: start -> voted [v1_vote:=1]   # private
vote2: start -> voted [v1_vote:=2]
shared[2] show1: voted [v1_vote==1] -> shown
shared[2] show2: voted [v1_vote==2] -> shown
shared[2] refuse: voted -> shown
shared[2] punish[judged]: shown -> end
shared[2] spare[judged]: shown -> end

Agent Coercer:
LOCAL: [c_seen, c_punished]
PERSISTENT: [c_seen, c_punished]
init wait
shared[2] show1[listen]: wait -> heard [c_seen:=1]
shared[2] show2[listen]: wait -> heard [c_seen:=2]
shared[2] refuse[listen]: wait -> heard [c_seen:=3]
shared[2] punish: heard -> done [c_punished:=1]
shared[2] spare: heard -> done [c_punished:=0-1+1]

FORMULA: <<Coercer>>[](c_seen==1 || c_seen < 2 && c_punished!=1 || !(c_seen == 0))
"""


def _system(text: str) -> System:
    loaded = load(translate(text).text)
    assert loaded.system is not None, [str(error) for error in loaded.report.errors]
    return loaded.system


def _with(formula: str) -> System:
    return _system(VOTING[: VOTING.index("FORMULA")] + f"FORMULA: {formula}")


def test_agents_locations_and_values() -> None:
    system = _system(VOTING)
    voter, coercer = system.agents
    assert [str(variable.domain) for variable in voter.variables] == ["{start, voted, shown, end_}", "0..2"]
    assert voter.actions[:2] == ("vote1", "vote2")
    assert coercer.protocol[0].choices == (("show1", "show2", "refuse"),)
    assert coercer.protocol[1].choices == ()
    assert next(line.choices for line in voter.protocol if "punish" in line.actions) == (("punish", "spare"),)


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("<<Coercer>>[](c_punished==0)", "holds"),
        ("<<Coercer>>[](c_punished==0 || c_seen!=1)", "holds"),
        ("<<Voter1>>[](c_punished==0)", "fails"),  # it has to show something or refuse, and the coercer is ready
        ("<<Voter1>><>(c_punished==0 && c_seen==3)", "holds"),
        ("<<Coercer>><>(c_seen==1)", "fails"),
        ("<>(c_seen>0)", "holds"),
        ("[](c_seen==0)", "fails"),
        ("[](!(c_seen==1) || &K_Coercer(v1_vote==1))", "holds"),
        ("[](&K_Coercer(v1_vote==1))", "fails"),
        ("[](!(c_seen==1) || &H_Coercer[<=0](v1_vote==1, v1_vote==2))", "holds"),
        ("[](&H_Coercer[<=0](v1_vote==1, v1_vote==2))", "fails"),
        ("[](!(c_seen==0) || &H_Coercer[>=1](v1_vote==1))", "holds"),
        ("<<Coercer>>[]c_seen - 1 + 1 == c_seen", "holds"),
        ("[](c_seen <= 9 && c_seen > -5)", "holds"),  # numbers that are none of its values
        ("<>(v1_vote == 7)", "fails"),
        ("<<>>[](1==0)", "fails"),
        ("[](2 - 1 > 0 && -1 < 0)", "holds"),
        ("[](!(c_seen==0) || &H_Coercer[>=1](v1_vote==0, v1_vote>0, v1_vote>1, v1_vote>2, v1_vote>3))", "holds"),
        ("[](&H_Coercer[>=1](v1_vote==0, v1_vote>0, v1_vote>1, v1_vote>2, v1_vote>3))", "fails"),
    ],
)
def test_formulae(formula: str, verdict: str) -> None:
    system = _with(formula)
    (asked,) = system.formulae
    session = engine_of("explicit").open(system, Options(Strategies.OBJECTIVE), Budget())
    assert session.check(asked).verdict.value == verdict


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Agent A:\ninit q\na: q -> 0.5: r", "probabilities"),
        ("Agent A:\ninit q\nshared[1] a: q -> r\nAgent B:\ninit q\nshared[1] a: q -> r", "needs 1 of 2"),
        ("Agent A:\ninit q\na: q -> r\nFORMULA: <>x==1", "no agent has a variable"),
        ("Agent A:\ninit q\na: q -> r\nFORMULA: <<B>><>1", "no agent `B`"),
        ("Agent A:\na: q -> r", "no initial location"),
        ("Agent A:\ninit q\na q", "expected `:`"),
        ("Agent A;", "not part of STV2"),
        ("", "no agent"),
        ("Agent A:\ninit q\na: q -> q [x:=x+1]\nPERSISTENT: [x]", "local states"),
        ("Agent A:\ninit q\na: q -> q [x:=1/0]", "division"),
        ("Agent A:\ninit q\na: q -> r\nFORMULA: <>&P[<=0.5](1==1)", "probabilities"),
    ],
)
def test_what_cannot_be_translated_is_named(text: str, words: str) -> None:
    with pytest.raises(NotRead, match=words):
        translate(text)


def test_names_that_clash_are_changed_and_foreign_variables_are_warned_of() -> None:
    text = "Agent A:\nPERSISTENT: [x]\ninit x\na: x [y==-1] -> end\nAgent B:\nPERSISTENT: [y]\ninit q\na: q -> q"
    found = translate(text)
    assert "at_x" in found.text
    assert "end_" in found.text
    assert "a_A" in found.text
    assert "a_B" in found.text
    assert any("`y` is no variable of A" in words for words, _ in found.remarks)


def test_an_event_that_too_few_agents_have_never_happens() -> None:
    found = translate("Agent A:\ninit q\nshared[3] a: q -> r\nb: q -> q")
    assert any("never happens" in words for words, _ in found.remarks)
    assert _system("Agent A:\ninit q\nshared[3] a: q -> r\nb: q -> q").agents[0].actions == ("b",)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, made = tmp_path / "voting.txt", tmp_path / "voting.ispl"
    source.write_text(VOTING)
    assert main(["import", str(source)]) == 0
    assert "Composition = Interleaved;" in capsys.readouterr().out
    assert main(["import", str(source), "-o", str(made)]) == 0
    assert load(made.read_text()).system == _system(VOTING)
    source.write_text("Agent A:\ninit q\na: q -> 0.5: r")
    assert main(["import", str(source)]) == 3
    assert "E041" in capsys.readouterr().err
    assert main(["import", str(tmp_path / "none.txt")]) == 3


def test_messages_about_a_file_that_is_read_directly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the translation says points at the file, what is said about its result at the result."""
    file = tmp_path / "model.stv"
    file.write_text(
        "Agent A:\ninit q\na: q [y==-1] -> r\nAgent B:\nPERSISTENT: [y]\ninit q\nb: q -> q\nFORMULA: <>y==0\n"
    )
    assert main(["check", str(file)]) == 0
    said = capsys.readouterr()
    assert "model.stv:3:1" in said.err + said.out
    assert "model.stv (as ISPL):" in said.err + said.out
