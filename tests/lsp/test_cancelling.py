"""Checks that take long: cancelled by command, by the request, by closing the document; no process is left behind."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from tests.lsp.client import PATIENCE, Client, Refused

_AGENT = """Agent A{i}
    Vars: x : 0..65535; y : 0..65535; end Vars
    Actions = {{a, b, c}};
    Protocol: Other : {{a, b, c}}; end Protocol
    Evolution:
        x = x * y + {i} if Action = a and x * y < 65000 and A{o}.Action = b;
        y = y * y - x if Action = b and y * y - x > 0 and y * y < 65000 and A{o}.Action = c;
        x = y * y - x * x if Action = c and y * y > x * x and y * y < 65000;
    end Evolution
end Agent
"""


def endless() -> str:
    """A model whose products of numbers keep every engine busy for minutes."""
    agents = "".join(_AGENT.format(i=i, o=(i + 1) % 6) for i in range(6))
    initial = " and ".join(f"A{i}.x > 2 and A{i}.y > {i}" for i in range(6))
    rest = "Evaluation p if A0.x * A1.y = A2.x * A3.y + 1; end Evaluation\n"
    rest += f"InitStates {initial}; end InitStates\nFormulae AG(EF p) and AG K(A0, EF p); end Formulae\n"
    return agents + rest


def descendants(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have started; it must not be one of them that has ended."""
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents[int(status.parent.name)] = int(fields[1])
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def alive(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
]


def start(client: Client, uri: str) -> tuple[int, set[int]]:
    """Start a check that takes long; the number of the request, and the processes at work (one that waits, one that works)."""
    assert [one for one in client.open(uri, endless()) if one["severity"] == 1] == []
    asked = client.start("workspace/executeCommand", command="epistrat.check", arguments=[uri])
    client.wait(lambda message: message.get("method") == "$/progress" and message["params"]["value"]["kind"] == "begin")
    deadline = time.monotonic() + PATIENCE
    while len(workers := descendants(client.process.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(workers) == 2
    return asked, workers


def wait_for_the_end_of(workers: set[int]) -> None:
    deadline = time.monotonic() + PATIENCE
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, workers))


@pytest.mark.parametrize("how", ["command", "request", "close"])
def test_a_check_can_be_cancelled(client: Client, how: str) -> None:
    uri = f"file:///{how}.ispl"
    asked, workers = start(client, uri)
    if how == "command":
        assert client.ask("workspace/executeCommand", command="epistrat.cancel", arguments=[uri]) == 1
    elif how == "request":
        client.notify("$/cancelRequest", id=asked)
    else:
        client.close(uri)
    with pytest.raises(Refused, match="cancel"):
        client.answer(asked)
    wait_for_the_end_of(workers)
    assert not descendants(client.process.pid)


@pytest.mark.parametrize("how", ["the client is gone", "the server is killed"])
def test_nothing_is_left_behind(how: str) -> None:
    client = Client()
    client.initialise()
    _, workers = start(client, "file:///lost.ispl")
    if how == "the server is killed":
        client.process.kill()
    else:
        assert client.process.stdin is not None
        client.process.stdin.close()
    client.end()
    wait_for_the_end_of(workers)
