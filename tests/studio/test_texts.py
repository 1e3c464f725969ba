"""No text is lost: versions, encodings, halves of characters, closed texts, new files, what is shown beside a text."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.studio.conftest import EXAMPLES, Client, end, serve

LAMP = """Agent Lamp
    Vars: on : boolean; end Vars
    Actions = {press, wait};
    Protocol: Other : {press, wait}; end Protocol
    Evolution: on = true if on = false and Action = press; on = false if on = true and Action = press; end Evolution
end Agent
Evaluation lit if Lamp.on = true; end Evaluation
InitStates Lamp.on = false; end InitStates
Formulae EF lit; AG !lit; end Formulae
"""


@pytest.fixture
def files(tmp_path: Path) -> Iterator[tuple[Client, Path]]:
    """A server with four files: plain, Latin-1, with a mark of its encoding, and one that does not exist yet."""
    (tmp_path / "plain.ispl").write_text(LAMP)
    (tmp_path / "latin.ispl").write_bytes("-- caf\u00e9\n".encode("latin-1") + LAMP.encode())
    (tmp_path / "marked.ispl").write_bytes(b"\xef\xbb\xbf" + LAMP.encode())
    names = ("plain", "latin", "marked", "new")
    client = serve(tmp_path / "drafts", *(tmp_path / f"{name}.ispl" for name in names))
    yield client, tmp_path
    end(client)


def papers(client: Client) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in client.call("GET", "/api/desk")[1]["papers"]}


def test_encodings_are_kept_or_refused(files: tuple[Client, Path]) -> None:
    client, folder = files
    there = papers(client)
    latin, marked = there["latin.ispl"], there["marked.ispl"]
    assert latin["text"].startswith("-- caf\u00e9\n") and latin["encoding"] == "latin-1"
    assert client.call("POST", f"/api/papers/{latin['id']}/save", {"text": latin["text"] + "-- na\u00efve"})[0] == 200
    assert (folder / "latin.ispl").read_bytes() == (latin["text"] + "-- na\u00efve").encode("latin-1")
    status, said = client.call("POST", f"/api/papers/{latin['id']}/save", {"text": latin["text"] + "-- \u2192"})
    assert status == 422 and said["encoding"] and "\u2192" in said["error"] and "line" in said["error"]
    assert (folder / "latin.ispl").read_bytes().endswith(b"na\xefve")  # nothing was written
    body = {"text": latin["text"] + "-- \u2192", "utf8": True}
    assert client.call("POST", f"/api/papers/{latin['id']}/save", body)[0] == 200
    assert (folder / "latin.ispl").read_text(encoding="utf-8").endswith("\u2192")
    assert not marked["text"].startswith("\ufeff")
    assert client.call("POST", f"/api/papers/{marked['id']}/save", {"text": "-- x"})[0] == 200
    assert (folder / "marked.ispl").read_bytes() == b"\xef\xbb\xbf-- x"


def test_who_saves_says_which_version_was_opened(files: tuple[Client, Path]) -> None:
    """Two tabs have opened the same file; the second one to save is told what the first one wrote."""
    client, folder = files
    opened = papers(client)["plain.ispl"]
    save = f"/api/papers/{opened['id']}/save"
    base = opened["saved_version"]
    status, first = client.call("POST", save, {"text": "-- first", "base": base})
    assert status == 200 and first["saved_version"] != base
    status, told = client.call("POST", save, {"text": "-- second", "base": base})
    assert status == 409 and told["there"] == "-- first" and told["version"] == first["saved_version"]
    assert (folder / "plain.ispl").read_text() == "-- first"
    assert client.call("POST", save, {"text": "-- second", "base": told["version"]})[0] == 200
    assert (folder / "plain.ispl").read_text() == "-- second"


def test_drafts_have_versions(studio: Client) -> None:
    draft = "/api/papers/00000000000000b1"
    version = studio.call("PUT", draft, {"name": "n", "text": "one", "by": "A"})[1]["version"]
    status, told = studio.call("PUT", draft, {"name": "n", "text": "two", "by": "B", "base": "0" * 16})
    assert status == 409 and told["there"] == "one" and told["version"] == version
    assert studio.call("PUT", draft, {"name": "n", "text": "two", "by": "B", "base": version})[0] == 200
    assert studio.call("PUT", draft, {"name": "n", "text": "three", "by": "A", "base": version})[0] == 409
    # a page that did not hear the answer to what it had sent writes on
    assert studio.call("PUT", draft, {"name": "n", "text": "four", "by": "B", "base": "0" * 16})[0] == 200


def test_the_server_knows_which_changes_of_a_page_it_has(tmp_path: Path) -> None:
    """A browser that was killed may offer what it had kept before; that is no other version."""
    page, other, draft = "a" * 16, "b" * 16, "/api/papers/00000000000000b2"
    client = serve(tmp_path)
    client.call("PUT", draft, {"name": "n", "text": "one", "by": page, "edits": {page: 3}})
    client.call(
        "PUT", draft, {"name": "n", "text": "two", "by": page, "edits": {page: 2, other: 7, "x": 1, "c" * 16: "no"}}
    )
    end(client)
    client = serve(tmp_path)
    assert next(iter(papers(client).values()))["edits"] == {page: 3, other: 7}
    end(client)


def test_the_server_knows_which_changes_of_a_file_it_has(tmp_path: Path) -> None:
    """The same of a text that has a file: otherwise what a browser had kept before would replace what was typed later."""
    (tmp_path / "plain.ispl").write_text(LAMP)
    client = serve(tmp_path / "drafts", tmp_path / "plain.ispl")
    key, page = papers(client)["plain.ispl"]["id"], "a" * 16
    client.call("PUT", f"/api/papers/{key}", {"name": "plain.ispl", "text": "-- two", "by": page, "edits": {page: 2}})
    end(client)
    client = serve(tmp_path / "drafts", tmp_path / "plain.ispl")
    assert papers(client)["plain.ispl"]["edits"] == {page: 2}
    end(client)


def test_a_draft_of_a_file_that_changed_meanwhile_says_so(tmp_path: Path) -> None:
    file = tmp_path / "model.ispl"
    file.write_text("-- one")
    client = serve(tmp_path / "drafts", file)
    paper = papers(client)["model.ispl"]
    client.call("PUT", f"/api/papers/{paper['id']}", {"name": "model.ispl", "text": "-- mine"})
    end(client)
    file.write_text("-- theirs")
    client = serve(tmp_path / "drafts", file)
    paper = papers(client)["model.ispl"]
    assert (paper["text"], paper["saved"]) == ("-- mine", "-- theirs")
    assert paper["base"] != paper["saved_version"]
    end(client)


def test_half_a_character_bricks_nothing(studio: Client, tmp_path: Path) -> None:
    status, said = studio.call("PUT", "/api/papers/00000000000000c1", {"name": "n", "text": "a\ud83d"})
    assert status == 400 and "half of a character" in said["error"]
    assert studio.call("PUT", "/api/papers/00000000000000c1", {"name": "n", "text": "a\ud83d\ude00"})[0] == 200
    assert studio.call("GET", "/api/desk")[0] == 200
    old = {"name": "n", "text": "-- \ud83d", "file": None, "touched": 1.0}
    (tmp_path / "0123456789abcdef.json").write_text(json.dumps(old))  # kept by an earlier version
    client = serve(tmp_path)
    status, desk = client.call("GET", "/api/desk")
    assert status == 200 and desk["papers"][0]["text"] == "-- \ufffd"
    end(client)


def test_a_closed_text_can_be_opened_again(studio: Client) -> None:
    draft = "/api/papers/00000000000000d1"
    studio.call("PUT", draft, {"name": "three hours.ispl", "text": "-- work"})
    studio.call("DELETE", draft)
    desk = studio.call("GET", "/api/desk")[1]
    assert desk["closed"][0] == {"id": "00000000000000d1", "name": "three hours.ispl"}
    assert all(one["id"] != "00000000000000d1" for one in desk["papers"])
    status, paper = studio.call("POST", f"{draft}/reopen")
    assert status == 200 and paper["text"] == "-- work"
    assert studio.call("POST", f"{draft}/reopen")[0] == 400


def test_a_closed_file_can_be_opened_again_with_its_draft(files: tuple[Client, Path]) -> None:
    client, folder = files
    paper = papers(client)["plain.ispl"]
    client.call("PUT", f"/api/papers/{paper['id']}", {"name": "plain.ispl", "text": "-- typed"})
    client.call("DELETE", f"/api/papers/{paper['id']}")
    status, again = client.call("POST", f"/api/papers/{paper['id']}/reopen")
    assert status == 200 and again["text"] == "-- typed" and again["saved"] == LAMP and again["file"]
    assert client.call("POST", f"/api/papers/{paper['id']}/save", {"text": "-- typed"})[0] == 200
    assert (folder / "plain.ispl").read_text() == "-- typed"


def test_what_was_typed_into_a_closed_file_outlives_the_server(tmp_path: Path) -> None:
    """The file is on the desk again then; what had not been saved is a text of its own."""
    (tmp_path / "plain.ispl").write_text(LAMP)
    client = serve(tmp_path / "drafts", tmp_path / "plain.ispl")
    key = papers(client)["plain.ispl"]["id"]
    client.call("PUT", f"/api/papers/{key}", {"name": "plain.ispl", "text": "-- typed"})
    client.call("DELETE", f"/api/papers/{key}")
    end(client)
    for _ in range(2):
        client = serve(tmp_path / "drafts", tmp_path / "plain.ispl")
        assert papers(client)["plain.ispl"]["text"] == LAMP
        (closed,) = client.call("GET", "/api/desk")[1]["closed"]
        end(client)
    client = serve(tmp_path / "drafts", tmp_path / "plain.ispl")
    status, paper = client.call("POST", f"/api/papers/{closed['id']}/reopen")
    assert status == 200 and paper["text"] == "-- typed" and paper["file"] is None and closed["id"] != key
    end(client)


def test_who_types_into_a_file_that_another_page_closed_can_save_it(files: tuple[Client, Path]) -> None:
    client, folder = files
    paper = papers(client)["plain.ispl"]
    client.call("DELETE", f"/api/papers/{paper['id']}")
    body = {"name": "plain.ispl", "text": "-- typed", "by": "b" * 16, "base": paper["version"]}
    assert client.call("PUT", f"/api/papers/{paper['id']}", body)[0] == 200
    body = {"text": "-- typed", "base": paper["saved_version"]}
    assert client.call("POST", f"/api/papers/{paper['id']}/save", body)[0] == 200
    assert (folder / "plain.ispl").read_text() == "-- typed"


def test_a_text_without_a_file_is_renamed(studio: Client) -> None:
    draft = "/api/papers/00000000000000e1"
    studio.call("PUT", draft, {"name": "new.ispl", "text": "t"})
    studio.call("PUT", draft, {"name": "lamps.ispl", "text": "t"})
    assert "lamps.ispl" in papers(studio)


def test_a_file_that_does_not_exist_is_made_when_it_is_saved(files: tuple[Client, Path]) -> None:
    client, folder = files
    paper = papers(client)["new.ispl"]
    assert paper["saved"] is None and paper["file"] and not (folder / "new.ispl").exists()
    status, saved = client.call(
        "POST", f"/api/papers/{paper['id']}/save", {"text": LAMP, "base": paper["saved_version"]}
    )
    assert status == 200 and saved["saved"] == LAMP
    assert (folder / "new.ispl").read_text() == LAMP


def test_what_is_shown_beside_a_text_outlives_the_server(tmp_path: Path) -> None:
    client = serve(tmp_path)
    view = {"sizes": {"n": 5}, "answers": ["holds"]}
    assert client.call("PUT", "/api/views/00000000000000f1", {"view": view})[0] == 200
    assert client.call("PUT", "/api/views/..%2fx", {"view": view})[0] in (400, 404)
    end(client)
    client = serve(tmp_path)
    assert client.call("GET", "/api/views/00000000000000f1")[1] == {"view": view}
    assert client.call("GET", "/api/views/00000000000000f2")[1] == {"view": None}
    end(client)


def test_a_draft_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    client = serve(tmp_path / "drafts")
    (tmp_path / "drafts" / "00000000000000a1.json").mkdir()
    status, said = client.call("PUT", "/api/papers/00000000000000a1", {"name": "n", "text": "t"})
    assert status == 507 and "cannot be written" in said["error"]
    end(client)


def test_files_that_are_included(tmp_path: Path) -> None:
    (tmp_path / "part.ispl").write_text((EXAMPLES / "card_game.ispl").read_text())
    whole = tmp_path / "whole.ispl"
    whole.write_text('-- all of it\ninclude "part.ispl";\n')
    client = serve(tmp_path / "drafts", whole)
    paper = papers(client)["whole.ispl"]
    found = client.ask("analyse", whole.read_text(), paper=paper["id"])
    assert found["ok"] and not found["diagnostics"]
    assert all(0 <= one["from"] <= one["to"] <= len(whole.read_text()) for one in found["formulae"])
    events = client.run("check", whole.read_text(), paper=paper["id"])
    assert any(one["event"] == "answered" for one in events) and events[-2]["how"] == "done"
    assert client.ask("walk", whole.read_text(), paper=paper["id"])["run"]["states"]
    (tmp_path / "part.ispl").write_text("Agent A\nVars: x : nonsense; end Vars\nend Agent\n")
    found = client.ask("analyse", whole.read_text(), paper=paper["id"])
    assert not found["ok"] and any("part.ispl, line" in one["message"] for one in found["diagnostics"])
    assert all(one["to"] <= len(whole.read_text()) for one in found["diagnostics"])
    # a page cannot name a folder by itself
    other = client.ask("analyse", 'include "passwd";', folder="/etc", name="/etc/x")
    assert any("not in a file" in one["message"] for one in other["diagnostics"])
    end(client)


@pytest.mark.parametrize("port", ["99999", "-1"])
def test_ports_that_are_none(port: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "epistrat", "studio", f"--port={port}", "--no-browser", "--drafts", str(tmp_path)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 2
    assert any(words in told.stderr for words in ("65535", "negative", "not been built"))


def test_answers_say_which_version_of_included_files_they_are_about(tmp_path: Path) -> None:
    """Included files change without a word; what was answered before is not mixed with what is there now."""
    part, whole = tmp_path / "part.ispl", tmp_path / "whole.ispl"
    (tmp_path / "inner.ispl").write_text("-- nothing\n")
    agent, rest = LAMP.split("end Agent\n")
    part.write_text('include "inner.ispl";\n' + agent + "end Agent\n")
    whole.write_text('include "part.ispl";\n' + rest)
    client = serve(tmp_path / "drafts", whole)
    text, key = whole.read_text(), papers(client)["whole.ispl"]["id"]

    def version() -> str:
        found = client.ask("parts", text, paper=key)["parts"]
        assert client.ask("analyse", text, paper=key)["parts"] == found
        (loaded,) = [one for one in client.run("check", text, paper=key) if one["event"] == "loaded"]
        assert loaded["parts"] == found
        told = client.run("graph", text, paper=key) + client.run("strategy", text, paper=key, formula="EF lit")
        assert {one["parts"] for one in told if one["event"] in ("graph", "strategy")} == {found}
        return str(found)

    first = version()
    here = client.ask("walk", text, paper=key)
    assert here["parts"] == first != "" and len(here["steps"]) == 2
    part.write_text(part.read_text().replace("Protocol: Other : {press, wait}", "Protocol: Other : {wait}"))
    second = version()
    assert second != first
    body = {"text": text, "name": "n", "paper": key, "run": here["run"], "parts": first}
    asked: list[tuple[str, dict[str, Any]]] = [
        ("walk", {}),
        ("film", {"formulae": []}),
        ("truth", {"formula": "lit"}),
        ("worlds", {}),
    ]
    for question, more in asked:
        status, said = client.call("POST", f"/api/ask/{question}", {**body, **more})
        assert status == 422 and "has changed since" in said["error"], question
    assert len(client.ask("walk", text, paper=key)["steps"]) == 1  # not what was loaded before
    (tmp_path / "inner.ispl").write_text("-- something\n")
    third = version()
    assert third not in (first, second)
    (tmp_path / "inner.ispl").unlink()
    assert client.ask("parts", text, paper=key)["parts"] not in (first, second, third)
    assert client.ask("parts", text)["parts"] == client.ask("parts", rest, paper=key)["parts"] == ""
    end(client)
