"""The programs of examples/agents with the real packages: the bug is there, and the generated guard stops it.

Skipped where a package is not installed (``pip install 'epistrat[agents]'``).  ``EPISTRAT_SCHEDULES=1000`` tries so many schedules.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import random
import sys
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.running.test_possible_states import imported
from tests.running.test_words import AGENTS

import epistrat
from epistrat.running.build import build
from epistrat.running.generate import generated
from epistrat.running.properties import Wish

SCHEDULES = int(os.environ.get("EPISTRAT_SCHEDULES", "40"))
pytestmark = pytest.mark.filterwarnings("ignore")


def package(name: str) -> Any:
    """A package, or a skipped test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(name, reason=f"{name} is not installed: pip install 'epistrat[agents]'")


def program(name: str) -> Any:
    """A program of the examples, as a module."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec = importlib.util.spec_from_file_location(f"program_{name}", AGENTS / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[f"program_{name}"] = module
        spec.loader.exec_module(module)
        return module


def guard(folder: Path, model: str, *formulae: str, adapter: str = "", hidden: str = "", **parameters: int) -> Any:
    """The generated file for a model, imported."""
    system = epistrat.load(AGENTS / f"{model}.ispl", strict=False, **parameters)
    built = build(system, Wish(formulae, hidden=tuple(hidden.split())), name=f"{model}.ispl")
    return imported(
        generated(built, adapters=adapter.split()), folder, f"guard_for_{model}_{len(list(folder.iterdir()))}"
    )


@cache
def monitors(model: str, formulae: tuple[str, ...], hidden: str, parameters: tuple[tuple[str, int], ...]) -> Any:
    """Monitors in this process, built once for each wish."""
    system = epistrat.load(AGENTS / f"{model}.ispl", strict=False, **dict(parameters))
    return build(system, Wish(formulae, hidden=tuple(hidden.split()))).monitor()


def follow(model: str, log: list[dict[str, Any]], *formulae: str, hidden: str = "", **parameters: int) -> Any:
    """The last answer about a log, in this process."""
    m = monitors(model, formulae, hidden, tuple(parameters.items()))()
    answer = m.start()
    for one in log:
        if "action" in one:
            answer = m.event(one.get("agent"), one["action"], one.get("see"))
            if answer.kind == "refused":
                return answer
    return answer


class TestGuardrail:
    def test_the_race_is_there_and_the_log_shows_it(self) -> None:
        package("agents")
        race, log = program("guardrail_race"), list[dict[str, Any]]()
        race.emit = lambda action, **see: log.append({"action": action, "see": see})
        assert asyncio.run(race.main(begin=lambda: race.emit("begin"))) == "stopped"
        assert [one["action"] for one in log] == ["begin", "ask_tool", "run_tool", "trip"], "the money is gone"
        assert follow("guardrail_race", log, "safe").kind == "violated"
        assert str(follow("guardrail_race", log, ordered=1)).startswith(
            "step 2: the model does not allow ask_tool here."
        )

    def guarded(
        self, module: Any, race: Any, words: str, log: list[Any], pause: Any = None
    ) -> tuple[str, list[str], Any]:
        """A run with the guard: what became of it, what was paid, and the monitor."""
        agents = package("agents")
        paid: list[str] = []
        m = module.Monitor(log=log.append)

        @agents.function_tool  # type: ignore[untyped-decorator]
        def wire_money(amount: int) -> str:
            """Pays."""
            paid.append(str(amount))
            return "done"

        async def slow(context: Any, agent: Any, said: Any) -> Any:
            await (pause or asyncio.sleep)(0.03)
            return agents.GuardrailFunctionOutput(output_info=None, tripwire_triggered="pay" in str(said))

        tool = module.openai_tool(m, wire_money, "Runner", "run_tool", blocked="wait")
        rail = module.openai_guardrail(m, slow, passed="pass", tripped="trip")
        race.emit = lambda action, **see: None
        ended = asyncio.run(race.main(words, tool=tool, guardrail=rail, begin=lambda: m.event("Runner", "begin")))
        return ended, paid, m

    def test_the_tool_waits_for_the_guardrail(self, tmp_path: Path) -> None:
        package("agents")
        race = program("guardrail_race")
        module = guard(tmp_path, "guardrail_race", "can_keep", adapter="openai-agents", hidden="ask_tool finish")
        log: list[Any] = []
        assert self.guarded(module, race, "pay 5", log)[:2] == ("stopped", [])
        assert [one["action"] for one in log] == ["begin", "trip"]
        log.clear()
        ended, paid, m = self.guarded(module, race, "buy 5", log)
        assert (ended, paid, m.property) == ("ok", ["5"], "settled"), "a good run is as it was"
        assert [one["action"] for one in log] == ["begin", "pass", "run_tool"]

    def test_random_schedules_conform(self, tmp_path: Path) -> None:
        package("agents")
        race = program("guardrail_race")
        module = guard(tmp_path, "guardrail_race", "can_keep", adapter="openai-agents", hidden="ask_tool finish")
        endings = set()
        for seed in range(SCHEDULES):
            rng, log = random.Random(seed), list[dict[str, Any]]()

            async def pause(_: float, rng: random.Random = rng) -> None:
                for _ in range(rng.randrange(40)):
                    await asyncio.sleep(rng.choice((0, 0, 0, 0.0005)))

            class Slow(race.Script):  # type: ignore[name-defined,misc]
                async def get_response(self, *args: Any, **kwargs: Any) -> Any:
                    await pause(0)
                    return await super().get_response(*args, **kwargs)

            race.Script, plain = Slow, race.Script
            words = rng.choice(("pay 5", "buy 5"))
            ended, paid, _ = self.guarded(module, race, words, log, pause)
            race.Script = plain
            answer = follow("guardrail_race", log, "safe", hidden="ask_tool finish")
            assert answer.kind in ("conforms", "settled"), (log, str(answer))
            assert bool(paid) is (words == "buy 5")
            endings.add((ended, len(log)))
        assert len(endings) > 1


class TestHandOffs:
    def test_langgraph_stops_the_loop(self, tmp_path: Path) -> None:
        package("langgraph.graph")
        from langgraph.graph import END, START, StateGraph
        from langgraph.types import Command

        loop = program("handoff_loop")
        assert loop.langgraph_loop(25) == (25, "GraphRecursionError")
        module = guard(tmp_path, "handoff_loop", "can_stop", adapter="langgraph")
        m, went = module.Monitor(), list[str]()

        def node(me: str, other: str, instead: Any) -> Any:
            def act(state: Any) -> Any:
                went.append(me)
                return Command(goto=other)

            return module.langgraph_node(
                m, act, me, agent="Router", action=lambda me, goto: f"{me}_to_{goto}", instead=instead
            )

        def run(instead: Any) -> Any:
            graph: Any = StateGraph(dict)
            graph.add_node("alice", node("alice", "bob", instead), destinations=("bob", END))
            graph.add_node("bob", node("bob", "alice", instead), destinations=("alice", END))
            graph.add_edge(START, "alice")
            return graph.compile().invoke({})

        told: list[str] = []

        def answer(state: Any, decision: Any) -> Any:
            told.append(decision.text)
            return Command(goto=END)

        run(answer)
        assert went == ["alice", "bob", "alice"] and told[0].startswith("Router must not alice_to_bob now")
        m.reset()
        with pytest.raises(module.Blocked, match="could break can_stop"):
            run(None)

    def test_a_run_is_kept_with_the_graph(self, tmp_path: Path) -> None:
        package("langgraph.graph")
        from typing import TypedDict

        from langgraph.checkpoint.memory import InMemorySaver
        from langgraph.graph import END, START, StateGraph

        module = guard(tmp_path, "handoff_loop", "can_stop", adapter="langgraph")

        class Kept(TypedDict):
            epistrat: str

        saver = InMemorySaver()

        def app(m: Any) -> Any:
            graph: Any = StateGraph(Kept)
            graph.add_node("work", module.langgraph_state(m)(lambda now: m.act("Router", "alice_works") and {}))
            graph.add_edge(START, "work")
            graph.add_edge("work", END)
            return graph.compile(checkpointer=saver)

        thread = {"configurable": {"thread_id": "1"}}
        app(module.Monitor()).invoke({"epistrat": ""}, thread)
        later = module.Monitor()
        app(later).invoke({}, thread)
        assert str(later.event("Router", "alice_answers")).startswith("step 3: ")

    def test_openai_agents_is_not_even_offered_the_hand_off(self, tmp_path: Path) -> None:
        agents = package("agents")
        from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

        module = guard(tmp_path, "handoff_loop", "can_stop", adapter="openai-agents")
        m, offered = module.Monitor(), list[int]()
        agents.set_tracing_disabled(True)

        class Script(agents.Model):  # type: ignore[name-defined,misc]
            async def get_response(self, *args: Any, **kwargs: Any) -> Any:
                handoffs = kwargs.get("handoffs") or next(
                    (one for one in args if isinstance(one, list) and one and hasattr(one[0], "tool_name")), []
                )
                offered.append(len(handoffs))
                if handoffs:
                    out: Any = ResponseFunctionToolCall(
                        arguments="{}",
                        call_id=f"c{len(offered)}",
                        name=handoffs[0].tool_name,
                        type="function_call",
                        id="f",
                    )
                else:
                    text = ResponseOutputText(text="answered", type="output_text", annotations=[])
                    out = ResponseOutputMessage(
                        id="m", content=[text], role="assistant", status="completed", type="message"
                    )
                return agents.ModelResponse(output=[out], usage=agents.Usage(), response_id=None)

            def stream_response(self, *args: Any, **kwargs: Any) -> Any:
                raise NotImplementedError

        alice = agents.Agent(name="alice", instructions="x", model=Script())
        bob = agents.Agent(name="bob", instructions="x", model=Script())
        alice.handoffs = [module.openai_handoff(m, bob, "Router", "alice_to_bob")]
        bob.handoffs = [module.openai_handoff(m, alice, "Router", "bob_to_alice")]
        result = asyncio.run(agents.Runner.run(alice, "hi"))
        assert (offered, result.final_output) == ([1, 1, 0], "answered")


class TestSecret:
    ACTIONS = staticmethod(
        lambda given: {"outsider": "{}_out", "colleague": "{}_in"}[given["to"]].format(given["text"])
    )

    def test_the_message_that_tells_is_stopped_and_the_one_before_passes(self, tmp_path: Path) -> None:
        package("agents")
        ratchet = program("secret_ratchet")
        asyncio.run(ratchet.main())
        assert ratchet.sent[-1] == ("outsider", "one"), "the secret reaches the outsider"
        ratchet.sent.clear()
        module = guard(tmp_path, "secret_ratchet", "can_keep", adapter="openai-agents")
        m = module.Monitor()
        tools = [
            module.openai_tool(m, ratchet.read_secret, "Assistant", f"read_{ratchet.SECRET}"),
            module.openai_tool(m, ratchet.send_message, "Assistant", self.ACTIONS),
        ]
        calls = [
            *ratchet.LEAK,
            ("send_message", {"to": "outsider", "text": "summary"}),
            ("send_message", {"to": "outsider", "text": "hello"}),
        ]
        script = asyncio.run(ratchet.main(tools, calls))
        assert ratchet.sent == [("outsider", "hello"), ("colleague", "one"), ("outsider", "hello")]
        told = str(script.heard[-1])
        assert "Assistant must not one_out: that could break can_keep (K(Outsider, one) true)" in told
        assert "Assistant must not summary_out" in told
        assert m.property in ("open", "settled")


class TestApproval:
    def test_a_payment_before_the_question_is_stopped(self, tmp_path: Path) -> None:
        package("langgraph.graph")
        approval, events = program("approval"), list[str]()
        approval.run(True, answer=False, emit=events.append)
        assert events == ["pay", "ask_small", "reject", "pay"], "paid twice though the human said no"
        assert follow("approval", [{"action": one} for one in events], "approved", early=1).kind == "violated"
        refused = follow("approval", [{"action": one} for one in events], early=0)
        assert (refused.kind, refused.step) == ("refused", 1)
        module = guard(tmp_path, "approval", "enforce", early=1)
        m, paid = module.Monitor(), list[str]()
        pay = m.guard("Workflow", "pay", blocked="tell")(lambda: paid.append("pay"))
        assert str(pay()).startswith("Workflow must not pay") and not paid

    def test_the_late_payment_passes(self, tmp_path: Path) -> None:
        package("langgraph.graph")
        approval, paid = program("approval"), list[str]()
        module = guard(tmp_path, "approval", "enforce", early=0)
        m = module.Monitor()
        pay = m.guard("Workflow", "pay", blocked="tell")(lambda: paid.append("pay"))
        approval.run(False, emit=lambda action: m.event("Workflow", action), pay=pay)
        assert paid == ["pay"] and m.property in ("open", "settled")


class TestLease:
    def test_unfenced_writes_are_refused_by_the_fenced_model(self) -> None:
        lease, events = program("lease"), list[str]()
        asyncio.run(lease.run(emit=events.append))
        log = [{"action": one} for one in events]
        assert follow("lease", log, "one_writer", fence=0).kind == "violated"
        assert (answer := follow("lease", log, fence=1)).kind == "refused" and answer.step == 5
        events.clear()
        asyncio.run(lease.run(True, emit=events.append))
        assert follow("lease", [{"action": one} for one in events], "one_writer", fence=1).ok


class TestCouncil:
    def test_voters_in_turn_find_earlier_votes(self) -> None:
        package("langgraph.graph")
        council = program("council")
        assert council.run(False)[2] and not council.run(True)[2]


class TestEnvironments:
    def test_gymnasium(self, tmp_path: Path) -> None:
        gymnasium = package("gymnasium")
        module = guard(tmp_path, "lights", "<both>G !crash", adapter="gymnasium")

        class Crossing(gymnasium.Env):  # type: ignore[name-defined,misc]
            """The light in the north: 0 is red, 1 is green."""

            action_space = gymnasium.spaces.Discrete(2)
            observation_space = gymnasium.spaces.Discrete(2)

            def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
                super().reset(seed=seed)
                return 0, {}

            def step(self, action: int) -> Any:
                return int(action), 0.0, False, False, {}

        m = module.Monitor()
        env = module.ShieldedEnv(
            Crossing(), m, "North", actions={0: "stop", 1: "go"}, see=lambda seen: {"North.on": bool(seen)}
        )
        observation, info = env.reset(seed=1)
        assert list(info["action_mask"]) == [1, 0]  # the light in the east may turn green in the same step
        observation, _, _, _, info = env.step(1)
        assert (observation, info["blocked"]) == (0, 1)
        assert "violated" not in m.property

    def test_gymnasium_replaces_what_is_not_allowed(self, tmp_path: Path) -> None:
        gymnasium = package("gymnasium")
        module = guard(tmp_path, "handoff_loop", "can_stop", adapter="gymnasium", most=1)

        class Desk(gymnasium.Env):  # type: ignore[name-defined,misc]
            action_space = gymnasium.spaces.Discrete(3)
            observation_space = gymnasium.spaces.Discrete(2)
            done: list[int]

            def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
                self.done = []
                return 0, {}

            def step(self, action: int) -> Any:
                self.done.append(action)
                return 0, 0.0, False, False, {}

        names = {0: "alice_to_bob", 1: "bob_to_alice", 2: "alice_works", 3: "bob_works"}
        env = module.ShieldedEnv(Desk(), module.Monitor(), "Router", actions=names)
        env.reset()
        assert env.step(0)[4]["blocked"] is None
        _, _, _, _, info = env.step(1)
        assert (info["blocked"], env.unwrapped.done) == (1, [0, 3])
        assert list(info["action_mask"]) == [0, 1, 0, 1]

    def test_pettingzoo(self, tmp_path: Path) -> None:
        pettingzoo, gymnasium = package("pettingzoo"), package("gymnasium")
        module = guard(tmp_path, "lights", "<both>G !crash", adapter="pettingzoo")

        class Crossing(pettingzoo.ParallelEnv):  # type: ignore[name-defined,misc]
            metadata = {"name": "crossing"}  # noqa: RUF012
            possible_agents = ["north", "east"]  # noqa: RUF012

            def reset(self, seed: int | None = None, options: Any = None) -> Any:
                self.agents = list(self.possible_agents)
                return dict.fromkeys(self.agents, 0), {one: {} for one in self.agents}

            def step(self, actions: Any) -> Any:
                assert not all(actions.values()), "a crash"
                nothing = dict.fromkeys(self.agents, False)
                return actions, dict.fromkeys(self.agents, 0.0), nothing, nothing, {one: {} for one in self.agents}

            def observation_space(self, agent: str) -> Any:
                return gymnasium.spaces.Discrete(2)

            def action_space(self, agent: str) -> Any:
                return gymnasium.spaces.Discrete(2)

        numbers = {0: "stop", 1: "go"}
        env = module.ShieldedParallelEnv(
            Crossing(),
            module.Monitor(),
            actions={"north": numbers, "east": numbers},
            names={"north": "North", "east": "East"},
            see=lambda seen: {"North.on": bool(seen["north"]), "East.on": bool(seen["east"])},
        )
        _, infos = env.reset(seed=1)
        assert list(infos["north"]["action_mask"]) == [1, 1]
        rng = random.Random(0)
        blocked = 0
        for _ in range(50):
            wanted = {"north": rng.randrange(2), "east": rng.randrange(2)}
            observations, _, _, _, infos = env.step(wanted)
            assert infos["north"]["blocked"] is None, "the first in order gets what it wants"
            blocked += infos["east"]["blocked"] is not None
            assert observations["north"] == wanted["north"]
        assert blocked > 5
