"""What the server does not do, and that it goes on all the same: every test ends with a request that is served."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator

import pytest
from tests.studio.conftest import EXAMPLES, Client, long_check
from websockets.exceptions import InvalidStatus

from epistrat.studio.errands import AT_ONCE, MOST_WAITING
from epistrat.studio.guard import MOST_BYTES
from epistrat.studio.server import IDLE


@pytest.fixture(autouse=True)
def stays_up(studio: Client) -> Iterator[None]:
    yield
    status, desk = studio.call("GET", "/api/desk")
    assert status == 200
    assert any(one["name"] == "dining_cryptographers.ispl" for one in desk["examples"])


@pytest.mark.parametrize("path", ["/api/desk", "/api/examples/card_game.ispl", "/api/views/0123456789abcdef", "/x"])
@pytest.mark.parametrize("token", [None, "", "wrong", "é"])
def test_nothing_without_the_session(studio: Client, path: str, token: str | None) -> None:
    headers = {} if token is None else {"Authorization": "Bearer " + token}
    headers = {key: value.encode().decode("latin-1") for key, value in headers.items()}
    status, body, _ = studio.raw("GET", path, headers=headers)
    assert status == 401
    assert b"printed" in body


def test_the_token_opens_a_session_and_nothing_else(studio: Client) -> None:
    assert studio.session != studio.token
    assert studio.raw("GET", "/api/desk", headers={"Authorization": f"Bearer {studio.token}"})[0] == 401
    assert studio.raw("GET", f"/api/desk?token={studio.token}", headers={})[0] == 401
    for token in ("wrong", "", studio.session, "é"):
        assert studio.raw("POST", "/api/session", json.dumps({"token": token}).encode(), {})[0] == 401
    assert studio.raw("POST", "/api/session", b'{"token": 7}', {})[0] == 400


def test_no_cookies(studio: Client) -> None:
    """Browsers send cookies to every port of a host, so another server on this machine would learn them."""
    for path, headers in [("/", {}), ("/api/desk", {"Authorization": f"Bearer {studio.session}"})]:
        assert "set-cookie" not in studio.raw("GET", path, headers=headers)[2]
    for name in ("session", f"epistrat-studio-{studio.port}"):
        for secret in (studio.session, studio.token):
            assert studio.raw("GET", "/api/desk", headers={"Cookie": f"{name}={secret}"})[0] == 401


def test_the_page_has_no_secrets(studio: Client) -> None:
    for path in ("/", "/assets/x.js", "/reports/x"):
        body = studio.raw("GET", path, headers={})[1]
        assert studio.token.encode() not in body and studio.session.encode() not in body


def test_bodies_of_strangers_are_not_read(studio: Client) -> None:
    """Without a session: a long body is cut, whether or not it says how long it is."""
    for path in ("/api/papers/0123456789abcdef", "/api/session"):
        with socket.create_connection(("127.0.0.1", studio.port), timeout=20) as raw:
            raw.sendall(
                f"PUT {path} HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
            )
            chunk = b"x" * 100_000
            sent = 0
            with contextlib.suppress(OSError):
                while sent < 20_000_000:
                    raw.sendall(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
                    sent += len(chunk)
            assert sent < 20_000_000  # hung up long before


def test_connections_that_say_nothing_are_closed(studio: Client) -> None:
    idle = [socket.create_connection(("127.0.0.1", studio.port), timeout=IDLE + 10) for _ in range(50)]
    for one in idle[::2]:
        one.sendall(b"GET / HTTP/1.1\r\nHost: 127")
    begun = time.monotonic()
    for one in idle:
        with contextlib.suppress(ConnectionError):
            while one.recv(1000):
                pass
        one.close()
    assert time.monotonic() - begun < IDLE + 5


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", ""])
def test_foreign_hosts(studio: Client, host: str) -> None:
    headers = {"Host": host.format(port=studio.port), "Authorization": f"Bearer {studio.session}"}
    assert studio.raw("GET", "/api/desk", headers=headers)[0] == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"])
def test_foreign_origins(studio: Client, origin: str) -> None:
    origin = origin.format(port=studio.port)
    headers = {"Origin": origin, "Authorization": f"Bearer {studio.session}"}
    assert studio.raw("GET", "/api/desk", headers=headers)[0] == 403
    with pytest.raises(InvalidStatus) as refused, studio.socket(**headers):
        pass
    assert refused.value.response.status_code == 403


def test_sockets_need_the_token(studio: Client) -> None:
    with pytest.raises(InvalidStatus), studio.socket(Authorization="Bearer wrong"):
        pass


def test_large_bodies(studio: Client) -> None:
    headers = {"Authorization": f"Bearer {studio.session}", "Content-Length": str(MOST_BYTES + 1)}
    assert studio.raw("POST", "/api/ask/analyse", b"", headers)[0] == 413
    with socket.create_connection(
        ("127.0.0.1", studio.port), timeout=60
    ) as raw:  # one that does not say how large it is
        head = f"POST /api/ask/analyse HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nAuthorization: Bearer {studio.session}\r\n"
        raw.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        chunk = b"x" * 500_000
        answer = b""
        try:
            for _ in range(MOST_BYTES // len(chunk) + 1):
                raw.sendall(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
            answer = raw.recv(1000)
        except OSError:
            pass  # it hung up, which is an answer too
        assert not answer or b" 413 " in answer


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../app.py",
        "/assets/..%2fapp.py",
        "/assets/%2e%2e/%2e%2e/app.py",
        "/assets//etc/passwd",
        "/api/examples/../../pyproject.toml",
        "/api/examples/%2e%2e%2fREADME.md",
        "/api/examples//etc/passwd",
        "/etc/passwd",
    ],
)
def test_no_files_outside(studio: Client, path: str) -> None:
    status, body, _ = studio.raw("GET", path)
    assert status in (400, 404)
    assert b"root:" not in body and b"import" not in body


@pytest.mark.parametrize("name", ["../../evil", "x" * 16, "..%2f..%2fevil", "0" * 17])
def test_drafts_have_no_paths(studio: Client, name: str) -> None:
    assert studio.call("PUT", f"/api/papers/{name}", {"name": "n", "text": "t"})[0] in (400, 404, 405)
    assert studio.call("POST", "/api/papers/0123456789abcdef/save", {"text": "t"})[0] == 404


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"do": "warm"}',
        b'{"do": 7}',
        b'{"do": "check"}',
        b'{"text": 1}',
    ],
)
def test_malformed_bodies(studio: Client, body: bytes) -> None:
    for method, path in [
        ("POST", "/api/ask/analyse"),
        ("POST", "/api/ask/walk"),
        ("POST", "/api/ask/nothing"),
        ("PUT", "/api/papers/0123456789abcdef"),
    ]:
        status, answer, _ = studio.raw(method, path, body)
        assert 400 <= status < 500
        assert json.loads(answer)["error"]
    status, answer, _ = studio.raw("POST", "/api/errands", body)
    if status == 201:  # what is missing is found by the child
        key = json.loads(answer)["id"]
        assert studio.follow(key)[key][-2]["how"] == "crashed"
    else:
        assert status == 400


@pytest.mark.parametrize(
    "lines",
    [b"\r\n\r\n", b"GARBAGE\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00", b"GET /\0 HTTP/1.1\r\n\r\n"],
)
def test_malformed_http(studio: Client, lines: bytes) -> None:
    with socket.create_connection(("127.0.0.1", studio.port), timeout=60) as raw:
        raw.sendall(lines)
        raw.shutdown(socket.SHUT_WR)
        answer = raw.recv(1000)
    assert not answer or not answer.startswith(b"HTTP/1.1 200")


def test_malformed_socket_messages(studio: Client) -> None:
    with studio.socket() as open_socket:
        for message in ["", "{", "[]", "null", '{"follow": 7}', '{"follow": "nothing"}', "[" * 50_000]:
            open_socket.send(message)
            assert json.loads(open_socket.recv(timeout=60))["how"] == "crashed"
            assert json.loads(open_socket.recv(timeout=60))["event"] == "over"
    with studio.socket() as open_socket:
        open_socket.send(b"\x00\xff")  # bytes end it
    with studio.socket() as open_socket:
        open_socket.send("x" * 200_000)  # and so does a message that is too long


def test_frames_that_are_none(studio: Client) -> None:
    with socket.create_connection(("127.0.0.1", studio.port), timeout=60) as raw:
        raw.sendall(
            f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nAuthorization: Bearer {studio.session}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        assert b" 101 " in raw.recv(1000)
        raw.sendall(b"\xff\xff\xff\xff garbage that is no frame")
        raw.recv(1000)


def test_a_hundred_at_once(studio: Client) -> None:
    text = long_check()
    started = [studio.start("check", text, engine="explicit", time=600) for _ in range(100)]
    taken = [answer["id"] for status, answer in started if status == 201]
    refused = [answer["error"] for status, answer in started if status == 429]
    assert len(taken) == AT_ONCE + MOST_WAITING
    assert len(taken) + len(refused) == 100
    assert "cancel" in refused[0]
    for key in reversed(taken):
        assert studio.call("DELETE", f"/api/errands/{key}")[0] == 200
    for events in studio.follow(*taken).values():
        assert events[-2]["how"] == "interrupted"
    small = (EXAMPLES / "card_game.ispl").read_text()
    assert studio.run("check", small)[-2]["how"] == "done"
