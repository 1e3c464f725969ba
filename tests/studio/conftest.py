from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

EXAMPLES = Path(__file__).parents[2] / "examples"
SERVE = """
import sys
from pathlib import Path
from epistrat.studio.server import run
run([Path(one) for one in sys.argv[2:]], "127.0.0.1", 0, browse=False, say=lambda line: print(line, flush=True), drafts=Path(sys.argv[1]))
"""


def long_check(n: int = 14) -> str:
    """A model whose explicit exploration takes hours: in each step one of n counters is chosen and goes up."""
    lines = "".join(f"x{i} = (x{i} + 1) if Action = up{i} and x{i} < 9; " for i in range(n))
    lines += "".join(f"x{i} = 0 if Action = up{i} and x{i} = 9; " for i in range(n))
    actions = ", ".join(f"up{i}" for i in range(n))
    variables = " ".join(f"x{i} : 0..9;" for i in range(n))
    return (
        f"Agent Counters\nVars: {variables} end Vars\nActions = {{{actions}}};\nProtocol: Other : {{{actions}}}; end Protocol\n"
        f"Evolution: {lines} end Evolution\nend Agent\n"
        f"Evaluation goal if {' and '.join(f'Counters.x{i} = 9' for i in range(n))}; end Evaluation\n"
        f"InitStates {' and '.join(f'Counters.x{i} = 0' for i in range(n))}; end InitStates\nFormulae AG !goal; end Formulae\n"
    )


@dataclass
class Client:
    """Talks to a server as the page does."""

    process: subprocess.Popen[str]
    port: int
    token: str
    session: str = ""

    def enter(self) -> Client:
        """Exchange the token for the secret of the session, as the page does."""
        body = json.dumps({"token": self.token}).encode()
        status, answer, _ = self.raw("POST", "/api/session", body, {})
        assert status == 200, answer
        self.session = json.loads(answer)["session"]
        return self

    def raw(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            given = {"Authorization": f"Bearer {self.session}"} if headers is None else headers
            connection.request(method, path, body, given)
            answer = connection.getresponse()
            return answer.status, answer.read(), {key.lower(): value for key, value in answer.getheaders()}
        finally:
            connection.close()

    def call(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        status, answer, _ = self.raw(method, path, None if body is None else json.dumps(body).encode())
        return status, json.loads(answer)

    def ask(self, what: str, text: str, **more: Any) -> Any:
        status, answer = self.call("POST", f"/api/ask/{what}", {"text": text, "name": "model.ispl", **more})
        assert status == 200, answer
        return answer

    def start(self, do: str, text: str, **more: Any) -> tuple[int, Any]:
        return self.call("POST", "/api/errands", {"do": do, "text": text, "name": "model.ispl", **more})

    def socket(self, **headers: str) -> ClientConnection:
        given = headers or {"Authorization": f"Bearer {self.session}"}
        return connect(f"ws://127.0.0.1:{self.port}/api/events", additional_headers=given, max_size=None)

    def follow(self, *ids: str) -> dict[str, list[Any]]:
        """All events of these errands, until they are over."""
        told: dict[str, list[Any]] = {key: [] for key in ids}
        with self.socket() as socket:
            for key in ids:
                socket.send(json.dumps({"follow": key}))
            while not all(events and events[-1]["event"] == "over" for events in told.values()):
                event = json.loads(socket.recv(timeout=120))
                told[event["id"]].append(event)
        return told

    def run(self, do: str, text: str, **more: Any) -> list[Any]:
        """The events of one errand."""
        status, started = self.start(do, text, **more)
        assert status == 201, started
        return self.follow(started["id"])[started["id"]]

    def descendants(self) -> set[int]:
        """All processes that the server has started, and those that they have."""
        children: dict[int, list[int]] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                except OSError:
                    continue
                if fields[0] != "Z":
                    children.setdefault(int(fields[1]), []).append(int(entry.name))
        found: set[int] = set()
        pending = [self.process.pid]
        while pending:
            for child in children.get(pending.pop(), []):
                found.add(child)
                pending.append(child)
        return found


def serve(drafts: Path, *files: Path) -> Client:
    """Start a server of its own."""
    command = [sys.executable, "-c", SERVE, str(drafts), *map(str, files)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "EPISTRAT_TRACEBACK": ""})
    assert process.stdout is not None
    address = process.stdout.readline().split()[-1]
    process.stdout.readline()
    port, token = address.removeprefix("http://127.0.0.1:").split("/#token=")
    return Client(process, int(port), token).enter()


def alive(pid: int) -> bool:
    """Whether the process runs: those that have ended and were not waited for do not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def gone(processes: set[int]) -> bool:
    """Whether all these processes end, given a minute."""
    for _ in range(600):
        if not any(map(alive, processes)):
            return True
        time.sleep(0.1)
    return False


def end(client: Client, how: int = signal.SIGTERM) -> int:
    """End a server; nothing that it has started stays.  Its exit status."""
    started = client.descendants()
    client.process.send_signal(how)
    client.process.wait(60)
    assert gone(started)
    assert client.process.stdout is not None
    client.process.stdout.close()
    return client.process.returncode


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    client = serve(tmp_path_factory.mktemp("drafts"))
    yield client
    end(client)
