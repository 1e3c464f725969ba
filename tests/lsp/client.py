"""A client of the language server over a real pipe: JSON-RPC by hand, independent of the library that the server uses."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds to wait for a message; a busy machine needs some."""

CAPABILITIES = {
    "general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]},
    "textDocument": {"completion": {"completionItem": {"snippetSupport": True}}, "publishDiagnostics": {}},
    "workspace": {"codeLens": {"refreshSupport": True}},
    "window": {"workDoneProgress": True},
}


class Refused(Exception):
    """The server answered with an error."""


class Client:
    """One session."""

    def __init__(self) -> None:
        environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
        start = "from epistrat.cli.main import run; run()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", start, "lsp", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
        self._received: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._waiting: list[dict[str, Any]] = []
        self._number = 0
        self._versions: dict[str, int] = {}
        self.errors: list[str] = []
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._read, self._drain)]
        for thread in self._threads:
            thread.start()

    # -- messages ----------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        assert self.process.stdout is not None
        stream = self.process.stdout
        while line := stream.readline():
            length = 0
            while line.strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                line = stream.readline()
            self._received.put(json.loads(stream.read(length)))
        self._received.put(None)

    def _drain(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line.decode())

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def notify(self, method: str, **params: Any) -> None:
        self.send({"method": method, "params": params})

    def start(self, method: str, **params: Any) -> int:
        """Ask, without waiting for the answer."""
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        return self._number

    def ask(self, method: str, **params: Any) -> Any:
        return self.answer(self.start(method, **params))

    def answer(self, number: int) -> Any:
        message = self.wait(lambda one: one.get("id") == number and "method" not in one)
        if "error" in message:
            raise Refused(message["error"]["message"])
        return message["result"]

    def wait(self, wanted: Any) -> dict[str, Any]:
        """The next message that is wanted; requests of the server are granted on the way, other messages kept."""
        for message in self._waiting:
            if wanted(message):
                self._waiting.remove(message)
                return message
        while True:
            received = self._received.get(timeout=PATIENCE)
            assert received is not None, "the server ended: " + "".join(self.errors)
            message = received
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            if wanted(message):
                return message
            self._waiting.append(message)

    # -- a session ---------------------------------------------------------------------------------------------------

    def initialise(self) -> dict[str, Any]:
        result: dict[str, Any] = self.ask("initialize", processId=None, rootUri=None, capabilities=CAPABILITIES)
        self.notify("initialized")
        return result

    def open(self, uri: str, text: str) -> list[dict[str, Any]]:
        """Open a document; the messages about it."""
        self._versions[uri] = 1
        document = {"uri": uri, "languageId": "ispl", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)
        return self.diagnostics(uri)

    def change(self, uri: str, *changes: dict[str, Any]) -> None:
        self._versions[uri] += 1
        document = {"uri": uri, "version": self._versions[uri]}
        self.notify("textDocument/didChange", textDocument=document, contentChanges=list(changes))

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", textDocument={"uri": uri})

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """The messages about the last version of a document."""

        def current(message: dict[str, Any]) -> bool:
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            params = message["params"]
            return bool(params["uri"] == uri and params.get("version") == self._versions[uri])

        found: list[dict[str, Any]] = self.wait(current)["params"]["diagnostics"]
        return found

    def at(self, method: str, uri: str, position: dict[str, int], **params: Any) -> Any:
        return self.ask(f"textDocument/{method}", textDocument={"uri": uri}, position=position, **params)

    def about(self, method: str, uri: str, **params: Any) -> Any:
        return self.ask(f"textDocument/{method}", textDocument={"uri": uri}, **params)

    def leave(self) -> int:
        """Shut the server down; its exit status."""
        self.ask("shutdown")
        self.notify("exit")
        return self.end()

    def end(self) -> int:
        """Wait for the end of the server; its exit status."""
        status = self.process.wait(PATIENCE)
        for thread in self._threads:
            thread.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return status


def position(text: str, offset: int) -> dict[str, int]:
    """Line and UTF-16 unit, counted in the plainest way."""
    before = text[:offset].replace("\r\n", "\n")
    line = before.rpartition("\n")[2]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after edits of the server, applied as a client does: by lines and UTF-16 units."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(place: dict[str, int]) -> int:
        units = lines[place["line"]].encode("utf-16-le")[: 2 * place["character"]]
        return starts[place["line"]] + len(units.decode("utf-16-le"))

    spans = [(offset(edit["range"]["start"]), offset(edit["range"]["end"]), edit["newText"]) for edit in edits]
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text
