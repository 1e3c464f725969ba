"""``epistrat mcp``: sessions by the official client, budgets that end, errors as data, and hostile input.

Skipped where the package mcp is not installed (``pip install 'epistrat[mcp]'``); what the tools do is tested without it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.running.test_words import AGENTS

from epistrat.assistants.errands import LONGEST_ANSWER, Mistake, run, shortened
from epistrat.cli.main import main

GIGABYTE = 1_000_000_000
LIGHTS = (AGENTS / "lights.ispl").read_text(encoding="utf-8")
HARD = """
Composition = Interleaved;
Parameters n = 14 in 1..30; end Parameters
Agent A[i in 1..n] Vars: x[j in 1..8] : 0..1000; end Vars Actions = {go[i], up[i]};
Protocol: Other : {go[i], up[i]}; end Protocol
Evolution: x[1] = x[1] * 7 / 3 + x[2] if Action = go[i] and x[1] < 100;
x[2] = x[2] + x[3] + 1 if Action = up[i] and x[2] < 900; end Evolution end Agent
Evaluation bad if A[1].x[1] > A[2].x[2] * 3 and A[1].x[3] = 77; zero if A[1].x[1] = 0; end Evaluation
InitStates A[1].x[1] = 0; end InitStates
Formulae easy: zero; hard: AG(bad -> AF(zero and K(A[1], bad))); end Formulae
"""


def asked(name: str, root: Path = AGENTS, **given: Any) -> dict[str, Any]:
    return run(name, given, str(root), 20 * GIGABYTE)  # a fork of the test process begins with all of its memory


class TestErrands:
    def test_check(self) -> None:
        found = asked("check", text=LIGHTS, seconds=20)
        assert found["accepted"] and [one["verdict"] for one in found["results"]] == ["holds", "fails"]
        found = asked("check", file="lease.ispl", seconds=20, only=["one_writer"], parameters={"fence": 1})
        assert [one["verdict"] for one in found["results"]] == ["holds"]

    def test_a_rejected_model_is_an_answer(self) -> None:
        found = asked("check", text=LIGHTS.replace("crash if", "crsh if"), seconds=20)
        assert not found["accepted"] and any("crash" in one["message"] for one in found["diagnostics"])
        assert not asked("diagnostics", text="Agent")["accepted"] and not asked("format", text="Agent")["accepted"]

    def test_words(self) -> None:
        found = asked("explain", text=LIGHTS, formula="AG !crash", seconds=20)
        assert "crash" in found["words"] and found["results"][0]["verdict"] == "fails"
        assert asked("explain", code="E016")["page"]
        with pytest.raises(Mistake, match="there is no code E999"):
            asked("explain", code="E999")

    def test_runs(self) -> None:
        found = asked("simulate", text=LIGHTS, seconds=20, steps=4)
        assert len(found["run"]["states"]) == 5
        found = asked("simulate", file="lease.ispl", seconds=20, actions=["lease[1]", "expire", "expire"])
        assert (found["followed"], found["of"]) == (2, 3) and {"action": "lease[2]"} in found["allowed"]
        found = asked("simulate", text=LIGHTS, seconds=20, actions=[{"North": "go"}])
        assert found["state"]["North.on"] is True

    def test_strategies_and_logs(self) -> None:
        found = asked("strategy", text=LIGHTS, seconds=20, formula="<both>G !crash")
        assert found["exists"] is True and found["accepted"]
        assert asked("strategy", text=LIGHTS, seconds=20, formula="<both>G crash")["exists"] is False
        log = '{"action": "lease[1]"}\n{"action": "lease[2]"}'
        found = asked("conform", file="lease.ispl", seconds=20, log=log)
        assert found["logs"][0]["verdict"] == "refused" and found["logs"][0]["line"] == 2
        assert (
            asked("conform", file="lease.ispl", seconds=20, log=log, hidden=["expire"])["logs"][0]["verdict"]
            == "conforms"
        )
        with pytest.raises(Mistake, match="log:1: this is no JSON"):
            asked("conform", file="lease.ispl", seconds=20, log="{")

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ({}, "either as `text` or as `file`"),
            ({"text": LIGHTS, "file": "lights.ispl"}, "either as `text` or as `file`"),
            ({"file": "../../pyproject.toml"}, "lies outside the folder"),
            ({"file": "/etc/passwd"}, "lies outside the folder"),
            ({"file": "none.ispl"}, "there is no file none.ispl"),
            ({"file": "."}, "there is no file"),
            ({"file": "a\0b"}, "no null character"),
            ({"text": "x" * 1_000_001}, "at most 1,000,000 are read"),
            ({"text": LIGHTS, "only": ["nothing"]}, "there is no formula nothing"),
            ({"text": LIGHTS, "strategies": "all"}, "there is no 'all'"),
        ],
    )
    def test_mistakes_are_sentences(self, given: dict[str, Any], words: str) -> None:
        with pytest.raises(Mistake, match=words.replace("(", r"\(")):
            asked("check", seconds=5, **given)

    def test_links_and_includes_do_not_lead_out(self, tmp_path: Path) -> None:
        secret = tmp_path / "secret.ispl"
        secret.write_text("the secret words", encoding="utf-8")
        root = tmp_path / "root"
        root.mkdir()
        (root / "link.ispl").symlink_to(secret)
        with pytest.raises(Mistake, match="lies outside"):
            asked("check", root, file="link.ispl", seconds=5)
        for model in ('include "../secret.ispl";\n', f'include "{secret}";\n', 'include "link.ispl";\n'):
            (root / "model.ispl").write_text(model + LIGHTS, encoding="utf-8")
            for found in (
                asked("check", root, file="model.ispl", seconds=5),
                asked("check", root, text=model + LIGHTS, seconds=5),
            ):
                assert not found["accepted"] and "secret words" not in json.dumps(found)
        os.mkfifo(root / "pipe.ispl")
        with pytest.raises(Mistake, match="there is no file"):
            asked("check", root, file="pipe.ispl", seconds=5)
        (root / "large.ispl").write_bytes(b" " * 1_000_001)
        with pytest.raises(Mistake, match="at most"):
            asked("check", root, file="large.ispl", seconds=5)

    def test_answers_are_short(self) -> None:
        found = shortened({"results": [{"text": "x" * 3_000, "list": list(range(5_000))} for _ in range(300)]})
        assert len(json.dumps(found)) <= LONGEST_ANSWER + 5_000 and "are shown" in str(found["cut"])


def session(work: Callable[[Any], Awaitable[None]], *arguments: str) -> None:
    """A session by the official client."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("mcp", reason="mcp is not installed: pip install 'epistrat[mcp]'")
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client

    async def talk() -> None:
        line = StdioServerParameters(
            command=sys.executable, args=["-m", "epistrat", "mcp", "--root", str(AGENTS), *arguments]
        )
        async with stdio_client(line) as (heard, told), ClientSession(heard, told) as client:
            await work(client)

    asyncio.run(talk())


