"""Monitors that several threads and tasks use: asking and recording are one step, and waiting holds nobody up."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from tests.running.test_words import monitor

from epistrat.running.runtime.answers import Blocked


def test_only_one_of_many_threads_gets_the_lease() -> None:
    m = monitor("lease", "can_keep")
    got: list[int] = []

    def work(number: int) -> None:
        try:
            m.act("Orchestrator", f"lease[{number}]")
            got.append(number)
        except Blocked:
            pass

    threads = [threading.Thread(target=work, args=(1 + number % 2,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 1


def test_a_thread_waits_until_it_may() -> None:
    m = monitor("guardrail_race", "can_keep", hidden="ask_tool finish")
    m.event("Runner", "begin")
    told: list[str] = []
    tool = m.guard("Runner", "run_tool", blocked="wait", timeout=20)(lambda: told.append("ran"))
    thread = threading.Thread(target=tool)
    thread.start()
    time.sleep(0.05)
    assert not told and m.event(None, "pass").ok
    thread.join(20)
    assert told == ["ran"]


def test_waiting_ends_when_it_cannot_help_any_more() -> None:
    m = monitor("guardrail_race", "can_keep", hidden="ask_tool finish")
    m.event("Runner", "begin")

    async def both() -> None:
        @m.guard("Runner", "run_tool", blocked="wait", timeout=60)
        async def tool() -> None:
            raise AssertionError("the tool must not run")

        waiting = asyncio.create_task(tool())
        await asyncio.sleep(0.02)
        m.event(None, "trip")
        await waiting

    with pytest.raises(Blocked, match="does not become possible any more"):
        asyncio.run(both())


def test_waiting_has_an_end() -> None:
    m = monitor("guardrail_race", "can_keep", hidden="ask_tool finish")
    m.event("Runner", "begin")
    with pytest.raises(Blocked, match="Not yet"):
        m.guard("Runner", "run_tool", blocked="wait", timeout=0.05)(lambda: None)()


def test_actions_by_arguments_and_what_comes_after_a_call() -> None:
    m = monitor("lease", "can_keep")
    lease = m.guard("Orchestrator", lambda worker: f"lease[{worker}]")(lambda worker: worker)
    assert lease(2) == 2 and m.value("Orchestrator.leased") == 2

    @m.guard("Worker[2]", "crash[2]", done="restart[2]")
    def nap() -> str:
        return "slept"

    assert nap() == "slept" and m.value("Worker[2].state") == "idle"


def test_something_else_is_done_instead() -> None:
    m = monitor("handoff_loop", "can_stop", most=1)
    m.act("Router", "alice_to_bob")
    again = m.guard("Router", "bob_to_alice", blocked="instead")(lambda: "handed over")
    assert again() == "bob_works" and m.value("Router.turns") == 0
    with pytest.raises(ValueError, match="blocked is"):
        m.guard("Router", "bob_works", blocked="ask")
