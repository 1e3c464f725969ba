"""What monitors say, sentence by sentence, on the models of examples/agents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import epistrat
from epistrat.running.build import CannotKeep, build
from epistrat.running.properties import Unusable, Wish
from epistrat.running.runtime.answers import Blocked
from epistrat.running.runtime.monitor import Monitor

AGENTS = Path(__file__).parents[2] / "examples/agents"


def monitor(
    model: str, *formulae: str, hidden: str = "", watch: str = "", sees: str = "", **parameters: int
) -> Monitor:
    system = epistrat.load(AGENTS / f"{model}.ispl", strict=False, **parameters)
    watches = ((watch.partition("=")[0], watch.partition("=")[2]),) if watch else ()
    wish = Wish(formulae, watches, tuple(hidden.split()), tuple(sees.split()))
    return build(system, wish, name=f"{model}.ispl").monitor()()


def said(m: Monitor, *actions: str) -> str:
    """The answer to the last of some events."""
    return str([m.event(None, action) for action in actions][-1])


def test_conforms() -> None:
    assert said(monitor("lease", hidden="expire"), "lease[1]") == "step 1: conforms; 2 states are possible"


def test_refused_with_what_is_allowed() -> None:
    m = monitor("guardrail_race")
    assert (
        said(m, "begin", "run_tool") == "step 2: the model does not allow run_tool here. Allowed: ask_tool, pass, trip."
    )
    assert said(m, "pass") == "not followed since step 2"
    assert not m.ask("Runner", "pass") and m.allowed() == [] and m.enabled() == []


def test_refused_by_what_is_seen() -> None:
    answer = monitor("lease").event(None, "lease[1]", {"Orchestrator.leased": 2})
    assert str(answer) == "step 1: lease[1] is allowed here, but in the model Orchestrator.leased is 1, not 2."
    assert (answer.kind, answer.ok, bool(answer)) == ("refused", False, False)


def test_names_that_are_not_there_are_errors() -> None:
    m = monitor("guardrail_race")
    m.event("Runner", "begin")
    with pytest.raises(ValueError, match=r"^step 2: Tool has no action run; did you mean run_tool\?$"):
        m.event("Tool", "run")
    with pytest.raises(ValueError, match=r"there is no agent Runer; did you mean Runner\?"):
        m.event("Runer", "pass")
    with pytest.raises(ValueError, match=r"there is no variable Tool.rn; did you mean Tool.ran"):
        m.event("Runner", "pass", {"Tool.rn": True})
    with pytest.raises(
        ValueError, match=r"Guardrail.state is never fine: it is one of asleep, working, passed, tripped"
    ):
        m.event("Runner", "pass", {"Guardrail.state": "fine"})
    with pytest.raises(ValueError, match=r"Tool.ran is true or false, not 1"):
        m.event("Runner", "pass", {"Tool.ran": 1})
    assert m.event("Runner", "pass").ok, "a mistake of the caller changes nothing"


def test_violated_says_by_which_values() -> None:
    m = monitor("guardrail_race", "safe")
    assert said(m, "begin", "ask_tool", "run_tool") == "step 3: safe is violated: tool_ran is true and passed is false."
    assert said(m, "pass") == "step 4: conforms; 1 state is possible; safe is violated"
    assert m.holds("safe") is False


def test_perhaps_violated_counts() -> None:
    m = monitor("lease", "one_writer", hidden="write")
    assert said(m, "lease[1]", "expire", "lease[2]") == (
        "step 3: one_writer is violated in 1 of the 4 possible states: it depends on which of write[1], write[2] have happened."
    )


def test_perhaps_violated_says_on_what_it_depends() -> None:
    m = monitor("guardrail_race", "AG !bad")
    assert (
        str(m.start()) == "start: `AG !bad` is violated in 1 of the 2 possible states: it depends on Guardrail.verdict."
    )


def test_lost_names_what_it_comes_to() -> None:
    m = monitor("council", "secret", n=3)
    m.step({"Voter[1]": "say_yes"})
    answer = m.step({"Voter[2]": "say_yes"})
    assert str(answer).startswith("step 2: secret cannot be kept any more: every way the model goes on comes to ")
    assert (answer.kind, answer.property) == ("lost", "lost")


def test_settled() -> None:
    m = monitor("guardrail_race", "safe")
    text = "step 2: safe is settled: nothing that the model allows can violate it any more."
    assert said(m, "begin", "pass") == text
    assert m.holds("safe") is True


def test_knowledge_comes_and_goes() -> None:
    m = monitor("secret_ratchet", watch="k=K(Outsider, one)")
    assert said(m, "read_one", "one_in") == "step 2: conforms; 1 state is possible"
    assert said(m, "one_out") == "step 3: Outsider knows one."
    assert m.knows("k") is True
    m = monitor("guardrail_race", hidden="pass trip", watch="k=K(Runner, bad)")
    assert "whether Runner knows bad is not known any more" in said(m, "begin")
    assert m.knows("k") is None


def test_blocked_not_yet() -> None:
    m = monitor("guardrail_race", "can_keep", hidden="ask_tool finish")
    m.event("Runner", "begin")
    assert str(m.ask("Runner", "run_tool")) == (
        "Runner must not run_tool now: that could break can_keep (tool_ran true, passed false). "
        "Not yet: it may become possible after pass."
    )
    m.event(None, "pass")
    assert m.ask("Runner", "run_tool").ok


def test_blocked_for_ever() -> None:
    m = monitor("secret_ratchet", "can_keep")
    for action in ("hello_out", "read_one", "one_in"):
        m.act("Assistant", action)
    assert str(m.ask("Assistant", "summary_out")) == (
        "Assistant must not summary_out: that could break can_keep (K(Outsider, one) true). "
        "It does not become possible any more. Allowed: hello_out, one_in, rest."
    )
    with pytest.raises(Blocked) as caught:
        m.act("Assistant", "one_out")
    assert caught.value.decision.kind == "blocked"
    assert m.act("Assistant", "hello_out").ok, "what is blocked did not happen"


def test_shadow_only_says_what_it_would_block() -> None:
    system = epistrat.load(AGENTS / "secret_ratchet.ispl")
    m = build(system, Wish(("can_keep",))).monitor()(mode="shadow")
    m.act("Assistant", "read_one")
    assert m.ask("Assistant", "one_out").text.startswith("would be blocked: Assistant must not one_out")
    assert m.act("Assistant", "one_out").kind == "violated"


def test_a_shield_that_is_told_too_little() -> None:
    with pytest.raises(CannotKeep) as lost:
        monitor("card", "<player>G !wrong")
    assert lost.value.sees == ("Player.card",)
    m = monitor("card", "<player>G !wrong", sees="Player.card")
    assert not m.ask("Player", "red").ok and "Not told: Player.card." in str(m.ask("Player", "red"))
    m.start({"Player.card": "r"})
    assert m.allowed("Player") == ["red"]


def test_formulae_that_cannot_be_followed() -> None:
    for formula in ("EF finished", "<runner>F finished"):
        with pytest.raises(Unusable, match="cannot be followed"):
            monitor("guardrail_race", formula)
    with pytest.raises(Unusable, match="there is no formula safee; did you mean safe"):
        monitor("guardrail_race", "safee")


def test_repeated_reports_are_one_event() -> None:
    m = monitor("approval", "once", early=1)
    assert m.event("Bank", "pay", id="1").ok
    assert m.event("Bank", "pay", id="1").ok and m.value("Bank.payments") == 1
    assert m.event("Workflow", "ask_small").ok


def test_lost_track_until_resync() -> None:
    system = epistrat.load(AGENTS / "lease.ispl")
    m = build(system, Wish(hidden=("expire", "crash", "restart", "refuse"))).monitor()(most=3)
    answer = m.event(None, "lease[1]")
    assert str(answer) == "step 1: more than 3 states are possible; the run is no longer followed."
    assert (answer.kind, m.event(None, "lease[2]").kind) == ("lost track", "lost track")
    assert not m.ask(None, "lease[2]")
    m.resync(
        {"Orchestrator.leased": 2, "Worker[1].state": "idle", "Orchestrator.results": 0, "Orchestrator.queued": True}
    )
    assert m.event(None, "write[2]").kind in ("conforms", "lost track")


def test_snapshots_go_on_and_are_checked() -> None:
    m = monitor("secret_ratchet", "can_keep")
    m.act("Assistant", "read_one")
    other = monitor("secret_ratchet", "can_keep")
    other.restore(m.snapshot())
    assert other.allowed("Assistant") == m.allowed("Assistant") and other.states() == m.states()
    with pytest.raises(ValueError, match="no snapshot of a monitor for this model"):
        monitor("secret_ratchet", "private").restore(m.snapshot())
    copied = m.copy()
    copied.act("Assistant", "one_in")
    assert m.value("Colleague.heard") == "nothing" and copied.value("Colleague.heard") == "one"


def test_start_anywhere() -> None:
    system = epistrat.load(AGENTS / "lease.ispl")
    m = build(system, Wish()).monitor()(start="any")
    assert m.possible() == m.about()["states"] == 33
    assert m.event(None, "write[1]").ok


def test_the_log_can_be_written() -> None:
    system = epistrat.load(AGENTS / "lease.ispl")
    told: list[dict[str, Any]] = []
    m = build(system, Wish()).monitor()(log=told.append)
    m.start()
    m.event("Orchestrator", "lease[1]", {"Orchestrator.leased": 1}, id="a")
    assert told == [
        {"start": True},
        {"action": "lease[1]", "agent": "Orchestrator", "see": {"Orchestrator.leased": 1}, "id": "a"},
    ]


def test_joint_steps_of_a_group() -> None:
    m = monitor("lights", "<both>G !crash")
    assert m.allowed("North", {"East": "go"}) == ["stop"] and m.allowed("North", {"East": "stop"}) == ["go", "stop"]
    assert m.allowed("North") == ["go", "stop"], "some choice of the other goes with each"
    assert m.choose("East", "go", {"North": "go"}) == "stop"
    assert m.step({"North": "go", "East": "stop"}).ok
    assert {"North": "go", "East": "go"} in m.enabled()


def test_hidden_actions_happen_any_number_of_times_and_are_not_told() -> None:
    system = epistrat.load(
        """Composition = Interleaved;
        Agent Clock Vars: hour : 0..5; end Vars Actions = {tick, look};
        Protocol: Other : {tick, look}; end Protocol
        Evolution: hour = hour + 1 if Action = tick and hour < 5; end Evolution end Agent
        Evaluation late if Clock.hour > 4; end Evaluation InitStates Clock.hour = 0; end InitStates Formulae AG !late; end Formulae"""
    )
    m = epistrat.Monitor(system, "AG !late", hidden=["tick"])
    assert m.possible() == 6 and m.enabled() == ["look"] and m.allowed() == ["look"]
    assert m.event("Clock", "look", {"Clock.hour": 3}).possible == 3
    with pytest.raises(ValueError, match="step 2: tick is hidden: it happens without being told"):
        m.event("Clock", "tick")


def test_members_of_a_shield_choose_by_what_they_see() -> None:
    """Whatever it chooses, it may come to pass: only who saw the side could choose what is not possible there."""
    system = epistrat.load(
        """Composition = Interleaved;
        Agent P Vars: done : boolean; end Vars Actions = {a, b}; Protocol: done = false : {a, b}; end Protocol
        Evolution: done = true if Action = a or Action = b; end Evolution end Agent
        Agent O Vars: side : {l, r}; end Vars Actions = {a, b}; Protocol: side = l : {b}; side = r : {a}; end Protocol
        Evolution: end Evolution end Agent
        Evaluation over if P.done = true; end Evaluation InitStates P.done = false; end InitStates
        Groups p = {P}; end Groups Formulae <p>G !over; end Formulae"""
    )
    with pytest.raises(CannotKeep):
        epistrat.Monitor(system, "<p>G !over")
