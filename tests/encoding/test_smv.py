"""SMV programs: what is written, what is refused, and, where NuSMV is on the PATH, that it says the same."""

from __future__ import annotations

import shutil

import pytest

import epistrat
from epistrat import scenarios
from epistrat.encoding.smv import smv
from epistrat.encoding.transitions import NotEncodable
from epistrat.experiments.peers import PEERS, measure

CLOCK = """
Agent Clock
    Vars:
        hour : 0..3;
        day : {even, odd};
        alarm : boolean;
    end Vars
    Actions = {tick, wait};
    Protocol:
        Other : {tick, wait};
    end Protocol
    Evolution:
        hour = hour + 1 if Action = tick and hour < 3;
        hour = 0 and day = odd if Action = tick and hour = 3 and day = even;
        hour = 0 and day = even if Action = tick and hour = 3 and day = odd;
    end Evolution
end Agent
Evaluation
    late if Clock.hour >= 2;
    odd if Clock.day = odd;
    quiet if Clock.alarm = false;
end Evaluation
InitStates
    Clock.hour = 0 and Clock.day = even and Clock.alarm = false;
end InitStates
Formulae
    AG(late -> quiet);
    A(!late W odd);
    E(quiet U odd);
    AG AF late;
    AG EX(late or !late xor odd);
    EF odd <-> EF late;
    AG !(Clock.hour = 3 and odd);
end Formulae
"""
VERDICTS = ["holds", "fails", "holds", "fails", "fails", "holds", "fails"]


def test_a_program() -> None:
    system = epistrat.load(CLOCK)
    text = smv(system, system.formulae)
    assert "VAR v_Clock_hour : 0..3;" in text
    assert "VAR v_Clock_day : {v_even, v_odd};" in text
    assert "IVAR v_Clock__action : {v_tick, v_wait};" in text
    assert "CTLSPEC AG (!(2 <= v_Clock_hour) | !v_Clock_alarm);" in text
    assert "CTLSPEC !E [!(v_Clock_day = v_odd) U (!!(2 <= v_Clock_hour) & !(v_Clock_day = v_odd))];" in text
    assert [one.verdict.value for one in system.check()] == VERDICTS


@pytest.mark.parametrize("name", ["muddy-children", "tunnels"])
def test_what_smv_cannot_say_is_refused(name: str) -> None:
    system = epistrat.load(scenarios.file(name))
    with pytest.raises(NotEncodable, match=r"knowledge|bounds"):
        smv(system, system.formulae)


@pytest.mark.skipif(shutil.which("NuSMV") is None, reason="NuSMV is not on the PATH")
def test_nusmv_says_the_same() -> None:
    system = epistrat.load(CLOCK)
    assert [one.verdict for one in measure(PEERS["NuSMV"], smv(system, system.formulae), 20).verdicts] == VERDICTS
    for name in ("token-ring", "roll-call", "sparse-agents", "write-once-caches"):
        scenario = epistrat.load(scenarios.file(name))
        asked = {
            "token-ring": [1, 3, 4, 5],
            "roll-call": [1, 2],
            "sparse-agents": [1, 2, 3],
            "write-once-caches": [2, 3, 4],
        }
        text = smv(scenario, [scenario.formulae[one - 1] for one in asked[name]])
        mine = [one.verdict.value for one in scenario.report(only=asked[name], evidence=False).results]
        assert [one.verdict for one in measure(PEERS["NuSMV"], text, 20).verdicts] == mine