def data(result: Any) -> dict[str, Any]:
    assert not result.is_error, result
    found: dict[str, Any] = result.structured_content
    return found


@pytest.mark.filterwarnings("ignore")
def test_a_session() -> None:
    async def work(client: Any) -> None:
        begun = await client.initialize()
        assert begun.server_info.name == "epistrat" and "epistrat://language" in begun.instructions
        tools = {one.name: one for one in (await client.list_tools()).tools}
        assert set(tools) == {"check", "explain", "simulate", "strategy", "diagnostics", "format", "conform"}
        assert all(one.annotations.read_only_hint for one in tools.values())
        assert "seconds" in tools["check"].input_schema["required"]
        found = data(await client.call_tool("check", {"file": "lease.ispl", "seconds": 30, "only": ["one_writer"]}))
        assert found["results"][0]["verdict"] == "fails" and found["results"][0]["why"]
        found = data(await client.call_tool("explain", {"text": LIGHTS, "formula": "AG !crash", "seconds": 30}))
        assert "crash" in found["words"]
        found = data(await client.call_tool("check", {"text": "Agent X", "seconds": 10}))
        assert found["accepted"] is False and found["diagnostics"], "an answer, not an error"
        for arguments in (
            {"file": "../../README.md", "seconds": 5},
            {"text": LIGHTS},
            {"text": LIGHTS, "seconds": 1_000},
            {"text": LIGHTS, "seconds": -1},
        ):
            result = await client.call_tool("check", arguments)
            assert result.is_error and result.content[0].text
        assert "lies outside" in (await client.call_tool("check", {"file": "../x", "seconds": 5})).content[0].text
        templates = (await client.list_resource_templates()).resource_templates
        assert {one.uri_template for one in templates} == {"epistrat://errors/{code}", "epistrat://examples/{name}"}
        page = (await client.read_resource("epistrat://language")).contents[0].text
        assert "Evolution" in page
        assert "E016" in (await client.read_resource("epistrat://errors/E016")).contents[0].text
        assert {one.name for one in (await client.list_prompts()).prompts} == {"write_model", "mend", "why"}
        told = await client.get_prompt("write_model", {"story": "two robots"})
        assert "two robots" in told.messages[0].content.text

    session(work)


