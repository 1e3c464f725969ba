"""Sessions with the language server over a real pipe, on texts with errors, carriage returns and characters beyond ASCII."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.lang.test_speed import cryptographers
from tests.lsp.client import Client, Refused, applied, position

from epistrat.ide import analyse, formatted
from epistrat.lang import load

TEXT = """-- Lamp 💡: \U0001d504 and ü before names
Agent Environment
    Obsvars:
        /* 😀😀 */ light : {on, off}; -- 💡
    end Obsvars
    Actions = {press, rest};
    Protocol:
        light = on : {rest};
        Other : {press, rest};
    end Protocol
    Evolution:
        light = on if Action = press;
    end Evolution
end Agent
Agent Watcher
    Vars: seen : boolean; end Vars
    Actions = {look};
    Protocol: Other : {look}; end Protocol
    Evolution: seen = true if /* 𝔄 */ Environment.light = on; end Evolution
end Agent
Evaluation lit if Environment.light = on; seen if Watcher.seen = true; end Evaluation
InitStates Environment.light = off and Watcher.seen = false; end InitStates
Groups both = {Watcher, Environment}; end Groups
Formulae
    AG(seen -> K(Watcher, lit));
    AF lit;
end Formulae
"""


CRLF = TEXT.replace("\n", "\r\n")


@pytest.fixture(params=[TEXT, CRLF], ids=["lf", "crlf"])
def text(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def at(text: str, before: str, after: str = "") -> dict[str, int]:
    return position(text, text.index(before + after) + len(before))


def cut(text: str, place: dict[str, Any]) -> str:
    marked = applied(text, [{"range": {"start": place["start"], "end": place["start"]}, "newText": "\0"}])
    start = marked.index("\0")
    marked = applied(text, [{"range": {"start": place["end"], "end": place["end"]}, "newText": "\0"}])
    return text[start : marked.index("\0")]


def test_a_session_from_beginning_to_end() -> None:
    client, text = Client(), CRLF
    capabilities = client.initialise()["capabilities"]
    assert capabilities["positionEncoding"] == "utf-16"
    uri = "file:///lamp%20%C3%BC.ispl"
    assert client.open(uri, text) == []

    # A change that breaks it, by UTF-16 positions, and messages with their places.
    start, end = at(text, "/* 𝔄 */ Environment.", "light"), at(text, "/* 𝔄 */ Environment.light")
    client.change(uri, {"range": {"start": start, "end": end}, "text": "lihgt"})
    broken = text.replace("𝔄 */ Environment.light", "𝔄 */ Environment.lihgt")
    (message,) = client.diagnostics(uri)
    assert message["code"] == "E012"
    assert cut(broken, message["range"]) == "Environment.lihgt"

    # A quick fix mends it.
    context = {"diagnostics": [message]}
    actions = client.about("codeAction", uri, range=message["range"], context=context)
    fix = next(one for one in actions if one["title"] == "Write `Environment.light`")
    edits = fix["edit"]["changes"][uri]
    assert applied(broken, edits) == text
    client.change(uri, *({"range": edit["range"], "text": edit["newText"]} for edit in edits))
    assert client.diagnostics(uri) == []

    found = client.at("hover", uri, at(text, "", "light : {on"))
    assert "Environment.light : {on, off}" in found["contents"]["value"]
    assert cut(text, found["range"]) == "light"
    place = client.at("definition", uri, at(text, "/* 𝔄 */ Environment."))
    assert place["range"]["start"] == at(text, "", "light : {on")
    places = client.at("references", uri, at(text, "", "light : {on"), context={"includeDeclaration": True})
    assert len(places) == text.count("light")
    assert {cut(text, one["range"]) for one in places} == {"light"}

    labels = [one["label"] for one in client.at("completion", uri, at(text, "/* 𝔄 */ Environment.light = "))]
    assert labels[:2] == ["on", "off"]

    assert cut(text, client.at("prepareRename", uri, at(text, "", "seen : "))) == "seen"
    assert client.at("prepareRename", uri, at(text, "", "Evolution")) is None
    edit = client.at("rename", uri, at(text, "", "light : {on"), newName="lamp")
    assert applied(text, edit["changes"][uri]) == text.replace("light", "lamp")
    with pytest.raises(Refused, match="reserved word"):
        client.at("rename", uri, at(text, "", "light : {on"), newName="end")

    options = {"tabSize": 4, "insertSpaces": True}
    laid_out = applied(text, client.about("formatting", uri, options=options))
    assert laid_out == formatted(analyse(text))
    assert load(laid_out).system == load(text).system
    assert ("\r\n" in laid_out) == ("\r\n" in text)

    assert client.leave() == 0
    assert "".join(client.errors) == ""


def test_outline_folds_tokens_and_signatures(client: Client, text: str) -> None:
    uri = "file:///around.ispl"
    client.open(uri, text)
    names = [one["name"] for one in client.about("documentSymbol", uri)]
    assert names == ["Environment", "Watcher", "Evaluation", "InitStates", "Groups", "Formulae"]
    assert {"startLine": 1, "endLine": 13, "kind": "region"} in client.about("foldingRange", uri)
    whole = {"start": {"line": 0, "character": 0}, "end": position(text, len(text))}
    hints = client.about("inlayHint", uri, range=whole)
    assert [hint["label"] for hint in hints] == ["1:", "2:"]
    data = client.about("semanticTokens/full", uri)["data"]
    assert data == client.ask("textDocument/semanticTokens/range", textDocument={"uri": uri}, range=whole)["data"]
    assert {"light", "Watcher", "press", "K"} <= set(coloured(text, data))
    found = client.at("signatureHelp", uri, at(text, "K(Watcher, "))
    assert found["signatures"][0]["label"] == "K(agent, formula)"
    assert found["activeParameter"] == 1
    kinds = [one["kind"] for one in client.at("documentHighlight", uri, at(text, "", "light : {on"))]
    assert kinds.count(3) == 1, "one assignment"
    client.close(uri)


def coloured(text: str, data: list[int]) -> list[str]:
    """The words that numbers colour."""
    found: list[str] = []
    line = unit = 0
    for at_ in range(0, len(data), 5):
        down, right, length = data[at_ : at_ + 3]
        line, unit = line + down, right if down else unit + right
        place = {"start": {"line": line, "character": unit}, "end": {"line": line, "character": unit + length}}
        found.append(cut(text, place))
    return found


def test_changes_in_a_row_are_applied_in_their_order(client: Client, text: str) -> None:
    uri = "file:///typing.ispl"
    client.open(uri, text)
    behind = at(text, "Environment.light = off and Watcher.seen = false")
    for letter in " and Watcher.seen <> true":
        client.change(uri, {"range": {"start": behind, "end": behind}, "text": letter})
        behind = {"line": behind["line"], "character": behind["character"] + 1}
    assert client.diagnostics(uri) == []
    top = {"line": 0, "character": 0}
    moved = {"line": behind["line"] + 1, "character": behind["character"]}
    above = {"range": {"start": top, "end": top}, "text": "-- new\n"}
    client.change(uri, above, {"range": {"start": moved, "end": moved}, "text": " and no_variable = 1"})
    assert [one["code"] for one in client.diagnostics(uri)] == ["E012"], "the second change counts from the first"
    client.change(uri, {"text": "Agent"}, {"text": "Agent A Vars: x : boolen; end Vars"})
    assert any(one["code"] == "E002" for one in client.diagnostics(uri))
    client.close(uri)


def test_checks_give_verdicts_that_the_lenses_show(client: Client) -> None:
    uri, text = "file:///checked.ispl", TEXT
    client.open(uri, text)
    titles = [lens["command"]["title"] for lens in client.about("codeLens", uri)]
    assert titles == ["check", "check all", "check"]
    results = client.ask("workspace/executeCommand", command="epistrat.check", arguments=[uri])
    assert [result["verdict"] for result in results] == ["holds", "fails"]
    client.wait(lambda message: message.get("method") == "workspace/codeLens/refresh")
    commands = [lens["command"] for lens in client.about("codeLens", uri)]
    assert sum("holds" in command["title"] for command in commands) == 1
    assert sum("fails" in command["title"] for command in commands) == 1
    why = next(command for command in commands if command["title"] == "why?")
    told = client.ask("workspace/executeCommand", command=why["command"], arguments=why["arguments"])
    assert "AF lit" in told
    assert "`lit` never becomes true" in told
    start = at(text, "Watcher.seen = ", "false")
    client.change(uri, {"range": {"start": start, "end": at(text, "Watcher.seen = false")}, "text": "true"})
    titles = [lens["command"]["title"] for lens in client.about("codeLens", uri)]
    assert titles[0].startswith("before the last change: ")
    with pytest.raises(Refused, match="only the formulae 1 to 2"):
        client.ask("workspace/executeCommand", command="epistrat.check", arguments=[uri, 7])
    client.close(uri)


def test_nonsense_is_refused_and_the_server_stays(client: Client) -> None:
    with pytest.raises(Refused, match="not open"):
        client.at("hover", "file:///unknown.ispl", {"line": 0, "character": 0})
    with pytest.raises(Refused):
        client.ask("textDocument/hover", nonsense=True)
    with pytest.raises(Refused):
        client.ask("no/such/method")
    with pytest.raises(Refused):
        client.ask("workspace/executeCommand", command="epistrat.check", arguments=[])
    uri = "file:///odd.ispl"
    assert client.open(uri, "\x0c\u2028 \ud800 Agent\r") != []
    far = {"line": 10**6, "character": 10**6}
    client.change(uri, {"range": {"start": far, "end": {"line": 0, "character": 3}}, "text": "x"})
    client.diagnostics(uri)
    assert "Agent x" in client.at("hover", uri, far)["contents"]["value"]
    client.close(uri)


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[2] / "examples").glob("*.ispl")), ids=lambda p: p.stem)
def test_an_example_cut_short_opens(client: Client, path: Path) -> None:
    """All questions on all beginnings are asked in tests/ide; here some of them go through the protocol."""
    text = path.read_text(encoding="utf-8")
    uri = path.as_uri()
    for part in (1, 2, 3):
        beginning = text[: len(text) * part // 3]
        client.open(uri, beginning)
        end = position(beginning, len(beginning))
        client.at("completion", uri, end)
        client.at("hover", uri, end)
        for method in ("documentSymbol", "foldingRange", "codeLens", "semanticTokens/full"):
            client.about(method, uri)
        client.close(uri)


def test_families_and_included_files(client: Client, tmp_path: Path) -> None:
    agents = (
        "Agent A[i in 1..3] Vars: x : boolean; end Vars Actions = {a}; Protocol: Other : {a}; end Protocol end Agent"
    )
    (tmp_path / "agents.ispl").write_text(agents)
    text = 'include "agents.ispl";\nInitStates forall i in 1..3: A[i].x = true; end InitStates\n'
    text += "Formulae same[i in 1..3]: AG A[i].x; EF !A[2].x; end Formulae\n"
    uri = (tmp_path / "main.ispl").as_uri()
    assert [one for one in client.open(uri, text) if one["severity"] == 1] == []
    results = client.ask("workspace/executeCommand", command="epistrat.check", arguments=[uri])
    assert [result["verdict"] for result in results] == ["holds", "holds", "holds", "fails"]
    titles = [lens["command"]["title"] for lens in client.about("codeLens", uri)]
    assert titles[0] == "✓ holds: 3"
    assert titles[1] == "check all"
    assert "fails" in titles[2]
    edit = client.at("rename", uri, at(text, "", "same["), newName="still")
    assert applied(text, edit["changes"][uri]) == text.replace("same", "still")
    client.close(uri)
    (tmp_path / "agents.ispl").write_text(agents.replace("boolean", "boolaen"))
    message = next(one for one in client.open(uri, text) if one["severity"] == 1)
    assert "agents.ispl:1:" in message["message"]
    assert message["range"]["start"] == {"line": 0, "character": 0}
    assert client.about("codeAction", uri, range=message["range"], context={"diagnostics": []}) == []
    (tmp_path / "agents.ispl").write_text(agents)
    client.notify("textDocument/didSave", textDocument={"uri": (tmp_path / "agents.ispl").as_uri()})
    assert [one for one in client.diagnostics(uri) if one["severity"] == 1] == []
    client.close(uri)


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the time a process has used in /proc")
def test_messages_about_a_large_text_cost_little(client: Client) -> None:
    """A megabyte: the processor time from a keystroke to the messages, which is what a person waits for after the pause."""
    text, uri = cryptographers(220), "file:///large.ispl"
    assert len(text) > 1_000_000
    assert client.open(uri, text) == []
    before = seconds_used(client)
    place = at(text, "", "Evaluation")
    client.change(uri, {"range": {"start": place, "end": place}, "text": "x"})
    client.change(uri, {"range": {"start": place, "end": place}, "text": "x"})
    assert client.diagnostics(uri) != []
    assert seconds_used(client) - before < 1.0, "measured: 0.35 s"
    client.close(uri)


def seconds_used(client: Client) -> float:
    fields = Path(f"/proc/{client.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
