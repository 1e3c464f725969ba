"""What the server does: analysis, checks with events, the simulator, strategies, graphs, drafts and files."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path

import pytest
from starlette.requests import Request
from tests.studio.conftest import EXAMPLES, Client, end, long_check, serve

from epistrat.studio import errands, shelf
from epistrat.studio.app import SIMULATORS, Studio
from epistrat.studio.children import Child, ChildFailed, Json
from epistrat.studio.desk import Desk
from epistrat.studio.errands import AT_ONCE
from epistrat.studio.guard import Door

CRYPTOGRAPHERS = (EXAMPLES / "dining_cryptographers.ispl").read_text()
CARDS = (EXAMPLES / "card_game.ispl").read_text()
BITS = (EXAMPLES / "bit_transmission.ispl").read_text()


def test_messages_have_places_and_fixes(studio: Client) -> None:
    broken = CARDS.replace("Environment.stage = played", "Environment.stage = playd", 1)
    found = studio.ask("analyse", broken)
    assert not found["ok"]
    (message,) = (one for one in found["diagnostics"] if one["severity"] == "error")
    assert broken[message["from"] : message["to"]] == "playd"
    fix = message["fixes"][0]
    (edit,) = fix["edits"]
    mended = broken[: edit["from"]] + edit["insert"] + broken[edit["to"] :]
    assert studio.ask("analyse", mended)["ok"]


def test_places_count_as_the_page_does(studio: Client) -> None:
    broken = "-- 𝒦 two units\n" + CARDS.replace("Environment.stage = played", "Environment.stage = playd", 1)
    (message,) = (one for one in studio.ask("analyse", broken)["diagnostics"] if one["severity"] == "error")
    units = broken.encode("utf-16-le")
    assert units[2 * message["from"] : 2 * message["to"]].decode("utf-16-le") == "playd"


def test_the_editor_asks_about_names(studio: Client) -> None:
    at = CARDS.index("wins;")
    offers = studio.ask("complete", CARDS[: at + 1], offset=at + 1)
    assert "wins" in [one["label"] for one in offers]
    assert "wins" in studio.ask("hover", CARDS, offset=at + 1)["text"]
    place = studio.ask("define", CARDS, offset=at + 1)
    assert CARDS[place["from"] :].startswith("wins if")
    assert [entry["name"] for entry in studio.ask("analyse", CARDS)["outline"]][:2] == ["Environment", "Player"]
    assert studio.ask("layout", "Agent   A end Agent")["text"].startswith("Agent A")


def test_families_have_sizes(studio: Client) -> None:
    text = studio.call("GET", "/api/examples/scenarios/dining-cryptographers.ispl")[1]["text"]
    known = studio.ask("analyse", text)
    assert known["parameters"] == [{"name": "n", "value": 3, "least": 3, "most": None}]
    assert "lies outside" in studio.ask("analyse", text, parameters={"n": 2})["diagnostics"][0]["message"]
    finished = studio.run("check", text, parameters={"n": 4}, only=[4])[-2]
    assert finished["facts"]["states"] == 160
    here = studio.ask("walk", text, parameters={"n": 4})
    assert "Crypto[4]" in [agent["name"] for agent in here["system"]["agents"]]


def test_half_a_text_is_no_crash(studio: Client) -> None:
    for length in range(0, len(CARDS), 97):
        assert "diagnostics" in studio.ask("analyse", CARDS[:length])


def test_a_check_tells_what_happens(studio: Client) -> None:
    events = studio.run("check", CRYPTOGRAPHERS)
    answers = [event["result"] for event in events if event["event"] == "answered"]
    assert [one["verdict"] for one in answers] == ["holds", "holds", "fails", "holds", "holds"]
    kinds = [event["event"] for event in events]
    assert kinds[0] == "waiting" and kinds[-2:] == ["finished", "over"]
    assert next(event for event in events if event["event"] == "finished")["facts"]["states"] == 64
    explained = answers[2]["explanations"][0]
    assert "C1" in explained["sentence"]
    edges = explained["picture"]["edges"]
    assert {edge["kind"] for edge in edges} == {"step", "alike"}
    nodes = {node["id"]: node["state"] for node in explained["picture"]["nodes"]}
    (alike,) = (edge for edge in edges if edge["kind"] == "alike")
    system = next(event for event in events if event["event"] == "loaded")["system"]
    seen = next(agent["sees"] for agent in system["agents"] if agent["name"] == "C1")
    assert [nodes[alike["from"]][name] for name in seen] == [nodes[alike["to"]][name] for name in seen]
    address = next(event["address"] for event in events if event["event"] == "report")
    status, page, _ = studio.raw("GET", address, headers={})  # a window of its own, which has no session
    assert status == 200 and b"<!DOCTYPE html>" in page and b"http://" not in page.replace(b"http://www.w3.org", b"")
    assert studio.follow(events[0]["id"])[events[0]["id"]][-1]["event"] == "over", (
        "a page that is reloaded hears all again"
    )


def test_mistakes_in_what_is_asked_are_said_in_words(studio: Client) -> None:
    assert studio.run("check", "Agent")[-2]["how"] == "rejected"
    said = studio.run("check", CARDS, engine="nonsense")[-2]
    assert said["how"] == "crashed" and "no engine" in said["reason"]
    assert "there are any, uniform" in studio.run("check", CARDS, strategies="nonsense")[-2]["reason"]


def test_a_page_does_not_say_where_files_are_written(studio: Client, tmp_path: Path) -> None:
    assert studio.run("check", CARDS, proof=str(tmp_path / "kept"))[-2]["how"] == "done"
    assert not (tmp_path / "kept").exists()


def test_a_counterexample_goes_on_in_the_simulator(studio: Client) -> None:
    events = studio.run("check", CRYPTOGRAPHERS, only=[3])
    (answer,) = (event["result"] for event in events if event["event"] == "answered")
    scene = next(block for block in answer["explanations"][0]["blocks"] if block["kind"] in ("scene", "compare"))
    moments = scene["left"]["moments"] if scene["kind"] == "compare" else scene["moments"]
    run = {
        "states": [one["state"] for one in moments],
        "actions": [one["joint"] for one in moments if one["joint"] is not None],
    }
    here = studio.ask("walk", CRYPTOGRAPHERS, run=run)
    assert here["run"] == run
    assert "odd" in here["true"]
    known = studio.ask("knows", CRYPTOGRAPHERS, run=run, agent="C1")
    assert "paid2" in known["unsure"] and known["count"] == len(known["states"]) + 1
    assert studio.ask("truth", CRYPTOGRAPHERS, run=run, formula="K(C1, paid2)")["true"] is False
    assert studio.ask("truth", CRYPTOGRAPHERS, run=run, formula="K(C1, paid2 or paid3)")["true"] is True
    assert studio.ask("truth", CRYPTOGRAPHERS, run=run, formula="K(C1")["diagnostics"]
    forged = {"states": [run["states"][0], {**run["states"][-1], "C1.paid": True}], "actions": run["actions"][:1]}
    status, refused = studio.call("POST", "/api/ask/walk", {"text": CRYPTOGRAPHERS, "name": "x", "run": forged})
    assert status == 422 and "not a run" in refused["error"]


def test_walking(studio: Client) -> None:
    here = studio.ask("walk", BITS)
    assert len(here["run"]["states"]) == 1
    there = studio.ask("walk", BITS, run=here["run"], take=0)
    assert there["run"]["states"][1] == here["steps"][0]["target"]
    far = studio.ask("walk", BITS, run=there["run"], random=5)
    assert len(far["run"]["states"]) == 7
    assert studio.ask("walk", BITS, run=far["run"], back=1)["run"] == there["run"]
    assert studio.ask("walk", BITS, start=2)["run"]["states"] == [here["initial"][1]]
    sought = studio.ask("walk", BITS, seek="received")
    assert "received" in sought["true"]


def test_a_strategy_is_found_and_played_against(studio: Client) -> None:
    told = next(one for one in studio.run("strategy", CARDS, formula="<player>F wins") if one["event"] == "strategy")
    (plan,) = told["plans"]
    assert plan["policies"] and plan["picture"]["nodes"] and plan["verified"] == "holds"
    start = {"states": plan["starts"][:1], "actions": []}
    here = studio.ask("play", CARDS, run=start, strategy=plan["strategy"])
    for _ in range(6):
        if "wins" in here["true"]:
            break
        assert set(here["choice"]) == set(here["members"])
        here = studio.ask("play", CARDS, run=here["run"], strategy=plan["strategy"], take=len(here["steps"]) - 1)
    assert "wins" in here["true"]


def test_graphs_of_small_models_only(studio: Client) -> None:
    told = studio.run("graph", CRYPTOGRAPHERS)
    (graph,) = (event for event in told if event["event"] == "graph")
    assert len(graph["picture"]["nodes"]) == 64
    assert any(event["event"] == "remark" for event in studio.run("graph", long_check(3)))


def test_ten_checks_and_cancellations_leave_no_process(studio: Client) -> None:
    studio.run("check", CARDS)
    text = long_check()
    keys = [studio.start("check", text, engine="explicit", time=600)[1]["id"] for _ in range(10)]
    for key in keys[::2] + keys[1::2]:
        assert studio.call("DELETE", f"/api/errands/{key}")[0] == 200
    assert all(events[-2]["how"] == "interrupted" for events in studio.follow(*keys).values())
    at_rest = 1 + SIMULATORS + AT_ONCE  # the editor's child, the simulator's, and one for each piece of work at a time
    assert len(studio.descendants()) <= at_rest


def test_what_waits_for_its_turn_is_cancelled_at_once(studio: Client) -> None:
    keys = [studio.start("check", long_check(), engine="explicit", time=600)[1]["id"] for _ in range(AT_ONCE + 1)]
    with studio.socket() as socket:
        socket.send(json.dumps({"follow": keys[-1]}))
        assert json.loads(socket.recv(timeout=60))["event"] == "waiting"
        assert studio.call("DELETE", f"/api/errands/{keys[-1]}")[0] == 200
        told = [json.loads(socket.recv(timeout=60)) for _ in range(2)]
    assert [one["event"] for one in told] == ["finished", "over"] and told[0]["how"] == "interrupted"
    for key in keys[:-1]:  # which had kept it waiting all the time
        studio.call("DELETE", f"/api/errands/{key}")
    assert all(events[-2]["how"] == "interrupted" for events in studio.follow(*keys).values())


class _Asked(Request):
    """A question of the page."""

    def __init__(self, what: str, body: dict[str, str]) -> None:
        super().__init__({"type": "http", "path_params": {"what": what}})
        self._body = json.dumps(body).encode()


class _Slow(Child):
    """A simulator that answers when it is told to; a call that is cancelled ends it."""

    def __init__(self) -> None:
        super().__init__(0)
        self.ready = asyncio.Event()
        self.ended = 0

    async def events(self, what: Json) -> AsyncGenerator[tuple[str, Json], None]:
        async with self._turn:
            try:
                await self.ready.wait()
                yield "answer", what["asked"]
            except asyncio.CancelledError:
                self.ended += 1
                raise


def test_a_question_that_is_cancelled_ends_no_other(tmp_path: Path) -> None:
    """Questions beyond the number of simulators wait for the first of them: giving up one that waits leaves the others alone."""

    async def told() -> None:
        studio = Studio(Desk(tmp_path, []), Door(frozenset(), 0, ""))
        slow = [_Slow() for _ in range(SIMULATORS)]
        studio.simulators = list(slow)
        asked = [f"{n}" for n in range(SIMULATORS + 2)]
        answers = []
        for key in asked:
            answers.append(asyncio.create_task(studio.ask(_Asked("walk", {"asked": key}))))
            await asyncio.sleep(0.01)
        for key in (asked[1], asked[-1]):
            await studio.stop_asking(_Asked(key, {}))
        for place in (1, -1):
            with pytest.raises(ChildFailed, match="this question was cancelled"):
                await answers[place]
        assert [one.ended for one in slow] == [0, 1, 0]
        for one in slow:
            one.ready.set()
        for place in (0, 2, -2):
            assert json.loads(bytes((await answers[place]).body)) == asked[place]
        assert not studio.asking

    asyncio.run(told())


def test_a_killed_server_leaves_no_process(tmp_path: Path) -> None:
    client = serve(tmp_path)
    _, started = client.start("check", long_check(), engine="explicit", time=600)
    with client.socket() as socket:
        socket.send(json.dumps({"follow": started["id"]}))
        while '"loaded"' not in socket.recv(timeout=60):
            pass
    assert len(client.descendants()) >= 3
    end(client, signal.SIGKILL)


def test_ctrl_c_ends_it_quietly(tmp_path: Path) -> None:
    assert end(serve(tmp_path), signal.SIGINT) == 0


def test_drafts_survive_the_server_and_files_are_saved_where_they_came_from(tmp_path: Path) -> None:
    file = tmp_path / "model.ispl"
    file.write_bytes(b"-- saved\r\n")
    client = serve(tmp_path / "drafts", file)
    (paper,) = client.call("GET", "/api/desk")[1]["papers"]
    assert paper["text"] == "-- saved\r\n"
    assert client.call("PUT", f"/api/papers/{paper['id']}", {"name": "model.ispl", "text": "-- typed"})[0] == 200
    assert client.call("PUT", "/api/papers/00000000000000aa", {"name": "new", "text": "-- new"})[0] == 200
    end(client, signal.SIGKILL)
    client = serve(tmp_path / "drafts", file)
    papers = client.call("GET", "/api/desk")[1]["papers"]
    assert [(one["text"], one["saved"]) for one in papers] == [("-- typed", "-- saved\r\n"), ("-- new", None)]
    file.write_text("-- changed by somebody else")
    save = f"/api/papers/{paper['id']}/save"
    assert client.call("POST", save, {"text": "-- typed"})[0] == 409
    assert file.read_text() == "-- changed by somebody else"
    assert client.call("POST", save, {"text": "-- typed", "anyway": True})[0] == 200
    assert file.read_text() == "-- typed"
    assert client.call("DELETE", "/api/papers/00000000000000aa")[0] == 200
    end(client)
    assert not list((tmp_path / "drafts").glob("*.json"))


def test_a_single_rule_is_followed_always(studio: Client) -> None:
    coin = (Path(__file__).parents[1] / "service" / "hidden_coin.ispl").read_text(encoding="utf-8")
    answered = next(event for event in studio.run("check", coin) if event["event"] == "answered")
    assert answered["result"]["verdict"] == "fails"
    assert '"when": "always"' in json.dumps(answered) and '"when": "otherwise"' not in json.dumps(answered)


def test_examples_have_levels_and_twins(studio: Client) -> None:
    shown = {one["name"]: one for one in studio.call("GET", "/api/desk")[1]["examples"]}
    assert [name for name, one in shown.items() if one["start"]]
    assert {one["level"] for one in shown.values()} == {1, 2, 3}
    assert shown["tian_ji.ispl"]["twin"] == "scenarios/tian-ji.ispl"
    assert not shown["scenarios/tian-ji.ispl"]["twin"] and not shown["contract.ispl"]["twin"]


def test_every_name_of_the_shelf_is_a_model() -> None:
    known = shelf.examples()
    assert {*shelf.START, *(f"{name}.ispl" for name in (*shelf._EASY, *shelf._HARD))} <= set(known)


class _Busy:
    """A child that works until it is stopped."""

    def __init__(self) -> None:
        self.busy = False
        self._stopped = asyncio.Event()

    async def events(self, _: object) -> AsyncIterator[tuple[str, dict[str, str]]]:
        yield "event", {"event": "progress"}
        await self._stopped.wait()

    async def stop(self) -> None:
        self._stopped.set()


def test_of_progress_only_the_last_is_kept() -> None:
    errand = errands.Errand("one", {})
    for event in [{"event": "started"}, *({"event": "progress", "number": n} for n in range(9)), {"event": "answered"}]:
        errand.tell(event)
    assert errand.told == [{"event": "started"}, {"event": "progress", "number": 8}, {"event": "answered"}]


def test_what_nobody_follows_is_ended_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr(errands, "ALONE", 0.2)
        monkeypatch.setattr(errands, "Child", lambda _: _Busy())
        all_ = errands.Errands()
        followed, left, alone = (all_.start({"number": number}) for number in range(3))
        heard: list[str] = []

        async def hear(one: errands.Errand) -> None:
            heard.extend([event["event"] async for event in all_.follow(one)])

        listening, leaving = asyncio.create_task(hear(followed)), asyncio.create_task(hear(left))
        await asyncio.sleep(0.1)
        leaving.cancel()
        await asyncio.sleep(0.8)
        assert (followed.done, left.done, alone.done) == (False, True, True)
        await all_.cancel(followed)
        await listening
        assert heard[-1] == "over"

    asyncio.run(story())