@pytest.mark.filterwarnings("ignore")
def test_a_budget_ends_and_keeps_what_was_decided() -> None:
    async def work(client: Any) -> None:
        await client.initialize()
        begun = time.monotonic()
        found = data(await client.call_tool("check", {"text": HARD, "seconds": 3}))
        assert time.monotonic() - begun < 40
        assert {one["name"]: one["verdict"] for one in found["results"]}["hard"] == "unknown"
        others = [client.call_tool("format", {"text": LIGHTS}) for _ in range(4)]
        assert [data(one)["accepted"] for one in await asyncio.gather(*others)] == [True] * 4

    session(work)


def test_a_question_that_is_cancelled_ends_its_process() -> None:
    """What serves a call is ended with the task that asked for it."""
    pytest.importorskip("mcp", reason="mcp is not installed: pip install 'epistrat[mcp]'")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from epistrat.assistants.server import Bounds, Desk
    from epistrat.children.asynchronous import AsyncChild

    made: list[AsyncChild] = []

    async def work() -> None:
        desk = Desk(Bounds(AGENTS))
        begin = AsyncChild.of.__func__  # type: ignore[attr-defined]

        async def of(cls: Any, *given: Any, **more: Any) -> AsyncChild:
            made.append(await begin(cls, *given, **more))
            return made[-1]

        AsyncChild.of = classmethod(of)  # type: ignore[assignment, method-assign]
        try:
            asking = asyncio.create_task(desk.ask("check", {"text": HARD, "seconds": 50}, 50))
            while not made:
                await asyncio.sleep(0.05)
            await asyncio.sleep(1)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
        finally:
            AsyncChild.of = classmethod(begin)  # type: ignore[assignment, method-assign]

    asyncio.run(work())
    assert made[0].ended


def test_the_page_about_the_language_is_right() -> None:
    """The model on the page is accepted."""
    page = (Path(__file__).parents[2] / "src/epistrat/assistants/language.md").read_text(encoding="utf-8")
    block = [line[4:] for line in page.split("\n## ")[0].splitlines() if line.startswith("    ") or not line.strip()]
    found = asked("check", text="\n".join(block), seconds=20)
    assert found["accepted"], found["diagnostics"]


def test_without_a_folder_or_the_package(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["mcp", "--root", "/nowhere/at/all"]) == 2 and "there is no folder" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "epistrat.assistants.server", None)
    for name in ("mcp", "mcp.server"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "epistrat.assistants.server")
    assert main(["mcp"]) == 2 and "pip install 'epistrat[mcp]'" in capsys.readouterr().err
